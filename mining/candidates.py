"""Candidates for frequent itemsets, from the shorter ones that were kept."""

from __future__ import annotations

from itertools import islice
from typing import Final

import numpy as np

from mining.columns.remembered import key_of
from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError
from privacy.estimation.design_index import index_of
from privacy.survey.design import Design

__all__ = ["MAX_CANDIDATES", "MLXTEND", "join", "single_items"]

try:
    from mlxtend import __version__ as MLXTEND
except ModuleNotFoundError:
    MLXTEND = ""
"""Version of mlxtend; empty in the library alone, which makes the same candidates and rules on arrays."""

MAX_CANDIDATES: Final = 1_000_000
"""Most candidates of one size, unless the caller allows more."""

_PAIRS_AT_A_TIME: Final = 1 << 20


def single_items(design: Design) -> Whole:
    """Return the itemsets of one item, shape (number of items, 1).

    Without anchors: what is true of no one is in no itemset, and what is true of everyone goes with each.

    Parameters
    ----------
    design : Design
        Design of the rows that are searched.
    """
    mined = [item.index for item in design.items if not design.questions[item.question].anchor]
    return np.array(mined, dtype=np.int64)[:, None]


def join(
    design: Design,
    frequent: Whole,
    *,
    max_candidates: int = MAX_CANDIDATES,
    on_arrays: bool = False,
) -> Whole:
    """Join and prune: itemsets of the next size all of whose subsets of this size were kept.

    Parameters
    ----------
    design : Design
        Says which items are options of one single-choice question, of which no one has two, and which
        questions no device is asked together.
    frequent : ndarray of int64, shape (m, size)
        Ascending items, rows in lexicographic order.
    max_candidates : int
        Refuse to make more.
    on_arrays : bool
        Make them with array arithmetic, some twenty times as fast, in place of mlxtend's generator. The
        result is the same.

    Returns
    -------
    ndarray of int64, shape (c, size + 1)
        Ascending items, rows in lexicographic order.

    Raises
    ------
    PrivacyError
        ``max_candidates``: there would be more.

    Notes
    -----
    mlxtend's ``generate_new_combinations``: two sets that differ in the last item only are joined, and the
    result stays if every subset one shorter was kept (Agrawal and Srikant 1994, section 2.1.1).

    Examples
    --------
    Items 0 and 1 are the options of one question; {2, 3} was not kept:

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> mood = Question(key="mood", kind="single", options=("low", "high"), unrelated=())
    >>> did = Question(key="did", kind="multi", options=("lied", "left"), unrelated=())
    >>> design = Design(blocks=(Block(key="open", protected=False, truth_probability=10000, refusal=None,
    ...                 asked_if=None, questions=(mood, did)),), group=GroupPolicy(), use="live")
    >>> join(design, single_items(design)).tolist()
    [[0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    >>> join(design, np.array([[0, 2], [0, 3], [1, 2], [1, 3]])).tolist()
    []
    """
    made = (_by_mlxtend if MLXTEND and not on_arrays else _by_arrays)(frequent, max_candidates)
    if len(made) > max_candidates:
        raise PrivacyError("max_candidates", max_candidates, shape=made.shape[1])
    # Longer ones need no look: a pair of options was never kept, so nothing that holds one was joined.
    allowed = made[~_excluded(design, made)] if made.shape[1] == 2 else made
    # They do for what devices draw: three questions may be asked two by two and never all together.
    index = index_of(design)
    return allowed[index.reachable(allowed)] if design.rotates else allowed


def _by_mlxtend(frequent: Whole, most: int) -> Whole:
    """Stop at one more than `most`: that is enough to know that there are too many."""
    # Loaded where it is used: web and sweeper start, and stay, without it.
    from mlxtend.frequent_patterns.apriori import generate_new_combinations

    size = frequent.shape[1] + 1
    flat = islice(generate_new_combinations(frequent.tolist()), (most + 1) * size)
    return np.fromiter(flat, dtype=np.int64).reshape(-1, size)


def _by_arrays(frequent: Whole, most: int) -> Whole:
    """Pair each set with those behind it that share all but the last item; prune; a chunk at a time."""
    m, size = frequent.shape
    starts = np.ones(m, dtype=bool)
    np.any(frequent[1:, :-1] != frequent[:-1, :-1], axis=1, out=starts[1:])
    first_of_next = np.append(np.flatnonzero(starts)[1:], m)
    partners = first_of_next[np.cumsum(starts) - 1] - np.arange(m) - 1
    pairs_before = np.concatenate([[0], np.cumsum(partners)])
    n_items = int(frequent.max(initial=0)) + 1
    known = key_of(frequent, n_items)
    chunks = [np.empty((0, size + 1), dtype=np.int64)]
    made = row = 0
    while row < m and made <= most:
        end = max(
            row + 1, int(np.searchsorted(pairs_before, pairs_before[row] + _PAIRS_AT_A_TIME, "right")) - 1
        )
        left = np.repeat(np.arange(row, end), partners[row:end])
        right = left + 1 + np.arange(len(left)) - (pairs_before[left] - pairs_before[row])
        joined = np.concatenate([frequent[left], frequent[right, -1:]], axis=1)
        for dropped in range(size - 1):
            # The two parents are the subsets without the last item and without the one before it.
            subset = key_of(np.delete(joined, dropped, axis=1), n_items)
            position = np.minimum(np.searchsorted(known, subset), m - 1)
            joined = joined[known[position] == subset]
        chunks.append(joined)
        made, row = made + len(joined), end
    return np.concatenate(chunks)


def _excluded(design: Design, pairs: Whole) -> Flags:
    """Which pairs are two options of one single-choice question."""
    question = np.array([item.question for item in design.items])
    single = np.array([question.is_exclusive for question in design.questions])
    first, second = question[pairs[:, 0]], question[pairs[:, 1]]
    excluded: Flags = (first == second) & single[first]
    return excluded
