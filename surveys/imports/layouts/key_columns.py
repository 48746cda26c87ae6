"""Lists of items with a column that says which are reversed: *PC02;My vote counts;-*.

This module moves the sign in the column, or after a code, to the end of its item, and adds an equals sign to
codes before answers if they count up. Other modules then read both as in other texts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from surveys.imports.words.cues import REVERSED, is_yes_no, pattern_of, says_yes
from surveys.imports.words.marks import mark_of
from surveys.imports.words.patterns import LETTER

_SEPARATORS: Final = (";", "\t", "|")
_KEY: Final = re.compile(r"[^\s\d\w]{0,2}|[^\W\d_]{1,3}[.)]?|\([^\s()\d]{1,3}\)")
_SIGNED: Final = re.compile(
    r"(?P<code>[A-Za-z_]{0,6}\d{1,3})\s?(?P<sign>[*†‡§#°^]{1,3}|\([^\s()\d]{1,3}\))[.):]?"
)
"""A code and a sign that some items have: *2\\**."""
_ANSWER: Final = re.compile(r"\s*(?P<code>\d{1,2})\s?[;|\t]\s?(?P<label>[^\W\d][^;|\t]{0,60})")
_BARS: Final = re.compile(r"^\s*\|\s?|\s?\|\s*$")
_HEADS_KEY: Final = pattern_of("heads-key", behind=r"\W{0,2}")
_IS_TURNED: Final = re.compile(r"[–−-]1?|r|rev\.?|inv\.?|neg(?:ativ\w{0,2})?\.?|反", re.IGNORECASE)
"""A cell of a reversed item."""
_POINTS: Final = re.compile(r"[☐□○◯]?\s?\d{0,2}|[(\[]\s?\d{0,2}\s?[)\]]")
"""A cell below an answer."""
_LEAST_ROWS: Final = 3
_CELLS: Final = 3


def write_keys(lines: Sequence[str]) -> list[str]:
    """Return lines in which the sign of a column, or of a code, follows its item.

    Examples
    --------
    >>> write_keys(["q1;I cook.;+", "q2;I sing.;-", "q3;I rest.;+", "1;no", "2;yes"])
    ['q1. I cook. +', 'q2. I sing. -', 'q3. I rest. +', '1 = no', '2 = yes']
    >>> rows = ["No|Item|Reversed|no|yes", "1|I cook.|no|1|2", "2|I sing.|yes|1|2", "3|I rest.|no|1|2"]
    >>> write_keys(rows)
    ['No|Item|no|yes', '1|I cook.|1|2', '2|I sing. (R)|1|2', '3|I rest.|1|2']
    """
    found = list(lines)
    is_found = False
    for sign in _SEPARATORS:
        rows = [_cells(line, sign) for line in found]
        start = 0
        while start < len(rows):
            end = start
            while end < len(rows) and (len(rows[end]) == len(rows[start]) or _is_rule(found[end])):
                end += 1
            body = [at for at in range(start, end) if len(rows[at]) >= _CELLS and not _is_rule(found[at])]
            if len(body) >= _LEAST_ROWS and (written := _written([rows[at] for at in body], sign)):
                is_found = is_found or len(rows[start]) == _CELLS
                for at, text in zip(body, written, strict=True):
                    found[at] = text
            start = max(end, start + 1)
    if is_found:
        found = [
            f"{match['code']} = {match['label']}" if (match := _ANSWER.fullmatch(line)) else line
            for line in found
        ]
    return found


def _cells(line: str, sign: str) -> list[str]:
    """Return the cells of a line, without the bars around it."""
    bare = _BARS.sub("", line) if sign == "|" else line.strip(sign)
    return [cell.strip() for cell in bare.split(sign)]


def _is_rule(line: str) -> bool:
    return "|" in line and not line.strip(" |:-")


def _written(rows: Sequence[Sequence[str]], sign: str) -> list[str]:
    """Return the rows of a table with the keys of its items after them; none if it has no keys."""
    headed = next((at for at, cell in enumerate(rows[0]) if _HEADS_KEY.fullmatch(cell)), 0)
    if headed not in (0, _CELLS - 1):
        return _with_headed_keys(rows, headed, sign)
    marked = [_SIGNED.fullmatch(row[0]) for row in rows]
    plain = [[match["code"], *row[1:]] if match else row for row, match in zip(rows, marked, strict=True)]
    n_header = int(len(rows) > _LEAST_ROWS and not _is_counted(plain[:2]))
    header, items = plain[:n_header], plain[n_header:]
    if not _is_counted(items):
        return []
    keys, n_cells = _keys_beside(items, marked[n_header:], "".join(row[2] for row in header))
    if not keys:
        return []
    texts = [f"{row[1]} {key}".rstrip() for row, key in zip(items, keys, strict=True)]
    if len(rows[0]) == n_cells:
        numbered = [f"{row[0].rstrip('.)')}. {text}" for row, text in zip(items, texts, strict=True)]
        return [*("" for _row in header), *numbered]
    texts = [*(row[1] for row in header), *texts]
    return [sign.join([row[0], text, *row[n_cells:]]) for row, text in zip(plain, texts, strict=True)]


def _keys_beside(
    items: Sequence[Sequence[str]], marked: Sequence[re.Match[str] | None], heading: str
) -> tuple[list[str], int]:
    """Return the keys of items, and the number of cells up to the keys; no keys if there are none.

    They are behind the codes of the items, or in the third column below its heading.
    """
    signs = [match["sign"] if match else "" for match in marked]
    if any(signs):
        return signs, _CELLS - 1
    keys = [row[2] for row in items]
    are_keys = len({*keys}) > 1 and all(map(_KEY.fullmatch, keys))
    return (_keys_in(keys, heading) if are_keys else []), _CELLS


def _with_headed_keys(rows: Sequence[Sequence[str]], at: int, sign: str) -> list[str]:
    """Return the rows of a table with the keys of one column after their texts; none if all are alike."""
    header, *items = [[*row[:at], *row[at + 1 :]] for row in rows]
    keys = _keys_in([row[at] for row in rows[1:]], rows[0][at])
    text = max(range(len(header)), key=lambda place: sum(len(row[place]) for row in items))
    if not any(_POINTS.fullmatch(cell) for row in items for cell in row[1:]):
        # No column is an answer; those with the same few words are names of subscales.
        named = {
            place
            for place in range(1, len(header))
            if place != text and _are_names([row[place] for row in items])
        }
        header, *items = [
            [cell for place, cell in enumerate(row) if place not in named] for row in (header, *items)
        ]
        text -= sum(place < text for place in named)
    for row, key in zip(items, keys, strict=True):
        row[text] = f"{row[text]} {key}".rstrip()
    return [sign.join(row) for row in (header, *items)] if len({*keys}) > 1 else []


def _are_names(cells: Sequence[str]) -> bool:
    """Return whether cells are words that recur: names of subscales."""
    return all(map(LETTER.search, cells)) and 1 < len({*cells}) <= len(cells) / 2


def _keys_in(keys: Sequence[str], heading: str) -> list[str]:
    """Return what follows each item: below a heading about reversed items, *yes* means *(R)*."""
    words = [*dict.fromkeys(filter(None, keys))]
    if (REVERSED.search(heading) or _HEADS_KEY.fullmatch(heading)) and (is_yes_no(words) or len(words) == 1):
        yes = next((word for word in words if says_yes(word)), words[0])
        return ["(R)" if key == yes else "" for key in keys]
    turned = [word for word in words if REVERSED.search(word) or _IS_TURNED.fullmatch(word)]
    if _HEADS_KEY.fullmatch(heading) and len(words) == 2 and len(turned) == 1:
        return ["(R)" if key == turned[0] else "" for key in keys]
    return [*keys]


def _is_counted(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first cells count up, and the second cells are texts."""
    marks = [mark_of(f"{row[0].rstrip('.)')}. x")[0] for row in rows]
    are_numbers = all(mark is not None and mark.kind in ("count", "letter") for mark in marks)
    values = [mark.value for mark in marks if mark is not None]
    has_texts = all(LETTER.search(row[1]) and len(row[1].split()) > 1 for row in rows)
    return (
        bool(rows) and are_numbers and has_texts and all(first < second for first, second in pairwise(values))
    )
