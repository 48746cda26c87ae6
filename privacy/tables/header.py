"""Find the header of a table among the lines of a file.

Above a header there can be titles, dates and empty lines. A header can have two lines, the first of which
names groups of columns. Below a table there can be notes. What is left out is said (`Decision`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Final, TypeAlias

from privacy.errors import PrivacyError
from privacy.numeric_text import finite_number
from privacy.tables.column_names import LONGEST_NAME
from privacy.tables.decisions import Decision
from privacy.tables.missing_texts import is_missing_word

Line: TypeAlias = tuple[int, list[str]]
"""Number of a line in its file, and its cells."""

_LOOK: Final = 60
"""Number of lines among which the header is looked for."""
_MOST_TITLES: Final = 20
_GROUPS: Final = 2
"""Fewest cells of a line that names groups of columns."""
_OFTEN: Final = 0.25
"""Share of equal lines above which a line is a record and not a header that joined files repeat."""


@dataclass(kw_only=True)
class Head:
    """The header of a table, and the records below it.

    Parameters
    ----------
    names, labels : list of str
        Names of the columns, and descriptions; "" if there is none.
    records : iterator of (int, list of str)
        Lines of records, with their numbers.
    decisions : list of Decision
        Complete only after all records are read.
    """

    names: list[str]
    labels: list[str]
    records: Iterator[Line]
    decisions: list[Decision] = field(default_factory=list)


def head_of(lines: Iterator[Line], *, is_padded: bool = False) -> Head | None:
    """Find the header of a table; None if there is no line with text.

    Parameters
    ----------
    lines : iterator of (int, list of str)
        Number and cells of each line, the first line first. Lines without text are left out.
    is_padded : bool
        Whether lines end at their last cell with text, as in spreadsheets.

    Raises
    ------
    PrivacyError
        ``table_file.record``: the first line is a record.

    Examples
    --------
    >>> lines = [["Survey of 2024", "", ""], ["", "", ""], ["age", "sex", "ill"], ["70", "m", "flu"]]
    >>> head = head_of(iter(enumerate(lines, 1)))
    >>> head.names, list(head.records)
    (['age', 'sex', 'ill'], [(4, ['70', 'm', 'flu'])])
    >>> print(*head.decisions)
    Lines above the header that were left out: 1. The first one is “Survey of 2024”.
    """
    first = list(islice(lines, _LOOK))
    # Lines of a spreadsheet end at their last cell.
    width = max((len(cells) for _number, cells in first), default=0) if is_padded else 0
    first = [(number, [*cells, *[""] * (width - len(cells))]) for number, cells in first]
    while first and not _filled(first[0][1]):
        first = first[1:]
    if not first:
        return None
    at = _header_line(first)
    titles = [cells for _number, cells in first[:at] if _filled(cells)]
    upper: Sequence[str] = ()
    if at and _names_groups(titles[-1], first[at][1]):
        upper = titles.pop()
    elif not at and len(first) > 1 and _is_second_line(first):
        upper, at = first[0][1], 1
    names = [cell.strip() for cell in first[at][1]]
    head = Head(names=names, labels=[""] * len(names), records=chain(first[at + 1 :], lines))
    if upper:
        _join(head, upper)
    if titles:
        text = next(cell for cell in titles[0] if cell.strip()).strip()
        head.decisions.append(Decision.of("above", count=len(titles), text=text[:LONGEST_NAME]))
    number = next((name for name in head.names if finite_number(name) is not None), "")
    if (number or not at) and _is_record(first, at):
        raise PrivacyError("table_file.record", ", ".join(filter(None, head.names))[:LONGEST_NAME])
    if number:
        head.decisions.append(Decision.of("number", text=number))
    head.records = _without_notes(head, _without_headers(head, head.records, first[at][1]))
    return head


def _filled(cells: Sequence[str]) -> list[int]:
    return [place for place, cell in enumerate(cells) if cell.strip()]


def _header_line(first: Sequence[Line]) -> int:
    """Return the index of the line with the names of columns; 0 unless a later one is surely the header."""
    counts = [len(_filled(cells)) for _number, cells in first]
    usual = sorted(filter(None, counts))[len(list(filter(None, counts))) // 2]
    at = 0
    while (
        at < min(_MOST_TITLES, len(first) - 2)
        and counts[at] < usual
        and (counts[at] <= 1 or 2 * counts[at] <= usual)
        and not _is_row_header(first[at][1])
    ):
        at += 1
    if counts[at] < usual and not _is_row_header(first[at][1]):
        # Titles can have several cells, such as "made on" and a date.
        later = range(at + 1, min(_MOST_TITLES, len(first) - 2))
        at = next(
            (place for place in later if counts[place] >= usual and _is_above_numbers(first, place)), at
        )
    return at if at and _is_header(first, at) else 0


def _is_above_numbers(first: Sequence[Line], at: int) -> bool:
    """Return whether a line has names, one of which is above a column of numbers: so no record."""
    below = [cells for _number, cells in first[at + 1 :]]
    for place, text in enumerate(first[at][1]):
        texts = [cells[place].strip() for cells in below if place < len(cells) and cells[place].strip()]
        is_name = text.strip() and not _is_number(text.strip()) and not is_missing_word(text.strip())
        if is_name and len(texts) >= _GROUPS and all(map(_is_number, texts)):
            return _is_header(first, at)
    return False


def _is_row_header(cells: Sequence[str]) -> bool:
    """Return whether only the first cell is empty, above the names of rows."""
    return len(cells) > 1 and _filled(cells) == list(range(1, len(cells)))


def _is_header(first: Sequence[Line], at: int) -> bool:
    """Return whether a line has names: texts that are not numbers, and do not occur below."""
    texts = [cell.strip() for cell in first[at][1]]
    names = [text for text in texts if text]
    below = [[cell.strip() for cell in cells] for _number, cells in first[at + 1 :]]
    return (
        bool(names)
        and all(finite_number(name) is None for name in names)
        and not any(
            text and any(place < len(cells) and cells[place] == text for cells in below)
            for place, text in enumerate(texts)
        )
    )


def _is_record(first: Sequence[Line], at: int) -> bool:
    """Return whether a line has only cells such as those below it, and no header that joined files repeat."""
    texts, *below = [_texts(cells) for _number, cells in first[at:]]
    if texts in ([str(place + start) for place in range(len(texts))] for start in (0, 1)):
        # Programs number columns that have no names.
        return False
    has_number = any(map(_is_number, texts))
    is_often = has_number or below.count(texts) > _OFTEN * len(below)
    others = [cells for cells in below if is_often or cells != texts]
    for place, text in enumerate(texts):
        own = {cells[place] for cells in others if place < len(cells)} - {""}
        if text and not (bool(own) and all(map(_is_number, own)) if _is_number(text) else text in own):
            return False
    return has_number or len(_filled(texts)) > 1


def _is_number(text: str) -> bool:
    return finite_number(text) is not None


def _names_groups(upper: Sequence[str], names: Sequence[str]) -> bool:
    """Return whether a line names groups of columns, such as the merged cells of a spreadsheet."""
    texts = [cell.strip() for cell in upper if cell.strip()]
    return (
        len(upper) == len(names)
        and len(texts) >= _GROUPS
        and all(finite_number(text) is None and not any(map(str.isdigit, text)) for text in texts)
    )


def _is_second_line(first: Sequence[Line]) -> bool:
    """Return whether the first two lines form a header: each fills the gaps of the other."""
    (_one, upper), (_two, lower) = first[:2]
    if len(upper) != len(lower) or not upper[0].strip() or len(_filled(upper)) == len(upper):
        return False
    covered = {*_filled(upper), *_filled(lower)}
    spans = any(lower[place].strip() for place in _filled(upper))
    return len(covered) == len(upper) and spans and _names_groups(upper, lower) and _is_header(first, 1)


def _join(head: Head, upper: Sequence[str]) -> None:
    """Add the groups of a first line to the names: as labels, and to names that would be equal."""
    groups, last = [], ""
    for cell, name in zip(upper, head.names, strict=True):
        # A merged cell has its text at its beginning. One above an empty name is the name.
        last = cell.strip() or last
        groups.append(last if name else "")
        if not name:
            last = ""
    own = [name or cell.strip() for name, cell in zip(head.names, upper, strict=True)]
    for place, (group, name) in enumerate(zip(groups, own, strict=True)):
        both = f"{group} {name}" if group and group != name else name
        head.names[place] = both if own.count(name) > 1 else name
        head.labels[place] = f"{group}: {name}" if group and group != name else ""
    joined = next((label for label in head.labels if label), head.names[0])
    head.decisions.append(Decision.of("joined", name=joined))


def _without_headers(head: Head, records: Iterator[Line], names: Sequence[str]) -> Iterator[Line]:
    """Yield the records without lines that repeat the header, as in joined files."""
    header, count = _texts(names), 0
    for number, cells in records:
        if len(header) > 1 and cells[0].strip() == header[0] and _texts(cells) == header:
            count += 1
        else:
            yield number, cells
    if count:
        head.decisions.append(Decision.of("headers", count=count))


def _texts(cells: Sequence[str]) -> list[str]:
    """Return the texts of a line, without empty cells at its end."""
    return [cell.strip() for cell in cells[: max(_filled(cells), default=-1) + 1]]


def _without_notes(head: Head, records: Iterator[Line]) -> Iterator[Line]:
    """Yield the records without lines of one text that follow an empty line at the end of a file."""
    held: list[Line] = []
    before = None
    for number, cells in records:
        gap = before is not None and number > before + 1
        before = number + sum(cell.count("\n") for cell in cells)
        filled = _filled(cells)
        # Notes are below the first column, and a table of one or two columns has no room for them.
        if len(head.names) > _GROUPS and (not filled or (filled == [0] and (gap or held))):
            held.append((number, cells))
            continue
        yield from held
        held = []
        yield number, cells
    notes = [cells[0].strip() for _number, cells in held if _filled(cells)]
    if notes:
        head.decisions.append(Decision.of("below", count=len(notes), text=notes[0][:LONGEST_NAME]))
    else:
        yield from held
