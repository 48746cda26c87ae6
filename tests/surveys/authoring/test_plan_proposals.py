"""Proposals of the plan page: whose entries they belong to, and what their lines say."""

from dataclasses import replace
from typing import Any

import pytest
from django.utils import timezone

from privacy.planning.forms import FormChange
from surveys.accounts.roles import Role
from surveys.authoring.drafts import draft_create
from surveys.authoring.plan_proposals import ChangeLine, change_lines, entries_digest, proposed_for
from surveys.authoring.pressed_changes import proposal_of
from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.plan_changes import changes
from tests.fixtures.planned_drafts import DRAFTS, planned
from tests.fixtures.staff import member

AIM = Aim(people=250, wanted=("q0", "q1"), shares={"q0": 2000}, held="rotating-4-0-0")
FORMS = (FormChange(kind="leave_out", key="q7"),)


@pytest.fixture
def survey(db: None) -> Survey:
    ana = member("ana", Role.RESEARCHER)
    document = DRAFTS["eight"].document
    return draft_create(document, slug="play", source="scratch", owner=ana, by="ana", now=timezone.now())


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


def test_a_line_says_each_member_of_its_change_and_repeats_nothing() -> None:
    draft, aim = DRAFTS["eight"], Aim(people=60, wanted=("q0",))
    now = planned(draft, aim)
    found = changes(draft, aim)
    lines = [*change_lines(found, draft, aim, now)]
    assert [line.name.split(" + ")[-1] for line in lines] == ["Expect 210 answers", "Expect 100 answers"]
    # Questions are named in the order of the questionnaire.
    assert lines[1].name.startswith("Leave out “Did you ever q4?”, “Did you ever q5?”")
    for change, line in zip(found, lines, strict=True):
        steps = [f"people:{change.people}", *(f"form:{form.code}" for form in change.forms)]
        assert line.value.split(";") == steps
        assert line.gives.startswith(f"{change.people} answers:")
