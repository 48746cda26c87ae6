"""Pages of releases that are not steps: the list, a release, its progress and its files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from anonymisation.permissions import (
    get_release_for_builder,
    get_releases_for_questions,
)
from anonymisation.releases import steps
from anonymisation.releases.deletion import release_erase
from anonymisation.releases.downloads import FILES, release_download
from anonymisation.releases.drafts import release_cancel
from anonymisation.releases.file_parts import part_store
from anonymisation.releases.progress import progress_of
from anonymisation.releases.query_pages import AskPage, QuestionsPage, answer_json, queries_close
from anonymisation.releases.query_records import columns_record, release_record
from anonymisation.releases.release_queries import open_releases, published_of
from anonymisation.releases.result_words import result_of
from anonymisation.releases.sealed_documents import REPORT
from anonymisation.releases.source_forms import PartForm
from anonymisation.releases.step_links import steps_of
from anonymisation.releases.steps import BeginPage, BoundsPage, ColumnsPage, StudyPage
from surveys.accounts.form_page import FormPage
from surveys.accounts.permissions import get_builder, get_staff, require_to_export, staff_page
from surveys.accounts.token_requests import staff_file
from surveys.errors.error import SurveyError, sentences
from surveys.errors.stored_refusals import refusal_text
from surveys.formats.file_responses import json_file, whole_file


@staff_file
def releases_json(request: HttpRequest) -> JsonResponse:
    """Send the releases that the user may query, with their columns."""
    entries = open_releases(get_releases_for_questions(request.user), get_staff(request.user))
    records = [
        release_record(entry["release"], left=entry["left"])
        | {"columns": columns_record(published_of(entry["release"]))}
        for entry in entries
    ]
    return json_file({"releases": records}, "sottovoce-releases.json")


@staff_page
@require_safe
def release(request: HttpRequest, release_id: int) -> HttpResponse:
    """Show a finished release or its progress; if it was not requested yet, go to the next step."""
    selected = get_release_for_builder(request.user, release_id)
    if selected.finished_at is not None:
        context = {"release": selected, "result": result_of(selected), "steps": steps_of(selected, "release")}
        return render(request, "anonymisation/made.html", context)
    if selected.job is not None and not selected.job.is_over:
        context = {
            "release": selected,
            "progress": progress_of(selected),
            # While its file is being read, a release has no columns and is at its first step.
            "steps": steps_of(selected, "release" if selected.columns else "columns"),
        }
        return render(request, "anonymisation/waiting.html", context)
    if not selected.columns:
        problem = refusal_text(selected.job.message) if selected.job is not None else ""
        return render(request, "anonymisation/unread.html", {"release": selected, "problem": problem})
    return redirect("releases:bounds" if selected.job is not None else "releases:columns", selected.pk)


@staff_page
@require_POST
def part(request: HttpRequest) -> JsonResponse:
    """Accept a part of a large file and return its release and, after the last part, where to go next."""
    owner, form = get_builder(request.user), PartForm(request.POST, request.FILES)
    if not form.is_valid():
        return JsonResponse({"problem": form.errors.as_text()}, status=422)
    fields = form.cleaned_data
    existing = get_release_for_builder(request.user, fields["release"]) if fields["release"] else None
    try:
        draft = part_store(
            existing,
            owner=owner,
            name=fields["name"],
            number=fields["number"],
            raw=fields["part"].read(),
            is_last=fields["last"],
            now=timezone.now(),
        )
    except SurveyError as error:
        return JsonResponse({"problem": sentences(error)}, status=422)
    address = reverse("releases:release", args=[draft.pk]) if fields["last"] else ""
    return JsonResponse({"release": draft.pk, "next": address})


@staff_page
@require_safe
def progress(request: HttpRequest, release_id: int) -> JsonResponse:
    """Return the progress of the job for the waiting page."""
    selected = get_release_for_builder(request.user, release_id)
    if selected.job is None or selected.job.is_over:
        return JsonResponse({"over": True})
    return JsonResponse({"over": False, **progress_of(selected)})


@staff_page
@require_POST
def cancel(request: HttpRequest, release_id: int) -> HttpResponse:
    """Cancel the current job; the table and the choices are kept."""
    selected = get_release_for_builder(request.user, release_id)
    if release_cancel(selected, by=get_staff(request.user), now=timezone.now()):
        messages.success(request, _("Cancelled. Your choices are kept."))
    else:
        messages.info(request, _("The job finished before it could be cancelled."))
    return redirect("releases:release", selected.pk)


@staff_page
@require_POST
def erase(request: HttpRequest, release_id: int) -> HttpResponse:
    """Delete records and files immediately."""
    selected = get_release_for_builder(request.user, release_id)
    if release_erase(selected, by=get_staff(request.user)):
        messages.success(request, _("The records and everything made from them were deleted."))
    else:
        messages.success(
            request,
            _(
                "The files were deleted. We keep only what is needed to recognise a later "
                "release of the same people."
            ),
        )
    return redirect("releases:begin")


@staff_file
def download(request: HttpRequest, made_id: int, kind: str) -> HttpResponse:
    """Send the published files or the publisher's report."""
    selected = get_release_for_builder(request.user, made_id)
    staff = get_staff(request.user)
    require_to_export(staff)
    body = release_download(selected, kind, by=staff)
    name = f"sottovoce-release-{selected.pk}{'' if kind == FILES else '-report'}.zip"
    return whole_file(body, "application/zip", name)


def _staff(page: type[FormPage], **options: Any) -> Callable[..., HttpResponseBase]:
    return staff_page(page.as_view(**options))


urlpatterns = [
    path("releases/", _staff(BeginPage), name="begin"),
    path("releases.json", releases_json, name="list_json"),
    path("releases/part", part, name="part"),
    path("releases/<int:release_id>/", release, name="release"),
    path("releases/<int:release_id>/columns/", _staff(ColumnsPage), name="columns"),
    path("releases/<int:release_id>/groups/", _staff(steps.TreesPage), name="trees"),
    path("releases/<int:release_id>/study/", _staff(StudyPage), name="study"),
    path("releases/<int:release_id>/bounds/", _staff(BoundsPage), name="bounds"),
    path("releases/<int:release_id>/matrix/", _staff(steps.MatrixPage), name="matrix"),
    path("releases/<int:release_id>/progress", progress, name="progress"),
    path("releases/<int:release_id>/cancel", cancel, name="cancel"),
    path("releases/<int:release_id>/erase", erase, name="erase"),
    path("releases/<int:made_id>/deposit.zip", download, {"kind": FILES}, name="files"),
    path("releases/<int:made_id>/report.zip", download, {"kind": REPORT}, name="report"),
    path("releases/<int:made_id>/answer.json", answer_json, name="answer_json"),
    path("releases/<int:made_id>/ask/", _staff(AskPage), name="ask"),
    path(
        "releases/<int:made_id>/questions/",
        _staff(QuestionsPage, http_method_names=["get", "head"]),
        name="questions",
    ),
    path(
        "releases/<int:made_id>/questions/open",
        _staff(QuestionsPage, http_method_names=["post"]),
        name="open",
    ),
    path("releases/<int:made_id>/questions/shut", queries_close, name="shut"),
]
