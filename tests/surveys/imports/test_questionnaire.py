"""The questionnaire that every import gives: conversion to JSON and back, and to a draft."""

import json
import subprocess

import pytest

from surveys.imports.pasted_text import read_paste
from surveys.imports.questionnaire import (
    FreshKeys,
    Part,
    Question,
    Questionnaire,
    decide_protection,
    draft_of,
    proposed_key,
)
from tests.conftest import ROOT
from tests.fixtures.workbooks import form, workbook, xlsform_read
from tests.fixtures.workbooks import xlsform_read as form_read
from tests.surveys.imports.test_shapes import SHAPES


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


TEXTS = (
    "Do you sleep badly most nights?",
    "Have you taken a pill to fall asleep?",
    "How old are you?",
    "Ça va?",
    "您睡得不好吗？",
    "",
    "A very-long-hyphenated incomprehensibilities counterrevolutionaries word",
    "What is it?",
    "3 or 4 drinks a day",
)


def test_python_and_javascript_propose_the_same_keys() -> None:
    module = ROOT / "surveys/static/surveys/js/authoring/keys.js"
    program = (
        f"import({json.dumps(module.as_uri())}).then(({{proposedKey, freshKey}}) =>"
        f" console.log(JSON.stringify([{json.dumps(TEXTS)}.map(proposedKey),"
        " freshKey(['a', 'a-2'], 'a'), freshKey(['a-2'], 'a-2')])))"
    )
    answer = subprocess.run(["node", "-e", program], capture_output=True, check=True, text=True)
    theirs, *fresh = json.loads(answer.stdout)
    assert [proposed_key(text) for text in TEXTS] == theirs
    assert [FreshKeys({"a", "a-2"}).take("a"), FreshKeys({"a-2"}).take("a-2")] == fresh


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


def test_protection_follows_flags_first_then_public_knowledge() -> None:
    part, open_part = Part(line=0, texts={}), Part(line=1, texts={}, flags=frozenset({"open"}))

    def decided(text: str, flags: frozenset[str], below: Part) -> bool | None:
        question = Question(line=1, texts={"en": text}, flags=flags, kind="single")
        decide_protection(question, below)
        return question.is_protected

    assert decided("How old are you?", frozenset(), part) is False
    assert decided("Do you steal?", frozenset(), part) is True
    assert decided("Do you steal?", frozenset(), open_part) is False
    assert decided("Do you steal?", frozenset({"protected"}), open_part) is True


@pytest.mark.parametrize(
    "text",
    [
        "What was your last grade?",
        "Which grade did you get in your last exam?",
        "What mark do you get?",
        "How many hours do you sleep?",
        "Which faculty are you in?",
        "您上次考试成绩是多少？",
    ],
)
def test_rarely_hidden_facts_start_unprotected_with_a_reason(text: str) -> None:
    question = Question(line=1, texts={"en": text}, flags=frozenset(), kind="number")
    decide_protection(question, Part(line=0, texts={}))
    assert question.is_protected is False
    assert question.why.startswith("people seldom hide this (")
