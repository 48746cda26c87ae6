"""Read a table from a file of any supported format; for text files, detect encoding and separator."""

from __future__ import annotations

import codecs
import csv
import datetime
import io
import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeAlias

import numpy as np

from privacy.validation import number_text
from surveys.errors.error import SurveyError
from surveys.imports.child import MOST_ANSWER
from surveys.imports.table import ReadColumn, ReadTable, TableBuilder, column_body, column_read
from surveys.imports.unpacking import Read, read_in_child

_CLOSE: Final = 0.1
"""An encoding is ambiguous if its score is this close to the best one."""
_LEAST: Final = 0.5
"""Best scores below this fit no encoding; the file is then read as Windows-1252."""
_ENOUGH: Final = 20
"""Fewest two-byte characters that distinguish Korean and Chinese, whose byte ranges overlap."""
_EXAMPLES: Final = 3

_WESTERN: Final = frozenset("àâäáãåæçèéêëíìîïñòóôöõøœùúûüßÿ«»“”‘’–—…€°§´½²³¿¡ºª£©®·×")
_CENTRAL: Final = frozenset("ąćęłńóśźżáčďéěíňřšťúůýžäöüőűľĺŕôăâîđßŁ„”“–—…€")
_TURKISH: Final = frozenset("çğıöşüâîûİ“”‘’–—…€")


@dataclass(frozen=True, kw_only=True)
class _Candidate:
    """An encoding, its name, and how typical a character and its bytes are of its languages."""

    encoding: str
    name: str
    likeness: Callable[[str, bytes], float]
    is_latin: bool = False


def _of_set(letters: frozenset[str]) -> Callable[[str, bytes], float]:
    return lambda sign, _raw: float(sign.lower() in letters or sign in letters)


def _cyrillic(sign: str, _raw: bytes) -> float:
    return float("а" <= sign.lower() <= "я" or sign in "ёЁіІїЇєЄўЎ№«»–—")


def _by_lead(first: int, last: int) -> Callable[[str, bytes], float]:
    """Prefer two-byte characters whose first byte is in the range of frequent characters or punctuation."""
    least = 0x40 if last == 0xC6 else 0xA1
    return lambda _sign, raw: (
        1.0
        if len(raw) == 2 and raw[1] >= least and (first <= raw[0] <= last or 0xA1 <= raw[0] <= 0xA3)
        else 0.1
    )


def _japanese(sign: str, raw: bytes) -> float:
    if "ぁ" <= sign <= "ヺ" or "、" <= sign <= "〕":
        return 1.0
    return 0.9 if len(raw) == 2 and 0x88 <= raw[0] <= 0x97 else 0.1


_CANDIDATES: Final = (
    _Candidate(encoding="gb18030", name="GB 18030", likeness=_by_lead(0xB0, 0xD7)),
    _Candidate(encoding="big5", name="Big5", likeness=_by_lead(0xA4, 0xC6)),
    _Candidate(encoding="shift_jis", name="Shift-JIS", likeness=_japanese),
    _Candidate(encoding="cp949", name="EUC-KR", likeness=_by_lead(0xB0, 0xC8)),
    _Candidate(encoding="cp1251", name="Windows-1251", likeness=_cyrillic),
    _Candidate(encoding="cp1252", name="Windows-1252", likeness=_of_set(_WESTERN), is_latin=True),
    _Candidate(encoding="cp1250", name="Windows-1250", likeness=_of_set(_CENTRAL), is_latin=True),
    _Candidate(encoding="cp1254", name="Windows-1254", likeness=_of_set(_TURKISH), is_latin=True),
)


def older_encoding(raw: bytes) -> str:
    """Detect the encoding of a file from its beginning: the one in which it reads most like a language.

    Parameters
    ----------
    raw : bytes
        Whole lines of a file that is not UTF-8.

    Raises
    ------
    SurveyError
        ``table_file.encoding``: several encodings fit. The error quotes three words in each of them.

    Examples
    --------
    >>> texts = [("年龄,性别,民族", "gb18030"), ("Größe", "cp1252"), ("возраст", "cp1251")]
    >>> [older_encoding(text.encode(name)) for text, name in texts]
    ['gb18030', 'cp1252', 'cp1251']
    """
    scores: dict[_Candidate, float] = {}
    for candidate in _CANDIDATES:
        try:
            text = raw.decode(candidate.encoding)
        except UnicodeDecodeError:
            continue
        scores[candidate] = _score(text, candidate)
    best = max(scores.values(), default=0.0)
    if best < _LEAST:
        return "cp1252"
    fitting = [candidate for candidate, score in scores.items() if score >= best - _CLOSE]
    fitting = _exclude_misfits(raw, fitting)
    if len({raw.decode(candidate.encoding) for candidate in fitting}) == 1:
        return fitting[0].encoding
    examples = "; ".join(f"{each.name}: {', '.join(_words(raw.decode(each.encoding)))}" for each in fitting)
    raise SurveyError("table_file.encoding", examples=examples)


def _score(text: str, candidate: _Candidate) -> float:
    """Return how much the non-ASCII characters look like a language, from 0 to 1.

    These do not: capitals inside words, adjacent Latin letters with accents, and Cyrillic letters adjacent to
    unaccented Latin ones.
    """
    total, n = 0.0, 0
    for before, sign, after in zip(f" {text}", text, f"{text[1:]} ", strict=False):
        if sign <= "\x7f":
            continue
        n += 1
        if before.islower() and sign.isupper():
            continue
        if candidate.is_latin and min(before, after) > "\x7f":
            continue
        if candidate.encoding == "cp1251" and any(
            each.isascii() and each.isalpha() for each in before + after
        ):
            continue
        total += candidate.likeness(sign, sign.encode(candidate.encoding, "replace"))
    return total / max(n, 1)


def _exclude_misfits(raw: bytes, fitting: list[_Candidate]) -> list[_Candidate]:
    """Distinguish Chinese and Korean by their bytes, if there are enough of them.

    The first byte of a Korean character is at most 0xC8, and half of the Big5 characters end below 0xA1.
    """
    names = {candidate.encoding for candidate in fitting}
    if "cp949" not in names:
        return fitting
    pairs = [each for sign in raw.decode("cp949") if len(each := sign.encode("cp949")) == 2]
    misfits = set()
    if sum(pair[0] > 0xC8 for pair in pairs) * 20 > len(pairs):
        misfits.add("cp949")
    elif len(pairs) >= _ENOUGH:
        misfits |= {"gb18030", "shift_jis"}
    if len(pairs) >= _ENOUGH and all(pair[1] >= 0xA1 for pair in pairs):
        misfits.add("big5")
    return [candidate for candidate in fitting if candidate.encoding not in misfits] or fitting


def _words(text: str) -> list[str]:
    words = (word.strip(" \"'") for line in text.splitlines() for word in line.replace(";", ",").split(","))
    return list(dict.fromkeys(word[:30] for word in words if any(sign > "\x7f" for sign in word)))[:_EXAMPLES]


_SEPARATORS: Final = (",", ";", "\t", "|")
_STATED: Final = re.compile(r'"?sep=(?P<sign>[,;|\t]?)"?', re.IGNORECASE)
"""The line in which spreadsheets state their separator; if it is a tab, stripping has removed it."""
_AT_A_TIME: Final = 1 << 20
_SAMPLE: Final = 1 << 16
_CELLS_AT_A_TIME: Final = 1 << 18
_MARKS: Final = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


def text_read(file: BinaryIO, *, most_cells: int, watch: Callable[[], None] = lambda: None) -> ReadTable:
    """Read a text file with a header and cells separated by commas, semicolons, tabs or bars.

    Parameters
    ----------
    file : binary file
        Read twice, so it must be seekable.
    most_cells : int
    watch : callable
        Called every few thousand records; reading stops if it raises an exception.

    Raises
    ------
    SurveyError
        ``table_file``: not a text, no header, a record of a different length, an unclosed quotation mark,
        too many cells.
    """
    encoding = encoding_of(file)
    file.seek(0)
    text = io.TextIOWrapper(file, encoding=encoding, newline="")
    try:
        head = text.read(_AT_A_TIME >> 4).splitlines(keepends=True)
        text.seek(0)
        sep_line = _STATED.fullmatch(head[0].strip()) if head else None
        if sep_line:
            text.readline()
        counts = {sign: len(next(csv.reader(head, delimiter=sign), [])) for sign in _SEPARATORS}
        separator = sep_line["sign"] if sep_line else max(counts, key=counts.__getitem__)
        reader = csv.reader(text, delimiter=separator or "\t", strict=True)
        return _records(reader, most_cells, watch, first=1 if sep_line else 0)
    except UnicodeDecodeError:
        raise SurveyError("table_file.text") from None
    except csv.Error as error:
        raise SurveyError("table_file.quotes", reader.line_num, error=error) from error
    finally:
        text.detach()


def encoding_of(file: BinaryIO) -> str:
    """Return the encoding of a file.

    Notes
    -----
    A byte-order mark decides. Otherwise the file is UTF-16 if it contains zero bytes, UTF-8 if all of it is
    valid, and else what `older_encoding` detects.

    Examples
    --------
    >>> texts = [("性别", "gb18030"), ("Größe", "cp1252")]
    >>> [encoding_of(io.BytesIO(text.encode(name))) for text, name in texts]
    ['gb18030', 'cp1252']
    """
    start = file.read(4096)
    for mark, name in _MARKS.items():
        if start.startswith(mark):
            return name
    if empty := start.count(0):
        return "utf-16-le" if start[1::2].count(0) > empty / 2 else "utf-16-be"
    file.seek(0)
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for piece in iter(lambda: file.read(_AT_A_TIME), b""):
            decoder.decode(piece)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        # Start at the first line that is not ASCII, and read whole lines, so that no character is cut in two.
        file.seek(0)
        at = 0
        while (piece := file.read(_AT_A_TIME)).isascii():
            at += len(piece)
        at += len(piece) - len(piece.lstrip(bytes(range(128))))
        file.seek(max(at - _SAMPLE, 0))
        before = file.read(min(at, _SAMPLE))
        file.seek(at - len(before) + _line_start(before))
        raw = file.read(_SAMPLE)
        return older_encoding(raw[: _line_start(raw) or None] if len(raw) == _SAMPLE else raw)
    return "utf-8"


def _line_start(raw: bytes) -> int:
    return max(raw.rfind(b"\n"), raw.rfind(b"\r")) + 1


def _numbered_rows(reader: Any, first: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the non-empty rows, each with the line on which it begins."""
    before = first
    for row in reader:
        line, before = before + 1, first + reader.line_num
        if row:
            yield line, row


def _records(reader: Any, most_cells: int, watch: Callable[[], None], *, first: int) -> ReadTable:
    """Read header and records; Qualtrics puts two rows of labels below the header, which are not records."""
    rows = _numbered_rows(reader, first)
    _line, header = next(rows, (0, []))
    if not any(name.strip() for name in header):
        raise SurveyError("table_file.header")
    builder, width, labels = TableBuilder(header), len(header), {}
    top = list(itertools.islice(rows, 2))
    if len(top) == 2 and any(cell.startswith('{"ImportId"') for cell in top[1][1]):
        labels = dict(zip(builder.header, top[0][1], strict=False))
        top = []
    everything = itertools.chain(top, rows)
    while block := list(itertools.islice(everything, max(1, _CELLS_AT_A_TIME // width))):
        watch()
        for line, row in block:
            if len(row) != width:
                raise SurveyError("table_file.cells", len(row), row=line, columns=width)
        builder.add([row for _line, row in block], [line for line, _row in block])
        if builder.n * width > most_cells:
            raise SurveyError("table_file.more", most_cells // width, columns=width, most=most_cells)
    return builder.table(label=labels)


_MOST_UNPACKED: Final = 200_000_000
_MOST_CHARACTERS: Final = 50_000_000
_ROWS_AT_A_TIME: Final = 1 << 16
Reader: TypeAlias = Callable[[bytes, int, str], ReadTable]


class TableLimits:
    """Limits of a table, counted while it is unpacked because a file can misstate its size.

    Parameters
    ----------
    columns, most_cells : int
    """

    def __init__(self, columns: int, most_cells: int) -> None:
        self.columns, self.most_cells, self.most = columns, most_cells, most_cells // max(columns, 1)
        self._rows = self._characters = 0

    def check_head(self, rows: int, size: int) -> None:
        """Check the stated size: a file of 5 MB can unpack to a thousand times as much."""
        if rows > self.most or size > _MOST_UNPACKED:
            raise SurveyError("table_file.wide", rows, columns=self.columns, most=self.most_cells)

    def check(self, columns: Sequence[Sequence[str]]) -> None:
        """Count unpacked records, and refuse a table with too many."""
        self._rows += len(columns[0]) if columns else 0
        self._characters += sum(sum(map(len, cells)) for cells in columns)
        if self._rows > self.most or self._characters > _MOST_CHARACTERS:
            raise SurveyError("table_file.more", self.most, columns=self.columns, most=self.most_cells)


def _excel(raw: bytes, most_cells: int, sheet: str = "") -> ReadTable:
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(raw), read_only=True, data_only=True, keep_links=False)
    lines = _sheet(book, sheet).iter_rows(values_only=True)
    header = [_text(cell) for cell in next(lines, ())]
    while header and not header[-1]:
        header.pop()
    if not header:
        raise SurveyError("table_file.header")
    builder, limits = TableBuilder(header), TableLimits(len(header), most_cells)
    nonempty = (
        (number, line) for number, line in enumerate(lines, 2) if any(cell is not None for cell in line)
    )
    while block := list(itertools.islice(nonempty, _ROWS_AT_A_TIME)):
        # Rows end at their last non-empty cell, so pad them.
        rows = [[*map(_text, line), *[""] * len(header)][: len(header)] for _number, line in block]
        limits.check(list(zip(*rows, strict=True)))
        builder.add(rows, [number for number, _line in block])
    return builder.table()


def _sheet(book: Any, name: str) -> Any:
    """Return the sheet with this name; without a name, the only sheet with cells."""
    nonempty = [
        sheet
        for sheet in book.worksheets
        if any(cell is not None for line in sheet.iter_rows(values_only=True) for cell in line)
    ]
    matches = [sheet for sheet in nonempty if sheet.title == name] if name else nonempty
    if not nonempty or len(matches) == 1:
        return (matches or book.worksheets)[0]
    case = "table_file.sheet" if name else "table_file.sheets"
    raise SurveyError(case, name or len(nonempty), names=", ".join(sheet.title for sheet in nonempty))


def _parquet(raw: bytes, most_cells: int, _sheet: str = "") -> ReadTable:
    if find_spec("pyarrow") is None:
        raise SurveyError("table_file.parquet", "pyarrow")
    from pyarrow.parquet import ParquetFile

    about = ParquetFile(io.BytesIO(raw))
    names, head = list(about.schema_arrow.names), about.metadata
    limits = TableLimits(len(names), most_cells)
    size = sum(head.row_group(number).total_byte_size for number in range(head.num_row_groups))
    limits.check_head(head.num_rows, size)
    # Keep texts in dictionaries: a long text in a million records is then stored once.
    file = ParquetFile(io.BytesIO(raw), read_dictionary=names)
    builder = TableBuilder(names)
    for batch in file.iter_batches(batch_size=_ROWS_AT_A_TIME, use_threads=False):
        columns = [_cells(column) for column in batch.columns]
        limits.check(columns)
        builder.add_columns(columns)
    return builder.table()


def _cells(column: Any) -> list[str]:
    if not hasattr(column, "dictionary"):
        return list(map(_text, column.to_pylist()))
    values = [*map(_text, column.dictionary.to_pylist()), ""]
    return [values[-1 if index is None else index] for index in column.indices.to_pylist()]


def _read_labelled(read: str, raw: bytes, most_cells: int, _sheet: str = "") -> ReadTable:
    """Read SPSS or Stata: cells contain codes; labels and declared missing codes are kept separately."""
    import pyreadstat

    take = getattr(pyreadstat, read)
    _, about = take(io.BytesIO(raw), metadataonly=True)
    limits = TableLimits(len(about.column_names), most_cells)
    says = max(about.number_rows or 0, 0)
    limits.check_head(says, says * sum(about.variable_storage_width.values()))
    # The stated number of records may be missing or wrong, so read one record more than allowed.
    cells, about = take(io.BytesIO(raw), user_missing=True, output_format="dict", row_limit=limits.most + 1)
    columns = [list(map(_text, cells[name])) for name in about.column_names]
    limits.check(columns)
    builder = TableBuilder(about.column_names)
    builder.add_columns(columns)
    table = builder.table(
        label={name: label or "" for name, label in about.column_names_to_labels.items()},
        value_labels={
            name: {_text(value): str(label).strip() for value, label in labels.items()}
            for name, labels in about.variable_value_labels.items()
        },
    )
    with_codes = (_with_missing(column, about) for column in table.columns)
    return ReadTable(columns=tuple(with_codes), lines=table.lines)


def _with_missing(column: ReadColumn, about: Any) -> ReadColumn:
    """Add the codes that the file declares as missing: ranges in SPSS, letters in Stata."""
    ranges = about.missing_ranges.get(column.name, ())
    letters = set(map(str, about.missing_user_values.get(column.name, ())))
    codes = [text for text in column.values if text in letters or any(_within(text, span) for span in ranges)]
    return replace(column, missing_codes=tuple(codes))


def _within(text: str, span: Mapping[str, Any]) -> bool:
    low, high = span["lo"], span["hi"]
    if isinstance(low, str):
        return text == low.strip()
    try:
        return bool(low <= float(text) <= high)
    except ValueError:
        return False


def _text(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and math.isfinite(value):
        return number_text(value)
    if isinstance(value, bytes):
        value = value.decode()
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return str(value).strip()


READERS: Final[Mapping[str, tuple[str, Reader]]] = {
    "xlsx": ("Excel", _excel),
    "parquet": ("Parquet", _parquet),
    "sav": ("SPSS", partial(_read_labelled, "read_sav")),
    "zsav": ("SPSS", partial(_read_labelled, "read_sav")),
    "dta": ("Stata", partial(_read_labelled, "read_dta")),
}
"""Name and reader of each format, by the ending of the file's name."""


MOST_BYTES: Final = 4_900_000
"""Largest file that a page accepts; requests are limited to 5 MB."""
MOST_CELLS: Final = 2_000_000
"""Most cells in a file that a page accepts."""
LARGEST_FILE: Final = 1_000_000_000
"""Largest file that a command accepts."""
MOST_COLUMNS: Final = 500
MOST_CELLS_OF_A_FILE: Final = 500_000_000
MOST_ANSWER_OF_A_FILE: Final = 400_000_000
"""Most bytes that a command or a worker receives from a child process; a page receives `MOST_ANSWER`."""
_SHORT_TEXT: Final = 64 * 1024
"""Largest text file that is read in this process; starting a child would take longer than reading it."""


def table_read(
    name: str,
    raw: bytes,
    *,
    sheet: str = "",
    most_bytes: int = MOST_BYTES,
    most_cells: int = MOST_CELLS,
    most_answer: int = MOST_ANSWER,
) -> ReadTable:
    """Read a table from the bytes of a file, in a child process unless it is a short text.

    Parameters
    ----------
    name : str
        Name of the file; its ending determines the format: ``.xlsx``, ``.parquet``, ``.sav``, ``.zsav``,
        ``.dta``; anything else is read as text.
    raw : bytes
    sheet : str
        Sheet of a workbook; "" if only one sheet has cells.
    most_bytes, most_cells, most_answer : int
        Limits of the file, the table, and the bytes that a child process returns.

    Raises
    ------
    SurveyError
        ``table_file``: several sheets, too large, damaged, not a text, no header, no record, records of
        different lengths; ``upload``: reading needs too much memory or time.

    Examples
    --------
    >>> [column.values for column in table_read("people.csv", b"age;sex\\n31;f\\n").columns]
    [('31',), ('f',)]
    """
    if len(raw) > most_bytes:
        raise SurveyError("table_file.large", len(raw), most=f"{most_bytes / 1e6:g}")
    if not is_packed(name) and len(raw) <= _SHORT_TEXT:
        return text_table(io.BytesIO(raw), most_cells=most_cells)
    return _from_child(name, raw, most_cells, sheet, most=most_answer)


def table_open(path: Path, *, sheet: str = "") -> ReadTable:
    """Read a table from a file on disk, for a command.

    Raises
    ------
    SurveyError
        As for `table_read`, and ``table_file.missing``; the message names the file.
    """
    try:
        with path.open("rb") as file:
            size = path.stat().st_size
            if size > LARGEST_FILE:
                raise SurveyError("table_file.large", size, most=f"{LARGEST_FILE / 1e6:,g}")
            if is_packed(path.name):
                return _from_child(
                    path.name, file.read(), MOST_CELLS_OF_A_FILE, sheet, most=MOST_ANSWER_OF_A_FILE
                )
            return text_table(file, most_cells=MOST_CELLS_OF_A_FILE)
    except OSError as error:
        raise SurveyError("table_file.missing", str(path), path=path, error=error.strerror) from error
    except SurveyError as error:
        # Name the file, because a command may read several.
        raise SurveyError(
            "table_file.named", error.value, path=path.name, message=error.message, remedy=error.remedy
        ) from error


def text_table(file: BinaryIO, *, most_cells: int, watch: Callable[[], None] = lambda: None) -> ReadTable:
    """Read a text file like `text_read`; refuse a table without records or with too many columns."""
    return _check_size(text_read(file, most_cells=most_cells, watch=watch))


def is_packed(name: str) -> bool:
    """Return whether a file with this name must be unpacked."""
    return _ending(name) in READERS


def _ending(name: str) -> str:
    return name.lower().rpartition(".")[2]


def _check_size(table: ReadTable) -> ReadTable:
    if not len(table):
        raise SurveyError("table_file.empty")
    if len(table.columns) > MOST_COLUMNS:
        raise SurveyError("table_file.columns", len(table.columns), most=MOST_COLUMNS)
    return table


def _from_child(name: str, raw: bytes, most_cells: int, sheet: str, *, most: int) -> ReadTable:
    _plain, pieces = read_in_child(table_pack, raw, name, most_cells, sheet, most=most)
    *columns, lines = pieces
    return ReadTable(columns=tuple(map(column_read, columns)), lines=np.frombuffer(lines, dtype=np.int64))


def table_pack(raw: bytes, name: str, most_cells: int, sheet: str) -> Read:
    """Return a table's columns and line numbers as bytes; runs in the child process."""
    kind, read = READERS.get(_ending(name), ("", None))
    if read is None:
        table = text_table(io.BytesIO(raw), most_cells=most_cells)
    else:
        table = _unpack_table(read, kind, raw, most_cells, sheet)
    return None, [*map(column_body, table.columns), table.lines.tobytes()]


def _unpack_table(read: Reader, kind: str, raw: bytes, most_cells: int, sheet: str) -> ReadTable:
    try:
        return _check_size(read(raw, most_cells, sheet))
    except (SurveyError, MemoryError):
        raise
    except Exception as error:
        # Libraries raise arbitrary exceptions for damaged files, and the message may contain a value.
        if "memory" in str(error):
            raise MemoryError from error
        raise SurveyError("table_file.damaged", kind=kind) from error
