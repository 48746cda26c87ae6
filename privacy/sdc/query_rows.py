"""Rows of published labels that a query uses, and their fit to its conditions and groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from math import isfinite, prod
from typing import Final

import numpy as np

from privacy.arrays import Array, Flags
from privacy.errors import PrivacyError
from privacy.sdc.generalisation_cost import distinct_rows
from privacy.sdc.label_spread import Fits, LabelSpread
from privacy.sdc.labels import Condition, Domain, Interval, Prefix, domain_of
from privacy.sdc.query_language import Query
from privacy.sdc.table import Table, number_text

__all__ = ["Cells", "Group", "QueryRows", "Term"]

Group = tuple[str, ...]
Term = tuple[Condition, ...]

_MOST_CELLS: Final = 400
_MOST_WAYS: Final = 64
"""Ways to miss all terms of an *or* at once that are looked through."""
_MOST_NUMBERS: Final = 20
"""So many numbers are groups of their own; more are grouped by about ten steps."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Cells:
    """Fit of the distinct rows of the columns that a query uses; the first axis of three arrays is the model.

    Parameters
    ----------
    certain, possible : bool array, shape (rows,)
    share : float64 array, shape (2, rows)
    low, high : float64 array, shape (rows,)
        Numbers that the column wanted can be under the conditions.
    total, square : float64 array, shape (2, rows)
        Share times the mean of its numbers, and of their squares.
    """

    certain: Flags
    possible: Flags
    share: Array
    low: Array
    high: Array
    total: Array
    square: Array


class QueryRows:
    """Distinct rows of the labels that a query uses, and their fit to conditions."""

    def __init__(self, released: Table, query: Query, domains: Mapping[str, Domain]) -> None:
        self.released, self.query = released, query
        self.spreads = {
            name: LabelSpread(column=released.column(name), domain=domain_of(released.column(name), domains))
            for name in query.columns
        }
        if query.number is not None and not self.spreads[query.number].domain.numeric:
            raise PrivacyError("query.mean", query.number)
        ways = prod(sum(len(_misses(condition)) for condition in term) for term in query.terms)
        if query.alternatives and ways > _MOST_WAYS:
            raise PrivacyError("query.ways", ways, most=_MOST_WAYS)
        codes = [spread.column.codes for spread in self.spreads.values()]
        self.first, self.number = distinct_rows(codes or [np.zeros(len(released), dtype=np.int64)])
        self.counts = np.bincount(self.number)
        self._fits: dict[tuple[str, Term], Fits] = {}

    @cached_property
    def squares(self) -> Array:
        """Sum of the squared sizes of the equivalence classes that make up each row."""
        columns = self.released.quasi_identifiers
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
        for chosen in product(*of_columns):
            within = tuple(condition for _name, conditions in chosen for condition in conditions)
            yield (
                tuple(name for name, _conditions in chosen),
                tuple(term + within for term in self.query.terms),
            )

    def fits(self, name: str, term: Term) -> Fits:
        """Return the fit of a column's labels, judged once."""
        conditions = tuple(condition for condition in term if condition.column == name)
        if (name, conditions) not in self._fits:
            self._fits[name, conditions] = self.spreads[name].fits(conditions)
        return self._fits[name, conditions]

    def meeting(self, term: Term) -> Cells:
        """Judge the rows by conditions that must all hold."""
        n = len(self.first)
        certain, possible, share = np.ones(n, dtype=bool), np.ones(n, dtype=bool), np.ones((2, n))
        low = high = np.zeros(n)
        mean = square = np.zeros((2, n))
        for name, spread in self.spreads.items():
            fits, at = self.fits(name, term), spread.column.codes[self.first]
            certain &= fits.certain[at]
            possible &= fits.possible[at]
            share *= fits.share[:, at]
            if name == self.query.number:
                low, high, mean, square = fits.low[at], fits.high[at], fits.mean[:, at], fits.square[:, at]
        total, square = (np.where(share > 0, share * moment, 0.0) for moment in (mean, square))
        return Cells(
            certain=certain, possible=possible, share=share, low=low, high=high, total=total, square=square
        )

    def meeting_any(self, terms: Sequence[Term]) -> Cells:
        """Judge the rows by conjunctions of which one must hold: shares by inclusion and exclusion."""
        parts = [self.meeting(term) for term in terms]
        if len(parts) == 1:
            return parts[0]
        possible = np.any([part.possible for part in parts], axis=0)
        # A row is certain where nothing it can be misses all terms: they may fill it together.
        missed = np.zeros(len(possible), dtype=bool)
        for ways in product(*([way for condition in term for way in _misses(condition)] for term in terms)):
            missed |= self.meeting(tuple(condition for way in ways for condition in way)).possible
        sums = [np.zeros((2, len(possible))) for _ in range(3)]
        for size in range(1, len(terms) + 1):
            for chosen in combinations(terms, size):
                both = self.meeting(tuple(condition for term in chosen for condition in term))
                for amount, of in zip(sums, (both.share, both.total, both.square), strict=True):
                    amount += (-1) ** (size + 1) * of
        return Cells(
            certain=possible & ~missed,
            possible=possible,
            share=np.clip(sums[0], 0, 1),
            low=np.min([np.where(part.possible, part.low, np.inf) for part in parts], axis=0),
            high=np.max([np.where(part.possible, part.high, -np.inf) for part in parts], axis=0),
            total=sums[1],
            square=sums[2],
        )


def _misses(condition: Condition) -> tuple[Term, ...]:
    """Return the ways to miss a condition; in each all must hold."""

    def compared(sign: str, *values: str) -> Condition:
        return Condition(column=condition.column, sign=sign, values=values)

    if condition.sign == "between":
        low, high = condition.values
        return (compared("<", low),), (compared(">", high),)
    if condition.sign == "in":
        return (tuple(compared("!=", value) for value in condition.values),)
    opposite = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}[condition.sign]
    return ((compared(opposite, *condition.values),),)


def _parts(spread: LabelSpread) -> list[tuple[str, Term]]:
    """Return the groups of a column, each with its conditions: values of texts, steps of numbers."""
    column, domain = spread.column, spread.domain

    def compared(sign: str, number: float) -> Condition:
        return Condition(column=column.name, sign=sign, values=(number_text(number),))

    if not domain.numeric:
        stars = [label for label in column.values if isinstance(domain.meaning(label), Prefix)]
        return [
            (value, (Condition(column=column.name, sign="=", values=(value,)),))
            # Where all that is published is a star, it is the one group.
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
        return [(number_text(number), (compared("=", number),)) for number in finite.tolist()]
    edges = _steps(float(finite[0]), float(finite[-1]), whole=domain.whole) if len(finite) else [0.0]
    return [_step(compared, edges, at, ends, whole=domain.whole) for at in range(len(edges))]


def _step(
    compared: Callable[[str, float], Condition], edges: list[float], at: int, ends: Array, *, whole: bool
) -> tuple[str, Term]:
    """Return one step with its label; the first and the last reach as far as the numbers do."""
    is_last = at == len(edges) - 1
    high = float(ends.max()) if is_last else edges[at + 1]
    written = number_text(high - (whole and not is_last)) if isfinite(high) else "inf"
    closing = "]" if isfinite(high) and (whole or is_last) else ")"
    conditions: Term = (compared(">=", edges[at]),) if at else ()
    if not is_last:
        conditions += (compared("<", high),)
    return f"[{number_text(edges[at])},{written}{closing}", conditions


def _steps(low: float, high: float, *, whole: bool) -> list[float]:
    """Return round numbers from at most `low` to at most `high`, at most ten steps apart."""
    least = max((high - low) / 9, 1.0 if whole else 0.0, abs(high) * 1e-9, 1e-300)
    unit = 10.0 ** np.floor(np.log10(least))
    step = next(float(unit * times) for times in (1, 2, 5, 10) if unit * times >= least * (1 - 1e-9))
    return [float(np.round(count * step, 12)) for count in range(int(low // step), int(high // step) + 1)]
