"""The pages on which records are published: each step leads back, and a refusal keeps what was typed."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from privacy.errors import PrivacyError
from releases.deposits import matrix_pages, question_pages
from releases.deposits.attackers import beliefs_check
from releases.deposits.columns_form import ColumnsForm, people_sentence
from releases.deposits.drafts import (
    bounds_save,
    columns_save,
    deposit_cancel,
    deposit_download,
    deposit_request,
    said_kept,
    survey_begin,
    table_open,
    trees_save,
    upload_begin,
)
from releases.deposits.erasing import deposit_erase
from releases.deposits.forms import BeginForm, BoundsForm, TreesForm
from releases.deposits.interval_ends import ends_texts, ends_written, numbers_of
from releases.deposits.matrix import matrix_check
from releases.deposits.question_reading import open_deposits
from releases.deposits.reading import is_editable, listed, progress_of, result_of, steps_of
from releases.deposits.respondents import ledger_from_file
from releases.deposits.trees import tree_texts, trees_read
from releases.deposits.uploaded import MOST_BYTES
from releases.doors import (
    get_deposit_for_builder,
    get_deposits_for_builder,
    get_deposits_for_questions,
)
from releases.models import Deposit
from surveys.access.permissions import get_builder, get_staff, get_surveys_for_builder, staff_page
from surveys.access.second_factor import require_to_export
from surveys.errors.core_refusals import sentences
from surveys.errors.error import SurveyError
from surveys.errors.kept_refusals import refusal_said
from surveys.formats.attachments import whole_file

GET_POST = ["GET", "HEAD", "POST"]


@sensitive_post_parameters()
@staff_page
@require_http_methods(GET_POST)
def begin(request: HttpRequest) -> HttpResponse:
    """List what is under way and made, and take another table."""
    builder = get_builder(request.user)
    surveys = [
        survey for survey in get_surveys_for_builder(request.user) if survey.settled and not survey.practice
    ]
    form = BeginForm(request.POST or None, request.FILES or None, surveys=surveys)
    if request.method != "POST":
        return _begin_page(request, form)
    try:
        file = form.files.get("file")
        survey = form.cleaned_data.get("survey") if form.is_valid() else None
        if survey is not None and file is None:
            require_to_export(builder)
            made = survey_begin(owner=builder, survey=survey, now=timezone.now())
        elif file is not None and survey is None and form.is_valid():
            raw = file.read(MOST_BYTES + 1)
            made = upload_begin(owner=builder, name=str(file.name), raw=raw, now=timezone.now())
        else:
            raise SurveyError("deposit_file.none")
    except PrivacyError as error:
        return _begin_page(request, form, problem=sentences(error), status=422)
    return redirect("deposits:columns", made.pk)


@staff_page
@require_http_methods(GET_POST)
def columns(request: HttpRequest, deposit_id: int) -> HttpResponse:
    """Say what becomes of each column, as proposed or otherwise."""
    selected = get_deposit_for_builder(request.user, deposit_id)
    if (elsewhere := _not_here(selected)) is not None:
        return elsewhere
    options: dict[str, Any] = {}
    if selected.survey is None:
        opened = table_open(selected)
        try:
            sentence = people_sentence(opened.people(selected.columns), len(opened.rows))
        except SurveyError as error:
            sentence = sentences(error)
        options = {
            "respondent": opened.respondent,
            "people": opened.stated,
            "sentence": sentence,
            "ledgers": len(opened.ledgers),
        }
    given = [request.POST, request.FILES] if request.method == "POST" else []
    form = ColumnsForm(selected.columns, *given, **options)
    if request.method != "POST":
        return _step(request, selected, "columns", form)
    if not form.is_valid():
        return _step(request, selected, "columns", form, status=422)
    try:
        files = form.cleaned_data.get("ledgers", [])
        columns_save(
            selected,
            form.chosen(),
            by=get_staff(request.user),
            respondent=form.cleaned_data.get("respondent", ""),
            people=form.cleaned_data.get("people", ""),
            ledgers=[ledger_from_file(str(file.name), file.read(MOST_BYTES + 1)) for file in files],
        )
    except PrivacyError as error:
        return _step(request, selected, "columns", form, problem=sentences(error), status=422)
    return redirect("deposits:trees", selected.pk)


@staff_page
@require_http_methods(GET_POST)
def trees(request: HttpRequest, deposit_id: int) -> HttpResponse:
    """Say which values and which numbers go together; where no column is generalised so there is nothing."""
    selected = get_deposit_for_builder(request.user, deposit_id)
    if (elsewhere := _not_here(selected)) is not None:
        return elsewhere
    opened = table_open(selected)
    texts = tree_texts(opened.trees, selected.columns, opened.header, opened.rows)
    spans = numbers_of(selected.columns, opened.header, opened.rows)
    if not (texts or spans) and request.method != "POST":
        return redirect("deposits:bounds", selected.pk)
    ends = ends_texts(opened.ends, spans)
    form = TreesForm(texts, ends, spans, request.POST if request.method == "POST" else None)
    if request.method != "POST":
        return _step(request, selected, "trees", form)
    if not form.is_valid():
        return _step(request, selected, "trees", form, status=422)
    try:
        trees_read(form.trees(), selected.columns, opened.header, opened.rows)
        written = ends_written(form.ends(), spans)
        trees_save(selected, form.trees(), written, by=get_staff(request.user))
    except PrivacyError as error:
        return _step(request, selected, "trees", form, problem=sentences(error), status=422)
    return redirect("deposits:bounds", selected.pk)


@staff_page
@require_http_methods(GET_POST)
def bounds(request: HttpRequest, deposit_id: int) -> HttpResponse:
    """Say what is asked for, and have the deposit made."""
    selected = get_deposit_for_builder(request.user, deposit_id)
    if (elsewhere := _not_here(selected)) is not None:
        return elsewhere
    given = [request.POST] if request.method == "POST" else []
    stored = said_kept(selected)
    form = BoundsForm(
        selected.columns, selected.bounds, stored.beliefs, *given, with_matrix=bool(stored.matrix)
    )
    if request.method != "POST":
        said = refusal_said(selected.job.message) if selected.job is not None else ""
        return _step(request, selected, "bounds", form, problem=said)
    if not form.is_valid():
        return _step(request, selected, "bounds", form, status=422)
    try:
        bounds_save(selected, form.chosen(), form.beliefs())
        if "matrix" in request.POST:
            return redirect("deposits:matrix", selected.pk)
        if stored.matrix:
            matrix_check(selected, stored.matrix, form.chosen())
        beliefs_check(selected, form.chosen(), form.beliefs())
        deposit_request(selected, form.chosen(), by=get_staff(request.user), now=timezone.now())
    except PrivacyError as error:
        return _step(request, selected, "bounds", form, problem=sentences(error), status=422)
    return redirect("deposits:deposit", selected.pk)


@staff_page
@require_safe
def deposit(request: HttpRequest, deposit_id: int) -> HttpResponse:
    """Show the deposit that was made, or how far it is; where none was asked for, the next step."""
    selected = get_deposit_for_builder(request.user, deposit_id)
    if selected.finished_at is not None:
        context = {"deposit": selected, "result": result_of(selected), "steps": steps_of(selected, "deposit")}
        return render(request, "releases/made.html", context)
    if selected.job is not None and not selected.job.is_over:
        context = {
            "deposit": selected,
            "progress": progress_of(selected),
            "steps": steps_of(selected, "deposit"),
        }
        return render(request, "releases/waiting.html", context)
    return redirect("deposits:bounds" if selected.job is not None else "deposits:columns", selected.pk)


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
        messages.success(request, _("It is cancelled. All that you chose is still here."))
    else:
        messages.info(request, _("The job was over before it could be cancelled."))
    return redirect("deposits:deposit", selected.pk)


@staff_page
@require_POST
def erase(request: HttpRequest, deposit_id: int) -> HttpResponse:
    """Delete records and files at once."""
    selected = get_deposit_for_builder(request.user, deposit_id)
    if deposit_erase(selected, by=get_staff(request.user)):
        messages.success(request, _("The records and all that was made of them are deleted."))
    else:
        messages.success(
            request, _("The files are deleted. What a later deposit has to be compared with stays, sealed.")
        )
    return redirect("deposits:begin")


@staff_page
@require_safe
def files(request: HttpRequest, made_id: int) -> HttpResponse:
    """Send what is handed over: table, codebook, manifest."""
    return _download(request, made_id, "files")


@staff_page
@require_safe
def report(request: HttpRequest, made_id: int) -> HttpResponse:
    """Send what is for the publisher: the report with figures of the original table."""
    return _download(request, made_id, "report")


def _download(request: HttpRequest, deposit_id: int, kind: str) -> HttpResponse:
    selected = get_deposit_for_builder(request.user, deposit_id)
    staff = get_staff(request.user)
    require_to_export(staff)
    try:
        body = deposit_download(selected, kind, by=staff)
    except SurveyError as error:
        raise Http404(sentences(error)) from error
    name = f"sotto-deposit-{selected.pk}{'' if kind == 'files' else '-report'}.zip"
    return whole_file(body, "application/zip", name)


def _begin_page(
    request: HttpRequest, form: BeginForm, *, status: int = 200, problem: str = ""
) -> HttpResponse:
    context = {
        "form": form,
        "problem": problem,
        "deposits": listed(get_deposits_for_builder(request.user)),
        "open_deposits": open_deposits(get_deposits_for_questions(request.user), get_staff(request.user)),
    }
    return render(request, "releases/begin.html", context, status=status)


def _not_here(selected: Deposit) -> HttpResponse | None:
    """Lead away from the steps where the deposit is made or at work."""
    return None if is_editable(selected) else redirect("deposits:deposit", selected.pk)


def _step(
    request: HttpRequest,
    selected: Deposit,
    step: str,
    form: Any,
    *,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {"deposit": selected, "form": form, "problem": problem, "steps": steps_of(selected, step)}
    return render(request, f"releases/{step}.html", context, status=status)


urlpatterns = [
    path("deposits/", begin, name="begin"),
    path("deposits/<int:deposit_id>/", deposit, name="deposit"),
    path("deposits/<int:deposit_id>/columns/", columns, name="columns"),
    path("deposits/<int:deposit_id>/groups/", trees, name="trees"),
    path("deposits/<int:deposit_id>/bounds/", bounds, name="bounds"),
    path("deposits/<int:deposit_id>/matrix/", matrix_pages.matrix, name="matrix"),
    path("deposits/<int:deposit_id>/matrix.csv", matrix_pages.matrix_csv, name="matrix_csv"),
    path("deposits/<int:deposit_id>/progress", progress, name="progress"),
    path("deposits/<int:deposit_id>/cancel", cancel, name="cancel"),
    path("deposits/<int:deposit_id>/erase", erase, name="erase"),
    path("deposits/<int:made_id>/deposit.zip", files, name="files"),
    path("deposits/<int:made_id>/report.zip", report, name="report"),
    path("deposits/<int:made_id>/ask/", question_pages.ask, name="ask"),
    path("deposits/<int:made_id>/questions/", question_pages.questions, name="questions"),
    path("deposits/<int:made_id>/questions/open", question_pages.open_for_questions, name="open"),
    path("deposits/<int:made_id>/questions/shut", question_pages.shut_for_questions, name="shut"),
]
