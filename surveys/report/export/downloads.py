"""Downloads of the tables of rules and itemsets."""

from __future__ import annotations

from django.http import Http404, HttpRequest, StreamingHttpResponse

from surveys.errors.error import SurveyError
from surveys.formats.file_responses import csv_file, streamed_file
from surveys.report.export.rule_columns import itemsets_as_csv, rules_as_csv, rules_as_json
from surveys.report.opened_run import OpenedRun, results_file
from surveys.report.rules.rows_or_counts import all_itemsets
from surveys.report.rules.rule_filters import RuleFilterForm
from surveys.report.rules.rule_rows import all_rules
from surveys.runs.look_words import file_mark


@results_file
def rules(request: HttpRequest, open_run: OpenedRun, ending: str) -> StreamingHttpResponse:
    """Send the rules that match the filters in the address."""
    if ending not in ("csv", "json"):
        raise Http404
    run, labels = open_run
    form = RuleFilterForm.of_run(request.GET, run, labels)
    rows = all_rules(run, form.query())
    if problems := form.complaints():
        raise SurveyError("parameters", problems=" ".join(problems))
    name = f"sottovoce-run-{run.pk}{file_mark(run)}-rules.{ending}"
    if ending == "csv":
        return csv_file(rules_as_csv(rows, labels, run), name)
    return streamed_file(rules_as_json(rows, labels, run), "application/json", name)


@results_file
def itemsets_csv(_request: HttpRequest, open_run: OpenedRun) -> StreamingHttpResponse:
    """Send all itemsets."""
    run, labels = open_run
    return csv_file(
        itemsets_as_csv(all_itemsets(run), labels, run),
        f"sottovoce-run-{run.pk}{file_mark(run)}-itemsets.csv",
    )
