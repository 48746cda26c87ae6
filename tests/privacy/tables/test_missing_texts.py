"""Words and codes that mean "missing": which are asked about, and which are proposed."""

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from privacy.sdc.proposals import propose
from privacy.tables.missing_texts import (
    CODES,
    GAP_CODES,
    MISSING_WORDS,
    NEGATIVE,
    declared_missing,
    is_missing_word,
    missing_texts,
    proposed_texts,
)
from tests.fixtures.tables import read_column


@pytest.mark.parametrize("text", [*MISSING_WORDS, *CODES, "nan", "Refused", "-9.0"])
def test_texts_among_numbers_are_proposed_as_missing_values(text: str) -> None:
    texts = ["18", "64", "31", text]
    assert missing_texts(texts) == (text,)
    assert proposed_texts(texts) == (text,)
    proposal = propose(read_column("age", texts * 3))
    assert (proposal["kind"], proposal["missing"], proposal["questions"]) == ("numeric", 3, {text: 3})


def test_identifier_columns_raise_no_missing_code_questions() -> None:
    assert propose(read_column("patient_id", [str(number) for number in range(200)]))["questions"] == {}
    assert propose(read_column("age", [str(number) for number in range(110)]))["questions"] == {"99": 1}


def ordinary(low: int, high: int) -> st.SearchStrategy[list[int]]:
    """Return a strategy for lists of numbers without missing-value codes."""
    codes = {*map(int, (*CODES, *GAP_CODES)), *NEGATIVE, *(-code for code in NEGATIVE), *range(-6, 0)}
    codes |= {-66, -95, -666}
    return st.lists(st.integers(low, high).filter(lambda number: number not in codes))


@given(ordinary(-20, 1200), st.sets(st.sampled_from([int(code) for code in CODES]), min_size=1))
def test_missing_codes_close_to_other_numbers_are_kept_and_queried(
    numbers: list[int], codes: set[int]
) -> None:
    texts = [str(number) for number in (*codes, *numbers)]
    assert set(missing_texts(texts)) == {str(code) for code in codes}
    for code in codes:
        beside = any(number < 0 if code < 0 else number >= code - 1 for number in numbers)
        assert (str(code) in proposed_texts(texts)) == (bool(numbers) and not beside)


@given(ordinary(-1200, 12_000), st.sampled_from([int(code) for code in GAP_CODES]))
@example([7999], 9999)
@example([8000], 9999)
@example([-10], -999)
@example([-10, 300], -999)
@example([-400, 300], -999)
def test_missing_value_codes_are_detected_only_outside_the_data_range(numbers: list[int], code: int) -> None:
    low, high = min(numbers, default=0), max(numbers, default=0)
    has_gap = low >= 0 or (high >= 0 and low - code > high - low) if code < 0 else code * 0.8 > high
    assert (missing_texts([str(code), *map(str, numbers)]) == (str(code),)) == (bool(numbers) and has_gap)


@pytest.mark.parametrize(
    ("texts", "asked"),
    [
        (["31", "88", "45", "77", "22"], ("88", "77")),
        (["1", "2", "88"], ("88",)),
        (["70", "77", "88"], ()),
        (["1", "2", "-99", "9999"], ("-99", "9999")),
        (["88", "77"], ()),
        (
            ["yes", "Don’t know", "Prefer not to say", "拒绝回答"],
            ("Don’t know", "Prefer not to say", "拒绝回答"),
        ),
    ],
)
def test_survey_tool_codes_are_proposed_as_missing_values(texts: list[str], asked: tuple[str, ...]) -> None:
    assert missing_texts(texts) == asked
    assert proposed_texts(texts) == asked


def test_values_labelled_refused_are_missing() -> None:
    column = read_column("smokes", ["1", "2", "7"] * 20)
    column = replace(column, value_labels={"1": "Yes", "2": "No", "7": "Refused", "8": "Don't know"})
    assert declared_missing(column) == ("7",)
    proposal = propose(column)
    assert (proposal["missing"], proposal["missing_texts"], proposal["questions"]) == (20, ["7"], {"7": 20})


@pytest.mark.parametrize(
    ("texts", "asked"),
    [
        # Other numbers must be below 95% of several codes: 93 is below .95 * 98 = 93.1, 94 is not.
        (["93", "98", "99"], ("98", "99")),
        (["93.1", "98", "99"], ("99",)),
        # 77 and 88 are ages, too, so others must be below 80% of them: 61.6 and 70.4.
        (["61", "77", "88"], ("77", "88")),
        # An ordinary 77 is too near 88.
        (["62", "77", "88"], ()),
        (["70.4", "77", "88"], ()),
        # Codes of three and four digits.
        (["940", "997", "998", "999"], ("997", "998", "999")),
        (["20", "7777", "9998"], ("7777", "9998")),
        # A number near the codes makes all of them ordinary.
        (["5", "96", "97.5", "98"], ()),
        # Codes from -1 to -6 have a gap above them, or 0 and 1, or words, or count beside two others.
        (["0", "2", "-1", "-8", "-9"], ("-1", "-8", "-9")),
        (["0", "2", "-1", "-9"], ("-9",)),
        (["3", "-1", "-9"], ("-1", "-9")),
        (["18", "31", "-1"], ("-1",)),
        (["18", "31", "-5", "-2"], ("-5", "-2")),
        (["0", "1", "-1"], ("-1",)),
        (["yes", "no", "-1"], ("-1",)),
        (["-2", "-1", "0", "1", "2"], ()),
        (["-3", "-2", "-1", "0", "12"], ()),
        # One code is enough, and so are longer ones.
        (["0", "31", "-8"], ("-8",)),
        (["18", "31", "-66", "-77"], ("-66", "-77")),
        (["310", "2200", "-99999"], ("-99999",)),
        (["310", "2200", "-99999", "88888", "99999"], ("-99999", "88888", "99999")),
        # Below real negative numbers, a code is farther away than they are from each other: 420 here.
        (["-120", "300", "15", "-999", "-9999"], ("-999", "-9999")),
        (["-120", "300", "15", "-99"], ()),
        (["-5000", "8000", "-9999"], ()),
        (["weiß nicht", "ja", "NSP", "отказ", ".a"], ("weiß nicht", "NSP", "отказ", ".a")),
        (["3", "-6", "-8", "-9"], ("-6", "-8", "-9")),
        (["3", "-10", "-8", "-9"], ("-9",)),
        # Among words, one negative code is enough, and among negative numbers alone none is.
        (["flu", "-8"], ("-8",)),
        (["-8", "-7"], ()),
        (["refused", "-8"], ("refused",)),
        (["flu", "97", "98"], ("97", "98")),
        # An empty cell is no word.
        (["", "97", "98"], ()),
    ],
)
def test_codes_are_asked_about_from_the_stated_distance_on(texts: list[str], asked: tuple[str, ...]) -> None:
    assert missing_texts(texts) == asked


@pytest.mark.parametrize(
    ("texts", "proposed"),
    [
        # 99 needs all others at least two smaller.
        (["97", "99"], ("99",)),
        (["98", "99"], ()),
        (["97.9", "99"], ("99",)),
        (["0", "-9"], ("-9",)),
        (["0", "-8"], ("-8",)),
        # -1 may be a value.
        (["18", "31", "-1"], ()),
        (["18", "31", "-1", "-8", "-9"], ("-1", "-8", "-9")),
        (["-0.5", "-9"], ()),
        # A column of codes alone has no other numbers, and empty cells are none.
        (["99"], ()),
        (["", "99"], ()),
        (["NA", "99"], ("NA",)),
    ],
)
def test_codes_are_proposed_if_no_other_number_is_near(texts: list[str], proposed: tuple[str, ...]) -> None:
    assert proposed_texts(texts) == proposed


def test_declared_codes_come_before_labelled_ones_and_each_once() -> None:
    column = replace(
        read_column("smokes", ["1", "7", "9"]),
        missing_codes=("9", "7"),
        value_labels={"1": "Yes", "7": " refused ", "6": "Refused"},
    )
    assert declared_missing(column) == ("9", "7")


def test_words_for_missing_values_ignore_case_and_typographic_apostrophes() -> None:
    assert is_missing_word("DON’T KNOW")
    assert not is_missing_word("unknown")


def test_negative_codes_are_found_next_to_a_zero() -> None:
    assert missing_texts(["0", "31", "-88", "-99"]) == ("-88", "-99")
