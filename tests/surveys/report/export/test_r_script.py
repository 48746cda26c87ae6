"""The R file of an export reads its rows as R packages expect them, and gives the figures of the run.

Tests that need R itself have its mark.
"""

import json
import re
import subprocess
import zipfile
from pathlib import Path

import pytest
from django.utils import timezone

from mining.thresholds import Thresholds
from surveys.models import Run, Version
from surveys.report.export.data_package import data_export
from surveys.report.export.r_script import R_FILE, r_script
from tests.fixtures.exports import everything, lightly, records
from tests.fixtures.runs import alice, answered_version, mined_run

pytestmark = pytest.mark.django_db


def exported(made: Version, where: Path) -> tuple[Run, Path]:
    run = mined_run(made, Thresholds(support=0.02, max_size=2))
    with (where / "export.zip").open("w+b") as out:
        data_export(run, out, by=alice(), now=timezone.now())
    with zipfile.ZipFile(where / "export.zip") as archive:
        archive.extractall(where)
    return run, where


def in_r(where: Path, code: str) -> str:
    """Run code after the R file, and return what it prints."""
    script = f'source("{R_FILE}"); data <- read_sottovoce("export.zip"); {code}'
    done = subprocess.run(
        ["Rscript", "--vanilla", "-e", script], cwd=where, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.soak
def test_the_columns_that_r_reads_are_those_of_the_codebook(tmp_path: Path) -> None:
    _, where = exported(everything(), tmp_path)
    columns = set(records(where / "codebook.csv")[0]) | {"light_truth_probability"}
    read = set(re.findall(r"book(?:\$|\[\[\")(\w+)", r_script()))
    assert {"kept", "kind", "truth_probability", "unrelated_share", "skip_share"} <= read <= columns
    assert (where / R_FILE).read_text(encoding="utf-8") == r_script()


@pytest.mark.r
@pytest.mark.parametrize("made", [answered_version, everything, lightly])
@pytest.mark.few("everything", why="it has all kinds")
def test_shares_and_errors_in_r_are_those_of_the_run(tmp_path: Path, made) -> None:  # type: ignore[no-untyped-def]
    _, where = exported(made(), tmp_path)
    code = (
        "items <- sottovoce_items(data)$item; "
        "for (own in items) "
        'cat(own, sprintf("%.17g", unlist(sottovoce_share(data, own)[2:4])), "\\n", sep = "\\t")'
    )
    found = {}
    for line in in_r(where, code).splitlines():
        name, *numbers = line.strip().split("\t")
        found[name] = [float(own) for own in numbers]
    stored = {row["items"]: row for row in records(where / "run" / "itemsets.csv") if row["size"] == "1"}
    shared = set(found) & set(stored)
    assert len(shared) >= 3
    for name in shared:
        n, share, error = found[name]
        row = stored[name]
        assert n == int(row["n"])
        assert share == pytest.approx(float(row["support_unclipped"]), abs=1e-12)
        assert error == pytest.approx(float(row["support_se"]), rel=1e-9)


@pytest.mark.r
def test_probabilities_are_those_of_the_design(tmp_path: Path) -> None:
    _, where = exported(answered_version(), tmp_path)
    design = json.loads((where / "design.json").read_text(encoding="utf-8"))
    block = next(own for own in design["blocks"] if own["key"] == "work")
    p = block["truth_probability"] / 10_000
    theta = next(own for own in block["questions"] if own["key"] == "cheat")["unrelated"][0] / 10_000
    printed = in_r(
        where,
        'y <- sottovoce_response(data, "cheat"); '
        'cat(unlist(y[nrow(y), c("theta", "y")]), range(y$p), y$p1[1])',
    )
    sent_theta, _, low, high, forced = map(float, printed.split())
    assert sent_theta == pytest.approx(theta)
    assert p in (pytest.approx(low), pytest.approx(high))
    assert forced == pytest.approx((1 - low) * theta) or forced == pytest.approx((1 - high) * theta)


@pytest.mark.r
@pytest.mark.parametrize(
    ("code", "words"),
    [
        ('sottovoce_share(data, "nothing")', "there is no disguised answer nothing; use one of"),
        ('read_sottovoce("none.zip")', "there is no file none.zip"),
        (
            'file.create("a.txt"); zip("b.zip", "a.txt", flags = "-q"); read_sottovoce("b.zip")',
            "download the ZIP",
        ),
    ],
)
def test_mistakes_are_named_in_r(tmp_path: Path, code: str, words: str) -> None:
    _, where = exported(answered_version(), tmp_path)
    script = f'source("{R_FILE}"); data <- read_sottovoce("export.zip"); {code}'
    done = subprocess.run(
        ["Rscript", "--vanilla", "-e", script], cwd=where, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert words in done.stderr
