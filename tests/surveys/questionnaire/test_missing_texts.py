"""Texts that a draft misses are filled in, and nothing else is changed."""

from __future__ import annotations

from surveys.questionnaire.definition import ABOUT, definition_read
from surveys.questionnaire.missing_texts import filled_text, with_texts
from tests.fixtures.everyday import everyday_definition


def test_a_whole_definition_stays_as_it_is() -> None:
    document = everyday_definition()
    assert with_texts(document) == document


def test_a_text_is_shown_in_another_language_or_as_an_ellipsis() -> None:
    assert filled_text({"en": "Work", "zh-hans": ""}, ["zh-hans", "en"]) == {"zh-hans": "Work", "en": "Work"}
    assert filled_text(None, ["en"]) == filled_text("text", ["en"]) == {"en": "…"}


def test_a_draft_without_any_text_can_be_read_for_practice() -> None:
    document = everyday_definition(practice=True)
    document["about"] = {}
    for block in document["blocks"]:
        del block["title"]
        for question in block["questions"]:
            question["text"] = {}
            for option in question.get("options", ()):
                option["text"] = {}
    assert definition_read(document).definition is None
    filled = with_texts(document)
    assert set(filled["about"]) == set(ABOUT)
    assert definition_read(filled).problems == ()
