"""What staff can see of their own sessions. Respondents have none, and no clock."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import models


class StaffSession(models.Model):
    """Whose a session is, when it began, when it was used last, and in which browser.

    It goes with Django's row of the session. A session without it is nobody's.
    """

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="staff")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="staff_sessions")
    begun_at = models.DateTimeField()
    # To the minute, not to the request.
    used_at = models.DateTimeField()
    # "Firefox, Linux": a name of each, or empty; never what the browser sent.
    browser = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering = ("-used_at", "-pk")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.browser}"
