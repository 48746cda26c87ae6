"""The page of the tests of a run's rules, and advice for a run without rules."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from mining.thresholds import Thresholds
from surveys.formats.joints import list_text
from surveys.formats.numbers import number
from surveys.models import Run
from surveys.report.opened_run import OpenedRun, place_among_runs, results_page
from surveys.report.rules.rows_or_counts import listing_of
from surveys.report.rules.rule_query import RuleQuery
from surveys.report.rules.rule_rows import rules_by_key
from surveys.report.sentences.absence import absence_of_links
from surveys.runs.rule_levels import planned_sides

TESTS_PER_PAGE: Final = 100


@results_page
def rule_tests(request: HttpRequest, open_run: OpenedRun) -> HttpResponse:
    """Show the tests of a run's rules, smallest adjusted p-value first."""
    run, labels = open_run
    summary, listing = run.summary["inference"], listing_of(run)
    lines = rules_by_key(run, listing.most_significant(TESTS_PER_PAGE))
    all_tests = listing.count(RuleQuery())
    context = {
        "run": run,
        "inference": summary,
        "rule_level": number(100 * summary["rule_level"], 2),
        "planned": planned_sides(run),
        "lines": lines,
        "labels": labels,
        "shows_n": len({row.n for row in lines}) > 1,
        "advice": () if all_tests else advice_without_rules(run, run.thresholds),
        "more": max(0, all_tests - TESTS_PER_PAGE),
        "absence": absence_of_links(run),
        "place": place_among_runs(run),
    }
    return render(request, "report/rules/run_tests.html", context)


def advice_without_rules(run: Run, thresholds: Thresholds) -> tuple[str, ...]:
    """Return what to change so that a run on the same rows lists rules, the surest change first.

    If the questionnaire, sides and longest itemset permit no rule at all (M = 0), no threshold would help, so
    the advice differs.
    """
    sides = thresholds.sides
    advice: list[str] = []
    if thresholds.max_size < 2:
        advice.append(_("Allow itemsets of at least 2 items. A rule needs at least one item on each side."))
    if sides.antecedent is not None or sides.consequent is not None:
        advice.append(_("Allow more questions before or after the arrow."))
    if run.summary["inference"]["family"]["lift"] == 0:
        return tuple(advice) or (_("Publish a questionnaire with at least two questions that can be asked."),)
    itemsets = run.summary.get("itemsets", 0)
    if itemsets and (thresholds.confidence > 0 or thresholds.lift is not None):
        threshold_names = (
            [_("confidence from %s") % f"{thresholds.confidence:g}"] if thresholds.confidence > 0 else []
        )
        threshold_names += [_("lift from %s") % f"{thresholds.lift:g}"] if thresholds.lift is not None else []
        advice.append(_("Lower or remove the threshold: %s.") % list_text(threshold_names))
    if thresholds.support > 0.001:
        advice.append(_("Lower the support, now from %s.") % f"{thresholds.support:g}")
    return tuple(advice) or (
        _("Wait for more answers. With these, no rule can be distinguished from random noise."),
    )
