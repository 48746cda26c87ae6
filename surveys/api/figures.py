"""Figures of a run: what its pages and files have, in pages, by filters of the same names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from privacy.errors import PrivacyError
from surveys.access.permissions import check_may_take_rows, get_run_for_report, get_staff
from surveys.access.second_factor import require_to_export
from surveys.api.door import answers, language_asked, parameters
from surveys.api.paging import PAGING, filled_in, item_number, one_of, paging_of
from surveys.api.records import label_record, prevalence_records, run_record, why_not_shown
from surveys.errors.error import SurveyError
from surveys.export.sending import TYPES, send_run
from surveys.figures.audit.selectors import audit_of_run
from surveys.figures.itemsets import itemsets_matching
from surveys.figures.margins import margins_from_address, margins_of
from surveys.figures.rule_query import rule_keys, rules_matching
from surveys.figures.rules import rules_by_key
from surveys.figures.scales.density_cache import density_of
from surveys.figures.scales.files import number_json, place_geojson
from surveys.figures.scales.place_suppression import releasable_map
from surveys.figures.scales.question import Kind, ScaleQuestion, scale_of
from surveys.figures.tables import for_json, itemset_record, rule_record
from surveys.figures.tables import run_record as file_head
from surveys.models import Job
from surveys.policy import LEAST_PROTECTED
from surveys.questionnaire.arm_groups import choices_of_arms
from surveys.questionnaire.labels import Labels, labels_of, unpack_items
from surveys.report.comparison_page import arms_of
from surveys.report.forms import ItemsetFilterForm, RuleFilterForm
from surveys.report.run_page import OpenedRun

if TYPE_CHECKING:
    from surveys.export.file_notes import FileKind

_NOT_OF_PROGRAMS: Final = frozenset({"page", "size", "measures"})
"""Fields of the pages' forms that say how a table looks, or have another name here."""

_ITEMSET_NAMES: Final = {"text": "text", "item": "item", "length": "size", "least": "least", "sort": "sort"}


@answers
def prevalences(request: HttpRequest, run_id: int) -> dict[str, Any]:
    """Return the share of each answer."""
    parameters(request, frozenset())
    opened = _finished(request, run_id)
    return _of_run(opened) | {"questions": prevalence_records(opened)}


@answers
def itemsets(request: HttpRequest, run_id: int) -> dict[str, Any]:
    """List itemsets with their reconstructed supports."""
    opened = _finished(request, run_id)
    run, labels = opened
    parameters_sent = parameters(request, PAGING | _ITEMSET_NAMES.keys())
    paging = paging_of(parameters_sent)
    data = {_ITEMSET_NAMES[name]: value for name, value in parameters_sent.items() if name in _ITEMSET_NAMES}
    if number := item_number(parameters_sent, labels):
        data["item"] = number
    longest = run.thresholds.max_size
    form = filled_in(lambda data: ItemsetFilterForm(data, items=labels.choices(), longest=longest), data)
    matching = itemsets_matching(run, form.query())
    rows = matching[paging.first : paging.first + paging.size]
    entries = [
        _for_json(itemset_record(row, labels, run)) | {"items": _keys(row.items, labels)} for row in rows
    ]
    return _of_run(opened) | paging.listed(request, entries, matching.count())


@answers
def rules(request: HttpRequest, run_id: int) -> dict[str, Any]:
    """List rules with their measures, intervals and tests."""
    opened = _finished(request, run_id)
    run, labels = opened
    longest = run.thresholds.max_size

    def filters(data: dict[str, str]) -> RuleFilterForm:
        return RuleFilterForm(data, items=labels.choices(), longest=longest)

    given = parameters(request, PAGING | (filters({}).fields.keys() - _NOT_OF_PROGRAMS))
    paging = paging_of(given)
    data = {name: value for name, value in given.items() if name not in PAGING}
    if number := item_number(given, labels):
        data["item"] = number
    query = filled_in(filters, data).query()
    rows = rules_by_key(rule_keys(run, query, paging.first, paging.first + paging.size))
    entries = [
        _for_json(rule_record(row, labels, run))
        | {
            "antecedent": _keys(row.antecedent, labels),
            "consequent": _keys(row.consequent, labels),
        }
        for row in rows
    ]
    return _of_run(opened) | paging.listed(request, entries, rules_matching(run, query).count())


@answers
def arms(request: HttpRequest, run_id: int) -> dict[str, Any]:
    """Return the shares of an experiment's groups, and their differences to the first."""
    given = parameters(request, frozenset({"by", "margins"}))
    opened = _finished(request, run_id)
    divisions = choices_of_arms(opened.run.design)
    if not divisions:
        raise SurveyError("arms.none")
    shares = margins_from_address(given["margins"]) if given.get("margins") else {}
    text = arms_of(opened, given.get("by") or next(iter(divisions)), margins_of(shares, opened.run.design))
    return _of_run(opened) | {"divisions": list(divisions), "arms": list(map(_for_json, text.records()))}


@answers
def number(request: HttpRequest, run_id: int, question: str) -> dict[str, Any]:
    """Return the distribution, the mean and the quantiles of a number question."""
    parameters(request, frozenset())
    opened = _finished(request, run_id)
    return _of_run(opened) | {"number": number_json(_scale(opened, question, "number"))}


@answers
def location(request: HttpRequest, run_id: int, question: str) -> dict[str, Any]:
    """Return the density and the regions of a place question, as GeoJSON."""
    given = parameters(request, frozenset({"smoothing"}))
    smooth = one_of(given, "smoothing", ("on", "off")) == "on"
    opened = _finished(request, run_id)
    scale = _scale(opened, question, "place")
    density = density_of(scale, smooth=smooth)
    drawn = "".join(place_geojson(scale, density, releasable_map(scale, density), smooth=smooth))
    return _of_run(opened) | {"place": json.loads(drawn)}


@answers
def audit(request: HttpRequest, run_id: int) -> dict[str, Any]:
    """Return the audit of a run's rows."""
    parameters(request, frozenset())
    opened = _finished(request, run_id)
    audited = audit_of_run(opened.run)
    if audited is None:
        raise SurveyError("no_audit.run")
    return _of_run(opened) | {"audit": audited.to_json()}


@answers
def label(request: HttpRequest, run_id: int) -> dict[str, Any]:
    """Return how a run's answers were disguised, and the bounds of that."""
    parameters(request, frozenset())
    run = get_run_for_report(request.user, run_id)
    return {"run": run_record(run), "label": label_record(run.version)}


@answers
def rows(request: HttpRequest, run_id: int) -> HttpResponseBase:
    """Send the disguised rows of a run with all that belongs to them, or alone for SPSS or Stata."""
    given = one_of(parameters(request, frozenset({"kind"})), "kind", tuple(TYPES))
    kind: FileKind = next((known for known in TYPES if known == given), "zip")
    run, _labels = _finished(request, run_id)
    check_may_take_rows(request.user, run.survey)
    staff = get_staff(request.user)
    require_to_export(staff)
    tag, tags = language_asked(request), run.version.languages
    language = tag if tag in tags else tags[0]
    return send_run(run, kind, language=language, by=staff, now=timezone.now())


def _finished(request: HttpRequest, run_id: int) -> OpenedRun:
    """Return a run whose figures may be shown.

    Raises
    ------
    SurveyError
        ``not_over``, ``no_result`` or ``withheld``.
    """
    run = get_run_for_report(request.user, run_id)
    if not run.job.is_over:
        raise SurveyError("not_over.run", run.job.state)
    if run.job.state != Job.State.FINISHED:
        raise SurveyError("no_result.run", run.job.state)
    why = why_not_shown(run)
    if why == "outdated":
        raise SurveyError("withheld.outdated")
    if why is not None:
        raise SurveyError("withheld.few", least=LEAST_PROTECTED)
    return OpenedRun(run, labels_of(run.version, run.design))


def _scale(opened: OpenedRun, key: str, kind: Kind) -> ScaleQuestion:
    try:
        return scale_of(opened.run, key, kind)
    except PrivacyError as error:
        if error.code not in ("question", "kind"):
            raise
        design = opened.run.version.to_design()
        known = ", ".join(question.key for question in design.questions if question.kind == kind) or "none"
        raise SurveyError("nothing.question", key[:80], kind=kind, known=known) from error


def _of_run(opened: OpenedRun) -> dict[str, Any]:
    """Return what every answer says of the run that its figures are of, as files say it."""
    return {"run": run_record(opened.run), "method": file_head(opened.run)}


def _keys(packed: str, labels: Labels) -> list[str]:
    return [labels.items[item].key for item in unpack_items(packed)]


def _for_json(record: dict[str, Any]) -> dict[str, Any]:
    return {name: for_json(value) for name, value in record.items()}
