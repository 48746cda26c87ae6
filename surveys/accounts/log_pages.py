"""The page of the audit log and its file."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from surveys.access.permissions import get_administrator, staff_page
from surveys.accounts.audit_log import event_page, events_as_csv, events_matching, known_actions
from surveys.accounts.forms import AuditLogForm


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
        **event_page(form.asked(), request.GET),
        "query": filtered.urlencode(),
        "is_filtered": any(filtered.values()),
    }
    return render(request, "accounts/log.html", context)


@staff_page
@require_safe
def log_csv(request: HttpRequest) -> StreamingHttpResponse:
    """Send the events that the address asks for, all of them without a filter."""
    get_administrator(request.user)
    form = AuditLogForm(request.GET, actions=known_actions())
    lines = events_as_csv(events_matching(form.asked()))
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="sotto-audit-log.csv"'
    return response
