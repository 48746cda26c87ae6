"""Tables of a pasted text, scales that their rows share, and legends: lines whose role their columns show."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, takewhile
from typing import Final

from surveys.imports.lines.source_lines import (
    ANSWER,
    CODES,
    HEADING,
    HELP,
    INSTRUCTION,
    INTRODUCTION,
    JOINED,
    LEFT,
    QUESTION,
    ROW,
    SCALE,
    SCORING,
    TITLE,
    SourceLine,
    all_answers,
    answers_of,
    behind_mark,
    read_line,
    split_space,
)
from surveys.imports.tables.row_remarks import leave_row_remarks
from surveys.imports.tables.shared_ends import read_shared_ends
from surveys.imports.words.answers_on_line import Listed, answers_on
from surveys.imports.words.cues import pattern_of
from surveys.imports.words.marks import mark_of
from surveys.imports.words.patterns import BETWEEN_CELLS, DRAWN_BOX, LETTER, NUMBER, POINTS
from surveys.imports.words.question_marks import asks
from surveys.imports.words.runs import repeats
from surveys.imports.words.stated_scale import stated_scale

_IS_CELL: Final = re.compile(rf"{DRAWN_BOX}?\s?\d{{0,2}}|[oO]|[(（\[]\s?\d{{0,2}}\s?[)）\]]|[_.…]{{1,20}}")
_POINTS_LAST: Final = re.compile(
    rf"(?P<label>[^()（）\[\]]*[^\W\d][^()（）\[\]]*?)\s?[(（\[]\s?(?P<code>\d{{1,2}})(?:\s?{POINTS})?\s?[)）\]]",
    re.IGNORECASE,
)
"""A label and its points in brackets."""
_FIRST_NUMBER: Final = re.compile(r"(?<=\D)\s(?P<code>\d{1,2})$")
_IS_MARK: Final = re.compile(r"[(\[]?(?:[ivxIVX]{1,5}|[^\W\d_]|[^\W\d_]{1,4}[_-]?\d{1,3})[.)\]:]?")
"""A code or letter in a separate column before an item."""
_IS_RUN: Final = re.compile(r"[^\w()\[\]]{0,3}\d{1,2}(?:\W{1,12}\d{1,2}){2,12}[^\w()\[\]]{0,3}")
_BOXES: Final = re.compile(DRAWN_BOX)
_BOX_AND_CODE: Final = re.compile(rf"{DRAWN_BOX}\s?\d{{1,2}}(?!\d)")
_BOX_ALONE: Final = re.compile(rf"{DRAWN_BOX}|\[\s?\]|[(（]\s?[)）]")
_TAIL: Final = re.compile(r"(?:\s[(\[]?(?:\d{1,2}|[oO☐□▢○◯⚪])[)\]]?){2,12}$")
_ABBREVIATED: Final = re.compile(r"\W*(?P<key>\w{1,4})\s?[=＝:：]\s?(?P<label>[^\W\d][^=＝]{2,40})")
"""What one letter or a few in the header of a table stand for."""
_DOTTED: Final = re.compile(r"\s?[._…]{3,200}\s?$")
_CODE: Final = re.compile(r"[(（\[]?(?P<code>\d{1,2})[)）\]]?")
_AMOUNTS: Final = re.compile(r"\d{1,6}\s?(?:[-–—~～]\s?\d{1,6}|\+)|[<>≤≥]\s?\d{1,6}")
"""A range among the labels of a table."""
_WIDE: Final = re.compile(r" {2,}")
_LEAST_ITEMS: Final = 2
_FEW_WORDS: Final = 5
_LEAST_CAPITALS: Final = 4
"""Letters of a row in capitals that is a heading."""
_REMARKS: Final = pattern_of("says-remark", behind=r"\s?[:：]?")
"""A heading of remarks."""
SAYS_ITEM: Final = pattern_of("says-item")
"""A heading of the column of items."""


def read_tables(lines: Sequence[SourceLine]) -> None:
    """Find rows with a mark below each label of a header, and rows that end with the same answers."""
    _read_semicolons(lines)
    _leave_last_bars(lines)
    _gather_cells(lines)
    _join_wrapped(lines)
    widths = _widths_of_rows(lines)
    leave_row_remarks(lines, widths)
    place = 0
    while place < len(lines) - 1:
        table = _table_at(lines, widths, place)
        place = _read_rows(lines, widths, table) if table else place + 1
    _continue_tables(lines, widths)
    read_shared_ends(lines)


@dataclass(frozen=True, kw_only=True)
class _Table:
    """The header of a table.

    Parameters
    ----------
    start : int
        Place of the first row.
    stem : str
        What the header says above the items.
    labels : list of str
        Those of its columns; the last may be one for remarks.
    codes : list of int
        Numbers of a line next to the header; codes of the labels if there are as many.
    """

    header: SourceLine
    start: int
    stem: str
    labels: list[str]
    codes: list[int]
    codes_line: SourceLine


def _widths_of_rows(lines: Sequence[SourceLine]) -> list[int]:
    """Return the number of columns of each line; 0 if it is no row, or a header with numbers only."""
    widths = [0 if line.role else row_width(line) for line in lines]
    for place, line in enumerate(lines[:-1]):
        if widths[place] and widths[place] == widths[place + 1] and SAYS_ITEM.fullmatch(item_of(line)):
            _leave_codes(line)
            widths[place] = 0
    return widths


def _table_at(lines: Sequence[SourceLine], widths: Sequence[int], place: int) -> _Table | None:
    """Return the table whose header is a line; None if it is no header."""
    header, start = lines[place], place + 1
    # The rule of a Markdown table or an instruction may be between its header and its rows.
    start += start < len(lines) and lines[start].role in (LEFT, INSTRUCTION) and not lines[start].has_gap
    cells = _labels_of(header)
    below = lines[min(start, len(lines) - 1)]
    codes_line, codes = below, codes_of(below)
    if len(codes) > 1 and 0 <= len(cells) - len(codes) <= 2:
        # The codes of the labels, above the rows. Without rows, the line is left out with a note.
        below.give(LEFT)
        start += 1
    else:
        codes_line, codes = lines[place - 1], codes_of(lines[place - 1]) if place else []
    if len(cells) > 1 and _is_heading(lines, widths, start) and len(cells) - widths[start + 1] in (0, 1):
        # The heading of the first rows is between them and the header.
        start += 1
    n_columns = widths[start] if start < len(lines) else 0
    if header.role or not n_columns or widths[place]:
        return None
    cells = _cells_for(n_columns, header, cells)
    n_before = len(cells) - n_columns
    if not (n_before in (0, 1) or _is_numbered(lines, start, n_before)):
        return None
    stem = cells[n_before - 1] if n_before else ""
    return _Table(
        header=header,
        start=start,
        stem="" if SAYS_ITEM.fullmatch(stem.strip(" :：")) else stem,
        labels=cells[n_before:],
        codes=codes,
        codes_line=codes_line,
    )


def _cells_for(n_columns: int, header: SourceLine, cells: list[str]) -> list[str]:
    """Return the cells of a header, also if two blanks separate the last columns and more precede them."""
    wide = [cell for cell in _WIDE.split(header.raw.strip()) if cell]
    is_wide = len(cells) < len(wide) and len(wide) - n_columns in (0, 1) and _are_labels(wide[1:])
    if is_wide and any(map(_BOXES.match, wide[1:])):
        # Answers with boxes of their own are above a space to write.
        return cells
    return wide if is_wide else cells


def _is_heading(lines: Sequence[SourceLine], widths: Sequence[int], place: int) -> bool:
    """Return whether a line is a heading above another line, and not a list of labels or of their letters."""
    if place + 1 >= len(lines) or widths[place]:
        return False
    text = lines[place].raw.strip()
    is_list = len(_WIDE.split(text)) > 1 or all(len(word) == 1 for word in text.split())
    return len(lines[place].cells) == 1 and not is_list


def _read_rows(lines: Sequence[SourceLine], widths: Sequence[int], table: _Table) -> int:
    """Give the header and the rows of a table their roles; return the place behind it."""
    labels, end = table.labels, table.start
    n_rows = sum(1 for _ in takewhile(lambda width: width == widths[table.start], widths[end:]))
    if _holds_remarks(labels, lines[end : end + n_rows]):
        table.header.remarks = labels[-1]
        labels = labels[:-1]
    codes = table.codes if len(table.codes) == len(labels) else []
    if codes:
        _leave_codes(table.codes_line)
    if not codes and (stated := _points_in(labels)):
        labels, codes = [label for label, _code in stated], [code for _label, code in stated]
    table.header.become_scale(labels, topic="")
    table.header.body = table.stem
    while end < len(lines) and _goes_on(lines, widths, table.start, end):
        line = lines[end]
        if _is_total(lines, end):
            line.give(LEFT)
        elif widths[end] and not line.role:
            line.body = item_of(line)
            own = points_of_row(line, len(labels))
            line.become_row(labels, own if own == [*codes][::-1] else [*codes] or own)
        end += 1
    _release_remarks(lines[end - 1])
    return end


def _points_in(labels: Sequence[str]) -> list[tuple[str, int]]:
    """Return labels and the points in brackets behind each: *Never (0)*; none unless all have some."""
    found = [_POINTS_LAST.fullmatch(label) for label in labels]
    return [(match["label"], int(match["code"])) for match in found if match] if all(found) else []


def _goes_on(lines: Sequence[SourceLine], widths: Sequence[int], start: int, place: int) -> bool:
    """Return whether a line belongs to the table that begins at a place."""
    line = lines[place]
    if line.has_gap and lines[place - 1].role == ROW and not widths[place]:
        return False
    return widths[place] == widths[start] or line.role in (LEFT, JOINED, INSTRUCTION)


def _continue_tables(lines: Sequence[SourceLine], widths: Sequence[int]) -> None:
    """Give rows without a header of their own the labels of the table above; behind a gap, in doubt."""
    labels: list[str] = []
    for place, line in enumerate(lines):
        above = lines[place - 1]
        if line.role == SCALE:
            labels = line.cells
        elif line.role == QUESTION or (len(line.cells) > 1 and not widths[place]):
            labels = []
        elif labels and not line.role and widths[place] == len(labels):
            is_certain = not (line.has_gap or (above.has_gap and above.role != ROW))
            line.body = item_of(line)
            line.become_row(labels, points_of_row(line, len(labels)), is_certain=is_certain)


def _is_total(lines: Sequence[SourceLine], place: int) -> bool:
    """Return whether a row has empty cells below filled ones, above a scoring rule: the place of the sum."""
    above, line = lines[place - 1], lines[place]
    is_last = place + 1 < len(lines) and lines[place + 1].role == SCORING
    n_filled = [sum(map(bool, BETWEEN_CELLS.split(each.raw.strip()))) for each in (above, line)]
    return is_last and above.role == ROW and not line.role and n_filled[0] > n_filled[1] == 1


def release_rows(lines: Sequence[SourceLine]) -> None:
    """Remove from their table the rows with a write-in space.

    A row in capitals, or with empty cells, among others is a heading.

    Parameters
    ----------
    lines : sequence of SourceLine
        Rows hold the labels of their scale; rows with the same labels are compared.
    """
    tables: dict[tuple[str, ...], list[SourceLine]] = defaultdict(list)
    for line in lines:
        if line.role == ROW and line.cells:
            tables[tuple(line.cells)].append(line)
    for rows in tables.values():
        spaces = [row for row in rows if split_space(row.text) and not _BOX_ALONE.search(row.raw)]
        shouted = [
            row for row in rows if row.body.isupper() and sum(map(str.isupper, row.body)) >= _LEAST_CAPITALS
        ]
        for row in spaces if 2 * len(spaces) <= len(rows) else ():
            own = read_line(row.number, row.raw, has_gap=row.has_gap)
            row.body, row.mark, row.cells, row.points = own.body, own.mark, own.cells, ()
            row.is_whole = True
            row.give(QUESTION)
        bare = [row for row in rows if _has_empty_cells(row)]
        for found in (shouted, bare):
            for row in found if 2 * len(found) < len(rows) else ():
                row.give(HEADING)


def _has_empty_cells(row: SourceLine) -> bool:
    """Return whether all cells behind the item of a row are empty."""
    are_cells = row.raw.rstrip(" ").endswith(("\t", "|"))
    return are_cells and row.text.strip(" |").endswith(row.body)


def _leave_codes(line: SourceLine) -> None:
    """Leave out a line of codes without a note: they are kept as the points of the answers."""
    line.give(LEFT)
    line.topic = CODES


def codes_of(line: SourceLine) -> list[int]:
    """Return the codes of a line that holds nothing else, also in brackets: *(0)  (1)  (2)*."""
    codes = [_CODE.fullmatch(word) for word in line.text.split()] if not line.role else []
    return [int(match["code"]) for match in codes if match] if codes and all(codes) else []


def _holds_remarks(labels: Sequence[str], rows: Sequence[SourceLine]) -> bool:
    """Whether the last column of a table is for remarks: by its heading, or as it alone has no boxes."""
    if len(labels) <= _LEAST_ITEMS:
        return False
    if _REMARKS.fullmatch(labels[-1]):
        return True
    marks = [row.cells[-len(labels) :] for row in rows if len(row.cells) >= len(labels)]
    return len(marks) == len(rows) and all(
        all(cells[:-1]) and (not cells[-1] or set(cells[-1]) <= set("_.…")) for cells in marks
    )


def _release_remarks(line: SourceLine) -> None:
    """Make the last row of a table a question for free text if it is the heading of remarks."""
    if line.role == ROW and _REMARKS.fullmatch(line.body):
        line.give(QUESTION)
        line.text = line.raw = line.body
        line.cells, line.points, line.is_whole = [line.body], (), True
        line.flags |= {"text"}


def _join_wrapped(lines: Sequence[SourceLine]) -> None:
    """Join items that continue on the line with their marks."""
    is_row = is_below_row = False
    for place, (above, line) in enumerate(pairwise(lines)):
        width = 0 if line.role else row_width(line)
        below = lines[place + 2] if place + 2 < len(lines) else None
        is_between = above.mark_kind == "count" and not row_width(above)
        is_between = is_between and (below is None or below.has_gap or _is_next(above, below))
        if width and (
            _is_begun(above, line, is_below_row=is_below_row) or (is_between and _is_open(above, line))
        ):
            item = item_of(line)
            tail = _TAIL.search(line.text) if len(line.cells) < _LEAST_ITEMS else None
            marks = tail[0].split() if tail else line.cells[1:]
            above.raw += "\t" + "\t".join(marks)
            above.cells = [above.text, *marks]
            _continue(line, item)
        is_row, is_below_row = width > 0, is_row


def _is_next(above: SourceLine, below: SourceLine) -> bool:
    """Return whether a line has the next number after another one."""
    marks = above.mark, below.mark
    return all(marks) and marks[0].shape == marks[1].shape and marks[0].value < marks[1].value  # type: ignore[union-attr]  # both are marks


def _is_open(above: SourceLine, line: SourceLine) -> bool:
    """Return whether an item may continue: it is not a question, and no sign ends it."""
    is_bare = line.mark_shape in ("", "indent")
    return is_bare and not (above.role or line.has_gap or asks(above.text) or above.text[-1] in ".:：!")


def _is_begun(above: SourceLine, line: SourceLine, *, is_below_row: bool = False) -> bool:
    """Return whether an item begins on the line above that with its answers."""
    is_marked = above.mark_kind not in ("", "hash")
    if above.role or line.has_gap or line.mark:
        return False
    is_open = not (
        row_width(above)
        or len(above.cells) > 1
        or asks(above.text)
        or above.ends_with_colon
        or len(_WIDE.split(behind_mark(above))) > 1
    )
    continues_above = line.begins_small and (is_marked or is_below_row)
    has_no_case = not (line.begins_small or line.text[:1].isupper())
    return is_open and (continues_above or (is_marked and has_no_case))


def _continue(line: SourceLine, item: str) -> None:
    """Join a line, without its answers, to the item above."""
    line.text = line.body = item
    line.mark = None
    line.give(JOINED)


def _is_numbered(lines: Sequence[SourceLine], start: int, n_before: int) -> bool:
    """Return whether rows begin with a column that counts them, in front of their items."""
    firsts = [line.cells[0].rstrip(".") for line in lines[start : start + 2] if line.cells]
    are_marks = all(first.isdecimal() or _IS_MARK.fullmatch(first) for first in firsts)
    return n_before == 2 and are_marks and not repeats(firsts)


def _read_semicolons(lines: Sequence[SourceLine]) -> None:
    """Split neighbouring lines at their semicolons, if all have equally many and cells without words."""
    for n_signs, group in groupby(lines, key=lambda line: line.raw.count(";")):
        found = [*group]
        rows = [re.split(r"\s?;\s?", line.raw.strip()) for line in found]
        if (
            len(found) > _LEAST_ITEMS
            and not any(line.role == QUESTION for line in found)
            and n_signs > 1
            and all(sum(_IS_CELL.fullmatch(cell) is not None for cell in cells) > 1 for cells in rows[1:])
        ):
            for line, cells in zip(found, rows, strict=True):
                line.cells, line.raw = cells, "\t".join(cells)


def _leave_last_bars(lines: Sequence[SourceLine]) -> None:
    """Leave out the empty cell behind the last bar of lines that follow each other and all end with a bar."""
    for _is_divided, group in groupby(lines, key=lambda line: line.raw.count("|") > _LEAST_ITEMS):
        table = list(group)
        if len(table) > 1 and all(
            line.raw.rstrip()[-1:] == "|" and line.cells[-1:] == [""] for line in table
        ):
            for line in table:
                line.cells = line.cells[:-1] if line.raw.lstrip()[:1] != "|" else line.cells


def _gather_cells(lines: Sequence[SourceLine]) -> None:
    """Make rows of items with as many boxes below, each on its own line, as there are labels above them."""
    are_boxes = [line.role in ("", LEFT) and _BOX_ALONE.fullmatch(line.text) is not None for line in lines]
    widths: dict[int, int] = {}
    for place in range(1, len(lines)):
        if are_boxes[place] and not are_boxes[place - 1]:
            end = next((at for at in range(place, len(lines)) if not are_boxes[at]), len(lines))
            widths[place - 1] = end - place
    width = next(iter(widths.values()), 0)
    first = min(widths, default=0)
    header = lines[max(first - width, 0) : first]
    if len(widths) < _LEAST_ITEMS or width < _LEAST_ITEMS or {*widths.values()} != {width} or first < width:
        return
    labels = [line.text for line in header]
    for line in header:
        line.become_scale(labels)
    for place in widths:
        lines[place].become_row(labels)
        for line in lines[place + 1 : place + 1 + width]:
            line.give(LEFT)


def share_scales(lines: Sequence[SourceLine]) -> None:
    """Make items without answers rows of the table whose answers the question above lists or states.

    Only items with a mark of their own that do not ask are rows, and there are at least two.
    """
    end = 0
    for place, (stem, below) in enumerate(pairwise(lines)):
        if place < end or stem.role not in (QUESTION, INTRODUCTION, HELP, HEADING, TITLE):
            continue
        listed = all_answers(below) if below.role == ANSWER else None
        is_scale = listed is not None and (not listed.before or _is_headed_scale(listed))
        scale = listed or _scale_of(stem)
        start = place + 1 + (listed is not None)
        items = [] if listed and not is_scale else _items_below(stem, lines, start, scale)
        end = start + len(items)
        if scale is None or len(items) < _LEAST_ITEMS or (end < len(lines) and lines[end].role == ANSWER):
            continue
        if listed:
            below.become_scale(scale.labels, scale.points)
        stem.give(TITLE if stem.role == TITLE else HEADING, is_certain=stem.is_certain)
        for line in items:
            own = answers_of(line)
            # Commas are parts of a sentence, and no answers of its own.
            line.body = own.before if own and own.sign != "," else line.body
            line.become_row(scale.labels, scale.points)


def _is_headed_scale(listed: Listed) -> bool:
    """Return whether a few words are in front of answers with points: *Choose: no (0), yes (1)*."""
    is_short = len(listed.before.split()) <= _FEW_WORDS and not asks(listed.before)
    return is_short and _count(listed.numbers)


def _count(points: Sequence[int]) -> bool:
    """Return whether points count up or down by one, from 0 or 1."""
    steps = sorted(points)
    is_run = len(steps) > _LEAST_ITEMS and steps == [*range(steps[0], steps[0] + len(steps))]
    return is_run and steps[0] < _LEAST_ITEMS and [*points] in (steps, steps[::-1])


def _items_below(
    stem: SourceLine, lines: Sequence[SourceLine], start: int, scale: Listed | None
) -> list[SourceLine]:
    """Return the items from a line on that share a scale, unless they have the mark of the line above."""
    items = _items_of(lines, start, scale) if scale else []
    is_sibling = bool(items) and stem.mark_shape == items[0].mark_shape != ""
    return [] if is_sibling else items


def name_labels(lines: Sequence[SourceLine]) -> None:
    """Make lines that only list the labels of rows scales, and write abbreviated labels out."""
    rows = [line for line in lines if line.role == ROW]
    known = {tuple(row.cells) for row in rows}
    names: dict[str, str] = {}
    for line in lines if rows else ():
        if line.role in (ROW, SCALE, SCORING):
            continue
        listed = answers_of(line)
        if listed and listed.before and listed.labels in known and not asks(listed.before):
            line.become_scale(listed.labels, line.points)
            for row in rows:
                if tuple(row.cells) == listed.labels and not row.points:
                    row.points = listed.points
        elif named := _ABBREVIATED.fullmatch(line.text):
            names[named["key"]] = named["label"]
    for row in rows if names else ():
        row.cells = [names.get(cell, cell) for cell in row.cells]


def _scale_of(stem: SourceLine) -> Listed | None:
    """Return the answers that a line states for the items below it: both ends, or a list at its end."""
    listed = answers_on(stem.text.rstrip(" .。")) if stem.role != QUESTION else None
    is_list = listed and listed.before and listed.sign in ",;/|" and len(listed.labels) > _LEAST_ITEMS
    return stated_scale(stem.text) or (listed if is_list else None)


def _items_of(lines: Sequence[SourceLine], start: int, scale: Listed) -> list[SourceLine]:
    """Return the lines from a place on with one shape of mark that are items of a scale."""
    found: list[SourceLine] = []
    for line in lines[start:]:
        own = answers_of(line)
        has_shape = line.mark_shape == (found[0] if found else line).mark_shape != ""
        is_item = own is None or own.sign == "," or (own.points == scale.points and bool(own.before))
        is_item = is_item and split_space(line.text) is None
        if line.role != QUESTION or not has_shape or not is_item or asks(line.text):
            break
        found.append(line)
    return found


def read_legends(lines: Sequence[SourceLine]) -> None:
    """Make a line that explains codes a scale if several lines below hold these codes and nothing else."""
    runs = [line for line in lines if not line.role and _IS_RUN.fullmatch(line.text)]
    codes = Counter(tuple(map(int, NUMBER.findall(line.text))) for line in runs)
    known: set[tuple[int, ...]] = set()
    for above, line in pairwise(lines):
        listed = all_answers(line) if runs and not line.role else None
        if listed is None or listed.sign != "code" or codes[listed.numbers] < 2:
            continue
        line.become_scale(listed.labels, listed.points, topic="")
        line.body = listed.before
        if asks(above.text) and not line.has_gap:
            above.give(HEADING)
        known.add(listed.numbers)
    for run in runs:
        if tuple(map(int, NUMBER.findall(run.text))) in known:
            run.give(LEFT)


def _labels_of(line: SourceLine) -> list[str]:
    """Return the cells of a header, with an empty one in front if the line begins with a blank."""
    listed = all_answers(line)
    # Blanks may separate the codes: "Key:   0 = never   1 = often".
    n_columns = len(line.cells) - len(listed.labels) if listed else 0
    if listed and listed.sign == "code" and (len(line.cells) == 1 or n_columns in (0, 1)):
        return [*([listed.before] if listed.before else []), *listed.labels]
    cells = line.cells if len(line.cells) > 1 else _WIDE.split(line.raw.strip())
    if listed and listed.sign == "box":
        return []
    labels = [cell for cell in cells if cell] if len(cells) > 1 else []
    return labels if _are_labels(labels[1:]) else []


def _are_labels(cells: Sequence[str]) -> bool:
    are_words = [LETTER.search(cell) or _AMOUNTS.fullmatch(cell) for cell in cells]
    return all(are_words) and all(len(cell) < 60 for cell in cells)


def row_width(line: SourceLine) -> int:
    """Return in how many columns a line has a mark or a code behind its item; 0 if it is no row."""
    item, *marks = line.cells
    if len(marks) > 1 and marks[0].isdecimal() and (first := _FIRST_NUMBER.search(item)):
        # One blank, or dots, precede the first of several numbers.
        marks = [first["code"], *marks] if int(first["code"]) == int(marks[0]) - 1 else marks
    is_code = not LETTER.search(item) or _IS_MARK.fullmatch(item) is not None
    if is_code and len(marks) > 1 and LETTER.search(marks[0]):
        item, *marks = marks
    if len(marks) == 1 and len(marks[0].split()) > 1:
        marks = marks[0].split()
    if len(marks) > 1 and LETTER.search(item) and all(map(_IS_CELL.fullmatch, marks)):
        return len(marks)
    # Few blanks may precede the first mark of a row with a long item.
    tail = _TAIL.search(line.text) if len(marks) < _LEAST_ITEMS else None
    if tail and LETTER.search(line.text[: tail.start()]):
        return len(tail[0].split())
    return 0


def points_of_row(line: SourceLine, width: int) -> list[int | None]:
    """Return the points in the last cells of a row; none unless they are different numbers."""
    tail = _TAIL.search(line.text)
    behind = " ".join(line.cells[1:])
    if tail and len(NUMBER.findall(behind)) < width:
        # Few blanks precede the first number, or all numbers.
        behind = tail[0]
    cells = [int(each) for each in NUMBER.findall(behind)[-width:]]
    # Numbers in boxes, or between some of them, may count columns; after each box they are codes.
    are_codes = not _BOXES.search(line.raw) or len(_BOX_AND_CODE.findall(line.raw)) == width
    # Two answers may have equal points if all rise or fall; numbers that count columns differ.
    is_ordered = len(set(cells)) > 1 and len(cells) == width > _LEAST_ITEMS
    is_ordered = is_ordered and cells in (sorted(cells), sorted(cells, reverse=True))
    return [*cells] if (len(set(cells)) == width or is_ordered) and are_codes else []


def item_of(line: SourceLine) -> str:
    """Return the text of a row without its mark and its cells."""
    tail = _TAIL.search(line.body)
    cells = [cell.strip() for cell in re.split(r"\t| {3,}|\|", line.raw.strip(" |")) if LETTER.search(cell)]
    if len(cells) > 1 and _IS_MARK.fullmatch(cells[0]):
        # Codes have a separate column: "| V1 | I steal | 0 | 1 |".
        cells = cells[1:]
    text = (
        line.body[: tail.start()].rstrip("._… ") + _end_of(line.body[: tail.start()])
        if tail
        else " ".join(cells[0].split())
        if cells
        else line.body
    )
    mark, body = mark_of(text)
    return body if mark else text


def _end_of(text: str) -> str:
    """Return the full stop before a dotted line; without a dotted line, the signs at the end of a text."""
    dots = _DOTTED.search(text)
    rest = text[: dots.start()] if dots else text
    return rest[len(rest.rstrip("._… ")) :].rstrip()
