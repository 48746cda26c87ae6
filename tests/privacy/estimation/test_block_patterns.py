"""Parts of an itemset by block, and which itemsets have none."""

import numpy as np
import pytest

from privacy.estimation.block_patterns import MOST_EVENT_ITEMS, Share, parts_of, pattern_rows
from privacy.estimation.counts import SupportCounts
from privacy.estimation.design_index import index_of
from tests.fixtures.questionnaires import grouped
from tests.fixtures.refusals import refused
from tests.privacy.estimation.designs import MIXED, ROTATING


def test_an_itemset_is_split_by_block_in_ascending_order() -> None:
    parts = parts_of((4, 0, 2, 1), index_of(grouped([2, 3])))
    assert [part.items for part in parts] == [(0, 1), (2, 4)]


def test_an_open_block_is_not_disguised() -> None:
    index = index_of(MIXED)
    is_disguised = {item.index: MIXED.blocks[item.block].protected for item in MIXED.items}
    for item, expected in is_disguised.items():
        (part,) = parts_of((item,), index)
        assert part.disguised == expected
        assert (part.truth == (1.0, 1.0)) == (not expected)


@pytest.mark.parametrize(
    ("items", "code"), [((), "itemset"), ((1, 1), "itemset"), (range(13), "itemset"), ((99,), "item")]
)
def test_invalid_itemsets_are_refused(items: tuple[int, ...], code: str) -> None:
    with refused(code):
        parts_of(tuple(items), index_of(grouped([14])))


def test_twelve_items_are_the_most() -> None:
    assert len(parts_of(tuple(range(MOST_EVENT_ITEMS)), index_of(grouped([14])))[0].nodes) == 2**12


def test_questions_that_no_device_draws_together_are_refused() -> None:
    index = index_of(ROTATING["two of three"])
    assert len(parts_of((0, 1), index)) == 1
    with refused("never_together", "a", "b", "c"):
        parts_of((0, 1, 2), index)


def test_a_share_needs_rows() -> None:
    parts = parts_of((0,), index_of(grouped([2])))
    with refused("no_rows"):
        Share.of(np.ones(2), np.zeros((2, 2), dtype=np.int64), parts)


def test_counts_that_no_rows_have_are_refused() -> None:
    """Of ten rows, eight have each item and five both, so 10 - 8 - 8 + 5 have neither."""
    index = index_of(grouped([2]))
    counts = SupportCounts({(): (0, 10), (0,): (0, 8), (1,): (0, 8), (0, 1): (0, 5)})
    with refused("count", "-1"):
        pattern_rows(counts, parts_of((0, 1), index), index)
