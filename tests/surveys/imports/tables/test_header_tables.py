"""Tables below a header, and answers with boxes that are none."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of
from surveys.imports.pasted_text import read_paste

ABOVE = "T\n\n1. Do you live alone?\n- Yes\n- No\n\n2. How much do you agree?\n"
BELOW = "\n\n3. What should change?\n____"


def test_boxes_below_a_line_that_lists_words_are_answers() -> None:
    survey = read_paste(f"{ABOVE}At home / at work / elsewhere\n☐ A lot\n☐ A little{BELOW}")
    assert labels_of(survey.questions[1]) == ("A lot", "A little")


@pytest.mark.parametrize("above", ["Do you agree?\n   o  yes     o  no     o  other", "Sex:  ○ woman  ○ man"])
def test_answers_with_boxes_are_no_header_of_fields_below(above: str) -> None:
    """Before, the questions below were rows of a table, and the question above was lost."""
    survey = read_paste(
        f"T\n1/ {above}\n2/ How many cars do you have?   |__|__|\n3/ How old is it?   |__|__|"
    )
    assert [question.kind for question in survey.questions] == ["single", "number", "number"]


def test_an_item_above_a_row_with_the_same_kind_of_number_is_asked() -> None:
    """Before, it became the heading of the row, although its role was a question."""
    survey = read_paste(
        "工作疲劳\n\n请作答：从不＝0分，偶尔＝1分，经常＝2分\n\n1. 下班后我很累。\n2. 想到上班我就心烦。\n"
        "3. 我很有热情。（反向计分：从不＝2分，偶尔＝1分，经常＝0分）\n4. 我睡不好觉。\n"
    )
    assert {5, 6, 7, 8} <= {question.line for question in survey.questions}
