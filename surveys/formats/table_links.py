"""Links of a table: sort by a column, go a page further; the filter stays in the address."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Protocol, TypeAlias

from django.utils.functional import Promise

Text: TypeAlias = str | Promise
"""A text, or one that is translated when it is shown."""


class Query(Protocol):
    """What a table was asked for."""

    @property
    def sort(self) -> str: ...

    @property
    def page(self) -> int: ...

    def address(self, **changes: object) -> str: ...


def stated(query: Any) -> dict[str, object]:
    """Return the fields of a query, a dataclass, that its address states: none left at its default."""
    return {
        field.name: value
        for field in fields(query)
        if (value := getattr(query, field.name)) is not None and value != field.default
    }


@dataclass(frozen=True, kw_only=True)
class Column:
    """The head of a column.

    Attributes
    ----------
    address : str
        Where to go to sort by it; empty where it cannot be sorted by.
    direction : {"ascending", "descending", "none"}
        How the table is sorted by it now.
    """

    label: Text
    numeric: bool
    address: str = ""
    direction: str = "none"
    hint: Text = ""


@dataclass(frozen=True, kw_only=True)
class Pages:
    """The way through a table's pages; an empty address leads nowhere."""

    page: int
    pages: int
    previous: str
    next: str

    @classmethod
    def around(cls, page: int, pages: int, address: Callable[[int], str]) -> Pages:
        """Return the way to the pages before and after, each with its address.

        >>> Pages.around(2, 2, "?page={}".format)
        Pages(page=2, pages=2, previous='?page=1', next='')
        """
        return cls(
            page=page,
            pages=pages,
            previous=address(page - 1) if page > 1 else "",
            next=address(page + 1) if page < pages else "",
        )


def column(
    query: Query, name: str, label: Text, *, numeric: bool = True, hint: Text = "", rising_first: bool = False
) -> Column:
    """Return the head of a column that the table can be sorted by: largest first, then smallest first."""
    falling, rising = f"-{name}", name
    first, second = (falling, rising) if numeric and not rising_first else (rising, falling)
    return Column(
        label=label,
        numeric=numeric,
        address=query.address(sort=second if query.sort == first else first, page=1),
        direction={falling: "descending", rising: "ascending"}.get(query.sort, "none"),
        hint=hint,
    )


def pages(query: Query, *, count: int, size: int) -> Pages:
    """Return the way to the pages before and after that of the query; a page beyond the last is the last."""
    last = max(1, -(-count // size))
    return Pages.around(min(query.page, last), last, lambda number: query.address(page=number))
