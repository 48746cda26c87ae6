"""Checks of single values; each returns the normalised value or refuses with value and remedy."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Collection, Iterable, Sized

from privacy.errors import ParameterError, PrivacyError

__all__ = ["distinct", "key", "listed", "one_of", "real_number", "truth_value", "whole_number"]

LONGEST_KEY = 64
_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*", re.ASCII)


def whole_number(
    value: object,
    name: str,
    *,
    low: int,
    high: int,
    code: str = "out_of_range",
    remedy: str | None = None,
    error: type[PrivacyError] = ParameterError,
) -> int:
    """Return `value` as an ``int`` in ``low..high``; booleans and fractions are refused.

    Examples
    --------
    >>> whole_number(6000, "truth probability", low=0, high=10_000)
    6000
    >>> whole_number(True, "truth probability", low=0, high=10_000)
    Traceback (most recent call last):
        ...
    privacy.errors.ParameterError: truth probability = True is not a whole number; give one from 0 to 10000
    """
    advice = remedy if remedy is not None else f"give one from {low} to {high}"
    # isinstance(True, int) holds in Python: a boolean would silently become the probability 0.0001.
    if isinstance(value, bool) or not hasattr(type(value), "__index__"):
        raise error(code, f"{name} = {value!r} is not a whole number", value, advice)
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # guarded by hasattr above
    except TypeError:
        raise error(code, f"{name} = {value!r} is not a whole number", value, advice) from None
    if not low <= number <= high:
        raise error(code, f"{name} = {number} is outside {low}..{high}", value, advice)
    return number


def real_number(
    value: object,
    name: str,
    *,
    low: float,
    high: float,
    open_ends: bool = False,
    code: str = "out_of_range",
    remedy: str | None = None,
    error: type[PrivacyError] = ParameterError,
) -> float:
    """Return `value` as a finite ``float`` in ``[low, high]``, or in ``(low, high)`` with `open_ends`.

    Examples
    --------
    >>> real_number(0.05, "support threshold", low=0, high=1)
    0.05
    """
    brackets = "()" if open_ends else "[]"
    interval = f"{brackets[0]}{low:g}, {high:g}{brackets[1]}"
    advice = remedy if remedy is not None else f"give a number in {interval}"
    # float() takes an array or a Series of one number too, and would misread it for that number.
    if isinstance(value, bool | str | bytes | Sized):
        raise error(code, f"{name} = {value!r} is not a number", value, advice)
    try:
        number = float(value)  # type: ignore[arg-type]  # what float() cannot take is refused below
    except (TypeError, ValueError):
        raise error(code, f"{name} = {value!r} is not a number", value, advice) from None
    except OverflowError:
        # JSON has whole numbers that are longer than any float.
        raise error(code, f"{name} is outside {interval}", value, advice) from None
    inside = low < number < high if open_ends else low <= number <= high
    if math.isnan(number) or not inside:
        raise error(code, f"{name} = {number!r} is outside {interval}", value, advice)
    return number


def truth_value(
    value: object, name: str, *, code: str = "not_a_boolean", error: type[PrivacyError] = ParameterError
) -> bool:
    """Return `value` if it is ``True`` or ``False`` itself; 0, 1 and texts are refused."""
    if not isinstance(value, bool):
        raise error(code, f"{name} = {value!r} is neither true nor false", value, "give true or false")
    return value


def one_of(
    value: object,
    name: str,
    *,
    allowed: Collection[str],
    code: str = "unknown_value",
    error: type[PrivacyError] = ParameterError,
) -> str:
    """Return `value` if it is one of the `allowed` texts.

    Examples
    --------
    >>> one_of("live", "use", allowed=("live", "study"))
    'live'
    """
    if not isinstance(value, str) or value not in allowed:
        names = ", ".join(repr(text) for text in allowed)
        raise error(code, f"{name} = {value!r} is unknown", value, f"choose one of {names}")
    return value


def key(
    value: object, name: str, *, code: str = "bad_key", error: type[PrivacyError] = ParameterError
) -> str:
    """Return `value` if it can name a block, a question or an option.

    Keys are short, plain ASCII and free of ``=``, ``&`` and blanks, so that ``age=22`` and
    ``affair & age=22`` can be read in one way only.

    Examples
    --------
    >>> key("age", "question key")
    'age'
    >>> key("age=22", "question key")
    Traceback (most recent call last):
        ...
    privacy.errors.ParameterError: question key = 'age=22' is not a key; use at most 64 letters, digits, \
"_", ".", "+" or "-", the first a letter or digit
    """
    if not isinstance(value, str) or len(value) > LONGEST_KEY or _KEY.fullmatch(value) is None:
        remedy = (
            f'use at most {LONGEST_KEY} letters, digits, "_", ".", "+" or "-", the first a letter or digit'
        )
        raise error(code, f"{name} = {value!r} is not a key", value, remedy)
    return value


def distinct(
    values: Iterable[str],
    name: str,
    *,
    code: str = "duplicate_key",
    error: type[PrivacyError] = ParameterError,
) -> None:
    """Refuse when one of the `values` occurs twice."""
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise error(code, f"{name} {value!r} occurs twice", value, "give each its own key")
        seen.add(value)


def listed(
    value: object, name: str, *, code: str = "malformed", error: type[PrivacyError] = ParameterError
) -> tuple[object, ...]:
    """Return a list or tuple as a tuple; texts and mappings, which could be iterated too, are refused.

    Examples
    --------
    >>> listed(["a", "b"], "options")
    ('a', 'b')
    """
    if not isinstance(value, list | tuple):
        raise error(code, f"{name} = {value!r} is not a list", value, "give a list")
    return tuple(value)
