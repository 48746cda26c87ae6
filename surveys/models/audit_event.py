"""The audit log's events: who changed what, and when."""

from __future__ import annotations

from typing import Any, Final

from django.contrib.auth.models import User
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_noop

from surveys.models.written_once import ImmutableRow

ALL_SURVEYS: Final = gettext_noop("all surveys")
"""Target of an event that does not concern a single survey; no survey has this address."""

LOG_IN_PAGE: Final = "log-in page"
"""Name in events before anyone is logged in; account names cannot contain a blank."""

ANSWERS_READ: Final = "answers_read"
"""Action of the event that created a survey from another tool's file."""


class AuditEvent(ImmutableRow):
    """One write by a staff member. Events are only added, never changed."""

    at = models.DateTimeField()
    # A user name, or "command line"; stored as text so that the event outlives the account.
    actor = models.CharField(max_length=150)
    # Entity and verb, the name of the service: "survey_publish".
    action = models.CharField(max_length=60)
    target = models.CharField(max_length=200)
    detail = models.JSONField(default=dict)

    class Meta:
        ordering = ("-at", "-pk")

    def __str__(self) -> str:
        return f"{self.actor}: {self.action} {self.target}"


def audit_event_record(
    *, actor: str, action: str, target: str, detail: dict[str, Any] | None = None
) -> AuditEvent:
    """Record an event in the caller's transaction."""
    event = AuditEvent(at=timezone.now(), actor=actor, action=action, target=target, detail=detail or {})
    event.save()
    return event


def account_event_record(action: str, user: User, by: str, **detail: Any) -> None:
    """Record an event that concerns an account, in the caller's transaction."""
    audit_event_record(actor=by, action=action, target=user.get_username(), detail=detail)
