"""Results shared by an address: made and ended by who may build the survey, read by whoever has it."""

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

from surveys.access.permissions import get_run_for_owner, get_staff, staff_page
from surveys.models import Run, SharedResults
from surveys.models.audit_event import audit_event_record
from surveys.report.opened import OpenedRun, with_results

TOKEN_BYTES: Final = 16
"""128 bits: who tries a thousand million addresses a second finds one in 10^22 years."""

_DAYS: Final = (
    (7, gettext_lazy("one week")),
    (30, gettext_lazy("30 days")),
    (90, gettext_lazy("90 days")),
    (365, gettext_lazy("one year")),
)


class ShareForm(forms.Form):
    """For how long an address shows results."""

    days = forms.TypedChoiceField(label=gettext_lazy("It works for"), choices=_DAYS, coerce=int, initial=30)


@transaction.atomic
def results_share(run: Run, *, days: int, by: str, now: datetime) -> tuple[SharedResults, str]:
    """Make an address that shows a run's results.

    Parameters
    ----------
    run : Run
        Its results may be shown.
    days : int
    by : str
        Who makes it, for the audit log.
    now : datetime

    Returns
    -------
    shared : SharedResults
    token : str
        What the address holds; nobody can read it again.
    """
    token = secrets.token_urlsafe(TOKEN_BYTES)
    shared = SharedResults.objects.create(
        run=run, digest=token_digest(token), made_by=by, made_at=now, until=now + timedelta(days=days)
    )
    audit_event_record(actor=by, action="results_share", target=run.survey.slug, detail=_detail(shared))
    return shared, token


@transaction.atomic
def results_unshare(shared: SharedResults, *, by: str, now: datetime) -> None:
    """End an address; one that has ended stays as it is."""
    if SharedResults.objects.filter(pk=shared.pk, ended_at=None).update(ended_at=now):
        audit_event_record(
            actor=by, action="results_unshare", target=shared.run.survey.slug, detail=_detail(shared)
        )


def shared_by(token: str, *, now: datetime) -> SharedResults | None:
    """Return what a token shows now; None alike for one that is unknown, has ended, or whose time is over."""
    found = SharedResults.objects.select_related("run__survey", "run__version", "run__job")
    return found.filter(digest=token_digest(token), ended_at=None, until__gt=now).first()


def token_digest(token: str) -> str:
    """Return what is kept of a token: of 128 random bits a plain digest tells nothing.

    Examples
    --------
    >>> token_digest("abc")[:16]
    'ba7816bf8f01cfea'
    """
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _detail(shared: SharedResults) -> dict[str, object]:
    return {"run": shared.run_id, "address": shared.pk, "until": shared.until.date().isoformat()}


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def share(request: HttpRequest, run_id: int) -> HttpResponse:
    """List the addresses that show a run's results, and make one: it is shown in this one answer."""
    opened = with_results(get_run_for_owner(request.user, run_id))
    form = ShareForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        by, now = get_staff(request.user).get_username(), timezone.now()
        shared, token = results_share(opened.run, days=form.cleaned_data["days"], by=by, now=now)
        address = request.build_absolute_uri(reverse("shared:results", args=[token]))
        return _page(request, opened, ShareForm(), made={"address": address, "until": shared.until})
    return _page(request, opened, form, status=422 if form.is_bound else 200)


@staff_page
@require_POST
def share_end(request: HttpRequest, run_id: int, shared_id: int) -> HttpResponse:
    """End an address."""
    run = get_run_for_owner(request.user, run_id)
    shared = get_object_or_404(SharedResults, pk=shared_id, run=run)
    results_unshare(shared, by=get_staff(request.user).get_username(), now=timezone.now())
    messages.success(request, _("The address shows nothing any more."))
    return redirect("report:share", run.pk)


def _page(
    request: HttpRequest,
    opened: OpenedRun,
    form: ShareForm,
    *,
    made: dict[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    now = timezone.now()
    context = {
        "run": opened.page,
        "form": form,
        "made": made,
        "addresses": [(one, one.works(now=now)) for one in opened.run.shared.all()],
    }
    return render(request, "report/run_share.html", context, status=status)
