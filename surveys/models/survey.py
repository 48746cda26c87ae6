"""A survey: its state, its working draft, and when it stops to accept answers."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from mining.thresholds import Target

# How long after closing a body that a device sealed before is still accepted.
GRACE = timedelta(hours=48)


class Survey(models.Model):
    """One survey, from draft to closed. The way back does not exist; the database refuses it.

    Notes
    -----
    ``definition`` is the working draft, any JSON object: what respondents see is the newest version, and a
    draft becomes one by publishing. ``revision`` counts its saves, so that of two tabs neither overwrites
    what the other saved.

    A survey that is ``planned`` is published and opens at ``opens_at``.

    ``settled`` says that the last batch is made and that nothing can be added any more. Only from then on may
    the newest batch be mined: a row that arrived after the last batch would otherwise stand alone between two
    reports.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        PLANNED = "planned", _("planned")
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    slug = models.SlugField(_("address"), max_length=50, unique=True)
    # Its builder; without an owner it is for administrators only.
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="surveys"
    )
    # {"en": "...", "zh-hans": "..."}
    title = models.JSONField(_("title"))
    practice = models.BooleanField(_("practice"), default=False)
    # Whether an answer takes an invitation; else the address is enough. Settled by publishing.
    by_invitation = models.BooleanField(default=False)
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.DRAFT)
    definition = models.JSONField()
    # How many people will answer and what is most wanted, as `surveys.questionnaire.aim` writes it; None
    # where nobody was asked. No device needs it, so it is in no design and no digest.
    aim = models.JSONField(_("aim"), null=True, blank=True)
    revision = models.PositiveIntegerField(default=0)
    saved_at = models.DateTimeField(null=True, blank=True)
    # A user name, or "command line"; text, so that it outlives the account.
    saved_by = models.CharField(max_length=150, blank=True)
    # As published; the sweeper opens and closes by them.
    time_zone = models.CharField(max_length=64, default="UTC")
    opens_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    opened_at = models.DateTimeField(_("opened at"), null=True, blank=True)
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True)
    # When the survey goes with all that hangs on it. Respondents read the day, so it never comes later.
    delete_at = models.DateTimeField(_("deleted at"), null=True, blank=True)
    accepts_until = models.DateTimeField(_("accepts sealed answers until"), null=True, blank=True)
    settled = models.BooleanField(_("settled"), default=False)
    # Answers in no batch, known when it is settled: those whose key was gone, and those of designs of which
    # fewer than `LEAST_BATCH_ROWS` waited at the end. None: not settled yet, or before they were counted.
    rows_lost = models.PositiveIntegerField(null=True, blank=True)
    rows_too_few = models.PositiveIntegerField(null=True, blank=True)
    # Simulated surveys only: {"affair & unhappy": 0.132, ...}, the true supports in the sum, never a row.
    known_truth = models.JSONField(null=True, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("survey"), _("surveys")
        ordering = ("slug",)

    def __str__(self) -> str:
        return self.slug

    @property
    def title_text(self) -> str:
        """The title in the language of the page, else in the first language that the survey has."""
        return self.title.get(get_language()) or next(iter(self.title.values()))

    @property
    def delete_on(self) -> date | None:
        """The day, in its time zone, as which begins it is deleted."""
        return self.delete_at and self.delete_at.astimezone(ZoneInfo(self.time_zone)).date()

    @property
    def interval_target(self) -> Target:
        """Whom the intervals of a run are about: these respondents where their true answers are known."""
        return "population" if self.known_truth is None else "respondents"

    def closed_to_bodies(self, now: datetime) -> bool:
        """Whether a sealed body that arrives at `now` comes too late."""
        if self.state != self.State.CLOSED:
            return False
        return self.settled or self.accepts_until is None or now >= self.accepts_until


def survey_locked(survey: Survey) -> Survey:
    """Return the survey as the database has it, locked until the transaction ends."""
    return Survey.objects.select_for_update().get(pk=survey.pk)


class Wave(models.Model):
    """A published survey of a series, as its newest version says."""

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE, related_name="wave")
    series = models.CharField(max_length=50, db_index=True)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.survey} of {self.series}"
