"""Rules of a run from the database: filters, order, measures and verdicts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.expressions import OrderBy
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_lazy as _

from mining import interest
from mining.interest import INTEREST, WITH_INTERVALS
from surveys.errors.error import SurveyError
from surveys.formats.columns import Column, Text, column
from surveys.formats.pagination import Pages, query_fields
from surveys.formats.pagination import pages as pages_of
from surveys.models import RuleRow, Run, Verdict
from surveys.models.audit_event import audit_event_record
from surveys.questionnaire.labels import find_items, labels_of, pack_items, unpack_items
from surveys.runs.predictions import Prediction, predicted_of
from surveys.runs.run_summary import planned_pair, shown_itemsets, shown_rules

Interval: TypeAlias = tuple[float | None, float | None]

End: TypeAlias = Literal["from", "to"]
"""Which limit of a filter: the smallest or the largest estimate that it lets through."""

ENDS: Final[tuple[End, ...]] = ("from", "to")


@dataclass(frozen=True, kw_only=True)
class Measure:
    """One measure of a rule.

    Attributes
    ----------
    name : str
        Its name in addresses and files.
    column : str
        Its database field as a lookup from `RuleRow`; empty if the table cannot be sorted by it.
    """

    name: str
    label: Text
    hint: Text
    column: str = ""


_WORDS: Final[Mapping[str, tuple[Text, Text]]] = {
    "support": (_("support"), _("share of all with both sides")),
    "confidence": (
        _("confidence"), _("share of people with the left side who also have the right side"),
    ),
    "lift": (_("lift"), _("confidence divided by the share of all people who have the right side")),
    "leverage": (_("leverage"), _("support minus the support expected under independence")),
    "conviction": (
        _("conviction"), _("how much more rarely the rule fails than it would under independence"),
    ),
}  # fmt: skip
"""Labels and hints of measures with intervals; others have their name and their formula."""

MAIN: Final = tuple(
    Measure(name=name, label=label, hint=hint, column=name)
    for name, own in WITH_INTERVALS.items()
    for label, hint in (_WORDS.get(name, (name, own.words)),)
)
TESTED: Final = (
    Measure(
        name="error",
        label=_("error W"),
        hint=_("distance of the support from the true value, or the expected distance"),
        column="error",
    ),
    Measure(
        name="p_adjusted",
        label=_("p, adjusted"),
        hint=_("for “lift is above 1”, corrected for all tests of the run"),
        column="inference__p_adjusted",
    ),
    Measure(
        name="flips",
        label=_("flips"),
        hint=_("number of false rows with all items that would overturn the test"),
        column="inference__flips",
    ),
)
SHOWN: Final = {measure.name: measure for measure in (*MAIN, *TESTED)}
"""Measures that filters can limit."""


def further_measures() -> dict[str, Measure]:
    """Return the other measures of the registry, which the table shows one at a time.

    >>> further_measures()["odds_ratio"].label
    'odds ratio'
    """
    return {
        name: Measure(name=name, label=name.replace("_", " "), hint=own.words)
        for name, own in INTEREST.items()
    }


NONE: Final = "none"
"""The filter for rules without a verdict."""


def with_verdict(rules: QuerySet[RuleRow], opinion: str) -> QuerySet[RuleRow]:
    """Return the rules whose newest verdict is this one; "none" selects rules without a verdict."""
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
"""By a limit's name in addresses: its measure and which end it limits."""

_FILTERS: Final = ("text", "item", "length", "holds", "redundant", "maximal", "verdict")

_YES_NO: Final = {"holds": "inference__passes", "maximal": "inference__maximal"}


@dataclass(frozen=True, kw_only=True)
class RuleQuery:
    """A selection of rules and their order.

    Attributes
    ----------
    text : str
        Only rules that have, for each of its words, an item with the word in its key, question or answer.
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
        # A side means nothing without an item.
        if changed.item is None:
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
        rules = rules.filter(_has_item(query.item, query.side))
    for word in query.text.split():
        rules = rules.filter(_matches_word(run, word))
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


def _has_item(item: int, side: str) -> Q:
    holds = f",{item},"
    before, after = Q(antecedent__contains=holds), Q(consequent__contains=holds)
    if side == "not":
        return ~before & ~after
    return {"antecedent": before, "consequent": after}.get(side, before | after)


def _matches_word(run: Run, word: str) -> Q:
    condition = Q(pk__in=())
    for item in find_items(labels_of(run.version, run.version.to_design()), word):
        condition |= _has_item(item, "either")
    return condition


def _order(query: RuleQuery) -> tuple[OrderBy | str, ...]:
    name, falling = query.sort.removeprefix("-"), query.sort.startswith("-")
    if name == "order":
        return ("-pk" if falling else "pk",)
    measure = SHOWN.get(name)
    column = F(measure.column if measure else "n" if name == "n" else "lift")
    first = column.desc(nulls_last=True) if falling else column.asc(nulls_last=True)
    return (first, F("lift").desc(nulls_last=True), "pk") if name == "p_adjusted" else (first, "pk")


LONGEST_NOTE: Final = 2_000
OPINIONS: Final = tuple(Verdict.Opinion.values)


def verdict_give(
    *, rule: RuleRow, opinion: str, note: str, by: User, now: datetime, seen: int | None = None
) -> tuple[Verdict, ...]:
    """Add a verdict to a rule's history.

    Parameters
    ----------
    rule : RuleRow
    opinion, note : str
    by : User
    now : datetime
    seen : int or None
        Number of the newest verdict that `by` saw when deciding, 0 for none; None if it is unknown.

    Returns
    -------
    tuple of Verdict
        Verdicts that others gave in the meantime, newest first. They are kept, and the page should show them
        to `by`.

    Raises
    ------
    SurveyError
        ``opinion``: unknown; ``note_length``: too long; ``reason``: a rejection without a note.
    """
    note = _validate_note(opinion, note)
    with transaction.atomic():
        others = rule.verdicts.exclude(by=by.get_username())
        meanwhile = () if seen is None else tuple(others.filter(pk__gt=seen))
        verdict = Verdict(rule=rule, opinion=opinion, note=note, by=by.get_username(), at=now)
        verdict.save()
        audit_event_record(
            actor=by.get_username(),
            action="verdict_give",
            target=f"{rule.run.survey.slug} run {rule.run_id} rule {rule.pk}",
            detail={"opinion": opinion, "verdict": verdict.pk},
        )
    return meanwhile


def history_of(rule: RuleRow) -> tuple[Verdict, ...]:
    """Return all verdicts on a rule, newest first."""
    return tuple(rule.verdicts.all())


def newest_verdicts(rules: Sequence[int]) -> Mapping[int, Verdict]:
    """Return the newest verdict on each of these rules; rules without a verdict are left out."""
    newest = Verdict.objects.filter(pk__in=_newest(RuleRow.objects.filter(pk__in=rules)))
    return {verdict.rule_id: verdict for verdict in newest}


def opinions_of(run: Run) -> dict[str, int]:
    """Count the rules of a run by their newest verdict."""
    newest = _newest(shown_rules(run).filter(verdicts__isnull=False).distinct())
    counts = (
        Verdict.objects.filter(pk__in=newest).order_by().values_list("opinion").annotate(rules=Count("pk"))
    )
    return dict.fromkeys(OPINIONS, 0) | dict(counts)


def verdicts_of(by: User, runs: Collection[int], *, most: int) -> list[Verdict]:
    """Return one person's newest verdicts on rules of some runs, one per rule, newest first."""
    verdicts = Verdict.objects.filter(by=by.get_username(), rule__run__in=runs).select_related("rule")
    latest: dict[int, Verdict] = {}
    for verdict in verdicts[: most * 4]:
        latest.setdefault(verdict.rule_id, verdict)
    return list(latest.values())[:most]


def _newest(rules: QuerySet[RuleRow]) -> QuerySet[RuleRow, Any]:
    """Return a subquery of the key of each rule's newest verdict."""
    newest = Verdict.objects.filter(rule=OuterRef("pk")).order_by("-pk").values("pk")[:1]
    return rules.annotate(newest_verdict=Subquery(newest)).values("newest_verdict")


def _validate_note(opinion: str, note: str) -> str:
    if opinion not in OPINIONS:
        raise SurveyError("opinion", opinion, opinion=opinion)
    note = note.strip()
    if len(note) > LONGEST_NOTE:
        raise SurveyError("note_length", len(note), length=len(note), most=LONGEST_NOTE)
    if opinion == Verdict.Opinion.REJECTED and not note:
        raise SurveyError("reason", note)
    return note


_ROWS_AT_A_TIME = 2_000
PLANNED_LEVEL: Final = 0.95
_FIRST = 3
"""Support, confidence and lift, which most readers need."""


@dataclass(frozen=True, kw_only=True)
class RulePage:
    """One page of the table.

    Attributes
    ----------
    lines : tuple of (RuleRow, Verdict or None, Prediction or None)
        Rules, each with its newest verdict and the predicted support of its itemset.
    measures : tuple of Measure
        Measures that the table shows.
    unlisted : tuple of Prediction
        Predicted itemsets that the run does not list; only on the first page without a filter.
    """

    lines: tuple[tuple[RuleRow, Verdict | None, Prediction | None], ...]
    columns: tuple[Column, ...]
    measures: tuple[Measure, ...]
    matching: int
    all: int
    pages: Pages
    shows_n: bool
    unlisted: tuple[Prediction, ...] = ()

    @property
    def has_rare(self) -> bool:
        """Whether the page shows a prediction of rare answers by an older version."""
        return any(own.rare for own in self._predictions)

    @property
    def has_undetermined(self) -> bool:
        """Whether the page shows predictions that only intervals say something about."""
        return any(own.basis == "not determined" for own in self._predictions)

    @property
    def _predictions(self) -> list[Prediction]:
        return [*(own for _row, _verdict, own in self.lines if own is not None), *self.unlisted]

    @property
    def rest(self) -> int:
        """Number of columns that a row of `unlisted` leaves empty: all except name, n and prediction."""
        return len(self.columns) - 2 - self.shows_n


def rule_page(run: Run, query: RuleQuery) -> RulePage:
    """Return one page of the rules that match a query; the last page if the number is too large."""
    count = rules_matching(run, query).count()
    pages = pages_of(query, count=count, size=query.size)
    first = (pages.page - 1) * query.size
    rows = rules_by_key(run, rule_keys(run, query, first, first + query.size))
    verdicts = newest_verdicts([row.pk for row in rows])
    shows_n = any(row.n != rows[0].n for row in rows)
    further = further_measures().get(query.measures)
    measures = MAIN if query.measures == "all" else (*MAIN[:_FIRST], *([further] if further else []))
    predicted = predicted_of(run) if query.predicted else []
    index = {pack_items(own.items): own for own in predicted}
    others: list[Prediction] = []
    if predicted and not query.filters and pages.page == 1:
        found = set(shown_itemsets(run).filter(items__in=index).values_list("items", flat=True))
        others = [own for items, own in index.items() if items not in found]
    return RulePage(
        lines=tuple((row, verdicts.get(row.pk), index.get(itemset_of(row))) for row in rows),
        columns=_columns(query, measures, shows_n=shows_n, truth=run.summary.get("truth") is not None),
        measures=measures,
        matching=count,
        all=run.summary.get("rules", count) if query.filters else count,
        pages=pages,
        shows_n=shows_n,
        unlisted=tuple(others),
    )


def rules_by_key(run: Run, keys: Sequence[int]) -> list[RuleRow]:
    """Return these rules of a run in this order, each with its test and the intervals that pages show.

    Notes
    -----
    A rule that the run picked has wider intervals, at the level for picked rules, like its itemset; leverage
    and conviction have none. The pair that was planned before the first answer keeps 95% intervals, in the
    planned direction.
    """
    rules = RuleRow.objects.select_related("inference").in_bulk(keys)
    rows = [rules[key] for key in keys]
    itemsets, plan_sides = {row.pk: itemset_of(row) for row in rows}, planned_sides(run)
    supports = itemset_intervals(run, set(itemsets.values()))
    for row in rows:
        _set_intervals(row, plan_sides)
        row.intervals = {"support": supports.get(itemsets[row.pk], (None, None)), **row.intervals}
    return rows


def itemset_intervals(run: Run, itemsets: Collection[str]) -> dict[str, Interval]:
    """Return the intervals of listed itemsets by their packed items, at the level for picked itemsets."""
    rows = shown_itemsets(run).filter(items__in=itemsets)
    return {
        items: (low, high)
        for items, low, high in rows.values_list("items", "inference__low", "inference__high")
    }


def _set_intervals(row: RuleRow, planned: tuple[str, ...]) -> None:
    """Set the intervals of a rule that pages show: wider ones if the run picked it."""
    test = row.inference
    if (row.antecedent, row.consequent) == planned:
        row.intervals = {
            measure.name: (getattr(row, f"{measure.name}_low"), getattr(row, f"{measure.name}_high"))
            for measure in MAIN
        }
    else:
        row.intervals = {
            "confidence": (test.confidence_low, test.confidence_high),
            "lift": (test.lift_low, test.lift_high),
        }


def rules_by_sides(run: Run, sides: Sequence[tuple[str, str]]) -> list[RuleRow]:
    """Return the rules with these packed sides, in this order, without intervals for the support."""
    found = (
        shown_rules(run)
        .select_related("inference")
        .filter(antecedent__in=[before for before, _ in sides], consequent__in=[after for _, after in sides])
    )
    plan_sides, rows = planned_sides(run), {(row.antecedent, row.consequent): row for row in found}
    for row in rows.values():
        _set_intervals(row, plan_sides)
    return [rows[own] for own in sides]


def itemset_of(row: RuleRow) -> str:
    """Return the items of both sides, packed."""
    return pack_items(sorted(unpack_items(row.antecedent) + unpack_items(row.consequent)))


def planned_sides(run: Run) -> tuple[str, ...]:
    """Return the planned pair as the packed sides of a rule; empty if no pair was planned."""
    return tuple(pack_items([run.design.item(key).index]) for key in planned_pair(run))


def levels_of(run: Run, rule: RuleRow | None = None) -> tuple[float, float]:
    """Return the confidence levels of a rule's intervals and of its support's; 95% if it was planned."""
    if rule is not None and (rule.antecedent, rule.consequent) == planned_sides(run):
        return PLANNED_LEVEL, PLANNED_LEVEL
    tests = run.summary["inference"]
    return float(tests["rule_level"]), float(tests["itemset_level"])


def all_rules(run: Run, query: RuleQuery) -> Iterator[RuleRow]:
    """Yield all rules that match a query, without keeping them all in memory."""
    keys = rule_keys(run, query)
    for start in range(0, len(keys), _ROWS_AT_A_TIME):
        yield from rules_by_key(run, keys[start : start + _ROWS_AT_A_TIME])


def true_measures(row: RuleRow) -> dict[str, float]:
    """Return the true measures of a rule if the truth is known, without those that divide by zero."""
    both, before, after = row.truth, row.truth_antecedent, row.truth_consequent
    if both is None or before is None or after is None:
        return {}
    return interest.true_measures(both, before, after)


def _columns(
    query: RuleQuery, measures: Sequence[Measure], *, shows_n: bool, truth: bool
) -> tuple[Column, ...]:
    error, p_adjusted, fragility = TESTED
    heads = [
        column(
            query, "order", gettext_lazy("Rule"), numeric=False,
            hint=gettext_lazy("in the order of the questionnaire, shorter ones first"),
        )
    ]  # fmt: skip
    if shows_n:
        hint = gettext_lazy("answers from people who were asked every item of the rule")
        heads.append(column(query, "n", "n", hint=hint))
    if query.predicted:
        hint = gettext_lazy("support of the itemset, from the shares and what all pairs have in common")
        heads.append(Column(label=gettext_lazy("predicted"), numeric=True, hint=hint))
    in_full = query.measures == "all"
    visible = [*measures, *([error] if in_full or truth else [])]
    visible += [p_adjusted, fragility] if in_full else [p_adjusted]
    for measure in visible:
        rising_first = measure.name in ("p_adjusted", "error")
        heads.append(
            column(query, measure.name, measure.label, hint=measure.hint, rising_first=rising_first)
            if measure.column
            else Column(label=measure.label, numeric=True, hint=measure.hint)
        )
    return tuple(heads)
