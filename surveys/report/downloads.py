"""Files that staff take away: CSV, JSON and SVG of a run."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from surveys.access.permissions import get_run_for_report, staff_page
from surveys.charts import scatter
from surveys.figures.itemsets import ItemsetQuery, itemsets_matching
from surveys.figures.parquet import rules_as_parquet
from surveys.figures.rule_query import RuleQuery
from surveys.figures.rules import all_rules
from surveys.figures.tables import itemsets_as_csv, rules_as_csv, rules_as_json
from surveys.formats.attachments import csv_file, picture_file, streamed_file
from surveys.models import Run
from surveys.questionnaire.labels import Labels
from surveys.report.forms import RuleFilterForm
from surveys.report.pictures.rule_pictures import (
    drawn_rules,
    panels_of,
    scatter_words,
)
from surveys.report.run_page import OpenedRun, with_results


@staff_page
@require_safe
def rules_csv(request: HttpRequest, run_id: int) -> StreamingHttpResponse:
    """Send the rules that the address asks for, all of them without a filter."""
    run, labels = finished_run(request, run_id)
    lines = rules_as_csv(all_rules(run, query_of(request, labels, run)), labels, run)
    return csv_file(lines, f"sotto-run-{run_id}-rules.csv")


@staff_page
@require_safe
def rules_json(request: HttpRequest, run_id: int) -> StreamingHttpResponse:
    """Send the rules that the address asks for, with what their run was."""
    run, labels = finished_run(request, run_id)
    parts = rules_as_json(all_rules(run, query_of(request, labels, run)), labels, run)
    return streamed_file(parts, "application/json", f"sotto-run-{run_id}-rules.json")


@staff_page
@require_safe
def rules_parquet(request: HttpRequest, run_id: int) -> StreamingHttpResponse:
    """Send the rules that the address asks for as columns, with what their run was in the file's head."""
    run, labels = finished_run(request, run_id)
    parts = rules_as_parquet(all_rules(run, query_of(request, labels, run)), labels, run)
    return streamed_file(parts, "application/vnd.apache.parquet", f"sotto-run-{run_id}-rules.parquet")


@staff_page
@require_safe
def itemsets_csv(request: HttpRequest, run_id: int) -> StreamingHttpResponse:
    """Send all itemsets."""
    run, labels = finished_run(request, run_id)
    rows = itemsets_matching(run, ItemsetQuery()).iterator(chunk_size=2_000)
    return csv_file(itemsets_as_csv(rows, labels, run), f"sotto-run-{run_id}-itemsets.csv")


@staff_page
@require_safe
def rules_svg(request: HttpRequest, run_id: int) -> HttpResponse:
    """Send the support-confidence picture of the rules that the address asks for."""
    run, labels = finished_run(request, run_id)
    panels = panels_of(drawn_rules(run, query_of(request, labels, run)), run, labels)
    drawing = scatter.sheet_svg(panels, scatter_words(), title=run.survey.title_text)
    return picture_file(drawing, f"sotto-run-{run_id}-rules.svg")


def finished_run(request: HttpRequest, run_id: int) -> OpenedRun:
    """Return a run whose results may be shown; 404 else."""
    return with_results(get_run_for_report(request.user, run_id))


def query_of(request: HttpRequest, labels: Labels, run: Run) -> RuleQuery:
    """Return the query in the address."""
    return RuleFilterForm.of_run(request.GET, run, labels).query()
