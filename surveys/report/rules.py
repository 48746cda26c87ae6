"""The rule table: filtered, sorted and paged by the database, 50,000 rules as fast as 50."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from django.db.models import F, Q, QuerySet
from django.db.models.expressions import OrderBy
from django.utils.translation import gettext_lazy as _

from surveys.models import RuleRow, Run
from surveys.report.disclosure import Disclosure, shown_count
from surveys.report.figures import Figure, difference_figure, number, ratio_figure, share_figure
from surveys.report.labels import Labels, unpack_items
from surveys.report.links import Column, Pages, columns
from surveys.report.links import pages as pages_of

RULES_PER_PAGE: Final = 50

MEASURES: Final = (
    ("lift", _("lift")),
    ("confidence", _("confidence")),
    ("support", _("support")),
    ("leverage", _("leverage")),
    ("conviction", _("conviction")),
)
SIDES: Final = (
    ("either", _("either side")),
    ("antecedent", _("before the arrow")),
    ("consequent", _("after the arrow")),
)
_SORTED: Final = (*(name for name, _label in MEASURES), "error", "n", "antecedent", "consequent")
SORTS: Final = tuple((sign + name, sign + name) for name in _SORTED for sign in ("", "-"))


@dataclass(frozen=True, kw_only=True)
class RuleQuery:
    """Which rules, in which order.

    Attributes
    ----------
    item : int or None
        Only rules that have this item on the `side`.
    side : {"either", "antecedent", "consequent"}
    length : int or None
        Only rules with so many items on both sides together.
    measure, least, by
        Only rules whose `measure` is at least `least`; "value" compares the estimate, "low" the lower
        limit of its interval.
    sort : str
        A column; with "-" before it the largest first. What is not estimable comes last either way.
    page : int
        From 1.
    """

    item: int | None = None
    side: str = "either"
    length: int | None = None
    measure: str = "lift"
    least: float | None = None
    by: str = "value"
    sort: str = "-lift"
    page: int = 1

    def address(self, **changes: object) -> str:
        """Return the query string of this query with some of it changed; defaults are left out."""
        changed = replace(self, **changes)  # type: ignore[arg-type]  # names are those of the fields
        default = RuleQuery()
        pairs = {
            name: value
            for name, value in vars(changed).items()
            if value is not None and value != getattr(default, name)
        }
        if changed.least is not None:
            pairs["measure"] = changed.measure
        return "?" + urlencode(pairs)


@dataclass(frozen=True, kw_only=True)
class RuleLine:
    """One rule, ready to print."""

    rank: int
    antecedent: str
    consequent: str
    support: Figure
    confidence: Figure
    lift: Figure
    leverage: Figure
    conviction: Figure
    error: str
    true_support: str
    true_confidence: str
    true_lift: str
    true_leverage: str
    true_conviction: str
    n: str
    few_rows: bool


@dataclass(frozen=True, kw_only=True)
class RulePage:
    """One page of the table."""

    lines: tuple[RuleLine, ...]
    columns: tuple[Column, ...]
    matching: int
    all: int
    pages: Pages
    shows_n: bool


def rules_matching(run: Run, query: RuleQuery) -> QuerySet[RuleRow]:
    """Return the rules of a run that a query asks for, in its order."""
    rules = RuleRow.objects.filter(run=run)
    if query.item is not None:
        holds = f",{query.item},"
        before, after = Q(antecedent__contains=holds), Q(consequent__contains=holds)
        rules = rules.filter({"antecedent": before, "consequent": after}.get(query.side, before | after))
    if query.length is not None:
        rules = rules.filter(antecedent_size=query.length - F("consequent_size"))
    if query.least is not None:
        column = query.measure if query.by == "value" else f"{query.measure}_low"
        rules = rules.filter(**{f"{column}__gte": query.least})
    return rules.order_by(_order(query.sort), "pk")


def rule_page(run: Run, query: RuleQuery, labels: Labels, shown: Disclosure) -> RulePage:
    """Return one page of the rules that a query asks for; a page beyond the last is the last."""
    matching = rules_matching(run, query)
    count = matching.count()
    pages = max(1, -(-count // RULES_PER_PAGE))
    page = min(query.page, pages)
    first = (page - 1) * RULES_PER_PAGE
    lines = tuple(
        rule_line(row, first + place, labels, rounded=shown.rounded)
        for place, row in enumerate(matching[first : first + RULES_PER_PAGE], start=1)
    )
    return RulePage(
        lines=lines,
        columns=_columns(query),
        matching=count,
        all=run.rules.count(),
        pages=pages_of(query, page=page, of=pages),
        shows_n=any(line.n != lines[0].n for line in lines),
    )


def all_rules(run: Run, query: RuleQuery) -> Iterator[RuleRow]:
    """Yield every rule that a query asks for, without keeping them all in memory."""
    yield from rules_matching(run, query).iterator(chunk_size=2_000)


def rule_line(row: RuleRow, rank: int, labels: Labels, *, rounded: bool) -> RuleLine:
    """Return a rule as the page prints it."""
    true = true_measures(row)
    return RuleLine(
        rank=rank,
        antecedent=labels.short(unpack_items(row.antecedent)),
        consequent=labels.short(unpack_items(row.consequent)),
        support=share_figure(row.support, row.support_low, row.support_high),
        confidence=share_figure(row.confidence, row.confidence_low, row.confidence_high),
        lift=ratio_figure(row.lift, row.lift_low, row.lift_high),
        leverage=difference_figure(row.leverage, row.leverage_low, row.leverage_high),
        conviction=ratio_figure(row.conviction, row.conviction_low, row.conviction_high),
        error=number(row.error, 4),
        true_support=number(row.truth),
        true_confidence=number(true.get("confidence")),
        true_lift=number(true.get("lift"), 2),
        true_leverage=number(true.get("leverage")),
        true_conviction=number(true.get("conviction"), 2),
        n=shown_count(row.n, rounded=rounded),
        few_rows=row.few_rows,
    )


def true_measures(row: RuleRow) -> dict[str, float]:
    """Return the true measures of a rule where the truth is known; those with a zero below are left out.

    lift = P(AB) / (P(A) P(B)), conviction = P(A) (1 - P(B)) / (P(A) - P(AB)).
    """
    both, before, after = row.truth, row.truth_antecedent, row.truth_consequent
    if both is None or before is None or after is None:
        return {}
    measures = {"support": both, "leverage": both - before * after}
    if before > 0:
        measures["confidence"] = both / before
    if before * after > 0:
        measures["lift"] = both / (before * after)
    if before > both:
        measures["conviction"] = before * (1 - after) / (before - both)
    return measures


def _columns(query: RuleQuery) -> tuple[Column, ...]:
    return columns(
        query,
        (
            ("support", _("support"), _("share of all with both sides")),
            ("confidence", _("confidence"), _("share of those with the left side who have the right side")),
            ("lift", _("lift"), _("confidence over the share of everybody who has the right side")),
            ("leverage", _("leverage"), _("support minus what independence would give")),
            ("conviction", _("conviction"), _("how much rarer the rule fails than under independence")),
            ("error", _("error W"), _("distance of the support from the truth, or the one to be expected")),
        ),
    )


def _order(sort: str) -> OrderBy:
    column = F(sort.removeprefix("-"))
    return column.desc(nulls_last=True) if sort.startswith("-") else column.asc(nulls_last=True)
