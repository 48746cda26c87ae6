"""Read another survey tool's file: the answer strings of frames, by version, and the other columns."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from django.utils.translation import gettext, gettext_noop, override
from numpy.typing import NDArray

from mining.columns.impossible_rows import impossible_rows
from mining.report_checks import find_suspects
from privacy.survey.layout import Layout
from privacy.tables.columns import ReadTable
from privacy.tables.missing_texts import MISSING_WORDS
from surveys.embed.answer_string import PREFIX, AnswerString, answer_string_read, version_mark
from surveys.embed.frame_promise import check_framed
from surveys.errors.error import SurveyError
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.rotations import stated_rotation
from surveys.questionnaire.stems import STEMS, joined_parts
from surveys.questionnaire.turns import TURN

MOST_OPEN: Final = 12
"""Most distinct values of a column proposed as an unprotected question; more could identify people."""
REASONS: Final = {
    "string": gettext_noop("not a line from a frame"),
    "version": gettext_noop("a line of another version, with other words or another design"),
    "impossible": gettext_noop("a device cannot have sent this"),
    "twice": gettext_noop("this answer line appeared earlier in the file"),
}
"""Why a line of a file is invalid, by key."""
IMPOSSIBLE: Final = "impossible"
"""Key of the reason for lines that no device can send, which are always left out."""
_NOT_KEPT: Final = (
    "opens_at", "closes_at", "rotations", "blocks", "series", "waves", "each_wave", "wave", STEMS,
)  # fmt: skip
_MISSING: Final = frozenset(word.casefold() for word in ("", *MISSING_WORDS))
# Names of columns that identify a person or a moment; never proposed, whatever their values.
_IDENTIFYING: Final = re.compile(
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
        """Yield the line number, counted from 1, and the cells of each record."""
        return zip(self.table.lines.tolist(), self.table.rows(), strict=True)


@dataclass(frozen=True, kw_only=True)
class Part:
    """One column of answer strings, and the version that produced them.

    Parameters
    ----------
    column : str
    digest : str
        Digest of the version, 64 hex digits.
    definition : Definition
    rows : ndarray of uint8, shape (n, bytes)
        Packed bodies of the respondents who answered all parts; a device can send each of them.
    """

    column: str
    digest: str
    definition: Definition
    rows: NDArray[np.uint8]


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column that can become an unprotected question.

    Parameters
    ----------
    name : str
    options : tuple of str
        Its distinct values, in order.
    values : ndarray of int, shape (n,)
        The index of each row's option; -1 if it is missing.
    is_proposed : bool
        Whether neither its name nor its values suggest that it identifies people.
    """

    name: str
    options: tuple[str, ...]
    values: NDArray[np.int16]
    is_proposed: bool


@dataclass(frozen=True, kw_only=True)
class StringColumn:
    """A column with answer strings in some cells.

    Parameters
    ----------
    index : int
        Index of the column in the file.
    name : str
    mark : str
        The version named by most of its strings; empty if none of them can be parsed.
    strings, n_filled : int
        Number of cells that begin like a string, and of non-empty cells.
    is_read : bool
        Whether its strings are imported.
    """

    index: int
    name: str
    mark: str
    strings: int
    n_filled: int
    is_read: bool


@dataclass(frozen=True, kw_only=True)
class WrongLine:
    """A line with an invalid cell.

    Parameters
    ----------
    number : int
        Line number, counted from 1.
    column : str
    reason : str
        A key of `REASONS`.
    """

    number: int
    column: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class FileRead:
    """The contents of a file, ready to import.

    Parameters
    ----------
    parts : tuple of Part
    strings : tuple of StringColumn
        Every column with an answer string, whether or not it is imported.
    columns : tuple of Column
        Columns with few distinct values.
    never_read : tuple of str
        Names of all other columns, which are not imported.
    n : int
        Number of people who answered every part.
    not_answered : int
        Number of lines that lack a string.
    wrong : tuple of WrongLine
        Lines dropped because a cell is invalid.
    lines : tuple of int
        Line numbers of the people who answered every part, in the order of the parts' rows.
    """

    parts: tuple[Part, ...]
    strings: tuple[StringColumn, ...]
    columns: tuple[Column, ...]
    never_read: tuple[str, ...]
    n: int
    not_answered: int
    wrong: tuple[WrongLine, ...]
    lines: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class SuspectLines:
    """Lines that give one report more often than devices do.

    Parameters
    ----------
    column, question : str
        Name of the column, and key of the question.
    lines : tuple of int
    forged : int
        How many of them, at least, no device sent.
    """

    column: str
    question: str
    lines: tuple[int, ...]
    forged: int

    @property
    def ranges(self) -> str:
        """The first lines, with consecutive ones as a range, and "…" if there are more.

        >>> SuspectLines(column="c", question="q", lines=(2, 5, 6, 7, 9, 10), forged=1).ranges
        '2, 5–7, 9–10'
        """
        runs = [
            [number for _, number in same]
            for _, same in itertools.groupby(enumerate(self.lines), key=lambda pair: pair[1] - pair[0])
        ]
        texts = [f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
        return ", ".join(texts[:_MOST_RANGES] + ["…"] * (len(texts) > _MOST_RANGES))


_MOST_RANGES: Final = 50


def suspects_of(read: FileRead) -> tuple[SuspectLines, ...]:
    """Return the lines among which the forged ones are.

    The tool knows when each line was sent, and by whom if people logged in. So its user can find the forged
    ones and delete them from the file. In a survey made from the whole file, these questions have no figures.
    """
    return tuple(
        SuspectLines(
            column=part.column,
            question=part.definition.design.questions[found.question].key,
            lines=tuple(read.lines[position] for position in found.positions.tolist()),
            forged=found.forged,
        )
        for part in read.parts
        for found in find_suspects(part.definition.design, part.rows.tobytes())
    )


def file_read(file: HostFile, versions: Mapping[str, Definition], *, names: Sequence[str] = ()) -> FileRead:
    """Read a whole file strictly.

    Parameters
    ----------
    file : HostFile
    versions : mapping of str to Definition
        Versions to which its strings may belong, by digest; each has one protected part.
    names : sequence of str
        Columns with the strings; by default, those in which most cells are strings.

    Raises
    ------
    SurveyError
        ``host_file.none`` (no string anywhere), ``host_file.scattered`` (no column has mostly strings),
        ``host_file.unknown`` (no definition for their version), ``host_file.strings`` (a named column has
        no strings), ``host_file.nobody``, ``host_file.turns`` (two parts take turns in one series); or as for
        `check_framed`.

    Notes
    -----
    Respondents can type anything into a tool's fields, including an answer string. So a single cell never
    decides which columns are read. Strings in other columns are ignored, and lines with an invalid cell
    are listed and dropped.
    """
    by_mark: dict[str, tuple[str, Definition]] = {}
    for digest, definition in versions.items():
        check_framed(definition.design, definition.wording)
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
    _check_series(parts)
    used_names = {column.name for column in columns} | {part.column for part in parts}
    return FileRead(
        parts=tuple(parts),
        strings=strings,
        columns=columns,
        never_read=tuple(name for name in file.header if name not in used_names),
        n=len(rows),
        not_answered=not_answered,
        wrong=wrong,
        lines=tuple(rows),
    )


def _check_series(parts: Sequence[Part]) -> None:
    """Refuse parts whose turns depend on each other, because they follow from the same series and person."""
    seen: dict[str, Part] = {}
    for part in parts:
        turn = part.definition.wording.get(TURN)
        if turn is not None and seen.setdefault(turn["series"], part) is not part:
            columns = seen[turn["series"]].column, part.column
            raise SurveyError(
                "host_file.turns", turn["series"], series=turn["series"], one=columns[0], other=columns[1]
            )


def version_marks(file: HostFile) -> frozenset[str]:
    """Return the version that most strings name, for each column.

    Raises
    ------
    SurveyError
        ``host_file.none``.
    """
    return frozenset(column.mark for column in _string_columns(file) if column.mark)


def _string_columns(file: HostFile) -> list[StringColumn]:
    """Return the columns with at least one string, in file order."""
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
    """Mark the columns to read: the named ones, or for each version the one with most strings."""
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
        # If a version is known, ignore columns of unknown versions: a respondent may have typed a string
        # there.
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
    """Return the bodies of complete lines, the number of incomplete lines, and the invalid lines."""
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
    """Parse the string in a cell; also return why it is invalid, or an empty reason."""
    try:
        string = answer_string_read(text)
    except SurveyError:
        return None, "string"
    if string.version != mark:
        return None, "version"
    return (string, "") if len(string.body) == size else (None, "impossible")


def _open_columns(file: HostFile, numbers: Container[int], strings: Container[int]) -> tuple[Column, ...]:
    """Return the columns with few distinct values in the imported lines."""
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
    """Return a column with sorted options: numbers by size, then texts alphabetically."""
    in_order = sorted(options, key=_by_size)
    position = np.empty(len(options) + 1, dtype=np.int16)
    position[[options[text] for text in in_order]] = np.arange(len(options))
    position[-1] = -1
    return Column(
        name=name,
        options=tuple(in_order),
        values=position[np.asarray(values, dtype=np.int16)],
        is_proposed=_IDENTIFYING.search(name) is None and max(map(len, options)) <= 80,
    )


def _by_size(text: str) -> tuple[bool, float, str]:
    try:
        return False, float(text), text
    except ValueError:
        return True, 0.0, text


def document_of(read: FileRead, columns: Sequence[Column], *, slug: str) -> dict[str, Any]:
    """Return the new survey's definition: the file's parts, and a part with the unprotected questions.

    It is no wave of a series, because its answers have been given. Each row shows whose turn it was, so a
    part that took turns becomes one that some people were not asked.
    """
    first: dict[str, Any] = read.parts[0].definition.document
    languages = first.get("languages") or list(first["title"])
    document = {name: value for name, value in first.items() if name not in _NOT_KEPT}
    designs = [part.definition.design for part in read.parts]
    rotations = [stated_rotation(each) for design in designs for each in design.rotations]
    blocks, stems = joined_parts(part.definition.document for part in read.parts)
    if columns:
        blocks.append(
            {
                "key": _unused_key("beside", {block["key"] for block in blocks}),
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
    more = ({STEMS: stems} if stems else {}) | ({"rotations": rotations} if rotations else {})
    return {**document, "slug": slug, "blocks": blocks, **more}


def _in_each(languages: Iterable[str], text: str) -> Iterator[tuple[str, str]]:
    for tag in languages:
        with override(tag):
            yield tag, gettext(text)


def _unused_key(name: str, names: set[str]) -> str:
    while name in names:
        name += "-2"
    return name


def packed_rows(read: FileRead, columns: Sequence[Column]) -> NDArray[np.uint8]:
    """Return the packed rows of the new survey.

    Notes
    -----
    As in `privacy.survey.layout.Layout`, bit 0 is the group, always 0. It is followed by the bits of each
    part, and for each unprotected question by a presence bit and the index of the option.
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
