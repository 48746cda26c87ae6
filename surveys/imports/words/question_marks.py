"""Find question marks of any script at the end of a text or anywhere in it."""

from __future__ import annotations

import re
from typing import Final

_SIGN: Final = r"(?:[?？؟]|(?<=か)[。．]|(?<=[すたうん]か)(?=$|[(（])|(?<=[\u0370-\u03ff]);)"
"""A question mark, also the Greek one, or the end of a question in Japanese."""
SIGN_OF_QUESTION: Final = re.compile(_SIGN)
_ASKS: Final = re.compile(
    rf"{_SIGN}[^\w?？؟]{{0,6}}(?:[(（\[【][^()（）\[\]【】?？؟]{{1,80}}[)）\]】][^\w?？؟]{{0,6}})?$"
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
    >>> asks("飲みますか。"), asks("飲みましたか（１つ）"), asks("Πίνετε μόνος;"), asks("Sometimes;")
    (True, True, True, False)
    """
    return _ASKS.search(text[-_LONGEST_END:]) is not None
