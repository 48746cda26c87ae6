"""Links of a table: sort by a column, turn pages; the filter stays in the address."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Protocol, TypeAlias

from django.utils.functional import Promise

Text: TypeAlias = str | Promise
"""A text, or a lazily translated one."""


class Query(Protocol):
    """The parameters of a table."""

    @property
    def sort(self) -> str: ...

    @property
    def page(self) -> int: ...

    def address(self, **changes: object) -> str: ...


def stated(query: Any) -> dict[str, object]:
    """Return the fields of a query, a dataclass, for its address: those not at their default."""
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
        Link that sorts by it; empty if it cannot be sorted by.
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
    """Links between a table's pages; an empty address means no link."""

    page: int
    pages: int
    previous: str
    next: str

    @classmethod
    def around(cls, page: int, pages: int, address: Callable[[int], str]) -> Pages:
        """Return the links to the previous and next page.

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
    """Return the head of a sortable column: largest first, then smallest first."""
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
    """Return the links to the pages before and after the query's; a page beyond the last is the last."""
    last = max(1, -(-count // size))
    return Pages.around(min(query.page, last), last, lambda number: query.address(page=number))
