"""What the texts of a column can be read as: numbers, months, quarters or years of dates, or categories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from surveys.tables.dates import SPANS, dates_read, span_of
from surveys.tables.numbers import numbers_read
from surveys.tables.table import ReadColumn

__all__ = ["KINDS", "column_as", "kinds_of"]

KINDS: Final = ("numeric", *SPANS, "categorical")


def kinds_of(texts: Sequence[str]) -> tuple[str, ...]:
    """Return what texts can be read as, without those that stand for a missing value.

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
    """Return a column read as one of `KINDS`, where all its other texts are of that kind.

    Parameters
    ----------
    column : ReadColumn
    kind : str
    missing : sequence of str
        Texts that stand for a missing value.
    month_first : bool
        As of `dates_read`.

    Examples
    --------
    >>> from surveys.tables.table import ReadTable
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
    # A number that was written another way keeps its label.
    labels = {new.get(text, text): label for text, label in column.value_labels.items()}
    return replace(column.replaced(new), value_labels=labels)
