"""A selection of itemsets and their order, as an address states it and the database answers it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.db.models import F, Q, QuerySet

from surveys.formats.pagination import query_fields
from surveys.models import ItemsetRow, Run
from surveys.questionnaire.labels import find_items, labels_of
from surveys.runs.shown_of_run import shown_itemsets


@dataclass(frozen=True, kw_only=True)
class ItemsetQuery:
    """A selection of itemsets and their order; see `surveys.report.rules.rule_query.RuleQuery`."""

    text: str = ""
    item: int | None = None
    size: int | None = None
    least: float | None = None
    sort: str = "-support"
    page: int = 1

    def address(self, **changes: object) -> str:
        """Return the query string of this query with some of it changed; defaults are left out."""
        changed = replace(self, **changes)  # type: ignore[arg-type]  # names of fields
        return "?" + urlencode(query_fields(changed))


def itemsets_matching(run: Run, query: ItemsetQuery) -> QuerySet[ItemsetRow]:
    """Return the itemsets of a run that match a query, in its order."""
    rows = shown_itemsets(run)
    for word in query.text.split():
        rows = rows.filter(_matches_word(run, word))
    if query.item is not None:
        rows = rows.filter(items__contains=f",{query.item},")
    if query.size is not None:
        rows = rows.filter(size=query.size)
    if query.least is not None:
        rows = rows.filter(support__gte=query.least)
    sorted_by = F(query.sort.removeprefix("-"))
    return rows.order_by(sorted_by.desc() if query.sort.startswith("-") else sorted_by.asc(), "pk")


def items_with_word(run: Run, word: str) -> tuple[int, ...]:
    """Return the items of a run's questionnaire whose question or answer contains a word."""
    return find_items(labels_of(run.version, run.version.to_design()), word)


def _matches_word(run: Run, word: str) -> Q:
    condition = Q(pk__in=())
    for item in items_with_word(run, word):
        condition |= Q(items__contains=f",{item},")
    return condition
