"""The pages that compare outcomes: by an answer, by the arms of an experiment, or by regression."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.errors import PrivacyError
from privacy.estimation.margin_cells import Margin
from privacy.regression.logistic import Coefficient
from privacy.regression.standardised import StandardisedShare
from privacy.scales.window import WindowChannel
from surveys.errors.error import SurveyError, sentences
from surveys.formats.files import csv_file, json_file
from surveys.models import Version
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.arms import choices_of_arms
from surveys.questionnaire.labels import Labels, question_names
from surveys.report.export.downloads import for_json, run_csv, run_record
from surveys.report.opened_run import OpenedRun, results_file, results_page
from surveys.report.results.compare_words import ArmText, ComparisonText, division_name
from surveys.report.results.outcomes import COLUMNS, RANGE, Choice, choices_of
from surveys.report.results.weights import MOST_BYTES, Shares, margins_from_address, margins_of, margins_read
from surveys.report.sentences.frequencies import phrase_of
from surveys.respondent.invitations import invited_by_arm
from surveys.runs.comparisons import compare_sides
from surveys.runs.ledger import lifting_rows
from surveys.runs.look import file_mark
from surveys.runs.outcomes import arm_results
from surveys.runs.regression import (
    ItemRegression,
    Model,
    OpenPredictor,
    item_regression,
    model_items,
    open_predictors,
)
from surveys.runs.releasable_rows import ReleasableRows, releasable_design, rows_of_run
from surveys.runs.results import stored_arms

ARMS: Final = "arms/"
"""Prefix of the choices that compare by arms, in the field that otherwise lists answers."""

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
    "group that were asked. They are not clipped. Means are in the unit of the answers, among respondents "
    "who answered. Weights are raked to the given shares and treated as known; design_effect is the variance "
    "divided by the variance without weights. Differences compare with the first group. Their 95% intervals "
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

METHOD_OF_ANSWERS: Final = (
    "Disguises are independent, so the scores of sent values are multiplied, and so are their variances. "
    "Shares are not clipped. Means are in the unit of the answers, among respondents who answered. Group "
    "having gave the answer; others were asked and did not give it. group_share is estimated. The 95% "
    "intervals about the population and the two-sided p-value of no difference use empirical likelihood. "
    "Each is valid separately, for a comparison chosen before its figures were seen. If there are too few "
    "answers for a figure, it has no value, and its interval is the whole range. Weights are treated as "
    "known. A range is written as its first and last value. The test at .05 finds detectable_difference 8 "
    "times in 10. difference_shift is how far the run's forged_rows could have moved the difference. flips "
    "is the least number of false rows with equal reports that changes whether p_value is below .05."
)


class CompareForm(forms.Form):
    """An outcome and the answer to compare it by, or the arms to compare all answers by."""

    outcome = forms.ChoiceField(
        label=gettext_lazy("Answer to compare"),
        required=False,
        help_text=gettext_lazy("The share of people who gave this answer, or the average of a number."),
    )
    outcome_from = forms.CharField(label=gettext_lazy("from"), required=False, max_length=30)
    outcome_to = forms.CharField(label=gettext_lazy("to"), required=False, max_length=30)
    by = forms.ChoiceField(
        label=gettext_lazy("Compare by"),
        help_text=gettext_lazy("People who gave this answer are compared with all others who were asked."),
    )
    by_from = forms.CharField(label=gettext_lazy("from"), required=False, max_length=30)
    by_to = forms.CharField(label=gettext_lazy("to"), required=False, max_length=30)

    margins = forms.CharField(
        label=gettext_lazy("Shares in the population"),
        required=False,
        max_length=MOST_BYTES,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "class": "mono"}),
        help_text=gettext_lazy(
            "For weights. One line per option: question, option, share. Leave empty to count "
            "every answer equally."
        ),
    )

    def __init__(self, data: Mapping[str, Any] | None, open_run: OpenedRun) -> None:
        run = open_run.run
        divisions = [(f"{ARMS}{by}", division_name(by)) for by in choices_of_arms(run.design)]
        if data is None and divisions:
            data = {"by": divisions[0][0]}
        super().__init__(data)
        self.design = run.design
        self.shares: Shares = {}
        self.weights: tuple[Margin, ...] = ()
        self.refusal: PrivacyError | None = None
        self.opened, self.chosen, self.has_arms = open_run, dict[str, Choice](), bool(divisions)
        self.choices = {choice.key: choice for choice in choices_of(run, open_run.labels)}
        outcomes = list(self.choices.values())
        bys = [choice for choice in outcomes if not choice.is_mean]
        options: dict[str, list[Any]] = {
            "outcome": [(choice.key, choice.words) for choice in outcomes],
            "by": [(choice.key, choice.words) for choice in bys],
        }
        if divisions:
            options["outcome"].insert(0, ("", _("all answers")))
            options["by"] = [(_("Groups of the experiment"), divisions), (_("Answers"), options["by"])]
            self.fields["by"].help_text = _(
                "Groups are compared in all answers. People who gave an answer are compared with all others "
                "who were asked."
            )
        for name, choices in options.items():
            self.fields[name].choices = choices  # type: ignore[attr-defined]  # a choice field
        # Comparing an answer by another one of the same question is pointless.
        self.fields["by"].initial = next((by.key for by in bys if by.group != outcomes[0].group), None)

    @property
    def has_open(self) -> bool:
        """Whether there are open questions, for which users can enter shares in the population."""
        return any(not block.protected for block in self.design.blocks)

    @property
    def division(self) -> str | None:
        """The arms by which all answers are compared; None if one answer is compared."""
        by = self.cleaned_data.get("by", "") if self.is_bound and self.is_valid() else ""
        return by.removeprefix(ARMS) if by.startswith(ARMS) else None

    @property
    def has_ranges(self) -> bool:
        """Whether the survey asks for a number."""
        return any(choice.is_range for choice in self.choices.values())

    def clean(self) -> dict[str, Any]:
        """Also read both sides and the margins, and report errors next to their fields."""
        values = super().clean() or {}
        text = (values.get("margins") or "").strip()
        if text:
            try:
                self.shares = margins_from_address(text) if "=" in text else margins_read(text)
                self.weights = margins_of(self.shares, self.design)
            except PrivacyError as error:
                self.refuse("margins", error)
        if values.get("by", "").startswith(ARMS):
            return values
        if not values.get("outcome") and "outcome" not in self.errors:
            self.add_error("outcome", self.fields["outcome"].error_messages["required"])
        for name in ("outcome", "by"):
            if values.get(name):
                try:
                    self.chosen[name] = self._choice(name, values)
                except PrivacyError as error:
                    self.refuse(name, error)
        if len(self.chosen) == 2:
            outcome, by = (self.chosen[name].side for name in ("outcome", "by"))
            asked = [self.design.items[item].question for item in (*outcome.items, *by.items)]
            if outcome == by:
                self.add_error("by", _("Choose a different answer from the one you compare."))
            elif len(asked) > len({*asked}) and not self.design.questions[asked[0]].is_several:
                self.add_error("by", _("No one can give both answers. Choose an answer to another question."))
        return values

    def refuse(self, field: str, error: PrivacyError) -> None:
        """Report an error next to its field, and keep it for the file views to raise."""
        self.refusal = error
        self.add_error(field, sentences(error))

    def address(self) -> str:
        """Return the comparison as a query string; the form must be valid."""
        names = ("by", "margins") if self.division else self.fields
        return urlencode([(name, self.cleaned_data[name]) for name in names if self.cleaned_data[name]])

    def table(self) -> ComparisonText | ArmText:
        """Return the requested comparison; the form must be valid.

        Raises
        ------
        PrivacyError
            As `surveys.runs.comparisons.compare_sides` and `surveys.runs.outcomes.arm_results`.
        """
        if self.division is not None:
            return arms_of(self.opened, self.division, self.weights)
        outcome, by = self.chosen["outcome"], self.chosen["by"]
        comparison = compare_sides(self.opened.run, by.side, outcome.side, self.weights)
        return ComparisonText(comparison=comparison, outcome=outcome, by=by, weighted=bool(self.weights))

    def _choice(self, name: str, values: Mapping[str, Any]) -> Choice:
        choice = self.choices[values[name]]
        if not choice.is_range:
            return choice
        (part,) = choice.side.parts
        channel = self.design.questions[part.question].disguise
        if not isinstance(channel, WindowChannel):
            raise TypeError("a range is one of a number")
        ticks, ends = channel.range, [values.get(f"{name}_{end}") or "" for end in ("from", "to")]
        first = ticks.bin_of(ends[0]) if ends[0] else 0
        last = ticks.bin_of(ends[1]) if ends[1] else channel.inputs - 1
        low = ticks.text(ticks.low + first * ticks.bin)
        high = ticks.text(ticks.low + (last + 1) * ticks.bin - 1)
        key = choice.key.removesuffix(f":{RANGE}")
        is_named = choice.name != key
        words = {"question": choice.name if is_named else choice.group, "low": low, "high": high}
        return replace(
            choice,
            key=f"{key}={low}..{high}",
            name=_("%(question)s from %(low)s to %(high)s") % {**words, "question": choice.name},
            phrase=phrase_of(_("“%(question)s” from %(low)s to %(high)s") % words, is_named=is_named),
            side=replace(choice.side, parts=(replace(part, target=(first, last)),)),
        )


@results_page
def compare(request: HttpRequest, open_run: OpenedRun) -> HttpResponse:
    """Show the form, and below it the comparison that the address requests."""
    form = CompareForm(request.GET or None, open_run)
    context: dict[str, object] = {"run": open_run.run, "form": form}
    if form.is_bound and form.is_valid():
        context |= {"query": form.address(), "permalink": _address(request, form)}
        try:
            context["text"] = form.table()
        except PrivacyError as error:
            context["problem"] = sentences(error)
    return render(request, "report/run_compare.html", context)


@results_file
def compare_file(request: HttpRequest, open_run: OpenedRun, ending: str) -> HttpResponseBase:
    """Send the comparison that the address requests; JSON includes the run's parameters."""
    run, form = open_run.run, CompareForm(request.GET, open_run)
    if ending not in ("csv", "json"):
        raise Http404
    if not form.is_valid():
        problems = " ".join(f"{name}: {error}" for name, errors in form.errors.items() for error in errors)
        raise form.refusal or SurveyError("parameters", problems=problems)
    records = list(form.table().records())
    file = f"sottovoce-run-{run.pk}{file_mark(run)}-comparison.{ending}"
    if ending == "csv":
        return csv_file(run_csv(run, COLUMNS, records, **NOT_OF_THE_RUN), file)
    about = {
        "method": METHOD_OF_ANSWERS if form.division is None else METHOD_OF_ARMS,
        "intervals_about": "population",
        "tests": None,
        "address": _address(request, form),
        "outcomes": [{key: for_json(value) for key, value in record.items()} for record in records],
    }
    return json_file(run_record(run) | about, file)


def arms_of(open_run: OpenedRun, by: str, margins: tuple[Margin, ...] = ()) -> ArmText:
    """Return the results of a run by arms.

    Raises
    ------
    PrivacyError
        As `surveys.runs.outcomes.arm_results`.
    """
    run = open_run.run
    aim = Aim.from_json(run.version.aim)
    choices = {choice.side: choice for choice in choices_of(run, open_run.labels)}
    results = arm_results(run, by, margins) if margins else stored_arms(run, by)
    counts = invited_by_arm(run.survey) if by == run.version.design.get("invited") else {}
    invitees = tuple(counts.get(group.name, 0) for group in results.groups)
    # Answers can outnumber invitations if some arrived without an invitation.
    is_valid = all(0 < most >= own for own, most in zip(results.rows, invitees, strict=True))
    return ArmText(
        results=results,
        invited=invitees if is_valid else (),
        choices=tuple(choices[side] for side in results.outcomes),
        labels=open_run.labels,
        keys=tuple(question.key for question in run.design.questions),
        expected=aim.expected if aim else {},
        wanted=aim.wanted if aim else (),
        design=releasable_design(run.version),
    )


def _address(request: HttpRequest, form: CompareForm) -> str:
    """Return the absolute address of this comparison, for readers of the report."""
    page = reverse("report:compare", args=[form.opened.run.pk])
    return request.build_absolute_uri(f"{page}?{form.address()}")


@dataclass(frozen=True, kw_only=True)
class OddsLine:
    """A coefficient with its name, and what forged rows can do to it.

    Attributes
    ----------
    name : str
    line : Coefficient
    flips : int or None
        Forged rows that overturn its sign, or that it has none; None if no number does.
    shift : float
        How far forged rows could have moved it, in log odds; 0 without any.
    """

    name: str
    line: Coefficient
    flips: int | None
    shift: float


class RegressionForm(forms.Form):
    """Response and predictors."""

    response = forms.TypedChoiceField(
        label=gettext_lazy("Answer"),
        coerce=int,
        help_text=gettext_lazy("The share of people who gave this answer is compared."),
    )
    by = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Unprotected questions that predict it"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Each answer is compared with the first one of its question."),
    )
    disguised = forms.TypedChoiceField(
        label=gettext_lazy("Disguised answer that predicts it"),
        coerce=int,
        empty_value=None,
        required=False,
        help_text=gettext_lazy("No one’s true answer is known. The model accounts for the disguise."),
    )

    def __init__(
        self, data: Mapping[str, Any] | None, version: Version, rows: ReleasableRows, labels: Labels
    ) -> None:
        super().__init__(data)
        items = rows.design.items
        # Leave out numbers and places, whose reports differ; the page "Compare" covers them.
        choices = [
            choice
            for choice in labels.choices()
            if not rows.design.questions[items[choice[0]].question].is_scale
        ]
        protected_ones = [choice for choice in choices if labels.items[choice[0]].protected]
        names = question_names(version, rows.design)
        open_ones = [choice for choice in choices if choice not in protected_ones]
        self.fields["response"].choices = protected_ones + open_ones  # type: ignore[attr-defined]
        self.fields["disguised"].choices = [("", "–"), *protected_ones]  # type: ignore[attr-defined]
        self.fields["by"].choices = [  # type: ignore[attr-defined]
            (predictor.question, names[predictor.question].key) for predictor in open_predictors(rows.design)
        ]

    def clean_disguised(self) -> int | None:
        """Refuse an address that names several disguised predictors."""
        predictor: int | None = self.cleaned_data["disguised"]
        if isinstance(self.data, QueryDict) and len(self.data.getlist("disguised")) > 1:
            raise forms.ValidationError(_("A regression has at most one disguised predictor. Choose one."))
        return predictor

    def model(self) -> Model:
        """Return the chosen model."""
        values = self.cleaned_data
        return Model(
            response=values["response"], disguised=values["disguised"], questions=tuple(sorted(values["by"]))
        )


@results_page
def regression(request: HttpRequest, open_run: OpenedRun) -> HttpResponse:
    """Show the regression of an item on others, as chosen in the address."""
    run, labels = open_run
    rows = rows_of_run(run).with_results()
    form = _form(request, open_run, rows)
    context: dict[str, object] = {"run": run, "form": form}
    if form.is_valid():
        try:
            model = form.model()
            fit = item_regression(rows, model)
            odds = list(_odds(model, fit, run.version, labels))
            context |= {
                "response": labels.short([model.response]),
                "fitted": fit,
                "shares": list(_shares(model, fit, run.version, labels)),
                "odds": odds,
                "lifting": lifting_rows(run, model_items(run.design, model)),
            }
        except PrivacyError as error:
            context["problem"] = sentences(error)
    status = 422 if "problem" in context or (form.is_bound and not form.is_valid()) else 200
    return render(request, "report/run_regression.html", context, status=status)


def _form(request: HttpRequest, open_run: OpenedRun, rows: ReleasableRows) -> RegressionForm:
    query = request.GET if "response" in request.GET else None
    return RegressionForm(query, open_run.run.version, rows, open_run.labels)


def _answers(predictor: OpenPredictor, version: Version, labels: Labels) -> list[str]:
    """Name the answers of an open question."""
    no = _("%(item)s: no") % {"item": question_names(version, version.to_design())[predictor.question].key}
    return [no if answer is None else labels.short([answer]) for answer in predictor.answers]


def _shares(
    model: Model, fit: ItemRegression, version: Version, labels: Labels
) -> Iterator[list[tuple[str, StandardisedShare, float]]]:
    """Yield the standardised shares of each predictor, the reference answer first, with their shifts."""

    def of(question: int | None, names: Iterable[str]) -> list[tuple[str, StandardisedShare, float]]:
        shares = fit.shares[question]
        shifts = fit.share_shifts.get(question) or [0.0] * len(shares)
        return list(zip(names, shares, shifts, strict=True))

    for predictor in fit.predictors:
        yield of(predictor.question, _answers(predictor, version, labels))
    if model.disguised is not None:
        name = labels.short([model.disguised])
        yield of(None, (_("%(item)s: no") % {"item": name}, name))


def _odds(model: Model, fit: ItemRegression, version: Version, labels: Labels) -> Iterator[OddsLine]:
    """Yield the coefficients by name."""

    def of(name: str, line: Coefficient) -> OddsLine:
        term = line.term
        return OddsLine(name=name, line=line, flips=fit.flips.get(term), shift=fit.shifts.get(term, 0.0))

    for predictor in fit.predictors:
        for name, answer in zip(_answers(predictor, version, labels)[1:], predictor.answers[1:], strict=True):
            if answer is not None:
                yield of(name, fit.coefficients[answer])
    if model.disguised is not None:
        name = labels.short([model.disguised])
        yield of(name, fit.coefficients[model.disguised])
        if fit.skipped is not None:
            yield of(_("%(item)s: skipped") % {"item": name}, fit.skipped)
    yield of(_("constant"), fit.constant)
