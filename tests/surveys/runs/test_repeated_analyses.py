"""Analyses of the same rows, and their tests, are counted, deleted runs included."""

import pytest

from mining.thresholds import Sides, Thresholds
from surveys.report.sentences.ledger_words import ledger_record
from surveys.runs.repeated_analyses import analyses_of
from tests.attack.test_open_answers import EVERYTHING, answer, survey
from tests.fixtures.devices import closed
from tests.fixtures.pages import report_page
from tests.fixtures.runs import mined_run

pytestmark = pytest.mark.django_db


@pytest.mark.soak
def test_pages_say_how_often_the_same_rows_were_analysed_and_the_largest_family() -> None:
    version = survey("sides")
    answer(version, (60, 60, 60, 60))
    version = closed(version)
    first = mined_run(version, EVERYTHING, anew=True)
    chosen = Thresholds(
        support=1e-6, confidence=1e-6, max_size=2, sides=Sides(antecedent=(0,), consequent=(2,))
    )
    second = mined_run(version, chosen, anew=True)
    assert first.summary["inference"]["family"]["lift"] == 6
    assert second.summary["inference"]["family"]["lift"] == 1
    looks = analyses_of(second)
    assert (looks.runs, looks.family, looks.largest, looks.is_smaller) == (2, 1, 6, True)
    assert not analyses_of(first).is_smaller
    warning = "one possible association. Another one of the same answers allowed for 6"
    for name in ("results", "itemsets", "run", "compare", "printed"):
        assert warning in report_page(second, name), name
        assert warning not in report_page(first, name)
        assert "analysed 2 times, for up to 6" in report_page(first, name)
    assert ledger_record(second)["largest_family"] == 6
