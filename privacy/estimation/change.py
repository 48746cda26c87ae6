"""Change of a share or a mean between two surveys, or between two waves of one."""

from __future__ import annotations

import math
from collections.abc import Callable

from privacy.errors import PrivacyError
from privacy.printed import UNCHECKED, Measured


def change_between(before: Measured, after: Measured) -> Measured:
    """Return the later figure minus the earlier one, with an interval that holds whoever repeated.

    Parameters
    ----------
    before, after : Measured
        The same quantity from two sets of reports, at the same level.

    Returns
    -------
    Measured
        n and effective n are those of the smaller set.

    Raises
    ------
    PrivacyError
        ``change``: the figures have different levels or ranges.

    Notes
    -----
    With figures r and their intervals (l, u), the ends are d - sqrt((r2 - l2)^2 + (u1 - r1)^2) and
    d + sqrt((u2 - r2)^2 + (r1 - l1)^2); the error is the root of the sum of both squared errors. Both hold if
    different people answered, and are too wide if some people answered twice and their answers are positively
    related. No one can count who answered twice, because rows have no names. If answers of the same people
    may be negatively related, use `opposed_change`.

    References
    ----------
    Newcombe 1998, method 10.

    Examples
    --------
    Newcombe's first example, 48 of 80 and 56 of 70, with Wilson's intervals of both:

    >>> def found(value, low, high, n):
    ...     error = math.sqrt(value * (1 - value) / n)
    ...     return Measured(value=value, low=low, high=high, standard_error=error, estimable=True, n=n,
    ...                     effective_n=float(n), level=.95, possible=(0, 1), method="scores", shift=0.,
    ...                     origin=UNCHECKED)
    >>> one = change_between(found(.6, .4904, .7003, 80), found(.8, .6918, .8769, 70))
    >>> round(one.value, 3), round(one.low, 3), round(one.high, 3), one.n
    (0.2, 0.052, 0.334, 70)
    """
    value = after.value - before.value
    below, above = _arms(before), _arms(after)
    low = value - math.hypot(above[0], below[1])
    high = value + math.hypot(above[1], below[0])
    return _change(before, after, value, low, high, math.hypot)


def opposed_change(before: Measured, after: Measured) -> Measured:
    """Return the later figure minus the earlier one, with an interval that holds for any relation.

    Parameters
    ----------
    before, after : Measured
        As for `change_between`.

    Raises
    ------
    PrivacyError
        ``change``.

    Notes
    -----
    The ends are the differences of the opposite ends, and the error is the sum of both errors.

    Examples
    --------
    >>> def found(value, low, high):
    ...     return Measured(value=value, low=low, high=high, standard_error=.05, estimable=True, n=90,
    ...                     effective_n=90., level=.95, possible=(0, 1), method="scores", shift=0.,
    ...                     origin=UNCHECKED)
    >>> one = opposed_change(found(.6, .5, .7), found(.8, .7, .9))
    >>> round(one.low, 3), round(one.high, 3), one.standard_error
    (0.0, 0.4, 0.1)
    """
    value = after.value - before.value
    return _change(before, after, value, after.low - before.high, after.high - before.low, lambda a, b: a + b)


def _arms(figure: Measured) -> tuple[float, float]:
    """Return how far the interval reaches below and above the figure, which may lie outside of it."""
    return max(figure.value - figure.low, 0.0), max(figure.high - figure.value, 0.0)


def _change(
    before: Measured,
    after: Measured,
    value: float,
    low: float,
    high: float,
    join: Callable[[float, float], float],
) -> Measured:
    if before.level != after.level:
        raise PrivacyError("change.level", after.level, level=before.level)
    if before.possible != after.possible:
        raise PrivacyError("change.range", list(after.possible), range=list(before.possible))
    most = before.possible[1] - before.possible[0]
    is_known = before.estimable and after.estimable
    errors = before.standard_error, after.standard_error
    error = None if errors[0] is None or errors[1] is None else join(errors[0], errors[1])
    low, high = (max(low, -most), min(high, most)) if is_known else (-most, most)
    return Measured(
        value=value,
        low=low,
        high=high,
        standard_error=error if is_known else None,
        estimable=is_known and (low > -most or high < most),
        n=min(before.n, after.n),
        effective_n=min(before.effective_n, after.effective_n),
        level=before.level,
        possible=(-most, most),
        method="formula",
        # Rows that no device sent may be in both sets.
        shift=None if before.shift is None or after.shift is None else before.shift + after.shift,
        origin=after.origin if after.origin == before.origin else UNCHECKED,
    )
