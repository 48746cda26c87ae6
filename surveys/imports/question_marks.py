"""Find question marks of any script at the end of a text or anywhere in it."""

from __future__ import annotations

import re
from typing import Final

SIGN_OF_QUESTION: Final = re.compile(r"[?？؟]")
_ASKS: Final = re.compile(
    r"[?？؟][^\w?？؟]{0,6}(?:[(（\[【][^()（）\[\]【】?？؟]{1,80}[)）\]】][^\w?？؟]{0,6})?$"
)
_LONGEST_END: Final = 100


def holds_question(text: str) -> bool:
    """Return whether a text has a question mark anywhere."""
    return SIGN_OF_QUESTION.search(text) is not None


def asks(text: str) -> bool:
    """Return whether a text ends with a question mark, possibly followed by signs or brackets.

    Examples
    --------
    >>> asks("Do you? *"), asks("Do you? (Tick all)"), asks("Do you? Tick all")
    (True, True, False)
    """
    return _ASKS.search(text[-_LONGEST_END:]) is not None
