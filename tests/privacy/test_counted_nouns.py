"""Numbers and nouns agree: one row, two rows, in each message of the catalogue."""

import re

import pytest

from privacy.catalogue import ADVICE, WORDS
from privacy.counted_nouns import agreed, counted, plural_of
from privacy.filled_text import fill_fields

_COUNT = re.compile(r"%\((?P<name>\w+)\)s(?: (?P<between>[a-z-]+))? (?P<noun>[a-z-]+s|people)\b")
NAMES = frozenset(["block", "column", "equation", "key", "kind", "name", "part", "question", "rule"])
"""Fields that name something."""
VERBS = frozenset(
    [
        *("adds", "allows", "always", "asks", "begins", "carries", "comes", "contains", "cuts"),
        *("decides", "depends", "describes", "diverges", "does", "equals", "estimates", "exceeds"),
        *("fits", "flips", "follows", "gives", "has", "is", "its", "lacks", "leaves", "lies", "lists"),
        *("means", "misses", "names", "needs", "occurs", "places", "protects", "reaches", "reads"),
        *("refers", "repeats", "seems", "sends", "shares", "states", "stays", "sums", "this", "uses"),
        *("was", "yields"),
    ]
)
"""Words in *s* that follow a value, not a count: “1 lacks a bound”."""


@pytest.mark.parametrize(
    ("noun", "plural"),
    [
        ("row", "rows"),
        ("class", "classes"),
        ("key", "keys"),
        ("probability", "probabilities"),
        ("person", "people"),
    ],
)
def test_a_number_has_its_noun_in_the_singular_only_for_one(noun: str, plural: str) -> None:
    assert plural_of(noun) == plural
    assert [counted(number, noun) for number in (0, 1, 2, 1_000)] == [
        f"0 {plural}", f"1 {noun}", f"2 {plural}", f"1,000 {plural}"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("%(n)s rows are empty", "1 row is empty"),
        ("There are %(n)s different values here", "There is 1 different value here"),
        ("%(n)s of %(m)s records equal another", "1 of 2 records equal another"),
        ("%(m)s rows have %(n)s quasi-identifiers", "2 rows have 1 quasi-identifier"),
        ("row %(n)s contains records", "row 1 contains records"),
        ("%(n)s classes were left out", "1 class was left out"),
    ],
)
def test_words_around_a_count_of_one_are_singular(text: str, filled: str) -> None:
    assert fill_fields(text, {"n": 1, "m": 2}, counts=None) == filled


def test_truth_values_and_other_numbers_change_nothing() -> None:
    text = "%(n)s rows are empty"
    assert fill_fields(text, {"n": True}, counts=None) == "True rows are empty"
    assert fill_fields(text, {"n": 11}, counts=None) == "11 rows are empty"
    assert agreed(text, {}) == text


def test_no_message_of_the_core_counts_one_thing_in_the_plural() -> None:
    wrong = []
    for text in {*(part for words in WORDS.values() for part in words[:2]), *ADVICE.values()}:
        ones = {match["name"]: 1 for match in _COUNT.finditer(text) if match["name"] not in NAMES}
        wrong += [
            text
            for match in _COUNT.finditer(agreed(text, ones))
            if match["name"] in ones
            and match["noun"] not in VERBS
            and match["between"] not in {"of", "and", "in", "ends", *VERBS}
        ]
    assert wrong == []
