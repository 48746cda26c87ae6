"""Itemsets and rules of rows with weights or clusters, each estimated on its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

import numpy as np

from mining.apriori import join, single_items
from mining.frames.printed_columns import MEASURES, measure_columns, tested_columns
from mining.inference import families
from mining.multiple_testing import decisions, selection_level
from mining.rules import Pair, split_rules
from mining.thresholds import Thresholds
from privacy.arrays import Array, Flags
from privacy.errors import PrivacyError
from privacy.estimation.cluster_count import ClusterCount
from privacy.estimation.comparison import compare
from privacy.estimation.joined_rows import JoinedRows
from privacy.estimation.sampling_units import SamplingUnits
from privacy.library.shares import Figure
from privacy.survey.design import Design


def weighted_supports(
    design: Design, figure_of: Callable[[tuple[int, ...]], Figure], thresholds: Thresholds
) -> dict[tuple[int, ...], Figure]:
    """Return the itemsets that reach a threshold, with their shares.

    Parameters
    ----------
    design : Design
    figure_of : callable
        Returns the share of an itemset.
    thresholds : Thresholds

    Notes
    -----
    Longer itemsets are built from those whose upper limit reaches the threshold.
    """
    shares: dict[tuple[int, ...], Figure] = {}
    candidates = single_items(design)
    for _ in range(thresholds.max_size):
        frequent = []
        for items in map(tuple, candidates.tolist()):
            figure = figure_of(items)
            if figure.interval()[1] >= thresholds.support:
                frequent.append(items)
            if figure.value >= thresholds.support:
                shares[items] = figure
        if not frequent:
            break
        candidates = join(design, np.array(frequent))
    return shares


def weighted_rules(
    design: Design,
    supports: Mapping[tuple[int, ...], Figure],
    rows_of: Callable[[tuple[int, ...], tuple[int, ...]], JoinedRows],
    thresholds: Thresholds,
) -> tuple[dict[str, Any], list[Pair]]:
    """Return the columns of a table of rules, and the sides of each rule.

    Parameters
    ----------
    design : Design
    supports : mapping of itemset to Figure
    rows_of : callable
        Returns the scores of the rows for the two sides of a rule.
    thresholds : Thresholds
    """
    sides: list[Pair] = []
    lines, rows = [], []
    for before, after in (pair for pair in split_rules(supports) if thresholds.sides.allow(*pair)):
        totals = rows_of(before, after)
        effects = compare(totals)
        if thresholds.confidence > 0 and effects.having.value < thresholds.confidence:
            continue
        if thresholds.lift is not None and effects.lift.value < thresholds.lift:
            continue
        support = supports[tuple(sorted(before + after))]
        figures = [(own.value, own.low, own.high) for own in (effects.having, effects.lift, effects.leverage)]
        half = effects.p_value / 2
        p_value = half if effects.difference.value > 0 else 1 - half
        sides.append((before, after))
        rows.append(totals)
        figures = [(support.value, *support.interval()), *figures]
        lines.append([*chain.from_iterable(figures), effects.n, effects.effective_n, p_value])
    heads = [f"{name}{end}" for name in ("support", *MEASURES) for end in ("", "_low", "_high")]
    found = dict(zip([*heads, "n", "effective_n", "p_value"], np.reshape(lines, (-1, 15)).T, strict=True))
    columns: dict[str, Any] = {}
    for name in ("support", *MEASURES):
        value, low, high = (found[f"{name}{end}"] for end in ("", "_low", "_high"))
        columns |= measure_columns(name, value, low, high, found["effective_n"])
    columns |= {"n": found["n"].astype(np.int64), "effective_n": found["effective_n"]}
    columns |= {"level": np.full(len(lines), 0.95)}
    sizes = [len(before) + len(after) for before, after in sides]
    family = families(design, thresholds).lift
    decision = decisions(found["p_value"], list(map(frozenset, sides)), sizes, family)
    columns |= tested_columns(decision, found["n"], found["effective_n"], family.total)
    level = selection_level(len({frozenset(pair) for pair in sides}), family.total)
    selection = [compare(own, level=level) for own in rows]
    for name, part in zip(MEASURES, ("having", "lift", "leverage"), strict=True):
        ends = [getattr(own, part) for own in selection]
        columns[f"{name}_picked_low"] = np.array([own.low for own in ends])
        columns[f"{name}_picked_high"] = np.array([own.high for own in ends])
    return columns, sides


def weighted_rows(
    scores: Array, complete: Flags, mass: Array, direct: Flags, units: SamplingUnits | None, *, merged: bool
) -> JoinedRows:
    """Return separate scores for each weighted row or each cluster, with the base last.

    Parameters
    ----------
    scores : ndarray of float64, shape (3, rows) or (5, rows)
    complete, direct : ndarray of bool, shape (rows,)
        Rows that were asked everything; rows of the direct group.
    mass : ndarray of float64, shape (rows,)
        Weights.
    units : SamplingUnits, optional
        None if rows are independent.
    merged : bool
        Whether rows with equal scores are counted together.

    Raises
    ------
    PrivacyError
        ``no_rows``.
    """
    if not complete.any():
        raise PrivacyError("no_rows.asked", 0)
    mass = complete * mass
    if len(scores) == 3:
        scores = np.concatenate([scores, scores[1:2], np.ones_like(scores[:1])])
    totals, weighted = scores * mass, ClusterCount.of(mass[complete])
    clusters = None if math.isclose(weighted.effective, weighted.count) else weighted
    if units is not None:
        totals, clusters = units.sums(totals, mass)
    else:
        totals = totals[:, complete]
    counts = np.ones(totals.shape[1], dtype=np.int64)
    if merged:
        totals, counts = np.unique(totals.round(12), axis=1, return_counts=True)
    _, cells = np.unique(scores[:3, complete].round(9), axis=1, return_counts=True)
    n_direct = int((direct & complete).sum())
    return JoinedRows(
        counts=counts.astype(np.int64),
        scores=totals,
        n_direct=n_direct,
        n_protected=int(complete.sum()) - n_direct,
        smallest_cell=int(cells.min() * weighted.effective / weighted.count),
        clusters=clusters,
        effective_n=weighted.effective,
    )
