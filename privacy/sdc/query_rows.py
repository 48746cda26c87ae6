"""The rows of a published table that a query uses, and how they fit its conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, product
from math import isfinite, prod
from typing import Final

import numpy as np

from privacy.arrays import Array, Flags
from privacy.errors import PrivacyError
from privacy.numeric_text import number_text
from privacy.sdc.distinct_rows import distinct_rows
from privacy.sdc.label_conditions import Condition
from privacy.sdc.label_spread import Fits, LabelSpread
from privacy.sdc.published_labels import Domain, Interval, Prefix, domain_of
from privacy.sdc.query_language import Query
from privacy.sdc.table import Table

Group = tuple[str, ...]
Term = tuple[Condition, ...]

_MOST_CELLS: Final = 400
_MOST_WAYS: Final = 64
"""Largest number of ways to fail all terms of an *or* that are checked."""
_MOST_NUMBERS: Final = 20
"""Largest number of distinct numbers that each form a group; more are binned into at most ten steps."""


@dataclass(frozen=True, kw_only=True, eq=False)
class QueryCells:
    """How each distinct row of a query's columns fits it; the first axis of 2-D arrays is the model.

    Parameters
    ----------
    certain, possible : bool array, shape (rows,)
        Whether all, or some, of the row's possible values meet the conditions.
    share : float64 array, shape (2, rows)
        Share of the row's possible values that meets the conditions.
    low, high : float64 array, shape (rows,)
        Smallest and largest number of the queried column under the conditions.
    total, square : float64 array, shape (2, rows)
        `share` times the mean of these numbers, and times the mean of their squares.
    """

    certain: Flags
    possible: Flags
    share: Array
    low: Array
    high: Array
    total: Array
    square: Array


class QueryRows:
    """Distinct rows of labels in the columns of a query, and how they fit conditions."""

    def __init__(self, release: Table, query: Query, domains: Mapping[str, Domain]) -> None:
        self.release, self.query = release, query
        self.spreads = {
            name: LabelSpread(column=release.column(name), domain=domain_of(release.column(name), domains))
            for name in query.columns
        }
        if query.number is not None and not self.spreads[query.number].domain.numeric:
            raise PrivacyError("query.mean", query.number)
        ways = prod(sum(len(_misses(condition)) for condition in term) for term in query.terms)
        if query.alternatives and ways > _MOST_WAYS:
            raise PrivacyError("query.ways", ways, most=_MOST_WAYS)
        codes = [spread.column.codes for spread in self.spreads.values()]
        self.first, self.number = distinct_rows(codes or [np.zeros(len(release), dtype=np.int64)])
        self.codes = {name: spread.column.codes[self.first] for name, spread in self.spreads.items()}
        self.counts = np.bincount(self.number)
        self._fits: dict[tuple[str, Term], Fits] = {}

    @cached_property
    def squares(self) -> Array:
        """For each row, the sum over equivalence classes of its squared number of records in the class."""
        columns = self.release.quasi_identifiers
        if not columns:
            return self.counts.astype(np.float64) ** 2
        _, classes = distinct_rows([column.codes for column in columns])
        first, pair = distinct_rows([self.number, classes])
        sizes = np.bincount(pair).astype(np.float64)
        return np.bincount(self.number[first], weights=sizes**2).astype(np.float64)

    def groups(self) -> Iterator[tuple[Group, tuple[Term, ...]]]:
        """Yield each group with the terms of the query within it."""
        of_columns = [_parts(self.spreads[name]) for name in self.query.groups]
        if (cells := prod(map(len, of_columns))) > _MOST_CELLS:
            raise PrivacyError("query.cells", cells, most=_MOST_CELLS)
        for parts in product(*of_columns):
            within = tuple(condition for _name, conditions in parts for condition in conditions)
            yield (
                tuple(name for name, _conditions in parts),
                tuple(term + within for term in self.query.terms),
            )

    def fits(self, name: str, term: Term) -> Fits:
        """Return how a column's labels fit its conditions in a term, from a cache."""
        conditions = tuple(condition for condition in term if condition.column == name)
        if (name, conditions) not in self._fits:
            self._fits[name, conditions] = self.spreads[name].fits(conditions)
        return self._fits[name, conditions]

    def meeting(self, term: Term) -> QueryCells:
        """Evaluate a conjunction of conditions for every row."""
        n = len(self.first)
        certain, possible, share = np.ones(n, dtype=bool), np.ones(n, dtype=bool), np.ones((2, n))
        low = high = np.zeros(n)
        total = square = np.zeros((2, n))
        limited = {condition.column for condition in term}
        for name, spread in self.spreads.items():
            if name not in limited and not spread.domain.numeric:
                # A text without conditions meets them certainly.
                continue
            fits, at = self.fits(name, term), self.codes[name]
            certain &= fits.certain[at]
            possible &= fits.possible[at]
            share *= fits.share[:, at]
            if name == self.query.number:
                low, high, moments = fits.low[at], fits.high[at], (fits.mean[:, at], fits.square[:, at])
        if self.query.number is not None:
            total, square = (np.where(share > 0, share * moment, 0.0) for moment in moments)
        return QueryCells(
            certain=certain, possible=possible, share=share, low=low, high=high, total=total, square=square
        )

    def meeting_any(self, terms: Sequence[Term]) -> QueryCells:
        """Evaluate an *or* of conjunctions for every row; shares by inclusion and exclusion."""
        meeting = cache(self.meeting)
        parts = [meeting(term) for term in terms]
        if len(parts) == 1:
            return parts[0]
        possible = np.any([part.possible for part in parts], axis=0)
        # A row is certain if none of its possible values fails all terms. No single term need cover them all.
        missed = np.zeros(len(possible), dtype=bool)
        for ways in product(*([way for condition in term for way in _misses(condition)] for term in terms)):
            missed |= meeting(tuple(condition for way in ways for condition in way)).possible
        sums = [np.zeros((2, len(possible))) for _ in range(3)]
        for size in range(1, len(terms) + 1):
            for subset in combinations(terms, size):
                both = meeting(tuple(condition for term in subset for condition in term))
                for amount, of in zip(sums, (both.share, both.total, both.square), strict=True):
                    amount += (-1) ** (size + 1) * of
        return QueryCells(
            certain=possible & ~missed,
            possible=possible,
            share=np.clip(sums[0], 0, 1),
            low=np.min([np.where(part.possible, part.low, np.inf) for part in parts], axis=0),
            high=np.max([np.where(part.possible, part.high, -np.inf) for part in parts], axis=0),
            total=sums[1],
            square=sums[2],
        )


def _misses(condition: Condition) -> tuple[Term, ...]:
    """Return the ways to fail a condition, each a conjunction."""

    def compare(sign: str, *values: str) -> Condition:
        return Condition(column=condition.column, sign=sign, values=values)

    if condition.sign == "between":
        low, high = condition.values
        return (compare("<", low),), (compare(">", high),)
    if condition.sign == "in":
        return (tuple(compare("!=", value) for value in condition.values),)
    opposite = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}[condition.sign]
    return ((compare(opposite, *condition.values),),)


def _parts(spread: LabelSpread) -> list[tuple[str, Term]]:
    """Return the groups of a column with their conditions: one group per text, or steps of numbers."""
    column, domain = spread.column, spread.domain

    def compare(sign: str, number: float) -> Condition:
        return Condition(column=column.name, sign=sign, values=(number_text(number),))

    if not domain.numeric:
        stars = [label for label in column.values if isinstance(domain.meaning(label), Prefix)]
        return [
            (value, (Condition(column=column.name, sign="=", values=(value,)),))
            # If only a star is published, it is the only group.
            for value in spread.atoms or stars
        ]
    ends = np.array(
        [
            (meaning.low, meaning.high)
            for meaning in map(domain.meaning, column.values)
            if isinstance(meaning, Interval)
        ]
    )
    finite = np.unique(ends[np.isfinite(ends)])
    if len(finite) <= _MOST_NUMBERS and (ends[:, 0] == ends[:, 1]).all():
        return [(number_text(number), (compare("=", number),)) for number in finite.tolist()]
    edges = _steps(float(finite[0]), float(finite[-1]), whole=domain.whole) if len(finite) else [0.0]
    return [_step(compare, edges, at, ends, whole=domain.whole) for at in range(len(edges))]


def _step(
    condition: Callable[[str, float], Condition], edges: list[float], at: int, ends: Array, *, whole: bool
) -> tuple[str, Term]:
    """Return the label and conditions of one step; the first and last have no outer limit."""
    is_last = at == len(edges) - 1
    high = float(ends.max()) if is_last else edges[at + 1]
    high_text = number_text(high - (whole and not is_last)) if isfinite(high) else "inf"
    closing = "]" if isfinite(high) and (whole or is_last) else ")"
    conditions: Term = (condition(">=", edges[at]),) if at else ()
    if not is_last:
        conditions += (condition("<", high),)
    return f"[{number_text(edges[at])},{high_text}{closing}", conditions


def _steps(low: float, high: float, *, whole: bool) -> list[float]:
    """Return up to ten evenly spaced round numbers from at most `low` to at most `high`."""
    least = max((high - low) / 9, 1.0 if whole else 0.0, abs(high) * 1e-9, 1e-300)
    unit = 10.0 ** np.floor(np.log10(least))
    step = next(float(unit * times) for times in (1, 2, 5, 10) if unit * times >= least * (1 - 1e-9))
    # A quotient such as .9 / .1 is a little less than a whole number.
    first, last = (int(np.floor(end / step + 1e-9)) for end in (low, high))
    return [float(np.round(count * step, 12)) for count in range(first, last + 1)]
