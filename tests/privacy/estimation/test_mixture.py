"""Mixtures of what is true and what is shown: their information, written out with whole matrices."""

from __future__ import annotations

import numpy as np
import pytest

from privacy.estimation.mixture import Mixture


def test_the_covariance_is_the_inverse_of_the_information_of_the_whole_channel() -> None:
    n, chances = 1_000, (0.6, 0.8)
    decoys = [np.array([[0.7, 0.3]]), np.array([[0.4, 0.6]])]
    shares = np.array([[0.4, 0.1], [0.2, 0.3]])
    first, second = (
        p * np.eye(2) + (1 - p) * decoy.T @ np.ones((1, 2)) for p, decoy in zip(chances, decoys, strict=True)
    )
    channel = np.kron(first, second)
    shown = channel @ shares.ravel()
    mixture = Mixture(
        rows=np.stack([np.zeros((1, 2, 2)), n * shown.reshape(1, 2, 2)]),
        truth=[np.array([[1.0], [p]]) for p in chances],
        decoys=decoys,
        possible=np.ones((1, 2, 2), dtype=np.bool_),
    )
    information = channel.T @ np.diag(n / shown) @ channel
    # Shares add up to 1: they move along these.
    along = np.array([[1, 0, 0, -1], [0, 1, 0, -1], [0, 0, 1, -1]]).T
    wanted = along @ np.linalg.inv(along.T @ information @ along) @ along.T
    assert mixture.covariance(shares[None])[0] == pytest.approx(wanted)
