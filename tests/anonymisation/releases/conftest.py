"""Fixtures for tests of the releases' pages."""

import pytest
from django.test import Client

from surveys.accounts.roles import Role
from tests.fixtures.staff import member


@pytest.fixture
def researcher(client: Client) -> Client:
    """Return a client logged in as a researcher."""
    client.force_login(member("rosa", Role.RESEARCHER))
    return client
