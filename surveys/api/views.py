"""The token's owner, surveys, their versions and their runs."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import path, re_path

from surveys.access.permissions import (
    get_run_for_report,
    get_staff,
    get_survey_for_report,
    get_survey_for_staff,
    get_surveys_for_staff,
    may_read_report,
)
from surveys.access.roles import Role, roles_of
from surveys.api import figures, openapi
from surveys.api.door import answers, nothing, parameters
from surveys.api.paging import PAGING, one_of, paging_of
from surveys.api.records import (
    design_records,
    label_record,
    run_record,
    survey_record,
    version_record,
)
from surveys.desk.overview import received_counts
from surveys.extension import extensions
from surveys.models import Job, Run, Survey, Version


@answers
def me(request: HttpRequest) -> dict[str, Any]:
    """Return the owner of the token, and what they may read."""
    parameters(request, frozenset())
    user = get_staff(request.user)
    roles = roles_of(user)
    return {"name": user.get_username(), "roles": [role.value for role in Role if role in roles]}


@answers
def surveys(request: HttpRequest) -> dict[str, Any]:
    """List the surveys that are on the first page of who asks."""
    given = parameters(request, PAGING | {"state", "practice"})
    paging = paging_of(given)
    selected = get_surveys_for_staff(request.user)
    if state := one_of(given, "state", Survey.State.values):
        selected = selected.filter(state=state)
    if practice := one_of(given, "practice", ("true", "false")):
        selected = selected.filter(practice=practice == "true")
    received = received_counts()
    entries = [
        survey_record(survey, received.get(survey.pk, 0), may_read=may_read_report(request.user, survey))
        for survey in selected[paging.first : paging.first + paging.size]
    ]
    return paging.listed(request, entries, selected.count())


@answers
def survey(request: HttpRequest, slug: str) -> dict[str, Any]:
    """Return a survey and its designs."""
    parameters(request, frozenset())
    selected = get_survey_for_staff(request.user, slug)
    may_read = may_read_report(request.user, selected)
    head = survey_record(selected, received_counts().get(selected.pk, 0), may_read=may_read)
    return head | {"designs": design_records(selected)}


@answers
def versions(request: HttpRequest, slug: str) -> dict[str, Any]:
    """List the versions of a survey, the newest first."""
    paging = paging_of(parameters(request, PAGING))
    selected = get_survey_for_staff(request.user, slug).versions.select_related("survey").order_by("-number")
    entries = [version_record(version) for version in selected[paging.first : paging.first + paging.size]]
    return paging.listed(request, entries, selected.count())


@answers
def version(request: HttpRequest, slug: str, number: int) -> dict[str, Any]:
    """Return a version: its questions, and how each part is disguised."""
    parameters(request, frozenset())
    survey = get_survey_for_staff(request.user, slug)
    selected = get_object_or_404(Version.objects.select_related("survey"), survey=survey, number=number)
    return version_record(selected) | {"label": label_record(selected)}


@answers
def runs(request: HttpRequest, slug: str) -> dict[str, Any]:
    """List the runs of a survey, the newest first."""
    given = parameters(request, PAGING | {"state"})
    paging = paging_of(given)
    survey = get_survey_for_report(request.user, slug)
    selected = Run.objects.filter(survey=survey).select_related(
        "survey", "version", "job", "job__requested_by"
    )
    if state := one_of(given, "state", Job.State.values):
        selected = selected.filter(job__state=state)
    entries = [_run(run) for run in selected[paging.first : paging.first + paging.size]]
    return paging.listed(request, entries, selected.count())


@answers
def run(request: HttpRequest, run_id: int) -> dict[str, Any]:
    """Return a run: its request, and how it ended."""
    parameters(request, frozenset())
    return _run(get_run_for_report(request.user, run_id))


def _run(selected: Run) -> dict[str, Any]:
    return run_record(selected)


urlpatterns = [
    path("openapi.json", openapi.openapi, name="openapi"),
    path("me", me, name="me"),
    path("surveys", surveys, name="surveys"),
    path("surveys/<slug:slug>", survey, name="survey"),
    path("surveys/<slug:slug>/versions", versions, name="versions"),
    path("surveys/<slug:slug>/versions/<int:number>", version, name="version"),
    path("surveys/<slug:slug>/runs", runs, name="runs"),
    path("runs/<int:run_id>", run, name="run"),
    path("runs/<int:run_id>/prevalences", figures.prevalences, name="prevalences"),
    path("runs/<int:run_id>/itemsets", figures.itemsets, name="itemsets"),
    path("runs/<int:run_id>/rules", figures.rules, name="rules"),
    path("runs/<int:run_id>/arms", figures.arms, name="arms"),
    path("runs/<int:run_id>/numbers/<str:question>", figures.number, name="number"),
    path("runs/<int:run_id>/places/<str:question>", figures.location, name="place"),
    path("runs/<int:run_id>/audit", figures.audit, name="audit"),
    path("runs/<int:run_id>/label", figures.label, name="label"),
    path("runs/<int:run_id>/rows", figures.rows, name="rows"),
    *(route for app in extensions() for route in app.api().routes),
    re_path("^.*$", nothing, name="nothing"),
]
