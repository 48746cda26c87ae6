"""The staff log-in page, and the addresses of a provider's log-in, closed unless a provider is set."""

from __future__ import annotations

from typing import Any, cast

from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from surveys.accounts.institution import outside_ways
from surveys.accounts.lock_out import (
    LockedOut,
    address_of,
    attempt_count,
    attempt_failed,
    attempt_succeeded,
    attempt_take_back,
    device_of,
    device_remember,
)
from surveys.accounts.people import LOG_IN_PAGE
from surveys.accounts.permissions import second_factor_of
from surveys.accounts.second_factor import second_step_begin
from surveys.models.staff import audit_event_record


class LogInForm(AdminAuthenticationForm):
    """Name and password of a member of the staff; one message for a wrong name and a wrong password."""

    error_messages = {
        **AdminAuthenticationForm.error_messages,
        "invalid_login": _(
            "Wrong login name or password. Both are case-sensitive. Try again, or ask an "
            "administrator for a new link."
        ),
    }
    kept_out: LockedOut | None = None
    needs_code = False

    def clean(self) -> dict[str, Any]:
        """Check the password, unless too many attempts failed recently."""
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
            raise _kept_out_for(kept_out.minutes) from kept_out
        try:
            values = super().clean()
        except ValidationError:
            # One transaction for every name, so that the time does not reveal which names exist.
            with transaction.atomic():
                attempt_failed(attempt, now=timezone.now())
                # A name without an account may be a password, and strangers could fill the log with them.
                if User.objects.filter(username=name).exists():
                    action = "log_in_keep_out" if attempt.is_last else "log_in_fail"
                    audit_event_record(actor=LOG_IN_PAGE, action=action, target=name)
            raise
        user = self.get_user()
        self.needs_code = second_factor_of(user) is not None
        (attempt_take_back if self.needs_code else attempt_succeeded)(attempt)
        return values


class LogInView(LoginView):
    """The log-in page; a locked-out visitor sees for how long."""

    form_class = LogInForm

    def form_valid(self, form: Any) -> HttpResponse:
        """Log in and record it in the audit log; with a second factor, ask for a code first."""
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
        """Give the page the other ways to log in."""
        return super().get_context_data(**context, **outside_ways(self.request))

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the page again."""
        response = super().form_invalid(form)
        kept_out = cast(LogInForm, form).kept_out
        if kept_out is not None:
            response.status_code = 429
            response.headers["Retry-After"] = str(kept_out.seconds)
        return response


def _kept_out_for(minutes: int) -> ValidationError:
    text = ngettext(
        "Too many failed logins. Try again in %(minutes)s minute, or ask an administrator.",
        "Too many failed logins. Try again in %(minutes)s minutes, or ask an administrator.",
        minutes,
    )
    return ValidationError(text, code="kept_out", params={"minutes": minutes})


@require_GET
@never_cache
def openid_begin(request: HttpRequest) -> HttpResponse:
    """Send the visitor to the provider."""
    if not settings.OPENID:
        return redirect("login")
    # Imported here: the provider's client takes ten megabytes of memory.
    from surveys.accounts import openid

    return openid.openid_begin(request)


@require_GET
@never_cache
def openid_back(request: HttpRequest) -> HttpResponse:
    """Log in the account that the provider confirms."""
    if not settings.OPENID:
        return redirect("login")
    from surveys.accounts import openid

    return openid.openid_back(request)
