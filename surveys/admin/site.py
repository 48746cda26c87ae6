"""Django's admin, for administrators: the same log-in, roles and lock-out as everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from surveys.access.permissions import get_staff
from surveys.access.roles import Role, roles_of
from surveys.access.second_factor import require_as_administrator


class RecordsSite(AdminSite):
    """The records, behind the administrators' door."""

    site_header = _("Sottovoce: records")
    site_title = _("Sottovoce")
    index_title = _("Stored data (read-only)")

    def has_permission(self, request: HttpRequest) -> bool:
        """Let administrators in."""
        return Role.ADMINISTRATOR in roles_of(request.user)

    def admin_view(self, view: Callable[..., HttpResponseBase], cacheable: bool = False) -> Any:
        """Lead visitors to the log-in page of the staff, and refuse staff who are no administrators."""
        guarded = super().admin_view(view, cacheable)

        def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            if not self.has_permission(request):
                raise PermissionDenied
            require_as_administrator(get_staff(request.user))
            return guarded(request, *args, **kwargs)

        return inner

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Lead to the log-in page of the staff: a second one would not count the guesses of the first."""
        if self.has_permission(request):
            return redirect("admin:index")
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect_to_login(request.GET.get("next", request.path.removesuffix("login/")))

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Redirect to the staff's own page for changing a password."""
        return redirect("accounts:account")
