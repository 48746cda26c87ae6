"""Lines that end with the same answers are the rows of one table."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("I drink alone: never / often\nI drink at work: never / often", ("never", "often")),
        ("I drink alone   never   often\nI drink at work   never   often", ("never", "often")),
        ("I drink alone - no / once / more\nI hide it - no / once / more", ("no", "once", "more")),
        ("N = never, O = often\nI drink alone N O\nI drink at work N O", ("never", "often")),
    ],
)
def test_lines_with_the_same_answers_are_items(text: str, labels: tuple[str, ...]) -> None:
    survey = read_paste(f"Drinking\n\n{text}\n")
    assert len(survey.questions) == 2
    assert {labels_of(question) for question in survey.questions} == {labels}
    assert next(iter(survey.questions[0].texts.values())).startswith("I drink alone")


def test_a_list_that_occurs_once_makes_no_table() -> None:
    survey = read_paste("Drinking\n\n1. Do you drink? never / often\n2. Do you smoke? no / once / more\n")
    assert [labels_of(question) for question in survey.questions] == [
        ("never", "often"),
        ("no", "once", "more"),
    ]


def test_a_long_item_right_in_front_of_its_two_answers_is_a_row() -> None:
    """It was taken for a heading of the items below it, and lost."""
    ends = "   TRUE   FALSE"
    rows = [f"1. I check their phone.      {ends}", f"2. I am calm on my own.      {ends}"]
    rows += ["3. I call more than once a day.  TRUE   FALSE", f"4. I threatened someone.      {ends}"]
    survey = read_paste("Jealousy\n\n" + "\n".join(rows))
    assert [next(iter(each.texts.values())) for each in survey.questions][2] == "I call more than once a day."
    assert [labels_of(each) for each in survey.questions] == [("TRUE", "FALSE")] * 4
