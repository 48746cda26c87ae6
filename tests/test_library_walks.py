"""A newcomer's tasks: estimate a share from a file, register a plan, read a server's export."""

import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas
import pytest
from django.utils import timezone

import sottovoce
from mining.thresholds import Thresholds
from surveys.report.export.data_package import data_export
from tests.fixtures.runs import answered_version, mined_run

ROOT = Path(__file__).resolve().parents[1]


def test_newcomers_can_estimate_a_share_from_a_file() -> None:
    rng = np.random.default_rng(21)
    cheat = rng.random(2_400) < 0.3
    truth = pandas.DataFrame({"cheat": cheat, "drugs": rng.random(2_400) < np.where(cheat, 0.5, 0.15)})
    people = sottovoce.Survey({"work": ["cheat", "drugs"]}, p=0.5).disguise(truth, seed=21)
    # A newcomer's likely mistakes are refused, and each message says what to write.
    with pytest.raises(sottovoce.PrivacyError, match=r'blocks=\{"block": \[\.\.\.\]\}') as listed:
        sottovoce.Survey(["cheat", "drugs"], p=50)  # type: ignore[arg-type]
    assert '{"cheat": ["cheat"], ...}' in str(listed.value)
    with pytest.raises(sottovoce.PrivacyError, match=r"p of block work = 50\.0 .* number in \[0, 1\]"):
        sottovoce.Survey({"work": ["cheat", "drugs"]}, p=50)
    survey = sottovoce.Survey({"work": ["cheat", "drugs"]}, p=0.5)
    with pytest.raises(sottovoce.PrivacyError, match="no column 'cheat'; the columns are 'Cheat', 'drugs'"):
        survey.on(people.rename(columns={"cheat": "Cheat"}))
    reports = survey.on(people)
    with pytest.raises(sottovoce.PrivacyError, match="use one of cheat, drugs"):
        reports.share("Cheat")
    share = reports.share("cheat")
    low, high = share.interval()
    # The data were drawn with a share of 30%; by hand, the estimate is (731/2400 - .25)/.5.
    assert share.value == pytest.approx((people.cheat.mean() - 0.25) / 0.5)
    assert low < 0.3 < high
    assert f"{share.value:.4g}" in share.summary()
    assert "<table" in share._repr_html_()


NOTEBOOK = """
import sys
for server in ("django", "surveys", "celery", "pyarrow"):
    sys.modules[server] = None
import sottovoce
reports = sottovoce.read_export(sys.argv[1])
print(reports.supports(min=0.08, size=1).support.to_json())
names = [item.key for item in reports.design.items if reports.design.blocks[item.block].protected]
print(reports.share(names[0]).summary())
"""


@pytest.mark.django_db
@pytest.mark.soak
def test_exports_open_without_a_server(tmp_path: Path) -> None:
    run = mined_run(answered_version(), Thresholds(support=0.08, max_size=1))
    file = io.BytesIO()
    data_export(run, file, by=None, now=timezone.now())
    (tmp_path / "run.zip").write_bytes(file.getvalue())
    done = subprocess.run(
        [sys.executable, "-c", NOTEBOOK, str(tmp_path / "run.zip")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    first, *summary = done.stdout.splitlines()
    found = pandas.read_json(io.StringIO(first), typ="series")
    items = run.version.to_design().items
    stored = {items[int(row.items.strip(","))].key: row.support for row in run.itemsets.all()}
    assert found.to_dict() == pytest.approx(stored, abs=1e-9)
    assert summary[0].startswith("share of ")
