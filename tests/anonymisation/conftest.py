"""Fixtures for all tests of releases."""

import pytest
from django.test import Client

from surveys.accounts.roles import Role
from tests.fixtures.staff import member


@pytest.fixture(autouse=True)
def _files_are_read_here(read_here: None) -> None:
    """Read uploaded files in the test's own process."""


@pytest.fixture
def researcher(client: Client) -> Client:
    """Return a client logged in as a researcher."""
    client.force_login(member("rosa", Role.RESEARCHER))
    return client
