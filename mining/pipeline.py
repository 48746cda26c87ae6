"""Mine disguised rows: check that reports fit their design, then find itemsets and rules."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Final

import numpy as np

from mining import ProgressListener, ignore_progress
from mining.apriori import MAX_CANDIDATES, MLXTEND
from mining.columns.bitmatrix import FULL, BitMatrix, bit_columns
from mining.columns.count_cache import CountCache
from mining.columns.engines import find_engine
from mining.columns.precomputed_counts import PrecomputedCounts
from mining.itemset_table import ItemsetTable
from mining.itemsets import SearchResult, check_length, examine, examine_undisguised, listed_itemsets
from mining.open_floor import SHOW_ALL, OpenFloor
from mining.rules import MAX_RULES, RuleTable, find_rules, measured_rules
from mining.thresholds import Thresholds
from privacy.errors import PrivacyError
from privacy.estimation.counts import SupportCounts
from privacy.estimation.design_index import index_of
from privacy.estimation.draw_tests import DrawTests
from privacy.estimation.withheld import NOTHING, Withheld
from privacy.survey.design import Design

_MOST_CELLS_FOR_MLXTEND: Final = 1 << 28
"""Largest Boolean table (one byte per cell) given to mlxtend; beyond it, bit columns are searched."""


@dataclass(frozen=True, kw_only=True, eq=False)
class MiningResult:
    """Itemsets and rules of a run, with the parameters of its report.

    Attributes
    ----------
    design : Design
    thresholds : Thresholds
    engine : str
        Programs that searched and counted, with versions.
    n, n_direct, n_protected : int
        Rows read, and rows of each group.
    n_candidates : int or None
        Number of estimated itemsets; None if mlxtend's apriori searched.
    itemsets : ItemsetTable
        Itemsets whose estimated support reaches the threshold.
    rules : RuleTable
        Rules that reach all thresholds.
    counts : SupportCounts
        All counts of the run; further estimates need no rows.
    draw_tests : DrawTests
        Tests of the devices' draws, which decide whether rows that were asked only part of an itemset count.
    """

    design: Design
    thresholds: Thresholds
    engine: str
    n: int
    n_direct: int
    n_protected: int
    n_candidates: int | None
    itemsets: ItemsetTable
    rules: RuleTable
    counts: SupportCounts
    draw_tests: DrawTests


def mine(
    matrix: BitMatrix,
    design: Design,
    thresholds: Thresholds,
    progress: ProgressListener = ignore_progress,
    *,
    engine: str = "auto",
    least_protected: int = 0,
    floor: OpenFloor = SHOW_ALL,
    max_candidates: int = MAX_CANDIDATES,
    max_itemsets: int | None = None,
    max_rules: int = MAX_RULES,
    precomputed: PrecomputedCounts | None = None,
    withheld: Withheld = NOTHING,
) -> MiningResult:
    """Find the itemsets and rules of the true answers in disguised rows.

    Parameters
    ----------
    matrix : BitMatrix
        Rows as bit columns.
    design : Design
        Design under which the rows were disguised.
    thresholds : Thresholds
    progress : callable
        Called with the progress; it may raise an exception to end the run.
    engine : str
        One of `mining.columns.engines.ENGINES`. Undisguised rows use mlxtend's apriori with "auto"
        and "mlxtend" if it can certainly finish; otherwise their bit columns are searched like any others.
    least_protected : int
        Itemsets and rules are left out if fewer protected rows were asked everything in them. This leaves out
        nothing if all rows are undisguised and complete.
    floor : OpenFloor
        Itemsets and rules are left out if their open answers may not be shown.
    max_candidates, max_rules : int
        Limits on candidates of one size and on rules.
    max_itemsets : int, optional
        Limit on listed itemsets; by default none.
    precomputed : PrecomputedCounts, optional
        Known counts of the same rows; only missing ones are computed.
    withheld : Withheld
        What no itemset may read. Families still count these itemsets and rules, with p = 1.

    Returns
    -------
    MiningResult

    Raises
    ------
    PrivacyError
        ``no_rows``, ``other_design``, ``engine``; ``unknown_item`` of a side.
        ``max_candidates``, ``max_itemsets``, ``max_rules``.
        Designs that cannot be estimated, such as p = 0.
    """
    if matrix.design != design:
        raise PrivacyError(
            "other_design", design.design_id, own=matrix.design.design_id[:12], other=design.design_id[:12]
        )
    thresholds.sides.check(design)
    count_cache = CountCache(
        matrix, engine=engine, progress=progress, precomputed=precomputed, withheld=withheld
    )
    name, search_result, itemsets = find_itemsets(
        count_cache,
        thresholds,
        engine=engine,
        least_protected=least_protected,
        floor=floor,
        max_candidates=max_candidates,
        max_itemsets=max_itemsets,
    )
    pairs = find_rules(search_result, thresholds.sides, max_rules=max_rules)
    rules = measured_rules(count_cache, design, pairs, thresholds, progress=progress)
    return MiningResult(
        design=design,
        thresholds=thresholds,
        engine=name,
        n=matrix.n,
        n_direct=matrix.n_direct,
        n_protected=matrix.n_protected,
        n_candidates=search_result.n_candidates,
        itemsets=itemsets,
        rules=rules,
        counts=count_cache.counts,
        draw_tests=count_cache.draw_tests,
    )


def find_itemsets(
    count_cache: CountCache,
    thresholds: Thresholds,
    *,
    engine: str = "auto",
    least_protected: int = 0,
    floor: OpenFloor = SHOW_ALL,
    max_candidates: int = MAX_CANDIDATES,
    max_itemsets: int | None = None,
) -> tuple[str, SearchResult, ItemsetTable]:
    """Find itemsets without rules.

    Returns the name of the search program, its result, and the itemsets that reach the support.

    Parameters
    ----------
    count_cache : CountCache
        Counts of the rows.
    thresholds, engine, least_protected, floor, max_candidates, max_itemsets
        See `mine`.
    """
    if count_cache.matrix.n == 0:
        raise PrivacyError("no_rows", 0)
    name, result = _search(count_cache, thresholds, engine, least_protected, floor, max_candidates)
    if max_itemsets is not None:
        check_length(result, max_itemsets)
    return name, result, listed_itemsets(count_cache, count_cache.matrix.design, result)


def is_undisguised(matrix: BitMatrix) -> bool:
    """Return whether every row shows true answers to every question, so that plain mining applies.

    This holds if p = 1 for every block in each group that has rows, and every row was asked every question.

    Parameters
    ----------
    matrix : BitMatrix
        Rows as bit columns.
    """
    design = matrix.design
    direct, protected = index_of(design).without_disguise
    as_it_is = (direct or not matrix.n_direct) and (protected or not matrix.n_protected)
    return as_it_is and all(
        matrix.stored_at[design.asked_column(number)] == FULL for number in range(len(design.questions))
    )


def _search(
    count_cache: CountCache,
    thresholds: Thresholds,
    engine: str,
    least_protected: int,
    floor: OpenFloor,
    max_candidates: int,
) -> tuple[str, SearchResult]:
    """Choose a search method and name it."""
    matrix, design = count_cache.matrix, count_cache.matrix.design
    counted_by = find_engine(engine, matrix.n)
    if MLXTEND and engine in ("auto", "mlxtend") and is_undisguised(matrix):
        n_items = len(design.items)
        # mlxtend cannot report progress or be stopped, so it only gets work that it can certainly finish.
        most = sum(math.comb(n_items, size) for size in range(1, thresholds.max_size + 1))
        if matrix.n * n_items <= _MOST_CELLS_FOR_MLXTEND and most <= max_candidates:
            result = examine_undisguised(count_cache, thresholds, floor=floor)
            return f"mlxtend {MLXTEND} apriori", result
    by_mlxtend = f"mlxtend {MLXTEND} candidates, " if MLXTEND and not counted_by.joins_on_arrays else ""
    return by_mlxtend + counted_by.label, examine(
        count_cache,
        design,
        thresholds,
        least_protected=least_protected,
        floor=floor,
        max_candidates=max_candidates,
        join_on_arrays=counted_by.joins_on_arrays,
    )


def warm_up() -> None:
    """Load the search code, and compile the counting code if numba is installed, before the first run."""
    import_module("mlxtend.frequent_patterns")
    if find_spec("numba"):
        words = bit_columns(np.full((1, 1), 0b1100_0000, dtype=np.uint8), [0, 1], compiled=True)
        find_engine("numba", 0).kernel(words, np.array([[0, 1]]))
