"""The page on which an answer is regressed on others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.errors import PrivacyError
from privacy.regression.logistic import Coefficient
from privacy.regression.standardised import StandardisedShare
from surveys.errors.error import sentences
from surveys.models import Version
from surveys.questionnaire.labels import Labels, question_names
from surveys.report.opened_run import OpenedRun, results_page
from surveys.runs.forged_rows import lifting_rows
from surveys.runs.regression import (
    ItemRegression,
    Model,
    OpenPredictor,
    item_regression,
    model_items,
    open_predictors,
)
from surveys.runs.releasable_rows import ReleasableRows, rows_of_run
from surveys.runs.run_figures import of_run


@dataclass(frozen=True, kw_only=True)
class OddsLine:
    """A coefficient with its name, and what forged rows can do to it.

    Attributes
    ----------
    name : str
    line : Coefficient
    flips : int or None
        Forged rows that overturn its sign, or that it has none; None if no number does.
    """

    name: str
    line: Coefficient
    flips: int | None


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
            fit = of_run(item_regression(rows, model), run)
            odds = list(_odds(model, fit, run.version, labels))
            context |= {
                "response": labels.short([model.response]),
                "fitted": fit,
                "shares": list(_shares(model, fit, run.version, labels)),
                "odds": odds,
                "near_no_end": any(one.line.shown_because_estimable for one in odds),
                "lifting": lifting_rows(run, model_items(run.design, model)),
            }
        except PrivacyError as error:
            context["problem"] = sentences(error)
    status = 422 if "problem" in context or (form.is_bound and not form.is_valid()) else 200
    return render(request, "report/results/run_regression.html", context, status=status)


def _form(request: HttpRequest, open_run: OpenedRun, rows: ReleasableRows) -> RegressionForm:
    query = request.GET if "response" in request.GET else None
    return RegressionForm(query, open_run.run.version, rows, open_run.labels)


def _answers(predictor: OpenPredictor, version: Version, labels: Labels) -> list[str]:
    """Name the answers of an open question."""
    no = _("%(item)s: no") % {"item": question_names(version, version.to_design())[predictor.question].key}
    return [no if answer is None else labels.short([answer]) for answer in predictor.answers]


def _shares(
    model: Model, fit: ItemRegression, version: Version, labels: Labels
) -> Iterator[list[tuple[str, StandardisedShare]]]:
    """Yield the standardised shares of each predictor, the reference answer first."""

    def of(question: int | None, names: Iterable[str]) -> list[tuple[str, StandardisedShare]]:
        return list(zip(names, fit.shares[question], strict=True))

    for predictor in fit.predictors:
        yield of(predictor.question, _answers(predictor, version, labels))
    if model.disguised is not None:
        name = labels.short([model.disguised])
        yield of(None, (_("%(item)s: no") % {"item": name}, name))


def _odds(model: Model, fit: ItemRegression, version: Version, labels: Labels) -> Iterator[OddsLine]:
    """Yield the coefficients by name."""

    def of(name: str, line: Coefficient) -> OddsLine:
        return OddsLine(name=name, line=line, flips=fit.flips.get(line.term))

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
