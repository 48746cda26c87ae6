"""An audit read back from the plain data that `Audit.to_json` makes."""

from __future__ import annotations

import math
import types
from dataclasses import MISSING, fields, is_dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from privacy.errors import PrivacyError
from privacy.risk.report import Audit

__all__ = ["audit_from_json"]


def audit_from_json(document: object) -> Audit:
    """Read an audit; the inverse of `Audit.to_json`, but for fractions, which come back as floats did.

    Parameters
    ----------
    document : object
        Nested dictionaries and lists.

    Returns
    -------
    Audit

    Raises
    ------
    PrivacyError
        ``stored_audit``: a part is missing or of another shape, as one that an older version wrote.
    """
    try:
        return cast(Audit, _read(Audit, document))
    except (KeyError, TypeError, ValueError) as error:
        raise PrivacyError("stored_audit", type(document).__name__, error=error) from error


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _read(kind: Any, value: Any) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if is_dataclass(kind) and isinstance(kind, type):
        hints = _hints(kind)
        # What has a value of its own came later than some audits that are stored.
        names = [field.name for field in fields(kind) if field.name in value or field.default is MISSING]
        return kind(**{name: _read(hints[name], value[name]) for name in names})
    if origin in (Union, types.UnionType):
        return _one_of(arguments, value)
    if origin is Literal:
        if value not in arguments:
            raise ValueError(f"{value!r} is none of {arguments}")
        return value
    if origin is tuple:
        return _tuple(arguments, value)
    if kind is float:
        return math.inf if value is None else float(value)
    if kind is Fraction:
        return Fraction(value)
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value


def _one_of(arguments: tuple[Any, ...], value: Any) -> Any:
    if value is None and type(None) in arguments:
        return None
    for kind in arguments:
        if kind is type(None):
            continue
        try:
            return _read(kind, value)
        except (KeyError, TypeError, ValueError):
            continue
    raise ValueError(f"{value!r} is none of what is expected")


def _tuple(arguments: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is no list")
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(_read(arguments[0], entry) for entry in value)
    return tuple(_read(kind, entry) for kind, entry in zip(arguments, value, strict=True))
