"""Files that staff take away: rules and itemsets of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from django.http import Http404, HttpRequest, StreamingHttpResponse

from surveys.figures.itemsets import ItemsetQuery, itemsets_matching
from surveys.figures.parquet import rules_as_parquet
from surveys.figures.rules import all_rules
from surveys.figures.tables import itemsets_as_csv, rules_as_csv, rules_as_json
from surveys.formats.attachments import csv_file, streamed_file
from surveys.models import RuleRow, Run
from surveys.questionnaire.labels import Labels
from surveys.report.forms import RuleFilterForm
from surveys.report.run_page import OpenedRun, results_file

_Writer: TypeAlias = Callable[[Iterable[RuleRow], Labels, Run], Iterator[str] | Iterator[bytes]]

_RULES: Final[Mapping[str, tuple[_Writer, str]]] = {
    "csv": (rules_as_csv, "text/csv; charset=utf-8"),
    "json": (rules_as_json, "application/json"),
    "parquet": (rules_as_parquet, "application/vnd.apache.parquet"),
}
"""Writers and media types, by the ending of the file's name."""


@results_file
def rules(request: HttpRequest, opened: OpenedRun, ending: str) -> StreamingHttpResponse:
    """Send the rules that the address asks for, all of them without a filter."""
    if ending not in _RULES:
        raise Http404
    run, labels = opened
    write, media_type = _RULES[ending]
    rows = all_rules(run, RuleFilterForm.of_run(request.GET, run, labels).query())
    return streamed_file(write(rows, labels, run), media_type, f"sotto-run-{run.pk}-rules.{ending}")


@results_file
def itemsets_csv(_request: HttpRequest, opened: OpenedRun) -> StreamingHttpResponse:
    """Send all itemsets."""
    run, labels = opened
    rows = itemsets_matching(run, ItemsetQuery()).iterator(chunk_size=2_000)
    return csv_file(itemsets_as_csv(rows, labels, run), f"sotto-run-{run.pk}-itemsets.csv")
