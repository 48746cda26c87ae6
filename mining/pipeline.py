"""Mining of disguised rows, from bit columns to rules."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Final

import numpy as np

from mining.candidates import MAX_CANDIDATES, MLXTEND, is_undisguised
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache, PrecomputedCounts
from mining.columns.counting import engine_named
from mining.columns.transposition import bit_columns
from mining.itemsets import SearchResult, examine, examine_undisguised, listed_itemsets
from mining.progress import ProgressListener, ignore_progress
from mining.rules import MAX_RULES, RuleTable, find_rules, measured_rules
from mining.thresholds import ItemsetTable, Thresholds
from privacy.errors import PrivacyError
from privacy.estimation.counts import SupportCounts
from privacy.estimation.draw_tests import DrawTests
from privacy.survey.design import Design

_MOST_CELLS_FOR_MLXTEND: Final = 1 << 28
"""mlxtend takes a table of true and false, a byte each: beyond 256 MB the bit columns are searched."""


@dataclass(frozen=True, kw_only=True, eq=False)
class MiningResult:
    """Itemsets and rules of a run, with the parameters of its report.

    Attributes
    ----------
    design : Design
    thresholds : Thresholds
    engine : str
        What searched and counted, with versions.
    n, n_direct, n_protected : int
        Rows read, and rows of each group.
    n_candidates : int or None
        Itemsets that were estimated; None where mlxtend's apriori searched.
    itemsets : ItemsetTable
        Those whose estimated support reaches the threshold.
    rules : RuleTable
        Those that reach all thresholds.
    counts : SupportCounts
        All counts of the run; further estimates need no rows.
    draw_tests : DrawTests
        Tests of the devices' draws: whether rows that were asked a part of an itemset count, and why not.
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
    least_cross: int = 0,
    max_candidates: int = MAX_CANDIDATES,
    max_rules: int = MAX_RULES,
    precomputed: PrecomputedCounts | None = None,
) -> MiningResult:
    """Find the itemsets and rules of the true answers in disguised rows.

    Parameters
    ----------
    matrix : BitMatrix
        The rows.
    design : Design
        Design under which the rows were disguised.
    thresholds : Thresholds
    progress : callable
        Called with the progress; it may raise, which ends the run.
    engine : str
        One of `mining.columns.counting.ENGINES`. Undisguised rows go through mlxtend's apriori with "auto"
        and "mlxtend" where it can certainly finish; else their columns of bits are searched like others.
    least_protected : int
        Itemsets and rules of which fewer protected rows were asked everything are left out. Rows that no one
        disguised and that miss no answer were all asked everything: there it leaves out nothing.
    least_cross : int
        Itemsets and rules are left out where a combination of answers to their open questions is given by
        fewer rows; see `mining.open_crosses.large_crosses`.
    max_candidates, max_rules : int
        Most candidates of one size, and most rules.
    precomputed : PrecomputedCounts, optional
        Known counts of the same rows; only missing ones are computed.

    Returns
    -------
    MiningResult

    Raises
    ------
    PrivacyError
        ``no_rows``, ``other_design``, ``engine``; ``unknown_item`` of a side.
        ``max_candidates``, ``max_rules``.
        Cases that a design makes impossible to estimate, such as p = 0.
    """
    if matrix.design != design:
        raise PrivacyError(
            "other_design", design.design_id, own=matrix.design.design_id[:12], other=design.design_id[:12]
        )
    thresholds.sides.check(design)
    count_cache = CountCache(matrix, engine=engine, progress=progress, precomputed=precomputed)
    name, search_result, itemsets = find_itemsets(
        count_cache,
        thresholds,
        engine=engine,
        least_protected=least_protected,
        least_cross=least_cross,
        max_candidates=max_candidates,
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
    least_cross: int = 0,
    max_candidates: int = MAX_CANDIDATES,
) -> tuple[str, SearchResult, ItemsetTable]:
    """Find itemsets without rules.

    Returns what searched, all itemsets that it kept, and those that reach the support.

    Parameters
    ----------
    count_cache : CountCache
        Of the rows.
    thresholds, engine, least_protected, least_cross, max_candidates
        See `mine`.
    """
    if count_cache.matrix.n == 0:
        raise PrivacyError("no_rows", 0)
    name, result = _search(count_cache, thresholds, engine, least_protected, least_cross, max_candidates)
    return name, result, listed_itemsets(count_cache, count_cache.matrix.design, result)


def _search(
    count_cache: CountCache,
    thresholds: Thresholds,
    engine: str,
    least_protected: int,
    least_cross: int,
    max_candidates: int,
) -> tuple[str, SearchResult]:
    """Choose how to search; name it."""
    matrix, design = count_cache.matrix, count_cache.matrix.design
    counted_by = engine_named(engine, matrix.n)
    if MLXTEND and engine in ("auto", "mlxtend") and is_undisguised(matrix):
        n_items = len(design.items)
        # mlxtend can be neither observed nor stopped: give it only work that it can certainly finish.
        most = sum(math.comb(n_items, size) for size in range(1, thresholds.max_size + 1))
        if matrix.n * n_items <= _MOST_CELLS_FOR_MLXTEND and most <= max_candidates:
            result = examine_undisguised(count_cache, thresholds, least_cross=least_cross)
            return f"mlxtend {MLXTEND} apriori", result
    by_mlxtend = f"mlxtend {MLXTEND} candidates, " if MLXTEND and not counted_by.joins_on_arrays else ""
    return by_mlxtend + counted_by.label, examine(
        count_cache,
        design,
        thresholds,
        least_protected=least_protected,
        least_cross=least_cross,
        max_candidates=max_candidates,
        join_on_arrays=counted_by.joins_on_arrays,
    )


def warm_up() -> None:
    """Load what searches, and compile what counts where numba is installed: no run has to wait for that."""
    import_module("mlxtend.frequent_patterns")
    if find_spec("numba"):
        words = bit_columns(np.full((1, 1), 0b1100_0000, dtype=np.uint8), [0, 1], compiled=True)
        engine_named("numba", 0).kernel(words, np.array([[0, 1]]))
