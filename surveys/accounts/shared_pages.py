"""Pages shared by address: tokens in their addresses, and who can open them."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import wraps
from typing import Concatenate, NamedTuple

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from surveys.accounts.tokens import TOKEN_BYTES, P, token_digest
from surveys.models import Run, SharedPage, Survey
from surveys.models.audit_event import audit_event_record
from surveys.models.finished_example import EXAMPLE, page_of_example


class SharedContext(NamedTuple):
    """A shared page, with the context that its templates need."""

    link: SharedPage
    context: dict[str, object]


Page = Callable[Concatenate[HttpRequest, SharedContext, P], HttpResponse]
SharedView = Callable[Concatenate[HttpRequest, str, P], HttpResponse]


def shared_page(*kinds: SharedPage.Kind) -> Callable[[Page[P]], SharedView[P]]:
    """Pass a view the shared page of its token, of one of these kinds; forbid caching and indexing."""

    def guard(view: Page[P]) -> SharedView[P]:
        @require_safe
        @wraps(view)
        def open_page(request: HttpRequest, secret: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            page = page_of_example() if secret == EXAMPLE else shared_by(secret, now=timezone.now())
            try:
                if page is None or page.kind not in kinds:
                    raise Http404
                shown_page = SharedContext(page, {"shared": secret, "until": page.until})
                response = view(request, shown_page, *args, **kwargs)
            except Http404:
                response = render(request, "report/shared/shared_nothing.html", status=404)
            response.headers["Cache-Control"] = "no-store"
            response.headers["X-Robots-Tag"] = "noindex, nofollow"
            response.headers["Referrer-Policy"] = "no-referrer"
            return response

        return open_page

    return guard


@transaction.atomic
def page_share(
    survey: Survey, kind: SharedPage.Kind, *, run: Run | None = None, days: int, by: str, now: datetime
) -> tuple[SharedPage, str]:
    """Create an address that shows a page.

    Parameters
    ----------
    survey : Survey
    kind : SharedPage.Kind
    run : Run, optional
        The run whose results are shown.
    days : int
    by : str
        User name for the audit log.
    now : datetime

    Returns
    -------
    shared : SharedPage
    token : str
        Part of the address; it cannot be read again.
    """
    token = secrets.token_urlsafe(TOKEN_BYTES)
    page = SharedPage.objects.create(
        kind=kind,
        survey=survey,
        run=run,
        digest=token_digest(token),
        made_by=by,
        made_at=now,
        until=now + timedelta(days=days),
    )
    _record_page(page, "share", by=by)
    return page, token


@transaction.atomic
def page_unshare(page: SharedPage, *, by: str, now: datetime) -> None:
    """Revoke an address; does nothing if it is already revoked."""
    if SharedPage.objects.filter(pk=page.pk, ended_at=None).update(ended_at=now):
        _record_page(page, "unshare", by=by)


def shared_by(token: str, *, now: datetime) -> SharedPage | None:
    """Return the page that a token shows at `now`; None if it is unknown, revoked or expired."""
    page = SharedPage.objects.select_related("survey", "run__survey", "run__version", "run__job")
    return page.filter(digest=token_digest(token), ended_at=None, until__gt=now).first()


def _record_page(page: SharedPage, what: str, *, by: str) -> None:
    detail = {"address": page.pk, "until": page.until.date().isoformat()}
    if page.run_id is not None:
        detail["run"] = page.run_id
    audit_event_record(actor=by, action=f"{page.kind}_{what}", target=page.survey.slug, detail=detail)
