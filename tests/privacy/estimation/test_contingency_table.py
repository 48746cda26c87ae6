import itertools
from collections import Counter

import numpy as np
import pytest

from privacy.estimation import required_counts
from privacy.estimation.required_counts import Event, Pair, contingency_tables
from privacy.estimation.shapes import BOTH
from privacy.survey import Design
from tests.privacy.estimation.designs import CHOICES, ENUMERATED, MIXED, THREE_BLOCKS
from tests.privacy.estimation.records import Row, count, itemset_score, itemsets, sample


def tally(asked: Design, rows: list[Row], pair: Pair, direct: bool) -> Counter[tuple[float, ...]]:
    """Rows of a group by their scores of union, first and second itemset, from the records."""
    union = tuple(sorted({*pair[0], *pair[1]}))
    parts = (union, *pair)
    return Counter(
        tuple(round(float(itemset_score(asked, row, part)), 9) for part in parts)
        for row in rows
        if row.direct == direct
    )


@pytest.mark.parametrize("name", ENUMERATED)
def test_cells_hold_the_rows_that_score_alike(name: str) -> None:
    asked = ENUMERATED[name]
    rows = sample(asked, 60, seed=41)
    sets = list(itemsets(asked, 3))
    pairs: list[Pair] = [*itertools.product(sets[::3], [(), *sets[::4]])]
    seen = 0
    for part in contingency_tables(count(asked, rows, required_counts(pairs, asked)), pairs, asked):
        for place, position in enumerate(part.positions):
            seen += 1
            protected: Counter[tuple[float, ...]] = Counter()
            scores = part.numerator[:, place] / part.truth[:, place, None]
            for number, score in zip(part.protected[place], scores.T, strict=True):
                protected[tuple(np.round(score, 9) + 0.0)] += int(number)
            direct: Counter[tuple[float, ...]] = Counter()
            for number, match in zip(part.direct[place], part.direct_match.T, strict=True):
                direct[tuple(match)] += int(number)
            assert +protected == tally(asked, rows, pairs[position], direct=False)
            assert +direct == tally(asked, rows, pairs[position], direct=True)
            assert part.n_direct[place] + part.n_protected[place] == 60
    assert seen == len(pairs)


def test_two_options_of_one_choice_never_meet() -> None:
    pair: Pair = ((0, 3), (1,))
    needed = required_counts([pair], CHOICES)
    assert not any({0, 1} <= set(key) for key in needed)
    rows = sample(CHOICES, 50, seed=42)
    (part,) = contingency_tables(count(CHOICES, rows, needed), [pair], CHOICES)
    assert (part.protected >= 0).all()
    # No row matches both, and no decoy could: all scores of the union are 0.
    assert not (part.protected * part.numerator[BOTH]).any()


@pytest.mark.parametrize(
    ("pair", "number"),
    [(((0,), (2,)), 4), (((0, 2), (4,)), 8), (((0, 2, 4), ()), 8), ((0, 2, 4), 8)],
)
def test_an_event_needs_2_to_the_number_of_its_parts_counts(pair: Event, number: int) -> None:
    assert len(required_counts([pair], THREE_BLOCKS)) == number


def test_a_side_whose_open_part_fails_needs_no_more_counts() -> None:
    # A = {oa, a}, B = {m=o0}: neither of "a" and "a and m=o0" is asked for without oa.
    asked_oa = MIXED.asked_column(0)
    needed = set(required_counts([((0, 3), (4,))], MIXED))
    assert needed == {(asked_oa,), (4, asked_oa), (0,), (0, 3), (0, 4), (0, 3, 4)}


def test_truth_is_the_product_of_the_touched_blocks_p() -> None:
    pair: Pair = ((0, 2), (3, 4))
    rows = sample(THREE_BLOCKS, 20, seed=43)
    # Items 2 and 3 are options of one choice; they still touch one block both.
    counts = count(THREE_BLOCKS, rows, required_counts([pair], THREE_BLOCKS))
    (part,) = contingency_tables(counts, [pair], THREE_BLOCKS)
    assert part.truth[:, 0] == pytest.approx([0.6 * 0.45 * 0.7, 0.6 * 0.45, 0.45 * 0.7])
    assert part.shared[0] == pytest.approx(0.45)
    assert part.n_blocks == 3
