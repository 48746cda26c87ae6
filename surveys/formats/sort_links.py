"""Column headers of a table, with links that sort by them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from django.utils.functional import Promise

from surveys.formats.pagination import Query

Text: TypeAlias = str | Promise
"""A text, or a lazily translated one."""


@dataclass(frozen=True, kw_only=True)
class SortColumn:
    """Header of a table's column.

    Attributes
    ----------
    address : str
        Link that sorts by this column; empty if the column is not sortable.
    direction : {"ascending", "descending", "none"}
        How the table is currently sorted by it.
    """

    label: Text
    numeric: bool
    address: str = ""
    direction: str = "none"
    hint: Text = ""


def column(
    query: Query, name: str, label: Text, *, numeric: bool = True, hint: Text = "", rising_first: bool = False
) -> SortColumn:
    """Return the header of a sortable column; its link sorts largest first, then smallest first."""
    falling, rising = f"-{name}", name
    first, second = (falling, rising) if numeric and not rising_first else (rising, falling)
    return SortColumn(
        label=label,
        numeric=numeric,
        address=query.address(sort=second if query.sort == first else first, page=1),
        direction={falling: "descending", rising: "ascending"}.get(query.sort, "none"),
        hint=hint,
    )
