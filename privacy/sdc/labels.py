"""Meaning of published labels such as ``[30,39]`` or ``gov``.

Conditions on a published label: certain, possible, and for which share of its meaning.

All conditions on one column are judged together: of ``[30,39]`` the conditions ``age < 32`` and ``age > 37``
are each possible, and impossible together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, isfinite, nan

import numpy as np

from privacy.arrays import Flags
from privacy.errors import PrivacyError
from privacy.sdc.hierarchy import SUPPRESSED, Hierarchy
from privacy.sdc.table import Column, Table, finite_number

__all__ = [
    "SIGNS",
    "Condition",
    "Domain",
    "Interval",
    "LabelFit",
    "Meaning",
    "Prefix",
    "domain_of",
    "label_column",
    "label_fit",
    "label_fits",
    "suppressed_rows",
]


_NUMBER = r"\s*(-?(?:\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|inf))\s*"
_INTERVAL = re.compile(rf"([\[(]){_NUMBER},{_NUMBER}([\])])")


@dataclass(frozen=True, kw_only=True)
class Interval:
    """Numbers from `low` to `high`; each end belongs to it or not."""

    low: float
    high: float
    low_closed: bool = True
    high_closed: bool = True

    def holds(self, number: float) -> bool:
        """Return whether a number lies inside."""
        above = number >= self.low if self.low_closed else number > self.low
        below = number <= self.high if self.high_closed else number < self.high
        return above and below


@dataclass(frozen=True, kw_only=True)
class Prefix:
    """All texts that begin with `start`: ``12*`` and, with nothing before the star, every value there is."""

    start: str

    def holds(self, text: str) -> bool:
        """Return whether a text begins so."""
        return text.startswith(self.start)


Meaning = Interval | Prefix | frozenset[str]


@dataclass(frozen=True, kw_only=True)
class Domain:
    """What the labels of one column can mean.

    Parameters
    ----------
    name : str
        The column.
    numeric : bool
        Labels are numbers and intervals.
    whole : bool
        Numbers are whole, so that ``[30,32]`` holds three of them.
    leaves : dict of str to tuple of str
        The values below each label of a published hierarchy, as in the codebook. Labels of hierarchies that
        were built from the table itself are not listed there, since the list would tell which values occur: a
        label ending in ``*`` then stands for all texts that begin as it does.
    """

    name: str
    numeric: bool
    whole: bool = False
    leaves: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of_hierarchy(cls, hierarchy: Hierarchy, *, numeric: bool = False, whole: bool = False) -> Domain:
        """Collect the values below each label of a hierarchy."""
        leaves: dict[str, list[str]] = {}
        for row in hierarchy.rows():
            for label in dict.fromkeys(row):
                leaves.setdefault(label, []).append(row[0])
        return cls(
            name=hierarchy.name,
            numeric=numeric,
            whole=whole,
            leaves={label: tuple(values) for label, values in leaves.items()},
        )

    def meaning(self, label: str) -> Meaning:
        """Return the interval or the set of values that a label stands for.

        Raises
        ------
        PrivacyError
            When a numeric column has a label that is neither number nor interval nor named in the codebook.

        Examples
        --------
        >>> Domain(name="age", numeric=True).meaning("[30,39]")
        Interval(low=30.0, high=39.0, low_closed=True, high_closed=True)
        >>> Domain(name="age", numeric=True).meaning("[65,inf)").holds(90)
        True
        >>> sorted(Domain(name="work", numeric=False, leaves={"gov": ("State", "Federal")}).meaning("gov"))
        ['Federal', 'State']
        """
        if not self.numeric:
            if label not in self.leaves and label.endswith(SUPPRESSED):
                return Prefix(start=label.rstrip(SUPPRESSED))
            return frozenset(self.leaves.get(label, (label,)))
        match = _INTERVAL.fullmatch(label.strip())
        if match:
            return Interval(
                low=float(match[2]),
                high=float(match[3]),
                low_closed=match[1] == "[",
                high_closed=match[4] == "]",
            )
        try:
            number = float(label)
        except ValueError:
            pass
        else:
            return Interval(low=number, high=number)
        numbers = [float(leaf) for leaf in self.leaves.get(label, ())]
        if numbers:
            return Interval(low=min(numbers), high=max(numbers))
        if label == SUPPRESSED:
            return Interval(low=-np.inf, high=np.inf)
        raise PrivacyError("label", label, name=self.name)


def domain_of(column: Column, domains: Mapping[str, Domain]) -> Domain:
    """Return what the labels of a column can mean; one without a domain means what it says.

    Parameters
    ----------
    column : Column
        Of published labels.
    domains : mapping of str to Domain
        By the name of the column.
    """
    return domains.get(column.name) or Domain(name=column.name, numeric=column.numbers is not None)


def suppressed_rows(table: Table) -> Flags:
    """Return which records are suppressed: ``*`` in every quasi-identifier while other records are not.

    Other tools publish them so; they must not be counted as a class of their own. A table in which all
    records read ``*`` is one whole class, not a suppressed table.

    Parameters
    ----------
    table : Table
        As it was published.
    """
    starred = np.ones(len(table), dtype=bool)
    for column in table.quasi_identifiers:
        star = column.values.index(SUPPRESSED) if SUPPRESSED in column.values else -1
        starred &= column.codes == star
    return np.zeros(len(table), dtype=bool) if starred.all() else starred


def label_column(name: str, role: str, texts: list[str]) -> Column:
    """Encode published texts as a column.

    Parameters
    ----------
    name : str
        Of the column.
    role : str
        "quasi_identifier", "sensitive" or another.
    texts : list of str
        A label of each record.
    """
    values, codes = np.unique(np.array(texts, dtype=object), return_inverse=True)
    return Column(
        name=name,
        role=role,
        kind="categorical",
        values=tuple(str(value) for value in values),
        codes=codes.astype(np.int32),
    )


SIGNS = ("=", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True, kw_only=True)
class Condition:
    """One comparison: `sign` is =, !=, <, <=, >, >=, in or between."""

    column: str
    sign: str
    values: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class LabelFit:
    """Fit of a record to conditions, by its label.

    Parameters
    ----------
    certain, possible : bool
        All that the label can mean meets the conditions; some of it does.
    share : float
        Share of its meaning that does, in [0, 1].
    low, high, middle : float
        Least, largest and mean number among what meets the conditions; nan for texts, and where nothing does.
    """

    certain: bool
    possible: bool
    share: float
    low: float = nan
    high: float = nan
    middle: float = nan


def label_fits(domain: Domain, column: Column, conditions: Sequence[Condition]) -> list[LabelFit]:
    """Judge each label of a column.

    What hides behind a star that the codebook does not spell out is taken to be spread as the labels that
    begin like it.

    Parameters
    ----------
    domain : Domain
        What the labels can mean.
    column : Column
        Of published labels.
    conditions : sequence of Condition
        On this column, all of which have to hold.

    Raises
    ------
    PrivacyError
        ``query``: texts are compared by size, or a number cannot be read.
    """
    judged = []
    sizes = np.bincount(column.codes, minlength=len(column.values))
    stars = {}
    for position, label in enumerate(column.values):
        meaning = domain.meaning(label)
        if isinstance(meaning, Prefix):
            stars[position] = meaning
            judged.append(_judge_prefix(domain, meaning, conditions))
        else:
            judged.append(label_fit(domain, label, conditions))
    for position, star in stars.items():
        if judged[position].certain or not judged[position].possible:
            continue
        alike = [
            other for other, label in enumerate(column.values) if other not in stars and star.holds(label)
        ]
        seen = int(sizes[alike].sum())
        if seen:
            share = sum(int(sizes[other]) * judged[other].share for other in alike) / seen
            judged[position] = LabelFit(certain=False, possible=True, share=float(share))
    return judged


def label_fit(domain: Domain, label: str, conditions: Sequence[Condition]) -> LabelFit:
    """Judge one label by what it can mean.

    Parameters
    ----------
    domain : Domain
        What the label can mean.
    label : str
        As it was published.
    conditions : sequence of Condition
        On this column, all of which have to hold.

    Examples
    --------
    >>> age = Domain(name="age", numeric=True, whole=True)
    >>> young = Condition(column="age", sign="<", values=("32",))
    >>> fit = label_fit(age, "[30,39]", [young])
    >>> fit.certain, fit.possible, fit.share, fit.low, fit.high, fit.middle
    (False, True, 0.2, 30.0, 31.0, 30.5)
    >>> label_fit(age, "[30,39]", [young, Condition(column="age", sign=">", values=("37",))]).possible
    False
    """
    meaning = domain.meaning(label)
    leaves = domain.leaves.get(label)
    if isinstance(meaning, Interval) and not leaves:
        return _judge_interval(domain, meaning, conditions)
    texts = leaves or (label,)
    tests = [_test(domain, condition) for condition in conditions]
    fitting = [text for text in texts if all(test(text) for test in tests)]
    certain, share = len(fitting) == len(texts), len(fitting) / len(texts)
    if not domain.numeric or not fitting:
        return LabelFit(certain=certain, possible=bool(fitting), share=share)
    numbers = [float(text) for text in fitting]
    middle = sum(numbers) / len(numbers)
    return LabelFit(
        certain=certain, possible=True, share=share, low=min(numbers), high=max(numbers), middle=middle
    )


def _judge_prefix(domain: Domain, star: Prefix, conditions: Sequence[Condition]) -> LabelFit:
    """Judge a label that stands for any text that begins as it does."""
    tests = [_test(domain, condition) for condition in conditions]
    if not tests:
        return LabelFit(certain=True, possible=True, share=1.0)
    wanted: set[str] | None = None
    unwanted: set[str] = set()
    for condition in conditions:
        texts = {text for text in _spelled_out(domain, condition) if star.holds(text)}
        if condition.sign == "!=":
            unwanted |= texts
        else:
            wanted = texts if wanted is None else wanted & texts
    if wanted is None:
        return LabelFit(certain=not unwanted, possible=True, share=0.5 if unwanted else 1.0)
    possible = bool(wanted - unwanted)
    return LabelFit(certain=False, possible=possible, share=0.5 if possible else 0.0)


def _spelled_out(domain: Domain, condition: Condition) -> set[str]:
    """Return the values that are compared; a group of the codebook stands for all below it."""
    return {leaf for text in condition.values for leaf in domain.leaves.get(text, (text,))}


def _test(domain: Domain, condition: Condition) -> Callable[[str], bool]:
    """Build the test of one value."""
    if condition.sign in ("=", "!=", "in") and not domain.numeric:
        wanted = _spelled_out(domain, condition)
        return (lambda text: text not in wanted) if condition.sign == "!=" else (lambda text: text in wanted)
    if not domain.numeric:
        raise PrivacyError("query.sign", condition.sign, column=condition.column)
    numbers = _numbers(condition)
    if condition.sign in ("=", "in"):
        return lambda text: float(text) in numbers
    if condition.sign == "!=":
        return lambda text: float(text) not in numbers
    wanted_span = _span(condition, numbers)
    return lambda text: wanted_span.holds(float(text))


def _numbers(condition: Condition) -> list[float]:
    numbers = []
    for text in condition.values:
        number = finite_number(text)
        if number is None:
            raise PrivacyError("query.number", text, column=condition.column)
        numbers.append(number)
    return numbers


def _span(condition: Condition, numbers: Sequence[float]) -> Interval:
    if condition.sign == "between":
        return Interval(low=numbers[0], high=numbers[-1])
    if condition.sign in ("<", "<="):
        return Interval(low=-inf, high=numbers[0], high_closed=condition.sign == "<=")
    return Interval(low=numbers[0], high=inf, low_closed=condition.sign == ">=")


def _judge_interval(domain: Domain, box: Interval, conditions: Sequence[Condition]) -> LabelFit:
    span, points, excluded = box, None, set()
    for condition in conditions:
        numbers = _numbers(condition)
        if condition.sign in ("=", "in"):
            points = set(numbers) if points is None else points & set(numbers)
        elif condition.sign == "!=":
            excluded |= set(numbers)
        else:
            span = _shared(span, _span(condition, numbers))
    excluded = {number for number in excluded if span.holds(number) and _occurs(domain, number)}
    if points is not None:
        return _judge_points(domain, box, sorted(point for point in points - excluded if span.holds(point)))
    if _is_empty(span):
        return LabelFit(certain=False, possible=False, share=0.0)
    if domain.whole and isfinite(box.low) and isfinite(box.high):
        return _judge_whole(box, span, excluded)
    if span.low == span.high and excluded:
        return LabelFit(certain=False, possible=False, share=0.0)
    points_at = {"low": span.low, "high": span.high, "middle": (span.low + span.high) / 2}
    if span == box:
        return LabelFit(certain=not excluded, possible=True, share=1.0, **points_at)
    # An endless interval has no even spread; half is as good a guess as any.
    width = box.high - box.low
    share = (span.high - span.low) / width if isfinite(width) else 0.5
    return LabelFit(certain=False, possible=True, share=share, **points_at)


def _judge_points(domain: Domain, box: Interval, points: Sequence[float]) -> LabelFit:
    """Judge single numbers inside a box: they have a share of it only if whole numbers alone occur."""
    inside = [number for number in points if _occurs(domain, number)]
    if not inside:
        return LabelFit(certain=False, possible=False, share=0.0)
    if box.low == box.high:
        share = 1.0
    else:
        ends = _whole_ends(box) if domain.whole else None
        share = len(inside) / (ends[1] - ends[0] + 1) if ends else 0.0
    middle = sum(inside) / len(inside)
    return LabelFit(
        certain=share == 1.0, possible=True, share=share, low=inside[0], high=inside[-1], middle=middle
    )


def _judge_whole(box: Interval, span: Interval, excluded: set[float]) -> LabelFit:
    outer, inner = _whole_ends(box), _whole_ends(span)
    if outer is None or inner is None:
        return LabelFit(certain=False, possible=False, share=0.0)
    low, high = inner
    count = high - low + 1 - len(excluded)
    if not count:
        return LabelFit(certain=False, possible=False, share=0.0)
    middle = ((low + high) * (high - low + 1) / 2 - sum(excluded)) / count
    while low in excluded:
        low += 1
    while high in excluded:
        high -= 1
    share = count / (outer[1] - outer[0] + 1)
    return LabelFit(
        certain=share == 1.0, possible=True, share=share, low=float(low), high=float(high), middle=middle
    )


def _occurs(domain: Domain, number: float) -> bool:
    return not domain.whole or number.is_integer()


def _whole_ends(box: Interval) -> tuple[int, int] | None:
    """Return the first and the last whole number inside; None where there is none, or no end."""
    if not isfinite(box.low) or not isfinite(box.high):
        return None
    low = int(np.ceil(box.low)) + (not box.low_closed and box.low.is_integer())
    high = int(np.floor(box.high)) - (not box.high_closed and box.high.is_integer())
    return (low, high) if low <= high else None


def _shared(first: Interval, other: Interval) -> Interval:
    """Return what two intervals share; `_is_empty` tells whether that is anything."""
    low, high = max(first.low, other.low), min(first.high, other.high)
    return Interval(
        low=low,
        high=high,
        low_closed=all(each.low_closed for each in (first, other) if each.low == low),
        high_closed=all(each.high_closed for each in (first, other) if each.high == high),
    )


def _is_empty(box: Interval) -> bool:
    return box.low > box.high or (box.low == box.high and not (box.low_closed and box.high_closed))
