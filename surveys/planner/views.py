"""The planner's page, alone and beside a draft.

The whole plan is in the address: a page can be sent to somebody, and Back works. With JavaScript the figures
follow each change (they are asked for at ``figures``); without it a button asks for them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from privacy.risk.planning import figures_of
from surveys.access.permissions import get_survey_for_builder, staff_page
from surveys.models import Survey
from surveys.planner.draft import draft_rows, draft_scale_rows, start_of
from surveys.planner.figures import PlanPage, plan_page
from surveys.planner.forms import MadeUpForm, PlanForm
from surveys.planner.made_up import MadeUpShare, made_up_shares
from surveys.questionnaire.draft_reading import draft_read


@staff_page
@require_safe
def planner(request: HttpRequest) -> HttpResponse:
    """Show the planner."""
    form = _form(request, {})
    context = {**_figures(form), "form": form, "figures_address": reverse("planner:figures")}
    return render(request, "planner/planner.html", context, status=200 if form.is_valid() else 422)


@staff_page
@require_safe
def figures(request: HttpRequest) -> HttpResponse:
    """Give the part of the page that follows the form."""
    form = _form(request, {})
    return render(
        request,
        "planner/figures.html",
        {**_figures(form), "form": form},
        status=200 if form.is_valid() else 422,
    )


@staff_page
@require_safe
def survey_planner(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the planner for a draft: it starts from what the draft says, and leaves it alone."""
    survey = get_survey_for_builder(request.user, slug)
    definition = draft_read(survey).definition
    form = _form(request, start_of(definition) if definition else {})
    context: dict[str, Any] = {
        **_figures(form),
        "form": form,
        "figures_address": reverse("planner:figures"),
        **_draft(survey, form),
    }
    return render(request, "planner/planner.html", context, status=200 if form.is_valid() else 422)


@staff_page
@require_safe
def made_up(request: HttpRequest, slug: str) -> HttpResponse:
    """Try a draft on made-up people; who they are follows from the address, and nothing is kept."""
    survey = get_survey_for_builder(request.user, slug)
    definition = draft_read(survey).definition
    form = MadeUpForm({**MadeUpForm.START, **request.GET.dict()}, label_suffix="")
    shares: tuple[MadeUpShare, ...] = ()
    turn = 1
    if definition is not None and form.is_valid():
        n, turn = form.cleaned_data["n"], form.cleaned_data["turn"]
        shares = made_up_shares(definition, n=n, rng=np.random.default_rng([turn, n]))
    context = {
        "survey": survey,
        "unready": definition is None,
        "form": form,
        "shares": shares,
        "next": turn + 1,
    }
    return render(request, "planner/made_up.html", context, status=200 if form.is_valid() else 422)


def _form(request: HttpRequest, start: dict[str, Any]) -> PlanForm:
    """Return the form with what the address says, and where that is silent with the start."""
    given = {name: request.GET[name] for name in PlanForm.base_fields if name in request.GET}
    return PlanForm({**PlanForm.START, **start, **given}, label_suffix="")


def _figures(form: PlanForm) -> dict[str, PlanPage | None]:
    if not form.is_valid():
        return {"plan": None}
    found = figures_of(form.planned(), most_epsilon=float(form.cleaned_data["ceiling"]))
    return {"plan": plan_page(found)}


def _draft(survey: Survey, form: PlanForm) -> dict[str, Any]:
    definition = draft_read(survey).definition
    rows, scales = None, None
    if definition is not None and form.is_valid():
        values = form.cleaned_data
        rows = draft_rows(definition, n=values["n"], direct_share=float(values["k"]) / 100)
        scales = draft_scale_rows(definition, n=values["n"])
    return {
        "survey": survey,
        "draft_rows": rows,
        "draft_scales": scales,
        "draft_two_strengths": definition is not None and definition.design.has_two_strengths,
        "draft_unready": definition is None,
    }
