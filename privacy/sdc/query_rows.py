"""The rows of a published table that a query uses, and models of the values behind labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, pairwise, product
from math import isfinite, prod
from typing import Final

import numpy as np

from privacy.arrays import Array, Flags
from privacy.errors import PrivacyError
from privacy.numeric_text import number_text
from privacy.sdc.generalisation import distinct_rows
from privacy.sdc.label_conditions import Condition, label_fits, label_fitter
from privacy.sdc.published_labels import Domain, Interval, Prefix, domain_of
from privacy.sdc.query_language import Query
from privacy.sdc.table import Column, Table

_MOST_ATOMS: Final = 256
"""Most atoms of a numeric column: integers over a smaller range are kept apart, other numbers are binned."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Fits:
    """How each label of a column fits some conditions; the first axis of 2-D arrays is the model.

    Parameters
    ----------
    certain, possible : bool array, shape (labels,)
        Whether all, or some, of the label's possible values meet the conditions.
    share : float64 array, shape (2, labels)
        Share of the label's meaning that meets the conditions, in [0, 1].
    low, high : float64 array, shape (labels,)
        Smallest and largest number of the label that meets them; nan for texts.
    mean, square : float64 array, shape (2, labels)
        Mean of the numbers that meet them, and mean of their squares.
    """

    certain: Flags
    possible: Flags
    share: Array
    low: Array
    high: Array
    mean: Array
    square: Array


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelSpread:
    """The labels of a published column, and their possible values."""

    column: Column
    domain: Domain

    def fits(self, conditions: Sequence[Condition]) -> Fits:
        """Evaluate conditions on the column for every label.

        Raises
        ------
        PrivacyError
            ``query``: texts are compared by size, or a number cannot be read.
        """
        results = label_fits(self.domain, self.column, conditions)
        certain = np.array([fit.certain for fit in results])
        possible = np.array([fit.possible for fit in results])
        share, low, high, mean = (
            np.array([getattr(fit, name) for fit in results], dtype=np.float64)
            for name in ("share", "low", "high", "middle")
        )
        even = Fits(
            certain=certain,
            possible=possible,
            share=np.stack([share, share]),
            low=low,
            high=high,
            mean=np.stack([mean, mean]),
            square=np.stack([mean**2 + (high - low) ** 2 / 12] * 2),
        )
        if not (possible & ~certain).any() and not (high > low).any():
            return even
        inside, middle = self.atom_fits(conditions)
        mass = self.weights[1] * inside
        total = mass.sum(axis=1)
        has_mass = possible & (total > 0)
        even.share[1] = np.where(certain, 1.0, np.where(has_mass, np.minimum(total, 1.0), share))
        if self.domain.numeric:
            scale = np.maximum(total, 1e-300)
            # A label's interval may end inside an atom, so the mean of its atoms can lie outside it.
            common = np.clip(mass @ middle / scale, low, high)
            even.mean[1] = np.where(has_mass, common, mean)
            spread = np.maximum(mass @ middle**2 / scale - (mass @ middle / scale) ** 2, 0)
            even.square[1] = np.where(has_mass, even.mean[1] ** 2 + spread, even.square[0])
        return even

    def atom_fits(self, conditions: Sequence[Condition]) -> tuple[Array, Array]:
        """Return the share of each atom that meets conditions, and the middle of that part (0 for texts)."""
        fits = list(map(label_fitter(self.domain, conditions), self.atoms))
        return np.array([fit.share for fit in fits]), np.nan_to_num(np.array([fit.middle for fit in fits]))

    @cached_property
    def atoms(self) -> tuple[str, ...]:
        """Labels of the atoms, the smallest values or intervals that the models distinguish."""
        if not self.domain.numeric:
            return tuple(
                sorted(
                    {
                        leaf
                        for label in self.column.values
                        if not isinstance(self.domain.meaning(label), Prefix)
                        for leaf in self.domain.leaves.get(label, (label,))
                    }
                )
            )
        ends, is_closed = self._spans
        ends = np.unique(ends[np.isfinite(ends)])
        if not len(ends):
            return ()
        if self.domain.whole and ends[-1] - ends[0] < _MOST_ATOMS:
            return tuple(map(str, range(int(np.ceil(ends[0])), int(ends[-1]) + 1)))
        if len(ends) <= _MOST_ATOMS and is_closed.all():
            # Closed ends are numbers from the data, for example when neighbouring values were grouped.
            return tuple(map(number_text, ends.tolist()))
        if len(ends) > _MOST_ATOMS:
            ends = np.unique(np.quantile(ends, np.linspace(0, 1, _MOST_ATOMS)))
        edges = list(map(number_text, ends.tolist()))
        if len(edges) == 1:
            return tuple(edges)
        parts = [f"[{low},{high})" for low, high in pairwise(edges[:-1])]
        return (*parts, f"[{edges[-2]},{edges[-1]}]")

    @cached_property
    def _spans(self) -> tuple[Array, Flags]:
        """Return the ends of each numeric label (nan for texts), and whether the label includes them."""
        meanings = [self.domain.meaning(label) for label in self.column.values]
        spans = [
            (meaning.low, meaning.high, meaning.low_closed, meaning.high_closed)
            if isinstance(meaning, Interval)
            else (np.nan, np.nan, False, False)
            for meaning in meanings
        ]
        ends = np.array(spans, dtype=np.float64)
        return ends[:, :2], ends[:, 2:] > 0

    @cached_property
    def weights(self) -> Array:
        """Probability of each atom given the label, by model: shape (2, labels, atoms); rows sum to 1."""
        cover, sizes = self._number_shares() if self.domain.numeric else self._text_shares()
        counts = np.bincount(self.column.codes, minlength=len(cover)).astype(np.float64)
        return np.stack(
            [_normalise_rows(cover * sizes), _normalise_rows(cover * self_consistent(cover, counts))]
        )

    def _text_shares(self) -> tuple[Array, Array]:
        overlaps = np.zeros((len(self.column.values), len(self.atoms)))
        for row, label in enumerate(self.column.values):
            meaning = self.domain.meaning(label)
            if isinstance(meaning, Prefix):
                overlaps[row] = [meaning.holds(atom) for atom in self.atoms]
            elif isinstance(meaning, frozenset):
                overlaps[row] = [atom in meaning for atom in self.atoms]
        return overlaps, np.ones(len(self.atoms))

    def _number_shares(self) -> tuple[Array, Array]:
        """Return the share of each atom that lies in each label, and the sizes of the atoms."""
        if not self.atoms:
            return np.zeros((len(self.column.values), 0)), np.zeros(0)
        spans = [self.domain.meaning(atom) for atom in self.atoms]
        low, high = np.array([(span.low, span.high) for span in spans if isinstance(span, Interval)]).T
        points = high == low
        (start, end), (from_start, to_end) = self._spans[0].T[:, :, None], self._spans[1].T[:, :, None]
        sizes = np.where(points, 1.0, high - low)
        inside = ((low > start) | ((low == start) & from_start)) & ((high < end) | ((high == end) & to_end))
        overlap = np.minimum(high, end) - np.maximum(low, start)
        overlaps = np.where(points, inside, np.clip(np.nan_to_num(overlap) / sizes, 0, 1))
        for row, label in enumerate(self.column.values):
            numbers = self.domain.leaves.get(label, ())
            single = (start[row, 0],) if start[row, 0] == end[row, 0] else ()
            if numbers or single:
                overlaps[row] = 0
            for number in map(float, numbers or single):
                overlaps[row, np.flatnonzero((low <= number) & (number <= high))[-1:]] = 1
        return overlaps, sizes


def self_consistent(atoms: Array, counts: Array) -> Array:
    """Estimate the distribution of values from generalised labels.

    Parameters
    ----------
    atoms : float64 array, shape (labels, atoms)
        Share of each atom that a label can mean, in [0, 1].
    counts : float64 array, shape (labels,)
        Number of records with each label.

    Returns
    -------
    float64 array, shape (atoms,)
        Shares of the atoms; they sum to 1 if any label can mean an atom.

    Notes
    -----
    Among the n_l records with label l, a share p_a / sum_b p_b has atom a, where b runs over the atoms of l.
    Summed over labels, this gives p_a = sum_l n_l held_la p_a / sum_b held_lb p_b, divided by n. Iterating it
    until it converges yields the maximum likelihood estimate if labels hide values at random.

    References
    ----------
    Turnbull 1976.

    Examples
    --------
    Two records read F, one M, and one either. The last is F with a probability of 2/3.

    >>> held = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> self_consistent(held, np.array([2.0, 1.0, 1.0])).round(4).tolist()
    [0.6667, 0.3333]
    """
    shares: Array = counts @ _normalise_rows(atoms) / max(counts.sum(), 1.0)
    for _ in range(100):
        before, totals = shares, atoms @ shares
        shares = before * ((counts / np.where(totals > 0, totals, np.inf)) @ atoms) / max(counts.sum(), 1.0)
        if np.abs(shares - before).max(initial=0) < 1e-6:
            break
    return shares


def _normalise_rows(table: Array) -> Array:
    sums = table.sum(axis=1, keepdims=True)
    return table / np.where(sums > 0, sums, 1.0)


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
