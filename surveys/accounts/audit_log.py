"""Show the audit log: who changed what, and when. Events are only ever added.

Submitting and mixing answers write no events, so no event reveals anything about a respondent.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Final

from django import forms
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import render
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from privacy.tables.formula_texts import safe_text
from surveys.accounts.event_search import EventPaginator, events_matching, known_actions
from surveys.accounts.event_sentences import EventNames, label_of, sentence_of
from surveys.accounts.permissions import get_administrator, staff_page
from surveys.accounts.token_requests import staff_file
from surveys.formats.csv_cells import Echo
from surveys.formats.file_responses import csv_file
from surveys.formats.joints import list_text
from surveys.formats.pagination import Pages
from surveys.models import AuditEvent, Survey
from surveys.models.audit_event import ALL_SURVEYS

EVENTS_PER_PAGE: Final = 100
# Limit for the page; the downloaded file has all details.
LONGEST_DETAIL: Final = 300
# Of an unknown filter in an address.
LONGEST_NAME: Final = 40
# Suggestions of the filters for people and surveys; both fields also accept any other name.
MOST_SUGGESTED: Final = 200
COLUMNS: Final = ("at", "actor", "action", "target", "detail")


@dataclass(frozen=True, kw_only=True)
class LoggedEvent:
    """One event, formatted for display.

    Attributes
    ----------
    at : datetime
    sentence : str
        The event in the language of the page.
    facts : tuple of tuple of str
        Names and values of everything stored: account, kind, object and details.
    links : tuple of tuple of str
        Addresses and texts of filters that find similar events.
    """

    at: datetime
    sentence: str
    facts: tuple[tuple[str, str], ...]
    links: tuple[tuple[str, str], ...]

    @property
    def day(self) -> date:
        """The day, in UTC."""
        return self.at.astimezone(UTC).date()


def event_page(filters: Mapping[str, Any], query: QueryDict) -> dict[str, Any]:
    """Return the log page's context for these filters; `query` is the page's query string."""
    paginator = EventPaginator(events_matching(filters), EVENTS_PER_PAGE)
    page = paginator.get_page(query.get("page"))
    rows = list(page.object_list)
    names = EventNames.of(rows)
    return {
        "events": [_event(row, names, query) for row in rows],
        "matching": paginator.count,
        "is_cut": paginator.is_cut,
        "pages": Pages.around(
            page.number, page.paginator.num_pages, lambda number: _address(query, page=str(number))
        ),
    }


def suggested_people() -> QuerySet[User]:
    """Return the accounts that the filter suggests, newest first."""
    return User.objects.filter(is_staff=True).order_by("-pk")[:MOST_SUGGESTED]


def suggested_surveys() -> QuerySet[Survey]:
    """Return the surveys that the filter suggests, newest first."""
    return Survey.objects.order_by("-pk").only("slug", "title")[:MOST_SUGGESTED]


def events_as_csv(events: QuerySet[AuditEvent]) -> Iterator[str]:
    """Yield the lines of a CSV file, header first; details are JSON."""
    writer = csv.writer(Echo())
    yield writer.writerow(COLUMNS)
    for row in events.iterator(chunk_size=2_000):
        detail = json.dumps(row.detail, ensure_ascii=False, sort_keys=True)
        texts = (row.actor, row.action, row.target, detail)
        yield writer.writerow([row.at.isoformat(), *(safe_text(text) for text in texts)])


def _event(row: AuditEvent, names: EventNames, query: QueryDict) -> LoggedEvent:
    about = row.target.partition(" ")[0] if " run " in row.target or " release " in row.target else row.target
    return LoggedEvent(
        at=row.at,
        sentence=sentence_of(row, names),
        facts=(
            (gettext("Account"), row.actor),
            (gettext("Kind"), f"{label_of(row.action)} ({row.action})"),
            (gettext("Object"), gettext(row.target) if row.target == ALL_SURVEYS else row.target),
            *((name, _detail_text(value)) for name, value in sorted(row.detail.items())),
        ),
        links=(
            (_address(query, actor=row.actor), gettext("Only by %(who)s") % {"who": names.person(row.actor)}),
            (_address(query, action=row.action), gettext("Only this kind")),
            (_address(query, target=about), gettext("Only about %(object)s") % {"object": about}),
        ),
    )


def _address(query: QueryDict, **changes: str) -> str:
    """Return the address of the log with the filters of `query` and these changes; it begins at page 1."""
    changed = query.copy()
    changed.pop("page", None)
    for name, value in changes.items():
        changed[name] = value
    return f"?{changed.urlencode()}"


def _detail_text(value: object) -> str:
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return ", ".join(value) or "–"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return Truncator(text).chars(LONGEST_DETAIL) or "–"


class AuditLogForm(forms.Form):
    """Filters of the audit log; an empty field matches everything."""

    actor = forms.CharField(
        label=_("Person"),
        max_length=150,
        required=False,
        widget=forms.TextInput(attrs={"list": "log-people"}),
    )
    action = forms.ChoiceField(label=_("Kind"), required=False)
    target = forms.CharField(
        label=_("Survey or account"),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"list": "log-objects"}),
    )
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

    def clean(self) -> dict[str, Any]:
        """Refuse days in the wrong order, which match nothing."""
        values = super().clean() or self.cleaned_data
        since, until = values.get("since"), values.get("until")
        if since and until and since > until:
            self.add_error(
                "until", _("“To” is an earlier day than “From”, so no event matches. Swap the two days.")
            )
        return values

    def filters(self) -> dict[str, Any]:
        """Return the valid, non-empty filters."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}


def _ignored(query: QueryDict, form: AuditLogForm) -> list[str]:
    """Return what an address states that is no filter or page of the log, as sentences."""
    names = [*form.fields, "page"]
    said = [
        gettext("“%(name)s” is not a filter of this page and was ignored. Use one of these: %(names)s.")
        % {"name": Truncator(name).chars(LONGEST_NAME), "names": list_text(names)}
        for name in query
        if name not in names
    ]
    page = query.get("page", "1")
    if not (page.isascii() and page.isdecimal()):
        page = Truncator(page).chars(LONGEST_NAME)
        said.append(gettext("“%(page)s” is not a page number, so the first page is shown.") % {"page": page})
    return said


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
        "people": [(user.get_username(), user.get_full_name()) for user in suggested_people()],
        "surveys": [(survey.slug, survey.title_text) for survey in suggested_surveys()],
        **event_page(form.filters(), request.GET),
        "query": params.urlencode(),
        "is_filtered": any(params.values()),
        "ignored": _ignored(request.GET, form),
    }
    return render(request, "accounts/log.html", context)


@staff_file
def log_csv(request: HttpRequest) -> StreamingHttpResponse:
    """Send the events that match the query string; without filters, all events."""
    get_administrator(request.user)
    form = AuditLogForm(request.GET, actions=known_actions())
    return csv_file(events_as_csv(events_matching(form.filters())), "sottovoce-audit-log.csv")
