"""A host name that the web server accepts, for requests that this machine sends to it."""

from __future__ import annotations

from django.conf import settings


def allowed_host() -> str:
    """Return a host name that the web server accepts."""
    hosts = [host for host in settings.ALLOWED_HOSTS if host != "*"]
    return hosts[0].removeprefix(".") if hosts else "localhost"
