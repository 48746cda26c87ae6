"""Members of the staff for tests, each with the roles that the test names."""

from __future__ import annotations

from django.contrib.auth.models import User

from surveys.access.roles import Role, roles_keep
from surveys.models import StaffPreference

PASSWORD = "seven wandering pears"


def member(name: str, *roles: Role, is_expert: bool = True) -> User:
    """Return a member of the staff with these roles and no others, who is shown all that experts are."""
    user, is_new = User.objects.get_or_create(username=name, is_staff=True)
    if is_new:
        user.set_unusable_password()
        user.save()
    roles_keep(user, roles)
    return seen_by(user, is_expert=is_expert)


def seen_by(user: User, *, is_expert: bool = True) -> User:
    """Return an account after it chose what it is shown, and saw the way in pictures."""
    chosen = {"is_expert": is_expert, "has_seen_way": True}
    StaffPreference.objects.update_or_create(user=user, defaults=chosen)
    return user


def able(name: str, *roles: Role) -> User:
    """Return a member who can log in: their password is `PASSWORD`."""
    user = member(name, *roles)
    user.set_password(PASSWORD)
    user.save()
    return user
