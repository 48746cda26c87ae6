"""Pages that connect an account with a provider's, allow it, and end that."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from surveys.accounts.permissions import get_staff, own_page, staff_page
from surveys.accounts.provider_accounts import provider_account_bind, provider_account_forget
from surveys.accounts.views import act
from surveys.errors.error import SurveyError


@sensitive_post_parameters()
@own_page
@require_POST
def connect(request: HttpRequest) -> HttpResponse:
    """Redirect a user to the provider, in order to accept its log-ins for their account."""
    user = get_staff(request.user)
    if not settings.OPENID:
        raise Http404
    # Ask for the password, in case a stranger uses an unattended browser. Accounts that a proxy logs in may
    # have no password.
    if user.has_usable_password() and not user.check_password(request.POST.get("password", "")):
        messages.error(request, _("Wrong password."))
        return redirect("accounts:account")
    # Imported here because the provider's client takes 10 MB of memory.
    from surveys.accounts import openid

    return openid.openid_begin(request, connects=user)


@staff_page
@require_POST
def allow(request: HttpRequest, user_id: int) -> HttpResponse:
    """Let an account accept log-ins of a provider's subject, typed by an administrator."""
    subject = request.POST.get("subject", "").strip()

    def bind(user: User, *, by: str) -> None:
        if not settings.OPENID:
            raise SurveyError("provider.none")
        provider_account_bind(user, issuer=settings.OPENID["issuer"], subject=subject, by=by)

    return act(request, user_id, bind, _("%(name)s can now log in with the provider."))


@staff_page
@require_POST
def forget(request: HttpRequest, user_id: int) -> HttpResponse:
    """Stop accepting a provider's log-ins for an account."""
    return act(request, user_id, provider_account_forget, _("%(name)s can no longer log in with a provider."))
