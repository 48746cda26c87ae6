"""The page of a run's itemsets: filter and table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.db.models import F, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.formats.files import Column, Pages, column, stated
from surveys.formats.files import pages as pages_of
from surveys.models import ItemsetRow, Run
from surveys.questionnaire.labels import (
    LONGEST_TEXT,
    items_named,
    labels_of,
    pack_items,
    unpack_items,
)
from surveys.report.opened_run import (
    OpenedRun,
    only_if_fitting,
    results_page,
)
from surveys.report.rule_rows import Interval, itemset_intervals, planned_sides
from surveys.report.rule_words import itemset_selection_words
from surveys.report.rules import _given, complaints_of

ITEMSETS_PER_PAGE: Final = 50
_SORTED: Final = ("support", "size", "error", "n")
SORTS: Final = tuple((sign + name, sign + name) for name in _SORTED for sign in ("", "-"))


@dataclass(frozen=True, kw_only=True)
class ItemsetQuery:
    """Which itemsets, in which order; as `surveys.report.rule_rows.RuleQuery`."""

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
    """One page of the table: itemsets, each with the interval that pages print."""

    lines: tuple[tuple[ItemsetRow, Interval], ...]
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


def all_itemsets(run: Run) -> Iterator[ItemsetRow]:
    """Yield every itemset of a run with its inference, the most frequent first."""
    rows = itemsets_matching(run, ItemsetQuery()).select_related("inference")
    return rows.iterator(chunk_size=2_000)


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
        lines=tuple(_with_intervals(run, matching[first : first + ITEMSETS_PER_PAGE])),
        columns=_columns(query),
        matching=count,
        all=run.itemsets.count(),
        pages=pages,
        shows_groups=run.itemsets.filter(pooled__isnull=False).exists(),
    )


def _with_intervals(run: Run, rows: QuerySet[ItemsetRow]) -> Iterator[tuple[ItemsetRow, Interval]]:
    """Yield itemsets with the interval at the level for picked ones, or at 95% for those of the design.

    The design asks for the share of each single answer, and for the planned pair.
    """
    lines = list(rows.select_related("inference"))
    planned = pack_items(sorted(item for side in planned_sides(run) for item in unpack_items(side)))
    picked = itemset_intervals(run, [row.items for row in lines if row.size > 1 and row.items != planned])
    for row in lines:
        yield row, picked.get(row.items, (row.support_low, row.support_high))


def _columns(query: ItemsetQuery) -> tuple[Column, ...]:
    heads = (
        ("size", _("items"), ""),
        ("support", _("support"), _("share of the people asked who have every item")),
        ("error", _("error W"), _("distance of the support from the true value, or the expected distance")),
        ("n", "n", _("answers from people who were asked every item")),
    )
    return tuple(column(query, name, label, hint=hint) for name, label, hint in heads)


@results_page
@only_if_fitting("itemsets")
def itemsets(request: HttpRequest, opened: OpenedRun) -> HttpResponse:
    """Show the itemsets of a finished run; of two groups both estimates."""
    opened_run, labels = opened
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
    return render(request, "report/run_itemsets.html", context)


class ItemsetFilterForm(forms.Form):
    """Which itemsets the table shows; it lives in the page's address."""

    text = forms.CharField(
        label=gettext_lazy("Words in the questions"), required=False, max_length=LONGEST_TEXT
    )
    item = forms.TypedChoiceField(label=gettext_lazy("Item"), coerce=int, empty_value=None, required=False)
    size = forms.TypedChoiceField(label=gettext_lazy("Items"), coerce=int, empty_value=None, required=False)
    least = forms.FloatField(label=gettext_lazy("Support at least"), required=False)
    sort = forms.ChoiceField(choices=SORTS, required=False, widget=forms.HiddenInput)
    page = forms.IntegerField(min_value=1, required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, items: list[tuple[int, str]], longest: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["item"].choices = [("", _("any")), *items]  # type: ignore[attr-defined]
        sizes = [(size, str(size)) for size in range(1, longest + 1)]
        self.fields["size"].choices = [("", _("any")), *sizes]  # type: ignore[attr-defined]

    def query(self) -> ItemsetQuery:
        """Return the query; what cannot be read falls back to its default."""
        self.is_valid()
        return ItemsetQuery(**_given(self))

    def complaints(self) -> list[str]:
        """Say what could not be read, field by field."""
        return complaints_of(self)
