"""The author and time that pages pass to services."""

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.test import RequestFactory

from surveys.accounts import authorship

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("user", "name"),
    [
        (User(username="ana", is_staff=True, is_active=True), "ana"),
        (User(username="bo", is_staff=True, is_active=False), None),
        (User(username="eve", is_staff=False, is_active=True), None),
        (AnonymousUser(), None),
    ],
    ids=["staff", "deactivated", "not staff", "not logged in"],
)
def test_only_active_staff_write_under_their_name(
    user: User | AnonymousUser, name: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(authorship.timezone, "now", lambda: NOON)
    request = RequestFactory().post("/")
    request.user = user
    if name is None:
        with pytest.raises(PermissionDenied):
            authorship.by_and_now(request)
    else:
        assert authorship.by_and_now(request) == {"by": name, "now": NOON}
