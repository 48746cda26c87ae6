"""How an account sees the pages: plain or expert."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import models


class StaffPreference(models.Model):
    """Display settings of an account: plain or expert pages.

    An account without a row is plain, and has not seen "How it works" yet. The setting affects only links and
    figures: plain and expert accounts can open the same addresses.
    """

    user = models.OneToOneField(
        User, on_delete=models.CASCADE, primary_key=True, related_name="staff_preference"
    )
    is_expert = models.BooleanField(default=False)
    has_seen_way = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.user_id}: {'expert' if self.is_expert else 'plain'}"
