"""Limits of numbers that a negation turns round: *no more than 14* is *up to 14*."""

from __future__ import annotations

import re
from typing import Final

from surveys.imports.words.cues import pattern_of

_NOT: Final = r"(?:(?<!\w)(?:no|not|nicht|non|não|nao|pas|ne|не|nie)\s|\bn['’]|[不未])"
_BEHIND: Final = r"(?:\s(?:pas|nicht)(?=\s))?"
_TURNED: Final = tuple(
    (re.compile(f"{_NOT}(?:{pattern_of(meaning).pattern}){_BEHIND}", re.IGNORECASE), sign)
    for meaning, sign in (("from-above", "≤"), ("up-below", "≥"), ("from-least", "<"))
)


def with_signs(text: str) -> str:
    """Return a text with a sign for each limit behind a negation.

    Examples
    --------
    >>> with_signs("no more than 4: low; not below 5: high"), with_signs("n'atteint pas 5")
    ('≤ 4: low; ≥ 5: high', '< 5')
    >>> with_signs("more than 4; ne dépasse pas 4; no alcanza 5")
    'more than 4; ≤ 4; < 5'
    """
    for pattern, sign in _TURNED:
        text = pattern.sub(sign, text)
    return text
