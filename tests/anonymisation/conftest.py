"""Fixtures for all tests of releases."""

import pytest


@pytest.fixture(autouse=True)
def _files_are_read_here(read_here: None) -> None:
    """Read uploaded files in the test's own process."""
