"""The form for the code that follows a password."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django_otp.plugins.otp_static.models import StaticDevice

from surveys.accounts.known_devices import device_of
from surveys.accounts.lock_out import LockedOut, attempt_count, attempt_fail, attempt_succeed
from surveys.accounts.second_factor import code_spend
from surveys.accounts.visitor_address import address_of
from surveys.errors.error import field_error
from surveys.models import AuthenticatorApp
from surveys.models.audit_event import LOG_IN_PAGE, audit_event_record


def code_field(*, help_text: Any = None, **attributes: Any) -> forms.CharField:
    """Return a form field for a code of the app or a recovery code."""
    return forms.CharField(
        label=gettext_lazy("Code"),
        max_length=40,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "one-time-code",
                "autocapitalize": "none",
                "spellcheck": "false",
                **attributes,
            }
        ),
        help_text=help_text
        or gettext_lazy("Six digits from your app. If you lost the app, use one of your recovery codes."),
    )


class CodeForm(forms.Form):
    """A code. It is checked unless there were too many wrong ones recently."""

    code = code_field(autofocus=True)
    step = "code"
    device: AuthenticatorApp | StaticDevice | None = None
    kept_out: LockedOut | None = None

    def __init__(self, *args: Any, request: HttpRequest, user: User, **options: Any) -> None:
        super().__init__(*args, **options)
        self.request, self.user = request, user

    def accept(self) -> bool:
        """Check the code, and use it up."""
        self.device = code_spend(self.user, self.cleaned_data["code"])
        return self.device is not None

    def clean(self) -> dict[str, Any] | None:
        """Count the attempt before checking the code."""
        values = super().clean()
        if self.errors:
            return values
        name = self.user.get_username()
        try:
            attempt = attempt_count(
                name=name,
                address=address_of(self.request.META),
                device=device_of(self.request.COOKIES, name=name),
                now=timezone.now(),
                is_code=True,
            )
        except LockedOut as kept_out:
            self.kept_out = kept_out
            raise field_error("kept_out", until=f"{kept_out.until:%Y-%m-%d %H:%M}") from kept_out
        if not self.accept():
            with transaction.atomic():
                attempt_fail(attempt, now=timezone.now())
                action = "log_in_keep_out" if attempt.is_last else "log_in_fail"
                audit_event_record(actor=LOG_IN_PAGE, action=action, target=name, detail={"step": self.step})
            # Do not repeat the typed text on the page, as it may be a recovery code.
            self.data = {**self.data.dict(), "code": ""}  # type: ignore[attr-defined]  # a QueryDict
            raise ValidationError(self.wrong(), code="wrong")
        attempt_succeed(attempt)
        return values

    def wrong(self) -> Any:
        """Explain what to do about a wrong code."""
        return gettext_lazy(
            "This code is wrong or was already used. Wait for the next code in your app, and "
            "check the clock of your phone."
        )
