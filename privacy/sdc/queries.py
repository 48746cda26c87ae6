"""Answer queries from a published table alone, with bounds and a likely range.

For ``count where age < 40 and work in (gov, Private) group by disease``, each published class lies inside the
condition, outside it or across it. The lower bound counts the records of classes inside. The upper bound also
counts those of classes across, and the expected value counts these in proportion. The bounds of ``mean age
where …`` and ``median age where …`` are the smallest and largest values of any records that the labels allow.

The likely range is not a bound. It covers 95% of the answers that either of two models expects for the values
behind the labels (`privacy.sdc.query_language`), and allows for records of a class that all deviate in the
same direction. docs/evidence/releases.md reports how often it contained the truth.

All answers are functions of the published table, so no set of answers reveals more than the table does.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isfinite
from statistics import NormalDist
from typing import Final, cast

import numpy as np

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.numeric_text import number_text
from privacy.sdc.label_conditions import Condition
from privacy.sdc.published_labels import Domain, Interval
from privacy.sdc.query_language import Query
from privacy.sdc.query_rows import Group, QueryCells, QueryRows, Term
from privacy.sdc.table import Table

Least = Callable[[Array, Whole, Array, Whole], float]
Likely = Callable[[QueryCells, Array, float, float], tuple[float, float, float]]

_WIDTH: Final = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Count, mean or median of one group.

    Parameters
    ----------
    group : tuple of str
        Values of the columns grouped by.
    lower, upper : float or None
        Bounds of the statistic over the records behind the release, if any record meets the conditions; None
        if none can. Integers for a count.
    expected : float or None
        Value if the records of each class are spread evenly over what its labels can mean, independently by
        column: an assumption, not a bound.
    likely_lower, likely_upper : float or None
        95% range of the values that either model expects; inside the bounds, but not itself a bound.
    least, most : int
        Bounds of the number of records that meet the conditions.
    """

    group: tuple[str, ...]
    lower: float | None
    upper: float | None
    expected: float | None
    likely_lower: float | None
    likely_upper: float | None
    least: int
    most: int


def answer(release: Table, query: Query, domains: Mapping[str, Domain]) -> tuple[Answer, ...]:
    """Answer a query from the released table.

    Parameters
    ----------
    release : Table
        The published table.
    query : Query
        Query whose columns are in the table.
    domains : mapping of column name to Domain
        Meaning of generalised labels, from the codebook. Labels of a column without a domain mean themselves.

    Returns
    -------
    tuple of Answer
        One per group, which is a text or a step of numbers; a single one if the query has no groups.

    Raises
    ------
    PrivacyError
        ``query``: texts are compared by size or have no mean, a number cannot be read, a label is unbounded,
        or there are too many groups or alternatives. ``unknown_column``: the table lacks a column.

    Notes
    -----
    Each record may have any values that its labels allow, independently of the others. The smallest mean puts
    every certain record at the low end of its numbers and adds the uncertain records whose low end is below
    the mean so far. The smallest median is found alike; the largest mean and median use the high ends. All
    bounds are attained, or are limits if an interval is open.

    The standard deviation of a count under a model assumes that the records of a class are fully correlated.
    It is the root of sum n_c^2 s (1 - s), where s is the share of a class c of n_c records that meets the
    conditions.
    """
    labels = QueryRows(release, query, domains)
    figure = {"count": _count, "mean": _mean, "median": _median}[query.kind]
    return tuple(figure(labels, group, terms) for group, terms in labels.groups())


def _count(labels: QueryRows, group: Group, terms: Sequence[Term]) -> Answer:
    cells = labels.meeting_any(terms)
    least, most = (int(labels.counts[mask].sum()) for mask in (cells.certain, cells.possible))
    expected = cells.share @ labels.counts
    deviation = np.sqrt((cells.share * np.maximum(1 - cells.share, 0)) @ labels.squares)
    low, high = _likely_range(expected, deviation, float(least), float(most))
    return Answer(
        group=group,
        lower=least,
        upper=most,
        expected=float(expected[0]),
        # Counts are integers, so widen the range to whole numbers; rounding up can give -0.
        likely_lower=float(np.floor(low + 1e-9)),
        likely_upper=max(0.0, float(np.ceil(high - 1e-9))),
        least=least,
        most=most,
    )


def _likely_range(expected: Array, deviation: Array, lower: float, upper: float) -> tuple[float, float]:
    """Return the 95% range over both models, clipped to the bounds."""
    low, high = float((expected - _WIDTH * deviation).min()), float((expected + _WIDTH * deviation).max())
    return min(max(low, lower), upper), max(min(high, upper), lower)


def _mean(labels: QueryRows, group: Group, terms: Sequence[Term]) -> Answer:
    def likely(cells: QueryCells, weight: Array, lower: float, upper: float) -> tuple[float, float, float]:
        expected = cells.total @ labels.counts / weight
        moment = cells.square - 2 * expected[:, None] * cells.total + expected[:, None] ** 2 * cells.share
        drift = cells.total - expected[:, None] * cells.share
        deviation = np.sqrt(np.maximum(moment - drift**2, 0) @ labels.squares) / weight
        return float(expected[0]), *_likely_range(expected, deviation, lower, upper)

    return _numeric_answer(labels, group, terms, _least_mean, likely)


def _median(labels: QueryRows, group: Group, terms: Sequence[Term]) -> Answer:
    """Find where each model's distribution reaches one half, and one half plus or minus its deviation."""

    def likely(cells: QueryCells, weight: Array, lower: float, upper: float) -> tuple[float, float, float]:
        mass = _mass(labels, terms)
        middle = [_quantile(labels, amounts, 0.5) for amounts in mass]
        ends = []
        for model, at in enumerate(middle):
            below = Condition(column=labels.query.number or "", sign="<=", values=(number_text(at),))
            under = labels.meeting_any([(*term, below) for term in terms]).share[model]
            all_here = cells.share[model]
            variance = np.maximum(all_here / 4 - (under - all_here / 2) ** 2, 0) @ labels.squares
            off = _WIDTH * float(np.sqrt(variance)) / float(weight[model])
            ends += [_quantile(labels, mass[model], min(max(0.5 + side * off, 0), 1)) for side in (-1, 1)]
        expected, low, high = (min(max(at, lower), upper) for at in (middle[0], min(ends), max(ends)))
        return expected, low, high

    return _numeric_answer(labels, group, terms, _least_median, likely)


def _numeric_answer(
    labels: QueryRows, group: Group, terms: Sequence[Term], least: Least, likely: Likely
) -> Answer:
    """Return a mean or median; its likely range equals its bounds unless both models expect records."""
    cells = labels.meeting_any(terms)
    lower, upper = _bounds(labels, cells, least)
    weight = cells.share @ labels.counts
    expected, low, high = None, lower, upper
    if lower is not None and upper is not None and weight.all():
        expected, low, high = likely(cells, weight, lower, upper)
    return Answer(
        group=group,
        lower=lower,
        upper=upper,
        expected=expected,
        likely_lower=low,
        likely_upper=high,
        least=int(labels.counts[cells.certain].sum()),
        most=int(labels.counts[cells.possible].sum()),
    )


def _mass(labels: QueryRows, terms: Sequence[Term]) -> Array:
    """Return the expected number of records in each atom of the queried column by model, shape (2, atoms)."""
    spread = labels.spreads[labels.query.number or ""]
    codes = labels.codes[spread.column.name]
    mass = np.zeros((2, len(spread.atoms)))
    for size in range(1, len(terms) + 1):
        for subset in combinations(terms, size):
            term = tuple(condition for part in subset for condition in part)
            own = tuple(condition for condition in term if condition.column == spread.column.name)
            inside, _middle = spread.atom_fits(own)
            others = labels.meeting(tuple(condition for condition in term if condition not in own)).share
            for model in range(2):
                by_label = np.bincount(codes, others[model] * labels.counts, len(spread.column.values))
                mass[model] += (-1) ** (size + 1) * (by_label @ spread.weights[model]) * inside
    return np.maximum(mass, 0)


def _quantile(labels: QueryRows, mass: Array, share: float) -> float:
    """Return the value at which a distribution over atoms reaches a share; density is even in an interval."""
    spread = labels.spreads[labels.query.number or ""]
    sums = np.cumsum(mass)
    target = share * sums[-1]
    at = min(int(np.searchsorted(sums, target)), len(mass) - 1)
    # Only numeric columns have medians, and their labels mean intervals.
    meaning = cast(Interval, spread.domain.meaning(spread.atoms[at]))
    through = (target - (sums[at] - mass[at])) / mass[at] if mass[at] else 0.5
    return meaning.low + min(max(float(through), 0.0), 1.0) * (meaning.high - meaning.low)


def _bounds(labels: QueryRows, cells: QueryCells, least: Least) -> tuple[float | None, float | None]:
    """Return the smallest and largest statistic that the labels allow; None if no record can match."""
    spread = labels.spreads[labels.query.number or ""]
    ends = np.stack([cells.low, cells.high])[:, cells.possible]
    if not np.isfinite(ends).all():
        codes = labels.codes[spread.column.name][cells.possible]
        label = next(
            spread.column.values[code]
            for code in codes
            if not _is_bounded(spread.domain, spread.column.values[code])
        )
        raise PrivacyError("query.open", label, column=spread.column.name)
    if not cells.possible.any():
        return None, None

    def lowest(values: Array) -> float:
        sure, across = np.flatnonzero(cells.certain), np.flatnonzero(cells.possible & ~cells.certain)
        if not len(sure):
            # A single record suffices, and the lowest one gives the smallest value.
            return float(values[across].min())
        across = across[np.argsort(values[across], kind="stable")]
        return least(values[sure], labels.counts[sure], values[across], labels.counts[across])

    return lowest(cells.low), -lowest(-cells.high)


def _is_bounded(domain: Domain, label: str) -> bool:
    meaning = domain.meaning(label)
    return isfinite(getattr(meaning, "low", 0.0)) and isfinite(getattr(meaning, "high", 0.0))


def _least_mean(sure: Array, counts: Whole, across: Array, more: Whole) -> float:
    """Return the smallest mean of all certain records and any uncertain ones, given in ascending order."""
    count, total = int(counts.sum()), float(counts @ sure)
    for end, further in zip(across.tolist(), more.tolist(), strict=True):
        if end * count >= total:
            break
        total += further * end
        count += further
    return total / count


def _least_median(sure: Array, counts: Whole, across: Array, more: Whole) -> float:
    """Return the smallest median likewise; each added record below the median lowers it, no other does."""

    def median_with(added: int) -> float:
        ends = np.concatenate([sure, across[:added]])
        order = np.argsort(ends, kind="stable")
        cum_counts = np.cumsum(np.concatenate([counts, more[:added]])[order])
        n = int(cum_counts[-1])
        middles = np.searchsorted(cum_counts, [(n - 1) // 2, n // 2], side="right")
        return float(ends[order][middles].mean())

    added = bisect_left(
        range(len(across)), x=True, key=lambda count: bool(across[count] >= median_with(count))
    )
    return median_with(added)
