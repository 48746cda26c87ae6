"""Line breaks that are unusual or were lost: *Diving 1. Are you ill? yes / no 2. How deep did you dive?*."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from surveys.imports.words.question_marks import holds_question

_UNUSUAL: Final = re.compile(r"\r\n|[\r\v\x85\u2028\u2029]|(?<!\n)\f")
"""Other line breaks than a line feed; slides and word processors break lines with a vertical tab."""
_NUMBER: Final = re.compile(r"(?<!\S)[^\W\d_]{0,3}(?P<number>\d{1,2})\s?[.)、．:：）]\s?(?=[^\W\d_¿])")
"""The number of a question, with letters in front of it, such as *Q1.*."""
_SPACE_OR_BOX: Final = re.compile(r"_{2}|\.{4}|…|[□☐○]|[\[(（]\s{0,4}[\])）]")
_LEAST_QUESTIONS: Final = 2


def usual_breaks(text: str) -> str:
    """Return a text in which each line ends with a line feed, whatever program it is from.

    Examples
    --------
    >>> usual_breaks("Do you dive?\\vyes\\r\\nno")
    'Do you dive?\\nyes\\nno'
    """
    return _UNUSUAL.sub("\n", text)


def with_line_breaks(text: str) -> str:
    """Return a text with usual line breaks, and with a line for each numbered question if it has none.

    A number counts only if the words behind it ask: the numbers of answers stay with their question.

    Parameters
    ----------
    text : str

    Examples
    --------
    >>> with_line_breaks("Diving 1. Are you ill? 1. yes 2. no 2. How often? 1. once 2. twice")
    'Diving\\n1. Are you ill? 1. yes 2. no\\n2. How often? 1. once 2. twice'
    >>> with_line_breaks("Do you dive? 1. yes 2. no")
    'Do you dive? 1. yes 2. no'
    """
    text = usual_breaks(text)
    line = text.strip()
    if "\n" in line:
        return text
    numbers = [*_NUMBER.finditer(line)]
    ends = [*(match.start() for match in numbers), len(line)]
    cuts, last = list[int](), None
    for match, end in zip(numbers, ends[1:], strict=True):
        number, words = int(match["number"]), line[match.end() : end]
        is_next = number <= 1 if last is None else number == last + 1
        if is_next and (holds_question(words) or _SPACE_OR_BOX.search(words)):
            cuts.append(match.start())
            last = number
    if len(cuts) < _LEAST_QUESTIONS:
        return text
    pieces = (line[start:end].strip() for start, end in pairwise([0, *cuts, len(line)]))
    return "\n".join(piece for piece in pieces if piece)
