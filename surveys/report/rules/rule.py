"""The page of one rule: its sentence, two-by-two table, measures and test."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from privacy.errors import PrivacyError
from surveys.accounts.permissions import may_judge
from surveys.errors.error import sentences
from surveys.models import RuleRow, Run
from surveys.questionnaire.labels import Labels
from surveys.questionnaire.packed_items import unpack_items
from surveys.report.opened_run import OpenedRun, results_page
from surveys.report.rules.corrected_intervals import corrected_intervals
from surveys.report.rules.measures import further_measures
from surveys.report.rules.rows_or_counts import listing_of
from surveys.report.rules.rule_filters import RuleFilterForm
from surveys.report.rules.rule_rows import rules_by_key
from surveys.report.rules.rule_text import rule_text
from surveys.report.rules.selection_words import rule_selection_words
from surveys.report.rules.two_by_two import two_by_two
from surveys.report.rules.verdicts import history_of
from surveys.runs.comparisons import others_of
from surveys.runs.rule_levels import levels_of


@results_page
def rule(request: HttpRequest, open_run: OpenedRun, rule_id: int) -> HttpResponse:
    """Show one rule; its link back to the list keeps the filter in the address."""
    run, labels = open_run
    row = rule_of(run, rule_id)
    table, problem = None, ""
    try:
        level = levels_of(run, row)[0]
        table = two_by_two(run, row, level=level)
        row.intervals = {**corrected_intervals(run, row, level=level), **row.intervals}
    except PrivacyError as error:
        problem = sentences(error)
    context = rule_context(run, row, labels) | {
        "query": RuleFilterForm.of_run(request.GET, run, labels).query(),
        "table": table,
        "problem": problem,
        "family": run.summary["inference"]["family"]["lift"],
        "further": [
            (measure, row.inference.interest.get(measure.name)) for measure in further_measures().values()
        ],
        "permalink": request.build_absolute_uri(reverse("report:rule", args=[run.pk, row.key])),
        "history": history_of(row),
        "may_judge": may_judge(request.user),
    }
    return render(request, "report/rules/run_rule.html", context)


def rule_of(run: Run, rule_id: int) -> RuleRow:
    """Return a rule of a run, with the intervals that pages show; 404 if the run does not have it."""
    if not listing_of(run).has(rule_id):
        raise Http404
    return rules_by_key(run, [rule_id])[0]


def rule_context(run: Run, rule: RuleRow, labels: Labels) -> dict[str, Any]:
    """Return what the pages of one rule share: its sentence, its levels and its questions."""
    return {
        "run": run,
        "rule": rule,
        "labels": labels,
        "text": rule_text(rule, labels, others_of(run, rule)),
        "selection": rule_selection_words(run, rule),
        "questions": [labels.items[item] for item in unpack_items(rule.antecedent + rule.consequent[1:])],
    }
