"""The menu of staff pages: which areas a user's roles open."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from surveys.accounts.display_settings import preference_of
from surveys.accounts.roles import WORKING, Role, roles_of
from surveys.extension import MenuEntry, extensions
from surveys.models import StaffPreference


@dataclass(frozen=True, kw_only=True)
class StaffMenu:
    """Which areas to show to a user; permissions still decide about access."""

    is_staff: bool = False
    has_role: bool = False
    builds: bool = False
    reviews: bool = False
    administers: bool = False
    name: str = ""
    expert: bool = False
    has_seen_way: bool = True

    @property
    def menu(self) -> list[MenuEntry]:
        """Menu entries of the enabled applications that the user's roles can open."""
        return [entry for app in extensions() for entry in app.menu if getattr(self, entry.opens_to)]


def staff_menu_of(user: User | AnonymousUser) -> StaffMenu:
    """Return which areas to show to a user."""
    if isinstance(user, AnonymousUser):
        return StaffMenu()
    roles = roles_of(user)
    administers = Role.ADMINISTRATOR in roles
    is_staff = user.is_active and user.is_staff
    preference = preference_of(user) if is_staff else StaffPreference()
    return StaffMenu(
        is_staff=is_staff,
        has_role=not roles.isdisjoint(WORKING),
        builds=administers or Role.RESEARCHER in roles,
        reviews=administers or Role.REVIEWER in roles,
        administers=administers,
        name=user.get_full_name() or user.get_username(),
        expert=preference.is_expert,
        has_seen_way=preference.has_seen_way,
    )


def staff(request: HttpRequest) -> dict[str, object]:
    """Add the visitor's menu to the template context, lazily: pages without it make no query."""
    return {"staff": SimpleLazyObject(lambda: staff_menu_of(request.user))}
