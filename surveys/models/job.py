"""Model of a job: work that the server stores until a worker has done it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Job(models.Model):
    """Work outside a request. The row is the source of truth; the broker only announces it."""

    class Kind(models.TextChoices):
        MINE = "mine", _("mine")
        AUDIT = "audit", _("audit")

    class State(models.TextChoices):
        QUEUED = "queued", _("queued")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    kind = models.CharField(max_length=16, choices=Kind.choices, default=Kind.MINE)
    state = models.CharField(_("state"), max_length=16, choices=State.choices, default=State.QUEUED)
    # Each claim increases it. A worker with an older number can neither report progress nor store a result.
    fence = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    stage = models.CharField(max_length=32, blank=True)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    message = models.TextField(blank=True)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
    # How often the message was sent, and when it is due to be sent (again).
    sends = models.PositiveSmallIntegerField(default=0)
    send_due_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = (
            models.Index(
                fields=("state", "send_due_at"),
                name="job_unfinished",
                condition=Q(state__in=("queued", "running")),
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.pk} ({self.state})"

    @property
    def is_over(self) -> bool:
        """Whether its state is final."""
        return self.state in (self.State.FINISHED, self.State.FAILED, self.State.CANCELLED)
