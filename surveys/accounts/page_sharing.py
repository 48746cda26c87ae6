"""Share a page by an address, and stop sharing it."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.db import transaction

from surveys.accounts.tokens import TOKEN_BYTES, token_digest
from surveys.models import Run, SharedPage, Survey
from surveys.models.audit_event import audit_event_record


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


def _record_page(page: SharedPage, what: str, *, by: str) -> None:
    detail = {"address": page.pk, "until": page.until.date().isoformat()}
    if page.run_id is not None:
        detail["run"] = page.run_id
    audit_event_record(actor=by, action=f"{page.kind}_{what}", target=page.survey.slug, detail=detail)
