"""The plan page has a sentence for every draft and entry, and each press removes what stops publishing."""

import copy
import html
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from surveys.accounts.roles import Role
from surveys.authoring.aims import aim_digest
from surveys.authoring.drafts import draft_create
from surveys.models import Survey
from surveys.questionnaire.aim import LEAST_PEOPLE
from surveys.questionnaire.definition import Definition, definition_parse
from tests.fixtures.checked_surveys import protected, unprotected, yes_no
from tests.fixtures.planned_drafts import DRAFTS, JOB, composite, drafted
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db

STAFF = "/en/staff/surveys/play"
EXTREMES: dict[str, Definition] = {
    **DRAFTS,
    "forty": drafted(protected("b", *(yes_no(f"q{number}") for number in range(40)), refusal=500)),
    "only open ones": drafted(unprotected("open", JOB)),
    "composites": drafted(protected("b", composite("k0", 2), composite("k1", 4), yes_no("q0"), refusal=500)),
}


def entries_of(people: int, guess: str, stars: int) -> dict[str, Any]:
    """Return what a researcher enters: the last answers starred, and a guess on each of them."""
    draft = definition_parse(Survey.objects.get().definition)
    items = [item for item in draft.design.items if draft.design.blocks[item.block].protected]
    last = {draft.design.questions[item.question].key: item.key for item in items}
    starred = dict([*last.items()][len(last) - min(stars, len(last)) :])
    return {
        "people": str(people),
        "strength": "medium",
        **{f"protect_{question.key}": "on" for question in draft.design.questions if question.key != "job"},
        **{f"star_{key}": item for key, item in starred.items()},
        **{f"guess_{key}": guess for key in starred if guess},
    }


def opened(client: Client, name: str) -> dict[str, Any]:
    """Save a draft, and open a browser for its owner."""
    ana = member("ana", Role.RESEARCHER)
    document = copy.deepcopy(EXTREMES[name].document)
    draft_create(document, slug="play", source="scratch", owner=ana, by="ana", now=timezone.now())
    client.force_login(ana)
    survey = Survey.objects.get()
    return {"revision": str(survey.revision), "digest": aim_digest(survey)}


def text(page: Any) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", page.content.decode()))


@pytest.mark.parametrize("name", EXTREMES)
@pytest.mark.few(
    "forty", "one question", "only open ones", why="the largest, the smallest, and one without a guess"
)
def test_no_people_and_guesses_of_0_and_100_percent_are_refused_in_a_sentence(
    client: Client, name: str
) -> None:
    form = opened(client, name)
    for people, guess, said in (
        (0, "", "0 is not enough."),
        (400, "0", "0 is not between 0.01 and 99.99."),
        (400, "100", "100 is not between 0.01 and 99.99."),
    ):
        entries = entries_of(people, guess, 2)
        page = client.post(f"{STAFF}/plan", form | entries)
        assert page.status_code == 200
        has_guess = any(
            key.startswith("guess_") and f'name="{key}"' in page.content.decode() for key in entries
        )
        if people == 0 or has_guess:
            assert said in text(page)
            assert "Correct the marked fields to see the figures here." in text(page)
            assert client.post(f"{STAFF}/plan", form | entries | {"save": ""}).status_code == 422


@pytest.mark.parametrize(("guess", "stars"), [("", 0), ("", 1), ("0.01", 2), ("99.99", 2)])
@pytest.mark.parametrize("people", [LEAST_PEOPLE, 250, 100_000])
@pytest.mark.parametrize("name", EXTREMES)
@pytest.mark.few(
    "forty-100000-99.99-2",
    "one question-10-0.01-2",
    "composites-100000-0.01-2",
    "in turn-10--1",
    why="the smallest and largest drafts, with the fewest and most people and the ends of the guesses",
)
def test_each_press_leads_to_a_plan_that_publishing_accepts(
    client: Client, name: str, people: int, guess: str, stars: int
) -> None:
    form = opened(client, name) | entries_of(people, guess, stars)
    page = client.post(f"{STAFF}/plan", form)
    assert page.status_code == 200
    assert page.context["sentences"] or "This protection leaves no room" in text(page)
    if page.context["works"] and not page.context["changes"]:
        # By these guesses, a difference of the pair is impossible with any number of people.
        assert stars == 2
    for change in page.context["changes"]:
        pressed = client.post(f"{STAFF}/plan", form | {"apply": change.value})
        assert pressed.context["gaps"] == []
        assert pressed.context["sentences"][0] in change.gives
    if not page.context["works"]:
        assert page.context["gaps"] == []
        saved = client.post(f"{STAFF}/plan", form | {"save": ""})
        assert saved.status_code == 302
        # What is published is what was shown.
        assert client.get(f"{STAFF}/plan").context["sentences"] == page.context["sentences"]
