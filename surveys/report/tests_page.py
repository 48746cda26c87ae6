"""The page of a run that says which of its rules hold."""

from __future__ import annotations

from typing import Final

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from mining.thresholds import Thresholds
from surveys.formats.figures import number
from surveys.models import RuleInference, Run
from surveys.report.run_page import OpenedRun, only_if_fitting, place_among_runs, results_page

RULES_PER_PAGE: Final = 100


@results_page
@only_if_fitting("tests")
def rule_tests(request: HttpRequest, opened: OpenedRun) -> HttpResponse:
    """Show the tests of a run's rules, those that hold first."""
    run, labels = opened
    summary = run.summary.get("inference")
    rows = _rows(run)
    lines = list(rows[:RULES_PER_PAGE]) if summary else []
    context = {
        "run": run,
        "inference": summary,
        "rule_level": number(100 * summary["rule_level"], 2) if summary else "",
        "lines": lines,
        "labels": labels,
        "shows_n": len({row.rule.n for row in lines}) > 1,
        "advice": () if rows.exists() else advice_without_rules(run, run.thresholds),
        "more": max(0, rows.count() - RULES_PER_PAGE) if summary else 0,
        "place": place_among_runs(run),
    }
    return render(request, "report/run_tests.html", context)


def _rows(run: Run) -> QuerySet[RuleInference]:
    return (
        RuleInference.objects.filter(rule__run=run)
        .select_related("rule")
        .order_by("p_adjusted", "p_value", "pk")
    )


def advice_without_rules(run: Run, thresholds: Thresholds) -> tuple[str, ...]:
    """Return what to change so that a run of the same rows lists rules; the surest change first.

    A run whose questionnaire, sides and longest itemset permit no rule at all (M = 0) is told so: no
    threshold would help it.
    """
    sides = thresholds.sides
    advice: list[str] = []
    if thresholds.max_size < 2:
        advice.append(_("Allow itemsets of at least 2 items. A rule needs at least one item on each side."))
    if sides.antecedent is not None or sides.consequent is not None:
        advice.append(_("Allow more questions before or after the arrow."))
    tests = run.summary.get("inference")
    if tests is not None and tests["family"]["lift"] == 0:
        return tuple(advice) or (_("Publish a questionnaire with at least two questions that can be asked."),)
    itemsets = run.summary.get("itemsets", 0)
    if itemsets and (thresholds.confidence > 0 or thresholds.lift is not None):
        thresholds_said = (
            [_("confidence from %s") % f"{thresholds.confidence:g}"] if thresholds.confidence > 0 else []
        )
        thresholds_said += [_("lift from %s") % f"{thresholds.lift:g}"] if thresholds.lift is not None else []
        advice.append(_("Lower or remove the threshold: %s.") % ", ".join(thresholds_said))
    if thresholds.support > 0.001:
        advice.append(_("Lower the support, now from %s.") % f"{thresholds.support:g}")
    return tuple(advice) or (
        _("Wait for more answers. With these, no rule can be distinguished from random noise."),
    )
