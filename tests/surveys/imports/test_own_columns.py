"""Experiments go into a workbook and come back as they were."""

from __future__ import annotations

from surveys.imports.own_columns import QUESTION, own_members
from surveys.imports.workbook import Notes, Row
from surveys.questionnaire.definition import definition_parse
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.workbooks import form, xlsform_read
from tests.fixtures.xlsform_writer import xlsform_file


def test_an_experiment_comes_back_from_a_workbook_as_it_was() -> None:
    arm = {
        "key": "told",
        "kind": "arm",
        "options": [{"key": "a", "share": 4000}, {"key": "b", "share": 6000}],
    }
    texts = {"question": "told", "texts": {"a": {"en": "One {odds}"}, "b": {"en": "Two {odds}"}}}
    part = protected("b", yes_no("never", wordings=texts))
    went = definition_parse(document_of(unprotected("told", arm), part, explanations=texts))
    came = xlsform_read(xlsform_file(went)).document
    assert came["explanations"] == texts
    assert came["blocks"][0]["questions"][0] == arm
    assert came["blocks"][1]["questions"][0]["wordings"] == texts


def test_a_cell_that_is_no_json_is_refused_and_missing_shares_are_left_to_the_check() -> None:
    notes = Notes()
    row = Row(number=4, cells={"sottovoce_wordings": "{odds"})
    assert own_members(QUESTION, row, "survey", notes) == {}
    assert [problem.path for problem in notes.problems.listed] == ["survey, row 4, column sottovoce_wordings"]
    survey = [
        ["type", "name", "label::English (en)", "sottovoce_shares"],
        ["select_one length", "told", "Told?", "0.5"],
    ]
    (block,) = xlsform_read(form(survey=survey)).document["blocks"]
    assert [option["share"] for option in block["questions"][0]["options"]] == [5000, 0]


def test_the_right_answer_of_a_question_comes_back() -> None:
    options = [{"key": key, "text": {"en": key}} for key in "abc"]
    question = {"key": "q", "kind": "single", "text": {"en": "Q?"}, "options": options, "right": "b"}
    went = definition_parse(document_of(unprotected("you", question), protected("b", yes_no("never"))))
    assert xlsform_read(xlsform_file(went)).document["blocks"][0]["questions"][0] == question
