"""The event that created a survey from another tool's file."""

from __future__ import annotations

from surveys.models import AuditEvent, Survey
from surveys.models.audit_event import ANSWERS_READ


def file_event(survey: Survey) -> AuditEvent | None:
    """Return the event that created this survey from another tool's file; None for any other survey."""
    # A survey from a file is published and closed in one step.
    if survey.closed_at is None or survey.opened_at != survey.closed_at:
        return None
    # A deleted earlier survey with this address may have come from a file too.
    return AuditEvent.objects.filter(
        action=ANSWERS_READ, target=survey.slug, at__gte=survey.closed_at
    ).first()
