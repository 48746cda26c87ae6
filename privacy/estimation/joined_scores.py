"""Scores of a comparison joined with a base, and their likelihood ratio."""

from __future__ import annotations

from typing import Final

import numpy as np

from privacy.arrays import Array, Whole
from privacy.estimation.empirical_likelihood import likelihood_ratio

MOST_SCORES: Final = 20_000
"""Largest number of distinct scores for empirical likelihood; beyond it, intervals use the score test."""


def with_base(scores: Array) -> Array:
    """Return five scores; if there are only three, every row is counted in full.

    Parameters
    ----------
    scores : ndarray, shape (3, cells) or (5, cells)
    """
    return scores if len(scores) == 5 else np.concatenate([scores, scores[1:2], np.ones_like(scores[:1])])


def likelihood_ratios(counts: Array | Whole, h: Array) -> Array:
    """Return the statistic of "mean h = 0" in each case: by likelihood, or by moments for many cells.

    Parameters
    ----------
    counts, h : ndarray, shape (cases, cells)
        Rows of each cell, and their value.
    """
    if counts.shape[-1] <= MOST_SCORES:
        return likelihood_ratio(counts, h)
    mean = (counts * h).sum(axis=-1) / counts.sum(axis=-1)
    variance = (counts * (h - mean[..., None]) ** 2).sum(axis=-1)
    total = (counts * h).sum(axis=-1)
    return np.asarray(np.divide(total**2, variance, out=np.zeros_like(variance), where=variance > 0))
