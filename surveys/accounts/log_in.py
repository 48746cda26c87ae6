"""The log-in page of the staff."""

from __future__ import annotations

from typing import Any, cast

from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from surveys.accounts.lock_out import KeptOut, attempt_count, attempt_succeeded
from surveys.accounts.people import LOG_IN_PAGE
from surveys.models.audit_event import audit_event_record

# Instead of a name that no account has: what was typed there may be a password.
NO_ACCOUNT = "no such account"


class LogInForm(AdminAuthenticationForm):
    """Name and password of a member of the staff. What is wrong with them it does not tell apart."""

    error_messages = {
        **AdminAuthenticationForm.error_messages,
        "invalid_login": _(
            "No account here has this name and this password. Both tell small letters from capitals. "
            "Type them again, or ask an administrator for a new link."
        ),
    }
    kept_out: KeptOut | None = None

    def clean(self) -> dict[str, Any]:
        """Look at the password, unless too many were wrong lately."""
        name = self.cleaned_data.get("username")
        if not name or not self.cleaned_data.get("password"):
            return super().clean()
        try:
            attempt = attempt_count(name=name, address=address_of(self.request), now=timezone.now())
        except KeptOut as kept_out:
            self.kept_out = kept_out
            raise ValidationError(
                ngettext(
                    "Too many log-ins failed. Try again in %(minutes)s minute, or ask an administrator.",
                    "Too many log-ins failed. Try again in %(minutes)s minutes, or ask an administrator.",
                    kept_out.minutes,
                ),
                code="kept_out",
                params={"minutes": kept_out.minutes},
            ) from kept_out
        try:
            values = super().clean()
        except ValidationError:
            target = name if User.objects.filter(username=name).exists() else NO_ACCOUNT
            action = "log_in_keep_out" if attempt.is_last else "log_in_fail"
            audit_event_record(actor=LOG_IN_PAGE, action=action, target=target)
            raise
        attempt_succeeded(attempt)
        return values


class LogInView(LoginView):
    """The log-in page; who is kept out is told for how long."""

    form_class = LogInForm

    def form_valid(self, form: Any) -> HttpResponse:
        """Log in, and say so in the audit log."""
        name = form.get_user().get_username()
        audit_event_record(actor=name, action="log_in", target=name)
        return super().form_valid(form)

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the page again."""
        response = super().form_invalid(form)
        kept_out = cast(LogInForm, form).kept_out
        if kept_out is not None:
            response.status_code = 429
            response.headers["Retry-After"] = str(kept_out.seconds)
        return response


def address_of(request: HttpRequest | None) -> str:
    """Return the address that a log-in comes from.

    Behind a proxy it is the last one that the proxy names; those before it a visitor can make up.
    """
    if request is None:
        return ""
    if settings.HTTPS:
        named = str(request.META.get("HTTP_X_FORWARDED_FOR", "")).rpartition(",")[2].strip()
        if named:
            return named
    return str(request.META.get("REMOTE_ADDR", ""))
