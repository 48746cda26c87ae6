import math
import re

import numpy as np
import pytest

from privacy import validation
from privacy.errors import PrivacyError
from tests.fixtures.refusals import refused
from tests.reach import LAYERS
from tests.test_architecture import modules, named


@pytest.mark.parametrize("value", [0, 10_000, np.int64(0), np.uint32(10_000)])
def test_whole_numbers_within_the_range_become_plain_integers(value: object) -> None:
    number = validation.whole_number(value, "p", low=0, high=10_000)
    assert number == value
    assert type(number) is int


@pytest.mark.parametrize(
    "value",
    [True, False, 0.5, 1.0, "1", None, [1], np.float64(1), np.array([1, 2]), np.bool_(True)],
    ids=repr,
)
def test_non_integers_are_refused(value: object) -> None:
    # Messages show NumPy's scalars as plain numbers.
    plain = value.item() if isinstance(value, np.generic) else value
    with refused("out_of_range", "p", repr(plain), "not a whole number"):
        validation.whole_number(value, "p", low=0, high=10_000)


@pytest.mark.parametrize("value", [-1, 10_001, 10**30])
def test_whole_numbers_outside_the_range_are_refused(value: int) -> None:
    with refused("share", "p", value, "0..10000"):
        validation.whole_number(value, "p", low=0, high=10_000, code="share")


def test_row_counts_are_limited_to_one_trillion() -> None:
    assert validation.number_of_rows(10**12) == 10**12
    with refused("n", "n", 10**12 + 1, "1..1000000000000"):
        validation.number_of_rows(10**12 + 1)


@pytest.mark.parametrize("value", [0, 0.0, 1, 0.5, np.float32(0.5)])
def test_numbers_within_a_closed_range_become_floats(value: object) -> None:
    number = validation.real_number(value, "support", low=0, high=1)
    assert type(number) is float
    assert number == value


@pytest.mark.parametrize("value", [0, 1, 1.0])
def test_open_ranges_exclude_their_ends(value: float) -> None:
    with refused("out_of_range", "level", "(0, 1)"):
        validation.real_number(value, "level", low=0, high=1, open_ends=True)


@pytest.mark.parametrize(
    "value", [-0.1, 1.1, math.inf, -math.inf, math.nan, True, "0.5", b"1", None, [0.5], 1j]
)
def test_values_that_are_not_numbers_in_range_are_rejected(value: object) -> None:
    with refused("out_of_range", "support"):
        validation.real_number(value, "support", low=0, high=1)


@pytest.mark.parametrize("value", [0, 1, "true", None])
def test_only_true_and_false_are_booleans(value: object) -> None:
    assert validation.truth_value(False, "protected", code="malformed") is False
    with refused("malformed", repr(value)):
        validation.truth_value(value, "protected", code="malformed")


@pytest.mark.parametrize("value", ["Live", "", None, 1, ["live"]])
def test_unknown_values_are_rejected_listing_the_known_ones(value: object) -> None:
    with refused("unknown_value", repr(value)):
        validation.one_of(value, "use", allowed=("live", "study"))


@pytest.mark.parametrize("value", ["a", "22", "2.5-6", "A_b", "x" * 64, "0+"])
def test_short_plain_keys_are_accepted(value: str) -> None:
    assert validation.key(value, "key") == value


@pytest.mark.parametrize("value", ["", "a b", "a=b", "a&b", "_a", "é", "x" * 65, "a\n", None, 7, "<=22"])
def test_keys_ambiguous_in_itemsets_are_refused(value: object) -> None:
    with refused("bad_key", repr(value)):
        validation.key(value, "key")


def test_errors_name_the_first_duplicate_key() -> None:
    validation.distinct(["a", "b"], "question")
    with refused("duplicate_key", "'b'"):
        validation.distinct(["a", "b", "c", "b", "a"], "question")


@pytest.mark.parametrize("value", ["ab", {"a": 1}, {"a"}, None, 2])
def test_only_lists_and_tuples_are_accepted_as_lists(value: object) -> None:
    assert validation.as_tuple(["a", 1], "options") == validation.as_tuple(("a", 1), "options") == ("a", 1)
    with refused("malformed", repr(value)):
        validation.as_tuple(value, "options")


RAW = re.compile(r"NDArray\[(np\.float64|np\.int64|np\.bool_)\]")


def test_array_types_are_defined_in_one_module() -> None:
    where = {named(path) for path in modules(*LAYERS) if RAW.search(path.read_text(encoding="utf-8"))}
    assert where == {"privacy/arrays.py"}


@pytest.mark.parametrize(
    ("values", "case"),
    [
        (["a", "b", "a"], "twice"),
        (["a", "a "], "blocks.alike"),
        (["a b", "c", " a  b"], "blocks.alike"),
        (["a", "a\u200b"], "blocks.alike"),
        (["\u00e9", "e\u0301"], "blocks.alike"),
        (["a", "b\0"], "blocks.control"),
        (["a\nb"], "blocks.control"),
        (["a\ud800"], "blocks.control"),
    ],
)
def test_texts_that_people_cannot_tell_apart_are_refused(values: list[str], case: str) -> None:
    with pytest.raises(PrivacyError) as caught:
        validation.visibly_distinct(values, "option")
    assert caught.value.case == case
    assert caught.value.remedy


def test_texts_that_differ_visibly_are_accepted() -> None:
    validation.visibly_distinct(["a", "A", "a b", "ab", " c", 1, 1.0, None], "option")
