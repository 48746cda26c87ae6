"""Measure the risk of re-identification: prosecutor risk and sample uniques."""

from __future__ import annotations

from dataclasses import dataclass

from privacy.arrays import Whole
from privacy.policy import RECORD_AT_RISK


@dataclass(frozen=True, kw_only=True)
class Risk:
    """Probabilities that a record is linked to its owner.

    Parameters
    ----------
    prosecutor_highest, prosecutor_mean : float
        Largest and mean ``1/|E|`` over records, for an attacker who knows that the person is in the table.
    at_risk : float
        Share of records whose probability exceeds `threshold`.
    threshold : float
        The bound for `at_risk`.
    sample_uniques : int
        Number of records that are alone in their class.
    """

    prosecutor_highest: float
    prosecutor_mean: float
    at_risk: float
    threshold: float
    sample_uniques: int


def risk(sizes: Whole) -> Risk:
    """Measure the probability that an attacker who knows that a person is in the table finds their record.

    The mean is also the share of correct links if all records are linked at random (marketer's risk).

    Parameters
    ----------
    sizes : int64 array
        Sizes of the classes.

    Examples
    --------
    >>> import numpy as np
    >>> risk(np.array([2, 2, 2, 3, 2])).prosecutor_mean
    0.45454545454545453
    """
    n = int(sizes.sum())
    return Risk(
        prosecutor_highest=float(1 / sizes.min()),
        prosecutor_mean=len(sizes) / n,
        at_risk=float(sizes[1 / sizes > RECORD_AT_RISK].sum() / n),
        threshold=RECORD_AT_RISK,
        sample_uniques=int((sizes == 1).sum()),
    )
