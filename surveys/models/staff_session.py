"""Sessions of staff: whose they are, since when, and in which browser."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import models


class StaffSession(models.Model):
    """Session of a staff member: its user, start, last use and browser.

    It extends Django's row of the session. A session without this row has no user.
    """

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="staff")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="staff_sessions")
    begun_at = models.DateTimeField()
    # Updated at most once a minute rather than at every request.
    used_at = models.DateTimeField()
    # Browser and system, such as "Firefox, Linux", or empty; never the text that the browser sent.
    browser = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering = ("-used_at", "-pk")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.browser}"
