"""The addresses of a log-in by a provider, closed where none is named.

What speaks with providers takes ten megabytes; it is loaded when somebody comes who needs it.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

__all__ = ["openid_back", "openid_begin"]


@require_GET
@never_cache
def openid_begin(request: HttpRequest) -> HttpResponse:
    """Send the visitor to the provider."""
    if not settings.OPENID:
        return redirect("login")
    from surveys.accounts import openid

    return openid.openid_begin(request)


@require_GET
@never_cache
def openid_back(request: HttpRequest) -> HttpResponse:
    """Log in whom the provider sends back."""
    if not settings.OPENID:
        return redirect("login")
    from surveys.accounts import openid

    return openid.openid_back(request)
