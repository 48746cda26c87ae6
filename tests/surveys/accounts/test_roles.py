from typing import Any

import pytest
from django.contrib.auth.models import User

from surveys.accounts.roles import Role, roles_keep, roles_of
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db


def test_roles_are_queried_once_and_refreshed_on_change(django_assert_num_queries: Any) -> None:
    visitor = User.objects.get(pk=member("rosa", Role.REVIEWER).pk)
    with django_assert_num_queries(1):
        assert [roles_of(visitor) for _time in range(3)] == [{Role.REVIEWER}] * 3
    roles_keep(visitor, [])
    assert roles_of(visitor) == frozenset()
