"""Steps of a scale whose two ends a sentence states."""

from __future__ import annotations

import re
from typing import Final

from surveys.imports.words.answers_on_line import Listed
from surveys.imports.words.cues import ASKS_SCALE
from surveys.imports.words.legends import NUMBER_AND_QUOTED, numbered
from surveys.imports.words.numerals import ranges_in_digits

_AROUND: Final = " ()（）=＝:：;；,，.…|/_★☆*<>→←↔–—-"
_IN_BRACKETS_LAST: Final = re.compile(r"[\[［][^\[\]]{1,30}[\]］]\W*$")
_SAID: Final = r"(?:\s?[(（=＝]\s?(?P<{name}>[^()（）=＝\d]{{1,60}}?)\s?(?=[)）,，;；\d]))?"
_FROM_TO: Final = re.compile(
    r"(?<![\d-])(?P<low>[01])(?!\d)\s?分?" + _SAID.format(name="first") + r"[^\d(（]{1,60}"
    r"(?<![\d-])(?P<high>[3-9]|10)(?!\d)\s?分?" + _SAID.format(name="last")
)
"""The two ends of a scale in a sentence, with what they mean."""
_TWO_ENDS: Final = re.compile(
    r"(?P<low>[01])(?![\d.)\]:：])\s?%?(?P<first>\D{2,80}?)\s?(?P<high>\d{1,3})(?!\d)(?P<last>\D{2,80})"
)
"""A line that says only what the smallest and the largest number mean."""
_LEAST_STEPS: Final = 2
_NAMES: Final = (("low", "first"), ("high", "last"))
"""The groups of the patterns for each end: its number, and what it means."""


def two_ends(text: str) -> Listed | None:
    """Return the steps of a scale if a line says what the smallest and the largest number mean, and no more.

    Examples
    --------
    >>> two_ends("0 (not at all) --- 3 (very much) [slider]").labels
    ('0 – not at all', '1', '2', '3 – very much')
    >>> two_ends("1 cup a day")
    """
    found = _TWO_ENDS.fullmatch(text)
    if found is None or int(found["high"]) - int(found["low"]) < _LEAST_STEPS:
        return None
    low, high = (
        (int(found[end]), _IN_BRACKETS_LAST.sub("", found[said]).strip(_AROUND)) for end, said in _NAMES
    )
    are_words = all(any(map(str.isalpha, words)) for _number, words in (low, high))
    return _steps_between(low, high) if are_words else None


def stated_scale(text: str) -> Listed | None:
    """Return the steps of a scale if a sentence states both ends, with their meaning or a word for a scale.

    Examples
    --------
    >>> stated_scale("On a scale from 0 (not at all) to 4 (fully), how happy are you?").labels
    ('0 – not at all', '1', '2', '3', '4 – fully')
    >>> stated_scale('How happy are you, if 1 means "not at all" and 3 means "very"?').labels
    ('1 – not at all', '2', '3 – very')
    >>> stated_scale("De 0 (rien) à 3 (tout), où vous situez-vous ?").labels
    ('0 – rien', '1', '2', '3 – tout')
    >>> stated_scale("Did you sleep 1 to 5 hours?")
    >>> stated_scale("How safe, from nought (unsafe) to three (safe)?").labels
    ('0 – unsafe', '1', '2', '3 – safe')
    """
    text = ranges_in_digits(text)
    if len(NUMBER_AND_QUOTED.findall(text)) > 1 and (quoted := numbered(text)) and len(quoted.labels) > 2:
        return Listed("", quoted.labels, quoted.points, "ends")
    found = [*_FROM_TO.finditer(text)]
    if not found or len({(match["low"], match["high"]) for match in found}) > 1:
        return None
    named = next((match for match in found if match["first"] and match["last"]), None)
    if named is None and not ASKS_SCALE.search(text):
        return None
    ends_at = named or found[0]
    low, high = ((int(ends_at[end]), (ends_at[said] or "").strip()) for end, said in _NAMES)
    return _steps_between(low, high)


def _steps_between(low: tuple[int, str], high: tuple[int, str]) -> Listed:
    """Return the steps of a scale from its two ends."""
    said = dict((low, high))
    steps = range(low[0], high[0] + 1)
    labels = (f"{step} – {said[step]}" if said.get(step) else str(step) for step in steps)
    return Listed("", tuple(labels), tuple(steps), "ends")
