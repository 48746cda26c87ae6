"""Paths on this site to which a page may send people back."""

from __future__ import annotations

from django.utils.http import url_has_allowed_host_and_scheme


def path_here(text: str) -> str:
    """Return a path on this site, to redirect to; empty for any other text.

    Examples
    --------
    >>> path_here("/en/staff/?a=1"), path_here("//elsewhere.example/"), path_here("no path")
    ('/en/staff/?a=1', '', '')
    """
    is_path = text.startswith("/") and url_has_allowed_host_and_scheme(text, allowed_hosts=None)
    return text if is_path else ""
