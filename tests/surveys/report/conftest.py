"""The run and the reader of most report tests."""

import pytest
from django.test import Client

from surveys.models import Run
from tests.fixtures.runs import LOOSE, alice, answered_version, mined_run


@pytest.fixture
def reader(client: Client) -> Client:
    client.force_login(alice())
    return client


@pytest.fixture
def run(db: None) -> Run:
    return mined_run(answered_version(), LOOSE)
