"""Remarks in the first column of a table, in a row without answers of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.lines.source_lines import INSTRUCTION, LEFT, SourceLine, ends_sentence
from surveys.imports.words.cues import CHOOSES, says_how_many

_IN_BRACKETS: Final = re.compile(r"[(（\[【][^()（）\[\]【】]{2,200}[)）\]】][.。!！]?")
_LEAST_OTHERS: Final = 2
"""Other rows for each row in brackets."""


def leave_row_remarks(lines: Sequence[SourceLine], widths: list[int]) -> None:
    """Find the rows of tables that say how to answer, or end a table with a sentence; they are no items.

    Parameters
    ----------
    lines : sequence of SourceLine
        The lines that are not blank; those with a role keep it.
    widths : list of int
        The number of columns of each line; 0 if it is no row. That of a remark becomes 0.

    Examples
    --------
    >>> from surveys.imports.lines.source_lines import read_line
    >>> texts = ["I cry\\t\\t", "I lie\\t\\t", "(one cross per row)\\t\\t", "Thank you for all!\\t\\t"]
    >>> lines = [read_line(number, each, has_gap=False) for number, each in enumerate(texts)]
    >>> widths = [2, 2, 2, 2]
    >>> leave_row_remarks(lines, widths)
    >>> widths, [line.role for line in lines]
    ([2, 2, 0, 0], ['', '', 'instruction', 'left'])
    """
    rows = [place for place, width in enumerate(widths) if width]
    bracketed = [place for place in rows if _IN_BRACKETS.fullmatch(lines[place].text)]
    said = [place for place in rows if _says_how(lines[place].text)]
    are_few = (_LEAST_OTHERS + 1) * len(bracketed) <= len(rows)
    for place in {*said, *(bracketed if are_few else ())}:
        lines[place].give(INSTRUCTION)
        widths[place] = 0
    for place in rows:
        if widths[place] and _ends_table(lines, widths, place):
            lines[place].give(LEFT, is_certain=False)
            widths[place] = 0


def _says_how(text: str) -> bool:
    """Return whether a row is an order to choose a number of answers."""
    return CHOOSES.search(text) is not None and says_how_many(text)


def _ends_table(lines: Sequence[SourceLine], widths: Sequence[int], place: int) -> bool:
    """Return whether a row ends a table with a sentence, below an empty row or with an exclamation mark."""
    above, line = lines[place - 1], lines[place]
    is_last = place + 1 == len(lines) or not widths[place + 1]
    is_below_row = bool(place) and (widths[place - 1] == widths[place] or above.role == INSTRUCTION)
    is_odd = line.mark is None and ends_sentence(line.text) and not ends_sentence(above.text)
    return is_last and is_below_row and is_odd and (line.has_gap or line.text[-1] in "!！")
