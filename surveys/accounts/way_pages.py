"""Pages of "How it works" in five pictures: see them, and hide them on the list of surveys."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from surveys.accounts.display_settings import preference_save
from surveys.accounts.permissions import get_staff, own_page
from surveys.models.finished_example import page_of_example


@own_page
@require_safe
def way(request: HttpRequest) -> HttpResponse:
    """Show "How it works" in five pictures."""
    return render(request, "accounts/way.html", {"example": page_of_example()})


@own_page
@require_POST
def dismiss_way(request: HttpRequest) -> HttpResponse:
    """Hide the five pictures on the first page."""
    user = get_staff(request.user)
    preference_save(user, by=user.get_username(), has_seen_way=True)
    return redirect("report:surveys")
