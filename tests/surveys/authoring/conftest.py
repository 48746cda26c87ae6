"""The user of most tests of the builder."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.fixtures.staff import seen_by


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(seen_by(User.objects.create_superuser("ana", password="a long password")))
    return client
