"""The clock that all machines of an installation share."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone


def database_clock() -> Any:
    """Return the current time for a query: by PostgreSQL's clock, which all machines share, or by ours."""
    return Now() if connection.vendor == "postgresql" else timezone.now()
