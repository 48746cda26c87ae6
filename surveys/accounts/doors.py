"""Plain and expert pages: which of them an account is shown; and "How it works" in five pictures."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from surveys.access.permissions import get_staff, own_page
from surveys.access.roles import preference_of
from surveys.models import SharedPage, StaffPreference
from surveys.models.staff import audit_event_record

__all__ = ["preference_save"]


@transaction.atomic
def preference_save(user: User, *, by: str, **changes: bool) -> None:
    """Change the display settings of an account; switching between plain and expert leaves an audit event.

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
def door(request: HttpRequest) -> HttpResponse:
    """Switch one's own account to expert or plain, and redirect to the page it was requested from."""
    user, is_expert = get_staff(request.user), request.POST.get("door") == "expert"
    preference_save(user, by=user.get_username(), is_expert=is_expert)
    messages.success(
        request,
        _("You now see the expert view.") if is_expert else _("You now see the simple view."),
    )
    back = request.POST.get("back", "")
    is_here = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    return redirect(back if is_here else reverse("accounts:account"))


@own_page
@require_safe
def way(request: HttpRequest) -> HttpResponse:
    """Show the way in five pictures."""
    return render(request, "accounts/way.html", {"example": SharedPage.of_example()})


@own_page
@require_POST
def way_seen(request: HttpRequest) -> HttpResponse:
    """Stop showing the pictures on the first page."""
    user = get_staff(request.user)
    preference_save(user, by=user.get_username(), has_seen_way=True)
    return redirect("report:surveys")
