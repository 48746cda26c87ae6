import numpy as np
import pytest

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.evaluation import compare, read_truth
from mining.itemset_table import ItemsetTable
from mining.itemsets import estimate_itemsets
from privacy.errors import PrivacyError
from tests.fixtures.questionnaires import EVERYTHING, grouped

DESIGN = grouped([3], p=5000, theta=5000)


def table() -> ItemsetTable:
    """Return estimates .2, .3, .7, with SE about .1, from shares .35, .40, .60 of a hundred rows."""
    rows = np.zeros((100, 3), dtype=bool)
    for item, ones in enumerate((35, 40, 60)):
        rows[:ones, item] = True
    count_cache = CountCache(BitMatrix.from_booleans(DESIGN, rows, np.zeros(100, dtype=bool)))
    return estimate_itemsets(count_cache, DESIGN, [(0,), (1,), (2,)])


def test_false_and_missed_itemsets_and_errors_match_the_source() -> None:
    found = compare(table(), {(0,), (2,)}, {(0,): 0.1, (1,): 0.32, (2,): 0.71}, support=0.15)
    assert (found.false, found.missed) == (((0,),), ((1,),))
    assert (found.n_itemsets, found.n_listed, found.n_frequent) == (3, 2, 2)
    assert found.mean_error == pytest.approx((0.1 + 0.02 + 0.01) / 3)
    assert found.mean_error_listed == pytest.approx((0.1 + 0.01) / 2)


def test_coverage_is_counted_for_all_and_for_listed_itemsets() -> None:
    found = compare(table(), {(0,), (2,)}, {(0,): 0.2, (1,): 0.3, (2,): 0.05}, support=0.15)
    assert (found.coverage, found.coverage_listed) == (pytest.approx(2 / 3), 0.5)


def test_itemsets_with_unknown_truth_are_not_compared() -> None:
    found = compare(table(), {(0,), (2,)}, {(1,): 0.3}, support=0.15)
    assert (found.n_itemsets, found.n_listed, found.mean_error_listed) == (1, 0, None)
    assert (found.coverage, found.coverage_listed) == (1.0, None)
    assert found.missed == ((1,),)


def test_without_frequent_itemsets_every_listed_one_is_false() -> None:
    found = compare(table(), {(0,)}, {(0,): 0.01}, support=0.15)
    assert (found.false, found.missed, found.n_frequent) == (((0,),), (), 0)


def test_a_true_support_exactly_at_the_threshold_counts_as_frequent() -> None:
    assert compare(table(), set(), {(0,): 0.1 + 0.05 - 1e-17}, support=0.15).n_frequent == 1


def test_itemset_names_are_read_in_any_item_order() -> None:
    truth = read_truth(EVERYTHING, {"married & age=22": 0.2, "smokes": 0.3})
    assert truth == {(0, 3): 0.2, (EVERYTHING.item("smokes").index,): 0.3}


@pytest.mark.parametrize(
    ("named", "code"),
    [
        ({"smokes & drinks": 0.1, "drinks & smokes": 0.1}, "truth"),
        ({"smokes & smokes": 0.1}, "truth"),
        ({"smokes": 1.2}, "truth"),
        ({"smoke": 0.2}, "unknown_item"),
    ],
)
def test_an_impossible_truth_is_refused(named: dict[str, float], code: str) -> None:
    with pytest.raises(PrivacyError) as refusal:
        read_truth(EVERYTHING, named)
    assert refusal.value.code == code


def test_an_interval_covers_both_of_its_ends() -> None:
    estimated = table()
    for ends in (estimated.interval.low, estimated.interval.high):
        truth = {(item,): float(end) for item, end in enumerate(ends)}
        assert compare(estimated, set(), truth, support=0.5).coverage == 1.0
