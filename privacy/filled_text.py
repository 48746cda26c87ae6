"""Fill in the fields of a text."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

from privacy.counted_nouns import agreed

_FIELD: Final = re.compile(r"%\((\w+)\)([.\d]*[a-z])")
_NAMES: Final = frozenset({"line", "year", "port", "next", "status", "run", "id"})
"""Whole numbers that name something instead of counting it, so their digits are not grouped."""


def fill_fields(text: str, fields: Mapping[str, object], *, counts: Collection[str] | None = ()) -> str:
    """Fill in the fields of a text, which may contain a literal percent sign.

    Parameters
    ----------
    text : str
        With placeholders such as ``%(name)s``.
    fields : mapping of str
        Values by name.
    counts : collection of str or None
        Fields that are counts: ``s`` groups the digits of a whole number by three. None for all fields but
        those that name something, such as a line of a file. Nouns and verbs of English texts agree with
        counts of one.

    Examples
    --------
    >>> fill_fields("more than %(most)s are %(share).2g, not 40%", {"most": 3, "share": 1 / 3})
    'more than 3 are 0.33, not 40%'
    >>> values = {"line": 1200, "count": 1000, "most": 2000}
    >>> fill_fields("line %(line)s: %(count)s of %(most)s", values, counts=None)
    'line 1200: 1,000 of 2,000'
    >>> fill_fields("%(count)s rows are empty", {"count": 1}, counts=None)
    '1 row is empty'
    """

    def write(match: re.Match[str]) -> str:
        name, how = match.groups()
        value = fields[name]
        is_count = name not in _NAMES if counts is None else name in counts
        if is_count and how == "s" and type(value) is int:
            return f"{value:,}"
        return f"%{how}" % (value,)

    return _FIELD.sub(write, agreed(text, fields))
