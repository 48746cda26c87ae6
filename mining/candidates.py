"""Candidates for frequent itemsets, from the shorter ones that were kept."""

from __future__ import annotations

import itertools
import math
from itertools import islice
from typing import Final

import numpy as np

from mining.columns.bitmatrix import BitMatrix
from mining.columns.remembered import key_of
from mining.columns.transposition import FULL, unpacked_columns
from mining.thresholds import Thresholds
from privacy.arrays import Flags, Whole
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns
from privacy.estimation.design_index import index_of
from privacy.survey.design import Design

__all__ = [
    "MAX_CANDIDATES",
    "MLXTEND",
    "frequent_itemsets",
    "is_undisguised",
    "join",
    "plain_rows",
    "search_by_mlxtend",
    "single_items",
]


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


_LARGEST_TABLE: Final = 1 << 28
"""Cells that mlxtend may build at once (a byte each); beyond it works with little memory, more slowly."""


def frequent_itemsets(rows: Flags, *, support: float, max_size: int) -> dict[Columns, float]:
    """List every itemset that at least a share `support` of the rows hold.

    Parameters
    ----------
    rows : ndarray of bool, shape (n, items), n >= 1
        True answers.
    support : float
        0 < support <= 1.
    max_size : int
        Longest itemset, at least 1.

    Returns
    -------
    dict of Columns to float
        Share of the rows that hold it, by itemset: shorter ones first, those of one size in the order of
        their items.

    Raises
    ------
    PrivacyError
        ``no_rows``.

    Examples
    --------
    >>> rows = np.array([[True, True], [True, False], [True, True], [False, True]])
    >>> frequent_itemsets(rows, support=0.5, max_size=2)
    {(0,): 0.75, (1,): 0.75, (0, 1): 0.5}
    """
    n, n_items = rows.shape
    if n == 0:
        raise PrivacyError("no_rows", 0)
    # Loaded where it is used: web and sweeper start, and stay, without it.
    import pandas as pd
    from mlxtend.frequent_patterns import apriori

    table = apriori(
        pd.DataFrame(rows),
        min_support=support,
        max_len=max_size,
        low_memory=n * max(math.comb(n_items, size) for size in range(1, min(3, max_size) + 1))
        > _LARGEST_TABLE,
    )
    itemsets = [tuple(sorted(map(int, items))) for items in table["itemsets"]]
    supports = dict(zip(itemsets, table["support"].tolist(), strict=True))
    return {items: supports[items] for items in sorted(itemsets, key=lambda items: (len(items), items))}


def is_undisguised(matrix: BitMatrix) -> bool:
    """Say whether every row shows true answers to every question: mining it is plain mining.

    So it is when p = 1 in each group with rows, of every block, and no one left out a question.

    Parameters
    ----------
    matrix : BitMatrix
        Rows as bit columns.
    """
    design = matrix.design
    direct, protected = index_of(design).undisguised
    as_it_is = (direct or not matrix.n_direct) and (protected or not matrix.n_protected)
    return as_it_is and all(
        matrix.stored_at[design.asked_column(number)] == FULL for number in range(len(design.questions))
    )


def plain_rows(matrix: BitMatrix) -> Flags:
    """Unpack the items of all rows, direct ones first, shape (n, items); a byte for each.

    Parameters
    ----------
    matrix : BitMatrix
        Of rows that no one disguised.
    """
    n_items = len(matrix.design.items)
    rows = np.ones((matrix.n, n_items), dtype=bool)
    stored = matrix.stored_at[:n_items]
    start = 0
    for group in (matrix.direct, matrix.protected):
        places = stored[stored != FULL]
        rows[start : start + group.n, stored != FULL] = unpacked_columns(group.words[places], group.n).T
        start += group.n
    return rows


def search_by_mlxtend(matrix: BitMatrix, thresholds: Thresholds) -> tuple[Whole, ...]:
    """Search frequent itemsets by size, rows in lexicographic order; candidates are bounded before.

    Parameters
    ----------
    matrix : BitMatrix
        Of rows that no one disguised.
    thresholds : Thresholds
        Of the run.
    """
    mined = single_items(matrix.design)[:, 0]
    itemsets = frequent_itemsets(
        plain_rows(matrix)[:, mined], support=thresholds.support, max_size=thresholds.max_size
    )
    return tuple(mined[np.array(list(level))] for _size, level in itertools.groupby(itemsets, key=len))
