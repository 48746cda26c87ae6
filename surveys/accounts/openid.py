"""Log in by OpenID Connect: the code flow with PKCE, as Authlib does it.

Sotto takes from the provider who somebody is and forgets its tokens at once. The provider's word is looked at
as Core 1.0, section 3.1.3.7 asks: signature, issuer, audience, nonce, hour.
"""

from __future__ import annotations

import logging
from functools import cache
from typing import Any, Final

import requests
from authlib.integrations.base_client import OAuthError
from authlib.integrations.django_client import OAuth
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from joserfc.errors import JoseError

from surveys.accounts.outside import log_in_vouched, provider_account_bind, refuse, staff_account

SECONDS: Final = 10
"""How long the provider may take for each answer."""

# In the session, beside what Authlib notes there; a log-in that is not finished by then begins anew.
_AFTER: Final = "openid_after"
_BEGUN_FOR: Final = 600
# Nothing answers, or what answers is no JSON, or lacks an address that the standard asks for.
_UNREACHABLE: Final = (requests.RequestException, ValueError, RuntimeError, KeyError)
_LOG = logging.getLogger(__name__)


def openid_begin(request: HttpRequest) -> HttpResponse:
    """Send the visitor to the provider."""
    client = _client()
    # Its own session: the user logged in here before stays so until the provider has answered.
    request.session[_AFTER] = request.GET.get("next") or reverse(settings.LOGIN_REDIRECT_URL)
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
    """Log in the account that the provider confirms."""
    client = _client()
    after = str(request.session.pop(_AFTER, ""))
    try:
        token = client.authorize_access_token(
            request,
            claims_options={
                "iss": {"essential": True, "value": settings.OPENID["issuer"]},
                "aud": {"essential": True, "value": settings.OPENID["client"]},
                "sub": {"essential": True},
            },
        )
        name, subject = _named(client, token)
    except (OAuthError, JoseError) as error:
        return _refused(request, error)
    except _UNREACHABLE as error:
        return _unreachable(request, error)
    if not (name and subject):
        return refuse(
            request,
            _("%(provider)s did not say your name here (%(claim)s). Ask an administrator.")
            % {"provider": settings.OPENID["called"], "claim": settings.OPENID["claim"]},
        )
    user = staff_account(name)
    if user is not None and not provider_account_bind(
        user, issuer=settings.OPENID["issuer"], subject=subject
    ):
        return refuse(
            request,
            _(
                "The account “%(name)s” belongs to somebody else whom %(provider)s called so. Ask an "
                "administrator of this server."
            )
            % {"name": name[:150], "provider": settings.OPENID["called"]},
        )
    return log_in_vouched(request, name, user, after=after, by="provider")


def _named(client: Any, token: dict[str, Any]) -> tuple[str, str]:
    """Return the log-in name and the subject that the provider speaks of, "" for what it does not say.

    By the standard the claims of a scope are asked for with the access token, unless the identity token has
    them, as those of many providers do.
    """
    claims: dict[str, Any] = token.get("userinfo") or {}
    subject, claim = claims.get("sub"), settings.OPENID["claim"]
    if subject and claim not in claims and "userinfo_endpoint" in client.server_metadata:
        userinfo = client.userinfo(token=token)
        # Core 1.0, section 5.3.2: of another subject it must not be used.
        claims = userinfo if userinfo.get("sub") == subject else {}
    named = claims.get(claim)
    return named if isinstance(named, str) else "", subject if isinstance(subject, str) else ""


@cache
def _registered(issuer: str, client: str, secret: str) -> Any:
    """Return the client of a provider; it asks for addresses and keys once, when needed."""
    return OAuth().register(
        "sotto",
        client_id=client,
        client_secret=secret or None,
        server_metadata_url=f"{issuer.rstrip('/')}/.well-known/openid-configuration",
        client_kwargs={
            "scope": "openid profile email",
            "code_challenge_method": "S256",
            "default_timeout": SECONDS,
            **({} if secret else {"token_endpoint_auth_method": "none"}),  # nosec B105
        },
    )


def _client() -> Any:
    provider = settings.OPENID
    return _registered(provider["issuer"], provider["client"], provider["secret"])


def _unreachable(request: HttpRequest, error: Exception) -> HttpResponse:
    _LOG.warning("the provider of log-ins does not answer as it should: %s", type(error).__name__)
    return refuse(
        request,
        _("%(provider)s cannot be reached at the moment. Try again, or log in with your password.")
        % {"provider": settings.OPENID["called"]},
    )


def _refused(request: HttpRequest, error: Exception) -> HttpResponse:
    # Its name only: the text may hold personal data from the provider.
    _LOG.warning("a log-in by the provider was refused: %s", getattr(error, "error", type(error).__name__))
    return refuse(
        request,
        _("%(provider)s did not confirm who you are, or it took too long. Try again.")
        % {"provider": settings.OPENID["called"]},
    )
