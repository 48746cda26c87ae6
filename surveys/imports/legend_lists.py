"""Legends with one answer per line, above items that have no answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.question_marks import asks

_ANSWER: Final = re.compile(
    r"\s*(?:(?P<letter>[A-La-l])(?:[.)]|\s[–—-])\s?|[–—•*·-]\s)?(?P<label>[^\W\d][^=(（]{0,59}?)"
    r"\s?(?:[=＝]\s?(?P<code>\d{1,2})(?:\s[^\W\d]{1,8}\.?)?|[(（]\s?(?P<inner>\d{1,2})(?:\s[^\W\d]{1,8}\.?)?\s?[)）])\s*$"
)
"""An answer on a line of its own, with its points behind it."""
_ITEM: Final = re.compile(r"\s*(?:(?:\d{1,3}\s?[.)/:]|[–—•*·-])\s*)[^\W\d].*[^\W\d].*")
_NUMBERED: Final = re.compile(r"\s*\d{1,3}\s?[.)/:]")
_BULLETS: Final = " \t•·–—*-"
_LEAST: Final = 3


def join_legends(lines: Sequence[str]) -> list[str]:
    """Write a legend with one answer per line in one line, if items without answers follow it.

    Parameters
    ----------
    lines : sequence of str
        Lines that were joined to the one above become empty.

    Examples
    --------
    >>> legend = ["Choose:", "A – never (0 points)", "B – often (1 point)", "C – daily (2 points)"]
    >>> join_legends([*legend, "", "1. I lie.", "2. I steal.", "3. I cheat."])[:3]
    ['Choose: never (0), often (1), daily (2)', '', '']
    """
    found = [*lines]
    answers = [*map(_ANSWER.fullmatch, found)]
    runs: list[list[int]] = []
    for place, answer in enumerate(answers):
        if answer and runs and runs[-1][-1] == place - 1:
            runs[-1].append(place)
        elif answer:
            runs.append([place])
    if len(runs) != 1 or len(runs[0]) < _LEAST or not runs[0][0]:
        return found
    own = [
        (match["label"].strip(), int(match["code"] or match["inner"]))
        for at in runs[0]
        if (match := answers[at])
    ]
    codes = [code for _label, code in own]
    above, below = found[runs[0][0] - 1].rstrip(), found[runs[0][-1] + 1 :]
    is_scale = codes == [*range(codes[0], codes[0] + len(codes))] and codes[0] < len("ab")
    is_shared = bool(above.strip()) and not asks(above) and not _NUMBERED.match(above)
    if not is_scale or not is_shared or sum(map(bool, map(_ITEM.fullmatch, below))) < _LEAST:
        return found
    said = ", ".join(f"{label} ({code})" for label, code in own)
    found[runs[0][0] - 1] = f"{above.strip(_BULLETS).rstrip(' :：')}: {said}"
    for at in runs[0]:
        found[at] = ""
    return found
