"""Read a file of another survey tool: strings of frames, by version, and the other columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from django.utils.translation import gettext, gettext_noop, override
from numpy.typing import NDArray

from mining.columns.row_writer import impossible_rows
from privacy.survey.layout import Layout
from surveys.embed.frame import PREFIX, AnswerString, answer_string_read, check_framed, version_mark
from surveys.errors.error import SurveyError
from surveys.imports.table import WORDS, ReadTable
from surveys.questionnaire.definition import Definition

MOST_OPEN: Final = 12
"""Most different values of a column proposed as an open question; more could identify people."""
REASONS: Final = {
    "string": gettext_noop("not a line of a frame"),
    "version": gettext_noop("a line of another version, with other words or another design"),
    "impossible": gettext_noop("a device cannot have sent this"),
    "twice": gettext_noop("this answer line appeared earlier in the file"),
}
"""Why a line of a file is invalid."""
_MISSING: Final = frozenset(word.casefold() for word in ("", *WORDS))
# Names of columns that identify a person or moment: never proposed, whatever they hold.
_TELLING: Final = re.compile(
    r"(^|[^a-z])(id|name|e-?mail|phone|ip|address|date|time|day|start|end|duration|seconds|latitude|longitude|"
    r"location|token|seed|url|user|participant|code|session|label|response)s?([^a-z]|$)|姓名|邮箱|电话|地址|时间|日期",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class HostFile:
    """A table that another tool exported, with its file name for messages."""

    name: str
    table: ReadTable

    @property
    def header(self) -> list[str]:
        """Names of the columns."""
        return self.table.header

    def lines(self) -> Iterator[tuple[int, Sequence[str]]]:
        """Yield the line number, as editors count, and the cells of each record."""
        return zip(self.table.lines.tolist(), self.table.rows(), strict=True)


@dataclass(frozen=True, kw_only=True)
class Part:
    """One column of strings, and the version that produced them.

    Parameters
    ----------
    column : str
    digest : str
        Digest of the version: 64 hex digits.
    definition : Definition
    rows : ndarray of uint8, shape (n, bytes)
        Packed bodies of respondents who answered all parts, each one that a device can send.
    """

    column: str
    digest: str
    definition: Definition
    rows: NDArray[np.uint8]


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column that can become an open question.

    Parameters
    ----------
    name : str
    options : tuple of str
        Its different values, in order.
    values : ndarray of int, shape (n,)
        Per row the position of its option; -1 where it is missing.
    is_proposed : bool
        Whether it has no property that speaks against it.
    """

    name: str
    options: tuple[str, ...]
    values: NDArray[np.int16]
    is_proposed: bool


@dataclass(frozen=True, kw_only=True)
class StringColumn:
    """A column in which some cells hold strings of frames.

    Parameters
    ----------
    index : int
        Its position in the file.
    name : str
    mark : str
        The version that most of its strings name; empty if none of them can be read.
    strings, n_filled : int
        Number of cells that begin like a string, and of non-empty cells.
    is_read : bool
        Whether its strings are read.
    """

    index: int
    name: str
    mark: str
    strings: int
    n_filled: int
    is_read: bool


@dataclass(frozen=True, kw_only=True)
class WrongLine:
    """A line with a cell from which no answer can be read.

    Parameters
    ----------
    number : int
        Line number, as editors count.
    column : str
    reason : str
        A key of `REASONS`.
    """

    number: int
    column: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class FileRead:
    """The contents of a file that can be imported.

    Parameters
    ----------
    parts : tuple of Part
    strings : tuple of StringColumn
        Every column that holds a string, whether it is read or not.
    columns : tuple of Column
        Columns with few different values.
    never_read : tuple of str
        Names of all other columns, which are not imported.
    n : int
        Number of people who answered every part.
    not_answered : int
        Number of lines without one of the strings.
    wrong : tuple of WrongLine
        Lines left out because one of their cells is invalid.
    """

    parts: tuple[Part, ...]
    strings: tuple[StringColumn, ...]
    columns: tuple[Column, ...]
    never_read: tuple[str, ...]
    n: int
    not_answered: int
    wrong: tuple[WrongLine, ...]


def file_read(file: HostFile, versions: Mapping[str, Definition], *, names: Sequence[str] = ()) -> FileRead:
    """Read a complete file strictly.

    Parameters
    ----------
    file : HostFile
    versions : mapping of str to Definition
        Versions that its strings may belong to, by digest; each with one protected part.
    names : sequence of str
        Columns that hold the strings; by default those in which most cells do.

    Raises
    ------
    SurveyError
        ``host_file.none`` (no string anywhere), ``host_file.scattered`` (no column has mostly strings),
        ``host_file.unknown`` (no definition of their version), ``host_file.strings`` (a named column holds
        no strings), ``host_file.nobody``; as `check_framed`.

    Notes
    -----
    A respondent can type anything into a tool's fields, including a string of a frame. So no single cell
    decides which column is read, or that none is: strings in other cells are ignored, and a line with an
    unreadable cell is listed and left out.
    """
    by_mark: dict[str, tuple[str, Definition]] = {}
    for digest, definition in versions.items():
        check_framed(definition.design)
        by_mark[version_mark(digest)] = digest, definition
    strings = _select_columns(file, _string_columns(file), by_mark, names)
    indices = [column.index for column in strings if column.is_read]
    marks = [column.mark for column in strings if column.is_read]
    rows, not_answered, wrong = _bodies(file, indices, marks, by_mark)
    if not rows:
        raise SurveyError("host_file.nobody", file=file.name)
    columns = _open_columns(file, set(rows), {column.index for column in strings})
    parts = []
    for position, (index, mark) in enumerate(zip(indices, marks, strict=True)):
        digest, definition = by_mark[mark]
        data = b"".join(bodies[position] for bodies in rows.values())
        body = np.frombuffer(data, dtype=np.uint8).reshape(len(rows), -1)
        parts.append(Part(column=file.header[index], digest=digest, definition=definition, rows=body))
    used_names = {column.name for column in columns} | {part.column for part in parts}
    return FileRead(
        parts=tuple(parts),
        strings=strings,
        columns=columns,
        never_read=tuple(name for name in file.header if name not in used_names),
        n=len(rows),
        not_answered=not_answered,
        wrong=wrong,
    )


def version_marks(file: HostFile) -> frozenset[str]:
    """Return the marks of the versions that most strings of each column name.

    Raises
    ------
    SurveyError
        ``host_file.none``.
    """
    return frozenset(column.mark for column in _string_columns(file) if column.mark)


def _string_columns(file: HostFile) -> list[StringColumn]:
    """Return the columns that hold at least one string, in the order of the file."""
    fill_counts = [0] * len(file.header)
    marks: dict[int, Counter[str]] = {}
    for _number, cells in file.lines():
        for index, cell in enumerate(cells):
            text = cell.strip()
            fill_counts[index] += text.casefold() not in _MISSING
            if text.startswith(PREFIX):
                marks.setdefault(index, Counter())[_mark_of(text)] += 1
    if not marks:
        raise SurveyError("host_file.none", file=file.name)
    columns = []
    for index, counts in sorted(marks.items()):
        readable = {mark: count for mark, count in counts.items() if mark}
        columns.append(
            StringColumn(
                index=index,
                name=file.header[index],
                mark=max(readable, key=lambda mark: readable[mark], default=""),
                strings=counts.total(),
                n_filled=fill_counts[index],
                is_read=False,
            )
        )
    return columns


def _mark_of(text: str) -> str:
    try:
        return answer_string_read(text).version
    except SurveyError:
        return ""


def _select_columns(
    file: HostFile, columns: Sequence[StringColumn], marks: Container[str], choice: Sequence[str]
) -> tuple[StringColumn, ...]:
    """Return the columns, marking those that are read: the named ones, or one per version by its cells."""
    if choice:
        absent = [name for name in choice if name not in {column.name for column in columns if column.mark}]
        if absent:
            names = ", ".join(column.name for column in columns)
            raise SurveyError("host_file.strings", absent, file=file.name, name=absent[0], known=names)
        read = [column for column in columns if column.name in choice]
    else:
        mostly = [column for column in columns if column.mark and 2 * column.strings > column.n_filled]
        if not mostly:
            first = max(columns, key=lambda column: column.strings)
            raise SurveyError(
                "host_file.scattered", first.name, file=file.name, column=first.name, strings=first.strings,
                filled=first.n_filled,
            )  # fmt: skip
        # If some versions are known, another column cannot refuse the file: one respondent may have filled
        # it.
        read = [column for column in mostly if column.mark in marks] or mostly
        most = max(column.strings for column in read)
        fullest: dict[str, StringColumn] = {}
        for column in read:
            if 2 * column.strings >= most:
                fullest[column.mark] = max(
                    fullest.get(column.mark, column), column, key=lambda each: each.strings
                )
        read = list(fullest.values())
    for column in read:
        if column.mark not in marks:
            raise SurveyError(
                "host_file.unknown", column.mark, file=file.name, column=column.name, versions=column.mark
            )
    return tuple(replace(column, is_read=column in read) for column in columns)


def _bodies(
    file: HostFile, indices: Sequence[int], marks: Sequence[str], forms: Mapping[str, tuple[str, Definition]]
) -> tuple[dict[int, list[bytes]], int, tuple[WrongLine, ...]]:
    """Return the bodies of the lines that answer every part, the number that do not, and the invalid
    lines."""
    rows: dict[int, list[bytes]] = {}
    seen: set[str] = set()
    wrong: dict[int, WrongLine] = {}
    not_answered = 0
    sizes = [Layout(forms[mark][1].design).n_bytes for mark in marks]
    for number, cells in file.lines():
        bodies: list[bytes] = []
        for index, mark, size in zip(indices, marks, sizes, strict=True):
            text = cells[index].strip()
            if text.casefold() in _MISSING:
                continue
            string, reason = _string(text, mark, size)
            if text in seen:
                reason = "twice"
            seen.add(text)
            if string is None or reason:
                wrong.setdefault(number, WrongLine(number=number, column=file.header[index], reason=reason))
            else:
                bodies.append(string.body)
        if number in wrong:
            continue
        if len(bodies) < len(indices):
            not_answered += 1
        else:
            rows[number] = bodies
    for position, (index, mark) in enumerate(zip(indices, marks, strict=True)):
        numbers = list(rows)
        data = b"".join(bodies[position] for bodies in rows.values())
        impossible = impossible_rows(forms[mark][1].design, data)
        for offending in impossible.positions.tolist() if impossible is not None else ():
            number = numbers[offending]
            wrong[number] = WrongLine(number=number, column=file.header[index], reason="impossible")
            del rows[number]
    return rows, not_answered, tuple(wrong[number] for number in sorted(wrong))


def _string(text: str, mark: str, size: int) -> tuple[AnswerString | None, str]:
    """Return the string in a cell, and why it cannot be read; an empty reason if it can."""
    try:
        string = answer_string_read(text)
    except SurveyError:
        return None, "string"
    if string.version != mark:
        return None, "version"
    return (string, "") if len(string.body) == size else (None, "impossible")


def _open_columns(file: HostFile, numbers: Container[int], strings: Container[int]) -> tuple[Column, ...]:
    """Return the columns with few values, from the imported lines."""
    seen: dict[int, dict[str, int]] = {
        index: {} for index, name in enumerate(file.header) if index not in strings and name.strip()
    }
    values: dict[int, list[int]] = {index: [] for index in seen}
    for number, cells in file.lines():
        if number not in numbers:
            continue
        for index in tuple(values):
            text, options = cells[index].strip(), seen[index]
            if text.casefold() in _MISSING:
                values[index].append(-1)
                continue
            values[index].append(options.setdefault(text, len(options)))
            if len(options) > MOST_OPEN:
                del values[index], seen[index]
    return tuple(
        _column(file.header[index], seen[index], values[index]) for index in values if len(seen[index]) > 1
    )


def _column(name: str, options: Mapping[str, int], values: Sequence[int]) -> Column:
    """Return a column with its options in order: numbers by size, texts alphabetically."""
    in_order = sorted(options, key=_by_size)
    position = np.empty(len(options) + 1, dtype=np.int16)
    position[[options[text] for text in in_order]] = np.arange(len(options))
    position[-1] = -1
    return Column(
        name=name,
        options=tuple(in_order),
        values=position[np.asarray(values, dtype=np.int16)],
        is_proposed=_TELLING.search(name) is None and max(map(len, options)) <= 80,
    )


def _by_size(text: str) -> tuple[bool, float, str]:
    try:
        return False, float(text), text
    except ValueError:
        return True, 0.0, text


def document_of(read: FileRead, columns: Sequence[Column], *, slug: str) -> dict[str, Any]:
    """Return the definition of the new survey: the file's parts, and a part of open questions."""
    first: dict[str, Any] = read.parts[0].definition.document
    languages = first.get("languages") or list(first["title"])
    document = {
        name: value
        for name, value in first.items()
        if name not in ("opens_at", "closes_at", "rotations", "blocks", "series")
    }
    blocks = [block for part in read.parts for block in part.definition.document["blocks"]]
    if columns:
        blocks.append(
            {
                "key": _free("beside", {block["key"] for block in blocks}),
                "protected": False,
                "title": dict(_in_each(languages, gettext_noop("Next to the protected part"))),
                "questions": [
                    {
                        "key": f"column-{number}",
                        "kind": "single",
                        "text": dict.fromkeys(languages, column.name),
                        "options": [
                            {"key": f"value-{index}", "text": dict.fromkeys(languages, text)}
                            for index, text in enumerate(column.options, start=1)
                        ],
                    }
                    for number, column in enumerate(columns, start=1)
                ],
            }
        )
    return {**document, "slug": slug, "blocks": blocks}


def _in_each(languages: Iterable[str], text: str) -> Iterator[tuple[str, str]]:
    for tag in languages:
        with override(tag):
            yield tag, gettext(text)


def _free(name: str, names: set[str]) -> str:
    while name in names:
        name += "-2"
    return name


def packed_rows(read: FileRead, columns: Sequence[Column]) -> NDArray[np.uint8]:
    """Return the rows of the new survey, each packed by its layout.

    Notes
    -----
    Bit 0 is the group, which is 0; then come the bits of each part, and per open question its presence bit
    and the number of its option, as `privacy.survey.layout.Layout` has them.
    """
    n = read.n
    bits = [np.zeros((n, 1), dtype=np.uint8)]
    for part in read.parts:
        layout = Layout(part.definition.design)
        bits.append(np.unpackbits(part.rows, axis=1)[:, 1 : layout.n_bits])
    for column in columns:
        width = (len(column.options) - 1).bit_length()
        value = np.maximum(column.values, 0)
        bits.append((column.values >= 0).astype(np.uint8)[:, None])
        bits.append((value[:, None] >> np.arange(width - 1, -1, -1) & 1).astype(np.uint8))
    matrix: NDArray[np.uint8] = np.packbits(np.concatenate(bits, axis=1), axis=1)
    return matrix
