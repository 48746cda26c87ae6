"""Releases: uploaded tables, published files, and queries."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models

from surveys.models import Job
from surveys.models.stored_json import StoredJSON, unreadable

JOB_KIND: Final = "release"
"""Kind of the job that creates a release."""
READ_KIND: Final = "read_table"
"""Kind of the job that reads a large table."""


class Release(models.Model):
    """A release, finished or not: its settings, its job and its files.

    Notes
    -----
    `columns` and `bounds` contain names, kinds and counts, but no values of records. The records are in
    `ReleaseTable`, which is deleted once the release is finished. Seals use the installation's secret key.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="releases")
    # None if the table was uploaded.
    survey = models.ForeignKey(
        "surveys.Survey", null=True, blank=True, on_delete=models.CASCADE, related_name="releases"
    )
    name = models.CharField(max_length=120)
    made_at = models.DateTimeField()
    records = models.PositiveIntegerField()
    columns = StoredJSON(default=list, kind="release")
    bounds = StoredJSON(default=dict, kind="release")
    # Description of the study: title, creators, abstract and other fields, as typed.
    description = StoredJSON(default=dict, kind="release")
    # Digest of all people of an uploaded table, under the secret key (`releases.same_people.people_digest`).
    people_digest = models.CharField(max_length=64, blank=True, default="", db_index=True)
    job = models.OneToOneField(Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="release")
    finished_at = models.DateTimeField(null=True, blank=True)
    result = StoredJSON(default=dict, kind="release result")
    # Published files and the publisher's report as ZIP files, and the ledger; all are sealed.
    files = models.BinaryField(null=True)
    report = models.BinaryField(null=True)
    ledger = models.BinaryField(null=True)
    # When the release was opened for questions (None if closed), and how many each researcher may ask.
    opened_at = models.DateTimeField(null=True, blank=True)
    questions_each = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"release {self.pk}"

    @property
    def is_unasked(self) -> bool:
        """Whether its figures count records of an upload without anyone having been asked whose they are.

        So do releases made before the question existed, unless a column's name made them count people.
        """
        is_made = self.finished_at is not None and self.survey_id is None
        if not is_made or unreadable(self.result):
            return False
        return "counted" not in self.result and "people" not in self.result


class ReleaseTable(models.Model):
    """The sealed records of an unfinished release. They are deleted when it is finished, or at `ends_at`.

    `surveys.server.backup` leaves this table out of backups.
    """

    release = models.OneToOneField(Release, primary_key=True, on_delete=models.CASCADE, related_name="table")
    sealed = models.BinaryField()
    ends_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"table of release {self.release_id}"


class ReleaseColumn(models.Model):
    """A sealed column of a table, so that pages decrypt only the columns they need.

    Like its table, it is left out of backups.
    """

    table = models.ForeignKey(ReleaseTable, on_delete=models.CASCADE, related_name="columns")
    number = models.PositiveIntegerField()
    sealed = models.BinaryField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("table", "number"), name="release_column_once"),)

    def __str__(self) -> str:
        return f"column {self.number} of release {self.table_id}"


class ReleasePart(models.Model):
    """A sealed part of a large upload. The worker that reads the file deletes it.

    Like its table, it is left out of backups.
    """

    table = models.ForeignKey(ReleaseTable, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    size = models.PositiveIntegerField()
    sealed = models.BinaryField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("table", "number"), name="release_part_once"),)

    def __str__(self) -> str:
        return f"part {self.number} of release {self.table_id}"


class ReleaseQuestion(models.Model):
    """A query by a researcher, counted once even if its answer is read again.

    Notes
    -----
    The answer is not stored. It is recomputed from the published data, which do not change.
    """

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="questions")
    asker = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    asked_at = models.DateTimeField()
    # The query in the language of `privacy.sdc.queries`, as `query_text` writes it.
    text = models.TextField()

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"question {self.pk}"
