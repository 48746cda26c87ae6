"""The page of the audit log and its file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from surveys.access.permissions import get_administrator, staff_page
from surveys.access.staff_file import staff_file
from surveys.accounts.audit_log import event_page, events_as_csv, events_matching, known_actions
from surveys.formats.attachments import csv_file


class AuditLogForm(forms.Form):
    """What to show of the audit log; an empty field shows all."""

    actor = forms.CharField(label=_("Who"), max_length=150, required=False)
    action = forms.ChoiceField(label=_("What"), required=False)
    target = forms.CharField(label=_("Object"), max_length=200, required=False)
    since = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )
    until = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )

    def __init__(self, *args: Any, actions: Iterable[tuple[str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        field = self.fields["action"]
        assert isinstance(field, forms.ChoiceField)  # nosec B101  # for the type checker
        field.choices = [("", _("everything")), *actions]

    def filters(self) -> dict[str, Any]:
        """Return the fields that were filled in and can be read."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}


@staff_page
@require_safe
def log(request: HttpRequest) -> HttpResponse:
    """Show the events that the address asks for."""
    get_administrator(request.user)
    form = AuditLogForm(request.GET, actions=known_actions())
    filtered = request.GET.copy()
    filtered.pop("page", None)
    context = {
        "form": form,
        **event_page(form.filters(), request.GET),
        "query": filtered.urlencode(),
        "is_filtered": any(filtered.values()),
    }
    return render(request, "accounts/log.html", context)


@staff_file
def log_csv(request: HttpRequest) -> StreamingHttpResponse:
    """Send the events that the address asks for, all of them without a filter."""
    get_administrator(request.user)
    form = AuditLogForm(request.GET, actions=known_actions())
    return csv_file(events_as_csv(events_matching(form.filters())), "sottovoce-audit-log.csv")
