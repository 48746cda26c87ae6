"""Roles of the staff, as Django groups.

A migration creates the groups, and they are created again if one is missing. A superuser is an administrator,
in the group or not, so the account that `createsuperuser` makes works at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.contrib.auth.models import AnonymousUser, Group, User
from django.db import models
from django.db.models import prefetch_related_objects
from django.utils.translation import gettext_lazy as _

from surveys.models import StaffPreference


class Role(models.TextChoices):
    """Role of a member of the staff; each value is the name of a group.

    A researcher builds their own surveys. A reviewer reads the reports of all surveys and judges rules. An
    administrator does both for all surveys, and manages accounts. One person can have several roles. The
    right to download rows opens no page by itself: it adds disguised rows of surveys that are not the user's
    own, if another role lets them read the report.
    """

    RESEARCHER = "researcher", _("researcher")
    REVIEWER = "reviewer", _("reviewer")
    ADMINISTRATOR = "administrator", _("administrator")
    ROWS = "rows", _("can download answers")


WORKING: Final = frozenset({Role.RESEARCHER, Role.REVIEWER, Role.ADMINISTRATOR})
"""Roles that open pages; an account has one of them."""


def roles_of(user: User | AnonymousUser) -> frozenset[Role]:
    """Return the roles in which a user may act now; none for inactive accounts and non-staff."""
    if isinstance(user, AnonymousUser) or not (user.is_active and user.is_staff):
        return frozenset()
    return roles_held(user)


def roles_held(user: User) -> frozenset[Role]:
    """Return the roles that an account has, stopped or not."""
    # Queried once per account object, whatever the number of checks; changing its groups resets this.
    prefetch_related_objects([user], "groups")
    names = {group.name for group in user.groups.all()}
    roles = {role for role in Role if role.value in names}
    if user.is_superuser:
        roles.add(Role.ADMINISTRATOR)
    return frozenset(roles)


def preference_of(user: User) -> StaffPreference:
    """Return the display settings of an account; if it never chose, unsaved defaults for plain pages."""
    return StaffPreference.objects.filter(user=user).first() or StaffPreference(user=user)


def is_expert(user: User | AnonymousUser) -> bool:
    """Return whether the pages show an account content for experts."""
    return isinstance(user, User) and preference_of(user).is_expert


def roles_keep(user: User, roles: Iterable[Role]) -> None:
    """Give a user exactly these roles; the caller checks permission and writes the event."""
    wanted = frozenset(roles)
    groups = [Group.objects.get_or_create(name=role.value)[0] for role in Role if role in wanted]
    others = user.groups.exclude(name__in=Role.values)
    user.groups.set([*others, *groups])
    if user.is_superuser and Role.ADMINISTRATOR not in wanted:
        user.is_superuser = False
        user.save(update_fields=["is_superuser"])
