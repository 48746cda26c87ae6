"""How published labels such as ``[30,39]`` or ``gov`` fit conditions.

A label can fit conditions certainly or only possibly; it then fits them for a share of its possible values.
All conditions on one column are evaluated together: for ``[30,39]``, ``age < 32`` and ``age > 37`` are each
possible, but impossible together.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import ceil, floor, isfinite, nan
from typing import Final, NamedTuple

import numpy as np

from privacy.errors import PrivacyError
from privacy.numeric_text import finite_number
from privacy.sdc.published_labels import Domain, Interval, Prefix
from privacy.sdc.table import Column

SIGNS = ("=", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True, kw_only=True)
class Condition:
    """One comparison: `sign` is =, !=, <, <=, >, >=, in or between."""

    column: str
    sign: str
    values: tuple[str, ...]


class LabelFit(NamedTuple):
    """How well a label fits conditions.

    Parameters
    ----------
    certain, possible : bool
        Whether all possible values of the label meet the conditions, and whether some do.
    share : float
        Share of its possible values that do, in [0, 1].
    low, high, middle : float
        Smallest, largest and mean number that meets the conditions; nan for texts, or if no number does.
    """

    certain: bool
    possible: bool
    share: float
    low: float = nan
    high: float = nan
    middle: float = nan


def label_fits(domain: Domain, column: Column, conditions: Sequence[Condition]) -> list[LabelFit]:
    """Evaluate conditions for each label of a column.

    Values behind a star that the codebook does not list are assumed to be distributed like the column's
    labels with the same beginning.

    Parameters
    ----------
    domain : Domain
        Possible values of the labels.
    column : Column
        Column of published labels.
    conditions : sequence of Condition
        Conditions on this column, all of which must hold.

    Raises
    ------
    PrivacyError
        ``query``: texts are compared by size, or a number cannot be read.
    """
    fits = []
    evaluate = label_fitter(domain, conditions)
    sizes = np.bincount(column.codes, minlength=len(column.values))
    stars = {}
    for position, label in enumerate(column.values):
        meaning = domain.meaning(label)
        if isinstance(meaning, Prefix):
            stars[position] = meaning
            fits.append(_prefix_fit(domain, meaning, conditions))
        else:
            fits.append(evaluate(label))
    for position, star in stars.items():
        if fits[position].certain or not fits[position].possible:
            continue
        alike = [
            other for other, label in enumerate(column.values) if other not in stars and star.holds(label)
        ]
        seen = int(sizes[alike].sum())
        if seen:
            share = sum(int(sizes[other]) * fits[other].share for other in alike) / seen
            fits[position] = LabelFit(certain=False, possible=True, share=float(share))
    return fits


def label_fitter(domain: Domain, conditions: Sequence[Condition]) -> Callable[[str], LabelFit]:
    """Return a function that evaluates conditions for a label by its possible values.

    Parameters
    ----------
    domain : Domain
        Possible values of the labels.
    conditions : sequence of Condition
        Conditions on this column, all of which must hold.

    Examples
    --------
    >>> age = Domain(name="age", numeric=True, whole=True)
    >>> young = Condition(column="age", sign="<", values=("32",))
    >>> fit = label_fitter(age, [young])("[30,39]")
    >>> fit.certain, fit.possible, fit.share, fit.low, fit.high, fit.middle
    (False, True, 0.2, 30.0, 31.0, 30.5)
    >>> old = Condition(column="age", sign=">", values=("37",))
    >>> label_fitter(age, [young, old])("[30,39]").possible
    False
    """

    # Read conditions only when a label needs them: texts and numbers refuse different conditions.
    @cache
    def text_tests() -> list[Callable[[str], bool]]:
        return [_text_test(domain, condition) for condition in conditions]

    @cache
    def number_tests() -> list[Callable[[float], bool]]:
        return [_number_test(condition) for condition in conditions]

    @cache
    def cuts() -> list[float]:
        return sorted({number for condition in conditions for number in _numbers(condition)})

    def evaluate(label: str) -> LabelFit:
        meaning = domain.meaning(label)
        leaves = domain.leaves.get(label)
        if not isinstance(meaning, Interval):
            texts = leaves or (label,)
            fitting = sum(all(test(text) for test in text_tests()) for text in texts)
            return LabelFit(certain=fitting == len(texts), possible=fitting > 0, share=fitting / len(texts))
        tests = number_tests()
        if leaves:
            return _fit_of([_Part(number, number, 1.0) for number in sorted(map(float, leaves))], tests)
        return _fit_of(_parts(domain, meaning, [cut for cut in cuts() if meaning.holds(cut)]), tests)

    return evaluate


def _prefix_fit(domain: Domain, star: Prefix, conditions: Sequence[Condition]) -> LabelFit:
    """Evaluate conditions for a label that represents all texts with the same beginning."""
    matches: set[str] | None = None
    exclusions: set[str] = set()
    for condition in conditions:
        _check_sign(condition)
        texts = {text for text in _compared_values(domain, condition) if star.holds(text)}
        if condition.sign == "!=":
            exclusions |= texts
        else:
            matches = texts if matches is None else matches & texts
    if matches is None:
        return LabelFit(certain=not exclusions, possible=True, share=0.5 if exclusions else 1.0)
    possible = bool(matches - exclusions)
    return LabelFit(certain=False, possible=possible, share=0.5 if possible else 0.0)


def _compared_values(domain: Domain, condition: Condition) -> set[str]:
    """Return the values that a condition names; a group from the codebook means all values below it."""
    return {leaf for text in condition.values for leaf in domain.leaves.get(text, (text,))}


def _check_sign(condition: Condition) -> None:
    """Reject comparisons of texts by size."""
    if condition.sign not in ("=", "!=", "in"):
        raise PrivacyError("query.sign", condition.sign, column=condition.column)


def _text_test(domain: Domain, condition: Condition) -> Callable[[str], bool]:
    """Return a function that tests whether a text meets a condition."""
    _check_sign(condition)
    texts = _compared_values(domain, condition)
    return (lambda text: text not in texts) if condition.sign == "!=" else (lambda text: text in texts)


_COMPARED: Final = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def _number_test(condition: Condition) -> Callable[[float], bool]:
    """Return a function that tests whether a number meets a condition."""
    numbers = _numbers(condition)
    if condition.sign == "between":
        return lambda number: numbers[0] <= number <= numbers[-1]
    if condition.sign == "!=":
        return lambda number: number not in numbers
    if condition.sign in ("=", "in"):
        return lambda number: number in numbers
    compare = _COMPARED[condition.sign]
    return lambda number: bool(compare(number, numbers[0]))


def _numbers(condition: Condition) -> list[float]:
    numbers = []
    for text in condition.values:
        number = finite_number(text)
        if number is None:
            raise PrivacyError("query.number", text, column=condition.column)
        numbers.append(number)
    return numbers


class _Part(NamedTuple):
    """Numbers from `low` to `high`, and their weight in the label's meaning."""

    low: float
    high: float
    weight: float

    @property
    def middle(self) -> float:
        if isfinite(self.low) and isfinite(self.high):
            return (self.low + self.high) / 2
        return self.low + 1 if isfinite(self.low) else self.high - 1 if isfinite(self.high) else 0.0


def _parts(domain: Domain, box: Interval, cuts: Sequence[float]) -> list[_Part]:
    """Split an interval into the numbers that conditions mention and the gaps between them.

    Integers between two finite ends weigh 1 each; any other interval weighs its length.
    """
    if box.low == box.high:
        return [_Part(box.low, box.high, 1.0)]
    is_counted = domain.whole and isfinite(box.low) and isfinite(box.high)
    parts = [_Part(cut, cut, float(is_counted)) for cut in cuts if not domain.whole or cut.is_integer()]
    for low, high in pairwise([box.low, *cuts, box.high]):
        if is_counted:
            begin = ceil(low) + (low in cuts or not box.holds(low)) * low.is_integer()
            end = floor(high) - (high in cuts or not box.holds(high)) * high.is_integer()
            if begin <= end:
                parts.append(_Part(begin, end, end - begin + 1.0))
        elif low < high:
            parts.append(_Part(low, high, high - low))
    return sorted(parts)


def _fit_of(parts: Sequence[_Part], tests: Sequence[Callable[[float], bool]]) -> LabelFit:
    inside = [part for part in parts if all(test(part.middle) for test in tests)]
    if not inside:
        return LabelFit(certain=False, possible=False, share=0.0)
    weight, total = sum(part.weight for part in inside), sum(part.weight for part in parts)
    if isfinite(total):
        share = weight / total
    else:
        # Values cannot be spread evenly over an unbounded interval, so guess one half.
        left_out = any(part.weight and part not in inside for part in parts)
        share = 0.0 if not weight else 0.5 if left_out else 1.0
    low, high = float(inside[0].low), float(inside[-1].high)
    middle = (low + high) / 2
    if isfinite(weight):
        weights = [part.weight if weight else 1.0 for part in inside]
        middle = sum(map(operator.mul, weights, (part.middle for part in inside))) / sum(weights)
    return LabelFit(
        certain=len(inside) == len(parts), possible=True, share=share, low=low, high=high, middle=middle
    )
