"""Proposals of the plan page: whose entries they belong to, and what their lines say."""

from dataclasses import replace
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import given, settings

from privacy.planning.forms import FormChange
from privacy.planning.shortfalls import shortfalls
from surveys.accounts.roles import Role
from surveys.authoring.drafts import draft_create
from surveys.authoring.plan_proposals import ChangeLine, change_lines, entries_digest, proposed_for
from surveys.authoring.plan_trades import worse_keys
from surveys.authoring.pressed_changes import proposal_of
from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.draft_plan import plan
from surveys.questionnaire.plan_changes import changes
from surveys.questionnaire.use_words import item_names, widths_text
from tests.fixtures.checked_surveys import protected
from tests.fixtures.planned_drafts import (
    CHOICE,
    DRAFTS,
    EIGHT,
    drafted,
    guessed_drafts,
    options,
    planned,
    union,
    with_lists,
)
from tests.fixtures.staff import member

AIM = Aim(people=250, wanted=("q0", "q1"), shares={"q0": 2000}, held="rotating-4-0-0")
FORMS = (FormChange(kind="leave_out", key="q7"),)


@pytest.fixture
def survey(db: None) -> Survey:
    ana = member("ana", Role.RESEARCHER)
    document = DRAFTS["eight"].document
    return draft_create(document, slug="play", source="scratch", owner=ana, by="ana", now=timezone.now())


@pytest.mark.soak
@pytest.mark.parametrize(
    "changed",
    [
        {"aim": replace(AIM, people=251)},
        {"aim": replace(AIM, strength="strong")},
        {"aim": replace(AIM, wanted=("q1", "q0"))},
        {"aim": replace(AIM, shares={"q0": 2001})},
        {"aim": replace(AIM, held="")},
        {"protected": ["q0"]},
        {"forms": ()},
        {"forms": (*FORMS, *FORMS)},
    ],
    ids=str,
)
def test_each_entry_that_decides_a_figure_counts(survey: Survey, changed: dict[str, Any]) -> None:
    stated: dict[str, Any] = {"aim": AIM, "protected": ["q0", "q1"], "forms": FORMS}
    assert entries_digest(survey, **stated) != entries_digest(survey, **stated | changed)


def test_names_and_expectations_do_not_count_and_the_draft_does(survey: Survey) -> None:
    now = entries_digest(survey, AIM, ["q0"], FORMS)
    named = replace(AIM, names={"q0": {"en": "first"}}, expected={"q0": "more"})
    assert entries_digest(survey, named, ["q0"], FORMS) == now
    survey.revision += 1
    assert entries_digest(survey, AIM, ["q0"], FORMS) != now


def test_a_button_names_the_change_and_the_entries() -> None:
    (line,) = proposed_for("0af3", [ChangeLine(name="n", gives="g", value="people:300")])
    assert (line.name, line.gives) == ("n", "g")
    assert proposal_of(line.value) == ("people:300", "0af3")
    assert proposal_of("people:300") == ("people:300", "")


@pytest.mark.soak
def test_a_line_says_each_member_of_its_change_and_repeats_nothing() -> None:
    draft, aim = DRAFTS["eight"], Aim(people=60, wanted=("q0",))
    now = planned(draft, aim)
    found = changes(draft, aim)
    lines = [*change_lines(found, draft, aim, now)]
    assert [line.name.split(" + ")[-1] for line in lines] == ["Expect 210 answers", "Expect 100 answers"]
    assert lines[1].name.startswith("Leave out 4 questions + ")
    # Questions are named in the order of the questionnaire.
    named = ", ".join(f"“Did you ever q{number}?”" for number in range(4, 8))
    assert f"4 are no longer asked. Left out: {named}." in lines[1].gives
    for change, line in zip(found, lines, strict=True):
        steps = [f"people:{change.people}", *(f"form:{form.code}" for form in change.forms)]
        assert line.value.split(";") == steps
        assert line.gives.startswith(f"{change.people} answers:")


def test_a_proposal_says_what_it_leaves_out_and_how_likely_a_question_shows_nothing() -> None:
    """One dropped the questions of a study; after another, each was 48% likely to show nothing."""
    draft, aim = DRAFTS["eight"], Aim(people=150)
    found = changes(draft, aim)
    lines = [*change_lines(found, draft, aim, planned(draft, aim))]
    assert any(form.kind == "leave_out" for change in found for form in change.forms)
    for change, line in zip(found, lines, strict=True):
        left = sum(form.kind == "leave_out" for form in change.forms)
        names = item_names(draft, {})
        for form in change.forms:
            assert form.kind != "leave_out" or f"“{names[form.key]}”" in line.name + line.gives
        assert (f"Of your 8 protected questions, {left} " in line.gives) == (left > 0)
        assert ("Star what your study is about" in line.gives) == (left > 0)
        risks = [short for short in shortfalls(change.plan.use) if short.figure == "chance"]
        assert ("then nothing can be shown about it" in line.gives) == bool(risks)


def test_a_proposal_says_if_everything_sent_reveals_more() -> None:
    """Three answers and a skip instead of one. Someone could be 90% sure of the skip before."""
    asked, kept = union("any", 4, 3, 3)
    draft, aim = drafted(protected("b", asked, refusal=1000), set_aside=[kept]), Aim(people=300)
    each, lighter, more = change_lines(changes(draft, aim), draft, aim, planned(draft, aim))
    assert "at most 93% sure from everything that the device sends (now at most 90%)." in each.gives
    assert "at most 90% sure from one answer (now at most 80%)." in lighter.gives
    assert "suspects" not in more.gives


def widened_and_said(draft: Definition, aim: Aim) -> tuple[int, list[str]]:
    """Return how many starred figures proposals make less exact; assert that each says so, and no other."""
    now, found = plan(draft, aim), changes(draft, aim)
    if now is None:
        return 0, []
    wider, said = 0, []
    for change, line in zip(found, change_lines(found, draft, aim, now), strict=True):
        names = item_names(change.plan.definition, aim.labels)
        _before, _is_said, stated = line.gives.partition("In return, other figures are less exact: ")
        worse = [
            f"“{names[key]}” {widths_text(change.plan.use, [key], names)} instead of "
            f"{widths_text(now.use, [key], names)}"
            for key in worse_keys(now.use, change.plan.use)
        ]
        assert bool(stated) == bool(worse)
        assert all(each in stated for each in worse), (line.gives, worse)
        # Names can be equal; each figure is stated once.
        assert stated.count(" instead of ") == len(worse)
        wider += len(worse)
        said.append(line.gives)
    return wider, said


def test_a_proposal_says_which_starred_figure_becomes_less_exact() -> None:
    """*Star only* one answer widened the other one, which was then one of "the other shares"."""
    draft = drafted(protected("b", EIGHT[0], options({**CHOICE, "key": "k1"}, 6), *EIGHT[1:5], refusal=100))
    wider, said = widened_and_said(draft, Aim(people=260, wanted=("k1=o3", "q0")))
    assert wider
    assert any("In return, other figures are less exact: “How often? – Number 3” ±" in line for line in said)


@settings(max_examples=40, deadline=None)
@given(guessed_drafts())
@pytest.mark.soak
def test_no_proposal_makes_a_starred_figure_less_exact_without_saying_so(
    drafted_aim: tuple[Definition, Aim],
) -> None:
    widened_and_said(*with_lists(*drafted_aim))
