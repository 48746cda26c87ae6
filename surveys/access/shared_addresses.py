"""Shared addresses: a token opens one page without an account, until it is ended.

No session is read and no cookie is set. An address that is unknown, ended or expired, or that opens another
page, always gets the same response.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import wraps
from typing import Concatenate, Final, NamedTuple, ParamSpec

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from surveys.models import Run, SharedPage, Survey
from surveys.models.staff import audit_event_record
from surveys.models.survey import EXAMPLE

TOKEN_BYTES: Final = 16
"""128 bits: trying a thousand million addresses a second finds one in 10^22 years."""

P = ParamSpec("P")


class Shown(NamedTuple):
    """The page of an address, with the context that templates of shared pages need."""

    shared: SharedPage
    context: dict[str, object]


Page = Callable[Concatenate[HttpRequest, Shown, P], HttpResponse]
SharedView = Callable[Concatenate[HttpRequest, str, P], HttpResponse]


def shared_page(*kinds: SharedPage.Kind) -> Callable[[Page[P]], SharedView[P]]:
    """Give a view the page of its token, of one of these kinds; no response is cached or indexed."""

    def guarded(view: Page[P]) -> SharedView[P]:
        @require_safe
        @wraps(view)
        def led(request: HttpRequest, secret: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            shared = SharedPage.of_example() if secret == EXAMPLE else shared_by(secret, now=timezone.now())
            try:
                if shared is None or shared.kind not in kinds:
                    raise Http404
                shown = Shown(shared, {"shared": secret, "until": shared.until})
                response = view(request, shown, *args, **kwargs)
            except Http404:
                response = render(request, "report/shared_nothing.html", status=404)
            response.headers["Cache-Control"] = "no-store"
            response.headers["X-Robots-Tag"] = "noindex, nofollow"
            response.headers["Referrer-Policy"] = "no-referrer"
            return response

        return led

    return guarded


@transaction.atomic
def page_share(
    survey: Survey, kind: SharedPage.Kind, *, run: Run | None = None, days: int, by: str, now: datetime
) -> tuple[SharedPage, str]:
    """Make an address that shows a page.

    Parameters
    ----------
    survey : Survey
    kind : SharedPage.Kind
    run : Run, optional
        A run whose results may be shown.
    days : int
    by : str
        Who makes it, for the audit log.
    now : datetime

    Returns
    -------
    shared : SharedPage
    token : str
        Part of the address; cannot be read again.
    """
    token = secrets.token_urlsafe(TOKEN_BYTES)
    shared = SharedPage.objects.create(
        kind=kind,
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
    """End an address; one that has ended does not change."""
    if SharedPage.objects.filter(pk=shared.pk, ended_at=None).update(ended_at=now):
        _record(shared, "unshare", by=by)


def shared_by(token: str, *, now: datetime) -> SharedPage | None:
    """Return the page that a token shows now; None if it is unknown, ended or expired."""
    page = SharedPage.objects.select_related("survey", "run__survey", "run__version", "run__job")
    return page.filter(digest=token_digest(token), ended_at=None, until__gt=now).first()


def token_digest(token: str) -> str:
    """Return the digest under which a token is stored; with 128 random bits it reveals nothing.

    Examples
    --------
    >>> token_digest("abc")[:16]
    'ba7816bf8f01cfea'
    """
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _record(shared: SharedPage, what: str, *, by: str) -> None:
    detail = {"address": shared.pk, "until": shared.until.date().isoformat()}
    if shared.run_id is not None:
        detail["run"] = shared.run_id
    audit_event_record(actor=by, action=f"{shared.kind}_{what}", target=shared.survey.slug, detail=detail)
