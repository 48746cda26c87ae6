"""The `sottovoce` package is light to import, has one screen of help, and exports its public names."""

import contextlib
import io
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pandas
import pytest
from django.utils import timezone
from statsmodels.datasets import fair

import sottovoce
from mining.thresholds import Thresholds
from surveys.models import Version
from surveys.report.export.data_package import data_export
from tests.fixtures.exports import everything
from tests.fixtures.refusals import refused
from tests.fixtures.runs import answered_version, mined_run

SCREEN = 40
ROOT = Path(__file__).resolve().parents[2]


def test_importing_sottovoce_loads_neither_pandas_nor_numpy() -> None:
    code = "import sys, sottovoce; print(sorted({'pandas', 'numpy', 'scipy', 'django'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_dir_lists_exactly_the_public_names() -> None:
    for name in dir(sottovoce):
        assert getattr(sottovoce, name) is not None
    assert {"Survey", "prevalence", "crosstab", "logistic_regression", "risk", "read_export"} <= set(
        dir(sottovoce)
    )
    with pytest.raises(AttributeError, match="surveys"):
        _ = sottovoce.surveys  # type: ignore[attr-defined]


def test_the_example_data_match_statsmodels() -> None:
    data = sottovoce.example_data()
    occupations = ["occupation", "occupation_husb"]
    published = fair.load_pandas().data.drop(columns=occupations)
    pandas.testing.assert_frame_equal(data.astype(float), published)
    words = "Included with permission of the author."
    assert words == fair.COPYRIGHT
    assert words in (ROOT / "sottovoce/fair.csv").read_text(encoding="utf-8")
    assert words in (ROOT / "NOTICE").read_text(encoding="utf-8")


def test_help_fits_on_one_screen() -> None:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        help(sottovoce)
    lines = said.getvalue().splitlines()
    assert "Survey(blocks=" in said.getvalue()
    assert len(lines) <= SCREEN


@pytest.mark.parametrize("name", ["privacy", "mining"])
def test_errors_name_a_script_that_shadows_a_package(name: str, tmp_path: Path) -> None:
    (tmp_path / f"{name}.py").write_text("", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", "import sottovoce"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert f"{name}.py hides the package {name!r} that Sottovoce needs. Rename that file" in done.stderr


def test_similarly_named_scripts_do_not_shadow_the_library(tmp_path: Path) -> None:
    (tmp_path / "surveys_of_mine.py").write_text("", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", "import sottovoce; sottovoce.warner"]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)


@pytest.mark.django_db
@pytest.mark.parametrize("made", [answered_version, everything], ids=["answered", "everything"])
@pytest.mark.few("answered", why="the others execute nothing more")
def test_exported_estimates_match_their_run(made: Callable[[], Version]) -> None:
    run = mined_run(made(), Thresholds(support=0.08, max_size=2))
    file = io.BytesIO()
    data_export(run, file, by=None, now=timezone.now())
    reports = sottovoce.read_export(file)
    assert reports.n == run.n
    found = reports.supports(min=0.08, size=2)
    with zipfile.ZipFile(file) as archive, archive.open("run/itemsets.csv") as listed:
        wanted = pandas.read_csv(listed)
    assert len(wanted) > 4
    both = found.loc[wanted["items"]]
    assert list(both.support) == pytest.approx(list(wanted.support), abs=1e-9)
    assert list(both.high) == pytest.approx(list(wanted.support_high), abs=1e-7)
    # A run lists no cross of open answers in which some cell has fewer than ten people. Rows show them.
    crosses = {frozenset(name.split(" & ")) for name in set(found.index) - set(wanted["items"])}
    assert all(cross & {"age=young", "age=old"} for cross in crosses)
    assert len(crosses) == {answered_version: 0, everything: 10}[made]


def test_invalid_exports_are_refused() -> None:
    with refused("export"):
        sottovoce.read_export(io.BytesIO(b"no archive"))
    empty = io.BytesIO()
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("rows.csv", "a\n1\n")
    with refused("export", "design.json"):
        sottovoce.read_export(empty)
    with zipfile.ZipFile(empty, "w") as archive:
        archive.writestr("design.json", "{}")
        archive.writestr("rows.csv", "a\n1\n")
    with refused("malformed"):
        sottovoce.read_export(empty)
