"""Who writes, and when: the arguments that a page of the staff passes to a service."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict

from django.http import HttpRequest
from django.utils import timezone

from surveys.accounts.permissions import get_staff


class Authorship(TypedDict):
    """User name and time of a write, as arguments of services."""

    by: str
    now: datetime


def by_and_now(request: HttpRequest) -> Authorship:
    """Return the user's name, if they are staff, and the time."""
    return {"by": get_staff(request.user).get_username(), "now": timezone.now()}
