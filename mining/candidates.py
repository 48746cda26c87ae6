"""Which itemsets can be frequent, given the shorter ones that were kept."""

from __future__ import annotations

from itertools import islice
from typing import Final

import numpy as np
from mlxtend.frequent_patterns.apriori import generate_new_combinations
from numpy.typing import NDArray

from mining.errors import OverBudget
from privacy.disguise.design import Design

__all__ = ["MAX_CANDIDATES", "join", "single_items"]

MAX_CANDIDATES: Final = 1_000_000
"""Most candidates of one size, unless whoever asks allows more."""


def single_items(design: Design) -> NDArray[np.int64]:
    """Return the itemsets of one item, shape (number of items, 1)."""
    return np.arange(len(design.items), dtype=np.int64)[:, None]


def join(
    design: Design, kept: NDArray[np.int64], *, max_candidates: int = MAX_CANDIDATES
) -> NDArray[np.int64]:
    """Join and prune: itemsets of the next size all of whose subsets of this size were kept.

    Parameters
    ----------
    design : Design
        Says which items are options of one single-choice question; nobody has two of them.
    kept : ndarray of int64, shape (m, size)
        Ascending items, rows in lexicographic order.
    max_candidates : int
        Refuse to make more.

    Returns
    -------
    ndarray of int64, shape (c, size + 1)
        Ascending items, rows in lexicographic order.

    Raises
    ------
    OverBudget
        ``max_candidates``: there would be more.

    Notes
    -----
    mlxtend's ``generate_new_combinations``: two sets that differ in the last item only are joined, and the
    result stays if every subset one shorter was kept (Agrawal and Srikant 1994, section 2.1.1).

    Examples
    --------
    Items 0 and 1 are the options of one question; {2, 3} was not kept:

    >>> from privacy.disguise.design import Block, GroupPolicy, Question
    >>> mood = Question(key="mood", kind="single", options=("low", "high"), unrelated=())
    >>> did = Question(key="did", kind="multi", options=("lied", "left"), unrelated=())
    >>> design = Design(blocks=(Block(key="open", protected=False, truth_probability=10000, refusal=None,
    ...                 asked_if=None, questions=(mood, did)),), group=GroupPolicy(), use="live")
    >>> join(design, single_items(design)).tolist()
    [[0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    >>> join(design, np.array([[0, 2], [0, 3], [1, 2], [1, 3]])).tolist()
    []
    """
    size = kept.shape[1] + 1
    flat = generate_new_combinations(kept.tolist())
    # One more than allowed is enough to know that there are too many.
    made = np.fromiter(islice(flat, (max_candidates + 1) * size), dtype=np.int64).reshape(-1, size)
    if len(made) > max_candidates:
        raise OverBudget(
            "max_candidates",
            f"more than {max_candidates} itemsets of {size} items would have to be counted",
            max_candidates,
            "raise the support threshold, shorten the longest itemset, or allow more candidates",
        )
    # Longer ones need no look: a pair of options was never kept, so nothing that holds one was joined.
    return made[~_excluded(design, made)] if size == 2 else made


def _excluded(design: Design, pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which pairs are two options of one single-choice question."""
    question = np.array([item.question for item in design.items])
    single = np.array([question.kind == "single" for question in design.questions])
    first, second = question[pairs[:, 0]], question[pairs[:, 1]]
    excluded: NDArray[np.bool_] = (first == second) & single[first]
    return excluded
