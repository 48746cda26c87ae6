"""The rule table: filtered, sorted and paged by the database, 50,000 rules as fast as 50."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.analysis.measures import FURTHER, MAIN, TESTED
from surveys.analysis.rule_query import RuleQuery, rule_keys, rules_matching
from surveys.analysis.verdicts import VerdictLine, newest_verdicts
from surveys.disclosure.disclosure import shown_count
from surveys.formats.figures import Figure, difference_figure, number, p_text, ratio_figure, share_figure
from surveys.formats.table_links import Column, Pages, column
from surveys.formats.table_links import pages as pages_of
from surveys.models import RuleInference, RuleRow, Run
from surveys.questionnaire.labels import Labels, unpack_items

_ROWS_AT_A_TIME = 2_000
_FIRST = 3
"""Support, confidence and lift: what most readers need."""


@dataclass(frozen=True, kw_only=True)
class RuleLine:
    """One rule, ready to print; what its test says is empty in runs that had none.

    Attributes
    ----------
    rank : int
        Its place in the order that was asked for, from 1.
    also : str
        The further measure that was asked for.
    """

    id: int
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
    tested: bool = False
    passes: bool = False
    p_value: str = ""
    p_adjusted: str = ""
    redundant_by: str = ""
    maximal: bool = False
    flips: str = ""
    also: str = ""
    verdict: VerdictLine | None = None


@dataclass(frozen=True, kw_only=True)
class RulePage:
    """One page of the table."""

    lines: tuple[RuleLine, ...]
    columns: tuple[Column, ...]
    matching: int
    all: int
    pages: Pages
    shows_n: bool
    tested: bool


def rule_page(run: Run, query: RuleQuery, labels: Labels) -> RulePage:
    """Return one page of the rules that a query asks for; a page beyond the last is the last."""
    count = rules_matching(run, query).count()
    pages = max(1, -(-count // query.size))
    page = min(query.page, pages)
    first = (page - 1) * query.size
    rows = rules_by_key(rule_keys(run, query, first, first + query.size))
    said = newest_verdicts([row.pk for row in rows])
    lines = tuple(
        rule_line(
            row,
            first + place,
            labels,
            inference=inference_of(row),
            also=query.also,
            verdict=said.get(row.pk),
        )
        for place, row in enumerate(rows, start=1)
    )
    shows_n = any(line.n != lines[0].n for line in lines)
    return RulePage(
        lines=lines,
        columns=_columns(
            query,
            shows_n=shows_n,
            tested=run.summary.get("inference") is not None,
            truth=run.summary.get("truth") is not None,
        ),
        matching=count,
        all=run.summary.get("rules", count) if query.filters else count,
        pages=pages_of(query, page=page, of=pages),
        shows_n=shows_n,
        tested=run.summary.get("inference") is not None,
    )


def rules_by_key(keys: list[int]) -> list[RuleRow]:
    """Return these rules in this order, each with its test."""
    found = RuleRow.objects.select_related("inference").in_bulk(keys)
    return [found[key] for key in keys]


def inference_of(row: RuleRow) -> RuleInference | None:
    """Return the test of a rule; None in runs that had none."""
    return getattr(row, "inference", None)


def all_rules(run: Run, query: RuleQuery) -> Iterator[RuleRow]:
    """Yield every rule that a query asks for, without keeping them all in memory."""
    keys = rule_keys(run, query)
    for start in range(0, len(keys), _ROWS_AT_A_TIME):
        yield from rules_by_key(keys[start : start + _ROWS_AT_A_TIME])


def rule_line(
    row: RuleRow,
    rank: int,
    labels: Labels,
    *,
    inference: RuleInference | None = None,
    also: str = "",
    verdict: VerdictLine | None = None,
) -> RuleLine:
    """Return a rule as the page prints it."""
    true = true_measures(row)
    line = RuleLine(
        id=row.pk,
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
        n=shown_count(row.n),
        few_rows=row.few_rows,
        verdict=verdict,
    )
    return line if inference is None else _with_test(line, inference, labels, also)


def _with_test(line: RuleLine, inference: RuleInference, labels: Labels, also: str) -> RuleLine:
    return replace(
        line,
        tested=True,
        passes=inference.passes,
        p_value=p_text(inference.p_value),
        p_adjusted=p_text(inference.p_adjusted),
        redundant_by=labels.short(unpack_items(inference.redundant_by)),
        maximal=inference.maximal,
        flips=_("none") if inference.flips is None else str(inference.flips),
        also=number(inference.interest.get(also)) if also else "",
    )


def lift_is_clear(row: RuleRow) -> bool:
    """Return whether the test of "lift is 1" rejects, on the side of 1 where the estimate lies."""
    if row.lift is None or row.lift_low is None or row.lift_high is None:
        return False
    # P(A) P(B) below 0 would turn the estimate to the other side.
    if row.support is None or row.leverage is None or row.support < row.leverage:
        return False
    return (row.lift > 1 and row.lift_low > 1) or (row.lift < 1 and row.lift_high < 1)


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
    error, p_adjusted, flips = TESTED
    further = FURTHER.get(query.also)
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
        shown += [p_adjusted, flips] if query.measures else [p_adjusted]
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
    if further and tested:
        heads.append(column(query, "also", further.label, hint=further.hint))
    return tuple(heads)
