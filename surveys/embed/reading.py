"""What a file of another survey tool holds: strings of frames, by version, and columns beside them."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from django.utils.translation import gettext, gettext_noop, override
from numpy.typing import NDArray

from mining.columns.strict_rows import impossible_rows
from privacy.survey.layout import Layout
from surveys.embed.answer_string import PREFIX, answer_string_read, version_mark
from surveys.embed.frame import check_framed
from surveys.errors.core_refusals import in_words
from surveys.errors.error import SurveyError
from surveys.questionnaire.definition import Definition
from surveys.tables.missing import WORDS
from surveys.tables.table import ReadTable

__all__ = ["MOST_OPEN", "Column", "FileRead", "HostFile", "Part", "file_read", "versions_named"]

MOST_OPEN: Final = 12
"""Different values of a column that is proposed as an open question; more would tell people apart."""
_SHOWN: Final = 5
_MISSING: Final = frozenset(word.casefold() for word in ("", *WORDS))
# Names of columns that point to one person or moment: proposed to nobody, whatever they hold.
_TELLING: Final = re.compile(
    r"(^|[^a-z])(id|name|e-?mail|phone|ip|address|date|time|day|start|end|duration|seconds|latitude|longitude|"
    r"location|token|seed|url|user|participant|code|session|label|response)s?([^a-z]|$)|姓名|邮箱|电话|地址|时间|日期",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class HostFile:
    """A table that another tool exported, and the name of its file, for messages."""

    name: str
    table: ReadTable

    @property
    def header(self) -> list[str]:
        """Names of the columns."""
        return self.table.header

    def lines(self) -> Iterator[tuple[int, Sequence[str]]]:
        """Yield the number, as editors count, and the cells of each record."""
        return zip(self.table.lines.tolist(), self.table.rows(), strict=True)


@dataclass(frozen=True, kw_only=True)
class Part:
    """One column of strings, and the version that asked for them.

    Parameters
    ----------
    column : str
    digest : str
        Of the version: 64 hex digits.
    definition : Definition
    rows : ndarray of uint8, shape (n, bytes)
        Packed bodies of those who answered all parts, each one that a device can send.
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
        Whether nothing speaks against it.
    """

    name: str
    options: tuple[str, ...]
    values: NDArray[np.int16]
    is_proposed: bool


@dataclass(frozen=True, kw_only=True)
class FileRead:
    """What of a file can be taken in.

    Parameters
    ----------
    parts : tuple of Part
    columns : tuple of Column
        Those with few different values.
    never_read : tuple of str
        Names of all others: of them nothing is taken.
    n : int
        People who answered every part.
    not_answered : int
        Lines without one of the strings.
    """

    parts: tuple[Part, ...]
    columns: tuple[Column, ...]
    never_read: tuple[str, ...]
    n: int
    not_answered: int


def file_read(file: HostFile, versions: Mapping[str, Definition]) -> FileRead:
    """Read a file strictly, all of it.

    Parameters
    ----------
    file : HostFile
    versions : mapping of str to Definition
        By digest, the versions that its strings may be of; each of one protected part.

    Raises
    ------
    SurveyError
        ``host_file.none`` (no string anywhere), ``host_file.unknown`` and ``host_file.mixed`` (versions,
        named), ``host_file.string`` (a cell that is no string, or one that no device sends),
        ``host_file.twice`` (one string in several lines), ``host_file.nobody``; as `check_framed`.
    """
    known: dict[str, tuple[str, Definition]] = {}
    for digest, definition in versions.items():
        check_framed(definition.design)
        known[version_mark(digest)] = digest, definition
    indices = sorted(_first_strings(file))
    bodies, columns, not_answered = _collected(file, indices, known)
    if not bodies or not bodies[0]:
        raise SurveyError("host_file.nobody", file=file.name)
    parts = tuple(_part(file, index, entries, known) for index, entries in zip(indices, bodies, strict=True))
    taken = {column.name for column in columns} | {part.column for part in parts}
    return FileRead(
        parts=parts,
        columns=columns,
        never_read=tuple(name for name in file.header if name not in taken),
        n=len(parts[0].rows),
        not_answered=not_answered,
    )


def versions_named(file: HostFile) -> frozenset[str]:
    """Return the marks of the versions that the first string of each column names.

    Raises
    ------
    SurveyError
        ``host_file.none``.
    """
    named = set()
    for text in _first_strings(file).values():
        # What is no string is refused with its line, where all are read.
        with contextlib.suppress(SurveyError):
            named.add(answer_string_read(text).version)
    return frozenset(named)


def _first_strings(file: HostFile) -> dict[int, str]:
    """Return the first string of each column that holds some, by the column's position."""
    first: dict[int, str] = {}
    for _number, cells in file.lines():
        for index, cell in enumerate(cells):
            if index not in first and cell.lstrip().startswith(PREFIX):
                first[index] = cell.strip()
    if not first:
        raise SurveyError("host_file.none", file=file.name)
    return first


_Entries: TypeAlias = list[tuple[int, str, bytes]]


def _collected(
    file: HostFile, indices: Sequence[int], known: Mapping[str, tuple[str, Definition]]
) -> tuple[list[_Entries], tuple[Column, ...], int]:
    """Return per column of strings line, version and body; columns of few values; lines left out."""
    bodies: list[_Entries] = [[] for _ in indices]
    lines: dict[str, int] = {}
    seen: dict[int, dict[str, int]] = {
        index: {} for index, name in enumerate(file.header) if index not in indices and name.strip()
    }
    values: dict[int, list[int]] = {index: [] for index in seen}
    not_answered = 0
    for number, cells in file.lines():
        texts = [cells[index].strip() for index in indices]
        strings = []
        for index, text in zip(indices, texts, strict=True):
            if text.casefold() in _MISSING:
                continue
            if text in lines:
                raise SurveyError(
                    "host_file.twice", text, file=file.name, first=lines[text], line=number,
                    column=file.header[index],
                )  # fmt: skip
            lines[text] = number
            try:
                strings.append(answer_string_read(text))
            except SurveyError as error:
                raise _wrong(file, index, number, text) from error
        if len(strings) < len(indices):
            not_answered += 1
            continue
        for entries, string in zip(bodies, strings, strict=True):
            entries.append((number, string.version, string.body))
        for index in tuple(values):
            text = cells[index].strip()
            options = seen[index]
            if text.casefold() in _MISSING:
                values[index].append(-1)
                continue
            values[index].append(options.setdefault(text, len(options)))
            if len(options) > MOST_OPEN:
                del values[index], seen[index]
    columns = [
        _column(file.header[index], seen[index], values[index]) for index in values if len(seen[index]) > 1
    ]
    return bodies, tuple(columns), not_answered


def _column(name: str, options: Mapping[str, int], values: Sequence[int]) -> Column:
    """Return a column with its options in order: numbers by size, texts by the alphabet."""
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


def _part(file: HostFile, index: int, entries: _Entries, known: Mapping[str, tuple[str, Definition]]) -> Part:
    """Return the rows of one column, strictly read."""
    column, marks = file.header[index], sorted({mark for _number, mark, _body in entries})
    unknown = [mark for mark in marks if mark not in known]
    if unknown:
        raise SurveyError(
            "host_file.unknown", unknown, file=file.name, column=column, versions=", ".join(unknown[:_SHOWN])
        )
    if len(marks) > 1:
        raise SurveyError(
            "host_file.mixed", marks, file=file.name, column=column, versions=", ".join(marks[:_SHOWN])
        )
    digest, definition = known[marks[0]]
    design = definition.design
    size = Layout(design).n_bytes
    for number, _mark, body in entries:
        if len(body) != size:
            raise _wrong(file, index, number, f"{PREFIX}…")
    packed = b"".join(body for _number, _mark, body in entries)
    impossible = impossible_rows(design, packed)
    if impossible is not None:
        message, _remedy = in_words(impossible.error)
        raise SurveyError(
            "host_file.impossible", file=file.name, column=column, line=entries[impossible.first][0],
            count=impossible.n, message=message,
        )  # fmt: skip
    return Part(
        column=column,
        digest=digest,
        definition=definition,
        rows=np.frombuffer(packed, dtype=np.uint8).reshape(-1, size),
    )


def _wrong(file: HostFile, index: int, number: int, text: str) -> SurveyError:
    return SurveyError(
        "host_file.string", text[:80], file=file.name, column=file.header[index], line=number, text=text[:80]
    )


def document_of(read: FileRead, columns: Sequence[Column], *, slug: str) -> dict[str, Any]:
    """Return the definition of the survey that a file becomes: its parts, and a part of open questions."""
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
                "title": dict(_in_each(languages, gettext_noop("Beside the protected part"))),
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


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "-2"
    return name


def packed_rows(read: FileRead, columns: Sequence[Column]) -> NDArray[np.uint8]:
    """Return the rows of the survey that a file becomes, each as its layout packs it.

    Notes
    -----
    Bit 0 says the group, which is 0; then come the bits of each part, and per open question its presence bit
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
    packed: NDArray[np.uint8] = np.packbits(np.concatenate(bits, axis=1), axis=1)
    return packed
