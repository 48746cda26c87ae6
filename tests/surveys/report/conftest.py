"""Who reads the report in most tests of it."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.fixtures.runs import alice


@pytest.fixture
def reader(client: Client) -> Client:
    client.force_login(alice())
    return client
