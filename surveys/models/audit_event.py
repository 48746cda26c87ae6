"""Rows that are written once, and the log among them: who of the staff changed what, and when.

``save()`` and ``delete()`` refuse here, early and in words; triggers in the database refuse whatever reaches
it by another way. Submitting and mixing write no event.
"""

from __future__ import annotations

from typing import Any, Final, NoReturn

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_noop

from surveys.errors.error import SurveyError

ALL_SURVEYS: Final = gettext_noop("all surveys")
"""Target of an event that is of no single survey; no survey has this address."""


ANSWERS_READ: Final = "answers_read"
"""Action of the event by which another tool's file became a survey."""


class ImmutableRow(models.Model):
    """Base of the rows that are written once."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the row; refuse to change one that is there.

        Raises
        ------
        SurveyError
            If the row was read from the database or saved before.
        """
        if not self._state.adding:
            raise self._error()
        super().save(*args, **{**kwargs, "force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse."""
        raise self._error()

    def _error(self) -> SurveyError:
        return SurveyError("written_once", name=self._meta.verbose_name)


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
