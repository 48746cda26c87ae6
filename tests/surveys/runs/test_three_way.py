import pytest

from surveys.runs.three_way import three_way_of
from tests.fixtures.pages import report_page
from tests.fixtures.rotating_survey import rotating
from tests.fixtures.runs import LOOSE, mined_run

pytestmark = pytest.mark.django_db


def test_a_run_tests_the_assumption_behind_three_way_predictions() -> None:
    run = mined_run(rotating(), LOOSE)
    tests = run.summary["three_way"]
    assert tests["tested"] > 0
    assert 0 <= tests["p_value"] <= 1
    assert len(tests["found"]) <= tests["tested"]
    assert tests["excess_low"] < tests["excess"] < tests["excess_high"]
    assert "points (" in report_page(run, query="?predicted=yes")
    # Earlier versions stored the excess alone.
    items = run.summary["predicted"][0]["items"]
    run.summary["three_way"] = {"excess": 0.01, "p_value": 0.04, "tested": 1, "found": [[items, 0.03]]}
    run.save()
    found = three_way_of(run)
    assert found is not None
    assert (found["excess_low"], found["found"]) == (None, [(items, 0.03, None, None)])
    page = report_page(run, query="?predicted=yes")
    assert "without an interval: analyse again" in page
    assert "differs from its prediction by" not in page
