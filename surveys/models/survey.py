"""A survey: its state, its draft and versions, and its disguised answers.

The row of an answer does not record when or from whom it arrived. A receipt records that a submission arrived
and is not linked to an answer. The inbox holds disguised rows in sealed boxes until they are shuffled into a
batch. A batch is the source of truth, and its rows have neither number nor date. On SQLite, receipts and
inbox are WITHOUT ROWID tables, because a hidden row number would record the order of arrival.
"""

from __future__ import annotations

import json
import math
from datetime import date, datetime, timedelta
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from surveys.models.run import Job, Run
from surveys.models.stored_json import StoredJSON
from surveys.models.written_once import ImmutableRow
from surveys.policy import LEAST_PROTECTED

if TYPE_CHECKING:
    from privacy.survey.design import Design


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


class Version(ImmutableRow):
    """Design and wording of a survey from one publication to the next.

    Changing a probability afterwards would falsify every earlier answer, so ``save()`` and triggers in the
    database refuse to change the row. Versions that differ only in wording share a design, and their answers
    are counted together.
    """

    survey = models.ForeignKey(
        Survey, on_delete=models.PROTECT, related_name="versions", verbose_name=_("survey")
    )
    number = models.PositiveIntegerField(_("number"))
    design = models.JSONField(_("design"))
    design_id = models.CharField(_("digest of the design"), max_length=64)
    wording = models.JSONField(_("wording"))
    wording_id = models.CharField(_("digest of the wording"), max_length=64)
    # The definition as published; the draft may have changed since.
    definition = models.JSONField(_("definition"))
    # The aim of the survey when it was published; None if no one was asked for it.
    aim = StoredJSON(_("aim"), null=True, blank=True, kind="plan")
    # The promises that respondents read, as `surveys.questionnaire.promise_words.promises_json` writes them.
    # None: published before pages stated skips, see `older_promises_json` there.
    promises = models.JSONField(null=True, blank=True, editable=False)
    published_at = models.DateTimeField(_("published at"))

    class Meta:
        verbose_name, verbose_name_plural = _("version"), _("versions")
        ordering = ("survey", "number")
        constraints = (models.UniqueConstraint(fields=("survey", "number"), name="version_number_once"),)
        indexes = (models.Index(fields=("design_id",), name="version_by_design"),)

    def __str__(self) -> str:
        return f"{self.survey} {self.number}"

    def to_design(self) -> Design:
        """Return the design as the frozen object that ``privacy`` uses; it is parsed once."""
        return self._design

    @cached_property
    def _design(self) -> Design:
        return _parse_design(json.dumps(self.design))

    @property
    def languages(self) -> tuple[str, ...]:
        """The tags of its languages."""
        return tuple(self.wording["title"])

    @property
    def row_bytes(self) -> int:
        """Length of a packed row of the design in bytes."""
        from privacy.survey.layout import Layout

        return Layout(self.to_design()).n_bytes

    @property
    def people_needed(self) -> int:
        """About how many people must answer until 100 were asked each protected question; 0 in practice.

        Devices draw at random which questions they ask. With this many people, 98 in 100 draws are enough for
        a question.
        """
        design = self.to_design()
        numbers = range(len(design.questions))
        protected = (number for number in numbers if design.blocks[design.block_of(number)].protected)
        share = float(min((design.drawn_together((number,)) for number in protected), default=1))
        # Solve share n - 2 sqrt(n share (1 - share)) = LEAST_PROTECTED for n, and round up to tens.
        error = (share * (1 - share)) ** 0.5
        root = (error + (error**2 + LEAST_PROTECTED * share) ** 0.5) / share
        return 0 if self.survey.practice else math.ceil(root**2 / 10 - 1e-9) * 10

    @property
    def holds_undisguised(self) -> bool:
        """Whether real sensitive answers arrived undisguised; false for practice and for simulated rows."""
        made_up = self.survey.practice or self.survey.known_truth is not None
        return not made_up and self.to_design().sends_undisguised


@lru_cache(maxsize=64)
def _parse_design(text: str) -> Design:
    """Parse a design once, although each page loads its version again."""
    # Imported here, because the sweeper imports this module and must not load numpy before it mixes.
    from privacy.survey.design import Design

    return Design.from_json(json.loads(text))


class PublishOverride(ImmutableRow):
    """A person's written reason for publishing a version despite failed checks; printed in every report."""

    version = models.OneToOneField(Version, on_delete=models.CASCADE, related_name="override")
    reason = models.TextField()
    # A user name, or "command line"; stored as text so that it outlives the account.
    by = models.CharField(max_length=150)
    at = models.DateTimeField()
    # The findings that were overridden, as `surveys.questionnaire.findings.Finding.to_json` gives them.
    findings = models.JSONField()

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.version} by {self.by}"


MOST_REVISIONS: Final = 100
"""Newest revisions kept of one draft, besides the one with the text that the draft was read from."""
ONE_REVISION: Final = timedelta(minutes=1)
"""Saves by one person within this time count as one revision."""


class DraftRevision(models.Model):
    """A saved revision of a draft.

    Notes
    -----
    Saves by one person within a minute count as one revision, unless the later one removes a question.
    ``pasted`` is the text that the draft was read from, if any, so that it can be restored.
    """

    survey = models.ForeignKey("surveys.Survey", on_delete=models.CASCADE, related_name="draft_revisions")
    # The draft's number after its last save: see `Survey.revision`.
    revision = models.PositiveIntegerField()
    definition = StoredJSON(kind="draft")
    pasted = models.TextField(blank=True)
    begun_at = models.DateTimeField()
    saved_at = models.DateTimeField()
    # A user name, stored as text so that it outlives the account.
    saved_by = models.CharField(max_length=150)

    class Meta:
        ordering = ("-revision",)
        constraints = (models.UniqueConstraint(fields=("survey", "revision"), name="draft_revision_once"),)

    def __str__(self) -> str:
        return f"revision {self.revision} of {self.survey_id}"


EXAMPLE = "example"
"""Replaces the token in the address of the finished example; tokens are longer."""


class SharedPage(models.Model):
    """An address that shares one page: the results of a run, or the privacy risk of a survey.

    Notes
    -----
    The address contains a token of 128 random bits. Only its digest is stored, so reading the database
    reveals no address. The row stays after the address has ended, so that its creator sees which existed.
    """

    class Kind(models.TextChoices):
        RESULTS = "results"
        RISK = "risk"

    kind = models.CharField(max_length=8, choices=Kind.choices)
    survey = models.ForeignKey("surveys.Survey", on_delete=models.CASCADE, related_name="shared")
    # Only for results.
    run = models.ForeignKey(
        "surveys.Run", null=True, blank=True, on_delete=models.CASCADE, related_name="shared"
    )
    digest = models.CharField(max_length=64, unique=True)
    # A user name, stored as text so that it outlives the account.
    made_by = models.CharField(max_length=150)
    made_at = models.DateTimeField()
    until = models.DateTimeField()
    # Set if the address was ended early.
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-made_at", "-pk")

    def __str__(self) -> str:
        return f"{self.kind} of {self.survey_id} until {self.until:%Y-%m-%d}"

    @classmethod
    def of_example(cls) -> SharedPage | None:
        """Return an unsaved page of the finished example, which never ends; None if there is no example.

        The example is the first run with a known truth, which only simulated respondents have.
        """
        runs = Run.objects.filter(survey__known_truth__isnull=False, job__state=Job.State.FINISHED)
        run = runs.select_related("survey", "version", "job").order_by("pk").first()
        return None if run is None else cls(kind=cls.Kind.RESULTS, survey=run.survey, run=run)

    @classmethod
    def example_is_on_its_way(cls) -> bool:
        """Return whether the example is being created: its devices answer, or its run is in progress."""
        with_truth = Survey.objects.filter(known_truth__isnull=False)
        at_work = models.Q(runs__isnull=True) | models.Q(
            runs__job__state__in=(Job.State.QUEUED, Job.State.RUNNING)
        )
        return cls.of_example() is None and with_truth.filter(at_work).exists()

    def works(self, *, now: datetime) -> bool:
        """Whether the address is valid now."""
        return self.ended_at is None and now < self.until


# First bytes of rows that are not direct: the first bit of a row is its group bit.
_NOT_DIRECT: Final = bytes(range(0x80))


class Receipt(models.Model):
    """Proof that a submission arrived, once.

    ``key`` is the client's 128 random bits or, for an answer by invitation, the SHA-256 of its code, stored
    when the code is created. ``digest`` is the SHA-256 of the exact request. The request contains 32 random
    bytes that are not stored, so a guessed row cannot be tested against the digest. A null digest means an
    unused invitation. ``fresh`` means that the submission arrived after the last mix.
    """

    pk = models.CompositePrimaryKey("survey_id", "key")
    survey = models.ForeignKey(Survey, on_delete=models.PROTECT, related_name="receipts", db_index=False)
    key = models.BinaryField(max_length=32)
    digest = models.BinaryField(max_length=32, null=True)
    fresh = models.BooleanField(default=False)

    class Meta:
        indexes = (
            models.Index(fields=["survey"], condition=models.Q(fresh=True), name="surveys_receipt_fresh"),
        )

    def __str__(self) -> str:
        return f"receipt {bytes(self.key).hex()[:8]}"


class Inbox(models.Model):
    """A disguised row that waits to be mixed, in a box that only its mixer can open.

    It has a random name that is used nowhere else, and records the key that its box is sealed under.
    """

    key = models.BinaryField(primary_key=True, max_length=16)
    # The first version of the survey with the row's design, because rows of versions that differ only in
    # wording are mixed together. No index, because the table is nearly empty most of the time.
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="+", db_index=False)
    # No foreign key, because a row outlives a lost key so that it can be counted.
    sealed_under = models.BinaryField(max_length=16)
    box = models.BinaryField()

    class Meta:
        verbose_name_plural = "inbox"

    def __str__(self) -> str:
        return "a waiting row"


class MixerKey(models.Model):
    """The public half of a key that rows are sealed under. The private half is a file of the mixer.

    New rows are sealed under the ``current`` key of their design or, if it has none, under the current key
    that all designs share, as long as the mixer vouches that it can open them. A key is listed until its file
    is destroyed. No one can open a row that names an unlisted key.
    """

    # Identifies the key: half of the SHA-256 of the public key.
    name = models.BinaryField(primary_key=True, max_length=16)
    public = models.BinaryField(max_length=32)
    # The version that waiting rows of the key's design name; null for the shared key. No foreign key, because
    # the key stays until its file is destroyed, even if the survey is deleted first.
    version_id = models.BigIntegerField(null=True)
    # The random name of the mixer that created it.
    mixer = models.CharField(max_length=32)
    current = models.BooleanField()
    drawn_at = models.DateTimeField()
    vouched_until = models.DateTimeField()
    # Position of PostgreSQL's log at which no row named the key any longer.
    unnamed_at = models.CharField(max_length=32, blank=True, default="")

    objects: ClassVar[models.Manager[MixerKey]]

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["version_id"], condition=models.Q(current=True), name="surveys_mixerkey_one_of_design"
            ),
            models.UniqueConstraint(
                fields=["current"],
                condition=models.Q(current=True, version_id=None),
                name="surveys_mixerkey_one_shared",
            ),
        )

    def __str__(self) -> str:
        return f"mixer key {bytes(self.name).hex()[:8]}"


class SpareKey(models.Model):
    """Public half of a key of the spare mixer. Copies of the mixer's private keys are sealed under it.

    The private half is a file of the spare, on another machine. The mixer makes copies under the ``current``
    key as long as the spare vouches that it can open them.
    """

    # Identifies the key, like `MixerKey.name`.
    name = models.BinaryField(primary_key=True, max_length=16)
    public = models.BinaryField(max_length=32)
    # The random name of the spare, and the name of its host.
    mixer = models.CharField(max_length=32)
    host = models.CharField(max_length=255)
    current = models.BooleanField()
    drawn_at = models.DateTimeField()
    vouched_until = models.DateTimeField()
    # Position of PostgreSQL's log at which no copy was under the key any longer.
    unnamed_at = models.CharField(max_length=32, blank=True, default="")

    objects: ClassVar[models.Manager[SpareKey]]

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["current"], condition=models.Q(current=True), name="surveys_sparekey_one"
            ),
        )

    def __str__(self) -> str:
        return f"spare key {bytes(self.name).hex()[:8]}"


class KeyCopy(models.Model):
    """The private half of a mixer's key, sealed under a key of the spare. No backup contains it."""

    # Names of the key and of the key of the spare. No foreign keys, as with waiting rows.
    name = models.BinaryField(primary_key=True, max_length=16)
    spare = models.BinaryField(max_length=16)
    box = models.BinaryField()

    objects: ClassVar[models.Manager[KeyCopy]]

    class Meta:
        verbose_name_plural = "key copies"

    def __str__(self) -> str:
        return "a sealed copy of a key"


class Batch(ImmutableRow):
    """Shuffled, disguised rows of one design, the source of all results.

    ``packed`` holds ``n`` rows of the design's constant length, one after another; ``digest`` is its SHA-256.
    ``n_direct``, the number of direct rows, is counted when the batch is written.
    """

    # The first version of the survey with the rows' design.
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="batches")
    n = models.PositiveIntegerField()
    n_direct = models.PositiveIntegerField()
    packed = models.BinaryField()
    digest = models.CharField(max_length=64)

    class Meta:
        ordering = ("pk",)
        verbose_name_plural = "batches"

    def __str__(self) -> str:
        return f"batch {self.pk}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Count the direct rows, and insert the batch."""
        self.n_direct = direct_rows(bytes(self.packed), self.n)
        super().save(*args, **kwargs)


class DrawingKey(ImmutableRow):
    """Key for disguising answers that arrived undisguised: one random key for the whole installation.

    It has no other use, so changing another key never disguises rows again. It is stored next to the answers,
    because anyone who can read it can also read the answers as they were sent. ``mark`` identifies the key in
    the results.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    key = models.BinaryField(max_length=32)
    mark = models.CharField(max_length=8)

    objects: ClassVar[models.Manager[DrawingKey]]

    class Meta:
        constraints = (models.CheckConstraint(condition=models.Q(id=1), name="surveys_drawingkey_one"),)

    def __str__(self) -> str:
        return f"drawing key {self.mark}"


def direct_rows(body: bytes, n: int) -> int:
    """Count the direct rows among `n` packed rows.

    >>> direct_rows(bytes([0x80, 1, 0x00, 0x80, 0xC0, 0]), 3)
    2
    """
    return len(body[:: max(1, len(body) // n)].translate(None, _NOT_DIRECT))
