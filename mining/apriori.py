"""Apriori: candidates built from kept itemsets, through mlxtend."""

from __future__ import annotations

from itertools import islice
from typing import Final

import numpy as np

from mining.columns.precomputed_counts import key_of
from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError
from privacy.estimation.design_index import index_of
from privacy.survey.design import Design

try:
    from mlxtend import __version__ as _version
except ModuleNotFoundError:
    _version = ""

MLXTEND: Final[str] = _version
"""Version of mlxtend; empty if it is missing, and arrays then give the same candidates and rules."""

MAX_CANDIDATES: Final = 1_000_000
"""Default limit on candidates of one size."""

_PAIRS_AT_A_TIME: Final = 1 << 20


def join(
    design: Design, frequent: Whole, *, max_candidates: int = MAX_CANDIDATES, on_arrays: bool = False
) -> Whole:
    """Join and prune: return the itemsets of the next size whose subsets of this size were all kept.

    Parameters
    ----------
    design : Design
        Determines which items are options of one single-choice question, and which questions no device is
        asked together.
    frequent : ndarray of int64, shape (m, size)
        Ascending items, rows in lexicographic order.
    max_candidates : int
        Limit on the number of candidates.
    on_arrays : bool
        Use array arithmetic instead of mlxtend's generator: about twenty times as fast, with the same result.

    Returns
    -------
    ndarray of int64, shape (c, size + 1)
        Ascending items, rows in lexicographic order.

    Raises
    ------
    PrivacyError
        ``max_candidates``: the limit is exceeded.

    Notes
    -----
    As mlxtend's ``generate_new_combinations``: two sets that differ only in the last item are joined, and the
    result is kept if all its subsets with one item less were kept (Agrawal and Srikant 1994, section 2.1.1).

    Examples
    --------
    Items 0 and 1 are the options of one question; {2, 3} was not kept:

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> mood = Question(key="mood", kind="single", options=("low", "high"), unrelated=())
    >>> did = Question(key="did", kind="multi", options=("lied", "left"), unrelated=())
    >>> design = Design(blocks=(Block(key="open", protected=False, truth_probability=10000,
    ...                 questions=(mood, did)),), group=GroupPolicy(), use="live")
    >>> join(design, single_items(design)).tolist()
    [[0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    >>> join(design, np.array([[0, 2], [0, 3], [1, 2], [1, 3]])).tolist()
    []
    """
    itemsets = (_by_mlxtend if MLXTEND and not on_arrays else _by_arrays)(frequent, max_candidates)
    if len(itemsets) > max_candidates:
        raise PrivacyError("max_candidates", max_candidates, shape=itemsets.shape[1])
    # Longer itemsets need no check: no pair of options was kept, so no joined itemset contains one.
    allowed = itemsets[~_exclusive_pairs(design, itemsets)] if itemsets.shape[1] == 2 else itemsets
    # Drawn questions do need a check: three may be asked in pairs but never all together.
    index = index_of(design)
    return allowed[index.reachable(allowed)] if design.rotates else allowed


def _by_mlxtend(frequent: Whole, most: int) -> Whole:
    """Join with mlxtend; stop at `most` + 1, which is enough to detect an excess."""
    # Imported here because the web process and the sweeper must not load mlxtend.
    from mlxtend.frequent_patterns.apriori import generate_new_combinations

    size = frequent.shape[1] + 1
    flat = islice(generate_new_combinations(frequent.tolist()), (most + 1) * size)
    return np.fromiter(flat, dtype=np.int64).reshape(-1, size)


def _by_arrays(frequent: Whole, most: int) -> Whole:
    """Join each set with later sets that share all but the last item, and prune, in chunks."""
    m, size = frequent.shape
    starts = np.ones(m, dtype=bool)
    np.any(frequent[1:, :-1] != frequent[:-1, :-1], axis=1, out=starts[1:])
    first_of_next = np.append(np.flatnonzero(starts)[1:], m)
    partners = first_of_next[np.cumsum(starts) - 1] - np.arange(m) - 1
    pairs_before = np.concatenate([[0], np.cumsum(partners)])
    n_items = int(frequent.max(initial=0)) + 1
    keys = key_of(frequent, n_items)
    chunks = [np.empty((0, size + 1), dtype=np.int64)]
    count = row = 0
    while row < m and count <= most:
        end = max(
            row + 1, int(np.searchsorted(pairs_before, pairs_before[row] + _PAIRS_AT_A_TIME, "right")) - 1
        )
        left = np.repeat(np.arange(row, end), partners[row:end])
        right = left + 1 + np.arange(len(left)) - (pairs_before[left] - pairs_before[row])
        candidates = np.concatenate([frequent[left], frequent[right, -1:]], axis=1)
        for drop_at in range(size - 1):
            # The subsets without one of the last two items are the joined sets, so they need no check.
            subset = key_of(np.delete(candidates, drop_at, axis=1), n_items)
            position = np.minimum(np.searchsorted(keys, subset), m - 1)
            candidates = candidates[keys[position] == subset]
        chunks.append(candidates)
        count, row = count + len(candidates), end
    return np.concatenate(chunks)


def _exclusive_pairs(design: Design, pairs: Whole) -> Flags:
    """Flag pairs of options of the same single-choice question."""
    question = np.array([item.question for item in design.items])
    single = np.array([question.is_exclusive for question in design.questions])
    first, second = question[pairs[:, 0]], question[pairs[:, 1]]
    result: Flags = (first == second) & single[first]
    return result


def single_items(design: Design) -> Whole:
    """Return the itemsets of one item, shape (number of items, 1).

    Anchors are left out, because an item with a known share of 0 or 1 adds nothing to an itemset.

    Parameters
    ----------
    design : Design
        Design of the rows that are searched.
    """
    indices = [item.index for item in design.items if not design.questions[item.question].anchor]
    return np.array(indices, dtype=np.int64)[:, None]
