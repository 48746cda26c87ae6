"""The page of a run that regresses one item on others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.errors import PrivacyError
from privacy.regression.fitted_logit import Coefficient
from privacy.regression.regression import StandardisedShare
from surveys.errors.error import sentences
from surveys.models import Version
from surveys.questionnaire.labels import Labels, question_names
from surveys.report.opened_run import OpenedRun, only_if_fitting, results_page
from surveys.runs.regression import (
    ItemRegression,
    Model,
    OpenPredictor,
    item_regression,
    open_predictors,
)
from surveys.runs.releasable_rows import ReleasableRows, rows_behind

OddsLine: TypeAlias = tuple[str, Coefficient]
"""A coefficient by name."""


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
        # Numbers and places report otherwise than answers do: Compare is for them.
        choices = [
            choice
            for choice in labels.choices()
            if not rows.design.questions[items[choice[0]].question].is_scale
        ]
        protected = [choice for choice in choices if labels.items[choice[0]].protected]
        names = question_names(version, rows.design)
        open_ones = [choice for choice in choices if choice not in protected]
        self.fields["response"].choices = protected + open_ones  # type: ignore[attr-defined]
        self.fields["disguised"].choices = [("", "–"), *protected]  # type: ignore[attr-defined]
        self.fields["by"].choices = [  # type: ignore[attr-defined]
            (predictor.question, names[predictor.question].key) for predictor in open_predictors(rows.design)
        ]

    def clean_disguised(self) -> int | None:
        """Refuse an address that names several of them."""
        chosen: int | None = self.cleaned_data["disguised"]
        if isinstance(self.data, QueryDict) and len(self.data.getlist("disguised")) > 1:
            raise forms.ValidationError(_("A regression has at most one disguised predictor. Choose one."))
        return chosen

    def model(self) -> Model:
        """Return the chosen model."""
        values = self.cleaned_data
        return Model(
            response=values["response"],
            disguised=values["disguised"],
            questions=tuple(sorted(values["by"])),
        )


@results_page
@only_if_fitting("regression")
def regression(request: HttpRequest, opened: OpenedRun) -> HttpResponse:
    """Regress an item on others; the choice is in the address."""
    run, labels = opened
    rows = rows_behind(run).with_results()
    form = _form(request, opened, rows)
    context: dict[str, object] = {"run": run, "form": form}
    if form.is_valid():
        try:
            model = form.model()
            fitted = item_regression(rows, model)
            odds = list(_odds(model, fitted, run.version, labels))
            context |= {
                "response": labels.short([model.response]),
                "fitted": fitted,
                "shares": list(_shares(model, fitted, run.version, labels)),
                "odds": odds,
            }
        except PrivacyError as error:
            context["problem"] = sentences(error)
    status = 422 if "problem" in context or (form.is_bound and not form.is_valid()) else 200
    return render(request, "report/run_regression.html", context, status=status)


def _form(request: HttpRequest, opened: OpenedRun, rows: ReleasableRows) -> RegressionForm:
    query = request.GET if "response" in request.GET else None
    return RegressionForm(query, opened.run.version, rows, opened.labels)


def _answers(predictor: OpenPredictor, version: Version, labels: Labels) -> list[str]:
    """Name the answers of an open question."""
    no = _("%(item)s: no") % {"item": question_names(version, version.to_design())[predictor.question].key}
    return [no if answer is None else labels.short([answer]) for answer in predictor.answers]


def _shares(
    model: Model, fitted: ItemRegression, version: Version, labels: Labels
) -> Iterator[list[tuple[str, StandardisedShare]]]:
    """Yield the standardised shares of each predictor by its answers, that they are compared with first."""
    for predictor in fitted.predictors:
        yield list(zip(_answers(predictor, version, labels), fitted.shares[predictor.question], strict=True))
    if model.disguised is not None:
        name = labels.short([model.disguised])
        yield list(zip((_("%(item)s: no") % {"item": name}, name), fitted.shares[None], strict=True))


def _odds(model: Model, fitted: ItemRegression, version: Version, labels: Labels) -> Iterator[OddsLine]:
    """Yield the coefficients by name."""
    for predictor in fitted.predictors:
        for name, answer in zip(_answers(predictor, version, labels)[1:], predictor.answers[1:], strict=True):
            if answer is not None:
                yield name, fitted.coefficients[answer]
    if model.disguised is not None:
        name = labels.short([model.disguised])
        yield name, fitted.coefficients[model.disguised]
        if fitted.skipped is not None:
            yield _("%(item)s: skipped") % {"item": name}, fitted.skipped
    yield _("constant"), fitted.constant
