"""The import report groups differences by cause, and quotes a few lines."""

from surveys.authoring.import_differences import effect_of, note_groups
from surveys.imports.drafts.questionnaire import LOST, Note

LINES = [f"Line of words {number}" for number in range(1, 70)]


def left(line: int) -> Note:
    return Note(line=line, message="left out", remedy="write it", cause="left")


def test_a_line_that_is_left_out_is_lost() -> None:
    assert effect_of(left(1)) == LOST
    assert effect_of(Note(line=1, message="m", remedy="", cause="range")) == "changed"


def test_a_few_lines_are_quoted_and_many_only_numbered() -> None:
    (few,) = note_groups([left(1), left(2)], LINES)
    assert few["examples"] == [("Line 1 “Line of words 1”", ""), ("Line 2 “Line of words 2”", "")]
    (many,) = note_groups([left(number) for number in range(1, 70)], LINES)
    assert many["examples"][0][0].startswith("Lines 1, 2, 3,")
    assert many["more"] == 9


def test_different_messages_of_a_cause_are_examples() -> None:
    notes = [Note(line=number, message=f"range {number}", remedy="", cause="range") for number in range(1, 5)]
    (group,) = note_groups(notes, [])
    assert group["examples"][0] == ("Line 1", "Range 1.")
    assert (group["message"], group["more"]) == ("", 1)
    assert group["rest"] == [("Line 4", "Range 4.")]


def test_places_after_the_first_ones_can_be_opened_and_keep_their_own_remedies() -> None:
    notes = [
        Note(line=number, message="left out", remedy=f"no list {number}", cause="row", where=f"row {number}")
        for number in range(1, 6)
    ]
    (group,) = note_groups(notes, [])
    assert (group["message"], group["remedy"], group["more"]) == ("left out", "", 2)
    assert group["examples"][0] == ("row 1", "No list 1.")
    assert group["rest"] == [("row 4", "No list 4."), ("row 5", "No list 5.")]
