"""The questionnaire that every source fills goes through JSON and comes back."""

from __future__ import annotations

import json
import subprocess  # nosec B404

import pytest

from surveys.imports.pasted import pasted_read
from surveys.imports.questionnaire import FreshKeys, Questionnaire, draft_of, proposed_key
from tests.conftest import ROOT
from tests.fixtures.workbooks import form
from tests.fixtures.workbooks import xlsform_read as form_read
from tests.surveys.imports.test_shapes import SHAPES


@pytest.mark.parametrize(
    "reading",
    [
        pasted_read("Sleep | 睡眠\nContact: a@example.org\n1. Do you? | 你呢？\n2. Which?"),
        *(pasted_read(text) for text, _shape in list(SHAPES.values())[::9]),
        form_read(form()),
    ],
    ids=str,
)
def test_a_questionnaire_comes_back_from_json_and_makes_the_same_draft(reading: Questionnaire) -> None:
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


def test_both_languages_of_the_program_propose_the_same() -> None:
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
