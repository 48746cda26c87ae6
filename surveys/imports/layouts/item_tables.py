"""Tables of items: what each of their columns holds, and what other columns and rows say about the items.

Cells are separated by tabs, semicolons or bars. One column holds the items, and others their numbers, their
answers, or which of them are reversed. Rows below the items may state the points of the answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from surveys.imports.words.cues import REVERSED, is_yes_no, pattern_of, says_yes
from surveys.imports.words.marks import mark_of
from surveys.imports.words.patterns import HAN, LETTER, POINTS
from surveys.imports.words.runs import counts_either_way, runs_of

SIGNS: Final = ("\t", ";", "|")
"""Signs between cells."""
_BARS: Final = re.compile(r"^\s*\|\s?|\s?\|\s*$")
_RULE: Final = re.compile(r"[\s|:+-]*-[\s|:+-]*")
_ANSWER: Final = re.compile(
    r"[☐□○◯]?\s?\d{0,2}|[(\[]\s?\d{0,2}\s?[)\]]|[A-Za-z]|[A-Z]{2,3}|\d{1,2}(?:[\s/·]{1,3}\d{1,2}){1,10}"
)
"""A cell below an answer: a box, a number, a letter, or the numbers of all answers."""
_POINTS: Final = re.compile(r"\d{1,2}")
_SAYS_POINTS: Final = re.compile(POINTS, re.IGNORECASE)
_HEADS_KEY: Final = pattern_of("heads-key", behind=r"\W{0,2}")
_IS_TURNED: Final = re.compile(r"[–−-]1?|r|rev\.?|inv\.?|neg(?:ativ\w{0,2})?\.?|反", re.IGNORECASE)
"""A cell of a reversed item, below a heading that says so."""
_IS_SIGN: Final = re.compile(r"[^\s\d\w]{1,2}|[^\W\d_]{1,2}[.)]?|\([^\s()\d]{1,3}\)")
"""A sign that another line may explain."""
_TICK: Final = re.compile(r"[xX✓✔•●✗✘*]|1")
_LEAST_ROWS: Final = 3
_LEAST_ANSWERS: Final = 2
_FEW_WORDS: Final = 4
_MOST_WORDS: Final = 8
_FEW_HAN: Final = 12


@dataclass(frozen=True, kw_only=True)
class ItemTable:
    """A table of items.

    Parameters
    ----------
    sign : str
        Between its cells.
    header : int or None
        The line with the headings of its columns.
    rows : dict of int to list of str
        The cells of the lines of its header and its items.
    text, number, key : int or None
        The columns of the items, of their numbers, and of what says which are reversed.
    answers : list of int
        The columns of the answers.
    """

    sign: str
    header: int | None
    rows: dict[int, list[str]]
    text: int
    number: int | None
    key: int | None
    answers: list[int]

    @property
    def items(self) -> list[int]:
        """The lines of its items."""
        return [place for place in self.rows if place != self.header]

    @property
    def has_letters(self) -> bool:
        """Whether no heading names the answers, and the items have letters in place of boxes."""
        cells = {self.rows[place][at] for place in self.items for at in self.answers}
        return self.header is None and len(cells) > 1 and all(map(LETTER.match, cells))


def tables_of(lines: Sequence[str]) -> Iterator[ItemTable]:
    """Yield the tables of items of a text.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> rows = ["no.;item;never;often;key", "1;I vote.;;;", "2;I lie.;;;R", "3;I pay.;;;"]
    >>> [(table.text, table.answers, table.key) for table in tables_of(rows)]
    [(1, [2, 3], 4)]
    """
    for sign in SIGNS:
        for rows in blocks_of(lines, sign):
            table = _table_of(rows, sign) if len(rows) >= _LEAST_ROWS else None
            if table:
                yield table


def blocks_of(lines: Sequence[str], sign: str) -> Iterator[dict[int, list[str]]]:
    """Yield the cells of lines next to each other that have several, by their places; rules do not count.

    Examples
    --------
    >>> [*blocks_of(["a|b", "-|-", "c|d", "", "e"], "|")]
    [{0: ['a', 'b'], 2: ['c', 'd']}]
    """
    cells = [(at, split_cells(line, sign)) for at, line in enumerate(lines) if not is_rule(line)]
    for run in runs_of(cells, lambda above, below: len(above[1]) > 1 and len(below[1]) > 1):
        if len(cells[run.start][1]) > 1:
            yield dict(cells[run.start : run.stop])


def split_cells(line: str, sign: str) -> list[str]:
    """Return the cells of a line, without the bars around it.

    Examples
    --------
    >>> split_cells("| 1 | I vote. |", "|"), split_cells("a\\t\\tb", "\\t")
    (['1', 'I vote.'], ['a', '', 'b'])
    """
    bare = _BARS.sub("", line) if sign == "|" else line.rstrip("\n")
    return [cell.strip() for cell in bare.split(sign)]


def is_rule(line: str) -> bool:
    """Return whether a line is the rule of a table.

    Examples
    --------
    >>> is_rule("|---|:-:|"), is_rule("| - | 1 |")
    (True, False)
    """
    return _RULE.fullmatch(line) is not None


def _table_of(found: dict[int, list[str]], sign: str) -> ItemTable | None:
    """Return rows as a table of items; None if a column is unclear, or no column has texts that differ."""
    width = max(map(len, found.values()))
    rows = {at: [*row, *[""] * (width - len(row))] for at, row in found.items()}
    while rows and sum(map(bool, rows[min(rows)])) < _LEAST_ANSWERS:
        # A title above the table.
        rows.pop(min(rows))
    places = [*rows]
    if len(places) < _LEAST_ROWS:
        return None
    # The first row may be a header.
    texts = [[rows[place][at] for place in places[1:] if is_text(rows[place][at])] for at in range(width)]
    text = max(range(width), key=lambda at: (len({*texts[at]}), sum(map(len, texts[at]))))
    is_headed = any(_heads_key(cell) for at, cell in enumerate(rows[places[0]]) if at != text)
    for n_header in (1, 0) if is_headed else (0, 1):
        body = _items_in(rows, places[n_header:], text)
        own = [rows[at] for at in body]
        headings = rows[places[0]] if n_header else [""] * width
        kinds = [
            _kind_of(at, text, own, heading) if heading or any(row[at] for row in own) else "empty"
            for at, heading in enumerate(headings)
        ]
        if len(own) >= _LEAST_ROWS and all(kinds) and kinds.count("key") < _LEAST_ANSWERS:
            return ItemTable(
                sign=sign,
                header=places[0] if n_header else None,
                rows={at: rows[at] for at in [*places[:n_header], *body]},
                text=text,
                number=kinds.index("count") if "count" in kinds else None,
                key=kinds.index("key") if "key" in kinds else None,
                answers=[at for at, kind in enumerate(kinds) if kind == "answer"],
            )
    return None


def is_text(cell: str) -> bool:
    """Return whether a cell holds words."""
    return len(LETTER.findall(cell)) > 1


def _items_in(rows: Mapping[int, list[str]], places: Sequence[int], text: int) -> list[int]:
    """Return the lines of the items: those before the first without a text, or with points in words."""
    found = []
    for at in places:
        if not is_text(rows[at][text]) or points_below(rows[at]):
            break
        found.append(at)
    return found


def points_below(row: Sequence[str]) -> list[int]:
    """Return the points of answers that a row states behind a word for points; empty for other rows.

    Examples
    --------
    >>> points_below(["Points", "0", "1", "2"]), points_below(["I lie.", "0", "1", "2"])
    ([0, 1, 2], [])
    """
    said, *filled = [*filter(None, row)] or [""]
    is_said = _SAYS_POINTS.search(said) is not None and len(said.split()) <= _MOST_WORDS
    points = [int(cell) for cell in filled] if is_said and all(map(_POINTS.fullmatch, filled)) else []
    return points if len(points) >= _LEAST_ANSWERS and counts_either_way(points) else []


def _kind_of(at: int, text: int, rows: Sequence[Sequence[str]], heading: str) -> str:
    """Return what a column holds: item, count, key, answer or names; empty if it is unclear."""
    cells = [row[at] for row in rows]
    if at == text:
        return "item"
    if at < text and _count_up(cells):
        return "count"
    if _is_key(cells, heading):
        return "key"
    words = {*filter(None, cells)}
    if all(map(_ANSWER.fullmatch, cells)) and (len(words) < _LEAST_ANSWERS or not _has_letters(words)):
        return "answer"
    are_names = all(map(LETTER.search, cells)) and 1 < len(words) <= len(cells) / 2
    return "names" if are_names else ""


def _has_letters(cells: set[str]) -> bool:
    return any(map(LETTER.search, cells))


def _count_up(cells: Sequence[str]) -> bool:
    """Return whether cells are numbers or codes that count up."""
    marks = [mark_of(f"{cell.rstrip('.)')}. x")[0] for cell in cells]
    found = [mark for mark in marks if mark is not None and mark.kind in ("count", "letter")]
    return len(found) == len(cells) and all(first.value < second.value for first, second in pairwise(found))


def _is_key(cells: Sequence[str], heading: str) -> bool:
    """Return whether a column says which items are reversed, by its heading or its cells."""
    words = {*filter(None, cells)}
    if not words or len(words) > _LEAST_ANSWERS or len({*cells}) == 1 or not all(map(_is_short, words)):
        return False
    turned = [word for word in words if REVERSED.search(word)]
    is_signed = all(_IS_SIGN.fullmatch(word) and not _ANSWER.fullmatch(word) for word in words)
    is_letter = {*words} == {"R"} or {word.lower() for word in words} < {"rev", "rev.", "inv", "inv.", "反"}
    is_signed = is_signed and (not heading or len(words) == len("+-"))
    return _heads_key(heading) or len(turned) == 1 or is_letter or is_signed


def _heads_key(heading: str) -> bool:
    says = REVERSED.search(heading) is not None and _is_short(heading)
    return says or _HEADS_KEY.fullmatch(heading) is not None


def _is_short(text: str) -> bool:
    return len(text.split()) < _FEW_WORDS and len(HAN.findall(text)) < _FEW_HAN


def write_items(lines: Sequence[str]) -> list[str]:
    """Return lines in which the sign of a column, or of a number, follows its item.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> write_items(["q1;I cook.;+", "q2;I sing.;-", "q3;I rest.;+"])
    ['q1. I cook. +', 'q2. I sing. -', 'q3. I rest. +']
    >>> write_items(["No|Item|Reversed|no|yes", "1|I cook.|no|1|2", "2|I sing.|yes|1|2", "3|I rest.|no|1|2"])
    ['No|Item|no|yes', '1|I cook.|1|2', '2|I sing. (R)|1|2', '3|I rest.|1|2']
    """
    found = list(lines)
    for table in tables_of(lines):
        if table.key is not None or table.has_letters:
            for at, text in _written(table).items():
                found[at] = text
    return found


def _written(table: ItemTable) -> dict[int, str]:
    """Return the lines of a table; keys follow the items, and their numbers may precede them."""
    behind = _keys_behind(table)
    is_list = not table.answers
    between = "   " if table.has_letters else table.sign
    written = {}
    for at, row in table.rows.items():
        item = f"{row[table.text]} {behind.get(at, '')}".rstrip()
        if table.number is not None and (is_list or table.header is None):
            item = f"{row[table.number].rstrip('.)')}. {item}"
        if is_list:
            written[at] = "" if at == table.header else item
            continue
        skipped = (table.key, table.number if table.header is None else None)
        own = [item if place == table.text else cell for place, cell in enumerate(row)]
        written[at] = between.join(cell for place, cell in enumerate(own) if place not in skipped)
    return written


def _keys_behind(table: ItemTable) -> dict[int, str]:
    """Return what follows the item of each line."""
    if table.key is None:
        return {}
    heading = "" if table.header is None else table.rows[table.header][table.key]
    keys = keys_in([table.rows[at][table.key] for at in table.items], heading)
    return dict(zip(table.items, keys, strict=True))


def keys_in(keys: Sequence[str], heading: str) -> list[str]:
    """Return what follows each item: *(R)* if it is reversed, or its sign.

    Examples
    --------
    >>> keys_in(["yes", "no"], "Reversed"), keys_in(["", "R"], ""), keys_in(["+", "-"], "")
    (['(R)', ''], ['', '(R)'], ['+', '-'])
    """
    words = [*dict.fromkeys(filter(None, keys))]
    turned = [word for word in words if REVERSED.search(word) or word.lower() in ("r", "rev", "rev.", "反")]
    if _heads_key(heading):
        if is_yes_no(words):
            turned = [word for word in words if says_yes(word)]
        elif len(words) == 1:
            turned = words
        turned = turned or [word for word in words if _IS_TURNED.fullmatch(word) or _TICK.fullmatch(word)]
    return ["(R)" if key in turned else "" for key in keys] if len(turned) == 1 else [*keys]
