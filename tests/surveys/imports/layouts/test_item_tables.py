"""A column of signs says which items of a list are reversed."""

import pytest

from surveys.imports.drafts.questionnaire import points_of
from surveys.imports.layouts.item_tables import write_items
from surveys.imports.pasted_text import read_paste


@pytest.mark.parametrize("sign", [";", "\t", " | "])
def test_items_with_a_minus_are_reversed(sign: str) -> None:
    rows = (
        ("code", "wording", "key"),
        ("q1", "I cook soup.", "+"),
        ("q2", "I sing well.", "-"),
        ("q3", "I rest now.", "+"),
    )
    text = "\n".join(sign.join(row) for row in rows)
    survey = read_paste(f"{text}\n\nanswers (all items):\n1;no\n2;a bit\n3;yes\n\nkey: + as is, - reversed")
    assert [next(iter(each.texts.values())) for each in survey.questions] == [
        "I cook soup.",
        "I sing well.",
        "I rest now.",
    ]
    assert [points_of(each) for each in survey.questions] == [[1, 2, 3], [3, 2, 1], [1, 2, 3]]


@pytest.mark.parametrize(
    "rows",
    [
        ["1;I cook soup.;yes", "2;I sing well.;no", "3;I rest now.;sometimes"],
        ["1;I cook soup.;+", "2;I sing well.;+", "3;I rest now.;+"],
        ["I cook soup.;a;+", "I sing well.;b;-", "I rest now.;c;+"],
    ],
)
def test_other_columns_stay(rows: list[str]) -> None:
    assert write_items(rows) == rows


def test_a_column_named_reversed_and_signs_after_codes_reverse_items() -> None:
    head = "No\tItem\tReversed\tnever\toften\talways"
    rows = "1\tI hide bills\tno\t1\t2\t3\n2\tI am calm\tyes\t1\t2\t3\n3\tI lie often\tno\t1\t2\t3"
    survey = read_paste(f"{head}\n{rows}\n\nSum: 3-5 low, 6-9 high")
    assert [points_of(each) for each in survey.questions] == [[1, 2, 3], [3, 2, 1], [1, 2, 3]]
    head = "| No | Item | never | often | always |\n|---|---|---|---|---|"
    rows = "| 1 | I hide bills | 1 | 2 | 3 |\n| 2* | I am calm | 1 | 2 | 3 |\n| 3 | I lie often | 1 | 2 | 3 |"
    survey = read_paste(f"Money\n\n{head}\n{rows}\n\n* reversed\nSum: 3-5 low, 6-9 high")
    assert [points_of(each) for each in survey.questions] == [[1, 2, 3], [3, 2, 1], [1, 2, 3]]


def test_points_that_are_printed_in_reverse_are_not_reversed_again() -> None:
    head = "No\tItem\tReversed\tnever\toften\talways"
    rows = "1\tI hide bills\tno\t1\t2\t3\n2\tI am calm\tyes\t3\t2\t1\n3\tI lie often\tno\t1\t2\t3"
    survey = read_paste(f"{head}\n{rows}\n\nSum: 3-5 low, 6-9 high")
    assert [points_of(each) for each in survey.questions] == [[1, 2, 3], [3, 2, 1], [1, 2, 3]]


def test_a_column_named_reversed_may_be_behind_the_answers() -> None:
    head = "No\tItem\tnever\toften\talways\tReversed"
    rows = "1\tI hide bills\t1\t2\t3\tno\n2\tI am calm\t1\t2\t3\tyes\n3\tI lie often\t1\t2\t3\tno"
    survey = read_paste(f"Money\n\n{head}\n{rows}\n\nSum: 3-5 low, 6-9 high")
    assert [points_of(each) for each in survey.questions] == [[1, 2, 3], [3, 2, 1], [1, 2, 3]]


@pytest.mark.parametrize(
    ("heading", "cells"),
    [
        ("R", ["", "x", ""]),
        ("invertido", ["no", "sí", "no"]),
        ("反向", ["", "是", ""]),
        ("Polarität", ["positiv", "negativ", "positiv"]),
        ("valor", ["directo", "inverso", "directo"]),
        ("note", ["", "invertito", ""]),
        ("reversed?", ["0", "1", "0"]),
        ("sens", ["direct", "inversé", "direct"]),
    ],
)
@pytest.mark.parametrize("place", [0, 2, 5])
def test_a_column_says_which_items_are_reversed(heading: str, cells: list[str], place: int) -> None:
    rows = [
        ["", "never", "often", "always"],
        *([text, "", "", ""] for text in ("I hide bills", "I am calm", "I lie")),
    ]
    for row, cell in zip(rows, [heading, *cells], strict=True):
        row.insert(min(place, len(row)), cell)
    text = "\n".join("\t".join(row) for row in rows)
    survey = read_paste(
        f"Money\n\n{text}\n\nnever = 0, often = 1, always = 2. Sum: 0-3 low, 4-6 high", ("en",)
    )
    assert [points_of(each) for each in survey.questions] == [[0, 1, 2], [2, 1, 0], [0, 1, 2]]


def test_names_of_subscales_reverse_nothing() -> None:
    rows = ["1\tI am proud\tpositive", "2\tI am sad\tnegative", "3\tI am calm\tpositive"]
    assert write_items(rows) == rows


def test_letters_of_answers_need_no_header() -> None:
    rows = ["1\tI am proud\tD\tA\tSA", "2\tI am sad\tD\tA\tSA", "3\tI am calm\tD\tA\tSA"]
    assert write_items(rows)[0] == "1. I am proud   D   A   SA"
