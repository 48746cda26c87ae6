"""The second step of a log-in: a code after the password."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.contrib.auth.views import RedirectURLMixin
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic import FormView

from surveys.accounts.code_form import CodeForm
from surveys.accounts.known_devices import device_remember
from surveys.accounts.second_factor import second_factor_of
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
