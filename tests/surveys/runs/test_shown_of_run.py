"""Reports on rotating questions say how many people were asked each question, and which rows count."""

from types import SimpleNamespace
from typing import Any

import pytest

from mining.open_floor import OpenFloor
from surveys.models import ItemsetRow, Job
from surveys.runs import shown_of_run
from surveys.runs.shown_of_run import (
    has_results,
    is_disguised_here,
    is_outdated,
    shown_itemsets,
    shown_of,
    shown_rules,
)
from tests.fixtures.runs import answered_version, requested_run, rule_row

pytestmark = pytest.mark.django_db


def undisguised_run(**summary: object) -> Any:
    """Return a finished run on answers that were sent undisguised, with these members of its summary."""
    return SimpleNamespace(
        n=100,
        summary=summary,
        version=SimpleNamespace(holds_undisguised=True),
        survey=SimpleNamespace(practice=False),
        job=SimpleNamespace(state=Job.State.FINISHED),
    )


def test_a_result_of_another_disguise_is_outdated_and_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        shown_of_run, "drawing_of", lambda version: "now" if version.holds_undisguised else ""
    )
    own, earlier, before = undisguised_run(drawing="now"), undisguised_run(drawing="then"), undisguised_run()
    assert [is_outdated(run) for run in (own, earlier, before)] == [False, True, True]
    assert [is_disguised_here(run) for run in (own, earlier, before)] == [True, False, False]
    assert [has_results(run) for run in (own, earlier, before)] == [True, False, False]
    unfinished = undisguised_run()
    unfinished.job.state = Job.State.RUNNING
    assert (is_outdated(unfinished), has_results(unfinished)) == (False, False)
    own.version.holds_undisguised = False
    assert (is_outdated(own), is_disguised_here(own)) == (False, False)


def test_results_need_rows_and_a_check_that_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown_of_run, "drawing_of", lambda _version: "")
    run = undisguised_run()
    for n, shown in ((100, True), (99, False), (None, False)):
        run.n = n
        assert shown_of(run).results is shown, n
    misfit = undisguised_run(misfit={"case": "misfit.share"})
    assert (shown_of(misfit).results, shown_of(misfit).least_protected) == (False, 100)
    misfit.summary = {}
    assert shown_of(misfit).results


def test_lists_from_before_the_ledger_leave_out_what_may_not_be_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = requested_run(answered_version())
    rule_row(run, ",2,", ",3,")
    rule_row(run, ",0,", ",3,")
    rule_row(run, ",3,", ",2,4,")
    for items in (",0,", ",2,", ",1,3,", ",2,3,"):
        ItemsetRow.objects.create(run=run, items=items, size=1, n=800, support=0.1, support_se=0.1, error=0.1)

    def shown() -> tuple[list[str], list[str]]:
        itemsets, rules = shown_itemsets(run), shown_rules(run)
        return [row.items for row in itemsets.order_by("pk")], [str(row) for row in rules.order_by("pk")]

    monkeypatch.setattr(shown_of_run, "is_of_the_ledger", lambda _run: False)
    # Items 0 and 1 are the ages, which are open answers.
    monkeypatch.setattr(shown_of_run, "floor_of", lambda _run: OpenFloor(questions=frozenset()))
    kept: dict[Any, Any] = {}
    monkeypatch.setattr(shown_of_run, "_WITHHELD", kept)
    for most in (1, 2):
        monkeypatch.setattr(shown_of_run, "_MOST_WITHHELD", most)
        kept.clear()
        assert shown() == ([",2,", ",2,3,"], [",2, -> ,3,", ",3, -> ,2,4,"])
        assert shown() == ([",2,", ",2,3,"], [",2, -> ,3,", ",3, -> ,2,4,"])
        assert len(kept) == most
    monkeypatch.setattr(shown_of_run, "floor_of", lambda _run: OpenFloor(withheld=frozenset({3})))
    assert shown() == ([",0,", ",2,"], [])
    monkeypatch.setattr(shown_of_run, "is_of_the_ledger", lambda _run: True)
    assert [len(rows) for rows in shown()] == [4, 3]
