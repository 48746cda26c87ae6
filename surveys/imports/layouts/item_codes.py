"""Names of variables in front of questions, and negative codes of missing answers.

A word with a digit, an underline or a capital letter inside is the name of a variable if most questions begin
with one: *drugs_1*, *everPaid*. It becomes a number. A negative code in a list of codes becomes positive.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.words.marks import mark_of
from surveys.imports.words.question_marks import holds_question

_NAMED: Final = re.compile(
    r"(?P<indent>\s{0,40})[(\[]?(?P<name>[A-Za-z](?=\w{0,30}(?:_|[a-z\d][A-Z]|\.[a-z\d])|\w{0,30}[._][A-Za-z]{0,9}\d)[\w.]{2,40}?)[)\]]?"
    r"(?:\s?[.:：)]|\s[-–—])?\s+(?P<rest>\S.*)"
)
"""A line that begins with the name of a variable."""
_NEGATIVE: Final = re.compile(
    r"(?P<indent>\s*)(?P<open>[(\[]?)[-−](?P<code>\d{1,3})(?P<sign>\s?[.:：=)\]]\s?|\s+)(?P<text>[^\W\d].*)"
)
_CODE: Final = re.compile(r"\s*[(\[]?(?P<code>\d{1,3})(?:\s?[.:：=)\]]\s?|\s+)(?P<text>[^\W\d].*)")
_LEAST: Final = 2
_ABOVE: Final = 900
"""Added to negative codes; no list has so many answers."""


def without_item_codes(lines: Sequence[str]) -> list[str]:
    """Return lines with numbers in place of the names of variables, and without negative codes.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> lines = ["use_1. Do you?", "1 yes", "2 no", "-8 refused", "use_2. Did you?", "1 yes", "2 no"]
    >>> without_item_codes(lines)
    ['1. Do you?', '1 yes', '2 no', ' 908 refused', '2. Did you?', '1 yes', '2 no']
    """
    found = [*lines]
    _write_negatives(found)
    n_asked = sum(map(holds_question, found))
    named = {
        place: match
        for place, line in enumerate(found)
        if holds_question(line)
        and (match := _NAMED.fullmatch(line))
        and mark_of(line.strip())[1] != match["rest"]
    }
    names = {match["name"] for match in named.values()}
    are_names = len(names) == len(named) >= _LEAST and 2 * len(named) > n_asked
    for count, (place, match) in enumerate(named.items() if are_names else (), start=1):
        found[place] = f"{match['indent']}{count}. {match['rest']}"
    return found


def _write_negatives(lines: list[str]) -> None:
    """Make negative codes below other codes positive, so that they are codes of the same list.

    The list counts from 0 or 1. Numbers with one unit are amounts: *1 degree*, *-5 degrees*.
    """
    words: set[str] = set()
    for place, line in enumerate(lines):
        code = _CODE.fullmatch(line)
        match = _NEGATIVE.fullmatch(line) if len(words) >= _LEAST else None
        if match and match["text"] not in words:
            stated = f"{match['open']}{_ABOVE + int(match['code'])}{match['sign']}"
            lines[place] = f"{match['indent']} {stated}{match['text']}"
        elif code and not holds_question(line) and (words or int(code["code"]) < _LEAST):
            words.add(code["text"])
        else:
            words = set()
