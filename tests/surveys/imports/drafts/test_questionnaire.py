"""The questionnaire that every import gives: conversion to JSON and back, and to a draft."""

import json

import pytest

from surveys.imports.drafts.imported_drafts import draft_of
from surveys.imports.drafts.questionnaire import Questionnaire
from surveys.imports.pasted_text import read_paste
from tests.fixtures.workbooks import form, workbook, xlsform_read
from tests.fixtures.workbooks import xlsform_read as form_read
from tests.surveys.imports.roles.test_structure import SHAPES


@pytest.mark.parametrize(
    "reading",
    [
        read_paste("Sleep | 睡眠\nContact: a@example.org\n1. Do you? | 你呢？\n2. Which?"),
        *(read_paste(text) for text, _shape in list(SHAPES.values())[::20]),
        form_read(form()),
    ],
)
def test_questionnaires_survive_json_and_give_the_same_draft(reading: Questionnaire) -> None:
    stated = json.loads(json.dumps(reading.to_json()))
    came = Questionnaire.from_json(stated)
    assert came == reading
    assert draft_of(came) == draft_of(reading)


def test_pasted_texts_and_forms_give_the_same_questions_and_protection() -> None:
    text = draft_of(
        read_paste("Work\n1. Do you lie?\n2. How often?\n- Never\n- Daily\n3. How many lies?\n0-20")
    )
    form = draft_of(
        xlsform_read(
            workbook(
                survey=[
                    ["type", "name", "label", "parameters"],
                    ["select_one yn", "lie", "Do you lie?"],
                    ["select_one o", "q", "How often?"],
                    ["range", "n", "How many lies?", "start=0 end=20"],
                ],
                choices=[
                    ["list_name", "name", "label"],
                    ["yn", "yes", "Yes"],
                    ["yn", "no", "No"],
                    ["o", "never", "Never"],
                    ["o", "daily", "Daily"],
                ],
            )
        )
    )

    def shapes(document: dict[str, object]) -> list[object]:
        blocks = document["blocks"]
        assert isinstance(blocks, list)
        return [
            [block["protected"], block.get("truth_probability")]
            + [question.get(name) for name in ("kind", "text", "options", "number")]
            for block in blocks
            for question in block["questions"]
        ]

    assert shapes(text) == shapes(form)
