"""The builder's press that sends a part as one answer, and what its page shows of a rule."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from surveys.accounts.roles import Role
from surveys.authoring.one_answer_texts import ONE_ANSWER_TEXTS
from surveys.models import Survey
from surveys.questionnaire.definition import definition_read
from tests.fixtures.composite_drafts import composite_document, text
from tests.fixtures.drafts import new_draft
from tests.fixtures.staff import browser_of

pytestmark = pytest.mark.django_db


def acts(count: int) -> dict[str, Any]:
    questions = [
        {
            "key": f"act{number}",
            "kind": "yes_no",
            "text": text(f"Act {number}"),
            "unrelated": [5000],
            "prevalence": [2000],
        }
        for number in range(count)
    ]
    return {
        "key": "acts",
        "title": text("Acts"),
        "protected": True,
        "truth_probability": 4000,
        "refusal": 1000,
        "questions": questions,
    }


def press(survey: Survey, change: dict[str, Any], document: Any = None, status: int = 200) -> Any:
    client: Client = browser_of("ana", Role.ADMINISTRATOR)
    answer = client.post(
        reverse("authoring:one_answer", args=[survey.slug]),
        json.dumps({"document": document or survey.definition, "change": change}),
        content_type="application/json",
    )
    assert answer.status_code == status, answer.content
    return answer.json()


def test_a_press_changes_the_document_that_the_page_sends_and_saves_nothing() -> None:
    survey = new_draft(blocks=[acts(10)], group={"policy": "protected"})
    before = survey.definition
    made = press(survey, {"part": "acts", "way": "at_least", "least": 2})
    assert made["select"] == "blocks[0].questions[0]"
    assert definition_read(made["document"]).problems == ()
    survey.refresh_from_db()
    assert survey.definition == before
    back = press(survey, {"each": made["document"]["blocks"][0]["questions"][0]["key"]}, made["document"])
    assert back["document"]["blocks"] == before["blocks"]


@pytest.mark.parametrize(
    "change",
    [{}, {"part": 7}, {"part": "acts", "keys": "act1"}, {"part": "acts", "least": "2"}, {"each": "nothing"}],
)
def test_a_wrong_press_is_refused_with_a_remedy(change: dict[str, Any]) -> None:
    survey = new_draft(blocks=[acts(2)], group={"policy": "protected"})
    answer = press(survey, change, status=409)
    assert answer["error"] == "one_answer"
    assert answer["remedy"]


def test_the_page_learns_the_reachable_sums_even_if_a_level_is_wrong() -> None:
    document = composite_document("AUDIT")
    rule = document["blocks"][0]["questions"][0]["computed"]
    rule["levels"][-1]["from"] = 99
    survey = new_draft(blocks=document["blocks"], group={"policy": "protected"})
    state = browser_of("ana", Role.ADMINISTRATOR).get(reverse("authoring:draft", args=[survey.slug])).json()
    assert state["problems"]
    assert state["composites"] == {
        "blocks[0].questions[0]": {"low": 0, "high": 40, "slips": None, "harm": ""}
    }
    listed = composite_document("at least one of ten")
    listed["blocks"][0]["questions"][0]["computed"]["components"][0]["text"]["en"] = "Has anyone hit you?"
    survey = new_draft("acts", blocks=listed["blocks"], group={"policy": "protected"})
    state = browser_of("ana", Role.ADMINISTRATOR).get(reverse("authoring:draft", args=["acts"])).json()
    (own,) = state["composites"].values()
    assert own == {"low": 0, "high": 10, "slips": 9.6, "harm": "hit you"}


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_sentences_with_a_field_have_one_place_for_it(language: str) -> None:
    sentences = ("at_least_sentence", "cut_sentence", "gaps_sentence")
    with override(language):
        assert [str(ONE_ANSWER_TEXTS[name]).count("{number}") for name in sentences] == [1, 1, 1]
