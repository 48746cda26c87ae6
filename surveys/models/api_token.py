"""Tokens for programs that read an account's data."""

from __future__ import annotations

from datetime import date

from django.contrib.auth.models import User
from django.db import models


class ApiToken(models.Model):
    """Token for a program to read the data that its owner may read, until its last day.

    Notes
    -----
    A token has 128 random bits. Only its digest is stored, so reading the database reveals no token. The row
    is deleted when the token is ended; the audit log still records the token.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    # The owner's name for the token, which says where it is used.
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    made_on = models.DateField()
    # The last day on which it works, in UTC.
    until = models.DateField()
    # A date without a time: it shows whether a token is in use, but not when someone works.
    used_on = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ("-made_on", "-pk")

    def __str__(self) -> str:
        return f"{self.name} of {self.user_id} until {self.until}"

    def works(self, *, today: date) -> bool:
        """Whether the token is valid on this day."""
        return today <= self.until
