"""How long a key of the mixer, or of its spare, seals rows, and when it is replaced."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.utils import timezone

LIFE: Final = timedelta(minutes=10)
"""Longest time for which rows are sealed under a key."""

MINUTES: Final = LIFE / 2
"""Age at which a key is replaced; early enough that its life has not ended even if a pass is late."""


def is_old(drawn_at: object) -> bool:
    """Return whether a key must be replaced; also if it has a future date, since the clock was set back."""
    now = timezone.now()
    return not now - MINUTES <= drawn_at <= now  # type: ignore[operator]
