"""Pages on which administrators manage accounts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from surveys.accounts import people as services
from surveys.accounts.listed_people import people as listed
from surveys.accounts.listed_people import person as shown
from surveys.accounts.lock_out import has_locked_logins
from surveys.accounts.people_forms import InviteForm, PersonForm
from surveys.accounts.permissions import get_administrator, staff_page
from surveys.accounts.roles import stored_roles
from surveys.accounts.second_factor import second_factor_off as taken_off
from surveys.errors.error import SurveyError, sentences
from surveys.models import ProviderAccount, Survey


@staff_page
@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """List the staff."""
    get_administrator(request.user)
    now = timezone.now()
    context = {
        "people": listed(now=now),
        "provider_accounts": ProviderAccount.objects.select_related("user").order_by("user__username"),
        "has_locked_logins": has_locked_logins(now=now),
    }
    return render(request, "accounts/people.html", context)


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def invite(request: HttpRequest) -> HttpResponse:
    """Create an account, and show the link with which its owner sets a password."""
    by = get_administrator(request.user)
    form = InviteForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            user = services.account_invite(**form.values(), by=by.get_username())
        except SurveyError as error:
            form.add_error("name" if error.code == "taken" else None, sentences(error))
        else:
            return _link_page(request, user)
    return render(request, "accounts/invite.html", {"form": form}, status=422 if form.is_bound else 200)


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def person(request: HttpRequest, user_id: int) -> HttpResponse:
    """Show and change one account."""
    by = get_administrator(request.user)
    user = _account(user_id)
    initial = {"full_name": user.first_name, "email": user.email, "roles": list(stored_roles(user))}
    form = PersonForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        try:
            services.account_change(user, **form.values(), by=by.get_username())
        except SurveyError as error:
            form.add_error(None, sentences(error))
        else:
            messages.success(request, _("Account %(name)s was changed.") % {"name": user.get_username()})
            return redirect("accounts:person", user.pk)
    return _person_page(request, user, form, status=422 if form.is_bound else 200)


@staff_page
@require_POST
def link(request: HttpRequest, user_id: int) -> HttpResponse:
    """Remove an account's password, and show a new link to set one."""
    by = get_administrator(request.user)
    user = _account(user_id)
    try:
        user = services.account_reset(user, by=by.get_username())
    except SurveyError as error:
        return _refusal_page(request, user, error)
    return _link_page(request, user)


@staff_page
@require_POST
def stop(request: HttpRequest, user_id: int) -> HttpResponse:
    """Deactivate the account."""
    return act(request, user_id, services.account_stop, _("%(name)s can no longer log in."))


@staff_page
@require_POST
def resume(request: HttpRequest, user_id: int) -> HttpResponse:
    """Reactivate the account."""
    return act(request, user_id, services.account_resume, _("%(name)s can log in again."))


@staff_page
@require_POST
def let_in(request: HttpRequest, user_id: int) -> HttpResponse:
    """Lift the lock-out of the account."""
    return act(request, user_id, services.account_let_in, _("%(name)s can try to log in again."))


@staff_page
@require_POST
def second_factor_off(request: HttpRequest, user_id: int) -> HttpResponse:
    """Remove the second factor of an account whose device is lost."""
    by, user = get_administrator(request.user), _account(user_id)
    try:
        # Administrators remove their own second factor on their account page, with a code.
        if user.pk == by.pk:
            raise SurveyError("own.second_factor")
        taken_off(user, by=by.get_username(), reason=request.POST.get("reason", ""))
    except SurveyError as error:
        return _refusal_page(request, user, error)
    message = _("%(name)s now logs in with a password only, until they set up a second factor again.")
    messages.success(request, message % {"name": user.get_username()})
    return redirect("accounts:person", user.pk)


@staff_page
@require_POST
def unlock_all(request: HttpRequest) -> HttpResponse:
    """Lift all lock-outs."""
    services.everybody_let_in(by=get_administrator(request.user).get_username())
    messages.success(request, _("All accounts are unlocked."))
    return redirect("accounts:people")


def act(request: HttpRequest, user_id: int, service: Callable[..., None], text: str) -> HttpResponse:
    """Apply a service to an account on behalf of an administrator, and redirect to the account's page."""
    by = get_administrator(request.user)
    user = _account(user_id)
    try:
        service(user, by=by.get_username())
    except SurveyError as error:
        return _refusal_page(request, user, error)
    if user.pk == by.pk and service is services.account_stop:
        return redirect("login")
    messages.success(request, text % {"name": user.get_username()})
    return redirect("accounts:person", user.pk)


def _refusal_page(request: HttpRequest, user: User, error: SurveyError) -> HttpResponse:
    initial = {"full_name": user.first_name, "email": user.email, "roles": list(stored_roles(user))}
    return _person_page(request, user, PersonForm(initial=initial), refusal=error, status=409)


def _person_page(request: HttpRequest, user: User, form: PersonForm, **more: Any) -> HttpResponse:
    status = more.pop("status")
    context = {
        "person": shown(user, now=timezone.now()),
        "is_own": user.pk == request.user.pk,
        "provider": settings.OPENID["called"] if settings.OPENID else "",
        "form": form,
        "surveys": Survey.objects.filter(owner=user).order_by("slug"),
        **more,
    }
    return render(request, "accounts/person.html", context, status=status)


def _link_page(request: HttpRequest, user: User) -> HttpResponse:
    context = {
        "person": shown(user, now=timezone.now()),
        "address": request.build_absolute_uri(services.link_path(user)),
        "until": timezone.now() + timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT),
    }
    return render(request, "accounts/link.html", context)


def _account(user_id: int) -> User:
    return get_object_or_404(User, pk=user_id, is_staff=True)
