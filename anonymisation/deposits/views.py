"""The pages on which records are published: each step leads back, and a refusal keeps what was typed."""

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

from anonymisation.deposits import matrix_pages, question_pages, tree_pages
from anonymisation.deposits.drafts import FILES, REPORT, deposit_cancel, deposit_download
from anonymisation.deposits.erasing import deposit_erase
from anonymisation.deposits.forms import PartForm
from anonymisation.deposits.parts import part_take
from anonymisation.deposits.reading import progress_of, result_of, steps_of
from anonymisation.deposits.steps import BeginPage, BoundsPage, ColumnsPage
from anonymisation.deposits.study import StudyPage
from anonymisation.doors import get_deposit_for_builder
from surveys.access.form_page import FormPage
from surveys.access.permissions import get_builder, get_staff, staff_page
from surveys.access.second_factor import require_to_export
from surveys.access.staff_file import staff_file
from surveys.errors.error import SurveyError, refusal_said, sentences
from surveys.formats.attachments import whole_file


@staff_page
@require_safe
def deposit(request: HttpRequest, deposit_id: int) -> HttpResponse:
    """Show the deposit that was made, or how far it is; where none was asked for, the next step."""
    selected = get_deposit_for_builder(request.user, deposit_id)
    if selected.finished_at is not None:
        context = {
            "deposit": selected,
            "result": result_of(selected),
            "steps": steps_of(selected, "deposit"),
        }
        return render(request, "anonymisation/made.html", context)
    if selected.job is not None and not selected.job.is_over:
        context = {
            "deposit": selected,
            "progress": progress_of(selected),
            # A table that is being read is at its first step.
            "steps": steps_of(selected, "deposit" if selected.columns else "columns"),
        }
        return render(request, "anonymisation/waiting.html", context)
    if not selected.columns:
        problem = refusal_said(selected.job.message) if selected.job is not None else ""
        return render(request, "anonymisation/unread.html", {"deposit": selected, "problem": problem})
    return redirect("deposits:bounds" if selected.job is not None else "deposits:columns", selected.pk)


@staff_page
@require_POST
def part(request: HttpRequest) -> JsonResponse:
    """Take a part of a large file, and say of which deposit it is; after the last one, where it is read."""
    owner, form = get_builder(request.user), PartForm(request.POST, request.FILES)
    if not form.is_valid():
        return JsonResponse({"problem": form.errors.as_text()}, status=422)
    given = form.cleaned_data
    begun = get_deposit_for_builder(request.user, given["deposit"]) if given["deposit"] else None
    try:
        held = part_take(
            begun,
            owner=owner,
            name=given["name"],
            number=given["number"],
            raw=given["part"].read(),
            is_last=given["last"],
            now=timezone.now(),
        )
    except SurveyError as error:
        return JsonResponse({"problem": sentences(error)}, status=422)
    address = reverse("deposits:deposit", args=[held.pk]) if given["last"] else ""
    return JsonResponse({"deposit": held.pk, "next": address})


@staff_page
@require_safe
def progress(request: HttpRequest, deposit_id: int) -> JsonResponse:
    """Return the progress of the job for the waiting page."""
    selected = get_deposit_for_builder(request.user, deposit_id)
    if selected.job is None or selected.job.is_over:
        return JsonResponse({"over": True})
    return JsonResponse({"over": False, **progress_of(selected)})


@staff_page
@require_POST
def cancel(request: HttpRequest, deposit_id: int) -> HttpResponse:
    """Cancel the job at work; the table and all that was chosen stay."""
    selected = get_deposit_for_builder(request.user, deposit_id)
    if deposit_cancel(selected, by=get_staff(request.user), now=timezone.now()):
        messages.success(request, _("Cancelled. Your choices are kept."))
    else:
        messages.info(request, _("The job finished before it could be cancelled."))
    return redirect("deposits:deposit", selected.pk)


@staff_page
@require_POST
def erase(request: HttpRequest, deposit_id: int) -> HttpResponse:
    """Delete records and files at once."""
    selected = get_deposit_for_builder(request.user, deposit_id)
    if deposit_erase(selected, by=get_staff(request.user)):
        messages.success(request, _("The records and everything made from them were deleted."))
    else:
        messages.success(
            request,
            _(
                "The files were deleted. We keep only what is needed to recognise a later "
                "release of the same people."
            ),
        )
    return redirect("deposits:begin")


@staff_file
def download(request: HttpRequest, made_id: int, kind: str) -> HttpResponse:
    """Send what is handed over (table, codebook, manifest), or the publisher's report."""
    selected = get_deposit_for_builder(request.user, made_id)
    staff = get_staff(request.user)
    require_to_export(staff)
    body = deposit_download(selected, kind, by=staff)
    name = f"sottovoce-deposit-{selected.pk}{'' if kind == FILES else '-report'}.zip"
    return whole_file(body, "application/zip", name)


def _staff(page: type[FormPage], **options: Any) -> Callable[..., HttpResponseBase]:
    return staff_page(page.as_view(**options))


urlpatterns = [
    path("deposits/", _staff(BeginPage), name="begin"),
    path("deposits.json", question_pages.deposits_json, name="list_json"),
    path("deposits/part", part, name="part"),
    path("deposits/<int:deposit_id>/", deposit, name="deposit"),
    path("deposits/<int:deposit_id>/columns/", _staff(ColumnsPage), name="columns"),
    path("deposits/<int:deposit_id>/groups/", _staff(tree_pages.TreesPage), name="trees"),
    path("deposits/<int:deposit_id>/study/", _staff(StudyPage), name="study"),
    path("deposits/<int:deposit_id>/bounds/", _staff(BoundsPage), name="bounds"),
    path("deposits/<int:deposit_id>/matrix/", _staff(matrix_pages.MatrixPage), name="matrix"),
    path("deposits/<int:deposit_id>/matrix.csv", matrix_pages.matrix_csv, name="matrix_csv"),
    path("deposits/<int:deposit_id>/progress", progress, name="progress"),
    path("deposits/<int:deposit_id>/cancel", cancel, name="cancel"),
    path("deposits/<int:deposit_id>/erase", erase, name="erase"),
    path("deposits/<int:made_id>/deposit.zip", download, {"kind": FILES}, name="files"),
    path("deposits/<int:made_id>/report.zip", download, {"kind": REPORT}, name="report"),
    path("deposits/<int:made_id>/answer.json", question_pages.answer_json, name="answer_json"),
    path("deposits/<int:made_id>/ask/", _staff(question_pages.AskPage), name="ask"),
    path(
        "deposits/<int:made_id>/questions/",
        _staff(question_pages.QuestionsPage, http_method_names=["get", "head"]),
        name="questions",
    ),
    path(
        "deposits/<int:made_id>/questions/open",
        _staff(question_pages.QuestionsPage, http_method_names=["post"]),
        name="open",
    ),
    path("deposits/<int:made_id>/questions/shut", question_pages.shut_for_questions, name="shut"),
]
