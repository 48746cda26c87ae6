"""A column of signs says which items of a list are reversed."""

import pytest

from surveys.imports.drafts.questionnaire import points_of
from surveys.imports.layouts.key_columns import write_keys
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
    assert write_keys(rows) == rows


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
