"""The rule table: filtered, sorted and paged by the database, 50,000 rules as fast as 50."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy

from surveys.figures.measures import MAIN, TESTED
from surveys.figures.rule_query import RuleQuery, rule_keys, rules_matching
from surveys.figures.verdicts import newest_verdicts
from surveys.formats.table_links import Column, Pages, column
from surveys.formats.table_links import pages as pages_of
from surveys.models import ItemsetRow, RuleInference, RuleRow, Run, Verdict
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.labels import pack_items, unpack_items

_ROWS_AT_A_TIME = 2_000
_FIRST = 3
"""Support, confidence and lift: what most readers need."""


@dataclass(frozen=True, kw_only=True)
class RulePage:
    """One page of the table: rules, each with its newest verdict."""

    lines: tuple[tuple[RuleRow, Verdict | None], ...]
    columns: tuple[Column, ...]
    matching: int
    all: int
    pages: Pages
    shows_n: bool
    tested: bool


def rule_page(run: Run, query: RuleQuery) -> RulePage:
    """Return one page of the rules that a query asks for; a page beyond the last is the last."""
    count = rules_matching(run, query).count()
    pages = pages_of(query, count=count, size=query.size)
    first = (pages.page - 1) * query.size
    rows = rules_by_key(run, rule_keys(run, query, first, first + query.size))
    verdicts = newest_verdicts([row.pk for row in rows])
    shows_n = any(row.n != rows[0].n for row in rows)
    return RulePage(
        lines=tuple((row, verdicts.get(row.pk)) for row in rows),
        columns=_columns(
            query,
            shows_n=shows_n,
            tested=run.summary.get("inference") is not None,
            truth=run.summary.get("truth") is not None,
        ),
        matching=count,
        all=run.summary.get("rules", count) if query.filters else count,
        pages=pages,
        shows_n=shows_n,
        tested=run.summary.get("inference") is not None,
    )


def rules_by_key(run: Run, keys: Sequence[int]) -> list[RuleRow]:
    """Return these rules of a run in this order, each with its test and the intervals that pages print.

    Notes
    -----
    A rule that the run picked has intervals at the level for picked rules, as the itemset has that it is made
    of; leverage and conviction have none. The pair that was planned before the first answer keeps those of
    95%, in its direction, as do the rules of a run without tests.
    """
    rules = RuleRow.objects.select_related("inference").in_bulk(keys)
    rows = [rules[key] for key in keys]
    itemsets, planned = {row.pk: _itemset_of(row) for row in rows}, planned_sides(run)
    listed = ItemsetRow.objects.filter(run=run, items__in=set(itemsets.values()))
    supports = {
        items: (low, high)
        for items, low, high in listed.values_list("items", "inference__low", "inference__high")
    }
    for row in rows:
        test = inference_of(row)
        if test is None or (row.antecedent, row.consequent) == planned:
            row.printed = {
                measure.name: (getattr(row, f"{measure.name}_low"), getattr(row, f"{measure.name}_high"))
                for measure in MAIN
            }
        else:
            row.printed = {
                "support": supports.get(itemsets[row.pk], (None, None)),
                "confidence": (test.confidence_low, test.confidence_high),
                "lift": (test.lift_low, test.lift_high),
            }
    return rows


def _itemset_of(row: RuleRow) -> str:
    return pack_items(sorted(unpack_items(row.antecedent) + unpack_items(row.consequent)))


def planned_pair(run: Run) -> tuple[str, str] | tuple[()]:
    """Return the keys of the pair that a survey was planned for: people with the first, and the outcome."""
    aim = Aim.from_json(run.version.aim)
    wanted = () if aim is None else aim.items_wanted(run.design)
    return (wanted[0], wanted[1]) if len(wanted) == 2 else ()


def planned_sides(run: Run) -> tuple[str, ...]:
    """Return the planned pair as the sides of a rule, packed; nothing where no pair was planned."""
    return tuple(pack_items([run.design.item(key).index]) for key in planned_pair(run))


def picked_level(run: Run) -> float:
    """Return the level of the intervals of rules that a run picked."""
    tests = run.summary.get("inference")
    return float(tests["rule_level"]) if tests else 0.95


def inference_of(row: RuleRow) -> RuleInference | None:
    """Return the test of a rule; None in runs that had none."""
    return getattr(row, "inference", None)


def all_rules(run: Run, query: RuleQuery) -> Iterator[RuleRow]:
    """Yield every rule that a query asks for, without keeping them all in memory."""
    keys = rule_keys(run, query)
    for start in range(0, len(keys), _ROWS_AT_A_TIME):
        yield from rules_by_key(run, keys[start : start + _ROWS_AT_A_TIME])


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


def _columns(query: RuleQuery, *, shows_n: bool, tested: bool, truth: bool) -> tuple[Column, ...]:
    error, p_adjusted, fragility = TESTED
    heads = [
        column(
            query, "order", gettext_lazy("Rule"), numeric=False,
            hint=gettext_lazy("in the order of the questionnaire, shorter ones first"),
        )
    ]  # fmt: skip
    if shows_n:
        hint = gettext_lazy("answers of those asked everything in the rule")
        heads.append(column(query, "n", "n", hint=hint))
    shown = [*MAIN, error] if query.measures else [*MAIN[:_FIRST], *([error] if truth else [])]
    if tested:
        shown += [p_adjusted, fragility] if query.measures else [p_adjusted]
    for measure in shown:
        heads.append(
            column(
                query,
                measure.name,
                measure.label,
                hint=measure.hint,
                rising_first=measure.name in ("p_adjusted", "error"),
            )
        )
    return tuple(heads)
