"""The page of an expert's matrix: what each column reveals of each protected value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import messages
from django.forms import BoundField
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from anonymisation.deposits.drafts import matrix_save
from anonymisation.deposits.matrix import MatrixDraft, matrix_check, matrix_draft, matrix_from_file
from anonymisation.deposits.reading import is_editable
from anonymisation.deposits.steps import StepPage
from anonymisation.doors import get_deposit_for_builder
from privacy.errors import PrivacyError
from privacy.sdc.utility_matrix import LEVELS
from surveys.access.permissions import staff_page
from surveys.errors.error import sentences
from surveys.formats.attachments import whole_file

__all__ = ["MatrixForm", "MatrixPage", "matrix_csv"]

NAMES = {
    "very high": gettext_lazy("very high"),
    "high": gettext_lazy("high"),
    "medium": gettext_lazy("medium"),
    "low": gettext_lazy("low"),
    "very low": gettext_lazy("very low"),
}


class MatrixForm(forms.Form):
    """Numbers by value and column; of a matrix too large for a page a file only."""

    file = forms.FileField(
        label=gettext_lazy("File instead of the numbers (CSV)"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,text/csv"}),
    )

    def __init__(self, draft: MatrixDraft, *args: Any) -> None:
        super().__init__(*args)
        self.draft = draft
        if draft.by_file_only:
            return
        for row, (value, cells) in enumerate(draft.rows.items()):
            shown = value or _("missing")
            for column, (name, cell) in enumerate(zip(draft.names, cells, strict=True)):
                # What is no number is refused with its value and its column, as in a file.
                self.fields[f"u_{row}_{column}"] = forms.CharField(
                    initial=cell,
                    required=False,
                    max_length=40,
                    widget=forms.NumberInput(
                        attrs={
                            "min": 0,
                            "max": 1,
                            "step": "any",
                            "list": "levels",
                            "aria-label": f"{shown}, {name}",
                            "data-row": row,
                            "data-column": column,
                        }
                    ),
                )

    @property
    def levels(self) -> list[tuple[str, float]]:
        """The five levels of an expert, each with its number."""
        return [(str(NAMES[name]), number) for name, number in LEVELS.items()]

    @property
    def lines(self) -> Iterator[dict[str, Any]]:
        """Each value with its fields and their sum."""
        for row, value in enumerate(self.draft.rows):
            fields: list[BoundField] = [
                self[f"u_{row}_{position}"] for position in range(len(self.draft.names))
            ]
            yield {"value": value, "fields": fields, "sum": f"{sum(map(_number, fields)):.2f}"}

    @property
    def shares(self) -> list[str]:
        """What part of the loss each column makes, in percent."""
        sums = [0.0] * len(self.draft.names)
        for line in self.lines:
            sums = [total + _number(field) for total, field in zip(sums, line["fields"], strict=True)]
        whole = sum(sums)
        return [f"{100 * total / whole:.0f}" if whole else "–" for total in sums]

    def text(self) -> str:
        """What was written or given, as a file has it.

        Raises
        ------
        SurveyError
            As `matrix_from_file`.
        """
        given = self.cleaned_data.get("file")
        if given is not None:
            return matrix_from_file(given.read())
        return self.draft.text(
            {
                value: [
                    self.cleaned_data.get(f"u_{row}_{position}", "")
                    for position in range(len(self.draft.names))
                ]
                for row, value in enumerate(self.draft.rows)
            }
        )


def _number(field: BoundField) -> float:
    try:
        return float(field.value() or 0)
    except ValueError:
        return 0.0


class MatrixPage(StepPage):
    """Takes an expert's matrix, gives it as a file, or lets the table say it again."""

    step, template_name = "bounds", "anonymisation/matrix.html"

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
        messages.success(request, _("The matrix was removed. The table decides the weights again."))
        return redirect("deposits:bounds", self.deposit.pk)

    def service(self, form: Any) -> HttpResponse:
        """Keep the matrix."""
        text = form.text()
        matrix_check(self.deposit, text)
        matrix_save(self.deposit, text, by=self.staff)
        messages.success(self.request, _("The matrix was saved. It now decides the weights."))
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
        raise Http404(_("This release has no matrix to fill in."))
    return whole_file(draft.text(), "text/csv; charset=utf-8", f"sottovoce-matrix-{deposit.pk}.csv")
