"""The planner's page, alone and beside a draft.

The whole plan is in the address: a page can be sent to somebody, and Back works. With JavaScript the figures
follow each change (they are asked for at ``figures``); without it a button asks for them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.http import require_safe

from privacy.coins import SCALE
from privacy.planning.planned_survey import PlannedSurvey
from privacy.planning.planning import figures_of
from privacy.planning.precision import AskedItem
from surveys.access.permissions import get_survey_for_builder, staff_page
from surveys.charts.planner_frontier import frontier_svg
from surveys.models import Survey
from surveys.planner import promise_page
from surveys.planner.draft import draft_rows, draft_scale_rows, start_of
from surveys.planner.forms import MOST_MADE_UP, MadeUpForm, PlanForm
from surveys.planner.made_up import MadeUpShare, made_up_shares
from surveys.planner.place_windows import PlaceWindows, draft_windows
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.draft_reading import draft_read
from surveys.questionnaire.use_words import payoff_sentences


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
    definition = draft_read(survey).designed
    expected = {"n": Aim.people_of(survey.aim)}
    form = _form(request, {**expected, **start_of(definition)} if definition else expected)
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
    definition = draft_read(survey).designed
    aim = Aim.from_json(survey.aim)
    expected = {"n": min(aim.people, MOST_MADE_UP)} if aim else {}
    form = MadeUpForm({**MadeUpForm.START, **expected, **request.GET.dict()}, label_suffix="")
    shares: tuple[MadeUpShare, ...] = ()
    turn = 1
    if definition is not None and form.is_valid():
        n, turn = form.cleaned_data["n"], form.cleaned_data["turn"]
        wanted = aim.within(definition.design).wanted if aim else ()
        shares = made_up_shares(definition, n=n, rng=np.random.default_rng([turn, n]), wanted=wanted)
    context = {
        "survey": survey,
        "unready": definition is None,
        "form": form,
        "shares": shares,
        "rotates": definition is not None and definition.design.rotates,
        "next": turn + 1,
    }
    return render(request, "planner/made_up.html", context, status=200 if form.is_valid() else 422)


def _form(request: HttpRequest, start: dict[str, Any]) -> PlanForm:
    """Return the form with what the address says, and where that is silent with the start."""
    values = {name: request.GET[name] for name in PlanForm.base_fields if name in request.GET}
    return PlanForm({**PlanForm.START, **start, **values}, label_suffix="")


def _figures(form: PlanForm) -> dict[str, Any]:
    """Return a plan's figures, with what the page says of several of them at once.

    `truth` is the chance that a row is true, at most, and `reidentified` the share of truthful rows that are
    recognised with more than 95 %; `errors` has for each size of itemset the errors of the plan, of a coin
    for each question at the same epsilon, and of asking directly.
    """
    if not form.is_valid():
        return {"plan": None}
    values = form.cleaned_data
    plan = figures_of(form.planned(), most_epsilon=float(values["ceiling"]))
    blocks = plan.audit.blocks
    other = {alternative.name: alternative for alternative in plan.alternatives}
    independent, direct = other["independent_coins"], other["direct"]
    chosen = plan.survey.truth_probability / SCALE
    return {
        "plan": plan,
        "worst": max(blocks, key=lambda block: block.epsilon),
        "truth": max(block.likeliest.coin for block in blocks),
        "reidentified": max(block.unmixing.truthful[-1] for block in blocks),
        "independent": independent,
        "errors": list(zip(plan.errors, independent.errors, direct.errors, strict=True)),
        "chosen": chosen,
        "picture": frontier_svg(plan.frontier, chosen=chosen),
        "payoff": _payoff(plan.survey),
    }


def _payoff(survey: PlannedSurvey) -> tuple[str, ...]:
    """Return whether the disguise of the first part pays, at its expected share."""
    if survey.n < 2:
        return ()
    truth, theta, share = (
        value / SCALE for value in (survey.truth_probability, survey.unrelated, survey.prevalences[0])
    )
    return payoff_sentences(AskedItem(truth=truth, decoy=theta, share=share), survey.n)


def _draft(survey: Survey, form: PlanForm) -> dict[str, Any]:
    definition = draft_read(survey).designed
    rows, scales = None, None
    places: tuple[PlaceWindows, ...] = ()
    if definition is not None and form.is_valid():
        values = form.cleaned_data
        rows = draft_rows(definition, n=values["n"], direct_share=float(values["k"]) / 100)
        scales = draft_scale_rows(definition, n=values["n"])
        places = draft_windows(definition)
    return {
        "survey": survey,
        "draft_rows": rows,
        "draft_scales": scales,
        "draft_places": places,
        "draft_two_strengths": definition is not None and definition.design.has_two_strengths,
        "draft_takes_turns": definition is not None and definition.design.rotates,
        "draft_unready": definition is None,
    }


urlpatterns = [
    path("planner/", planner, name="planner"),
    path("planner/promise/", promise_page.promise, name="promise"),
    path("planner/figures", figures, name="figures"),
    path("surveys/<slug:slug>/planner/", survey_planner, name="survey"),
    path("surveys/<slug:slug>/made-up/", made_up, name="made_up"),
]
