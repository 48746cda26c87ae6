"""Which rules of a run are asked for, in which order: read from the address, written back into it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.expressions import OrderBy
from django.utils.translation import gettext_lazy as _

from surveys.figures.measures import ENDS, SHOWN, End
from surveys.formats.table_links import stated
from surveys.models import RuleRow, Run, Verdict
from surveys.questionnaire.labels import items_named, labels_of

NONE: Final = "none"
"""The filter for rules without a verdict."""


def with_verdict(rules: QuerySet[RuleRow], opinion: str) -> QuerySet[RuleRow]:
    """Return those of the rules whose newest verdict is this one; "none" for those without any."""
    if opinion == NONE:
        return rules.filter(verdicts__isnull=True)
    newest = Verdict.objects.filter(rule=OuterRef("pk")).order_by("-pk").values("opinion")[:1]
    return rules.annotate(newest_opinion=Subquery(newest)).filter(newest_opinion=opinion)


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
"""What a limit is called in the address, and what it limits."""

_FILTERS: Final = ("text", "length", "holds", "redundant", "maximal", "verdict")
"""Fields of a query that are filters by themselves."""

_YES_NO: Final = {"holds": "inference__passes", "maximal": "inference__maximal"}


@dataclass(frozen=True, kw_only=True)
class RuleQuery:
    """Which rules, in which order.

    Attributes
    ----------
    text : str
        Only rules that name, for each of its words, an item with the word in key, question or answer.
    item : int or None
        Only rules that have this item on the `side`, or, for "not", on neither.
    side : {"either", "antecedent", "consequent", "not"}
    length : int or None
        Only rules with so many items on both sides together.
    holds, redundant, maximal : {"", "yes", "no"}
        Whether the rule's test passed, a shorter rule explains it, no listed itemset holds it and more.
    verdict : str
        Newest verdict of a person; "none" for rules without any.
    limits : tuple of (str, float)
        By the names of `LIMITS`: an estimate is at least "from", at most "to".
    measures : {"", "all"}
        Whether the table shows all measures with all that is said of them, or the first three.
    predicted : {"", "yes"}
        Whether the page also shows itemsets predicted from pairs.
    sort : str
        A column; with "-" before it the largest first. What has no value comes last either way. Rules of
        equal p stand by their lift, of which the noisiest are the largest; else equal rules stay in the order
        of their itemsets.
    page, size : int
        From 1; rules on a page.
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
        changed = replace(self, **changes)  # type: ignore[arg-type]  # names are those of the fields
        pairs = stated(changed)
        pairs.pop("limits", None)
        # A side says nothing without an item.
        if changed.item is None:
            pairs.pop("side", None)
        return "?" + urlencode(pairs | {name: f"{value:.12g}" for name, value in changed.limits})

    def parts(self) -> Iterator[RuleQuery]:
        """Yield each filter by itself, without order and page."""
        bare = RuleQuery(measures=self.measures, predicted=self.predicted)
        for name in _FILTERS:
            if getattr(self, name):
                yield replace(bare, **{name: getattr(self, name)})
        if self.item is not None:
            yield replace(bare, item=self.item, side=self.side)
        for limit in self.limits:
            yield replace(bare, limits=(limit,))

    def without(self, part: RuleQuery) -> RuleQuery:
        """Return this query without one of its `parts`, from the first page."""
        bare = RuleQuery()
        names = [name for name in (*_FILTERS, "item", "side") if getattr(part, name) != getattr(bare, name)]
        dropped = {name: getattr(bare, name) for name in names}
        limits = tuple(limit for limit in self.limits if limit not in part.limits)
        return replace(self, **dropped, limits=limits, page=1)

    @property
    def filters(self) -> bool:
        """Whether anything is filtered."""
        return next(self.parts(), None) is not None


def rules_matching(run: Run, query: RuleQuery) -> QuerySet[RuleRow]:
    """Return the rules of a run that a query asks for, in its order."""
    rules = RuleRow.objects.filter(run=run)
    if query.item is not None:
        rules = rules.filter(_holding(query.item, query.side))
    for word in query.text.split():
        rules = rules.filter(_naming(run, word))
    if query.length is not None:
        rules = rules.filter(antecedent_size=query.length - F("consequent_size"))
    for name, column in _YES_NO.items():
        if wanted := getattr(query, name):
            rules = rules.filter(**{column: wanted == "yes"})
    if query.redundant:
        explained = ~Q(inference__redundant_by="") & Q(inference__redundant_by__isnull=False)
        rules = rules.filter(explained if query.redundant == "yes" else Q(inference__redundant_by=""))
    if query.verdict:
        rules = with_verdict(rules, query.verdict)
    for name, value in query.limits:
        of, end = LIMITS[name]
        rules = rules.filter(**{f"{SHOWN[of].column}__{'gte' if end == 'from' else 'lte'}": value})
    return rules.order_by(*_order(query))


def rule_keys(run: Run, query: RuleQuery, start: int = 0, stop: int | None = None) -> list[int]:
    """Return the keys of the rules that a query asks for, in its order: of all of them, or from `start`.

    Notes
    -----
    A database that sorts whole rows for a late page moves all of them; keys alone are quick.
    """
    return list(rules_matching(run, query).values_list("pk", flat=True)[start:stop])


def _holding(item: int, side: str) -> Q:
    holds = f",{item},"
    before, after = Q(antecedent__contains=holds), Q(consequent__contains=holds)
    if side == "not":
        return ~before & ~after
    return {"antecedent": before, "consequent": after}.get(side, before | after)


def _naming(run: Run, word: str) -> Q:
    condition = Q(pk__in=())
    for item in items_named(labels_of(run.version, run.version.to_design()), word):
        condition |= _holding(item, "either")
    return condition


def _order(query: RuleQuery) -> tuple[OrderBy | str, ...]:
    name, falling = query.sort.removeprefix("-"), query.sort.startswith("-")
    if name == "order":
        return ("-pk" if falling else "pk",)
    measure = SHOWN.get(name)
    column = F(measure.column if measure else "n" if name == "n" else "lift")
    first = column.desc(nulls_last=True) if falling else column.asc(nulls_last=True)
    return (first, F("lift").desc(nulls_last=True), "pk") if name == "p_adjusted" else (first, "pk")
