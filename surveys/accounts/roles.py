"""Roles of the staff."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.contrib.auth.models import AnonymousUser, Group, User
from django.db import models
from django.db.models import prefetch_related_objects
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    """Role of a member of the staff; each value is the name of a group.

    A researcher builds their own surveys. A reviewer reads the reports of all surveys and judges rules. An
    administrator does both for all surveys, and manages accounts. One person can have several roles. The
    right to download rows opens no page. It adds the disguised rows of other people's surveys whose reports
    the user may read.
    """

    RESEARCHER = "researcher", _("researcher")
    REVIEWER = "reviewer", _("reviewer")
    ADMINISTRATOR = "administrator", _("administrator")
    ROWS = "rows", _("can download answers")


WORKING: Final = frozenset({Role.RESEARCHER, Role.REVIEWER, Role.ADMINISTRATOR})
"""Roles that open pages; every account has at least one of them."""

# Descriptions of the roles, shown next to their checkboxes.
ROLE_TEXTS = {
    Role.RESEARCHER: _("Researcher: creates surveys"),
    Role.REVIEWER: _("Reviewer: reads the reports of all surveys and reviews rules"),
    Role.ADMINISTRATOR: _("Administrator: has full access and manages accounts"),
    Role.ROWS: _(
        "Can download answers: together with the role reviewer, the disguised answers of all surveys as files"
    ),
}


def roles_of(user: User | AnonymousUser) -> frozenset[Role]:
    """Return the roles that a user has at present; none for inactive accounts and non-staff."""
    if isinstance(user, AnonymousUser) or not (user.is_active and user.is_staff):
        return frozenset()
    return stored_roles(user)


def stored_roles(user: User) -> frozenset[Role]:
    """Return an account's roles, even if it is stopped."""
    # One query per account object, however many checks there are. Changing its groups resets this.
    prefetch_related_objects([user], "groups")
    names = {group.name for group in user.groups.all()}
    roles = {role for role in Role if role.value in names}
    if user.is_superuser:
        roles.add(Role.ADMINISTRATOR)
    return frozenset(roles)


def roles_keep(user: User, roles: Iterable[Role]) -> None:
    """Set a user's roles; the caller checks permission and writes the event."""
    role_set = frozenset(roles)
    groups = [Group.objects.get_or_create(name=role.value)[0] for role in Role if role in role_set]
    other_groups = user.groups.exclude(name__in=Role.values)
    user.groups.set([*other_groups, *groups])
    if user.is_superuser and Role.ADMINISTRATOR not in role_set:
        user.is_superuser = False
        user.save(update_fields=["is_superuser"])
