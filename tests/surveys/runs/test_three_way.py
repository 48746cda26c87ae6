from types import SimpleNamespace
from typing import Any

import pytest

from mining.open_floor import OpenFloor
from surveys.questionnaire.definition import definition_parse
from surveys.runs import three_way
from surveys.runs.three_way import three_way_of, three_way_summary
from tests.fixtures.pages import report_page
from tests.fixtures.rotating_survey import rotating
from tests.fixtures.runs import LOOSE, definition, mined_run

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


EXCESS = SimpleNamespace(value=0.02, low=0.01, high=0.03, n=300, level=0.95)


def test_triples_are_listed_if_they_differ_significantly_and_have_enough_people(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tested = {(1, 2, 3): (EXCESS, 0.049), (1, 2, 4): (EXCESS, 0.05), (0, 2, 3): (EXCESS, 0.01)}
    tests: Any = SimpleNamespace(mean=EXCESS, p_value=0.2, tested=tested)
    monkeypatch.setattr(three_way, "three_way", lambda _cache: tests)
    rows: Any = SimpleNamespace(
        design=SimpleNamespace(rotates=True),
        count_cache=None,
        has_large_crosses=lambda items: items != (0, 2, 3),
    )
    expected = {
        "excess": 0.02, "excess_low": 0.01, "excess_high": 0.03, "n": 300, "level": 0.95, "p_value": 0.2,
        "tested": 3, "found": [[[1, 2, 3], 0.02, 0.01, 0.03]],
    }  # fmt: skip
    assert three_way_summary(rows) == expected
    tests.mean = None
    none = dict.fromkeys(("excess", "excess_low", "excess_high", "n", "level", "p_value"))
    assert three_way_summary(rows) == expected | none
    rows.design.rotates = False
    assert three_way_summary(rows) is None


@pytest.mark.parametrize("is_of_the_ledger", [True, False])
def test_triples_from_before_the_ledger_are_shown_if_they_may_be_named(
    is_of_the_ledger: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(three_way, "is_of_the_ledger", lambda _run: is_of_the_ledger)
    monkeypatch.setattr(three_way, "floor_of", lambda _run: OpenFloor(questions=frozenset()))
    monkeypatch.setattr(three_way, "three_way_p_value", lambda _record, _run: None)
    monkeypatch.setattr(three_way, "methods_in_files", lambda tests: sorted(tests))
    # Item 0 is an age, which is an open answer.
    open_triple, triple = [[0, 2, 3], 0.1, 0.0, 0.2], [[2, 3, 4], 0.1, 0.0, 0.2]
    summary = {"three_way": {"excess": 0.1, "p_value": 0.2, "tested": 2, "found": [open_triple, triple]}}
    run: Any = SimpleNamespace(summary=summary, design=definition_parse(definition()).design)
    found = three_way_of(run)
    assert found is not None
    shown = [open_triple, triple] if is_of_the_ledger else [triple]
    assert found["found"] == [tuple(each) for each in shown]
    assert (found["p_values"], found["n"]) == (["p_value"], None)
    run.summary = {}
    assert three_way_of(run) is None
