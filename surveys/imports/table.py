"""A table from outside, by column: its texts, and whether they are numbers, dates, categories or missing."""

from __future__ import annotations

import calendar
import datetime
import json
import re
import zlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from privacy.arrays import Whole
from privacy.validation import finite_number, number_text, rounds_integer

Numbers = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadColumn:
    """One column: ``values[codes[r]]`` is the text of record ``r``.

    Parameters
    ----------
    name : str
    values : tuple of str
        Distinct texts without surrounding blanks, in order of their first appearance; "" is an empty cell.
    codes : integer array, shape (n,)
        Of the smallest sufficient integer type.
    label : str
        The file's description of the column; "" if it has none.
    value_labels : mapping of str to str
        The file's labels of values; cells keep the value.
    missing_codes : tuple of str
        Values that the file itself declares as missing.
    """

    name: str
    values: tuple[str, ...]
    codes: Numbers
    label: str = ""
    value_labels: Mapping[str, str] = field(default_factory=dict)
    missing_codes: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """Number of records with each value."""
        number = np.bincount(self.codes, minlength=len(self.values)).tolist()
        return dict(zip(self.values, number, strict=True))

    @property
    def texts(self) -> list[str]:
        """The texts of all records, in order."""
        return [self.values[code] for code in self.codes.tolist()]

    def with_texts(self, new: Mapping[str, str]) -> ReadColumn:
        """Replace some texts; texts that become equal share a code.

        Examples
        --------
        >>> column = ReadColumn(name="a", values=("1", " 1", "2"), codes=np.array([0, 1, 2]))
        >>> column.with_texts({" 1": "1"}).values, column.with_texts({" 1": "1"}).codes.tolist()
        (('1', '2'), [0, 0, 1])
        """
        if not any(new.get(value, value) != value for value in self.values):
            return self
        code_map: defaultdict[str, int] = defaultdict(count().__next__)
        number = np.array([code_map[new.get(value, value)] for value in self.values], dtype=np.int32)
        return replace(self, values=tuple(code_map), codes=_narrow(number[self.codes]))


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadTable:
    """Columns of equal length, and the line of each record.

    Parameters
    ----------
    columns : tuple of ReadColumn
    lines : int64 array, shape (n,)
        Line of the file on which each record begins, counted from 1.
    """

    columns: tuple[ReadColumn, ...]
    lines: Whole

    @classmethod
    def of_rows(cls, header: Sequence[str], rows: Iterable[Sequence[str]]) -> ReadTable:
        """Encode rows of texts.

        Examples
        --------
        >>> table = ReadTable.of_rows(["age", "sex"], [["31", "f"], ["31", "m"]])
        >>> table.column("sex").values, len(table)
        (('f', 'm'), 2)
        """
        builder = TableBuilder(header)
        builder.add([list(row) for row in rows])
        return builder.table()

    @property
    def header(self) -> list[str]:
        """Names of the columns."""
        return [column.name for column in self.columns]

    @property
    def codes(self) -> list[tuple[tuple[str, ...], Numbers]]:
        """Distinct texts and codes of each column, as `privacy.sdc.Table.from_codes` expects them."""
        return [(column.values, column.codes) for column in self.columns]

    def __len__(self) -> int:
        return len(self.lines)

    def column(self, name: str) -> ReadColumn:
        """Return the first column with this name; raise `KeyError` if there is none."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Yield the texts of each record."""
        return zip(*(column.texts for column in self.columns), strict=True)

    def with_texts(self, new: Mapping[str, Mapping[str, str]]) -> ReadTable:
        """Replace some texts, by column."""
        columns = (column.with_texts(new.get(column.name, {})) for column in self.columns)
        return replace(self, columns=tuple(columns))

    def with_labels(self) -> ReadTable:
        """Replace values by their labels, and declared missing values by empty cells."""
        columns = (
            column.with_texts({**column.value_labels, **dict.fromkeys(column.missing_codes, "")})
            for column in self.columns
        )
        return replace(self, columns=tuple(columns))

    def record_numbers(self) -> Whole:
        """Return a number for each record; equal records share one.

        Examples
        --------
        >>> ReadTable.of_rows(["a", "b"], ["xy", "xz", "xy"]).record_numbers().tolist()
        [0, 1, 0]
        """
        key = np.zeros(len(self), dtype=np.uint64)
        for column in self.columns:
            # If two keys collide (1 pair of records in 2^64), two different records count as equal.
            key = (key ^ column.codes.astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
            key ^= key >> np.uint64(32)
        return np.unique(key, return_inverse=True)[1].astype(np.int64)


class TableBuilder:
    """Builds a table from batches of rows; stores only distinct texts and small integers."""

    def __init__(self, header: Sequence[str]) -> None:
        self.header = [name.strip() for name in header]
        self._known: list[defaultdict[str, int]] = [defaultdict(count().__next__) for _ in header]
        self._parts: list[list[Numbers]] = [[] for _ in header]
        self._lines: list[Numbers] = []
        self.n = 0

    def add(self, rows: Sequence[Sequence[str]], lines: Sequence[int] | None = None) -> None:
        """Add rows; each must be as long as the header."""
        self.add_columns(list(zip(*rows, strict=True)) or [()] * len(self.header), lines)

    def add_columns(self, columns: Sequence[Sequence[str]], lines: Sequence[int] | None = None) -> None:
        """Add the next records, given by column."""
        n = len(columns[0]) if columns else 0
        for code_map, parts, cells in zip(self._known, self._parts, columns, strict=True):
            parts.append(_narrow(np.fromiter(map(code_map.__getitem__, cells), dtype=np.int32, count=n)))
        self._lines.append(np.arange(n) + self.n + 2 if lines is None else np.array(lines, dtype=np.int64))
        self.n += n

    def table(self, **notes: Mapping[str, Any]) -> ReadTable:
        """Return the table of all records added.

        Parameters
        ----------
        **notes : mapping
            By field of `ReadColumn` (``label``, ``value_labels``, ``missing_codes``), and then by column.
        """
        columns = []
        for name, code_map, parts in zip(self.header, self._known, self._parts, strict=True):
            about = {field: of[name] for field, of in notes.items() if name in of}
            codes = np.concatenate(parts) if parts else np.empty(0, dtype=np.uint8)
            parts.clear()
            column = ReadColumn(name=name, values=tuple(code_map), codes=_narrow(codes), **about)
            columns.append(column.with_texts({text: text.strip() for text in code_map}))
        lines = np.concatenate(self._lines) if self._lines else np.empty(0)
        return ReadTable(columns=tuple(columns), lines=lines.astype(np.int64))


def _narrow(codes: Numbers) -> Numbers:
    """Convert codes to the smallest sufficient integer type."""
    most = int(codes.max(initial=0))
    return codes.astype(np.uint8 if most < 1 << 8 else np.uint16 if most < 1 << 16 else np.int32, copy=False)


def column_body(column: ReadColumn) -> bytes:
    """Return a column as bytes: a line of JSON, then its codes."""
    about = {name: value for name, value in vars(column).items() if name != "codes"}
    head = json.dumps(about | {"type": column.codes.dtype.str}, ensure_ascii=False)
    # Files can contain half of a surrogate pair, which UTF-8 has no bytes for.
    return head.encode("utf-8", "surrogatepass") + b"\n" + column.codes.tobytes()


def column_read(body: bytes | memoryview) -> ReadColumn:
    """Return the column that `column_body` wrote."""
    head, _newline, codes = bytes(body).partition(b"\n")
    about = json.loads(head)
    return ReadColumn(
        codes=np.frombuffer(codes, dtype=np.dtype(about.pop("type"))),
        values=tuple(about.pop("values")),
        missing_codes=tuple(about.pop("missing_codes")),
        **about,
    )


def column_pack(column: ReadColumn) -> bytes:
    """Return a column as compressed bytes."""
    return zlib.compress(column_body(column), 1)


def column_unpack(body: bytes) -> ReadColumn:
    """Return the column that `column_pack` wrote."""
    return column_read(zlib.decompress(body))


_BLANK: Final = r"[ '’\u00a0\u2009\u202f]"
# Point before decimals and comma between thousands; then the reverse.
_WAYS: Final = tuple(
    (
        re.compile(rf"[+-]?(?:[1-9]\d{{0,2}}(?:(?:{thousands}|{_BLANK})\d{{3}})+|\d+)(?:{decimals}\d+)?"),
        str.maketrans(dict.fromkeys(f" '’\xa0\u2009\u202f{thousands[-1]}") | {decimals[-1]: "."}),
    )
    for thousands, decimals in ((",", r"\."), (r"\.", ","))
)


def numbers_read(texts: Iterable[str]) -> dict[str, str] | None:
    """Return the distinct texts of a column as plain numbers; None if any of them is not a number.

    Parameters
    ----------
    texts : iterable of str
        Without texts that mean "missing".

    Notes
    -----
    If Python can parse all texts as numbers, its values are used. Otherwise commas or blanks separate
    thousands and a point precedes decimals; if that does not fit every text, points separate thousands
    and a comma precedes decimals. Integers that a float would round keep all their digits.

    Examples
    --------
    >>> numbers_read(["12", "1,234.5"]), numbers_read(["1.234,5", "0,5"])
    ({'12': '12', '1,234.5': '1234.5'}, {'1.234,5': '1234.5', '0,5': '0.5'})
    >>> numbers_read(["30.0"]), numbers_read(["12", "many"])
    ({'30.0': '30'}, None)
    >>> numbers_read(["10000000000000000001", "1,500"])["10000000000000000001"]
    '10000000000000000001'
    """
    different = list(dict.fromkeys(texts))
    ways = [{}, *(signs for pattern, signs in _WAYS if all(pattern.fullmatch(text) for text in different))]
    for signs in ways:
        found = {text: _plain_number(text.translate(signs)) for text in different}
        if all(found.values()):
            return found
    return None


def _plain_number(text: str) -> str:
    """Return a number as short as possible; an empty text if it is not one."""
    number = finite_number(text)
    if number is None:
        return ""
    return text if rounds_integer(text) else number_text(number)


SPANS: Final = ("month", "quarter", "year")
_YEARS: Final = range(1850, 2200)
_MONTHS: Final = {
    name.casefold(): number
    for names in (calendar.month_name, calendar.month_abbr)
    for number, name in enumerate(names)
    if name
}
_YEAR_FIRST: Final = re.compile(
    r"(\d{4})(?:[-/.](\d{1,2})[-/.](\d{1,2})|年(\d{1,2})月(?:(\d{1,2})[日号]?)?|[-/](\d{1,2})|(\d\d)(\d\d))"
)
_YEAR_LAST: Final = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})")
_IN_WORDS: Final = re.compile(
    r"(?:(\d{1,2})[ .-]+([a-z]+)|([a-z]+)\.? +(\d{1,2}),?)[ .,-]+(\d{4})", re.IGNORECASE
)


def dates_read(texts: Iterable[str], *, month_first: bool = False) -> dict[str, datetime.date] | None:
    """Return the distinct texts of a column as dates; None if any of them is not a date.

    Parameters
    ----------
    texts : iterable of str
    month_first : bool
        Whether 3/4/2021 is in March, if nothing in the column decides it.

    Notes
    -----
    2021-03-04, 2021/3/4, 20210304, 2021年3月4日, 2021-03, 4 March 2021 and March 4, 2021 are unambiguous.
    The order in 3/4/2021 follows from other dates of the column with the same separator, such as
    25/4/2021. If none decides it (`is_ambiguous`), the day is first, unless `month_first`.

    Examples
    --------
    >>> {text: day.isoformat() for text, day in dates_read(["2021年3月4日", "4/25/2021", "4/3/2021"]).items()}
    {'2021年3月4日': '2021-03-04', '4/25/2021': '2021-04-25', '4/3/2021': '2021-04-03'}
    >>> dates_read(["2021-02-30"]), dates_read(["2021-03-04", "soon"])
    (None, None)
    >>> dates_read(["4/3/2021"], month_first=True)
    {'4/3/2021': datetime.date(2021, 4, 3)}
    """
    different = list(dict.fromkeys(texts))
    months_first = {sign for sign, second in _parts(different, 3) if second > 12}
    if month_first:
        months_first |= set("-/.") - {sign for sign, first in _parts(different, 1) if first > 12}
    dates = {}
    for text in different:
        day = _date(text, months_first)
        if day is None or day.year not in _YEARS:
            return None
        dates[text] = day
    return dates or None


def is_ambiguous(texts: Iterable[str]) -> str:
    """Return a date whose day and month could be swapped, as far as the column shows; "" if there is none.

    Examples
    --------
    >>> is_ambiguous(["3/4/2021", "5/6/2021"]), is_ambiguous(["3/4/2021", "25/6/2021"])
    ('3/4/2021', '')
    """
    matched = [(text, match) for text in texts if (match := _YEAR_LAST.fullmatch(text))]
    signs = {match[2] for _text, match in matched if max(int(match[1]), int(match[3])) > 12}
    return next((text for text, match in matched if match[2] not in signs and match[1] != match[3]), "")


def span_of(day: datetime.date, span: str) -> str:
    """Return the month, the quarter or the year of a date.

    Examples
    --------
    >>> [span_of(datetime.date(2021, 5, 4), span) for span in SPANS]
    ['2021-05', '2021 Q2', '2021']
    """
    if span == "year":
        return f"{day.year}"
    return f"{day.year} Q{(day.month + 2) // 3}" if span == "quarter" else f"{day.year}-{day.month:02}"


def _parts(texts: Iterable[str], part: int) -> list[tuple[str, int]]:
    """Return, for each text that ends in a year, its separator and its first (1) or second (3) number."""
    return [(match[2], int(match[part])) for text in texts if (match := _YEAR_LAST.fullmatch(text))]


def _date(text: str, months_first: set[str]) -> datetime.date | None:
    if match := _YEAR_FIRST.fullmatch(text):
        year, *rest = match.groups()
        month, day = [*(int(part) for part in rest if part is not None), 1][:2]
    elif match := _YEAR_LAST.fullmatch(text):
        first, second, year = int(match[1]), int(match[3]), match[4]
        day, month = (second, first) if match[2] in months_first and first <= 12 else (first, second)
    elif match := _IN_WORDS.fullmatch(text):
        day, year = int(match[1] or match[4]), match[5]
        month = _MONTHS.get((match[2] or match[3]).casefold(), 0)
    else:
        return None
    try:
        return datetime.date(int(year), month, day)
    except ValueError:
        return None


KINDS: Final = ("numeric", *SPANS, "categorical")


def kinds_of(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds that fit all texts of a column; pass them without those that mean "missing".

    Examples
    --------
    >>> kinds_of(["1,234", "12"]), kinds_of(["20210304"]), kinds_of(["flu"])
    (('numeric', 'categorical'), ('month', 'quarter', 'year', 'categorical'), ('categorical',))
    """
    if dates_read(texts) is not None:
        return (*SPANS, "categorical")
    return ("numeric", "categorical") if texts and numbers_read(texts) is not None else ("categorical",)


def column_as(
    column: ReadColumn, kind: str, missing: Sequence[str] = (), *, month_first: bool = False
) -> ReadColumn:
    """Convert a column to one of `KINDS`; unchanged unless all texts that are not missing fit.

    Parameters
    ----------
    column : ReadColumn
    kind : str
    missing : sequence of str
        Texts that mean "missing".
    month_first : bool
        As for `dates_read`.

    Examples
    --------
    >>> from surveys.imports.table import ReadTable
    >>> column = ReadTable.of_rows(["born"], [["2021-03-04"], ["5/6/2021"], ["-9"]]).columns[0]
    >>> column_as(column, "quarter", ["-9"]).values
    ('2021 Q1', '2021 Q2', '-9')
    """
    texts = [text for text in column.values if text and text not in missing]
    new = None
    if kind == "numeric":
        new = numbers_read(texts)
    elif kind in SPANS and (dates := dates_read(texts, month_first=month_first)):
        new = {text: span_of(day, kind) for text, day in dates.items()}
    if not new:
        return column
    # Keep the label of a number that was spelled differently (1.0 for 1).
    labels = {new.get(text, text): label for text, label in column.value_labels.items()}
    return replace(column.with_texts(new), value_labels=labels)


WORDS: Final = (
    *("NA", "N/A", "NaN", "NULL", ".", "refused", "don't know", "prefer not to say", "prefer not to answer"),
    *("no answer", "不详", "拒答", "拒绝回答", "不愿回答", "不知道", "无回答"),
)
"""Words for missing values; case is ignored."""
CODES: Final = ("-9", "99", "999")
"""Codes for missing values, unless larger or adjacent numbers also occur (then they are ordinary numbers)."""
GAP_CODES: Final = ("77", "88", "98", "777", "888", "9999", "-99", "-999")
"""Possible codes for missing values; the user is asked only if all other numbers are far below them."""
_GAP: Final = 0.8
"""Other numbers must be below this fraction of a gap code."""

_WORDS: Final = frozenset(word.casefold() for word in WORDS)
_CODES: Final = frozenset(float(code) for code in CODES)
_GAP_CODES: Final = frozenset(float(code) for code in GAP_CODES)


def missing_texts(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the texts of a column that may mean "missing", so that the user is asked about them.

    Examples
    --------
    >>> missing_texts(["31", "NA", "-9", "31", "Refused", "99.0", "998"])
    ('NA', '-9', 'Refused', '99.0')
    >>> missing_texts(["31", "77", "88"]), missing_texts(["70", "77", "88"])
    (('77', '88'), ())
    """
    different = {text: finite_number(text) for text in dict.fromkeys(text.strip() for text in texts)}
    numbers = {number for number in different.values() if number is not None} - _CODES
    beyond: set[float] = set()
    for code in sorted(numbers & _GAP_CODES):
        others = (numbers - _GAP_CODES) | ({each for each in numbers & _GAP_CODES if each < code} - beyond)
        if others and _is_beyond(code, others, code * _GAP):
            beyond.add(code)
    return tuple(
        text for text, number in different.items() if is_missing_word(text) or number in _CODES | beyond
    )


def proposed_texts(texts: Iterable[str]) -> tuple[str, ...]:
    """Return those `missing_texts` that are proposed as missing.

    These are all words, and codes far from the other numbers: -9 if no other number is negative, and 99 or
    999 if all other numbers are at least two smaller.

    Examples
    --------
    >>> proposed_texts(["18", "64", "99"]), proposed_texts(["97", "98", "99", "100"])
    (('99',), ())
    >>> proposed_texts(["flu", "cold", "-9"]), proposed_texts(["99", "999"])
    (('-9',), ())
    """
    different = dict.fromkeys(text.strip() for text in texts)
    questions = missing_texts(different)
    real = [text for text in different if text and text not in questions]
    numbers = [number for text in real if (number := finite_number(text)) is not None]
    return tuple(
        text
        for text in questions
        if is_missing_word(text) or (real and _is_beyond(code := finite_number(text) or 0, numbers, code - 1))
    )


def declared_missing(column: ReadColumn) -> tuple[str, ...]:
    """Return the values that a file declares as missing, by a code or by a label such as "Refused".

    Examples
    --------
    >>> import numpy as np
    >>> labels = {"1": "Yes", "7": "Refused"}
    >>> column = ReadColumn(name="a", values=("1", "7"), codes=np.array([0, 1]), value_labels=labels)
    >>> declared_missing(column)
    ('7',)
    """
    by_label = (value for value, label in column.value_labels.items() if is_missing_word(label.strip()))
    return tuple(
        dict.fromkeys([*column.missing_codes, *(value for value in by_label if value in column.values)])
    )


def is_missing_word(text: str) -> bool:
    """Return whether a text is a word that means a missing value."""
    return text.replace("’", "'").casefold() in _WORDS


def _is_beyond(code: float, others: Collection[float], least: float) -> bool:
    """Return whether all other numbers are below `least`; for a negative code, whether none is negative."""
    return all(number >= 0 if code < 0 else number < least for number in others)
