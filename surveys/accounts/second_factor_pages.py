"""Pages on which staff set up a second factor, and type its codes."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe
from django.views.defaults import permission_denied
from django_otp import login as second_factor_note

from surveys.access.permissions import get_staff, own_page
from surveys.access.second_factor import SecondFactorMissing, second_factor_of
from surveys.accounts import second_factor as services
from surveys.accounts.second_step import CodeForm, code_field
from surveys.accounts.sessions import session_keep_alone
from surveys.charts.qr_code import qr_code


class OwnCodeForm(CodeForm):
    """Password and code of the user; someone at an unattended browser has neither."""

    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    code = code_field()

    field_order = ("password", "code")
    step = "account"

    def accepted(self) -> bool:
        """Check the password first, so that a wrong one spends no code."""
        return self.user.check_password(self.cleaned_data["password"]) and super().accepted()

    def wrong(self) -> Any:
        """Return one message for a wrong password and a wrong code."""
        return gettext_lazy("Wrong password or code. Each code works once, so wait for the next one.")


class FirstCodeForm(OwnCodeForm):
    """Password, and the first code of an app, which activates it."""

    code = code_field(help_text=gettext_lazy("Six digits, as currently shown by the app."))
    recovery_codes: list[str] | None = None

    def accepted(self) -> bool:
        """Check the password, then the code of the pending secret."""
        if self.user.check_password(self.cleaned_data["password"]):
            self.recovery_codes = services.second_factor_confirm(self.user, self.cleaned_data["code"])
        return self.recovery_codes is not None


@own_page
@require_safe
def second_factor(request: HttpRequest) -> HttpResponse:
    """Show whether a second factor is set, and how to set it up, change or remove it."""
    return _page(request, get_staff(request.user))


@own_page
@require_POST
def begin(request: HttpRequest) -> HttpResponse:
    """Make a secret for an app, and show it."""
    services.second_factor_begin(get_staff(request.user))
    return redirect("accounts:second_factor")


@sensitive_post_parameters()
@own_page
@require_POST
def confirm(request: HttpRequest) -> HttpResponse:
    """Activate the app; show the recovery codes, once. Sessions elsewhere end: they used no code."""
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
    """Make new recovery codes, and show them, once."""
    user = get_staff(request.user)
    form = OwnCodeForm(request.POST, request=request, user=user)
    if not form.is_valid():
        return _page(request, user, form)
    return _codes_page(request, services.recovery_codes_make(user))


@sensitive_post_parameters()
@own_page
@require_POST
def off(request: HttpRequest) -> HttpResponse:
    """Remove one's own second factor."""
    user = get_staff(request.user)
    form = OwnCodeForm(request.POST, request=request, user=user)
    if not form.is_valid():
        return _page(request, user, form)
    services.second_factor_off(user, by=user.get_username())
    messages.success(request, _("Your second factor is off. You now log in with your password only."))
    return redirect("accounts:second_factor")


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Explain what to do if a second factor is missing; refuse anything else as usual."""
    if isinstance(exception, SecondFactorMissing):
        return render(request, "accounts/second_factor_missing.html", status=403)
    return permission_denied(request, exception)


def _page(request: HttpRequest, user: User, form: OwnCodeForm | None = None) -> HttpResponse:
    is_on = second_factor_of(user) is not None
    waiting = None if is_on else services.second_factor_begun(user)
    context = {
        "is_on": is_on,
        "form": form or (FirstCodeForm if waiting else OwnCodeForm)(request=request, user=user),
        "left": services.recovery_codes_left(user) if is_on else 0,
        "waiting": waiting is not None,
        "picture": qr_code(waiting.config_url) if waiting else "",
        "address": waiting.config_url if waiting else "",
        "secret": services.secret_text(waiting) if waiting else "",
    }
    status = 200 if form is None else 429 if form.kept_out else 422
    return render(request, "accounts/second_factor.html", context, status=status)


def _codes_page(request: HttpRequest, codes: list[str] | None) -> HttpResponse:
    return render(request, "accounts/recovery_codes.html", {"codes": codes})
