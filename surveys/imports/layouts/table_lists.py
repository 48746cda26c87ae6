"""Tables with the answers of items, or with the levels of a score, written as lists.

*0 | never* becomes *0 = never*, and *low | 0 | 4* becomes *0-4: low*.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from surveys.imports.layouts.item_tables import SIGNS, blocks_of, is_text, tables_of
from surveys.imports.words.runs import counts_either_way

_CODE: Final = re.compile(r"\d{1,2}|[A-Ha-h]")
_NUMBER: Final = re.compile(r"\d{1,3}(?:[.,]\d{1,2})?")
_LEAST: Final = 2
_LONGEST: Final = 60
_CELLS: Final = 3


def write_lists(lines: Sequence[str]) -> list[str]:
    """Return lines in which tables of levels, and of the answers to a table of items, are lists.

    Their headers become empty.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> items = ["1;I lie.;+", "2;I vote.;-", "3;I pay.;+", ""]
    >>> write_lists([*items, "key;answer", "0;never", "1;often", "2;always"])[4:]
    ['', '0 = never; 1 = often; 2 = always', '', '']
    >>> write_lists(["level\\tfrom\\tto", "low\\t0\\t4", "high\\t5\\t9"])
    ['', '0-4: low', '5-9: high']
    """
    found = list(lines)
    bare = [table.items for table in tables_of(lines) if not table.answers]
    for sign in SIGNS:
        for rows in blocks_of(lines, sign):
            has_items = any(items[0] not in rows for items in bare)
            for at, text in (_levels_in(rows) or (_answers_in(rows) if has_items else {})).items():
                found[at] = text
    return found


def _answers_in(rows: dict[int, list[str]]) -> dict[int, str]:
    """Return the lines of a table of codes and answers; empty for other tables."""
    bare = {at: _without_stub(row) for at, row in rows.items()}
    header = {at: "" for at in [*bare][:1] if not _is_answer(bare[at])}
    body = {at: row for at, row in bare.items() if at not in header}
    if len(body) < _LEAST or not all(map(_is_answer, body.values())):
        return {}
    codes = [code for code, _label in body.values()]
    values = [int(code) if code.isdecimal() else ord(code.lower()) for code in codes]
    starts = (0, 1) if codes[0].isdecimal() else (ord("a"),)
    are_headed = all(is_text(cell) for at in header for cell in bare[at])
    if not counts_either_way(values) or min(values) not in starts or not are_headed:
        return {}
    listed = "; ".join(f"{code} = {label}" for code, label in body.values())
    return header | dict.fromkeys(body, "") | {min(body): listed}


def _without_stub(row: Sequence[str]) -> list[str]:
    """Return a row without its first cell if two cells are behind it: the name of the list, or nothing."""
    filled = [*row]
    while filled and not filled[-1]:
        filled.pop()
    return filled[1:] if len(filled) == _CELLS else filled


def _is_answer(row: Sequence[str]) -> bool:
    return (
        len(row) == _LEAST
        and _CODE.fullmatch(row[0]) is not None
        and is_text(row[1])
        and len(row[1]) <= _LONGEST
    )


def _levels_in(rows: dict[int, list[str]]) -> dict[int, str]:
    """Return the lines of a table of levels, whose ranges follow each other; empty for other tables."""
    header = [at for at in [*rows][:1] if not any(map(_NUMBER.fullmatch, rows[at]))]
    body = {at: row for at, row in rows.items() if at not in header}
    width = max(map(len, rows.values()))
    padded = [[*row, *[""] * (width - len(row))] for row in body.values()]
    ends = [at for at in range(width) if all(_NUMBER.fullmatch(row[at]) for row in padded)]
    names = [at for at in range(width) if all(is_text(row[at]) for row in padded)]
    if len(body) < _LEAST or len(ends) != _LEAST or not names or width > _CELLS + 1:
        return {}
    spans = [(row[ends[0]], row[ends[1]]) for row in padded]
    numbers = [tuple(float(end.replace(",", ".")) for end in span) for span in spans]
    ordered = sorted(numbers)
    if not all(low <= high for low, high in numbers) or ordered not in (numbers, numbers[::-1]):
        return {}
    if not all(0 <= below[0] - above[1] <= 1 for above, below in pairwise(ordered)):
        return {}
    written = [
        f"{low}-{high}: {' – '.join(row[at] for at in names)}"
        for (low, high), row in zip(spans, padded, strict=True)
    ]
    return dict.fromkeys(header, "") | dict(zip(body, written, strict=True))
