"""Steps of a scale whose two ends a sentence states."""

from __future__ import annotations

import re
from typing import Final

from surveys.imports.answers_on_line import Listed
from surveys.imports.cues import ASKS_SCALE
from surveys.imports.legends import NUMBER_AND_QUOTED, numbered

_SAID: Final = r"(?:\s?[(（=＝]\s?(?P<{name}>[^()（）=＝\d]{{1,60}}?)\s?(?=[)）,，;；\d]))?"
_FROM_TO: Final = re.compile(
    r"(?<![\d-])(?P<low>[01])(?!\d)\s?分?" + _SAID.format(name="first") + r"[^\d(（]{1,60}"
    r"(?<![\d-])(?P<high>[3-9]|10)(?!\d)\s?分?" + _SAID.format(name="last")
)
"""The two ends of a scale in a sentence, with what they mean."""


def stated_scale(text: str) -> Listed | None:
    """Return the steps of a scale if a sentence states both ends, with a word for a scale or in quotes.

    Examples
    --------
    >>> stated_scale("On a scale from 0 (not at all) to 4 (fully), how happy are you?").labels
    ('0 – not at all', '1', '2', '3', '4 – fully')
    >>> stated_scale('How happy are you, if 1 means "not at all" and 3 means "very"?').labels
    ('1 – not at all', '2', '3 – very')
    >>> stated_scale("Did you sleep 1 to 5 hours?")
    """
    if len(NUMBER_AND_QUOTED.findall(text)) > 1 and (quoted := numbered(text)) and len(quoted.labels) > 2:
        return Listed("", quoted.labels, quoted.points, "ends")
    if not ASKS_SCALE.search(text):
        return None
    found = [*_FROM_TO.finditer(text)]
    if not found or len({(match["low"], match["high"]) for match in found}) > 1:
        return None
    steps = range(int(found[0]["low"]), int(found[0]["high"]) + 1)
    named = next((match for match in found if match["first"] and match["last"]), found[0])
    ends = {steps[0]: named["first"], steps[-1]: named["last"]}
    labels = (f"{step} – {ends[step].strip()}" if ends.get(step) else str(step) for step in steps)
    return Listed("", tuple(labels), tuple(steps), "ends")
