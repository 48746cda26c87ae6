"""Answers behind a label are read on several lines of one form, whatever is between them."""

import pytest

from surveys.imports.layouts.labelled_lists import write_labelled_lists
from surveys.imports.pasted_text import read_paste

FIELDS = {"Smoker": ["yes", "no"], "Alcohol": ["never", "sometimes", "often"], "Home": ["town", "village"]}
SIGNS = (" / ", "/", ", ", " | ", "; ", " – ", " - ", " · ", " • ", "\t")


def _read(text: str) -> dict[str, list[str]]:
    survey = read_paste(text)
    return {
        question.texts["en"].rstrip("?:"): [option.texts["en"] for option in question.options]
        or (["yes", "no"] if question.kind == "yes_no" else [])
        for question in survey.questions
    }


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize(("front", "behind"), [(": ", ""), (" (", ")"), ("? ", "")])
@pytest.mark.parametrize("code", ["{}. ", "- ", "", "{}) "])
def test_lists_of_one_form(sign: str, front: str, behind: str, code: str) -> None:
    """Lists between commas, in brackets without a colon, or behind *Answers:* were not read."""
    lines = [
        code.format(number) + label + front + sign.join(answers) + behind
        for number, (label, answers) in enumerate(FIELDS.items(), start=1)
    ]
    assert _read("\n".join(["Health survey", "", *lines])) == FIELDS


def test_a_word_in_front_of_each_list_belongs_to_no_answer() -> None:
    lines = [f"{label}? Answers: {', '.join(answers)}" for label, answers in FIELDS.items()]
    assert _read("\n".join(["Health survey", "", *lines])) == FIELDS


@pytest.mark.parametrize(
    "lines",
    [
        ["Cancer (lung, skin)", "Diabetes (type one, type two)", "Heart (attack, failure)"],
        ["Bring: pen, paper", "1. Do you eat?", "2. Do you run?"],
        ["Do you drink? (beer, wine)", "Do you smoke? (pipe, cigar)"],
        ["Where? (tick all: home, work)", "When? (tick all: day, night)"],
        ["Hours: 9 – 17", "Break: 12 – 13", "Ages: 18 – 99"],
        ["Fear? never = 0, often = 1", "Anger? never = 0, often = 1"],
        ["Which?", "a) street - corner / park", "b) club - inside / outside", "c) home - alone / together"],
        ["Ill?", "Cancer (lung / skin)", "Diabetes (one / two)", "Heart (left / right)"],
        [],
    ],
    ids=[
        "examples",
        "once",
        "remarks",
        "instructions",
        "numbers",
        "points",
        "answers",
        "bare answers",
        "empty",
    ],
)
def test_other_lines_stay(lines: list[str]) -> None:
    assert write_labelled_lists(lines) == lines


def test_rows_of_a_sheet_keep_their_cells() -> None:
    """Before, a question without answers between the others was left out."""
    rows = "question\tanswers\tremark\nWho cooks?\tme | you\t\nHow often?\t\ta number\nWhy?\t"
    survey = read_paste(f"{rows}fun | money\tmultiple choice", ("en",))
    assert [each.kind for each in survey.questions] == ["single", "number", "several"]
