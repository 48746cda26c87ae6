"""The report: all of Results on one page to print, to cite and to check, with what reviewers said."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from surveys.access.permissions import get_run_for_report, staff_page
from surveys.access.roles import is_expert
from surveys.figures.rule_query import with_verdict
from surveys.figures.rules import rules_by_key
from surveys.figures.verdicts import history_of, opinions_of
from surveys.models import RuleRow, Run, Verdict
from surveys.questionnaire.labels import about_names, about_texts
from surveys.report.results_page import results_context
from surveys.report.rule_words import rule_text
from surveys.report.run_page import OpenedRun, place_among_runs, with_results

MOST_RULES: Final = 500
"""Rules on paper; the files have them all."""


@staff_page
@require_safe
def printed(request: HttpRequest, run_id: int) -> HttpResponse:
    """Show the results of a run as a report."""
    opened = with_results(get_run_for_report(request.user, run_id))
    context = printed_context(
        opened,
        address=request.build_absolute_uri(request.path),
        for_experts=is_expert(request.user),
    )
    return render(request, "report/printed.html", context)


def printed_context(opened: OpenedRun, *, address: str, for_experts: bool = True) -> dict[str, object]:
    """Return what the report needs; `address` is where it can be looked up.

    For experts it has each part's chances and adjusted p-values.
    """
    run, labels = opened
    accepted = with_verdict(run.rules.all(), Verdict.Opinion.ACCEPTED)
    keys = list(accepted.order_by("-lift", "pk").values_list("pk", flat=True))
    tests = run.summary.get("inference")
    opinions = opinions_of(run)
    context = results_context(opened)
    together = [*context["together"], *context["further"]]
    return context | {
        "about": about_lines(run),
        "rules": [
            (rule_text(run, row, labels), voices_on(row)) for row in rules_by_key(run, keys[:MOST_RULES])
        ],
        "together": [(text, voices_on(text.rule)) for text in together],
        "is_reviewed": any(opinions.values()),
        "left_out": max(0, len(keys) - MOST_RULES),
        "tests": tests,
        "place": place_among_runs(run),
        "address": address,
        "for_experts": for_experts,
        "now": timezone.now(),
    }


def about_lines(run: Run) -> list[tuple[str, str]]:
    """Return the researcher's statements about the survey, by name."""
    order = ("researcher", "purpose", "ethics", "population", "frame", "contact", "retention")
    texts = about_texts(run.version)
    return [(about_names()[key], texts[key]) for key in order if texts.get(key)]


def voices_on(rule: RuleRow) -> tuple[Verdict, ...]:
    """Return each person's newest verdict on a rule, the newest first."""
    voices: dict[str, Verdict] = {}
    for verdict in history_of(rule):
        voices.setdefault(verdict.by, verdict)
    return tuple(voices.values())
