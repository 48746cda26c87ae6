"""A column of signs says which items of a list are reversed."""

import pytest

from surveys.imports.key_columns import write_keys
from surveys.imports.pasted_text import read_paste
from surveys.imports.questionnaire import points_of


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
    pairs = [*enumerate(rows, start=1)]
    assert write_keys(pairs) == pairs
