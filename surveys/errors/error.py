"""What a service refuses because of how things stand, in the words of the page."""

from __future__ import annotations

import json
import re
from typing import Final

from django.utils.translation import pgettext

_SYMBOL: Final = re.compile(r"[b-z] = ")
"""Begins a sentence about p, k or n: a capital would be another symbol."""


class StateRefusal(RuntimeError):
    """A service that the state of things does not allow.

    Parameters
    ----------
    code : str
        Machine-readable name.
    message, remedy : str
        What is in the way, and what to do.
    """

    def __init__(self, code: str, message: str, remedy: str) -> None:
        super().__init__(f"{message}; {remedy}")
        self.code = code
        self.message = message
        self.remedy = remedy

    @property
    def sentences(self) -> str:
        """What is wrong and what to do, as two sentences."""
        return in_sentences(self.message, self.remedy)


def in_sentences(*parts: str) -> str:
    """Write each part as a sentence, with the stop and the blank of the language.

    >>> in_sentences("9 are too many", "raise the support.")
    '9 are too many. Raise the support.'
    >>> in_sentences("p = 0 carries no information", "choose p > 0")
    'p = 0 carries no information. Choose p > 0.'
    """
    stop = pgettext("between two sentences", ". ")
    bare = (part.strip().rstrip(".。") for part in parts)
    begun = (part if _SYMBOL.match(part) else part[:1].upper() + part[1:] for part in bare)
    return "".join(part + stop for part in begun).rstrip()


_LONGEST_VALUE: Final = 60


def shown(value: object) -> str:
    """Return a value as the document spells it, shortened."""
    # A lone surrogate, which JSON can spell and no terminal can show, is shown as its escape.
    text = json.dumps(value, ensure_ascii=False, default=repr).encode("utf-8", "backslashreplace").decode()
    if len(text) <= _LONGEST_VALUE:
        return text
    closing = '"' if isinstance(value, str) else ""
    return f"{text[:_LONGEST_VALUE]}...{closing}"
