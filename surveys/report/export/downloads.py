"""Files of the staff pages: the list of surveys, a survey's runs, and the rules and itemsets of a run."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.http import Http404, HttpRequest, JsonResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from mining.interest import INTEREST, WITH_INTERVALS
from surveys.accounts.permissions import (
    get_survey_for_report,
    get_surveys_for_staff,
    may_read_report,
    staff_page,
)
from surveys.accounts.token_requests import staff_file
from surveys.errors.error import SurveyError
from surveys.formats.csv_cells import records_as_csv
from surveys.formats.files import csv_file, json_file, streamed_file
from surveys.models import ItemsetRow, RuleRow, Run, Survey, Version
from surveys.questionnaire.labels import JOIN, Labels, pack_items, unpack_items
from surveys.report.opened_run import OpenedRun, results_file, why_not_shown
from surveys.report.rules.rule_rows import all_rules, itemset_of, true_measures
from surveys.report.rules.rules import RuleFilterForm, all_itemsets
from surveys.report.sentences.forged import forged_record, shift_of
from surveys.report.sentences.ledger_words import ledger_record
from surveys.report.survey_list.overview import is_rounded, newest_versions, received_counts
from surveys.runs.disclosure import groups_of, rounded_count
from surveys.runs.look import LOOK_COLUMNS, Look, file_mark, look_columns, look_record, looks_of
from surveys.runs.predictions import Prediction, predicted_of, predicted_records, three_way_of
from surveys.runs.run_summary import direct_share, has_results, requester
from surveys.runs.signature import sign_statement, snapshot_statement
from surveys.runs.withheld import withheld_of

ENDS: Final = ("", "_low", "_high", "_se")

_SELECTED: Final = ("confidence_low", "confidence_high", "lift_low", "lift_high")
PREDICTED: Final = ("predicted", "predicted_low", "predicted_high", "predicted_basis", "predicted_rare")
_KEYS, _YES_NO, _SHARE = "keys joined by &", "true or false", "share"
_MEASURE_UNITS: Final = {
    "support": _SHARE, "confidence": _SHARE, "lift": "ratio", "leverage": "difference of shares",
    "conviction": "ratio",
}  # fmt: skip
FIXED_COLUMNS: Final = {
    "antecedent": _KEYS, "consequent": _KEYS, "antecedent_label": "text", "consequent_label": "text",
    "n": "rows", "few_rows": _YES_NO, "shown_because_estimable": _YES_NO,
    **{measure + end: _MEASURE_UNITS[measure] for measure in WITH_INTERVALS for end in ENDS},
    "error": _SHARE, "error_is": "text",
    **{"true_" + measure: _MEASURE_UNITS[measure] for measure in WITH_INTERVALS},
    "p_value": _SHARE, "p_adjusted": _SHARE, "passes": _YES_NO, "redundant_by": _KEYS, "maximal": _YES_NO,
    "flips": "rows", **{f"{name}_selected": _MEASURE_UNITS[name.split("_")[0]] for name in _SELECTED},
    "confidence_p_value": _SHARE, "confidence_p_adjusted": _SHARE, "support_shift": _SHARE,
    **dict.fromkeys(PREDICTED, _SHARE), "predicted_basis": "text", "predicted_rare": _YES_NO,
}  # fmt: skip
"""Columns of a rule's record -> units. Shares are not clipped; p-values are one-sided, for lift above 1."""

RUN_COLUMNS: Final = (
    "survey", "run", "design", "snapshot", "support_from", "confidence_from", "lift_from", "longest_itemset",
    "estimator", "intervals_about", "interval_level", "correction", "family", "selected_level",
    "forged_rows",
    *LOOK_COLUMNS,
)  # fmt: skip
"""Columns about the run, repeated in each row of a CSV file. Digests are cut to 16 digits."""

ITEMSET_COLUMNS: Final = (
    "items", "size", "n", "few_rows", "support", "support_low", "support_high", "support_se", "error",
    "error_is", "true_support", "stratified", "stratified_se", "pooled", "pooled_se", "direct", "direct_se",
    "protected", "protected_se", *PREDICTED, "support_low_selected", "support_high_selected",
    "support_shift",
)  # fmt: skip


def rule_columns() -> dict[str, str]:
    """Return the unit of each column of a rule's record; for a measure of the registry, its formula."""
    return FIXED_COLUMNS | {name: measure.words for name, measure in INTEREST.items()}


def rules_as_csv(rows: Iterable[RuleRow], labels: Labels, run: Run) -> Iterator[str]:
    """Yield the lines of the rules' CSV file, the header first."""
    return run_csv(run, tuple(rule_columns()), rule_records(rows, labels, run))


def itemsets_as_csv(rows: Iterable[ItemsetRow], labels: Labels, run: Run) -> Iterator[str]:
    """Yield the lines of the itemsets' CSV file, the header first."""
    return run_csv(run, ITEMSET_COLUMNS, itemset_records(rows, labels, run))


def run_csv(
    run: Run, columns: tuple[str, ...], records: Iterable[Mapping[str, Any]], **changed: object
) -> Iterator[str]:
    """Yield the lines of a CSV file, the header first; each ends with facts about the run.

    Parameters
    ----------
    run : Run
    columns : tuple of str
        Columns of the records; those of the run follow.
    records : iterable of mapping
    **changed : object
        Values that replace those of `run_columns`.
    """
    run_values = run_columns(run) | changed
    return records_as_csv(columns + RUN_COLUMNS, ({**record, **run_values} for record in records))


def with_look(run: Run, columns: tuple[str, ...], records: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines of a CSV file, the header first; each ends with the run's look."""
    look = look_columns(run)
    return records_as_csv((*columns, *LOOK_COLUMNS), ({**record, **look} for record in records))


def rules_as_json(rows: Iterable[RuleRow], labels: Labels, run: Run) -> Iterator[str]:
    """Yield the parts of a JSON object: the run's parameters, then its rules one after another.

    If a measure is not estimable, its ends are null. An infinite end is the text "Infinity".
    """
    about = run_record(run) | {
        "units": rule_columns(),
        "predicted": predicted_records(run, labels),
        "three_way": three_way_of(run),
    }
    head = json.dumps(about, ensure_ascii=False, allow_nan=False)
    yield head[:-1] + ', "rules": ['
    for position, own in enumerate(rule_records(rows, labels, run)):
        record = {key: for_json(value) for key, value in own.items()}
        record |= {side: own[side].split(JOIN) for side in ("antecedent", "consequent")}
        yield (",\n" if position else "\n") + json.dumps(record, ensure_ascii=False, allow_nan=False)
    yield "\n]}\n"


def run_record(run: Run) -> dict[str, Any]:
    """Return the facts about a run for JSON files."""
    return {
        "sotto": 1,
        "survey": run.survey.slug,
        "run": run.pk,
        "practice": run.survey.practice,
        "design_id": run.design_id,
        "parameters": run.parameters,
        "engine": run.engine,
        "n": run.n,
        "n_direct": run.n_direct,
        "n_protected": run.n_protected,
        "direct_share": float(share) if (share := direct_share(run)) else None,
        "look": look_record(run),
        "snapshot": {"batches": run.batches, "sha256": run.snapshot_digest},
        "signed": sign_statement(snapshot_statement(run)),
        "code_version": run.code_version,
        "epsilon": run.summary.get("epsilon"),
        "interval_level": 0.95,
        "tests": run.summary["inference"],
        "forged": forged_record(run),
        "ledger": ledger_record(run),
        "method": (
            "Supports are reconstructed from disguised answers and not clipped. "
            if run.design.protects
            else "Supports are shares of the answers, which are stored as given. "
        )
        + (
            "Intervals invert an "
            "empirical-likelihood test, and each is valid separately; intervals called selected have the "
            "level for rules that the run selected. p-values test lift above 1, are one-sided and corrected "
            "within the family. The other measures are functions of three estimated supports."
        ),
    }


def run_columns(run: Run) -> dict[str, Any]:
    """Return the facts about a run that each row of a CSV file repeats."""
    thresholds, tests = run.thresholds, run.summary["inference"]
    return {
        "survey": run.survey.slug,
        "run": run.pk,
        "design": run.design_id[:16],
        "snapshot": run.snapshot_digest[:16],
        "support_from": thresholds.support,
        "confidence_from": thresholds.confidence,
        "lift_from": thresholds.lift,
        "longest_itemset": thresholds.max_size,
        "estimator": "stratified",
        "intervals_about": "population",
        "interval_level": 0.95,
        "correction": "by",
        "family": tests["family"]["lift"],
        "selected_level": tests["rule_level"],
        "forged_rows": withheld_of(run).rows,
        **look_columns(run),
    }


def rule_records(rows: Iterable[RuleRow], labels: Labels, run: Run) -> Iterator[dict[str, Any]]:
    """Yield rules as records with the keys of `rule_columns`."""
    predictions = {pack_items(own.items): own for own in predicted_of(run)}
    for row in rows:
        yield (
            _rule_record(row, labels)
            | _prediction(predictions.get(itemset_of(row)))
            | {"support_shift": shift_of(row, run)}
        )


def _rule_record(row: RuleRow, labels: Labels) -> dict[str, Any]:
    true, tests = true_measures(row), row.inference
    before, after = unpack_items(row.antecedent), unpack_items(row.consequent)
    return {
        "antecedent": labels.keys(before),
        "consequent": labels.keys(after),
        "antecedent_label": labels.short(before),
        "consequent_label": labels.short(after),
        "n": row.n,
        "few_rows": row.few_rows,
        "shown_because_estimable": row.shown_because_estimable,
        **{measure + end: getattr(row, measure + end) for measure in WITH_INTERVALS for end in ENDS},
        "error": row.error,
        "error_is": error_kind(row.truth),
        **{"true_" + measure: true.get(measure) for measure in WITH_INTERVALS},
        "p_value": tests.p_value,
        "p_adjusted": tests.p_adjusted,
        "passes": tests.passes,
        "redundant_by": labels.keys(unpack_items(tests.redundant_by)),
        "maximal": tests.maximal,
        "flips": tests.flips,
        **{f"{name}_selected": getattr(tests, name) for name in _SELECTED},
        "confidence_p_value": tests.confidence_p_value,
        "confidence_p_adjusted": tests.confidence_p_adjusted,
        **{name: tests.interest.get(name) for name in INTEREST},
    }


def itemset_records(rows: Iterable[ItemsetRow], labels: Labels, run: Run) -> Iterator[dict[str, Any]]:
    """Yield itemsets as records with the keys of `ITEMSET_COLUMNS`."""
    predictions = {pack_items(own.items): own for own in predicted_of(run)}
    for row in rows:
        yield (
            _itemset_record(row, labels)
            | _prediction(predictions.get(row.items))
            | {"support_shift": shift_of(row, run)}
        )


def _itemset_record(row: ItemsetRow, labels: Labels) -> dict[str, Any]:
    same = ("size", "few_rows", "support", "support_low", "support_high", "support_se", "error")
    groups = (name + end for name in ("stratified", "pooled", "direct", "protected") for end in ("", "_se"))
    return {
        "items": labels.keys(unpack_items(row.items)),
        "n": row.n,
        **{name: getattr(row, name) for name in same},
        "error_is": error_kind(row.truth),
        "true_support": row.truth,
        **{name: getattr(row, name) for name in groups},
        "support_low_selected": row.inference.low,
        "support_high_selected": row.inference.high,
    }


def _prediction(own: Prediction | None) -> dict[str, Any]:
    """Return the predicted support of an itemset, its basis, and the label of older runs for rare answers."""
    return {
        "predicted": own and own.support,
        "predicted_low": own and own.low,
        "predicted_high": own and own.high,
        "predicted_basis": own and own.basis,
        "predicted_rare": own and own.rare,
    }


def error_kind(truth: float | None) -> str:
    """Return whether the error W is known for this estimate, or only expected."""
    return "expected" if truth is None else "known"


def for_json(value: object) -> object:
    """Convert a value for JSON: infinite numbers become texts."""
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


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


_API: Final = Path(__file__).parents[2] / "static" / "surveys" / "openapi.json"


@staff_page
@require_safe
def api_description(_request: HttpRequest) -> JsonResponse:
    """Send the OpenAPI description of all files, with the current columns of rules."""
    document = json.loads(_API.read_text(encoding="utf-8"))
    columns = {name: {"description": unit} for name, unit in rule_columns().items()}
    document["components"]["schemas"]["Rule"] = {"type": "object", "properties": columns}
    return json_file(document, "openapi.json")


@staff_file
def surveys_json(request: HttpRequest) -> JsonResponse:
    """Send the surveys that the user may see."""
    counts = received_counts()
    records = [
        {
            "slug": survey.slug,
            "title": survey.title_text,
            "state": survey.state,
            "practice": survey.practice,
            "owner": survey.owner.get_username() if survey.owner else None,
            "received": _received_count(survey, counts.get(survey.pk, 0)),
            "received_is_rounded": is_rounded(survey),
            "closed_at": _minute(survey.closed_at),
            "accepts_until": None if survey.settled else _minute(survey.accepts_until),
            "delete_on": survey.delete_on and survey.delete_on.isoformat(),
            "may_read_runs": may_read_report(request.user, survey),
        }
        for survey in get_surveys_for_staff(request.user)
    ]
    return json_file({"surveys": records}, "sottovoce-surveys.json")


@staff_file
def runs_json(request: HttpRequest, slug: str) -> JsonResponse:
    """Send a survey's designs with the answers that a run may use, and its runs, newest first."""
    survey = get_survey_for_report(request.user, slug)
    runs = survey.runs.select_related("survey", "version", "job", "job__requested_by").order_by("-pk")
    looks = looks_of(runs)
    document = {
        "survey": survey.slug,
        "designs": [_design(version) for version in newest_versions(survey)],
        "runs": [_run(run, looks.get(run.pk)) for run in runs],
    }
    return json_file(document, f"sottovoce-{survey.slug}-runs.json")


def _received_count(survey: Survey, received: int) -> int:
    return rounded_count(received) if is_rounded(survey) else received


def _design(version: Version) -> dict[str, Any]:
    groups = groups_of(version)
    same = version.survey.versions.filter(design_id=version.design_id).order_by("number")
    return {
        "design_id": version.design_id,
        "versions": list(same.values_list("number", flat=True)),
        "published_at": _minute(version.published_at),
        "n": groups.n,
        "n_direct": groups.n_direct,
        "n_protected": groups.n_protected,
        "has_results": groups.disclosure.results,
    }


def _run(run: Run, look: Look | None) -> dict[str, Any]:
    return {
        "id": run.pk,
        "version": run.version.number,
        "design_id": run.design_id,
        "state": run.job.state,
        "practice": run.survey.practice,
        "asked_at": _minute(run.job.created_at),
        "asked_by": requester(run.job),
        "parameters": run.parameters,
        "has_results": has_results(run),
        "withheld": why_not_shown(run),
        "look": look and look.to_json(),
    }


def _minute(at: datetime | None) -> str | None:
    """Format a time of staff activity to the minute, as pages do."""
    return None if at is None else at.replace(second=0, microsecond=0).isoformat()
