"""Scores that invert a channel: by Cholesky, by least squares where inputs look alike, or not at all."""

from __future__ import annotations

import numpy as np
import pytest

from privacy.channels import score as module
from privacy.channels.score import score
from tests.fixtures.refusals import refused

ALIKE = np.full((2, 2), 0.5)


def test_of_inputs_that_look_alike_only_what_they_share_has_a_score() -> None:
    assert (score(ALIKE, np.ones(2)) @ ALIKE).tolist() == pytest.approx([1, 1])
    with refused("no_score"):
        score(ALIKE, np.array([0.0, 1.0]))


def test_a_channel_that_is_nearly_singular_is_solved_by_least_squares() -> None:
    channel = np.array([[0.5 + 1e-9, 0.5], [0.5 - 1e-9, 0.5]])
    with refused("no_score"):
        score(channel, np.array([0.0, 1.0]))


def test_a_channel_too_large_for_the_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 3)
    with refused("too_large", "2"):
        score(ALIKE, np.ones(2))
