"""Words of plain questions: phrases of a row, halves of a name, and patterns by language."""

import pytest

from surveys.questionnaire.plain_words import (
    FIRST_HALF,
    NAMED,
    SECOND_HALF,
    phrases_of,
    plain_letters,
    tokens_of,
    vocabulary,
    word_patterns,
)


@pytest.mark.parametrize(
    ("row", "names", "others"),
    [
        ("age|old + how|are you", {("age",): NAMED, ("old",): NAMED}, {("how",), ("are", "you")}),
        ("ward & you work + on", {("ward",): FIRST_HALF, ("you", "work"): SECOND_HALF}, {("on",)}),
        ("sex", {("sex",): NAMED}, set()),
    ],
)
def test_a_row_has_names_or_their_halves_and_other_words(
    row: str, names: dict[tuple[str, ...], int], others: set[tuple[str, ...]]
) -> None:
    found = vocabulary(row)
    assert found.names == names
    assert found.phrases == {*names} | others


def test_the_longest_phrase_ends_first() -> None:
    found = vocabulary("age|age group|age group of yours")
    tokens = ("your", "age", "group", "please")
    assert [*found.ends(tokens, 1)] == [3, 2]
    assert [*found.ends(tokens, 0)] == []


def test_slashes_stand_for_alternatives_at_one_place() -> None:
    assert phrases_of("what/which age|sex") == (("what", "age"), ("which", "age"), ("sex",))


def test_letters_lose_accents_and_capitals_and_chinese_is_divided() -> None:
    assert plain_letters("Âge OU ÉTÉ") == "age ou ete"
    assert tokens_of("aged 18 or 7, 年龄") == ("aged", "00", "or", "7", "年", "龄")


def test_patterns_of_one_language_are_among_those_of_all() -> None:
    english, every = word_patterns("sensitive", "en"), word_patterns("sensitive", "")
    assert english
    assert {*english} < {*every}
