"""The record of the schema, which shows whether a database is this program's."""

from __future__ import annotations

from django.db import models


class SchemaRecord(models.Model):
    """The one row about the schema, written each time `migrate` finishes.

    Attributes
    ----------
    format : int
    digests : dict of str to str
        SHA-256 of the schema of each application, by label (`surveys.server.schema.digest_of`).
    program : str
        Version and commit of the program that migrated last.
    at : datetime
        When it did.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    format = models.PositiveSmallIntegerField()
    digests = models.JSONField()
    program = models.CharField(max_length=100)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="surveys_schemarecord_one")]

    def __str__(self) -> str:
        return f"format {self.format}, {self.program}"
