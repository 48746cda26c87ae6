"""The page on which the next version of a deposit begins."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy

from releases.deposits.versions import version_begin
from releases.doors import get_deposit_for_builder
from surveys.access.form_page import FormPage
from surveys.access.second_factor import require_to_export
from surveys.tables.reading import MOST_BYTES

__all__ = ["VersionPage"]


class VersionForm(forms.Form):
    """The table of the next version; of a survey there is none."""

    file = forms.FileField(
        label=gettext_lazy("The table of the next version"),
        help_text=gettext_lazy("The same columns, the earlier people, and new ones if there are any."),
        required=False,
    )


class VersionPage(FormPage):
    """Begins the next version, with all that was chosen of the one before."""

    template_name = "releases/version.html"

    def prepare(self) -> HttpResponse | None:
        """Go through the builder's door; only what is made has a next version."""
        self.deposit = get_deposit_for_builder(self.request.user, self.kwargs["made_id"])
        return None if self.deposit.finished_at else redirect("deposits:deposit", self.deposit.pk)

    def get_form(self, form_class: Any = None) -> VersionForm:
        """Return the form."""
        return VersionForm(*self.sent)

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Return the version before beside the form."""
        return super().get_context_data(deposit=self.deposit, **more)

    def service(self, form: Any) -> HttpResponse:
        """Take the table, or the survey's answers once more."""
        if self.deposit.survey is not None:
            require_to_export(self.staff)
        file = form.cleaned_data.get("file")
        made = version_begin(
            self.deposit,
            by=self.staff,
            now=timezone.now(),
            name=str(file.name) if file else "",
            raw=file.read(MOST_BYTES + 1) if file else None,
        )
        return redirect("deposits:columns", made.pk)
