"""What the tests of the server share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from surveys.analysis.scales import density_cache
from tests.cast.worked_out import once


@pytest.fixture(scope="session", autouse=True)
def _a_map_is_reconstructed_once() -> Iterator[None]:
    """Work out the map of the same answers, with its hundred replicates, once in a test run."""
    with pytest.MonkeyPatch.context() as patch:
        made = once(density_cache.made_density, lambda *given, **manner: (given, manner))
        patch.setattr(density_cache, "made_density", made)
        yield
