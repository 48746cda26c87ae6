"""Numbers in front of amounts: marks that count the answers, or parts of the amounts."""

import pytest

from surveys.imports.drafts.questionnaire import labels_of
from surveys.imports.pasted_text import read_paste


def answers(*lines: str) -> list[tuple[str, ...]]:
    text = "\n".join(["Survey", "1. How often?", *lines, "2. How is it?", "- good", "- bad"])
    return [labels_of(question) for question in read_paste(text).questions]


@pytest.mark.parametrize("behind", ["\t", " ", ") ", ")", ".", "．", "、"])
def test_ranges_among_numbered_answers_have_the_numbers_of_these(behind: str) -> None:
    """Before, ranges behind a code were left out, or their numbers stayed in the answers."""
    labels = ("Under 500", "500–999", "1,000 or more")
    lines = [f"{number}{behind}{label}" for number, label in enumerate(labels, start=1)]
    assert answers(*lines) == [labels, ("good", "bad")]


@pytest.mark.parametrize("end", [")", "．", "."])
def test_numbers_that_count_ranges_from_one_are_marks(end: str) -> None:
    lines = [f"{number}{end}{label}" for number, label in enumerate(("18-25", "26-40", "41-65"), start=1)]
    assert answers(*lines)[0] == ("18-25", "26-40", "41-65")


@pytest.mark.parametrize(
    "labels",
    [
        ("1 child", "2 children", "3 children or more"),
        ("1 Tag", "2 Tage"),
        ("1 time a week", "2 times a week", "3 or more"),
    ],
)
def test_numbers_before_one_unit_are_amounts(labels: tuple[str, ...]) -> None:
    assert answers(*labels)[0] == labels


def test_numbers_before_other_words_with_the_same_letters_are_codes() -> None:
    assert answers("1 Partner", "2 Parent", "3 Other")[0] == ("Partner", "Parent", "Other")


def test_numbers_before_words_that_begin_alike_are_codes() -> None:
    assert answers("1 Very good", "2 Very bad", "3 Fine")[0] == ("Very good", "Very bad", "Fine")


def test_numbers_with_two_parts_that_go_on_are_no_amounts() -> None:
    """Before, 1.2 and 2.1 were answers with the numbers 1 and 2."""
    text = "登记表\n1.1 年龄：___岁\n1.2 性别：1男 2女\n2.1 有无腹泻？ 1有 2无\n2.2 有无发热？ 1有 2无"
    kinds = [question.kind for question in read_paste(text).questions]
    assert kinds == ["number", "single", "yes_no", "yes_no"]


@pytest.mark.parametrize("mark", ["", "○ ", "- "])
def test_numbers_that_alone_distinguish_answers_are_part_of_them(mark: str) -> None:
    floors = "\n".join(f"{mark}{each}" for each in ("EG", "1. OG", "2. OG"))
    text = f"Umzug\n\nAuf welcher Etage sitzt du?\n{floors}\n\nBrauchst du einen Tisch? (ja/nein)"
    assert labels_of(read_paste(text, ("de",)).questions[0]) == ("EG", "1. OG", "2. OG")


@pytest.mark.parametrize("amount", ["2- bis 3-mal", "2- oder 3-mal", "2- to 3-times"])
def test_hyphens_of_amounts_are_no_codes(amount: str) -> None:
    text = f"T\n1. Wie oft?\n○ täglich\n○ {amount}\n○ nie\n2. Wo?\n○ hier\n○ da"
    assert labels_of(read_paste(text).questions[0]) == ("täglich", amount, "nie")


def test_thousands_with_a_full_stop_are_no_number_of_a_question() -> None:
    """The answer was question 1, because question 2 is below it."""
    text = (
        "Miete\n\n1. Wie hoch?\nunter 500 €\n500 bis 1.199 €\n1.200 € und mehr\n2. Ist sie feucht? Ja / Nein"
    )
    assert labels_of(read_paste(text, ("de",)).questions[0])[-1] == "1.200 € und mehr"
