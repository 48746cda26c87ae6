"""Words with which conditional questions begin; `condition_cues.tsv` lists them."""

from __future__ import annotations

import re
from importlib import resources
from typing import Final

_TEXT: Final = (
    resources.files("surveys.questionnaire").joinpath("condition_cues.tsv").read_text(encoding="utf-8")
)
CONDITION_CUES: Final = tuple(
    tuple(line.split("\t")) for line in _TEXT.splitlines() if line and not line.startswith("#")
)
"""Meaning, pattern and example of each cue."""


def begins_with_condition(text: str, *, is_below_yes_no: bool) -> bool:
    """Return whether a question begins with a condition about the one above it.

    Parameters
    ----------
    text : str
        The question. The cues cover many languages, and find nothing in others.
    is_below_yes_no : bool
        Whether the question above is a yes/no question. Then any clause with *if* counts as a condition.

    Examples
    --------
    >>> begins_with_condition("If so, when?", is_below_yes_no=False)
    True
    >>> [begins_with_condition("If you fell, were you hurt?", is_below_yes_no=each) for each in (True, False)]
    [True, False]
    """
    patterns = _ANY if is_below_yes_no else _IF_SO
    return any(pattern.match(text) for pattern in patterns)


def without_condition(text: str) -> str:
    """Return a question without words such as *if so* and a comma at its beginning.

    Examples
    --------
    >>> without_condition("If yes, was all of it recorded?"), without_condition("Was it?")
    ('was all of it recorded?', 'Was it?')
    """
    found = next(filter(None, (pattern.match(text) for pattern in _IF_SO)), None)
    rest = _BEHIND.match(text, found.end()) if found else None
    return text[rest.end() :] if rest and rest.end() < len(text) else text


def _patterns(*meanings: str) -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for meaning, pattern, _example in CONDITION_CUES
        if meaning in meanings
    )


_IF_SO: Final = _patterns("if-so")
_ANY: Final = _patterns("if-so", "if")
_BEHIND: Final = re.compile(r"(?:(?<=[,，،])|\s*[,，،:：])\s*")
"""The punctuation mark that ends a condition."""
