"""Releases: uploaded tables, published files, and queries."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models

from surveys.models import Job

JOB_KIND: Final = "release"
"""Kind of the job that creates a release."""
READ_KIND: Final = "read_table"
"""Kind of the job that reads a large table."""


class Release(models.Model):
    """A release, finished or not: the choices, the job and the files.

    Notes
    -----
    `columns` and `bounds` hold names, kinds and counts, but no value of a record. The records are in
    `ReleaseTable`, which is deleted. Seals use the installation's secret key.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="releases")
    # Without one the table was uploaded.
    survey = models.ForeignKey(
        "surveys.Survey", null=True, blank=True, on_delete=models.CASCADE, related_name="releases"
    )
    name = models.CharField(max_length=120)
    made_at = models.DateTimeField()
    records = models.PositiveIntegerField()
    columns = models.JSONField(default=list)
    bounds = models.JSONField(default=dict)
    # Of the study, field by field as it was typed: title, creators, abstract and the others.
    description = models.JSONField(default=dict)
    # Of all people of an uploaded table together, under the secret key (`releases.respondents`).
    people_digest = models.CharField(max_length=64, blank=True, default="", db_index=True)
    job = models.OneToOneField(Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="release")
    finished_at = models.DateTimeField(null=True, blank=True)
    result = models.JSONField(default=dict)
    # Sealed: the published files and the publisher's report as ZIP files, and the ledger.
    files = models.BinaryField(null=True)
    report = models.BinaryField(null=True)
    ledger = models.BinaryField(null=True)
    # Since when researchers may ask questions of it, and how many each of them; none while it is shut.
    opened_at = models.DateTimeField(null=True, blank=True)
    questions_each = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"release {self.pk}"


class ReleaseTable(models.Model):
    """The sealed records of an unfinished release. They are deleted when it is finished, or at `ends_at`.

    No backup holds this table: `surveys.server.backup` leaves it out.
    """

    release = models.OneToOneField(Release, primary_key=True, on_delete=models.CASCADE, related_name="table")
    sealed = models.BinaryField()
    ends_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"table of release {self.release_id}"


class ReleaseColumn(models.Model):
    """A sealed column of a table, so that pages decrypt only the columns they need.

    No backup holds it, as its table.
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

    No backup holds it, as its table.
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
    """A query of a researcher, counted once however often its answer is read.

    Notes
    -----
    The answer is not kept: it is computed again from the published data, and is the same.
    """

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="questions")
    asker = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    asked_at = models.DateTimeField()
    # In the language of `privacy.sdc.queries`, as its `query_text` writes it.
    text = models.TextField()

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"question {self.pk}"
