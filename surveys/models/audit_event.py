"""Who of the staff changed what, and when. Submitting and mixing write nothing here."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils import timezone

from surveys.models.immutable import ImmutableRow


class AuditEvent(ImmutableRow):
    """One write by a member of the staff; only ever added to."""

    at = models.DateTimeField()
    # A user name, or "command line"; text, so that the event outlives the account.
    actor = models.CharField(max_length=150)
    # Entity and verb, as the service is called: "survey_publish".
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
    """Write one event; the caller's transaction decides whether it happened."""
    event = AuditEvent(at=timezone.now(), actor=actor, action=action, target=target, detail=detail or {})
    event.save()
    return event
