"""Display settings of accounts: the plain or the expert view."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction

from surveys.models import StaffPreference
from surveys.models.audit_event import audit_event_record


def preference_of(user: User) -> StaffPreference:
    """Return an account's display settings; unsaved defaults (plain pages) if it has none."""
    return getattr(user, "staff_preference", None) or StaffPreference(user=user)


def is_expert(user: User | AnonymousUser) -> bool:
    """Return whether an account sees content for experts."""
    return isinstance(user, User) and preference_of(user).is_expert


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
