"""A selection of rules and their order, as an address states it and the database answers it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from django.db.models import F, Q, QuerySet
from django.db.models.expressions import OrderBy
from django.utils.translation import gettext_lazy as _

from surveys.formats.pagination import query_fields
from surveys.models import RuleRow, Run
from surveys.report.rules.itemset_query import items_with_word
from surveys.report.rules.measures import ENDS, SHOWN, End
from surveys.report.rules.verdicts import with_verdict
from surveys.runs.shown_of_run import shown_rules

SIDES: Final = (
    ("either", _("either side")),
    ("antecedent", _("before the arrow")),
    ("consequent", _("after the arrow")),
    ("not", _("neither side")),
)

SIZES: Final = (25, 50, 100, 200)
RULES_PER_PAGE: Final = 50
_SORTED: Final = ("order", "n", *SHOWN)
SORTS: Final = tuple(sign + name for name in _SORTED for sign in ("", "-"))
LIMITS: Final[dict[str, tuple[str, End]]] = {
    f"{measure.name}_{end}": (measure.name, end) for measure in SHOWN.values() for end in ENDS
}
"""By a limit's name in addresses: its measure and which end it limits."""

_FILTERS: Final = ("text", "item", "length", "holds", "redundant", "maximal", "verdict")
_YES_NO: Final = {"holds": "inference__passes", "maximal": "inference__maximal"}


@dataclass(frozen=True, kw_only=True)
class RuleQuery:
    """A selection of rules and their order.

    Attributes
    ----------
    text : str
        Only rules that have on `side`, for each of its words, an item with the word in its key, question or
        answer; for "not", only rules without such items.
    item : int or None
        Only rules that have this item on `side`; for "not", on neither side.
    side : {"either", "antecedent", "consequent", "not"}
    length : int or None
        Only rules with this many items on both sides together.
    holds, redundant, maximal : {"", "yes", "no"}
        Whether the rule's test passed, a shorter rule explains it, no listed itemset is a superset of it.
    verdict : str
        Newest verdict; "none" for rules without a verdict.
    limits : tuple of (str, float)
        By the names of `LIMITS`: an estimate is at least "from" and at most "to".
    measures : str
        "all" for a table of all measures in full; otherwise the table has the first three measures and the
        further measure of this name.
    predicted : {"", "yes"}
        Whether the table also shows supports predicted from pairs.
    sort : str
        A column; with a leading "-", the largest first. Rules without a value come last either way. Rules
        with equal p are sorted by lift, largest first (the largest lifts are the noisiest). Other ties keep
        the order of the itemsets.
    page, size : int
        Page number from 1, and rules per page.
    """

    text: str = ""
    item: int | None = None
    side: str = "either"
    length: int | None = None
    holds: str = ""
    redundant: str = ""
    maximal: str = ""
    verdict: str = ""
    limits: tuple[tuple[str, float], ...] = ()
    measures: str = ""
    predicted: str = ""
    sort: str = "p_adjusted"
    page: int = 1
    size: int = RULES_PER_PAGE

    def address(self, **changes: object) -> str:
        """Return the query string of this query with some of it changed; defaults are left out."""
        changed = replace(self, **changes)  # type: ignore[arg-type]  # names of fields
        pairs = query_fields(changed)
        pairs.pop("limits", None)
        # A side means nothing without an item or words.
        if changed.item is None and not changed.text.strip():
            pairs.pop("side", None)
        return "?" + urlencode(pairs | {name: f"{value:.12g}" for name, value in changed.limits})

    @property
    def filters(self) -> bool:
        """Whether any filter is set."""
        return bool(self.limits) or any(getattr(self, name) not in (None, "") for name in _FILTERS)


def rules_matching(run: Run, query: RuleQuery) -> QuerySet[RuleRow]:
    """Return the rules of a run that match a query, in its order."""
    rules = shown_rules(run)
    if query.item is not None:
        rules = rules.filter(_has_any([query.item], query.side))
    for word in query.text.split():
        rules = rules.filter(_has_any(items_with_word(run, word), query.side))
    if query.length is not None:
        rules = rules.filter(antecedent_size=query.length - F("consequent_size"))
    for name, field in _YES_NO.items():
        if choice := getattr(query, name):
            rules = rules.filter(**{field: choice == "yes"})
    if query.redundant:
        redundancy = ~Q(inference__redundant_by="") & Q(inference__redundant_by__isnull=False)
        rules = rules.filter(redundancy if query.redundant == "yes" else Q(inference__redundant_by=""))
    if query.verdict:
        rules = with_verdict(rules, query.verdict)
    for name, value in query.limits:
        of, end = LIMITS[name]
        rules = rules.filter(**{f"{SHOWN[of].column}__{'gte' if end == 'from' else 'lte'}": value})
    return rules.order_by(*_order(query))


def rule_keys(run: Run, query: RuleQuery, start: int = 0, stop: int | None = None) -> list[int]:
    """Return the keys of the rules that match a query, in its order, from `start` to before `stop`.

    Notes
    -----
    For a late page, sorting whole rows is slow, because the database moves all of them. Sorting keys is fast.
    """
    return list(rules_matching(run, query).values_list("pk", flat=True)[start:stop])


def _has_any(items: Iterable[int], side: str) -> Q:
    """Return the condition that a rule has one of some items on a side; for "not", none on either."""
    condition = Q(pk__in=())
    for item in items:
        holds = f",{item},"
        before, after = Q(antecedent__contains=holds), Q(consequent__contains=holds)
        condition |= {"antecedent": before, "consequent": after}.get(side, before | after)
    return ~condition if side == "not" else condition


def _order(query: RuleQuery) -> tuple[OrderBy | str, ...]:
    name, falling = query.sort.removeprefix("-"), query.sort.startswith("-")
    if name == "order":
        return ("-pk" if falling else "pk",)
    measure = SHOWN.get(name)
    column = F(measure.column if measure else "n" if name == "n" else "lift")
    first = column.desc(nulls_last=True) if falling else column.asc(nulls_last=True)
    return (first, F("lift").desc(nulls_last=True), "pk") if name == "p_adjusted" else (first, "pk")
