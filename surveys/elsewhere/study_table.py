"""Columns of a study in a table that was read: without gaps, as answers, numbers or samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from privacy.sdc.table import finite_number
from surveys.errors.error import SurveyError
from surveys.tables.missing import proposed_texts
from surveys.tables.numbers import numbers_read
from surveys.tables.table import ReadTable

__all__ = ["MOST_COUNT", "Columns", "study_columns"]

MOST_COUNT: Final = 10**9

_YES: Final = {"1", "1.0", "yes", "true", "same", "a yes", "red"}
_NO: Final = {"0", "0.0", "no", "false", "different", "both no"}


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


def study_columns(
    table: ReadTable, names: Sequence[str], count: str = "", missing: Sequence[str] | None = None
) -> Columns:
    """Return columns side by side, without the rows in which one of them is missing.

    Parameters
    ----------
    table : ReadTable
    names : sequence of str
    count : str
        The column of counts; "" for none. A count is missing only where it is empty or a word.
    missing : sequence of str or None
        Texts that stand for a missing value; None for those that `proposed_texts` proposes of each.

    Raises
    ------
    SurveyError
        ``study_file``: no such column, one that stands twice, no whole row, counts that are none, or all 0.
    """
    table = table.labelled()
    chosen = []
    for name in [*names, *([count] if count else [])]:
        if not name or table.header.count(name) != 1:
            case = "study_file.several" if name in table.header else "study_file.column"
            raise SurveyError(case, name=name or "–", header=", ".join(table.header[:20]))
        chosen.append(table.column(name))
    lacking = [{"", *(proposed_texts(column.values) if missing is None else missing)} for column in chosen]
    if count:
        lacking[-1] -= {text for text in lacking[-1] if finite_number(text) is not None}
    columns = [
        column.replaced(numbers_read(text for text in column.values if text not in texts) or {})
        for column, texts in zip(chosen, lacking, strict=True)
    ]
    gaps = [
        np.array([text in texts for text in column.values])[column.codes]
        for column, texts in zip(columns, lacking, strict=True)
    ]
    whole = np.flatnonzero(~np.logical_or.reduce(gaps))
    numbers = table.lines[whole].tolist()
    cells = [tuple(column.values[code] for code in column.codes[whole].tolist()) for column in columns]
    if not len(whole):
        raise SurveyError("study_file.nothing", name=", ".join(names))
    counts = (1,) * len(whole)
    if count:
        counts = tuple(_count(cell, count, number) for cell, number in zip(cells.pop(), numbers, strict=True))
        if not any(counts):
            raise SurveyError("study_file.nobody", name=count)
    read = {
        text: None
        for column, texts in zip(columns, lacking, strict=True)
        for text in column.values
        if text in texts
    }
    return Columns(
        names=tuple(names),
        cells=tuple(cells),
        counts=counts,
        numbers=tuple(numbers),
        left_out=len(table) - len(whole),
        missing=tuple(filter(None, read)),
    )


def _count(cell: str, name: str, number: int) -> int:
    if not cell.isdecimal() or int(cell) > MOST_COUNT:
        raise SurveyError("study_file.whole", name=name, row=number, cell=cell[:40], most=MOST_COUNT)
    return int(cell)
