"""Signs at the numbers of some items, such as *3\\*.* and *7R.*, that a text explains elsewhere.

They move behind the number, so that all items of a list have numbers of one shape.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.words.cues import REVERSED, REVERSED_MARK

_SIGNED: Final = re.compile(
    r"(?P<number>\s{0,9}\d{1,3})(?:(?P<sign>[*＊†‡°#^]{1,2}|[A-Z])(?P<end>[.):]-?)|(?P<close>[.):]-)(?P<behind>[*＊†‡°#^]{1,2}))"
    r"\s{1,4}(?P<text>[^\W\d].*)"
)
"""The number of an item with a sign before or behind its full stop."""
_BETWEEN: Final = re.compile(
    rf"(?P<number>\s{{0,9}}(?:\d{{1,3}}|[a-z])[.):]-?\s{{1,4}})(?P<text>[^\W\d][^?？.。]{{2,300}}[?？.。])\s{{0,9}}"
    rf"(?P<mark>{REVERSED_MARK.pattern})(?P<answers>[^\S\t]{{1,9}}[^\s\d].*)",
    re.IGNORECASE,
)
"""An item with the mark of reversed points in front of its answers, which are no cells of a table."""
_LETTER: Final = re.compile(r"[(（\[](?P<letter>[A-Z])[)）\]]")
_LETTER_FIRST: Final = re.compile(rf"\s{{0,9}}(?P<mark>{_LETTER.pattern})\s{{0,4}}(?P<text>[^\W\d][^\t]*)")
"""An item with a letter in brackets in front of it; cells of a table may follow."""
_PLAIN: Final = re.compile(r"\s{0,9}\d{1,3}[.):]-?\s{1,4}[^\W\d]")


def move_signs(lines: Sequence[str]) -> list[str]:
    """Return lines with signs behind the numbers of items, if other items have no sign.

    So does the mark of reversed points between an item and its answers. A letter is such a sign only if
    another line explains it: *R = reversed*.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> move_signs(["1. I lie.", "2*. I rest.", "3. I eat.", "* reversed"])
    ['1. I lie.', '2.* I rest.', '3. I eat.', '* reversed']
    >>> move_signs(["1. I lie.", "2R) I rest.", "3. I eat.", "R = reversed"])[1]
    '2) (R) I rest.'
    >>> move_signs(["1. I lie.", "2A. I rest.", "3. I eat."])[1]
    '2A. I rest.'
    >>> move_signs(["2. Do you rest? (R)  yes / no"])
    ['2. (R) Do you rest?  yes / no']
    >>> move_signs(["I lie.", "(I) I rest.", "(I) = inverse item"])[1]
    'I rest. (I)'
    """
    found = _with_letters_behind([_BETWEEN.sub(_mark_first, line, count=1) for line in lines])
    is_list = sum(_PLAIN.match(line) is not None for line in lines) > 1
    for place, line in enumerate(lines if is_list else ()):
        match = _SIGNED.fullmatch(line)
        sign = (match["sign"] or match["behind"]) if match else ""
        if match is None or (sign.isalpha() and not any(map(_explains(sign).search, lines))):
            continue
        # A star at a number may also mark questions that need an answer.
        sign = f" ({sign})" if sign.isalpha() else sign if sign == "*" else f" {sign}"
        found[place] = f"{match['number']}{match['end'] or match['close']}{sign} {match['text']}"
    return found


def _mark_first(match: re.Match[str]) -> str:
    """Return an item with its mark in front of it; a word in square brackets there would be a code."""
    return f"{match['number']}({match['mark'][1:-1]}) {match['text']}{match['answers']}"


def _with_letters_behind(lines: Sequence[str]) -> list[str]:
    """Return lines with a letter behind each item instead of before it, if a line says that it reverses.

    There, it is not mistaken for the letter of an answer or the number of an item.
    """
    rules = {line for line in lines if REVERSED.search(line)}
    explained = {match["letter"] for line in rules for match in _LETTER.finditer(line)}
    found = []
    for line in lines:
        match = None if line in rules else _LETTER_FIRST.match(line)
        if match and match["letter"] in explained:
            line = f"{match['text'].rstrip()} {match['mark']}{line[match.end() :]}"
        found.append(line)
    return found


def _explains(letter: str) -> re.Pattern[str]:
    """Return a pattern for the explanation of a letter."""
    return re.compile(rf"(?<![^\W㐀-鿿])[(（«“\"]?{letter}[)）»”\"]?\s?[=＝:：]")
