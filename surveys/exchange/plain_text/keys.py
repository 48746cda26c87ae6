"""Keys of parts and questions from their texts; twin of ``static/surveys/js/authoring/keys.js``."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Collection
from typing import Final

__all__ = ["fresh_key", "proposed_key"]

_LONGEST: Final = 32
_WORDS: Final = 3
# Words of questions that do not tell one from another.
_COMMON: Final = re.compile(
    "a|about|an|and|any|are|at|been|by|can|could|did|do|does|ever|for|from|had|has|have|how|i|in|is|it|last|many|me"
    "|much|my|of|often|on|or|our|past|than|that|the|their|there|this|to|was|were|what|when|where|which|who|with"
    "|would|year|years|you|your"
)


def proposed_key(text: str) -> str | None:
    """Return a key made of the first telling words of a text; None where its letters make none.

    Examples
    --------
    >>> proposed_key("Have you taken a pill to fall asleep?"), proposed_key("睡眠")
    ('taken-pill-fall', None)
    """
    plain = "".join(
        sign for sign in unicodedata.normalize("NFKD", text) if unicodedata.category(sign)[0] != "M"
    )
    telling = [word for word in re.findall(r"[a-z0-9]+", plain.lower()) if not _COMMON.fullmatch(word)]
    return "-".join(telling[:_WORDS])[:_LONGEST].rstrip("-") or None


def fresh_key(taken: Collection[str], wanted: str) -> str:
    """Return a key that is not taken: the wanted one, or the same with a number behind it.

    Examples
    --------
    >>> fresh_key({"pill", "pill-2"}, "pill")
    'pill-3'
    """
    if wanted not in taken:
        return wanted
    stem = re.sub(r"-\d+$", "", wanted)
    return next(key for number in itertools.count(2) if (key := f"{stem}-{number}") not in taken)
