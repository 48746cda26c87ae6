"""The table of a run's itemsets: its filters, order and page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.formats.pagination import Pages
from surveys.formats.pagination import pages as pages_of
from surveys.formats.sort_links import SortColumn, column
from surveys.models import ItemsetRow, Run
from surveys.questionnaire.packed_items import pack_items, unpack_items
from surveys.report.opened_run import OpenedRun, results_page
from surveys.report.rules.filter_form import FilterForm
from surveys.report.rules.itemset_query import ItemsetQuery
from surveys.report.rules.rows_or_counts import Interval, listing_of
from surveys.report.rules.selection_words import itemset_selection_words
from surveys.runs.planned_sides import planned_sides

ITEMSETS_PER_PAGE: Final = 50
_SORTED: Final = ("support", "size", "error", "n")
ITEMSET_SORTS: Final = tuple((sign + name, sign + name) for name in _SORTED for sign in ("", "-"))


@dataclass(frozen=True, kw_only=True)
class ItemsetPage:
    """One page of the table: itemsets, each with the interval that pages show."""

    lines: tuple[tuple[ItemsetRow, Interval], ...]
    columns: tuple[SortColumn, ...]
    matching: int
    all: int
    pages: Pages
    shows_groups: bool


def itemset_page(run: Run, query: ItemsetQuery) -> ItemsetPage:
    """Return one page of the itemsets that match a query; the last page if the number is too large."""
    listing = listing_of(run)
    count = listing.itemset_count(query)
    pages = pages_of(query, count=count, size=ITEMSETS_PER_PAGE)
    first = (pages.page - 1) * ITEMSETS_PER_PAGE
    rows = listing.itemsets(query, first, first + ITEMSETS_PER_PAGE)
    return ItemsetPage(
        lines=tuple(_with_intervals(run, rows)),
        columns=_columns(query),
        matching=count,
        all=listing.itemset_count(ItemsetQuery()),
        pages=pages,
        shows_groups=listing.shows_groups,
    )


def _with_intervals(run: Run, rows: Sequence[ItemsetRow]) -> Iterator[tuple[ItemsetRow, Interval]]:
    """Yield itemsets with the wider interval for picked ones, or a 95% interval for planned ones.

    Single items and the planned pair count as planned.
    """
    plan = pack_items(sorted(item for side in planned_sides(run) for item in unpack_items(side)))
    for row in rows:
        is_picked = row.size > 1 and row.items != plan
        yield (
            row,
            (row.inference.low, row.inference.high) if is_picked else (row.support_low, row.support_high),
        )


def _columns(query: ItemsetQuery) -> tuple[SortColumn, ...]:
    heads = (
        ("size", _("items"), ""),
        ("support", _("support"), _("share of the people asked who have every item")),
        ("error", _("error W"), _("distance of the support from the true value, or the expected distance")),
        ("n", "n", _("answers from people who were asked every item")),
    )
    return tuple(column(query, name, label, hint=hint) for name, label, hint in heads)


@results_page
def itemsets(request: HttpRequest, open_run: OpenedRun) -> HttpResponse:
    """Show the itemsets of a finished run, with both estimates if there are two groups."""
    opened_run, labels = open_run
    form = ItemsetFilterForm(request.GET, items=labels.choices(), longest=opened_run.thresholds.max_size)
    query = form.query()
    context = {
        "run": opened_run,
        "form": form,
        "query": query,
        "labels": labels,
        "itemsets": itemset_page(opened_run, query),
        "selection": itemset_selection_words(opened_run),
    }
    return render(request, "report/rules/run_itemsets.html", context)


class ItemsetFilterForm(FilterForm):
    """Filters of the table of itemsets."""

    size = forms.TypedChoiceField(label=gettext_lazy("Items"), coerce=int, empty_value=None, required=False)
    least = forms.FloatField(label=gettext_lazy("Support at least"), required=False)
    sort = forms.ChoiceField(choices=ITEMSET_SORTS, required=False, widget=forms.HiddenInput)

    def __init__(self, values: Mapping[str, Any], *, items: list[tuple[int, str]], longest: int) -> None:
        super().__init__(values)
        self.allow(item=items, size=((size, str(size)) for size in range(1, longest + 1)))

    def query(self) -> ItemsetQuery:
        """Return the query; invalid fields get their defaults."""
        return ItemsetQuery(**self.values())
