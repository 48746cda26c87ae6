"""Log-ins confirmed by a third party: the proxy in front of Sottovoce, or an OpenID Connect provider.

A third party only confirms who someone is; accounts and their roles are managed here. The proxy names an
account. A provider names its own subject, and an account accepts log-ins of that subject once its owner or an
administrator allows it. An account with a second factor here is still asked for it.
"""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from surveys.accounts.permissions import second_factor_of
from surveys.accounts.second_factor import second_step_begin
from surveys.errors.error import SurveyError
from surveys.models import ProviderAccount
from surveys.models.staff import audit_event_record

_LONGEST_SUBJECT: Final = 255


def name_from_proxy(request: HttpRequest) -> str:
    """Return the visitor's name from the proxy's header; "" without one, or if the proxy is not trusted.

    The header counts only in a request that came through the Unix socket of the web process: anyone who
    reaches a port of this machine could write it.
    """
    header = settings.LOG_IN_HEADER
    came_by_socket = not request.META.get("REMOTE_ADDR") and str(request.META["SERVER_NAME"]).startswith("/")
    if not (header and came_by_socket):
        return ""
    return str(request.headers.get(header, "")).strip()


def outside_ways(request: HttpRequest) -> dict[str, str]:
    """Return the log-in page's alternatives to a password: the name from the proxy, the provider's name."""
    return {
        "proxy_name": name_from_proxy(request),
        "provider": settings.OPENID["called"] if settings.OPENID else "",
    }


@require_POST
@never_cache
def log_in_by_proxy(request: HttpRequest) -> HttpResponse:
    """Log in the account that the proxy names."""
    name = name_from_proxy(request)
    return log_in_vouched(request, name, staff_account(name), after=request.POST.get("next", ""), by="proxy")


def staff_account(name: str) -> User | None:
    """Return the account with exactly this name; None if it is stopped or does not exist."""
    return User.objects.filter(username=name, is_active=True, is_staff=True).first() if name else None


def log_in_vouched(
    request: HttpRequest, name: str, user: User | None, *, after: str, by: str
) -> HttpResponse:
    """Log in an account that a third party confirms, or report on the log-in page that there is none.

    Parameters
    ----------
    request : HttpRequest
    name : str
        Name from the proxy, or name of the account.
    user : User or None
        The account; None if the log-in must be refused.
    after : str
        The page to redirect to; the list of surveys if this is empty or on another site.
    by : {"proxy", "provider"}
    """
    if user is None:
        return refuse(
            request,
            _(
                "There is no active account named “%(name)s”. Ask an administrator of this "
                "server to invite you with exactly this name."
            )
            % {"name": name[:150]}
            if name
            else _("Your institution did not send your identity. Log in there first, then try again."),
        )
    safe = url_has_allowed_host_and_scheme(after, {request.get_host()}, require_https=request.is_secure())
    if second_factor_of(user) is not None:
        second_step_begin(request, user)
        return redirect(reverse("second_step", query={"next": after} if after and safe else None))
    # A session with a new key that keeps nothing from the log-in process.
    request.session.flush()
    audit_event_record(
        actor=user.get_username(), action="log_in", target=user.get_username(), detail={"by": by}
    )
    login(request, user)
    return redirect(after if after and safe else resolve_url(settings.LOGIN_REDIRECT_URL))


def refuse(request: HttpRequest, said: str) -> HttpResponse:
    """Show why a log-in was refused: on the log-in page or, to a logged-in user, on the account page."""
    messages.error(request, said)
    return redirect("accounts:account" if request.user.is_authenticated else "login")


def provider_account_user(*, issuer: str, subject: str) -> User | None:
    """Return the account that accepts log-ins of this subject; None if it is stopped or does not exist.

    The user's name at the provider does not matter, since users may choose it. The subject never changes and
    is never reassigned (OpenID Connect Core 1.0, section 2).
    """
    users = User.objects.filter(is_active=True, is_staff=True)
    return users.filter(provider_account__issuer=issuer, provider_account__subject=subject).first()


@transaction.atomic
def provider_account_bind(user: User, *, issuer: str, subject: str, by: str) -> None:
    """Let an account accept log-ins of a provider's subject.

    Parameters
    ----------
    user : User
    issuer, subject : str
    by : str
        Who allows it: the account's logged-in owner, or an administrator.

    Raises
    ------
    SurveyError
        ``provider.subject``: not a valid subject; ``provider.bound``: the account accepts another subject;
        ``provider.taken``: another account accepts this one.
    """
    if not (subject.isascii() and subject.isprintable() and 0 < len(subject) <= _LONGEST_SUBJECT):
        raise SurveyError("provider.subject", subject[:40], longest=_LONGEST_SUBJECT)
    account = ProviderAccount.objects.filter(user=user).first()
    if account is not None and (account.issuer, account.subject) != (issuer, subject):
        raise SurveyError("provider.bound", user.get_username())
    if account is not None:
        return
    try:
        with transaction.atomic():
            ProviderAccount.objects.create(
                user=user,
                issuer=issuer,
                subject=subject,
                bound_on=timezone.now().date(),
                allowed_by=by,
            )
    except IntegrityError as error:
        raise SurveyError("provider.taken", subject) from error
    _record("provider_bind", user, by, issuer=issuer)


@transaction.atomic
def provider_account_forget(user: User, *, by: str) -> None:
    """Stop accepting log-ins of a provider for an account."""
    deleted, _rows = ProviderAccount.objects.filter(user=user).delete()
    if deleted:
        _record("provider_forget", user, by)


def _record(action: str, user: User, by: str, **detail: Any) -> None:
    audit_event_record(actor=by, action=action, target=user.get_username(), detail=detail)
