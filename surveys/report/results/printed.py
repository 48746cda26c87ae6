"""The printed report of a run, with accepted rules and their reviewers."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from surveys.accounts.display_settings import is_expert
from surveys.models import RuleRow, Run, Verdict
from surveys.questionnaire.about_texts import about_names, about_texts
from surveys.report.opened_run import OpenedRun, results_page
from surveys.report.place_among_runs import place_among_runs
from surveys.report.results.results import results_context
from surveys.report.results.series_changes import changes_since_the_wave_before
from surveys.report.rules.rows_or_counts import listing_of
from surveys.report.rules.rule_query import RuleQuery
from surveys.report.rules.rule_rows import rules_by_key
from surveys.report.rules.rule_text import rule_text
from surveys.report.rules.verdicts import history_of, opinions_of
from surveys.runs.comparisons import others_of

MOST_RULES: Final = 500
"""Most rules in the printed report; files have all rules."""


@results_page
def print_report(request: HttpRequest, open_run: OpenedRun) -> HttpResponse:
    """Show the results of a run as a report."""
    context = report_context(
        open_run, address=request.build_absolute_uri(request.path), for_experts=is_expert(request.user)
    ) | {"changes": changes_since_the_wave_before(open_run, request.user)}
    return render(request, "report/results/printed.html", context)


def report_context(open_run: OpenedRun, *, address: str, for_experts: bool = True) -> dict[str, object]:
    """Return the context of the report; `address` is where readers can find it.

    For experts, it includes each block's probabilities and adjusted p-values.
    """
    run, labels = open_run
    keys = listing_of(run).keys(RuleQuery(verdict=Verdict.Opinion.ACCEPTED, sort="-lift"))
    opinions = opinions_of(run)
    context = results_context(open_run)
    together = [*context["together"], *context["further"]]
    return context | {
        "about": about_lines(run),
        "rules": [
            (rule_text(row, labels, others_of(run, row)), verdict_by_person(row))
            for row in rules_by_key(run, keys[:MOST_RULES])
        ],
        "together": [(text, verdict_by_person(text.rule)) for text in together],
        "is_reviewed": any(opinions.values()),
        "left_out": max(0, len(keys) - MOST_RULES),
        "place": place_among_runs(run),
        "address": address,
        "for_experts": for_experts,
        "now": timezone.now(),
    }


def about_lines(run: Run) -> list[tuple[str, str]]:
    """Return the researcher's statements about the survey with their labels."""
    order = ("researcher", "purpose", "ethics", "population", "frame", "contact", "retention")
    texts = about_texts(run.version)
    return [(about_names()[key], texts[key]) for key in order if texts.get(key)]


def verdict_by_person(rule: RuleRow) -> tuple[Verdict, ...]:
    """Return each person's newest verdict on a rule, the newest first."""
    voices: dict[str, Verdict] = {}
    for verdict in history_of(rule):
        voices.setdefault(verdict.by, verdict)
    return tuple(voices.values())
