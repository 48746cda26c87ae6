"""A survey: its state, its draft, and its series."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from surveys.models.stored_json import StoredJSON

# How long after closing the server accepts bodies that devices sealed before.
GRACE = timedelta(hours=48)


class Survey(models.Model):
    """One survey, from draft to closed. The database refuses to move its state back.

    Notes
    -----
    ``definition`` is the working draft, any JSON object. Publishing creates a version from the draft, and
    respondents see the newest version. ``revision`` counts saves, so that two tabs cannot overwrite each
    other's changes.

    A survey that is ``planned`` is published and opens at ``opens_at``.

    ``settled`` means that the last batch is written and that nothing can be added. Only then may the newest
    batch be mined. Otherwise the difference of two reports would isolate a row that arrived after the last
    batch.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        PLANNED = "planned", _("planned")
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    slug = models.SlugField(_("address"), max_length=50, unique=True)
    # The researcher who builds it; only administrators can build a survey without an owner.
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="surveys"
    )
    # {"en": "...", "zh-hans": "..."}
    title = models.JSONField(_("title"))
    practice = models.BooleanField(_("practice"), default=False)
    # Whether an answer requires an invitation; otherwise the address is enough. Fixed on publication.
    by_invitation = models.BooleanField(default=False)
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.DRAFT)
    definition = StoredJSON(kind="draft")
    # The expected number of answers and the main goal, as `surveys.questionnaire.aim` writes them; None if no
    # one was asked. Devices do not need them, so they are in no design and no digest.
    aim = StoredJSON(_("aim"), null=True, blank=True, kind="plan")
    revision = models.PositiveIntegerField(default=0)
    saved_at = models.DateTimeField(null=True, blank=True)
    # A user name, or "command line"; stored as text so that it outlives the account.
    saved_by = models.CharField(max_length=150, blank=True)
    # The published schedule: the sweeper opens and closes the survey at these times.
    time_zone = models.CharField(max_length=64, default="UTC")
    opens_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    opened_at = models.DateTimeField(_("opened at"), null=True, blank=True)
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True)
    # When the survey and all its data are deleted. Respondents see the day, so it never moves later.
    delete_at = models.DateTimeField(_("deleted at"), null=True, blank=True)
    accepts_until = models.DateTimeField(_("accepts sealed answers until"), null=True, blank=True)
    settled = models.BooleanField(_("settled"), default=False)
    # Answers that did not reach a batch before settling: those whose key was lost, and those of designs with
    # fewer than `LEAST_BATCH_ROWS` waiting rows. None: not settled yet, or settled before these were counted.
    rows_lost = models.PositiveIntegerField(null=True, blank=True)
    rows_too_few = models.PositiveIntegerField(null=True, blank=True)
    # Answers whose receipts were deleted since: see `surveys.intake.expired_receipts`. None: no receipt was.
    receipts_deleted = models.PositiveBigIntegerField(null=True, blank=True)
    # Only for simulated surveys: {"affair & unhappy": 0.132, ...}, the true supports; never true rows.
    known_truth = models.JSONField(null=True, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("survey"), _("surveys")
        ordering = ("slug",)

    def __str__(self) -> str:
        return self.slug

    @property
    def title_text(self) -> str:
        """The title in the language of the page, or else in the survey's first language."""
        return self.title.get(get_language()) or next(iter(self.title.values()))

    @property
    def delete_on(self) -> date | None:
        """The day, in the survey's time zone, at whose beginning it is deleted."""
        return self.delete_at and self.delete_at.astimezone(ZoneInfo(self.time_zone)).date()

    def closed_to_bodies(self, now: datetime) -> bool:
        """Whether a sealed body that arrives at `now` is too late."""
        if self.state != self.State.CLOSED:
            return False
        return self.settled or self.accepts_until is None or now >= self.accepts_until


def lock_survey(survey: Survey) -> Survey:
    """Return the survey as stored, locked until the transaction ends."""
    return Survey.objects.select_for_update().get(pk=survey.pk)


class Wave(models.Model):
    """Membership of a published survey in a series, as its newest version states."""

    survey = models.OneToOneField(Survey, on_delete=models.CASCADE, related_name="wave")
    series = models.CharField(max_length=50, db_index=True)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.survey} of {self.series}"
