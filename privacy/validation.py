"""Checks of single values; each returns the normalised value or raises an error with a remedy."""

from __future__ import annotations

import math
import operator
import re
import unicodedata
from collections.abc import Collection, Iterable, Sized
from typing import Final

from privacy.errors import PrivacyError

LONGEST_KEY: Final = 64
MOST_ROWS: Final = 10**12
_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*", re.ASCII)


def whole_number(
    value: object, name: str, *, low: int, high: int, code: str = "out_of_range", advice: str | None = None
) -> int:
    """Return `value` as an ``int`` in ``low..high``; booleans and fractions are refused.

    Parameters
    ----------
    value : object
        The value to check.
    name : str
        Its name in the error message.
    low, high : int
        Smallest and largest accepted number.
    code : str, optional
        Code of the error.
    advice : str, optional
        Name of the remedy, if "use one from low to high" does not say enough.

    Examples
    --------
    >>> whole_number(6000, "truth probability", low=0, high=10_000)
    6000
    >>> whole_number(True, "truth probability", low=0, high=10_000)
    Traceback (most recent call last):
        ...
    privacy.errors.PrivacyError: truth probability = True is not a whole number; use one from 0 to 10000
    """
    # A bool is an int in Python: without this check, True would become the probability 0.0001.
    if isinstance(value, bool) or not hasattr(type(value), "__index__"):
        raise PrivacyError("whole.kind", value, code=code, advice=advice, name=name, low=low, high=high)
    try:
        number = operator.index(value)  # type: ignore[arg-type]  # guarded by hasattr above
    except TypeError:
        raise PrivacyError(
            "whole.kind", value, code=code, advice=advice, name=name, low=low, high=high
        ) from None
    if not low <= number <= high:
        raise PrivacyError("whole.range", number, code=code, advice=advice, name=name, low=low, high=high)
    return number


def number_of_rows(value: object, name: str = "n", *, low: int = 1, code: str = "n") -> int:
    """Return `value` as a number of rows or people, ``low..10**12``.

    Parameters
    ----------
    value : object
        The value to check.
    name : str, optional
        Its name in the error message.
    low : int, optional
        Smallest accepted number.
    code : str, optional
        Code of the error.

    Examples
    --------
    >>> number_of_rows(3000)
    3000
    >>> number_of_rows(0)
    Traceback (most recent call last):
        ...
    privacy.errors.PrivacyError: n = 0 is outside 1..1000000000000; use one from 1 to 1000000000000
    """
    return whole_number(value, name, low=low, high=MOST_ROWS, code=code)


def real_number(
    value: object,
    name: str,
    *,
    low: float,
    high: float,
    open_ends: bool = False,
    code: str = "out_of_range",
    advice: str | None = None,
) -> float:
    """Return `value` as a finite ``float`` in ``[low, high]``, or in ``(low, high)`` with `open_ends`.

    Parameters
    ----------
    value : object
        The value to check.
    name : str
        Its name in the error message.
    low, high : float
        Smallest and largest number.
    open_ends : bool, optional
        Whether `low` and `high` themselves are refused.
    code : str, optional
        Code of the error.
    advice : str, optional
        Name of the remedy, if "use one from low to high" does not say enough.

    Examples
    --------
    >>> real_number(0.05, "support threshold", low=0, high=1)
    0.05
    """
    brackets = "()" if open_ends else "[]"
    interval = f"{brackets[0]}{low:g}, {high:g}{brackets[1]}"
    # float() would accept an array or Series with one element.
    if isinstance(value, bool | str | bytes | Sized):
        raise PrivacyError("real.kind", value, code=code, advice=advice, name=name, interval=interval)
    try:
        number = float(value)  # type: ignore[arg-type]  # what float() cannot take is refused below
    except (TypeError, ValueError):
        raise PrivacyError(
            "real.kind", value, code=code, advice=advice, name=name, interval=interval
        ) from None
    except OverflowError:
        # JSON may contain integers that exceed the largest float.
        raise PrivacyError(
            "real.size", value, code=code, advice=advice, name=name, interval=interval
        ) from None
    inside = low < number < high if open_ends else low <= number <= high
    if math.isnan(number) or not inside:
        raise PrivacyError("real.range", number, code=code, advice=advice, name=name, interval=interval)
    return number


def truth_value(value: object, name: str, *, code: str) -> bool:
    """Return `value` if it is ``True`` or ``False``; 0, 1 and strings are refused.

    Parameters
    ----------
    value : object
        The value to check.
    name : str
        Its name in the error message.
    code : str
        Code of the error.
    """
    if not isinstance(value, bool):
        raise PrivacyError("truth_value", value, code=code, name=name)
    return value


def one_of(value: object, name: str, *, allowed: Collection[str], code: str = "unknown_value") -> str:
    """Return `value` if it is one of the `allowed` texts.

    Parameters
    ----------
    value : object
        The value to check.
    name : str
        Its name in the error message.
    allowed : collection of str
        Accepted values.
    code : str, optional
        Code of the error.

    Examples
    --------
    >>> one_of("live", "use", allowed=("live", "study"))
    'live'
    """
    if not isinstance(value, str) or value not in allowed:
        names = ", ".join(repr(text) for text in allowed)
        raise PrivacyError("one_of", value, code=code, name=name, names=names)
    return value


def key(value: object, name: str, *, code: str = "bad_key") -> str:
    """Return `value` if it can name a block, a question or an option.

    Keys are short, plain ASCII and free of ``=``, ``&`` and blanks, so that ``age=22`` and
    ``affair & age=22`` are unambiguous.

    Parameters
    ----------
    value : object
        The value to check.
    name : str
        Its name in the error message.
    code : str, optional
        Code of the error.

    Examples
    --------
    >>> key("age", "question key")
    'age'
    >>> key("age=22", "question key")
    Traceback (most recent call last):
        ...
    privacy.errors.PrivacyError: question key = 'age=22' is not a key; use at most 64 letters, digits, \
"_", ".", "+" or "-", the first a letter or digit
    """
    if not isinstance(value, str) or len(value) > LONGEST_KEY or _KEY.fullmatch(value) is None:
        raise PrivacyError("key", value, code=code, name=name, longest=LONGEST_KEY)
    return value


def distinct(values: Iterable[str], name: str) -> None:
    """Refuse `values` that contain duplicates.

    Parameters
    ----------
    values : iterable of str
        Such as the keys of all questions.
    name : str
        Name of one of them in the error message.
    """
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise PrivacyError("twice", value, code="duplicate_key", name=name)
        seen.add(value)


def visibly_distinct(values: Iterable[object], name: str) -> None:
    """Refuse texts that look the same to people, or that contain control characters.

    Parameters
    ----------
    values : iterable of object
        For example the options of a question; only texts are checked.
    name : str
        Name of one of them in the error message.

    Raises
    ------
    PrivacyError
        ``blocks.control``: a text contains a control character; ``duplicate_key``: two texts are the same, or
        differ only in blanks or invisible characters.

    Examples
    --------
    >>> visibly_distinct(["never", "once", 2], "option")
    >>> visibly_distinct(["never", "never "], "option")
    Traceback (most recent call last):
    privacy.errors.PrivacyError: option 'never ' differs from 'never' only in blanks or invisible \
characters; give each its own name
    """
    seen: dict[str, str] = {}
    for value in values:
        if not isinstance(value, str):
            continue
        if any(unicodedata.category(sign) in ("Cc", "Cs") for sign in value):
            raise PrivacyError("blocks.control", value, name=name)
        # Signs of the category Cf have no width.
        visible = "".join(sign for sign in value if unicodedata.category(sign) != "Cf")
        read = " ".join(unicodedata.normalize("NFC", visible).split())
        if seen.get(read) == value:
            raise PrivacyError("twice", value, code="duplicate_key", name=name)
        if read in seen:
            raise PrivacyError("blocks.alike", value, code="duplicate_key", name=name, other=seen[read])
        seen[read] = value


def instance(value: object, name: str, *kinds: type, code: str = "malformed") -> None:
    """Refuse a value that is not an instance of any of these classes.

    Parameters
    ----------
    value : object
        The value to check.
    name : str
        Its name in the error message.
    *kinds : type
        Accepted classes.
    code : str, optional
        Code of the error.

    Examples
    --------
    >>> instance("yes", "answer", dict)
    Traceback (most recent call last):
        ...
    privacy.errors.PrivacyError: answer = 'yes' is not a dict; pass a dict
    """
    if not isinstance(value, kinds):
        kind_names = " or ".join(kind.__name__ for kind in kinds)
        raise PrivacyError("instance", value, code=code, name=name, wanted=kind_names)


def as_tuple(value: object, name: str, *, code: str = "malformed") -> tuple[object, ...]:
    """Return a list or tuple as a tuple; other iterables, such as strings and mappings, are refused.

    Parameters
    ----------
    value : object
        The value to check.
    name : str
        Its name in the error message.
    code : str, optional
        Code of the error.

    Examples
    --------
    >>> as_tuple(["a", "b"], "options")
    ('a', 'b')
    """
    if not isinstance(value, list | tuple):
        raise PrivacyError("list", value, code=code, name=name)
    return tuple(value)
