"""The itemset table: filtered, sorted and paged by the database."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from surveys.formats.table_links import Column, Pages, column, stated
from surveys.formats.table_links import pages as pages_of
from surveys.models import ItemsetRow, Run
from surveys.questionnaire.labels import items_named, labels_of

__all__ = ["ITEMSETS_PER_PAGE", "SORTS", "ItemsetPage", "ItemsetQuery", "itemset_page", "itemsets_matching"]

ITEMSETS_PER_PAGE: Final = 50
_SORTED: Final = ("support", "size", "error", "n")
SORTS: Final = tuple((sign + name, sign + name) for name in _SORTED for sign in ("", "-"))


@dataclass(frozen=True, kw_only=True)
class ItemsetQuery:
    """Which itemsets, in which order; as `surveys.figures.rules.RuleQuery`."""

    text: str = ""
    item: int | None = None
    size: int | None = None
    least: float | None = None
    sort: str = "-support"
    page: int = 1

    def address(self, **changes: object) -> str:
        """Return the query string of this query with some of it changed; defaults are left out."""
        changed = replace(self, **changes)  # type: ignore[arg-type]  # names are those of the fields
        return "?" + urlencode(stated(changed))


@dataclass(frozen=True, kw_only=True)
class ItemsetPage:
    """One page of the table."""

    lines: tuple[ItemsetRow, ...]
    columns: tuple[Column, ...]
    matching: int
    all: int
    pages: Pages
    shows_groups: bool


def itemsets_matching(run: Run, query: ItemsetQuery) -> QuerySet[ItemsetRow]:
    """Return the itemsets of a run that a query asks for, in its order."""
    rows = ItemsetRow.objects.filter(run=run)
    for word in query.text.split():
        rows = rows.filter(_naming(run, word))
    if query.item is not None:
        rows = rows.filter(items__contains=f",{query.item},")
    if query.size is not None:
        rows = rows.filter(size=query.size)
    if query.least is not None:
        rows = rows.filter(support__gte=query.least)
    sorted_by = F(query.sort.removeprefix("-"))
    return rows.order_by(sorted_by.desc() if query.sort.startswith("-") else sorted_by.asc(), "pk")


def _naming(run: Run, word: str) -> Q:
    condition = Q(pk__in=())
    for item in items_named(labels_of(run.version, run.version.to_design()), word):
        condition |= Q(items__contains=f",{item},")
    return condition


def itemset_page(run: Run, query: ItemsetQuery) -> ItemsetPage:
    """Return one page of the itemsets that a query asks for; a page beyond the last is the last."""
    matching = itemsets_matching(run, query)
    count = matching.count()
    pages = pages_of(query, count=count, size=ITEMSETS_PER_PAGE)
    first = (pages.page - 1) * ITEMSETS_PER_PAGE
    return ItemsetPage(
        lines=tuple(matching.select_related("inference")[first : first + ITEMSETS_PER_PAGE]),
        columns=_columns(query),
        matching=count,
        all=run.itemsets.count(),
        pages=pages,
        shows_groups=run.itemsets.filter(pooled__isnull=False).exists(),
    )


def _columns(query: ItemsetQuery) -> tuple[Column, ...]:
    heads = (
        ("size", _("items"), ""),
        ("support", _("support"), _("share of those asked who have every item")),
        ("error", _("error W"), _("distance of the support from the truth, or the one to be expected")),
        ("n", "n", _("answers of those asked everything in the set")),
    )
    return tuple(column(query, name, label, hint=hint) for name, label, hint in heads)
