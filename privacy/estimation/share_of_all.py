"""Estimate the share of an event, or another mean of a score, among all respondents who were asked."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.estimation.cluster_count import threshold_of
from privacy.estimation.empirical_likelihood import likelihood_sets
from privacy.estimation.joined_rows import JoinedRows
from privacy.estimation.joined_scores import with_base
from privacy.forged import ratio_shift
from privacy.policy import FEW_ROWS, LEAST_EFFECTIVE_ROWS
from privacy.printed import UNCHECKED, Measured


@dataclass(frozen=True, kw_only=True)
class ShareOfAll:
    """The share of an event among all respondents who were asked.

    Parameters
    ----------
    share : Measured
        Not cut to [0, 1].
    n, n_used, n_direct, n_protected : int
        As in `Comparison`.
    few_rows : bool
        Whether a cell has fewer than 5 rows.
    """

    share: Measured
    n: int
    n_used: int
    n_direct: int
    n_protected: int
    few_rows: bool


def share_of_all(rows: JoinedRows, *, level: float = 0.95, forged: int = 0) -> ShareOfAll:
    """Return the share of an event, from the scores of its rows.

    Parameters
    ----------
    rows : JoinedRows
        Rows scored by `privacy.estimation.composed_parts.event_factors`, perhaps with weights.
    level : float, in (0, 1)
    forged : int
        Number of rows among them that no device sent.

    Raises
    ------
    PrivacyError
        ``no_rows``, ``level``.

    Notes
    -----
    The interval contains the values t for which the empirical-likelihood test of mean (x - t w) = 0 does not
    reject, with the scores x of the event and w of being counted.

    References
    ----------
    Owen 2001, chapter 2.

    Examples
    --------
    p = .5 and q = .75: 85 of 100 rows show the event, and (.85 - .375)/.5 = .95.

    >>> rows = JoinedRows(counts=np.array([15, 85]), n_direct=0, n_protected=100, smallest_cell=15,
    ...                   scores=np.array([[-.75, 1.25], [-.75, 1.25], [1, 1]]))
    >>> round(share_of_all(rows).share.value, 9)
    0.95
    """
    return ShareOfAll(
        share=measured_mean(rows, rows.scores[0], possible=(0.0, 1.0), level=level, forged=forged),
        n=rows.n_direct + rows.n_protected,
        n_used=int(rows.counts.sum()),
        n_direct=rows.n_direct,
        n_protected=rows.n_protected,
        few_rows=rows.smallest_cell < FEW_ROWS,
    )


def measured_mean(
    rows: JoinedRows, event: Array, *, possible: tuple[float, float], level: float = 0.95, forged: int = 0
) -> Measured:
    """Return the mean of a score over everyone who was asked, by the test of `share_of_all`.

    Parameters
    ----------
    rows : JoinedRows
    event : float array, shape (cells,)
        Score of a row in each cell.
    possible : (float, float)
        Bounds of the true mean.
    level : float, in (0, 1)
    forged : int
        Number of rows among them that no device sent.

    Raises
    ------
    PrivacyError
        ``no_rows``, ``level``.

    Examples
    --------
    >>> rows = JoinedRows(counts=np.array([15, 85]), n_direct=0, n_protected=100, smallest_cell=15,
    ...                   scores=np.array([[-.75, 1.25], [-.75, 1.25], [1, 1]]))
    >>> round(measured_mean(rows, rows.scores[0], possible=(0, 1)).value, 9)
    0.95
    """
    n = rows.n_direct + rows.n_protected
    if n == 0:
        raise PrivacyError("no_rows.asked", 0)
    base, counts = with_base(rows.scores)[-1], rows.counts
    value = float(counts @ event / (counts @ base))
    residuals = event - value * base
    threshold = threshold_of(level, rows.clusters, residuals)
    sets = likelihood_sets(counts[None], event[None], -base[None], threshold)
    ends, few = sets.inside(-np.inf, np.inf), rows.effective < LEAST_EFFECTIVE_ROWS
    inflation = 1.0 if rows.clusters is None else rows.clusters.inflation(residuals)
    error = math.sqrt(inflation * float(counts @ residuals**2)) / float(counts @ base)
    return Measured(
        value=value,
        low=possible[0] if few else float(ends.low[0]),
        high=possible[1] if few else float(ends.high[0]),
        standard_error=None if few else error,
        estimable=not few and bool(sets.inside(*possible).estimable[0]),
        n=n,
        effective_n=rows.effective,
        level=level,
        possible=possible,
        method="ratio",
        shift=float(ratio_shift(event[None], base, counts.astype(np.float64), forged)[0]),
        origin=UNCHECKED,
    )
