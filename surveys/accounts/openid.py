"""Log in with OpenID Connect: the code flow with PKCE, as implemented by Authlib.

Sottovoce stores only the provider's subject, which is never reassigned, and discards the provider's tokens at
once. The identity token is validated as required by Core 1.0, section 3.1.3.7: signature, issuer, audience,
nonce, time. The accepted signature algorithms are set here, not by the provider.
"""

from __future__ import annotations

import logging
from functools import cache
from typing import Any, Final

import requests
from authlib.integrations.base_client import OAuthError
from authlib.integrations.django_client import DjangoOAuth2App, OAuth
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from joserfc.errors import JoseError

from surveys.accounts.log_in import log_in_external, refuse
from surveys.accounts.provider_accounts import provider_account_bind, provider_account_user
from surveys.errors.error import SurveyError, sentences

SECONDS: Final = 10
"""Time limit for each response of the provider."""

ALGORITHMS: Final = ("RS256", "ES256", "PS256", "EdDSA")
"""Accepted signatures of identity tokens: by the provider's own key; never unsigned or by a shared secret."""

# Session keys next to Authlib's data, and the seconds after which an unfinished log-in must start again.
_AFTER: Final = "openid_after"
_CONNECTS: Final = "openid_connects"
_BEGUN_FOR: Final = 600
# The provider does not respond, or its response is not JSON or lacks an address that the standard requires.
_UNREACHABLE: Final = (requests.RequestException, ValueError, RuntimeError, KeyError)
_LOG = logging.getLogger(__name__)


class _Client(DjangoOAuth2App):
    """Client that ignores the algorithms that the provider lists."""

    def load_server_metadata(self) -> Any:
        """Return the provider's metadata with our signature algorithms."""
        metadata = super().load_server_metadata()
        metadata["id_token_signing_alg_values_supported"] = list(ALGORITHMS)
        return metadata


class _Clients(OAuth):
    oauth2_client_cls = _Client


def openid_begin(request: HttpRequest, *, connects: User | None = None) -> HttpResponse:
    """Redirect the visitor to the provider, to log in or to connect the account that they are using."""
    client = _client()
    # Keep the session: a logged-in user stays logged in until the provider has answered.
    request.session[_AFTER] = request.GET.get("next") or reverse(settings.LOGIN_REDIRECT_URL)
    request.session.pop(_CONNECTS, None)
    if connects is not None:
        request.session[_CONNECTS] = connects.pk
    if not request.user.is_authenticated:
        request.session.set_expiry(_BEGUN_FOR)
    try:
        response: HttpResponse = client.authorize_redirect(
            request, request.build_absolute_uri(reverse("openid_back"))
        )
    except (OAuthError, *_UNREACHABLE) as error:
        return _unreachable(request, error)
    return response


def openid_back(request: HttpRequest) -> HttpResponse:
    """Log in the account that accepts the confirmed subject, or connect the user's account to the subject."""
    client = _client()
    after, connects = str(request.session.pop(_AFTER, "")), request.session.pop(_CONNECTS, None)
    try:
        token = client.authorize_access_token(
            request,
            claims_options={
                "iss": {"essential": True, "value": settings.OPENID["issuer"]},
                "aud": {"essential": True, "value": settings.OPENID["client"]},
                "sub": {"essential": True},
            },
        )
    except (OAuthError, JoseError) as error:
        return _refuse_login(request, error)
    except _UNREACHABLE as error:
        return _unreachable(request, error)
    issuer, subject = settings.OPENID["issuer"], str((token.get("userinfo") or {}).get("sub", ""))
    if not subject:
        return _refuse_login(request, OAuthError("no_identity_token"))
    if connects is not None:
        return _connect(request, connects, issuer, subject)
    user = provider_account_user(issuer=issuer, subject=subject)
    if user is None:
        return refuse(
            request,
            _(
                "No active account is linked to your login at %(provider)s. Log in with your "
                "password and link your account on its page. Or send an administrator of this "
                "server your identifier at %(provider)s: %(subject)s"
            )
            % {"provider": settings.OPENID["called"], "subject": subject[:255]},
        )
    return log_in_external(request, user.get_username(), user, after=after, by="provider")


def _connect(request: HttpRequest, user_id: int, issuer: str, subject: str) -> HttpResponse:
    user = request.user
    # The user must have begun this in the same session, and still be logged in.
    if not isinstance(user, User) or user.pk != user_id:
        return _refuse_login(request, OAuthError("another_user"))
    try:
        provider_account_bind(user, issuer=issuer, subject=subject, by=user.get_username())
    except SurveyError as error:
        return refuse(request, sentences(error))
    messages.success(
        request, _("You can now log in with %(provider)s.") % {"provider": settings.OPENID["called"]}
    )
    return redirect("accounts:account")


@cache
def _provider_client(issuer: str, client: str, secret: str) -> Any:
    """Return the client of a provider; it fetches addresses and keys once, when they are needed."""
    return _Clients().register(
        "sottovoce",
        client_id=client,
        client_secret=secret or None,
        server_metadata_url=f"{issuer.rstrip('/')}/.well-known/openid-configuration",
        client_kwargs={
            "scope": "openid",
            "code_challenge_method": "S256",
            "default_timeout": SECONDS,
            **({} if secret else {"token_endpoint_auth_method": "none"}),
        },
    )


def _client() -> Any:
    provider = settings.OPENID
    return _provider_client(provider["issuer"], provider["client"], provider["secret"])


def _unreachable(request: HttpRequest, error: Exception) -> HttpResponse:
    _LOG.warning("the provider of log-ins does not answer as it should: %s", type(error).__name__)
    return refuse(
        request,
        _("%(provider)s is not available at the moment. Try again, or log in with your password.")
        % {"provider": settings.OPENID["called"]},
    )


def _refuse_login(request: HttpRequest, error: Exception) -> HttpResponse:
    # Log only the name, because the message may contain personal data from the provider.
    _LOG.warning("a log-in by the provider was refused: %s", getattr(error, "error", type(error).__name__))
    return refuse(
        request,
        _("%(provider)s did not confirm who you are, or it took too long. Try again.")
        % {"provider": settings.OPENID["called"]},
    )
