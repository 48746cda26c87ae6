"""Rows of tables that are remarks."""

import pytest

from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize(
    "rows",
    [
        "I cry\t\t\t\nI lie\t\t\t\nI steal\t\t\t\n(one tick per row)\t\t\t",
        "[bitte je Zeile ein Kreuz]\t\t\t\nI cry\t\t\t\nI lie\t\t\t\nI steal\t\t\t",
        "I cry\t\t\t\nI lie\t\t\t\nI steal\t\t\t\nSegni una sola casella per riga\t\t\t",
        "I cry\t\t\t\nI lie\t\t\t\nI steal\t\t\t\n\t\t\t\nHand it in at the front desk.\t\t\t",
        "I cry\t\t\t\nI lie\t\t\t\nI steal\t\t\t\n（每行只打一个√）\t\t\t",
    ],
)
def test_remarks_in_rows_are_no_items(rows: str) -> None:
    survey = read_paste(f"Last month\tNever\tSometimes\tOften\n{rows}")
    assert [next(iter(each.texts.values())) for each in survey.questions] == ["I cry", "I lie", "I steal"]
    others = [line.role for line in survey.lines if line.role != "row"]
    assert others in (["scale", "instruction"], ["scale", "left"])


@pytest.mark.parametrize(
    "items", [("I cry.", "I lie.", "I steal."), ("(At work) I cry", "(At home) I cry", "I lie (alone)")]
)
def test_items_with_stops_and_brackets_remain(items: tuple[str, ...]) -> None:
    survey = read_paste(
        "\n".join(["Last month\tNever\tSometimes\tOften", *(f"{each}\t\t\t" for each in items)])
    )
    assert len(survey.questions) == len(items)


def test_a_numbered_question_with_boxes_to_write_is_no_remark() -> None:
    text = "Q1. How many days? |__|__|\nQ2. Overall, on a scale from 0 to 10 how\nwas your stay? |__|__|"
    assert len(read_paste(text).questions) == 2
