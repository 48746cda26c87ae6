"""Unbiased scores."""

import numpy as np
import pytest

from privacy import channel_scores as module
from privacy.channel_scores import score
from tests.fixtures.refusals import refused
from tests.privacy.test_channels import ALIKE


def test_identical_inputs_get_scores_only_for_shared_values() -> None:
    assert (score(ALIKE, np.ones(2)) @ ALIKE).tolist() == pytest.approx([1, 1])
    for channel in (ALIKE, np.array([[0.5 + 1e-9, 0.5], [0.5 - 1e-9, 0.5]])):
        with refused("no_score"):
            score(channel, np.array([0.0, 1.0]))


def test_channels_too_large_for_memory_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ENTRIES", 3)
    with refused("too_large", "2"):
        score(ALIKE, np.ones(2))
