"""The published survey of most intake tests."""

import pytest

from surveys.models import Version
from tests.fixtures.devices import published, shipped_definition


@pytest.fixture
def version(db: None) -> Version:
    return published(shipped_definition(slug="work"))
