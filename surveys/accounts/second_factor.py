"""Second factor: after the password, a code from an app (TOTP), or a recovery code if the app is lost.

References
----------
RFC 6238 2011.
"""

from __future__ import annotations

import base64
import re
import secrets
from datetime import datetime, timedelta
from typing import Any, Final

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.contrib.auth.views import RedirectURLMixin
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe
from django.views.defaults import permission_denied
from django.views.generic import FormView
from django_otp import login as second_factor_note
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken

from surveys.accounts.lock_out import (
    LockedOut,
    address_of,
    attempt_count,
    attempt_fail,
    attempt_succeed,
    device_of,
    device_remember,
)
from surveys.accounts.people import LOG_IN_PAGE
from surveys.accounts.permissions import SecondFactorMissing, get_staff, own_page, second_factor_of
from surveys.accounts.sessions import session_keep_alone, sessions_end
from surveys.errors.error import SurveyError, field_error
from surveys.formats.svg import qr_code
from surveys.models import AuthenticatorApp
from surveys.models.audit_event import account_event_record, audit_event_record

RECOVERY_CODES: Final = 10
LONGEST_REASON: Final = 300

_RECOVERY_SALT: Final = "surveys.accounts.second_factor"
"""Must not change when this module is renamed, because digests of recovery codes are stored."""
# Without letters that look alike, in groups that can be read aloud: 59 bits.
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_GROUPS: Final = 3
_GROUP: Final = 4


@transaction.atomic
def second_factor_begin(user: User) -> AuthenticatorApp:
    """Create a new secret for an app. It has no effect until one of its codes is entered."""
    AuthenticatorApp.objects.filter(user=user, confirmed=False).delete()
    return AuthenticatorApp.begin(user)


def unconfirmed_second_factor(user: User) -> AuthenticatorApp | None:
    """Return the secret that still waits for its first code."""
    app: AuthenticatorApp | None = AuthenticatorApp.objects.filter(user=user, confirmed=False).first()
    return app if app is not None and app.opens else None


def second_factor_confirm(user: User, code: str) -> list[str] | None:
    """Activate the pending secret; return the recovery codes, or None if the code is wrong.

    It replaces the previous secret. The code cannot be used again.
    """
    with transaction.atomic():
        waiting = AuthenticatorApp.objects.select_for_update().filter(user=user, confirmed=False).first()
        if waiting is None or not waiting.opens or not waiting.verify_token(_digits(code)):
            return None
        AuthenticatorApp.objects.filter(user=user, confirmed=True).delete()
        waiting.confirmed = True
        waiting.save(update_fields=["confirmed"])
        account_event_record("second_factor_on", user, user.get_username())
        return _recovery_codes(user)


@transaction.atomic
def recovery_codes_make(user: User) -> list[str]:
    """Create new recovery codes; earlier ones stop working."""
    account_event_record("recovery_codes_make", user, user.get_username())
    return _recovery_codes(user)


@transaction.atomic
def code_spend(user: User, code: str) -> AuthenticatorApp | StaticDevice | None:
    """Use up a code of an account's app, or one of its recovery codes; return the device it came from.

    Each code works once. An app's code also invalidates all its earlier ones, and is valid from half a minute
    before its time to half a minute after it. A recovery code is deleted.
    """
    device = AuthenticatorApp.objects.select_for_update().filter(user=user, confirmed=True).first()
    if device is None:
        return None
    if _digits(code):
        return device if device.opens and device.verify_token(_digits(code)) else None
    recovery = StaticDevice.objects.select_for_update().filter(user=user).first()
    if recovery is None or not recovery.verify_token(recovery_digest(user, code)):
        return None
    left = StaticToken.objects.filter(device=recovery).count()
    account_event_record("recovery_code_use", user, user.get_username(), left=left)
    return recovery


def recovery_codes_left(user: User) -> int:
    """Return the number of unused recovery codes."""
    return StaticToken.objects.filter(device__user=user).count()


@transaction.atomic
def second_factor_off(user: User, *, by: str, reason: str = "") -> None:
    """Remove an account's second factor; if someone else does so, also end its sessions.

    Raises
    ------
    SurveyError
        ``reason.second_factor``: another user's account needs a reason; ``off``: there is no second factor.
    """
    is_own = by == user.get_username()
    if not is_own and not reason.strip():
        raise SurveyError("reason.second_factor")
    if second_factor_of(user) is None:
        raise SurveyError("off", name=user.get_username())
    AuthenticatorApp.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()
    if is_own:
        account_event_record("second_factor_off", user, by)
    else:
        # Someone who has the lost device may still be logged in on it.
        sessions_end(user)
        account_event_record("second_factor_off", user, by, reason=reason.strip()[:LONGEST_REASON])


def secret_text(device: AuthenticatorApp) -> str:
    """Return an app's secret in groups of four, for typing.

    >>> from surveys.models.staff import app_secret_seal
    >>> secret_text(AuthenticatorApp(user_id=1, key=app_secret_seal(b"12345678901234567890", 1)))
    'GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ'
    """
    text = base64.b32encode(device.bin_key).decode()
    return " ".join(re.findall("....", text))


def recovery_digest(user: User, code: str) -> str:
    """Return the stored digest of a recovery code: 96 bits of a keyed digest, which fill the column."""
    letters = re.sub(r"[^a-z0-9]", "", code.lower())
    digest = salted_hmac(_RECOVERY_SALT, f"{user.pk}\0{letters}", algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest[:12]).decode()


def _recovery_codes(user: User) -> list[str]:
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name="recovery codes")
    codes = ["-".join(_group() for _ in range(_GROUPS)) for _ in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(
        StaticToken(device=device, token=recovery_digest(user, code)) for code in codes
    )
    return codes


def _group() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(_GROUP))


def _digits(code: str) -> str:
    """Return an app's code without blanks; "" if the text is not such a code."""
    bare = re.sub(r"\s", "", code)
    return bare if re.fullmatch(r"[0-9]{6}", bare) else ""


WAITS_FOR: Final = timedelta(minutes=10)
_WAITING: Final = "second_step"


def second_step_begin(request: HttpRequest, user: User) -> None:
    """Record in a new session who entered a correct password; any other user of the browser is logged out."""
    request.session.flush()
    request.session[_WAITING] = {
        "user": user.pk,
        "password": user.get_session_auth_hash(),
        "until": (timezone.now() + WAITS_FOR).isoformat(),
    }
    request.session.set_expiry(int(WAITS_FOR.total_seconds()))


def second_step_user(request: HttpRequest) -> User | None:
    """Return the user who must enter a code; None if it took too long or the account has changed."""
    waiting = request.session.get(_WAITING)
    if waiting is None or datetime.fromisoformat(waiting["until"]) <= timezone.now():
        return None
    user = User.objects.filter(pk=waiting["user"], is_active=True, is_staff=True).first()
    if user is None or not constant_time_compare(waiting["password"], user.get_session_auth_hash()):
        return None
    return user if second_factor_of(user) else None


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


class SecondStepView(RedirectURLMixin, FormView):
    """The page that asks for the code."""

    form_class = CodeForm
    template_name = "registration/second_step.html"
    next_page = settings.LOGIN_REDIRECT_URL

    @method_decorator(sensitive_post_parameters())
    @method_decorator(never_cache)
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Redirect visitors who have not entered a password to the log-in page."""
        user = second_step_user(request)
        if user is None:
            return redirect("login")
        self.waiting = user
        return super().dispatch(request, *args, **kwargs)

    def get_form_kwargs(self) -> dict[str, Any]:
        """Pass the user to the form."""
        return {**super().get_form_kwargs(), "request": self.request, "user": self.waiting}

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        """Pass the next page to the template."""
        return super().get_context_data(**context, next=self.get_redirect_url())

    def form_valid(self, form: CodeForm) -> HttpResponse:
        """Log in under a new session key."""
        user = self.waiting
        name = user.get_username()
        user.otp_device = form.device  # type: ignore[attr-defined]  # django-otp notes it in the session
        self.request.session.flush()
        audit_event_record(actor=name, action="log_in", target=name)
        login(self.request, user)
        response = super().form_valid(form)
        device_remember(self.request, response, name=name, path=reverse("login"))
        return response

    def form_invalid(self, form: CodeForm) -> HttpResponse:
        """Show the page again, with the waiting time if the user is locked out."""
        response = super().form_invalid(form)
        if form.kept_out is not None:
            response.status_code = 429
            response.headers["Retry-After"] = str(form.kept_out.seconds)
        return response


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


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Explain what to do if the second factor is missing; handle other refusals as usual."""
    if isinstance(exception, SecondFactorMissing):
        return render(request, "accounts/second_factor_missing.html", status=403)
    return permission_denied(request, exception)


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
