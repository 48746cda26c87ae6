"""A realistic plan says the same, to the digit, on each page and document that quotes it."""

import copy
import html
import re

import pytest
from django.test import Client
from django.utils import timezone

from surveys.accounts.roles import Role
from surveys.authoring.drafts import draft_create
from surveys.models import Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.use import check_use
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.use_words import gap_sentences, item_names, use_sentences
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.planned_drafts import EIGHT, number_part, planned
from tests.fixtures.staff import member

STAFF = "/en/staff/surveys/play"


@pytest.mark.django_db
def test_plan_builder_publishing_and_board_say_the_same(client: Client) -> None:
    """Six yes/no questions, a number, a list of five, age and department; two stars without guesses."""
    ana = member("ana", Role.RESEARCHER)
    stems = [{"key": "acts", "text": {"en": "Which of these have you done?"}}]
    acts = [yes_no(f"act{number}", stem="acts", text={"en": f"Act {number}"}) for number in range(5)]
    known = [
        {
            "key": key,
            "kind": "single",
            "text": {"en": f"Your {key}?"},
            "options": [{"key": f"o{n}", "text": {"en": f"{key} {n}"}} for n in range(4)],
        }
        for key in ("age", "department")
    ]
    blocks = [
        unprotected("open", *known),
        protected("b", *EIGHT[:6], refusal=1000),
        number_part() | {"refusal": True},
        protected("l", *acts, refusal=1000),
    ]
    document = document_of(*copy.deepcopy(blocks), stems=stems)
    draft_create(document, slug="play", source="scratch", owner=ana, by="ana", now=timezone.now())
    client.force_login(ana)
    keys = [*(f"q{number}" for number in range(6)), "hours", *(act["key"] for act in acts)]
    entries = {
        "people": "250",
        "strength": "medium",
        "star_q1": "q1",
        "star_q3": "q3",
        "revision": "1",
        **{f"protect_{key}": "on" for key in keys},
    }
    first = client.post(f"{STAFF}/plan", entries).context["changes"][0]
    pressed = client.post(f"{STAFF}/plan", entries | {"apply": first.value})
    names = ("people", "formed", "before", "held")
    entries |= {name: str(pressed.context["form"][name].value() or "") for name in names}
    entries["digest"] = pressed.context["digest"]
    assert client.post(f"{STAFF}/plan", entries | {"save": ""}).status_code == 302
    survey = Survey.objects.get()
    aim = Aim.from_json(survey.aim)
    assert aim is not None
    assert aim.shares == {}
    saved = definition_parse(survey.definition, is_worded=False)
    use = planned(saved, aim).use
    said = use_sentences(use, item_names(saved))
    assert said[-1] == (
        "This assumes that 20% of people have each of these two answers, because there are no guesses."
    )
    assert said == pressed.context["sentences"][: len(said)]
    for address in ("plan", "build/", "publish", "risk/"):
        page = html.unescape(client.get(f"{STAFF}/{address}").content.decode())
        # A page may mark a figure.
        text = " ".join(re.sub(r"<[^>]+>", "", page).split())
        for sentence in said:
            assert sentence in text, address
    warned = [finding.message for finding in check_use(saved, aim)]
    shown = [*gap_sentences(use, item_names(saved)), *gap_sentences(use, item_names(saved), refused=False)]
    assert [message.lower() for message in warned] == [sentence.rstrip(".").lower() for sentence in shown]
    assert shown
