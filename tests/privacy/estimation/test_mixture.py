"""Mixtures of what is true and what is shown: rows as frequent as likely give back what is true."""

from __future__ import annotations

import numpy as np
import pytest

from privacy.estimation.mixture import Mixture


def test_of_rows_as_frequent_as_likely_the_most_likely_shares_are_the_true_ones() -> None:
    n, chances = 1_000, (0.6, 0.8)
    decoys = [np.array([[0.7, 0.3]]), np.array([[0.4, 0.6]])]
    shares = np.array([[0.4, 0.1], [0.2, 0.3]])
    first, second = (
        p * np.eye(2) + (1 - p) * decoy.T @ np.ones((1, 2)) for p, decoy in zip(chances, decoys, strict=True)
    )
    shown = np.kron(first, second) @ shares.ravel()
    mixture = Mixture(
        rows=np.stack([np.zeros((1, 2, 2)), n * shown.reshape(1, 2, 2)]),
        truth=[np.array([[1.0], [p]]) for p in chances],
        decoys=decoys,
        possible=np.ones((1, 2, 2), dtype=np.bool_),
    )
    assert mixture.shown(shares[None], 1)[0].ravel() == pytest.approx(shown)
    assert mixture.fit()[0] == pytest.approx(shares, abs=1e-6)
