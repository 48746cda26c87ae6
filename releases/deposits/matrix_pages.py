"""The page of an expert's matrix: what each column reveals of each protected value."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from privacy.errors import PrivacyError
from releases.deposits.drafts import matrix_save
from releases.deposits.matrix import MatrixDraft, matrix_check, matrix_draft
from releases.deposits.matrix_form import MatrixForm
from releases.deposits.reading import is_editable
from releases.deposits.steps import StepPage
from releases.doors import get_deposit_for_builder
from surveys.access.permissions import staff_page
from surveys.errors.core_refusals import sentences
from surveys.formats.attachments import whole_file

__all__ = ["MatrixPage", "matrix_csv"]


class MatrixPage(StepPage):
    """Takes an expert's matrix, gives it as a file, or lets the table say it again."""

    step, template_name = "bounds", "releases/matrix.html"

    def prepare(self) -> HttpResponse | None:
        """Load the matrix as it stands."""
        if (elsewhere := super().prepare()) is not None:
            return elsewhere
        try:
            self.draft = matrix_draft(self.deposit)
        except PrivacyError as error:
            self.draft = MatrixDraft(rows={})
            return self.refused(form=None, error=error)
        return None

    def first_problem(self) -> str:
        """Return why the matrix does not fit the table any more."""
        return "" if self.draft.misfit is None else sentences(self.draft.misfit)

    def get_form(self, form_class: Any = None) -> MatrixForm:
        """Return the form with the numbers of now."""
        return MatrixForm(self.draft, *self.sent)

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return the matrix beside the form."""
        return super().get_context_data(draft=self.draft, **more)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Take the matrix away, or what was sent."""
        if "forget" not in request.POST:
            return super().post(request, *args, **kwargs)
        matrix_save(self.deposit, "", by=self.staff)
        messages.success(request, _("The table says again what counts."))
        return redirect("deposits:bounds", self.deposit.pk)

    def service(self, form: Any) -> HttpResponse:
        """Keep the matrix."""
        text = form.text()
        matrix_check(self.deposit, text)
        matrix_save(self.deposit, text, by=self.staff)
        messages.success(self.request, _("The expert’s matrix is kept. It says from now on what counts."))
        return redirect("deposits:bounds", self.deposit.pk)


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
