"""Pages on which people manage their own account: password, sessions and view."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.models import User
from django.contrib.auth.views import PasswordResetConfirmView
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from surveys.accounts.display_settings import preference_save
from surveys.accounts.lock_out import failures_forget
from surveys.accounts.permissions import get_staff, own_page
from surveys.accounts.return_path import path_here
from surveys.accounts.roles import ROLE_TEXTS, Role, roles_of
from surveys.accounts.second_factor import second_factor_of
from surveys.accounts.sessions import (
    session_end,
    session_keep_alone,
    sessions_end,
    sessions_end_elsewhere,
    sessions_open,
)
from surveys.models.audit_event import audit_event_record


@sensitive_post_parameters()
@own_page
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """Show the user's account and roles, and change their password."""
    user = get_staff(request.user)
    form = PasswordChangeForm(user, request.POST if request.method == "POST" else None)
    form.fields["old_password"].widget.attrs.pop("autofocus", None)
    if form.is_valid():
        with transaction.atomic():
            form.save()
            session_keep_alone(request, user)
            audit_event_record(
                actor=user.get_username(), action="password_change", target=user.get_username()
            )
        messages.success(request, _("Your password was changed. You need to log in again in other browsers."))
        return redirect("accounts:account")
    roles = roles_of(user)
    context = {
        "form": form,
        "roles": [ROLE_TEXTS[role] for role in Role if role in roles],
        "has_second_factor": second_factor_of(user) is not None,
        "sessions": sessions_open(user, now=timezone.now()),
        "this_session": request.session.session_key,
        "provider": settings.OPENID["called"] if settings.OPENID else "",
        "provider_account": getattr(user, "provider_account", None),
        "idle_minutes": settings.SESSION_IDLE_MINUTES,
    }
    return render(request, "accounts/account.html", context, status=422 if form.is_bound else 200)


@own_page
@require_POST
def end_session(request: HttpRequest, session_id: int) -> HttpResponse:
    """End one of the user's own sessions."""
    user = get_staff(request.user)
    session = get_object_or_404(sessions_open(user, now=timezone.now()), pk=session_id)
    session_end(session, by=user.get_username())
    messages.success(request, _("The session was ended."))
    return redirect("accounts:account")


@own_page
@require_POST
def end_elsewhere(request: HttpRequest) -> HttpResponse:
    """End all of the user's other sessions."""
    sessions_end_elsewhere(request, get_staff(request.user))
    messages.success(request, _("You are now logged in here only."))
    return redirect("accounts:account")


class SetPasswordView(PasswordResetConfirmView):
    """Set a password with a one-time link from an administrator."""

    template_name = "accounts/set_password.html"
    success_url = reverse_lazy("login")

    def get_user(self, uidb64: str) -> User | None:
        """Return the link's user, unless the account is stopped."""
        user = super().get_user(uidb64)
        return user if isinstance(user, User) and user.is_active and user.is_staff else None

    def form_valid(self, form: Any) -> HttpResponse:
        """Save the password, and lift the account's lock-out."""
        name = form.user.get_username()
        with transaction.atomic():
            response = super().form_valid(form)
            sessions_end(form.user)
            failures_forget(name)
            audit_event_record(actor=name, action="password_set", target=name)
        messages.success(self.request, _("Your password was set. Use it to log in."))
        return response

    def render_to_response(self, context: dict[str, Any], **options: Any) -> HttpResponse:
        """Set the status code of invalid links and invalid forms."""
        response = super().render_to_response(context, **options)
        if not context.get("validlink"):
            response.status_code = 410
        elif context["form"].is_bound:
            response.status_code = 422
        return response


@own_page
@require_POST
def expert_view(request: HttpRequest) -> HttpResponse:
    """Switch the user's account to expert or plain view, and redirect to the page where they did so."""
    user, is_expert = get_staff(request.user), request.POST.get("view") == "expert"
    preference_save(user, by=user.get_username(), is_expert=is_expert)
    messages.success(
        request, _("You now see the expert view.") if is_expert else _("You now see the simple view.")
    )
    return redirect(path_here(request.POST.get("back", "")) or reverse("accounts:account"))
