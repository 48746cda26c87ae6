"""The page of a survey with an experiment: all texts for everybody, and the odds in each of them."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client

from surveys.questionnaire.ready_parts import ready_parts
from tests.cast.checked_surveys import document_of, protected, unprotected, yes_no
from tests.cast.devices import published, shipped_definition
from tests.surveys.respondent.test_views import page_of

pytestmark = pytest.mark.django_db


def experiment() -> dict[str, object]:
    """A survey of which half of the people read another explanation, and another wording."""
    arm = {
        "key": "told",
        "kind": "arm",
        "options": [{"key": key, "share": 5000} for key in ("short", "long")],
    }
    words = {"question": "told", "texts": {"short": {"en": "Copied?"}, "long": {"en": "Did you copy?"}}}
    texts = {"short": {"en": "A coin. {odds}"}, "long": {"en": "At length. {odds}"}}
    return document_of(
        unprotected("told", arm),
        protected("b", yes_no("copied", wordings=words), p=6000),
        slug="experiment",
        explanations={"question": "told", "texts": texts},
    )


def test_the_texts_of_all_arms_load_for_everybody_with_the_same_odds_and_nobody_is_asked_the_arm(
    client: Client,
) -> None:
    published(experiment())
    html = page_of(client, "experiment")
    data = json.loads(re.search(r'id="page-data"[^>]*>(.*?)</script>', html, re.DOTALL)[1])  # type: ignore[index]
    told = [data["texts"][f"explained_{arm}"] for arm in (0, 1)]
    assert data["explained"] == 0
    assert [text.split(". ")[0] for text in told] == ["A coin", "At length"]
    odds = {text.split(". ", 1)[1] for text in told}
    assert len(odds) == 1
    assert odds.pop().endswith("at most 80\xa0%.")
    assert data["wording"][1]["questions"][0]["wordings"] == {"arm": 0, "texts": ["Copied?", "Did you copy?"]}
    assert "One question, about 2 minutes." in " ".join(html.split())
    assert "This device draws which of several texts you read, and sends which ones." in html
    # What its person draws is no answer of theirs.
    assert "Your real answer is stored." not in html
    assert "arms.js" in html


def test_a_survey_without_an_experiment_says_and_loads_nothing_of_one(client: Client) -> None:
    published(shipped_definition(slug="workplace"))
    html = page_of(client)
    assert "arms.js" not in html
    assert "data-explanation" not in html
    assert "which of several texts" not in html


def test_a_question_with_a_right_answer_brings_the_short_explanation(client: Client) -> None:
    document = shipped_definition(slug="workplace")
    document["blocks"] = [*ready_parts()["before"], *document["blocks"]]
    published(document)
    html = page_of(client)
    data = json.loads(re.search(r'id="page-data"[^>]*>(.*?)</script>', html, re.DOTALL)[1])  # type: ignore[index]
    assert data["wording"][0]["questions"][0]["right"] == 1
    first, odds = data["texts"]["again"].split("\n")
    assert first.endswith("proves nothing about you.")
    assert odds.startswith("Somebody who already knows")
