"""A server's export opened in a notebook: its figures are those of the run, and other files are refused."""

import io
import zipfile
from collections.abc import Callable

import pandas
import pytest
from django.utils import timezone

import sottovoce
from mining.thresholds import Thresholds
from surveys.models import Version
from surveys.report.data_package import data_export
from tests.fixtures.exports import everything
from tests.fixtures.refusals import refused
from tests.fixtures.runs import answered, mined


@pytest.mark.django_db
@pytest.mark.parametrize("made", [answered, everything], ids=["answered", "everything"])
def test_exported_estimates_match_their_run(made: Callable[[], Version]) -> None:
    run = mined(made(), Thresholds(support=0.08, max_size=2))
    file = io.BytesIO()
    data_export(run, file, by=None, now=timezone.now())
    reports = sottovoce.read_export(file)
    assert reports.n == run.n
    found = reports.supports(min=0.08, size=2)
    with zipfile.ZipFile(file) as archive, archive.open("run/itemsets.csv") as listed:
        wanted = pandas.read_csv(listed)
    assert len(wanted) > 4
    assert sorted(found.support) == pytest.approx(sorted(wanted.support), abs=1e-9)
    assert sorted(found.high) == pytest.approx(sorted(wanted.support_high), abs=1e-7)


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
