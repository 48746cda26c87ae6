"""Conditions on a published label: certain, possible, and for which share of its meaning.

All conditions on one column are judged together: of ``[30,39]`` the conditions ``age < 32`` and ``age > 37``
are each possible, and impossible together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, isfinite, nan

import numpy as np

from privacy.errors import PrivacyError
from privacy.sdc.labels import Domain, Interval, Prefix
from privacy.sdc.table import Column, finite_number

__all__ = ["SIGNS", "Condition", "LabelFit", "label_fit", "label_fits"]

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
