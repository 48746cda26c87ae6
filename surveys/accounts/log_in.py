"""Log in with a password, or through a third party: the proxy in front of Sottovoce, or a provider.

A third party only confirms who someone is. Accounts and their roles are managed here. The proxy names an
account. A provider (OpenID Connect, `surveys.accounts.openid`) names its own subject, and an account accepts
log-ins of that subject once its owner or an administrator allows it. If the account has a second factor here,
its code is still required. Without a configured provider, its URLs redirect to the log-in page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth import login
from django.contrib.auth.forms import UsernameField
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.urls import reverse
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from surveys.accounts.known_devices import device_of, device_remember
from surveys.accounts.lock_out import (
    LockedOut,
    attempt_count,
    attempt_fail,
    attempt_succeed,
    attempt_take_back,
)
from surveys.accounts.return_path import path_here
from surveys.accounts.second_factor import second_factor_of
from surveys.accounts.second_step import second_step_begin
from surveys.accounts.visitor_address import address_of
from surveys.models.audit_event import LOG_IN_PAGE, audit_event_record


def name_from_proxy(request: HttpRequest) -> str:
    """Return the visitor's name from the proxy's header; "" if there is none or the sender is not trusted.

    The header counts only in requests through the web process's Unix socket: anyone who can reach a port of
    this machine could write it.
    """
    header = settings.LOG_IN_HEADER
    came_by_socket = not request.META.get("REMOTE_ADDR") and str(request.META["SERVER_NAME"]).startswith("/")
    if not (header and came_by_socket):
        return ""
    return str(request.headers.get(header, "")).strip()


def outside_ways(request: HttpRequest) -> dict[str, str]:
    """Return the alternatives to a password: the proxy's name for the visitor, and the provider."""
    return {
        "proxy_name": name_from_proxy(request),
        "provider": settings.OPENID["called"] if settings.OPENID else "",
    }


@require_POST
@never_cache
def log_in_by_proxy(request: HttpRequest) -> HttpResponse:
    """Log in the account that the proxy names."""
    name = name_from_proxy(request)
    return log_in_external(request, name, staff_account(name), after=request.POST.get("next", ""), by="proxy")


def staff_account(name: str) -> User | None:
    """Return the account with exactly this name; None if it is stopped or does not exist."""
    return User.objects.filter(username=name, is_active=True, is_staff=True).first() if name else None


def log_in_external(
    request: HttpRequest, name: str, user: User | None, *, after: str, by: str
) -> HttpResponse:
    """Log in an account that a third party confirmed; without one, explain this on the log-in page.

    Parameters
    ----------
    request : HttpRequest
    name : str
        Name from the proxy, or name of the account.
    user : User or None
        The account; None to refuse the log-in.
    after : str
        The page to redirect to; if it is empty or on another site, the list of surveys.
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
    after = path_here(after)
    if second_factor_of(user) is not None:
        second_step_begin(request, user)
        return redirect(reverse("second_step", query={"next": after} if after else None))
    # Start with a new session key, keeping no data of the log-in process.
    request.session.flush()
    audit_event_record(
        actor=user.get_username(), action="log_in", target=user.get_username(), detail={"by": by}
    )
    login(request, user)
    return redirect(after or resolve_url(settings.LOGIN_REDIRECT_URL))


def refuse(request: HttpRequest, text: str) -> HttpResponse:
    """Show why a log-in was refused: on the log-in page, or on the account page of a logged-in user."""
    messages.error(request, text)
    return redirect("accounts:account" if request.user.is_authenticated else "login")


class LogInForm(AdminAuthenticationForm):
    """Name and password of a staff member; wrong names and wrong passwords give the same message."""

    username = UsernameField(
        label=gettext_lazy("Login name"), widget=forms.TextInput(attrs={"autofocus": True})
    )

    error_messages = {
        **AdminAuthenticationForm.error_messages,
        "invalid_login": gettext_lazy(
            "Wrong login name or password. Both are case-sensitive. Try again, or ask an "
            "administrator for a new link."
        ),
    }
    kept_out: LockedOut | None = None
    needs_code = False

    def clean(self) -> dict[str, Any]:
        """Check the password, unless too many attempts have failed recently."""
        name = self.cleaned_data.get("username")
        if not name or not self.cleaned_data.get("password"):
            return super().clean()
        request = cast(HttpRequest, self.request)
        try:
            attempt = attempt_count(
                name=name,
                address=address_of(request.META),
                device=device_of(request.COOKIES, name=name),
                now=timezone.now(),
            )
        except LockedOut as kept_out:
            self.kept_out = kept_out
            raise _locked_out_error(kept_out.minutes) from kept_out
        try:
            values = super().clean()
        except ValidationError:
            # Use a transaction for every name, so that timing does not reveal which names exist.
            with transaction.atomic():
                attempt_fail(attempt, now=timezone.now())
                # Do not log unknown names: they may be passwords, and strangers could fill the log with them.
                if User.objects.filter(username=name).exists():
                    action = "log_in_keep_out" if attempt.is_last else "log_in_fail"
                    audit_event_record(actor=LOG_IN_PAGE, action=action, target=name)
            raise
        user = self.get_user()
        self.needs_code = second_factor_of(user) is not None
        (attempt_take_back if self.needs_code else attempt_succeed)(attempt)
        return values


class LogInView(LoginView):
    """The log-in page; it shows locked-out visitors how long to wait."""

    form_class = LogInForm

    def form_valid(self, form: Any) -> HttpResponse:
        """Log in and write an audit event; if the account has a second factor, ask for a code first."""
        if form.needs_code:
            after = self.get_redirect_url()
            second_step_begin(self.request, form.get_user())
            query = {self.redirect_field_name: after} if after else None
            return redirect(reverse("second_step", query=query))
        name = form.get_user().get_username()
        audit_event_record(actor=name, action="log_in", target=name)
        response = super().form_valid(form)
        device_remember(self.request, response, name=name, path=self.request.path)
        return response

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        """Add the other ways to log in."""
        return super().get_context_data(**context, **outside_ways(self.request))

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the page again; a locked-out visitor gets 429."""
        response = super().form_invalid(form)
        kept_out = cast(LogInForm, form).kept_out
        if kept_out is not None:
            response.status_code = 429
            response.headers["Retry-After"] = str(kept_out.seconds)
        return response


def _locked_out_error(minutes: int) -> ValidationError:
    text = ngettext(
        "Too many failed logins. Try again in %(minutes)s minute, or ask an administrator.",
        "Too many failed logins. Try again in %(minutes)s minutes, or ask an administrator.",
        minutes,
    )
    return ValidationError(text, code="kept_out", params={"minutes": minutes})


@require_GET
@never_cache
def openid_begin(request: HttpRequest) -> HttpResponse:
    """Redirect the visitor to the provider."""
    return _by_provider(request, "openid_begin")


@require_GET
@never_cache
def openid_back(request: HttpRequest) -> HttpResponse:
    """Log in the account that the provider confirms."""
    return _by_provider(request, "openid_back")


def _by_provider(request: HttpRequest, step: str) -> HttpResponse:
    if not settings.OPENID:
        return redirect("login")
    # Imported here, by name, because the provider's client takes 10 MB of memory.
    view: Callable[[HttpRequest], HttpResponse] = import_string(f"surveys.accounts.openid.{step}")
    return view(request)
