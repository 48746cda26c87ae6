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
    monkeypatch.setattr(module, "MOST_ENTRIES", 4)
    assert score(ALIKE, np.ones(2)) @ ALIKE == pytest.approx([1, 1])
    monkeypatch.setattr(module, "MOST_ENTRIES", 3)
    with refused("too_large", "2"):
        score(ALIKE, np.ones(2))


def test_scores_of_a_kept_letter_are_its_inverse() -> None:
    """A letter is kept with p = .6, or replaced by one of three: score = ([is the letter] - 2/15) / .6."""
    channel = np.full((3, 3), 2 / 15) + 0.6 * np.eye(3)
    found = score(channel, np.array([1.0, 0.0, 0.0]))
    assert found == pytest.approx([13 / 9, -2 / 9, -2 / 9])
    assert score(channel, np.array([1e6, 0.0, 0.0])) == pytest.approx([13e6 / 9, -2e6 / 9, -2e6 / 9])
