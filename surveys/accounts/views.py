"""Pages for accounts: administrators manage all of them, and everyone manages their own."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.models import User
from django.contrib.auth.views import PasswordResetConfirmView
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from surveys.accounts import people as services
from surveys.accounts.lock_out import failures_forget, has_locked_logins
from surveys.accounts.log_in import path_here, provider_account_bind, provider_account_forget
from surveys.accounts.people import ROLE_TEXTS, HandOverForm, InviteForm, PersonForm
from surveys.accounts.people import people as listed
from surveys.accounts.people import person as shown
from surveys.accounts.permissions import (
    Role,
    get_administrator,
    get_staff,
    get_survey_for_builder,
    own_page,
    preference_of,
    roles_of,
    second_factor_of,
    staff_page,
    stored_roles,
)
from surveys.accounts.second_factor import second_factor_off as taken_off
from surveys.accounts.sessions import (
    session_end,
    session_keep_alone,
    sessions_end,
    sessions_end_elsewhere,
    sessions_open,
)
from surveys.accounts.tokens import days_unvouched, token_end, token_make, tokens_of
from surveys.errors.error import SurveyError, sentences
from surveys.models import ApiToken, ProviderAccount, SharedPage, StaffPreference, Survey
from surveys.models.audit_event import audit_event_record


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


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def owner(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the owner of a survey."""
    by = get_administrator(request.user)
    survey: Survey = get_survey_for_builder(by, slug)
    form = HandOverForm(
        request.POST if request.method == "POST" else None, initial={"owner": survey.owner_id}
    )
    if form.is_valid():
        try:
            services.survey_hand_over(survey, form.cleaned_data["owner"], by=by.get_username())
        except SurveyError as error:
            form.add_error("owner", sentences(error))
        else:
            messages.success(request, _("The owner of the survey was changed."))
            return redirect("report:survey", slug)
    context = {"form": form, "survey": survey}
    return render(request, "accounts/owner.html", context, status=422 if form.is_bound else 200)


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


_DAYS: Final = ((30, gettext_lazy("30 days")), (90, gettext_lazy("90 days")), (365, gettext_lazy("one year")))


class TokenForm(forms.Form):
    """Name and lifetime of a token."""

    name = forms.CharField(
        label=gettext_lazy("Name of the program"),
        max_length=ApiToken._meta.get_field("name").max_length,
        help_text=gettext_lazy("Helps you recognise the token later."),
    )
    days = forms.TypedChoiceField(label=gettext_lazy("Valid for"), choices=_DAYS, coerce=int, initial=90)


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """List the user's tokens, and create one; only this response ever shows it."""
    user, today = get_staff(request.user), timezone.now().date()
    form = TokenForm(request.POST if request.method == "POST" else None)
    new_token: dict[str, Any] | None = None
    status = 422 if form.is_bound else 200
    if form.is_valid():
        values = form.cleaned_data
        try:
            api_token, token = token_make(user, name=values["name"], days=values["days"], today=today)
        except SurveyError as error:
            form.add_error(None, sentences(error))
        else:
            form, new_token, status = TokenForm(), {"token": token, "until": api_token.until}, 200
    context = {
        "form": form,
        "made": new_token,
        "days_unvouched": days_unvouched(user),
        "tokens": [(token, token.works(today=today)) for token in tokens_of(user)],
    }
    return render(request, "accounts/tokens.html", context, status=status)


@staff_page
@require_POST
def end(request: HttpRequest, token_id: int) -> HttpResponse:
    """Revoke one of the user's tokens."""
    user = get_staff(request.user)
    token_end(get_object_or_404(tokens_of(user), pk=token_id), by=user.get_username())
    messages.success(request, _("The token was revoked."))
    return redirect("accounts:tokens")


@transaction.atomic
def preference_save(user: User, *, by: str, **changes: bool) -> None:
    """Change an account's display settings; switching between plain and expert view writes an audit event.

    Parameters
    ----------
    user : User
    by : str
    **changes : bool
        `is_expert`, `has_seen_way`: fields of `StaffPreference`.
    """
    before = preference_of(user)
    StaffPreference.objects.update_or_create(user=user, defaults=changes)
    if changes.get("is_expert", before.is_expert) != before.is_expert:
        action = "account_plain" if before.is_expert else "account_expert"
        audit_event_record(actor=by, action=action, target=user.get_username())


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


@own_page
@require_safe
def way(request: HttpRequest) -> HttpResponse:
    """Show "How it works" in five pictures."""
    return render(request, "accounts/way.html", {"example": SharedPage.of_example()})


@own_page
@require_POST
def dismiss_way(request: HttpRequest) -> HttpResponse:
    """Hide the five pictures on the first page."""
    user = get_staff(request.user)
    preference_save(user, by=user.get_username(), has_seen_way=True)
    return redirect("report:surveys")


@sensitive_post_parameters()
@own_page
@require_POST
def connect(request: HttpRequest) -> HttpResponse:
    """Redirect a user to the provider, in order to accept its log-ins for their account."""
    user = get_staff(request.user)
    if not settings.OPENID:
        raise Http404
    # Ask for the password, in case a stranger uses an unattended browser. Accounts that a proxy logs in may
    # have no password.
    if user.has_usable_password() and not user.check_password(request.POST.get("password", "")):
        messages.error(request, _("Wrong password."))
        return redirect("accounts:account")
    # Imported here because the provider's client takes 10 MB of memory.
    from surveys.accounts import openid

    return openid.openid_begin(request, connects=user)


@staff_page
@require_POST
def allow(request: HttpRequest, user_id: int) -> HttpResponse:
    """Let an account accept log-ins of a provider's subject, typed by an administrator."""
    subject = request.POST.get("subject", "").strip()

    def bind(user: User, *, by: str) -> None:
        if not settings.OPENID:
            raise SurveyError("provider.none")
        provider_account_bind(user, issuer=settings.OPENID["issuer"], subject=subject, by=by)

    return act(request, user_id, bind, _("%(name)s can now log in with the provider."))


@staff_page
@require_POST
def forget(request: HttpRequest, user_id: int) -> HttpResponse:
    """Stop accepting a provider's log-ins for an account."""
    return act(request, user_id, provider_account_forget, _("%(name)s can no longer log in with a provider."))
