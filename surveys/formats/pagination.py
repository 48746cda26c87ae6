"""Pages of a long table: the query in its address, and the links between its pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Protocol
from urllib.parse import parse_qsl, urlsplit


class Query(Protocol):
    """Parameters of a table's page."""

    @property
    def sort(self) -> str: ...

    @property
    def page(self) -> int: ...

    def address(self, **changes: object) -> str: ...


def query_fields(query: Any) -> dict[str, object]:
    """Return the fields of a query (a dataclass) that differ from their defaults, for its address."""
    return {
        field.name: value
        for field in fields(query)
        if (value := getattr(query, field.name)) is not None and value != field.default
    }


@dataclass(frozen=True, kw_only=True)
class Pages:
    """Links between the pages of a table; an empty address means no link."""

    page: int
    pages: int
    previous: str
    next: str
    fields: tuple[tuple[str, str], ...] = ()
    """The other parameters of the address, for a form that asks for a page."""

    @classmethod
    def around(cls, page: int, pages: int, address: Callable[[int], str]) -> Pages:
        """Return the links to the previous and next page.

        >>> Pages.around(2, 2, "?page={}".format)
        Pages(page=2, pages=2, previous='?page=1', next='', fields=())
        """
        others = [pair for pair in parse_qsl(urlsplit(address(2)).query) if pair[0] != "page"]
        return cls(
            page=page,
            pages=pages,
            previous=address(page - 1) if page > 1 else "",
            next=address(page + 1) if page < pages else "",
            fields=tuple(others),
        )


def pages(query: Query, *, count: int, size: int) -> Pages:
    """Return the links to the adjacent pages; a page number beyond the last page means the last."""
    last = max(1, -(-count // size))
    return Pages.around(min(query.page, last), last, lambda number: query.address(page=number))
