"""The masthead of staff pages: the links that a user's roles open."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from surveys.access.roles import WORKING, Role, preference_of, roles_of
from surveys.extension import MenuEntry, extensions
from surveys.models import StaffPreference


@dataclass(frozen=True, kw_only=True)
class Desk:
    """Areas that a user's roles open; permissions decide."""

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
        """Entries of the applications that are on, as far as the roles open them."""
        return [entry for app in extensions() for entry in app.menu if getattr(self, entry.opens_to)]


def desk_of(user: User | AnonymousUser) -> Desk:
    """Return the areas that a user's roles open."""
    if isinstance(user, AnonymousUser):
        return Desk()
    roles = roles_of(user)
    administers = Role.ADMINISTRATOR in roles
    is_staff = user.is_active and user.is_staff
    preference = preference_of(user) if is_staff else StaffPreference()
    return Desk(
        is_staff=is_staff,
        has_role=not roles.isdisjoint(WORKING),
        builds=administers or Role.RESEARCHER in roles,
        reviews=administers or Role.REVIEWER in roles,
        administers=administers,
        name=user.get_full_name() or user.get_username(),
        expert=preference.is_expert,
        has_seen_way=preference.has_seen_way,
    )


def desk(request: HttpRequest) -> dict[str, object]:
    """Add the visitor's menu to templates; pages that do not use it cost no database query."""
    return {"desk": SimpleLazyObject(lambda: desk_of(request.user))}
