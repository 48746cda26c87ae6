"""The plan page proposes what `Survey.plan` of the library proposes, and each press shows its figures."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, given, settings

from privacy.survey.design import Design
from surveys.accounts.roles import Role
from surveys.authoring.drafts import draft_create
from surveys.authoring.pressed_changes import formed, proposal_of, stated_forms
from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition, definition_without_texts
from surveys.questionnaire.draft_plan import plan
from surveys.questionnaire.use_words import item_names, use_sentences
from tests.fixtures.planned_drafts import guessed_drafts, library_plan, realistic, with_lists
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db

_NUMBERS = itertools.count()


def _keys(design: Design) -> list[str]:
    """Return the keys of a design in its order: a list sent as one answer has another key in the library."""
    return [*(question.key for question in design.questions), *(item.key for item in design.items)]


def _said_after_presses(client: Client, draft: Definition, aim: Aim) -> Iterator[tuple[str, list[str], Any]]:
    """Yield each change that the page proposes, and its sentences and draft after it was pressed."""
    slug = f"play{next(_NUMBERS)}"
    owner = User.objects.get(username="ana")
    draft_create(draft.document, slug=slug, source="scratch", owner=owner, by="ana", now=timezone.now())
    Survey.objects.filter(slug=slug).update(aim=aim.to_json())
    address = f"/en/staff/surveys/{slug}/plan"
    opened = client.get(address)
    form = opened.context["form"]
    entries = {name: form[name].value() or "" for name in form.fields}
    saved = definition_without_texts(Survey.objects.get(slug=slug).definition)
    for line in opened.context["changes"]:
        pressed = client.post(address, entries | {"apply": line.value})
        assert pressed.status_code == 200
        changed = formed(saved, stated_forms(pressed.context["form"].data))
        yield proposal_of(line.value)[0], pressed.context["sentences"], changed


def _compare(client: Client, draft: Definition, aim: Aim) -> int:
    """Assert that the page proposes what the library does, with its figures; return how many changes."""
    found = library_plan(draft, aim).changes
    shown = [*_said_after_presses(client, draft, aim)]
    assert len(shown) == len(found)
    for (pressed, sentences, changed), proposed in zip(shown, found, strict=True):
        own, change = item_names(changed), proposed.change
        theirs = _keys(proposed.plan.survey.design)
        assert len(theirs) == len(_keys(changed.design))
        names = {
            key: own[same] for key, same in zip(theirs, _keys(changed.design), strict=True) if same in own
        }
        expected = use_sentences(proposed.plan.use, names)
        assert sentences[: len(expected)] == expected
        # The kinds of change are the same, too.
        kinds = [step.partition(":") for step in pressed.split(";")]
        assert [value.partition(",")[0] for name, _colon, value in kinds if name == "form"] == [
            form.kind for form in change.forms
        ]
        stated = {name: value for name, _colon, value in kinds if name in ("people", "strength")}
        assert stated.get("people") == (str(change.people) if change.people else None)
        assert stated.get("strength") == change.strength
    return len(found)


@pytest.fixture
def page(client: Client) -> Client:
    client.force_login(member("ana", Role.RESEARCHER))
    return client


@pytest.mark.soak
@pytest.mark.parametrize("wanted", [(), ("q0",), ("q0", "q1")])
@pytest.mark.parametrize("people", [60, 250, 5_000])
@pytest.mark.few("60-wanted2", "5000-wanted1", why="proposals to publish, and to improve a plan")
def test_each_press_on_the_page_shows_the_figures_of_the_library(
    page: Client, people: int, wanted: tuple[str, ...]
) -> None:
    assert _compare(page, realistic(), Aim(people=people, wanted=wanted))


@pytest.mark.soak
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(guessed_drafts(least_guess=1, most_guess=9999))
def test_each_press_on_a_page_of_any_draft_shows_the_figures_of_the_library(
    page: Client, drafted_aim: tuple[Definition, Aim]
) -> None:
    """Places are an exception: the page first limits their odds, and the library plans around them."""
    draft, aim = with_lists(*drafted_aim)
    if any(question.is_map for question in draft.design.questions) or plan(draft, aim) is None:
        return
    _compare(page, draft, aim)
