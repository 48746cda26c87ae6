"""The questionnaire that every source fills goes through JSON and comes back."""

from __future__ import annotations

import json

import pytest

from surveys.imports.pasted import Reading, pasted_read
from surveys.imports.questionnaire import Questionnaire
from tests.fixtures.workbooks import form, xlsform_read
from tests.surveys.imports.test_shapes import SHAPES


@pytest.mark.parametrize(
    "reading",
    [
        pasted_read("Sleep\nGroup a (40 %): One.\nGroup b: Two.\n1. Do you?\nGroup b: Or you?\n2. Which?"),
        *(pasted_read(text) for text, _shape in list(SHAPES.values())[::9]),
        xlsform_read(form()),
    ],
    ids=str,
)
def test_a_questionnaire_comes_back_from_json_and_makes_the_same_draft(reading: Reading) -> None:
    stated = json.loads(json.dumps(reading.survey.to_json()))
    came = Questionnaire.from_json(stated)
    assert came == reading.survey
    assert Reading(survey=came).document == reading.document
