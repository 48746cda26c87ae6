"""Counts by number, whatever holds them."""

import pandas
import pytest

from privacy.library.ordered_counts import counts_in_order
from tests.fixtures.refusals import refused


@pytest.mark.parametrize(
    ("counts", "ordered"),
    [
        ([4, 0, 1], [4, 0, 1]),
        ((), []),
        ({}, []),
        ({3: 2, 1.0: 5}, [0, 5, 0, 2]),
        (pandas.Series([7, 9], index=[2, 0]), [9, 0, 7]),
        (pandas.Series([1, 1, 0, 3]).value_counts(), [1, 2, 0, 1]),
    ],
)
def test_a_number_without_a_count_has_none(counts: object, ordered: list[int]) -> None:
    assert counts_in_order(counts, "control") == ordered


def test_numbers_up_to_999_can_have_counts() -> None:
    assert counts_in_order({999: 2}, "control") == [0] * 999 + [2]


@pytest.mark.parametrize("label", [-1, 1000, 0.5, "two", True, None])
def test_a_label_that_is_no_number_of_items_is_refused(label: object) -> None:
    with refused("paper", label, "control"):
        counts_in_order({label: 3}, "control")


def test_two_labels_of_one_number_are_refused() -> None:
    with refused("paper", 2, "control"):
        counts_in_order({"2": 1, 2: 3}, "control")


@pytest.mark.parametrize("counts", ["3, 0", pandas.DataFrame({"n": [1, 2]})])
def test_a_text_or_a_table_is_refused(counts: object) -> None:
    with refused("paper", type(counts).__name__, "the counts of control"):
        counts_in_order(counts, "control")
