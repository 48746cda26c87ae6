"""Spaces to write behind the first one of a question: *Name: ____ (born in: ____)*.

One question has one answer, so the first space is asked about. What is cut is said at its line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.lines.source_lines import QUESTION, SourceLine, behind_mark
from surveys.imports.words.answers_on_line import answers_on
from surveys.imports.words.patterns import LETTER, OF_DATE

_SPACE: Final = re.compile(r"[_＿]{2,200}|\.{4,200}|…{1,100}")
_LABELLED: Final = re.compile(r"[:：?？؟]\s{0,9}[(（\[£$€]?\s?$")
"""The end of a label in front of a space to write."""
_BREAK: Final = re.compile(r"[(（\[,，;；、/|]|\s{2,}|\t|\s[–—-]\s")
"""What may be between the first space with its unit and the label of the next."""
_LAST_FIELD: Final = re.compile(
    r"\s?[(（\[][^()（）\[\]_＿.…]{2,60}(?:_{2,80}|\.{4,80}|…{1,80})[^()（）\[\]]{0,20}[)）\]]\W{0,2}$"
)
"""A label and a space to write, in brackets at the end of a line."""


def split_fields(text: str) -> tuple[str, str] | None:
    """Return a question up to its first space to write, with the unit, and the further spaces behind it.

    Parameters
    ----------
    text : str
        With its wide blanks, without the mark of its line.

    Returns
    -------
    tuple of str or None
        None if it has no further space, or if the spaces are the parts of a date or the gaps of a sentence.

    Examples
    --------
    >>> split_fields("Name: ____ (born in: ____)"), split_fields("Rent: ____ euros, since: ____")
    (('Name: ____', '(born in: ____)'), ('Rent: ____ euros', 'since: ____'))
    >>> split_fields("Any pets? yes / no (which: ____)")
    ('Any pets? yes / no', '(which: ____)')
    >>> split_fields("Since when? ____ year ____ month"), split_fields("I have ____ sons and ____ daughters")
    (None, None)
    """
    spaces = [*_SPACE.finditer(text)]
    if not spaces:
        return None
    if len(spaces) == 1:
        tail = _LAST_FIELD.search(text)
        listed = answers_on(text[: tail.start()]) if tail else None
        return (text[: tail.start()], text[tail.start() :].strip()) if tail and listed else None
    first, second = spaces[:2]
    between = text[first.end() : second.start()]
    if not LETTER.search(between) or OF_DATE.fullmatch(between.strip(" /()（）.-")):
        return None
    parted = _BREAK.search(between)
    is_apart = parted is not None or between.rstrip()[-1:] in (":", "：")
    if not is_apart or not (_LABELLED.search(text[: first.start()]) or (parted and parted[0].strip())):
        return None
    unit = between[: parted.start()] if parted else ""
    kept = text[: first.end()] + unit
    return kept.rstrip(), text[len(kept) :].strip(" \t,，;；、/|–—-")


def cut_inner_fields(lines: Sequence[SourceLine]) -> None:
    """Cut the further spaces to write of questions, and keep what is cut for a note.

    Parameters
    ----------
    lines : sequence of SourceLine
        With their roles.
    """
    for line in lines:
        # Cells without a space to write are answers.
        has_fields = not line.cells[1:] or all(map(_SPACE.search, line.cells))
        own = behind_mark(line) if line.role == QUESTION and has_fields else ""
        found = split_fields(own) if own else None
        if found and line.raw.endswith(own):
            line.raw, line.cut = line.raw.rstrip()[: -len(own)] + found[0], found[1]
            line.body = " ".join(found[0].split())
