"""Keys of questions and answers: proposed from their texts, and unique."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from privacy.validation import LONGEST_KEY

_LONGEST: Final = 32
_WORDS: Final = 3
# Frequent words, which do not distinguish questions.
_COMMON: Final = re.compile(
    "a|about|an|and|any|are|at|been|by|can|could|did|do|does|ever|for|from|had|has|have|how|i|in|is|it|last|many|me"
    "|much|my|of|often|on|or|our|past|than|that|the|their|there|this|to|was|were|what|when|where|which|who|with"
    "|would|year|years|you|your"
)


def proposed_key(text: str) -> str | None:
    """Return a key made from a text's first distinctive words; None if it has no Latin letters or digits.

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
    """Generate unique keys.

    Parameters
    ----------
    keys : iterable of str
        Keys that are already in use.

    Examples
    --------
    >>> keys = FreshKeys(["pill", "pill-2"])
    >>> keys.take("pill"), keys.take("pill"), keys.take("sleep")
    ('pill-3', 'pill-4', 'sleep')
    """

    def __init__(self, keys: Iterable[str] = ()) -> None:
        self._keys = set(keys)
        # The next number to try for each stem. Keys are never freed, so smaller numbers stay in use.
        self._next: dict[str, int] = {}

    def take(self, proposal: str) -> str:
        """Return the proposed key if it is free, else the same key with a number added."""
        key = proposal
        if proposal in self._keys:
            stem = re.sub(r"-\d+$", "", proposal)
            numbers = itertools.count(self._next.get(stem, 2))
            number, key = next(
                (number, key)
                for number in numbers
                if (key := stem[: LONGEST_KEY - len(f"-{number}")] + f"-{number}") not in self._keys
            )
            self._next[stem] = number + 1
        self._keys.add(key)
        return key

    def __len__(self) -> int:
        return len(self._keys)
