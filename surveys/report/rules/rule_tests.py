"""The page that lists the tests of a run's rules."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from surveys.formats.numbers import number
from surveys.report.opened_run import OpenedRun, results_page
from surveys.report.place_among_runs import place_among_runs
from surveys.report.rules.no_rules import advice_without_rules
from surveys.report.rules.rows_or_counts import listing_of
from surveys.report.rules.rule_query import RuleQuery
from surveys.report.rules.rule_rows import rules_by_key
from surveys.report.sentences.absence import absence_of_links
from surveys.runs.planned_sides import planned_sides

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
