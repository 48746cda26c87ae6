"""Read a table of a study from the bytes of a CSV file; nothing of it is kept."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from privacy.sdc.table import finite_number
from surveys.errors.error import SurveyError
from surveys.formats.missing import proposed_texts

MOST_BYTES: Final = 2_000_000
MOST_COUNT: Final = 10**9

_YES: Final = {"1", "1.0", "yes", "true", "same", "a yes", "red"}
_NO: Final = {"0", "0.0", "no", "false", "different", "both no"}


@dataclass(frozen=True, kw_only=True)
class StudyTable:
    """Cells of a file with a header.

    Parameters
    ----------
    header : tuple of str
    lines : tuple of sequence of str
        Each as long as the header.
    """

    header: tuple[str, ...]
    lines: tuple[Sequence[str], ...]

    def columns(self, names: Sequence[str], count: str = "", missing: Sequence[str] | None = None) -> Columns:
        """Return columns side by side, without the rows in which one of them is missing.

        Parameters
        ----------
        names : sequence of str
        count : str
            The column of counts; "" for none. A count is missing only where it is empty or a word.
        missing : sequence of str or None
            Texts that stand for a missing value; None for those that `proposed_texts` proposes of each.

        Raises
        ------
        SurveyError
            ``study_file``: no such column, one that stands twice, no whole row, counts that are none, or
            all 0.
        """
        indices = []
        for name in [*names, *([count] if count else [])]:
            if not name or self.header.count(name) != 1:
                case = "study_file.several" if name in self.header else "study_file.column"
                raise SurveyError(case, name=name or "–", header=", ".join(self.header[:20]))
            indices.append(self.header.index(name))
        rows, numbers, counts = [], [], []
        lacking = [{"", *self._missing(index, missing)} for index in indices]
        if count:
            lacking[-1] -= {text for text in lacking[-1] if finite_number(text) is not None}
        read: dict[str, None] = {}
        for number, line in enumerate(self.lines, start=2):
            cells = [line[index].strip() for index in indices]
            gaps = [cell for cell, texts in zip(cells, lacking, strict=True) if cell in texts]
            if gaps:
                read.update(dict.fromkeys(filter(None, gaps)))
                continue
            if count:
                counts.append(_count(cells.pop(), count, number))
            rows.append(cells)
            numbers.append(number)
        if not rows:
            raise SurveyError("study_file.nothing", name=", ".join(names))
        if count and not any(counts):
            raise SurveyError("study_file.nobody", name=count)
        cells_by_column = tuple(zip(*rows, strict=True))
        return Columns(
            names=tuple(names),
            cells=cells_by_column,
            counts=tuple(counts) if count else (1,) * len(rows),
            numbers=tuple(numbers),
            left_out=len(self.lines) - len(rows),
            missing=tuple(read),
        )

    def _missing(self, index: int, missing: Sequence[str] | None) -> Sequence[str]:
        return proposed_texts(line[index] for line in self.lines) if missing is None else missing


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Columns without gaps.

    Parameters
    ----------
    names : tuple of str
    cells : tuple of tuple of str, shape (columns, rows)
    counts : tuple of int, shape (rows,)
        How many respondents each row stands for.
    numbers : tuple of int
        Lines of the file.
    left_out : int
        Rows with a missing cell.
    missing : tuple of str
        What stood in those that were not empty.
    """

    names: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    counts: tuple[int, ...]
    numbers: tuple[int, ...]
    left_out: int
    missing: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """Respondents."""
        return sum(self.counts)

    def yes(self, index: int) -> list[bool]:
        """Return a column of yes and no.

        Raises
        ------
        SurveyError
            ``study_file``: another value.
        """
        answers = []
        for number, cell in zip(self.numbers, self.cells[index], strict=True):
            text = cell.casefold()
            if text not in _YES | _NO:
                raise SurveyError("study_file.yes_no", name=self.names[index], row=number, cell=cell[:40])
            answers.append(text in _YES)
        return answers

    def numeric(self, index: int) -> list[float]:
        """Return a column of finite numbers.

        Raises
        ------
        SurveyError
            ``study_file``: a cell that is none.
        """
        numbers = []
        for number, cell in zip(self.numbers, self.cells[index], strict=True):
            try:
                value = float(cell)
            except ValueError:
                value = float("nan")
            if not abs(value) < float("inf"):
                raise SurveyError("study_file.number", name=self.names[index], row=number, cell=cell[:40])
            numbers.append(value)
        return numbers

    def whole(self, index: int, most: int) -> list[int]:
        """Return a column of whole numbers from 0 to `most`.

        Raises
        ------
        SurveyError
            ``study_file``: a cell that is none.
        """
        numbers = []
        for number, value in zip(self.numbers, self.numeric(index), strict=True):
            if not value.is_integer() or not 0 <= value <= most:
                shown = f"{value:g}"
                raise SurveyError(
                    "study_file.whole", name=self.names[index], row=number, cell=shown, most=most
                )
            numbers.append(int(value))
        return numbers

    def samples(self, index: int) -> tuple[str, str]:
        """Return the two values of a column that tells samples apart, numbers in their order.

        Raises
        ------
        SurveyError
            ``study_file``: one value, or three and more.
        """
        values = set(self.cells[index])
        if len(values) != 2:
            raise SurveyError("study_file.samples", name=self.names[index], count=len(values))
        try:
            first, second = sorted(values, key=float)
        except ValueError:
            first, second = sorted(values)
        return first, second


def _count(cell: str, name: str, number: int) -> int:
    if not cell.isdecimal() or int(cell) > MOST_COUNT:
        raise SurveyError("study_file.whole", name=name, row=number, cell=cell[:40], most=MOST_COUNT)
    return int(cell)


def study_table(raw: bytes, *, most_bytes: int = MOST_BYTES) -> StudyTable:
    """Read the bytes of a CSV file: commas, semicolons or tabs, UTF-8, a header line.

    Raises
    ------
    SurveyError
        ``study_file``: too large, no text, no row, rows of another length.

    Examples
    --------
    >>> study_table(b"answer;sample\\nyes;1\\nno;2\\n").header
    ('answer', 'sample')
    """
    if len(raw) > most_bytes:
        raise SurveyError("study_file.large", most=most_bytes // 1_000_000)
    try:
        text = raw.decode("utf-8-sig")
        head = text.partition("\n")[0]
        delimiter = max(",;\t", key=head.count)
        lines = [line for line in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if line]
    except (UnicodeDecodeError, csv.Error):
        raise SurveyError("study_file.text") from None
    if len(lines) < 2:
        raise SurveyError("study_file.empty")
    header = tuple(name.strip() for name in lines[0])
    for number, line in enumerate(lines[1:], start=2):
        if len(line) != len(header):
            raise SurveyError("study_file.cells", row=number, count=len(line), columns=len(header))
    return StudyTable(header=header, lines=tuple(lines[1:]))
