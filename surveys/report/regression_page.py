"""The page of a run that regresses one item on others."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from privacy.errors import PrivacyError
from privacy.estimation.regression import PREDICTOR, Coefficient
from privacy.estimation.standardised import StandardisedShare
from privacy.survey.design import Design
from surveys.access.permissions import staff_page
from surveys.analysis.margins import (
    MOST_BYTES,
    Shares,
    margins_from_address,
    margins_of,
    margins_read,
    margins_text,
)
from surveys.analysis.regression import CONSTANT, ItemRegression, Model, item_regression, open_predictors
from surveys.analysis.weighting import Rows, rows_of_run
from surveys.disclosure.disclosure import shown_count
from surveys.errors.core_refusals import sentences
from surveys.formats.figures import Figure, number, ratio_figure
from surveys.models import Version
from surveys.questionnaire.labels import Labels, question_names
from surveys.report.opened import OpenedRun, results_page


class RegressionForm(forms.Form):
    """The answer that is looked at, and what may go with it."""

    response = forms.TypedChoiceField(
        label=gettext_lazy("Answer"),
        coerce=int,
        help_text=gettext_lazy("The share that has it is compared."),
    )
    by = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Open questions that predict it"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Each answer is compared with the first one of its question."),
    )
    disguised = forms.TypedChoiceField(
        label=gettext_lazy("A disguised answer that predicts it"),
        coerce=int,
        required=False,
        empty_value=None,
        help_text=gettext_lazy("Nobody's true answer is known; the disguise is reckoned with."),
    )

    margins = forms.CharField(
        label=gettext_lazy("Shares in the population"),
        required=False,
        max_length=MOST_BYTES,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "class": "mono"}),
        help_text=gettext_lazy(
            "For weights. One line per option: question, option, share. Empty: every answer counts alike."
        ),
    )

    def __init__(self, data: Mapping[str, Any] | None, version: Version, rows: Rows, labels: Labels) -> None:
        super().__init__(data)
        choices = labels.choices()
        protected = [choice for choice in choices if labels.items[choice[0]].protected]
        names = question_names(version, rows.design)
        self.fields["response"].choices = protected + [one for one in choices if one not in protected]  # type: ignore[attr-defined]
        self.fields["disguised"].choices = [("", _("none")), *protected]  # type: ignore[attr-defined]
        self.fields["by"].choices = [  # type: ignore[attr-defined]
            (one.question, names[one.question].key) for one in open_predictors(rows.design)
        ]

    def model(self) -> Model:
        """Return what was chosen."""
        given = self.cleaned_data
        return Model(
            response=given["response"], disguised=given["disguised"], questions=tuple(sorted(given["by"]))
        )

    def shares(self) -> Shares:
        """Return the shares that were given, as lines or as an address of the page on weights has them.

        Raises
        ------
        SurveyError
        """
        text = self.cleaned_data["margins"].strip()
        if not text:
            return {}
        return margins_from_address(text) if "=" in text else margins_read(text)


@dataclass(frozen=True, kw_only=True)
class ShareLine:
    """A standardised share, ready to print; the first of its predictor has no sentence."""

    name: str
    share: str
    low: str
    high: str
    sentence: str


@dataclass(frozen=True, kw_only=True)
class OddsLine:
    """A coefficient of the table, ready to print."""

    name: str
    odds_ratio: Figure
    profile: str
    coefficient: str
    standard_error: str


@dataclass(frozen=True, kw_only=True)
class SkipEquation:
    """Who skips a part, ready to print."""

    part: str
    title_id: str
    odds: tuple[OddsLine, ...]


@dataclass(frozen=True, kw_only=True)
class FittedModel:
    """A regression, ready to print."""

    response: str
    n: str
    events: str
    effective_n: str
    shares: tuple[ShareLine, ...]
    odds: tuple[OddsLine, ...]
    skips: tuple[SkipEquation, ...]


@dataclass(frozen=True, kw_only=True)
class Scripted:
    """What computes the same model from the rows of the ZIP file: what to type, and the file of shares."""

    commands: tuple[str, ...]
    shares: str


@staff_page
@require_safe
@results_page
def regression(request: HttpRequest, opened: OpenedRun) -> HttpResponse:
    """Regress an item on others; what is chosen stands in the address."""
    found, labels = opened
    rows = rows_of_run(found)
    form = RegressionForm(request.GET if "response" in request.GET else None, found.version, rows, labels)
    fitted, scripted, problem = None, None, ""
    if form.is_valid():
        try:
            model, shares = form.model(), form.shares()
            margins = margins_of(shares, rows.design)
            fitted = _fitted(model, item_regression(rows, model, margins), found.version, rows, labels)
            scripted = _scripted(model, shares, rows.design)
        except PrivacyError as refusal:
            problem = sentences(refusal)
    context = {"run": found, "form": form, "fitted": fitted, "scripted": scripted, "problem": problem}
    status = 422 if problem or (form.is_bound and not form.is_valid()) else 200
    return render(request, "report/run_regression.html", context, status=status)


def _scripted(model: Model, shares: Shares, design: Design) -> Scripted:
    """Return what to type; keys have no letter that a shell would read as anything but itself."""
    items = [item for item in (model.disguised,) if item is not None]
    words = [
        design.items[model.response].key,
        *(design.questions[question].key for question in model.questions),
        *(design.items[item].key for item in items),
        *(["--shares", "shares.csv"] if shares else []),
    ]
    return Scripted(
        commands=tuple(
            " ".join([program, *words]) for program in ("python regression.py", "Rscript regression.R")
        ),
        shares=margins_text(shares, digits=12) if shares else "",
    )


def _fitted(model: Model, found: ItemRegression, version: Version, rows: Rows, labels: Labels) -> FittedModel:
    names = question_names(version, rows.design)
    shares: list[ShareLine] = []
    odds: list[OddsLine] = []
    for one in found.predictors:
        answers = [
            _("%(item)s: no") % {"item": names[one.question].key}
            if answer is None
            else labels.short([answer])
            for answer in one.answers
        ]
        shares += _share_lines(answers, found.shares[one.question])
        odds += [
            _odds_line(name, found.coefficients[answer], found.profiles.get(answer))
            for name, answer in zip(answers[1:], one.answers[1:], strict=True)
            if answer is not None
        ]
    if model.disguised is not None:
        name = labels.short([model.disguised])
        shares += _share_lines([_("%(item)s: no") % {"item": name}, name], found.shares[None])
        odds.append(
            _odds_line(name, found.coefficients[model.disguised], found.profiles.get(model.disguised))
        )
        if found.skipped is not None:
            odds.append(_odds_line(_("%(item)s: skipped") % {"item": name}, found.skipped))
    return FittedModel(
        response=labels.short([model.response]),
        n=shown_count(found.n),
        events=number(found.events, 0),
        effective_n="" if found.effective_n is None else shown_count(round(found.effective_n)),
        shares=tuple(shares),
        odds=(*odds, _odds_line(_("constant"), found.constant)),
        skips=tuple(_skip_equations(model, found, rows, labels)),
    )


def _skip_equations(
    model: Model, found: ItemRegression, rows: Rows, labels: Labels
) -> Iterator[SkipEquation]:
    """Yield the equations of skipping: of the response's part, and of the disguised item's if another one."""
    design = rows.design
    items = {"skipped": model.response, "predictor skipped": model.disguised}
    for equation, item in items.items():
        lines = [line for line in found.skips if line.equation == equation]
        if not lines or item is None:
            continue
        yield SkipEquation(
            title_id=f"skips-of-{equation.replace(' ', '-')}",
            part=design.blocks[design.items[item].block].key,
            odds=tuple(_odds_line(_term_name(line.term, model, labels), line) for line in lines),
        )


def _term_name(term: str, model: Model, labels: Labels) -> str:
    """Return how a reader knows a term of an equation."""
    if term == CONSTANT:
        return _("constant")
    if not term.startswith(PREDICTOR):
        return labels.short([int(term)])
    name = labels.short([item for item in (model.disguised,) if item is not None])
    return name if term == PREDICTOR else _("%(item)s: skipped") % {"item": name}


def _share_lines(names: Sequence[str], shares: Sequence[StandardisedShare]) -> list[ShareLine]:
    lines = []
    for place, (name, share) in enumerate(zip(names, shares, strict=True)):
        sentence = _(
            "Standardised: %(first)s %(first_share)s %%, %(name)s %(share)s %%, "
            "difference %(difference)s points [%(low)s, %(high)s]."
        ) % {
            "first": names[0],
            "first_share": _points(shares[0].value),
            "name": name,
            "share": _points(share.value),
            "difference": _points(share.difference),
            "low": _points(share.difference_low),
            "high": _points(share.difference_high),
        }
        lines.append(
            ShareLine(
                name=name,
                share=_points(share.value),
                low=_points(share.low),
                high=_points(share.high),
                sentence=sentence if place else "",
            )
        )
    return lines


def _odds_line(name: str, line: Coefficient, profile: tuple[float, float] | None = None) -> OddsLine:
    return OddsLine(
        name=name,
        profile="" if profile is None else "[{}, {}]".format(*map(_odds, profile)),
        odds_ratio=ratio_figure(line.odds_ratio, line.low, line.high),
        coefficient=number(line.value),
        standard_error=number(line.standard_error),
    )


def _points(share: float) -> str:
    return number(100 * share, 1)


def _odds(end: float) -> str:
    return number(math.exp(end)) if math.isfinite(end) else ("0" if end < 0 else "∞")
