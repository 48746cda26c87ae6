"""Pages shared by an address: made and ended by who may build the survey, read by whoever has it."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from surveys.access.permissions import get_run_for_owner, get_staff, get_survey_for_builder, staff_page
from surveys.models import Run, SharedPage, Survey
from surveys.models.audit_event import audit_event_record
from surveys.report.opened import with_results

TOKEN_BYTES: Final = 16
"""128 bits: who tries a thousand million addresses a second finds one in 10^22 years."""

_DAYS: Final = (
    (7, gettext_lazy("one week")),
    (30, gettext_lazy("30 days")),
    (90, gettext_lazy("90 days")),
    (365, gettext_lazy("one year")),
)


class ShareForm(forms.Form):
    """For how long an address shows a page."""

    days = forms.TypedChoiceField(label=gettext_lazy("It works for"), choices=_DAYS, coerce=int, initial=30)


@transaction.atomic
def page_share(
    survey: Survey, *, run: Run | None = None, days: int, by: str, now: datetime
) -> tuple[SharedPage, str]:
    """Make an address that shows a survey's risk in words, or the results of one of its runs.

    Parameters
    ----------
    survey : Survey
    run : Run, optional
        Its results may be shown.
    days : int
    by : str
        Who makes it, for the audit log.
    now : datetime

    Returns
    -------
    shared : SharedPage
    token : str
        What the address holds; nobody can read it again.
    """
    token = secrets.token_urlsafe(TOKEN_BYTES)
    shared = SharedPage.objects.create(
        survey=survey,
        run=run,
        digest=token_digest(token),
        made_by=by,
        made_at=now,
        until=now + timedelta(days=days),
    )
    _record(shared, "share", by=by)
    return shared, token


@transaction.atomic
def page_unshare(shared: SharedPage, *, by: str, now: datetime) -> None:
    """End an address; one that has ended stays as it is."""
    if SharedPage.objects.filter(pk=shared.pk, ended_at=None).update(ended_at=now):
        _record(shared, "unshare", by=by)


def shared_by(token: str, *, now: datetime) -> SharedPage | None:
    """Return what a token shows now; None alike for one that is unknown, has ended, or whose time is over."""
    found = SharedPage.objects.select_related("survey", "run__survey", "run__version", "run__job")
    return found.filter(digest=token_digest(token), ended_at=None, until__gt=now).first()


def token_digest(token: str) -> str:
    """Return what is kept of a token: of 128 random bits a plain digest tells nothing.

    Examples
    --------
    >>> token_digest("abc")[:16]
    'ba7816bf8f01cfea'
    """
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _record(shared: SharedPage, what: str, *, by: str) -> None:
    kind = "risk" if shared.run_id is None else "results"
    detail = {"address": shared.pk, "until": shared.until.date().isoformat()}
    if shared.run_id is not None:
        detail["run"] = shared.run_id
    audit_event_record(actor=by, action=f"{kind}_{what}", target=shared.survey.slug, detail=detail)


def share_asked(
    request: HttpRequest, survey: Survey, *, run: Run | None = None
) -> tuple[dict[str, Any], int]:
    """Make an address if one is asked for; return what the page that asks shows, and its status.

    The address is shown in this one answer.
    """
    form = ShareForm(request.POST if request.method == "POST" else None)
    made, status = None, 422 if form.is_bound else 200
    if form.is_valid():
        by, days = get_staff(request.user).get_username(), form.cleaned_data["days"]
        shared, token = page_share(survey, run=run, days=days, by=by, now=timezone.now())
        page = "shared:risk" if run is None else "shared:results"
        address = request.build_absolute_uri(reverse(page, args=[token]))
        form, made, status = ShareForm(), {"address": address, "until": shared.until}, 200
    now = timezone.now()
    addresses = SharedPage.objects.filter(survey=survey, run=run)
    context = {
        "form": form,
        "made": made,
        "addresses": [(one, one.works(now=now)) for one in addresses],
        "shared_survey": survey.slug,
    }
    return context, status


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def share(request: HttpRequest, run_id: int) -> HttpResponse:
    """List the addresses that show a run's results, and make one."""
    opened = with_results(get_run_for_owner(request.user, run_id))
    context, status = share_asked(request, opened.run.survey, run=opened.run)
    return render(request, "report/run_share.html", context | {"run": opened.page}, status=status)


@staff_page
@require_POST
def share_end(request: HttpRequest, slug: str, shared_id: int) -> HttpResponse:
    """End an address."""
    survey = get_survey_for_builder(request.user, slug)
    shared = get_object_or_404(SharedPage, pk=shared_id, survey=survey)
    if shared.run_id is not None:
        get_run_for_owner(request.user, shared.run_id)
    page_unshare(shared, by=get_staff(request.user).get_username(), now=timezone.now())
    messages.success(request, _("The address shows nothing any more."))
    return redirect("audit:risk", slug) if shared.run_id is None else redirect("report:share", shared.run_id)
