"""Reports on rotating questions say how many people were asked each question, and which rows count."""

import csv
import io
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import scipy
from django.test import Client

from mining.open_floor import OpenFloor
from mining.thresholds import Sides, Thresholds
from privacy.policy import DRAW_TEST_SIZE
from surveys.models import ItemsetRow, Job, RuleRow, Run, Version
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import definition_parse
from surveys.runs import run_summary
from surveys.runs.draw_facts import DrawFacts, counts_all_rows, draw_facts
from surveys.runs.run_summary import (
    direct_share,
    duration_text,
    has_results,
    is_disguised_here,
    is_outdated,
    planned_pair,
    requester,
    shown_itemsets,
    shown_of,
    shown_rules,
    sides_text,
)
from tests.fixtures.exports import script, unpacked
from tests.fixtures.rotating_survey import SHARES, rotating
from tests.fixtures.runs import alice, answered_version, definition, mined_run, requested_run, rule_row

pytestmark = pytest.mark.django_db
PAIRS = Thresholds(support=0.05, max_size=2, confidence=0.1)
DESIGN = definition_parse(definition()).design
WARNED = "The questions that people were asked may not be random"


@pytest.mark.soak
def test_partly_asked_respondents_count_if_draws_look_random(reader: Client, tmp_path: Path) -> None:
    run = mined_run(rotating(), PAIRS)
    (draw, skip) = run.summary["draws"]
    assert (draw["about"], skip["about"], draw["key"], draw["n"]) == ("draw", "skip", "habits", 3_000)
    assert min(draw["p_value"], skip["p_value"]) > DRAW_TEST_SIZE
    about = reader.get(f"/en/staff/runs/{run.pk}/about/").content.decode()
    assert "Respondents who were asked only part of an itemset also count for it." in about
    assert "Each question was asked about as often as expected." in about
    assert (
        "With more than six parts that are drawn separately, only people who were asked every question count"
        in about
    )
    assert "Too many different answers lead there." not in about
    results = reader.get(f"/en/staff/runs/{run.pk}/results/").content.decode()
    assert WARNED not in results
    # Each question shows how many people were asked it, each rule how many were asked all of it.
    for row in ItemsetRow.objects.filter(run=run, size=1):
        assert f"{row.n:,} people were asked." in results
    tests = reader.get(f"/en/staff/runs/{run.pk}/tests/").content.decode()
    numbers = dict(RuleRow.objects.filter(run=run).values_list("pk", "n"))
    shown = dict(re.findall(r'/rules/(\d+)/.*?<td class="num">([\d,]+)</td>', tests, re.S))
    assert {int(rule): int(n.replace(",", "")) for rule, n in shown.items()} == numbers
    beside = re.findall(r'([\d,]+) people were asked.</span>\s*<a href="[^"]*/rules/(\d+)/', results)
    assert beside
    assert all(numbers[int(rule)] == int(n.replace(",", "")) for n, rule in beside)
    with_tests = reader.get(f"/en/staff/runs/{run.pk}/rules.csv").getvalue().decode()
    listed = [int(row["n"]) for row in csv.DictReader(io.StringIO(with_tests))]
    assert sorted(listed) == sorted(numbers.values())
    # n is the number of people who were asked all of it: three of five questions, three of ten pairs.
    for row in ItemsetRow.objects.filter(run=run):
        assert abs(row.n - 3_000 * (0.6 if row.size == 1 else 0.3)) < 6 * (3_000 * 0.25) ** 0.5
    # Estimates are within five standard errors of the truth.
    singles = {row.items: row for row in ItemsetRow.objects.filter(run=run, size=1)}
    assert len(singles) == len(SHARES)
    for number, share in enumerate(SHARES):
        row = singles[f",{number},"]
        assert abs(row.support - share) < 5 * row.support_se
    where = unpacked(run, tmp_path)
    with (where / "rows.csv").open(encoding="utf-8") as file:
        asked = [row["habits.asked"].split() for row in csv.DictReader(file)]
    assert {len(questions) for questions in asked} == {3}
    done = script(where)
    assert "15 itemsets" in done.stdout
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.soak
def test_the_page_warns_about_avoided_questions_and_counts_complete_rows(
    reader: Client, tmp_path: Path
) -> None:
    run = mined_run(rotating(6_000, slug="avoided", avoided=0.4), PAIRS)
    assert run.summary["draws"][0]["rejects"]
    about = reader.get(f"/en/staff/runs/{run.pk}/about/").content.decode()
    assert "Only respondents who were asked the whole itemset count for it." in about
    assert WARNED in reader.get(f"/en/staff/runs/{run.pk}/results/").content.decode()
    # The script uses complete rows and gets the same estimates.
    done = script(unpacked(run, tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Every figure is the same." in done.stdout


def test_surveys_without_rotation_omit_the_draws(reader: Client) -> None:
    run = mined_run(answered_version(), Thresholds(support=0.2))
    assert run.summary["draws"] is None
    assert "Who was asked what" not in reader.get(f"/en/staff/runs/{run.pk}/about/").content.decode()


def test_the_survey_page_says_how_many_people_every_rotating_question_needs(reader: Client) -> None:
    """With 190 people and three of five questions each, fewer than 100 are asked one in 2% of surveys."""
    assert scipy.stats.binom.cdf(99, [180, 190], 0.6) == pytest.approx([0.098, 0.0165], abs=5e-4)
    version = rotating(120, slug="few")
    assert (version.people_needed, answered_version().people_needed) == (190, 100)
    sentence = "After about 190 people, every question has the 100 answers that a result needs."
    assert sentence in reader.get("/en/staff/surveys/few/").content.decode()
    rotating(200, slug="many")
    assert sentence not in reader.get("/en/staff/surveys/many/").content.decode()


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(None, ""), (0.25, "250 ms"), (0.9994, "999 ms"), (1, "1.0 s"), (99.94, "99.9 s"), (100, "100 s")],
)
def test_durations_have_the_digits_that_matter(seconds: float | None, said: str) -> None:
    assert duration_text(seconds) == said


def test_the_share_of_direct_rows_is_empty_without_rows() -> None:
    rows = {"n": 800, "n_direct": 100}
    assert direct_share(Run(**rows)) == ".125"
    assert [direct_share(Run(**(rows | changes))) for changes in ({"n": 0}, {"n_direct": None})] == ["", ""]
    assert direct_share(Run(**(rows | {"n_direct": 0}))) == ".000"


def test_all_rows_count_if_draws_were_tested_and_none_was_rejected() -> None:
    assert DrawFacts(lines=({"rejects": False}, {"rejects": False})).all_rows
    assert not DrawFacts(lines=({"rejects": False}, {"rejects": True})).all_rows
    assert not counts_all_rows(Run(summary={}))
    assert draw_facts(Run(summary={"draws": None})) is None


@pytest.mark.parametrize(
    ("sides", "said"),
    [
        (Sides(), "all items on both sides"),
        (Sides(antecedent=(0, 1, 2)), "before: age, late"),
        (Sides(consequent=(4,), longest_consequent=1), "after: drink; at most 1 after the arrow"),
        (Sides(antecedent=(2,), consequent=(3, 4)), "before: late; after: cheat, drink"),
    ],
)
def test_the_allowed_sides_are_named_by_their_questions(sides: Sides, said: str) -> None:
    # Items: age=young, age=old, late, cheat, drink.
    run: Any = SimpleNamespace(thresholds=Thresholds(support=0.1, sides=sides), design=DESIGN)
    assert sides_text(run) == said


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
    monkeypatch.setattr(run_summary, "drawing_of", lambda version: "now" if version.holds_undisguised else "")
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
    monkeypatch.setattr(run_summary, "drawing_of", lambda _version: "")
    run = undisguised_run()
    for n, shown in ((100, True), (99, False), (None, False)):
        run.n = n
        assert shown_of(run).results is shown, n
    misfit = undisguised_run(misfit={"case": "misfit.share"})
    assert (shown_of(misfit).results, shown_of(misfit).least_protected) == (False, 100)
    misfit.summary = {}
    assert shown_of(misfit).results


def test_a_job_without_an_account_came_from_the_command_line() -> None:
    assert requester(Job()) == "command line"
    assert requester(Job(requested_by=alice())) == "alice"


@pytest.mark.parametrize(
    ("wanted", "pair"), [(("late", "drink"), ("late", "drink")), (("late",), ()), (("late", "gone"), ())]
)
def test_a_plan_for_two_items_of_the_design_has_a_pair(wanted: tuple[str, ...], pair: object) -> None:
    run: Any = SimpleNamespace(version=Version(aim=Aim(people=400, wanted=wanted).to_json()), design=DESIGN)
    assert planned_pair(run) == pair
    run.version.aim = None
    assert planned_pair(run) == ()


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

    monkeypatch.setattr(run_summary, "is_of_the_ledger", lambda _run: False)
    # Items 0 and 1 are the ages, which are open answers.
    monkeypatch.setattr(run_summary, "floor_of", lambda _run: OpenFloor(questions=frozenset()))
    kept: dict[Any, Any] = {}
    monkeypatch.setattr(run_summary, "_WITHHELD", kept)
    for most in (1, 2):
        monkeypatch.setattr(run_summary, "_MOST_WITHHELD", most)
        kept.clear()
        assert shown() == ([",2,", ",2,3,"], [",2, -> ,3,", ",3, -> ,2,4,"])
        assert shown() == ([",2,", ",2,3,"], [",2, -> ,3,", ",3, -> ,2,4,"])
        assert len(kept) == most
    monkeypatch.setattr(run_summary, "floor_of", lambda _run: OpenFloor(withheld=frozenset({3})))
    assert shown() == ([",0,", ",2,"], [])
    monkeypatch.setattr(run_summary, "is_of_the_ledger", lambda _run: True)
    assert [len(rows) for rows in shown()] == [4, 3]
