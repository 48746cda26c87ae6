"""The second step of a log-in: a code after the password."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django import forms
from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.contrib.auth.views import RedirectURLMixin
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic import FormView
from django_otp.plugins.otp_static.models import StaticDevice

from surveys.accounts.arrivals import address_of
from surveys.accounts.known_devices import device_of, device_remember
from surveys.accounts.lock_out import LockedOut, attempt_count, attempt_fail, attempt_succeed
from surveys.accounts.people import LOG_IN_PAGE
from surveys.accounts.second_factor import code_spend, second_factor_of
from surveys.errors.error import field_error
from surveys.models import AuthenticatorApp
from surveys.models.audit_event import audit_event_record

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
