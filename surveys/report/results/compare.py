"""The page that compares outcomes by an answer or by the arms of an experiment, and its files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation

from privacy.errors import PrivacyError
from surveys.errors.error import SurveyError, sentences
from surveys.formats.file_responses import csv_file, json_file
from surveys.formats.joints import join_sentences, labelled
from surveys.formats.json_numbers import for_json
from surveys.questionnaire.labels import labels_of
from surveys.questionnaire.languages import language_of
from surveys.report.opened_run import OpenedRun, results_file, results_page
from surveys.report.results.change_text import ChangeText
from surveys.report.results.compare_form import CompareForm
from surveys.report.results.other_surveys import runs_of_other_surveys
from surveys.report.results.outcomes import COLUMNS
from surveys.report.results.paper import LANGUAGES
from surveys.report.results.times_text import TimesText
from surveys.report.run_facts import p_values_about, run_csv, run_record
from surveys.runs.look_words import file_mark

NOT_OF_THE_RUN: Final = {
    "estimator": "stratified",
    "intervals_about": "population",
    "correction": None,
    "family": None,
    "selected_level": None,
}
"""Parameters of every comparison, which do not depend on those of the run's rules."""

METHOD_OF_ARMS: Final = (
    "Devices drew the groups, which are independent. Shares are means of unbiased scores over the rows of a "
    "group that were asked. An estimate that is impossible or outside its interval is empty; the column "
    "unclipped has it. Means are in the unit of the answers, among respondents "
    "who answered. Weights are raked to the given shares and treated as known; design_effect is the variance "
    "divided by the variance without weights. Differences compare with the first group. If the groups are "
    "two strengths of the disguise, a difference with the opposite sign is the denial that the weaker "
    "protection adds; no figure shows denial that is common to both. Their 95% intervals "
    "are about the population, by t with Welch's degrees of freedom; shares of a group that was asked "
    "directly have Wilson's. p_value belongs to the test that all groups have the same distribution of a "
    "question's answers, and p_holm corrects it by Holm over the questions. joint_p_value tests all of them "
    "together. Both tests use variances about the common shares, estimated from all groups for each strength "
    "of disguise, and Pillai's trace by F; joint_degrees and joint_rest_degrees are its degrees of freedom. "
    "drawn_share_p_value is Pearson's test that the group sizes agree with the drawn shares. If invitations "
    "determine the group, invited counts all codes ever created, response_difference compares with the first "
    "group by Newcombe's interval, and response_p_value is Pearson's test that all groups have the same "
    "response rate. The values of role: answer is tested; check is a question whose answer everyone knows; "
    "understanding is the share of those who answered that understood or trusts the method, without weights."
)

METHOD_OF_EVERYONE: Final = (
    "The share of people with at least one of the answers in outcome, which devices sent under one coin: the "
    "share of rows that report one of them, inverted with the probability that random answers have one. "
    "Respondents who skipped the part count as having none. The share is not clipped. The 95% interval about "
    "the population uses empirical likelihood, for answers chosen before their figures were seen. If there "
    "are too few answers, it has no value, and its interval is the whole range. Weights are treated as "
    "known. share_shift is how far the run's forged_rows could have moved the share."
)

METHOD_OF_ANSWERS: Final = (
    "Disguises are independent, so the scores of sent values are multiplied, and so are their variances. "
    "An estimate that is impossible or outside its interval, or a ratio whose interval has no upper end, is "
    "empty; the column unclipped has it. Means are in the unit of the answers, among respondents who "
    "answered. Group having gave the answer; others were asked and did not give it. group_share is the "
    "estimated share of each. The 95% "
    "intervals about the population and the two-sided p-value of no difference use empirical likelihood. "
    "Each is valid separately, for a comparison chosen before its figures were seen. If there are too few "
    "answers for a figure, it has no value, and its interval is the whole range. Weights are treated as "
    'known. A range is written as its first and last value, and "at least one of" as the answers joined by '
    "|. The test at .05 finds detectable_difference 8 times in 10. For two answers this is the figure of the "
    "survey's plan, with the estimated shares and as many answers, as if all had the stronger disguise, and "
    "empty if these shares allow no such difference; else it is 2.8 standard errors of the difference. "
    "difference_shift is how far the run's "
    "forged_rows could have moved the difference. flips "
    "is the least number of false rows with equal reports that changes whether p_value is below .05. "
    "tipping_denial is the least share of those concerned in the group with the smaller share who must have "
    "denied the outcome for the difference to be 0; empty if no share suffices."
)

METHOD_OF_CHANGE: Final = (
    "The share or mean in two surveys that ask the same question, each from its own design, and the later "
    "one minus the earlier one. The interval of the difference combines the distances of both figures "
    "from the ends of their 95% intervals (Newcombe 1998, method 10), and its error is the root of the sum "
    "of both squared errors. Both hold unless answers of people who answered both surveys are negatively "
    "related. opposed_low, opposed_high and opposed_standard_error add both errors and hold for any "
    "relation. Rows have no names, so no one can count who answered both."
)

METHOD_OF_TIMES: Final = (
    "Two answers that the same people gave for two times in one part, whose answers have one coin. started "
    "is the share of people who say yes only for now, stopped only for then. difference is the share of now "
    "minus that of then: the mean of h, the difference of both unbiased scores, with the squared error "
    "(mean h^2 - (mean h)^2) / n from the cells of the pair. The 95% intervals about the population use "
    "empirical likelihood."
)


@results_page
def compare(request: HttpRequest, open_run: OpenedRun) -> HttpResponse:
    """Show the form, and below it the comparison that the address requests."""
    form = _form(request, open_run)
    context: dict[str, object] = {"run": open_run.run, "form": form}
    if form.is_bound and form.is_valid():
        context |= {"query": form.address(), "permalink": _address(request, form)}
        try:
            context["text"] = text = form.table()
            if isinstance(text, ChangeText | TimesText):
                context["papers"] = [*_papers(request, open_run)]
        except PrivacyError as error:
            context["problem"] = sentences(error)
    return render(request, "report/results/run_compare.html", context)


@results_file
def compare_file(request: HttpRequest, open_run: OpenedRun, ending: str) -> HttpResponseBase:
    """Send the comparison that the address requests; JSON includes the run's parameters."""
    run, form = open_run.run, _form(request, open_run, is_bound=True)
    if ending not in ("csv", "json"):
        raise Http404
    if not form.is_valid():
        problems = join_sentences(
            labelled(name, error) for name, errors in form.errors.items() for error in errors
        )
        raise form.refusal or SurveyError("parameters", problems=problems)
    table = form.table()
    records, methods = list(table.records()), getattr(table, "p_methods", {})
    file = f"sottovoce-run-{run.pk}{file_mark(run)}-comparison.{ending}"
    if ending == "csv":
        return csv_file(run_csv(run, COLUMNS, records, **NOT_OF_THE_RUN, **p_values_about(methods)), file)
    about = {
        "method": _method(form),
        "intervals_about": "population",
        "tests": None,
        "p_values": methods,
        "address": _address(request, form),
        "outcomes": [{key: for_json(value) for key, value in record.items()} for record in records],
    }
    return json_file(run_record(run) | about, file)


def _form(request: HttpRequest, open_run: OpenedRun, *, is_bound: bool = False) -> CompareForm:
    """Return the form with the runs of other surveys that the user may read."""
    others = runs_of_other_surveys(request.user, open_run.run)
    return CompareForm(request.GET if is_bound or request.GET else None, open_run, others)


def _papers(request: HttpRequest, open_run: OpenedRun) -> Iterator[tuple[str, str, str]]:
    """Yield the text for a paper about a change: the language's tag and name, and the text."""
    for language in LANGUAGES:
        with translation.override(language):
            translated = OpenedRun(open_run.run, labels_of(open_run.run.version, open_run.run.design))
            form = _form(request, translated, is_bound=True)
            if form.is_valid() and isinstance(text := form.table(), ChangeText | TimesText):
                between = " " if language == "en" else ""
                yield language, language_of(language).name, between.join(text.paper_sentences)


def _method(form: CompareForm) -> str:
    """Return how the figures were made, for the JSON file."""
    if form.division is not None:
        return METHOD_OF_ARMS
    if form.other is not None:
        return METHOD_OF_CHANGE
    if form.is_of_two_times:
        return METHOD_OF_TIMES
    return METHOD_OF_EVERYONE if form.is_of_everyone else METHOD_OF_ANSWERS


def _address(request: HttpRequest, form: CompareForm) -> str:
    """Return the absolute address of this comparison, for readers of the report."""
    page = reverse("report:compare", args=[form.opened.run.pk])
    return request.build_absolute_uri(f"{page}?{form.address()}")
