"""Show the audit log: who changed what, and when. Events are only ever added.

Submitting and mixing answers write no events, so no event reveals anything about a respondent.
"""

from __future__ import annotations

import csv
import json
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import Any, Final

from django import forms
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import render
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from privacy.tables.header import safe_text
from surveys.accounts.permissions import get_administrator, staff_page
from surveys.accounts.token_requests import staff_file
from surveys.extension import extensions
from surveys.formats.csv_cells import Echo
from surveys.formats.file_responses import csv_file
from surveys.formats.pagination import Pages
from surveys.models import AuditEvent
from surveys.models.audit_event import ALL_SURVEYS

EVENTS_PER_PAGE: Final = 100
# Limit for the page; the downloaded file has all details.
LONGEST_DETAIL: Final = 300
COLUMNS: Final = ("at", "actor", "action", "target", "detail")

# Names of actions on the page; the file has the internal names.
ACTIONS: Final = {
    "account_change": _("changed an account"),
    "account_expert": _("switched to expert view"),
    "account_invite": _("invited a person"),
    "account_let_in": _("unlocked an account"),
    "account_plain": _("switched to simple view"),
    "account_rescue": _("made someone an administrator by command"),
    "account_reset": _("created a new link to set a password"),
    "account_resume": _("enabled an account again"),
    "account_stop": _("disabled an account"),
    "api_token_end": _("revoked an API token"),
    "api_token_make": _("created an API token"),
    "data_export": _("exported disguised answers"),
    "draft_aim": _("described the aim of a survey"),
    "draft_convert": _("opened a draft whose tick-all questions became lists"),
    "draft_create": _("created a draft"),
    "draft_delete": _("deleted a draft"),
    "draft_rename": _("renamed a draft"),
    "draft_save": _("saved a draft"),
    "everybody_let_in": _("unlocked all accounts"),
    "invitations_make": _("created invitation codes"),
    "invitations_revoke": _("withdrew invitation codes"),
    "log_in": _("logged in"),
    "log_in_fail": _("failed to log in"),
    "log_in_keep_out": _("account locked after too many failed logins"),
    "password_change": _("changed their password"),
    "answers_read": _("imported a file of another tool"),
    "password_set": _("set a password with a link"),
    "recovery_code_use": _("logged in with a recovery code"),
    "recovery_codes_make": _("created new recovery codes"),
    "results_share": _("shared results by link"),
    "results_unshare": _("revoked a link to results"),
    "risk_share": _("shared the privacy risk by link"),
    "risk_unshare": _("revoked a link to the privacy risk"),
    "run_cancel": _("cancelled a run"),
    "run_request": _("started a run"),
    "provider_bind": _("linked an account to a login provider"),
    "provider_forget": _("removed the login provider from an account"),
    "second_factor_off": _("removed a second factor"),
    "second_factor_on": _("set up a second factor"),
    "session_end": _("ended one of their sessions"),
    "sessions_end": _("ended their other sessions"),
    "survey_access": _("changed who may answer"),
    "survey_close": _("closed a survey"),
    "survey_delete": _("deleted a survey with its answers"),
    "survey_hand_over": _("changed the owner of a survey"),
    "survey_import": _("imported a survey"),
    "survey_open": _("opened a survey"),
    "survey_publish": _("published a version"),
    "survey_publish_override": _("published despite a warning"),
    "survey_retention": _("set the day on which a survey is deleted"),
    "survey_schedule": _("changed the opening and closing times of a survey"),
    "verdict_give": _("reviewed a rule"),
}


@dataclass(frozen=True, kw_only=True)
class Event:
    """One event, formatted for display; `detail` has one text per line."""

    at: datetime
    actor: str
    action: str
    label: str
    target: str
    detail: tuple[str, ...]


def events_matching(filters: Mapping[str, Any]) -> QuerySet[AuditEvent]:
    """Return the events that match the filters, newest first.

    Parameters
    ----------
    filters : mapping
        Any of ``actor``, ``action``, ``target`` (the name of a survey also finds its runs and rules),
        ``since`` and ``until`` (inclusive, days in UTC). Matching ignores case.
    """
    events = AuditEvent.objects.order_by("-at", "-pk")
    if "actor" in filters:
        events = events.filter(actor__iexact=filters["actor"])
    if "target" in filters:
        target = filters["target"]
        events = events.filter(Q(target__iexact=target) | Q(target__istartswith=f"{target} "))
    if "action" in filters:
        events = events.filter(action=filters["action"])
    if "since" in filters:
        events = events.filter(at__gte=datetime.combine(filters["since"], time(), tzinfo=UTC))
    if "until" in filters:
        events = events.filter(at__lte=datetime.combine(filters["until"], time.max, tzinfo=UTC))
    return events


def event_page(filters: Mapping[str, Any], query: QueryDict) -> dict[str, Any]:
    """Return the log page's context for these filters; `query` is the page's query string."""
    page = Paginator(events_matching(filters), EVENTS_PER_PAGE).get_page(query.get("page"))

    def address(number: int) -> str:
        changed = query.copy()
        changed["page"] = str(number)
        return f"?{changed.urlencode()}"

    return {
        "events": [_event(row) for row in page.object_list],
        "matching": page.paginator.count,
        "pages": Pages.around(page.number, page.paginator.num_pages, address),
    }


def known_actions() -> list[tuple[str, str]]:
    """Return the actions that occur in the log with their display names, sorted by display name."""
    names = AuditEvent.objects.order_by().values_list("action", flat=True).distinct()
    return sorted(((name, label_of(name)) for name in names), key=lambda pair: pair[1].casefold())


def label_of(action: str) -> str:
    """Return the display name of an action."""
    return str(ChainMap(ACTIONS, *(dict(app.actions) for app in extensions())).get(action, action))


def events_as_csv(events: QuerySet[AuditEvent]) -> Iterator[str]:
    """Yield the lines of a CSV file, header first; details are JSON."""
    writer = csv.writer(Echo())
    yield writer.writerow(COLUMNS)
    for row in events.iterator(chunk_size=2_000):
        detail = json.dumps(row.detail, ensure_ascii=False, sort_keys=True)
        texts = (row.actor, row.action, row.target, detail)
        yield writer.writerow([row.at.isoformat(), *(safe_text(text) for text in texts)])


def _event(row: AuditEvent) -> Event:
    return Event(
        at=row.at,
        actor=row.actor,
        action=row.action,
        label=label_of(row.action),
        target=gettext(row.target) if row.target == ALL_SURVEYS else row.target,
        detail=tuple(f"{name}: {_detail_text(value)}" for name, value in sorted(row.detail.items())),
    )


def _detail_text(value: object) -> str:
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return ", ".join(value) or "–"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return Truncator(text).chars(LONGEST_DETAIL) or "–"


class AuditLogForm(forms.Form):
    """Filters of the audit log; an empty field matches everything."""

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
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  # for the type checker
        field.choices = [("", _("everything")), *actions]

    def filters(self) -> dict[str, Any]:
        """Return the valid, non-empty filters."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}


@staff_page
@require_safe
def log(request: HttpRequest) -> HttpResponse:
    """Show the events that match the query string."""
    get_administrator(request.user)
    form = AuditLogForm(request.GET, actions=known_actions())
    params = request.GET.copy()
    params.pop("page", None)
    context = {
        "form": form,
        **event_page(form.filters(), request.GET),
        "query": params.urlencode(),
        "is_filtered": any(params.values()),
    }
    return render(request, "accounts/log.html", context)


@staff_file
def log_csv(request: HttpRequest) -> StreamingHttpResponse:
    """Send the events that match the query string; without filters, all events."""
    get_administrator(request.user)
    form = AuditLogForm(request.GET, actions=known_actions())
    return csv_file(events_as_csv(events_matching(form.filters())), "sottovoce-audit-log.csv")
