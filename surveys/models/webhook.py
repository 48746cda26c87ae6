"""Webhooks: addresses that are notified when something is over, and their deliveries."""

from __future__ import annotations

import base64
from datetime import datetime
from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from surveys.models.sealed import SECRETS

_ABOUT: Final = "webhook"


class Webhook(models.Model):
    """Address of a program that is notified about one survey or, without one, about all.

    Notes
    -----
    Each message is signed with the key, so it is kept sealed under the installation's secret key: who reads
    the database alone signs nothing. An address opens nothing: who holds the key can only make messages look
    real.
    """

    survey = models.ForeignKey(
        "surveys.Survey", null=True, blank=True, on_delete=models.CASCADE, related_name="webhooks"
    )
    url = models.CharField(max_length=500)
    # Sealed; the one before counts for a day beside the new one.
    key = models.CharField(max_length=100)
    old_key = models.CharField(max_length=100, blank=True)
    old_key_until = models.DateTimeField(null=True, blank=True)
    run_finished = models.BooleanField(default=True)
    survey_closed = models.BooleanField(default=True)
    # A user name, as in the audit log: it outlives the account.
    made_by = models.CharField(max_length=150)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.url} of {self.survey_id or 'all surveys'}"

    def keys(self, *, now: datetime) -> tuple[str, ...]:
        """Return the keys that count now, in base64, the newest first: of those alone that open."""
        old = self.old_key if self.old_key_until is not None and now < self.old_key_until else ""
        opened = [SECRETS.open_text(key, about=_ABOUT) for key in (self.key, old) if key]
        return tuple(base64.b64encode(key).decode() for key in opened if key is not None)


def webhook_key_seal(key: str) -> str:
    """Return what is kept of a key in base64."""
    return SECRETS.seal_text(base64.b64decode(key), about=_ABOUT)


class WebhookDelivery(models.Model):
    """One message to one address, and how far it got. Its number is the message's own: it is sent with it.

    Notes
    -----
    Each try is a job, so a try counts once, whatever is killed; the receiver may be told twice of the same
    message where a worker died after it was sent, and knows it again by its number.
    """

    class Event(models.TextChoices):
        RUN_FINISHED = "run.finished", _("a run finished")
        SURVEY_CLOSED = "survey.closed", _("a survey closed")
        TEST = "test", _("a test")

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DELIVERED = "delivered", _("delivered")
        GIVEN_UP = "given_up", _("given up")

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    number = models.CharField(max_length=40, unique=True)
    event = models.CharField(max_length=16, choices=Event.choices)
    body = models.TextField()
    made_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    tried_at = models.DateTimeField(null=True, blank=True)
    # What the last try came to: the status of the answer, or the code of what was in the way.
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    problem = models.CharField(max_length=20, blank=True)
    # The try that is under way; null until the next one is due.
    job = models.OneToOneField(
        "surveys.Job", null=True, blank=True, on_delete=models.SET_NULL, related_name="delivery"
    )
    due_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.event} {self.number} ({self.state})"
