"""The page of an expert's matrix: what each column reveals of each protected value."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from privacy.errors import PrivacyError
from releases.deposits.drafts import matrix_save
from releases.deposits.matrix import MatrixDraft, matrix_check, matrix_draft
from releases.deposits.matrix_form import MatrixForm
from releases.deposits.reading import is_editable, steps_of
from releases.doors import get_deposit_for_builder
from releases.models import Deposit
from surveys.access.permissions import get_staff, staff_page
from surveys.errors.core_refusals import sentences
from surveys.formats.attachments import whole_file

__all__ = ["matrix", "matrix_csv"]


@sensitive_post_parameters()
@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def matrix(request: HttpRequest, deposit_id: int) -> HttpResponse:
    """Write an expert's matrix, give it as a file, or let the table say it again."""
    deposit = get_deposit_for_builder(request.user, deposit_id)
    if not is_editable(deposit):
        return redirect("deposits:deposit", deposit.pk)
    try:
        draft = matrix_draft(deposit)
    except PrivacyError as error:
        return _page(request, deposit, MatrixDraft(rows={}), problem=sentences(error), status=422)
    if request.method != "POST":
        said = "" if draft.misfit is None else sentences(draft.misfit)
        return _page(request, deposit, draft, MatrixForm(draft), problem=said)
    staff = get_staff(request.user)
    if "forget" in request.POST:
        matrix_save(deposit, "", by=staff)
        messages.success(request, _("The table says again what counts."))
        return redirect("deposits:bounds", deposit.pk)
    form = MatrixForm(draft, request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, deposit, draft, form, status=422)
    try:
        text = form.text()
        matrix_check(deposit, text)
        matrix_save(deposit, text, by=staff)
    except PrivacyError as error:
        return _page(request, deposit, draft, form, problem=sentences(error), status=422)
    messages.success(request, _("The expert’s matrix is kept. It says from now on what counts."))
    return redirect("deposits:bounds", deposit.pk)


@staff_page
@require_safe
def matrix_csv(request: HttpRequest, deposit_id: int) -> HttpResponse:
    """Send the matrix as it stands, to be filled in elsewhere."""
    deposit = get_deposit_for_builder(request.user, deposit_id)
    try:
        draft = matrix_draft(deposit) if is_editable(deposit) else MatrixDraft(rows={})
    except PrivacyError as error:
        raise Http404(sentences(error)) from error
    if not draft.sensitive:
        raise Http404(_("There is no matrix to fill in."))
    return whole_file(draft.text(), "text/csv; charset=utf-8", f"sotto-matrix-{deposit.pk}.csv")


def _page(
    request: HttpRequest,
    deposit: Deposit,
    draft: MatrixDraft,
    form: MatrixForm | None = None,
    *,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "deposit": deposit,
        "draft": draft,
        "form": form,
        "problem": problem,
        "steps": steps_of(deposit, "bounds"),
    }
    return render(request, "releases/matrix.html", context, status=status)
