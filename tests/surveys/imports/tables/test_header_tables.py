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
