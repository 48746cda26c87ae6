"""The members of one part of a design's JSON."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from privacy.errors import PrivacyError

EMPTY: Final[tuple[object, ...]] = (None, "", (), [])
"""Values with which optional fields are omitted."""

_WEIGHT: Final = re.compile(r"0|[1-9][0-9]{0,400}", re.ASCII)


class JsonShape(NamedTuple):
    """Required keys of a part, and optional keys, which are omitted if empty."""

    keys: tuple[str, ...]
    optional: tuple[str, ...] = ()


def members_of(document: object, name: str, shape: JsonShape) -> dict[str, Any]:
    """Return a copy of a part's members; refuse missing, unknown and empty optional keys.

    Parameters
    ----------
    document : object
        Decoded JSON.
    name : str
        The part, as errors name it.
    shape : JsonShape

    Raises
    ------
    PrivacyError
        ``malformed``.

    Examples
    --------
    >>> members_of({"low": 0, "high": 9}, "range", JsonShape(("low", "high"), ("calendar",)))
    {'low': 0, 'high': 9}
    """
    members = document if isinstance(document, dict) else {}
    extra_keys = [key for key in shape.optional if key in members]
    keys = (*shape.keys, *extra_keys)
    if set(members) != set(keys):
        raise PrivacyError("malformed.keys", document, name=name, keys=", ".join(keys))
    for key in extra_keys:
        if members[key] in EMPTY:
            raise PrivacyError("malformed.absent", members[key], name=key)
    return dict(members)


def weight_of(text: object, name: str) -> int:
    """Parse a weight, which is stored as text because not every JSON reader keeps large integers exact.

    Parameters
    ----------
    text : object
        Decoded JSON.
    name : str
        The weight, as errors name it.

    Raises
    ------
    PrivacyError
        ``malformed``: not a decimal number of 1 to 401 digits.

    Examples
    --------
    >>> weight_of("12345678901234567890", "peak")
    12345678901234567890
    """
    if not isinstance(text, str) or _WEIGHT.fullmatch(text) is None:
        raise PrivacyError("malformed.decimal", text, name=name)
    return int(text)
