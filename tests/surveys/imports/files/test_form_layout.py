"""Forms whose sheets have other names, or rows above their headers, are read at the same rows."""

import pytest

from surveys.questionnaire.document import DefinitionError
from tests.fixtures.workbooks import Lines, short, workbook, xlsform_read

SURVEY: Lines = [["type", "name", "label::English"], ["select_one yn", "hit", "Were you hit?"]]
CHOICES: Lines = [["list_name", "name", "label::English"], ["yn", "yes", "Yes"], ["yn", "no", "No"]]


@pytest.mark.parametrize(
    ("names", "above", "said"),
    [
        (("survey", "choices"), [["Questions", "", ""], [None]], ["header of this sheet is in row 3"]),
        (("Fragen", "Antworten"), [], ["read from the sheet Fragen", "read from the sheet Antworten"]),
        (("Q", "choices"), [["Questions"]], ["read from the sheet Q", "header of this sheet is in row 2"]),
    ],
)
def test_headers_are_found_below_titles_and_in_sheets_with_other_names(
    names: tuple[str, str], above: Lines, said: list[str]
) -> None:
    survey = xlsform_read(workbook(**{names[0]: above + SURVEY, names[1]: CHOICES, "notes": [["x"]]}))
    assert [(each.key, each.kind, each.line) for each in survey.questions] == [
        ("hit", "yes_no", 2 + len(above))
    ]
    notes = [note for note in survey.notes if note.line == 0]
    assert short(notes[0].where) == '"notes"'
    assert len(notes) == 1 + len(said)
    assert all(text in note.message for text, note in zip(said, notes[1:], strict=True))


def test_rows_above_the_header_of_the_lists_are_left_out() -> None:
    survey = xlsform_read(workbook(survey=SURVEY, choices=[["All answers"], *CHOICES]))
    assert [each.kind for each in survey.questions] == ["yes_no"]
    (note,) = survey.notes
    assert (short(note.where), "row 2" in note.message) == ("choices", True)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([["Question", "Answer 1"], ["Were you hit?", "Yes"]], "no sheet has columns"),
        (
            [["Variable / Field Name", "Form Name", "Field Type"], ["hit", "a", "yesno"]],
            "dictionary of REDCap",
        ),
    ],
)
def test_sheets_of_others_are_refused_in_one_sentence(rows: Lines, said: str) -> None:
    with pytest.raises(DefinitionError, match=said) as caught:
        xlsform_read(workbook(one=rows, two=[["x"]]))
    (problem,) = caught.value.problems
    assert "paste" in problem.remedy


def test_a_form_with_many_faults_is_not_taken_for_a_sheet() -> None:
    survey = xlsform_read(workbook(survey=[*SURVEY, *[["end group"]] * 21], choices=CHOICES))
    assert [each.key for each in survey.questions] == ["hit"]


@pytest.mark.parametrize("choices", [[], [[None]], [["", ""], ["", ""]]])
def test_an_empty_sheet_of_choices_is_no_other_layout(choices: Lines) -> None:
    survey = xlsform_read(workbook(survey=[SURVEY[0], ["integer", "age", "Your age?"]], choices=choices))
    assert [(each.key, each.kind) for each in survey.questions] == [("age", "number")]
