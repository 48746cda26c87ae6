"""What the texts of a column are: numbers, dates or categories."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from privacy.numeric_text import finite_number, number_text, rounds_integer
from privacy.tables.columns import ReadColumn
from privacy.tables.date_spans import SPANS, span_of
from privacy.tables.dates import dates_read

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


def mixed_numbers(texts: Iterable[str]) -> tuple[str, str] | None:
    """Return two numbers that are written in different ways, if all texts are numbers but no way fits all.

    Parameters
    ----------
    texts : iterable of str
        Without texts that mean "missing".

    Examples
    --------
    >>> mixed_numbers(["1.5", "2,5", "3"]), mixed_numbers(["1.5", "many"]), mixed_numbers(["1,5", "2,5"])
    (('1.5', '2,5'), None, None)
    """
    different = list(dict.fromkeys(texts))
    fits = [
        frozenset(place for place, (own, _) in enumerate(_WAYS) if own.fullmatch(each)) for each in different
    ]
    if not all(fits) or frozenset.intersection(*fits, frozenset(range(len(_WAYS)))):
        return None
    first = next((own for own in zip(different, fits, strict=True) if len(own[1]) < len(_WAYS)), None)
    if first is None:
        return None
    other = next((text for text, own in zip(different, fits, strict=True) if not own & first[1]), None)
    return None if other is None else (first[0], other)


def _plain_number(text: str) -> str:
    """Return a number as short as possible; an empty text if it is not one."""
    number = finite_number(text)
    if number is None:
        return ""
    return text if rounds_integer(text) else number_text(number)


VALUE_KINDS: Final = ("numeric", *SPANS, "categorical")


def kinds_of(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds that fit all texts of a column; pass them without those that mean "missing".

    Parameters
    ----------
    texts : sequence of str
        Texts of a column.

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
    """Convert a column to one of `VALUE_KINDS`; unchanged unless all texts that are not missing fit.

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
    >>> from privacy.tables.columns import ReadTable
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
