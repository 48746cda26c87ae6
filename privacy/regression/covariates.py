"""Refuse covariates that no regression can use: none, not finite, too large or small, or collinear."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from privacy.arrays import Array
from privacy.errors import PrivacyError

_SIZES: Final = (1e-50, 1e50)
"""Smallest and largest size of a column's largest value: products of four of them are numbers."""


def check_covariates(covariates: Array, counts: Array, terms: Sequence[str]) -> None:
    """Refuse an empty table, values that are not finite, and collinear covariates.

    Parameters
    ----------
    covariates : float array, shape (cells, covariates)
    counts : float array, shape (cells, reports)
    terms : sequence of str
        Names of the covariates.

    Raises
    ------
    PrivacyError
        ``regression``.
    """
    rows = covariates[counts.sum(axis=1) > 0]
    if not len(rows):
        raise PrivacyError("regression.no_rows", 0)
    for position in np.flatnonzero(~np.isfinite(rows).all(axis=0)).tolist():
        raise PrivacyError("regression.finite", terms[position])
    largest = np.abs(rows).max(axis=0)
    low, high = _SIZES
    for position in np.flatnonzero((largest > 0) & ((largest < low) | (largest > high))).tolist():
        raise PrivacyError(
            "regression.size", float(largest[position]), term=terms[position], low=low, high=high
        )
    lengths = np.sqrt((rows**2).sum(axis=0))
    _, triangle = np.linalg.qr(rows / np.where(lengths > 0, lengths, 1.0))
    for term, rest in zip(terms, np.abs(np.diag(triangle)), strict=False):
        if rest < 1e-8:
            raise PrivacyError("regression.collinear", term)
    if len(rows) < covariates.shape[1]:
        raise PrivacyError("regression.collinear", terms[len(rows)])
