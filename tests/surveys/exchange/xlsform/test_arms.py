"""Experiments go into a workbook and come back as they were."""

from __future__ import annotations

from surveys.exchange.xlsform.arms import arm_question, arm_texts_of
from surveys.exchange.xlsform.export import xlsform_file
from surveys.exchange.xlsform.reader import xlsform_read
from surveys.exchange.xlsform.workbook import Notes
from surveys.questionnaire.definition import definition_parse
from tests.cast.checked_surveys import document_of, protected, unprotected, yes_no


def test_an_experiment_comes_back_from_a_workbook_as_it_was() -> None:
    arm = {
        "key": "told",
        "kind": "arm",
        "options": [{"key": "a", "share": 4000}, {"key": "b", "share": 6000}],
    }
    texts = {"question": "told", "texts": {"a": {"en": "One {odds}"}, "b": {"en": "Two {odds}"}}}
    part = protected("b", yes_no("never", wordings=texts))
    went = definition_parse(document_of(unprotected("told", arm), part, explanations=texts))
    made = xlsform_file(went)
    came = xlsform_read(made.workbook).document
    assert came["explanations"] == texts
    assert came["blocks"][0]["questions"][0] == arm
    assert came["blocks"][1]["questions"][0]["wordings"] == texts
    assert any("arms of an experiment" in line for line in made.not_kept)


def test_a_cell_that_is_no_json_is_refused_and_missing_shares_are_left_to_the_check() -> None:
    notes = Notes()
    assert arm_texts_of("{odds", "settings!A2", notes) is None
    assert [problem.path for problem in notes.problems.listed] == ["settings!A2"]
    made = arm_question("told", [{"key": "a"}, {"key": "b"}], [5000])
    assert [option["share"] for option in made["options"]] == [5000, 0]


def test_the_right_answer_of_a_question_comes_back() -> None:
    options = [{"key": key, "text": {"en": key}} for key in "abc"]
    question = {"key": "q", "kind": "single", "text": {"en": "Q?"}, "options": options, "right": "b"}
    went = definition_parse(document_of(unprotected("you", question), protected("b", yes_no("never"))))
    assert xlsform_read(xlsform_file(went).workbook).document["blocks"][0]["questions"][0] == question
