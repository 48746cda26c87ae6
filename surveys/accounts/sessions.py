"""Log-ins that ran out."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone


def sessions_step() -> None:
    """Delete the sessions that ran out: the sweeper's step.

    Nothing is written where none has: the sweeper comes round every other second.
    """
    if Session.objects.filter(expire_date__lt=timezone.now()).exists():
        import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
