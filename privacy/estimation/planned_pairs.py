"""Which pairs a design can predict, and how many of them will have their own estimate."""

from __future__ import annotations

import itertools
from typing import Final, Literal

import numpy as np

from privacy.arrays import Whole
from privacy.estimation.design_index import index_of
from privacy.policy import BORROWING_LEAST_PAIRS, LEAST_COMPLETE_ROWS
from privacy.survey.design import Design

LEAST_ITEMS: Final = 3
"""Fewest items from whose pairs another pair can be predicted."""


def borrowing_items(design: Design) -> Whole:
    """Return the items that can borrow: disguised, without a condition on another answer.

    Parameters
    ----------
    design : Design
    """
    index = index_of(design)
    plain = [block.has_coin and block.asked_if is None for block in design.blocks]
    return np.flatnonzero(np.array(plain)[index.block] & ~index.is_open)


def planned_pairs(design: Design, people: int) -> tuple[int, int]:
    """Return how many pairs will have their own estimate, because 100 people are asked both, and all pairs.

    Parameters
    ----------
    design : Design
    people : int
        Expected number of respondents.
    """
    index, items = index_of(design), borrowing_items(design)
    pairs = items[np.array(list(itertools.combinations(range(len(items)), 2)), dtype=np.int64).reshape(-1, 2)]
    pairs = pairs[~index.excludes(pairs[:, 0], pairs[:, 1])]
    n_asked = people * index.drawing.probability(index.question[pairs])
    return int((n_asked >= LEAST_COMPLETE_ROWS).sum()), len(pairs)


def predicts_pairs(design: Design) -> bool:
    """Return whether a report can predict pairs of a design; this takes at least three items.

    Parameters
    ----------
    design : Design
    """
    return len(borrowing_items(design)) >= LEAST_ITEMS


def planned_basis(design: Design, people: int) -> Literal["shrunk", "pooled"] | None:
    """Return the basis of predicted pairs for this number of respondents; None for fewer than three items.

    Parameters
    ----------
    design : Design
    people : int
    """
    if not predicts_pairs(design):
        return None
    return "shrunk" if planned_pairs(design, people)[0] >= BORROWING_LEAST_PAIRS else "pooled"
