"""Rows below a table of items that state the points of its columns: *Points | 0 | 1 | 2*.

A second row may state the points of reversed items: *Points of items 3 and 6 | 2 | 1 | 0*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from surveys.imports.layouts.item_tables import ItemTable, points_below, split_cells, tables_of
from surveys.imports.words.cues import REVERSED
from surveys.imports.words.marks import mark_of

_NUMBER: Final = re.compile(r"\d{1,2}")
_NEAR: Final = 2
"""Lines between a table and the rows of its points."""
_LEAST: Final = 2


def write_points_rows(lines: Sequence[str]) -> list[str]:
    """Return lines in which the headings of answers have their points; the rows that state them become empty.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> rows = ["\\tnever\\toften", "1. I lie.\\t\\t", "2. I vote.\\t\\t", "3. I pay.\\t\\t"]
    >>> written = write_points_rows([*rows, "Points\\t0\\t1", "Points items 2, 3\\t1\\t0"])
    >>> written[0], written[2], written[4:]
    ('\\tnever (0)\\toften (1)', '2. I vote. (R)\\t\\t', ['', ''])
    """
    found = [*lines]
    for table in tables_of(lines):
        if table.header is None or len(table.answers) < _LEAST or _has_own_points(table):
            continue
        feet = [*_feet_of(table, lines)]
        first = next((foot for foot in feet if not _is_for_some(foot[1])), None)
        if first is None:
            continue
        rows = {at: [*row] for at, row in table.rows.items()}
        for column, points in zip(table.answers, first[2], strict=True):
            rows[table.header][column] += f" ({points})"
        others = [(place, stub) for place, stub, points in feet if points == first[2][::-1]]
        used, own_key = _mark_items(table, rows, others)
        blank = {at for at in range(len(rows[table.header])) if not any(row[at] for row in rows.values())}
        left_out = blank | ({table.key} if own_key else set())
        for at, row in rows.items():
            found[at] = table.sign.join(cell for column, cell in enumerate(row) if column not in left_out)
        for place in (first[0], *used):
            found[place] = ""
    return found


def _has_own_points(table: ItemTable) -> bool:
    """Return whether items have points in their own rows, so that a row like them is an item, too."""
    cells = (table.rows[at][column] for at in table.items for column in table.answers)
    return any(_NUMBER.fullmatch(cell.strip()) for cell in cells)


def _is_for_some(stub: str) -> bool:
    """Return whether a row of points names the items for which they count."""
    return REVERSED.search(stub) is not None or _NUMBER.search(stub) is not None


def _mark_items(
    table: ItemTable, rows: dict[int, list[str]], others: Sequence[tuple[int, str]]
) -> tuple[list[int], bool]:
    """Mark the items that rows of reversed points name; return the rows used, and whether they name a key."""
    used, own_key = [], False
    for place, stub in others:
        items, is_key = _items_named(table, stub)
        own_key = own_key or is_key
        for at in items:
            rows[at][table.text] += " (R)"
        if items or (table.key is not None and REVERSED.search(stub)):
            used.append(place)
    return used, own_key


def _feet_of(table: ItemTable, lines: Sequence[str]) -> Iterator[tuple[int, str, list[int]]]:
    """Yield the line, the words and the points of each row that states points for all answers of a table."""
    at, n_blank = max(table.rows) + 1, 0
    while at < len(lines) and n_blank < _NEAR:
        cells = split_cells(lines[at], table.sign)
        points = points_below(cells)
        if any(cells) and len(points) != len(table.answers):
            return
        if points:
            yield at, next(filter(None, cells)), points
        n_blank = 0 if points else n_blank + 1
        at += 1


def _items_named(table: ItemTable, stub: str) -> tuple[list[int], bool]:
    """Return the items that words name, by their numbers or by their key, and whether it is their key."""
    if numbers := {*map(int, _NUMBER.findall(stub))}:
        names = [_number_of(table, at, count) for count, at in enumerate(table.items, start=1)]
        return [at for at, name in zip(table.items, names, strict=True) if name in numbers], False
    last = stub.split()[-1]
    if table.key is None:
        return [], False
    items = [at for at in table.items if table.rows[at][table.key] == last]
    return items, bool(items)


def _number_of(table: ItemTable, at: int, count: int) -> int:
    """Return the number of an item: in its own column, in front of it, or by its place."""
    row = table.rows[at]
    cell = row[table.number] if table.number is not None else row[table.text]
    mark, _text = mark_of(cell if table.number is None else f"{cell.rstrip('.)')}. x")
    return mark.value[1] if mark is not None and mark.kind == "count" else count
