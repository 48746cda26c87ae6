"""Predicted itemsets depend only on releasable figures, not on pairs asked of fewer than 100 people.

Two worlds have the same shares, the same pairs of 100 people or more, and the same pooled sums, but two
smaller pairs are swapped. All figures must be identical to the last bit.
"""

import itertools
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas
import pytest

from mining import predicted_itemsets
from mining.frames.survey import Survey
from privacy.estimation import borrowed_pairs
from privacy.estimation.borrowed_pairs import PairFigures

ITEMS = [f"q{number}" for number in range(8)]
PAIRS = list(itertools.combinations(range(8), 2))
SURVEY = Survey(blocks={"b": ITEMS}, p=0.6, questions_per_person={"b": 2})
SMALL = [(0, 1), (2, 3), (4, 5)]
"""The pairs below the minimum; moving answers between them leaves each item's number of "yes" unchanged."""


def world(moved: dict[tuple[int, int], int], *, small: list[tuple[int, int]], size: int = 3) -> str:
    """Return all figures of a survey in which `moved` more people report both items of a pair."""
    rows = []
    for at, pair in enumerate(PAIRS):
        n = 99 if pair in small else 120
        # Of the people asked a pair, 40 report each item, however many report both.
        both = (18 if pair in small else 6 + at % 5 * 7) + moved.get(pair, 0)
        answers = [(1, 1)] * both + [(1, 0), (0, 1)] * (40 - both)
        for answer in answers + [(0, 0)] * (n - len(answers)):
            rows.append({ITEMS[item]: own for item, own in zip(pair, answer, strict=True)})
    frame = pandas.DataFrame(rows, columns=ITEMS)
    table = SURVEY.on(frame).supports(min=0.001, size=size, borrow=True)
    assert set(table.basis) >= {"completed", "direct"}
    return table.to_csv()


ONE = {(0, 1): 9, (2, 3): -5}
OTHER = {(0, 1): -5, (2, 3): 9}


@pytest.mark.parametrize("small", [SMALL, PAIRS], ids=["some pairs are pooled", "all pairs are pooled"])
def test_predictions_depend_only_on_releasable_figures(small: list[tuple[int, int]]) -> None:
    assert world(ONE, small=small, size=4) == world(OTHER, small=small, size=4)


def test_pairs_of_100_people_affect_predictions() -> None:
    assert world({(0, 7): 9}, small=SMALL) != world({(0, 7): -5}, small=SMALL)


def read_one_pair_of_99(figures: PairFigures) -> PairFigures:
    kept = borrowed_pairs.publishable_pairs(figures)
    at = PAIRS.index((0, 1))
    estimates = np.where(np.arange(len(PAIRS)) == at, figures.estimates, kept.estimates)
    return replace(kept, estimates=estimates)


def pool_one_pair_of_99(figures: PairFigures) -> PairFigures:
    """Let a single small pair into the pooled sum, without others to hide it."""
    at = PAIRS.index((0, 1))
    others = np.array([pair in SMALL for pair in PAIRS]) & (np.arange(len(PAIRS)) != at)
    rows = np.where(others[:, None], 0, figures.asked_both)
    rows[at] += 100
    pooled = borrowed_pairs.publishable_pairs(replace(figures, asked_both=rows)).pool
    return replace(borrowed_pairs.publishable_pairs(figures), pool=pooled)


@pytest.mark.parametrize("gate", [read_one_pair_of_99, pool_one_pair_of_99])
def test_using_pairs_of_99_people_is_detected(
    gate: Callable[[PairFigures], PairFigures], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(predicted_itemsets, "publishable_pairs", gate)
    assert world(ONE, small=SMALL) != world(OTHER, small=SMALL)
