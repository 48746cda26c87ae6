"""Text files of cells: their encoding, what separates cells, and their records, read some at a time."""

from __future__ import annotations

import codecs
import csv
import io
import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

from surveys.errors.error import SurveyError
from surveys.imports.table import ReadTable, TableBuilder

_CLOSE: Final = 0.1
"""Scores so close to the best one do not decide."""
_LEAST: Final = 0.5
"""A file that is less like any language is no text in one of these encodings."""
_ENOUGH: Final = 20
"""Korean and Chinese share bytes: fewer characters of two bytes than these do not tell them apart."""
_EXAMPLES: Final = 3

_WESTERN: Final = frozenset("àâäáãåæçèéêëíìîïñòóôöõøœùúûüßÿ«»“”‘’–—…€°§´½²³¿¡ºª£©®·×")
_CENTRAL: Final = frozenset("ąćęłńóśźżáčďéěíňřšťúůýžäöüőűľĺŕôăâîđßŁ„”“–—…€")
_TURKISH: Final = frozenset("çğıöşüâîûİ“”‘’–—…€")


@dataclass(frozen=True, kw_only=True)
class _Candidate:
    """An encoding, its name, and how much a character, with its bytes, is like its languages."""

    encoding: str
    name: str
    likeness: Callable[[str, bytes], float]
    is_latin: bool = False


def _of_set(letters: frozenset[str]) -> Callable[[str, bytes], float]:
    return lambda sign, _raw: float(sign.lower() in letters or sign in letters)


def _cyrillic(sign: str, _raw: bytes) -> float:
    return float("а" <= sign.lower() <= "я" or sign in "ёЁіІїЇєЄўЎ№«»–—")


def _by_lead(first: int, last: int) -> Callable[[str, bytes], float]:
    """Prefer characters whose first byte is among those of the frequent ones, or of punctuation."""
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
    """Return the encoding in which the beginning of a file reads most like a language.

    Parameters
    ----------
    raw : bytes
        Whole lines of a file that is not UTF-8.

    Raises
    ------
    SurveyError
        ``table_file.encoding``: several encodings fit, with three words as each of them reads these.

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
    fitting = _narrowed(raw, fitting)
    if len(fitting) == 1 or _alike(raw, fitting):
        return fitting[0].encoding
    examples = "; ".join(f"{each.name}: {', '.join(_words(raw.decode(each.encoding)))}" for each in fitting)
    raise SurveyError("table_file.encoding", examples=examples)


def _score(text: str, candidate: _Candidate) -> float:
    """Return how much the signs beyond ASCII are like a language, from 0 to 1.

    Capitals inside words are not, nor Latin letters with accents on both sides, nor Cyrillic ones next to
    plain Latin ones.
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


def _narrowed(raw: bytes, fitting: list[_Candidate]) -> list[_Candidate]:
    """Distinguish Chinese and Korean by their bytes, if there are enough of them.

    A Korean character begins with at most 0xC8, and half of those in Big5 end below 0xA1.
    """
    names = {candidate.encoding for candidate in fitting}
    if "cp949" not in names:
        return fitting
    pairs = [each for sign in raw.decode("cp949") if len(each := sign.encode("cp949")) == 2]
    dropped = set()
    if sum(pair[0] > 0xC8 for pair in pairs) * 20 > len(pairs):
        dropped.add("cp949")
    elif len(pairs) >= _ENOUGH:
        dropped |= {"gb18030", "shift_jis"}
    if len(pairs) >= _ENOUGH and all(pair[1] >= 0xA1 for pair in pairs):
        dropped.add("big5")
    return [candidate for candidate in fitting if candidate.encoding not in dropped] or fitting


def _alike(raw: bytes, fitting: list[_Candidate]) -> bool:
    """Return whether all of these read the same text."""
    return len({raw.decode(candidate.encoding) for candidate in fitting}) == 1


def _words(text: str) -> list[str]:
    words = (word.strip(" \"'") for line in text.splitlines() for word in line.replace(";", ",").split(","))
    return list(dict.fromkeys(word[:30] for word in words if any(sign > "\x7f" for sign in word)))[:_EXAMPLES]


_SEPARATORS: Final = (",", ";", "\t", "|")
_STATED: Final = re.compile(r'"?sep=(?P<sign>[,;|\t]?)"?', re.IGNORECASE)
"""The line by which spreadsheets state their separator; a tab at its end was stripped."""
_AT_A_TIME: Final = 1 << 20
_SAMPLE: Final = 1 << 16
_CELLS_AT_A_TIME: Final = 1 << 18
_MARKS: Final = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def text_read(file: BinaryIO, *, most_cells: int, watch: Callable[[], None] = lambda: None) -> ReadTable:
    """Read a text with a header: cells between commas, semicolons or tabs.

    Parameters
    ----------
    file : binary file
        It is walked twice.
    most_cells : int
    watch : callable
        Called between some thousand records; an exception that it raises ends the reading.

    Raises
    ------
    SurveyError
        ``table_file``: no text, no header, a record of another length, an open quotation mark, too many
        cells.
    """
    encoding = encoding_of(file)
    file.seek(0)
    text = io.TextIOWrapper(file, encoding=encoding, newline="")
    try:
        head = text.read(_AT_A_TIME >> 4).splitlines(keepends=True)
        text.seek(0)
        stated = _STATED.fullmatch(head[0].strip()) if head else None
        if stated:
            text.readline()
        counts = {sign: len(next(csv.reader(head, delimiter=sign), [])) for sign in _SEPARATORS}
        separator = stated["sign"] if stated else max(counts, key=counts.__getitem__)
        reader = csv.reader(text, delimiter=separator or "\t", strict=True)
        return _records(reader, most_cells, watch, first=1 if stated else 0)
    except UnicodeDecodeError:
        raise SurveyError("table_file.text") from None
    except csv.Error as error:
        raise SurveyError("table_file.quotes", reader.line_num, error=error) from error
    finally:
        text.detach()


def encoding_of(file: BinaryIO) -> str:
    """Return the name of the encoding of a file.

    Notes
    -----
    A mark at the beginning decides; then UTF-16 where bytes are empty; UTF-8 where all of it is;
    then as `surveys.imports.table_text.older_encoding` says.

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
        return _older_encoding(file)
    return "utf-8"


def _older_encoding(file: BinaryIO) -> str:
    file.seek(0)
    raw = file.read(_SAMPLE)
    # Whole lines, so that no character is cut in two.
    return older_encoding(raw if len(raw) < _SAMPLE else raw[: raw.rfind(b"\n") + 1])


def _numbered(reader: Any, first: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, each with the line on which it begins."""
    before = first
    for row in reader:
        line, before = before + 1, first + reader.line_num
        if row:
            yield line, row


def _records(reader: Any, most_cells: int, watch: Callable[[], None], *, first: int) -> ReadTable:
    """Read header and records; heads of Qualtrics below it are labels, not people."""
    counted = _numbered(reader, first)
    _line, header = next(counted, (0, []))
    if not any(name.strip() for name in header):
        raise SurveyError("table_file.header")
    builder, width, labels = TableBuilder(header), len(header), {}
    top = list(itertools.islice(counted, 2))
    if len(top) == 2 and any(cell.startswith('{"ImportId"') for cell in top[1][1]):
        labels = dict(zip(builder.header, top[0][1], strict=False))
        top = []
    everything = itertools.chain(top, counted)
    while block := list(itertools.islice(everything, max(1, _CELLS_AT_A_TIME // width))):
        watch()
        for line, row in block:
            if len(row) != width:
                raise SurveyError("table_file.cells", len(row), row=line, columns=width)
        builder.add([row for _line, row in block], [line for line, _row in block])
        if builder.n * width > most_cells:
            raise SurveyError("table_file.more", most_cells // width, columns=width, most=most_cells)
    return builder.table(label=labels)
