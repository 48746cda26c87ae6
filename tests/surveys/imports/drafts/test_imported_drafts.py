"""Words above the items of a scale are shown to the people who are asked these items."""

from __future__ import annotations

from typing import Any

import pytest

from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.drafts.questionnaire import Questionnaire
from surveys.imports.pasted_text import read_paste
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.question_tables import tables_of
from surveys.respondent.block_words import blocks_in
from tests.fixtures.workbooks import form, form_with_skips

STEM = "Over the last month, how often has this happened to you at home?"
INSTRUCTION = "Please rate how often this has happened to you at home."
ITEMS = ("Crying alone", "Hitting a wall", "Waking up too early")
LABELS = ("Never", "Sometimes", "Often")
CODES = "0 = Never, 1 = Sometimes, 2 = Often"
NUMBERED = "\n".join(f"{place}. {item}" for place, item in enumerate(ITEMS, start=1))
SCORED = "Scoring: add up all items. 0-2 low, 3-6 high."
OTHER = "4. Have you ever talked to a doctor about this? yes / no"
TABLE = "\n".join(f"{place}. {item}   o   o   o" for place, item in enumerate(ITEMS, start=1))
TEXTS = {
    "legend": f"Mood at home\n\n{STEM}\n\n{CODES}\n\n{NUMBERED}\n\n{SCORED}\n\n{OTHER}",
    "instruction": f"Mood at home\n\n{INSTRUCTION}\n\n{CODES}\n\n{NUMBERED}\n\n{SCORED}\n\n{OTHER}",
    "table": f"Mood at home\n\n{STEM}\n\n{CODES}\n\n      0   1   2\n{TABLE}\n\n{SCORED}\n\n{OTHER}",
}


def shown(survey: Questionnaire) -> dict[str, str]:
    """Return what people read at each question or component, by its text."""
    definition = definition_parse(draft_of(survey), is_worded=False)
    found: dict[str, str] = {}

    def add(asked: dict[str, Any]) -> None:
        for each in asked.get("components") or [asked]:
            found[each["text"]] = each["help"]

    for block in blocks_in(definition.wording, "en", definition.design):
        for question in block["questions"]:
            add(question)
    return found


@pytest.mark.parametrize("is_used", [False, True], ids=["each answer", "one answer"])
@pytest.mark.parametrize("name", TEXTS)
def test_words_above_a_scale_are_shown_with_each_of_its_items(name: str, is_used: bool) -> None:
    survey = read_paste(TEXTS[name])
    (score,) = survey.scores
    score.is_used = is_used
    (part,) = [part for part in survey.parts if len(part.questions) > 1]
    stem = part.texts.get("en") or part.help["en"]
    helps = shown(survey)
    assert {item: helps[item] for item in ITEMS} == dict.fromkeys(ITEMS, stem)
    assert not any(stem in text for item, text in helps.items() if item not in ITEMS)


def test_a_name_above_questions_is_not_their_beginning() -> None:
    survey = read_paste("Survey\n\nA. Work\n1. Do you lie at work? yes / no\n2. Do you steal? yes / no")
    assert any(part.texts for part in survey.parts)
    assert {*shown(survey).values()} == {""}


def test_the_label_of_a_group_that_begins_its_questions_is_shown_with_each() -> None:
    lines = [
        ["type", "name", "label::English (en)"],
        ["select_one yes_no", "lie", "Do you lie at home?"],
        ["begin_group", "mood", "In the last month, how long were you:"],
        ["select_one length", "sad", "sad"],
        ["select_multiple place", "where", "alone, and where"],
        ["end_group"],
    ]
    choices = [
        ["list_name", "name", "label::English (en)"],
        ["yes_no", "yes", "Yes"],
        ["yes_no", "no", "No"],
        ["length", "short", "A day"],
        ["length", "long", "Longer"],
        ["place", "office", "In the office"],
        ["place", "home", "At home"],
    ]
    survey = form_with_skips(form(survey=lines, choices=choices))
    document = draft_of(survey)
    assert shown(survey) == {
        "Do you lie at home?": "",
        "sad": "In the last month, how long were you:",
        "In the office": "",
        "At home": "",
    }
    assert [stem["help"] for stem in document["stems"]] == [{"en": "In the last month, how long were you:"}]


@pytest.mark.parametrize(
    "second", ["2. Who knows?  ( ) No one  ( ) All  ( ) Some", "2. How old are you? ( ) 18-30 ( ) 31-60"]
)
def test_a_row_without_a_like_neighbour_is_no_table(second: str) -> None:
    """The plan used to refuse the draft: “it cannot be a table”."""
    text = f"Poll\n\n1. Do you lie?  ( ) Yes  ( ) No\n{second}\n3. Do you steal?  ( ) Yes  ( ) No\n"
    definition = definition_parse(draft_of(read_paste(text)), is_worded=False)
    assert all({*tables_of(block["questions"])} == {None} for block in definition.wording["blocks"])
