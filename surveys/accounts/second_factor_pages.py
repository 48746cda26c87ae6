"""Pages on which people set up, replace and remove their own second factor."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe
from django_otp import login as second_factor_note

from surveys.accounts.code_form import CodeForm, code_field
from surveys.accounts.permissions import get_staff, own_page
from surveys.accounts.second_factor import (
    recovery_codes_left,
    recovery_codes_make,
    second_factor_begin,
    second_factor_confirm,
    second_factor_of,
    second_factor_off,
    secret_text,
    unconfirmed_second_factor,
)
from surveys.accounts.sessions import session_keep_alone
from surveys.formats.qr_code import qr_code


class OwnCodeForm(CodeForm):
    """The user's password and a code, so that a stranger at an unattended browser can do nothing."""

    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    code = code_field()

    field_order = ("password", "code")
    step = "account"

    def accept(self) -> bool:
        """Check the password first, so that a wrong password does not use up the code."""
        return self.user.check_password(self.cleaned_data["password"]) and super().accept()

    def wrong(self) -> Any:
        """Return the same message for a wrong password and a wrong code."""
        return gettext_lazy("Wrong password or code. Each code works once, so wait for the next one.")


class FirstCodeForm(OwnCodeForm):
    """The user's password, and an app's first code, which activates the app."""

    code = code_field(help_text=gettext_lazy("Six digits, as currently shown by the app."))
    recovery_codes: list[str] | None = None

    def accept(self) -> bool:
        """Check the password, then the code of the pending secret."""
        if self.user.check_password(self.cleaned_data["password"]):
            self.recovery_codes = second_factor_confirm(self.user, self.cleaned_data["code"])
        return self.recovery_codes is not None


@own_page
@require_safe
def second_factor(request: HttpRequest) -> HttpResponse:
    """Show whether a second factor is set up, and how to set up, change or remove it."""
    return _page(request, get_staff(request.user))


@own_page
@require_POST
def begin(request: HttpRequest) -> HttpResponse:
    """Create a secret for an app, and show it."""
    second_factor_begin(get_staff(request.user))
    return redirect("accounts:second_factor")


@sensitive_post_parameters()
@own_page
@require_POST
def confirm(request: HttpRequest) -> HttpResponse:
    """Activate the app, and show the recovery codes once. Other sessions end, because they used no code."""
    user = get_staff(request.user)
    form = FirstCodeForm(request.POST, request=request, user=user)
    if not form.is_valid():
        return _page(request, user, form)
    session_keep_alone(request, user)
    second_factor_note(request, second_factor_of(user))
    return _codes_page(request, form.recovery_codes)


@sensitive_post_parameters()
@own_page
@require_POST
def recovery_codes(request: HttpRequest) -> HttpResponse:
    """Create new recovery codes, and show them once."""
    user = get_staff(request.user)
    form = OwnCodeForm(request.POST, request=request, user=user)
    if not form.is_valid():
        return _page(request, user, form)
    return _codes_page(request, recovery_codes_make(user))


@sensitive_post_parameters()
@own_page
@require_POST
def off(request: HttpRequest) -> HttpResponse:
    """Remove the user's own second factor."""
    user = get_staff(request.user)
    form = OwnCodeForm(request.POST, request=request, user=user)
    if not form.is_valid():
        return _page(request, user, form)
    second_factor_off(user, by=user.get_username())
    messages.success(request, _("Your second factor is off. You now log in with your password only."))
    return redirect("accounts:second_factor")


def _page(request: HttpRequest, user: User, form: OwnCodeForm | None = None) -> HttpResponse:
    is_on = second_factor_of(user) is not None
    waiting = None if is_on else unconfirmed_second_factor(user)
    context = {
        "is_on": is_on,
        "form": form or (FirstCodeForm if waiting else OwnCodeForm)(request=request, user=user),
        "left": recovery_codes_left(user) if is_on else 0,
        "waiting": waiting is not None,
        "picture": qr_code(waiting.config_url) if waiting else "",
        "address": waiting.config_url if waiting else "",
        "secret": secret_text(waiting) if waiting else "",
    }
    status = 200 if form is None else 429 if form.kept_out else 422
    return render(request, "accounts/second_factor.html", context, status=status)


def _codes_page(request: HttpRequest, codes: list[str] | None) -> HttpResponse:
    return render(request, "accounts/recovery_codes.html", {"codes": codes})
