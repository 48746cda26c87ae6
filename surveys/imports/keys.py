"""Keys of parts and questions from their texts; twin of ``static/surveys/js/authoring/keys.js``."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable
from typing import Final

__all__ = ["FreshKeys", "proposed_key"]

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


class FreshKeys:
    """Hand out keys, none of them twice.

    Parameters
    ----------
    taken : iterable of str
        Keys that are in use already.

    Examples
    --------
    >>> keys = FreshKeys(["pill", "pill-2"])
    >>> keys.take("pill"), keys.take("pill"), keys.take("sleep")
    ('pill-3', 'pill-4', 'sleep')
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        # The next number to try of each stem. Keys are never given back, so no smaller one becomes free.
        self._next: dict[str, int] = {}

    def take(self, wanted: str) -> str:
        """Return the wanted key if it is free, otherwise the same key with a number behind it."""
        key = wanted
        if wanted in self._taken:
            stem = re.sub(r"-\d+$", "", wanted)
            numbers = itertools.count(self._next.get(stem, 2))
            number = next(number for number in numbers if f"{stem}-{number}" not in self._taken)
            self._next[stem] = number + 1
            key = f"{stem}-{number}"
        self._taken.add(key)
        return key

    def __len__(self) -> int:
        return len(self._taken)
