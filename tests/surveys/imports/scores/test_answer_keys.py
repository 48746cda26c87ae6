"""A key says in which items yes scores and in which no does, in the words of several languages."""

import pytest

from surveys.imports.scores.answer_keys import key_in


@pytest.mark.parametrize(
    ("text", "on_no", "on_yes"),
    [
        ("1 point for “yes” on 1, 3 and for “no” on items 2, 4", {2, 4}, {1, 3}),
        ("1 Punkt für JA bei 1-3, für NEIN bei 4", {4}, {1, 2, 3}),
        ("NON à 2 et 5 : 1 point ; OUI à 1, 3 et 4 : 1 point", {2, 5}, {1, 3, 4}),
    ],
)
def test_each_answer_has_its_items(text: str, on_no: set[int], on_yes: set[int]) -> None:
    assert key_in(text) == (on_no, on_yes)


def test_labels_may_replace_yes_and_no() -> None:
    assert key_in("True on 1 and 2, False on 3", labels=("True", "False"), is_rule=True) == ({3}, {1, 2})


@pytest.mark.parametrize(
    "text",
    [
        "Answer “yes” or “no”.",
        "1 point for “yes” on items 1, 2",
        "No items 1, 2",
        "Answer yes or no, except for item 4.",
        "Yes = 1, No = 2 (if no, go to question 4)",
        "Yes counts 1, except for item 4.",
    ],
)
def test_one_answer_alone_is_not_a_key(text: str) -> None:
    assert key_in(text) is None
