"""The page that compares an answer by another one, its files, and what Results begins with."""

from __future__ import annotations

import math
from typing import Any, Final
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse

from privacy.errors import PrivacyError
from privacy.estimation.margin_cells import Margin
from privacy.estimation.measures import Measured
from surveys.errors.error import sentences
from surveys.estimates.arm_effects import arm_results
from surveys.estimates.comparison import compared
from surveys.formats.attachments import csv_file, json_file
from surveys.invite.codes import invited_by_arm
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.arms import choices_of_arms
from surveys.report.arm_words import COLUMNS as ARM_COLUMNS
from surveys.report.arm_words import ArmText
from surveys.report.comparison_form import CompareForm, WeightsForm, choices_of, item_choice
from surveys.report.comparison_words import ComparisonText
from surveys.report.downloads import ENDS, for_json, run_csv, run_record
from surveys.report.frequencies import known_error
from surveys.report.opened_run import OpenedRun, only_if_fitting, results_file, results_page
from surveys.report.weights import margins_address, margins_from_address, margins_of

PARTS: Final = ("having", "others", "difference", "lift")
COLUMNS: Final = (
    "outcome", "by", "outcome_label", "by_label", "weighted", "n", "n_used", "few_rows", "share_by",
    *(part + end for part in PARTS for end in ENDS), "p_value", "detectable_difference",
)  # fmt: skip

NOT_OF_THE_RUN: Final = {
    "estimator": "stratified",
    "intervals_about": "population",
    "correction": None,
    "family": None,
    "selected_level": None,
}
"""A comparison is told as this says, whatever its run's rules are."""

ARM_METHOD: Final = (
    "Devices drew the groups. Shares are means of unbiased scores over the rows of a group that were asked, "
    "not clipped; means are in the unit of the answers, among those who answered. Groups are independent. "
    "Weights are raked to the shares that were given and taken as given; design_effect is a variance over "
    "that without weights. Differences are to the first group, with 95 % intervals about the "
    "population by t with Welch's degrees; shares of a group that was asked directly have Wilson's. p_value "
    "is of the Welch-James test that all groups have the same shares of a question, p_holm the same by Holm "
    "over the questions, joint_p_value of all questions together, by F with joint_degrees and "
    "joint_rest_degrees (Krishnamoorthy and Yu, or Johansen); drawn_share_p_value is "
    "Pearson's test that the numbers of people come from the drawn shares. Where invitations decide the "
    "group, invited counts all codes ever made, response_difference is to the first group with Newcombe's "
    "interval, and response_p_value is Pearson's test that all groups have the same response rate. Of role: "
    "answer is tested; check is of questions whose answer everybody knows; understanding are the shares who "
    "understood and who trust, of those who answered, without weights."
)

METHOD: Final = (
    "Every disguise draws by itself, so the scores of what was sent are multiplied, and so are their "
    "variances. Shares are not clipped; means are in the unit of the answers, among those who answered. "
    "Intervals of 95 % about the population and the two-sided p-value of no difference are by empirical "
    "likelihood, each for itself, and hold for a comparison that was named before its figures were seen. "
    "Weights are taken as given. A range is written as its first and last value. detectable_difference is "
    "found 8 times in 10 by the test at .05."
)


@results_page
@only_if_fitting("compare")
def compare(request: HttpRequest, opened: OpenedRun) -> HttpResponse:
    """Show the form, and below it the comparison that the address asks for."""
    run, labels = opened
    query = request.GET if "outcome" in request.GET else None
    form = CompareForm(query, run, labels)
    context: dict[str, object] = {"run": run, "form": form, **_experiment(request, opened)}
    if form.is_bound and form.is_valid():
        try:
            context |= {
                "text": _text_of(form),
                "query": form.address(),
                "permalink": _address(request, form),
            }
        except PrivacyError as error:
            context["problem"] = sentences(error)
    return render(request, "report/run_compare.html", context)


@results_file
def compare_file(request: HttpRequest, opened: OpenedRun, ending: str) -> HttpResponseBase:
    """Send the comparison that the address asks for, or an experiment; as JSON with what its run was."""
    run = opened.run
    columns: tuple[str, ...]
    about: dict[str, object] = {"method": METHOD, "intervals_about": "population", "tests": None}
    if "arms" in request.GET:
        name, columns = "arms", ARM_COLUMNS
        text = request.GET.get("margins", "")
        margins = margins_of(margins_from_address(text), run.design) if text else ()
        records = list(arms_of(opened, request.GET["arms"], margins).records())
        about["method"] = ARM_METHOD
    else:
        form = CompareForm(request.GET, run, opened.labels)
        if not form.is_valid():
            raise Http404
        name, columns = "comparison", COLUMNS
        records = [_record(_text_of(form), weighted=bool(form.shares))]
        about["address"] = _address(request, form)
    file = f"sottovoce-run-{run.pk}-{name}.{ending}"
    if ending == "csv":
        return csv_file(run_csv(run, columns, records, **NOT_OF_THE_RUN), file)
    if ending == "json":
        lines = [{key: for_json(value) for key, value in record.items()} for record in records]
        about[name] = lines if name == "arms" else lines[0]
        return json_file(run_record(run) | about, file)
    raise Http404


def _experiment(request: HttpRequest, opened: OpenedRun) -> dict[str, object]:
    """Return how chance divided the people, and the results by what the address asks for."""
    divisions = choices_of_arms(opened.run.design)
    if not divisions:
        return {}
    by, weights = request.GET.get("arms") or next(iter(divisions)), _weights(request, opened)
    is_valid = weights.is_valid()
    margins = {"margins": margins_address(weights.shares)} if weights.shares else {}
    chosen: dict[str, object] = {
        "divisions": [
            (urlencode({"arms": key, **margins}), ArmText.name_of(key), key == by) for key in divisions
        ],
        "arms_by": by,
        "arms_query": urlencode({"arms": by, **margins}),
        "weights": weights,
    }
    if not is_valid:
        return chosen
    try:
        return chosen | {"arms": arms_of(opened, by, weights.weights)}
    except PrivacyError as error:
        return chosen | {"arms_problem": sentences(error)}


def _weights(request: HttpRequest, opened: OpenedRun) -> WeightsForm:
    form = WeightsForm({"margins": request.GET.get("margins", "")}, opened.run.design)
    # The form of the comparison, below, has a field of this name too.
    form.auto_id = "arms_%s"
    return form


def arms_of(opened: OpenedRun, by: str, margins: tuple[Margin, ...] = ()) -> ArmText:
    """Return an experiment of a run.

    Raises
    ------
    PrivacyError
        As `surveys.estimates.arm_effects.arm_results`.
    """
    run = opened.run
    aim = Aim.from_json(run.version.aim)
    choices = {choice.side: choice for choice in choices_of(run, opened.labels)}
    results = arm_results(run, by, margins)
    made = invited_by_arm(run.survey) if by == run.version.design.get("invited") else {}
    invited = tuple(made.get(group.name, 0) for group in results.groups)
    # Of answers that were taken in otherwise, more came than were invited here.
    known = all(0 < most >= own for own, most in zip(results.rows, invited, strict=True))
    return ArmText(
        results=results,
        invited=invited if known else (),
        choices=tuple(choices[side] for side in results.outcomes),
        labels=opened.labels,
        keys=tuple(question.key for question in run.design.questions),
        expected=aim.expected if aim else {},
        wanted=aim.wanted if aim else (),
    )


def wanted_pair(opened: OpenedRun, outcome: str, by: str) -> ComparisonText | None:
    """Return the comparison of two items by their keys; None where the survey has no such item.

    Raises
    ------
    PrivacyError
        As `surveys.estimates.comparison.compared`.
    """
    labels = {label.key: label for label in opened.labels.items}
    if outcome not in labels or by not in labels:
        return None
    first, second = item_choice(labels[outcome]), item_choice(labels[by])
    comparison = compared(opened.run, second.side, first.side)
    return ComparisonText(comparison=comparison, outcome=first, by=second)


def _text_of(form: CompareForm) -> ComparisonText:
    outcome, by = form.chosen["outcome"], form.chosen["by"]
    return ComparisonText(
        comparison=compared(form.run, by.side, outcome.side, form.weights), outcome=outcome, by=by
    )


def _address(request: HttpRequest, form: CompareForm) -> str:
    """Return the address of this comparison for readers of the report."""
    return request.build_absolute_uri(f"{reverse('report:compare', args=[form.run.pk])}?{form.address()}")


def _record(text: ComparisonText, *, weighted: bool) -> dict[str, Any]:
    comparison, outcome = text.comparison, text.outcome

    def in_unit(part: str, value: float | None, end: str) -> float | None:
        if part == "lift":
            return None if outcome.is_mean else value
        if value is None:
            return None
        return outcome.gap(value) if part == "difference" or end == "_se" else outcome.value(value)

    return {
        "outcome": text.outcome.key,
        "by": text.by.key,
        "outcome_label": text.outcome.name,
        "by_label": text.by.name,
        "weighted": weighted,
        "n": comparison.n,
        "n_used": comparison.n_used,
        "few_rows": comparison.few_rows,
        "share_by": comparison.share,
        **{
            part + end: in_unit(part, value, end)
            for part in PARTS
            for end, value in zip(ENDS, _ends(getattr(comparison, part)), strict=True)
        },
        "p_value": comparison.p_value,
        "detectable_difference": in_unit("difference", comparison.detectable, ""),
    }


def _ends(measured: Measured) -> tuple[float | None, ...]:
    """Value, both ends and standard error, as `ENDS` orders them."""
    ends = (measured.low, measured.high) if measured.estimable else (None, None)
    return tuple(
        None if end is None or math.isnan(end) else float(end)
        for end in (measured.value, *ends, known_error(measured.standard_error))
    )
