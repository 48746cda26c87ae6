"""How often the disguised rows of a number or a place reveal their likeliest answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.posterior import conditional
from privacy.risk.reidentification import CERTAINTY_LEVELS
from privacy.scales.scale_skips import answering
from privacy.scales.skips import Disguise, Skipping

_ROUNDING: Final = 1e-12


@dataclass(frozen=True, kw_only=True)
class ScaleRows:
    """How often the disguised rows of a number or a place reveal their likeliest answer.

    Parameters
    ----------
    n : int or None
        Number of disguised rows; None if they may not be counted.
    sent : tuple of float
        For each of the `CERTAINTY_LEVELS` (50, 90 and 95%), the share of disguised rows whose likeliest
        answer has a larger posterior.
    highest : float
        Largest posterior of an answer given any sent row.
    before : float
        Share of the most frequent answer: an attacker's certainty without seeing a row.
    """

    n: int | None
    sent: tuple[float, ...]
    highest: float
    before: float


def scale_rows(
    disguise: Disguise,
    shares: ArrayLike,
    counts: ArrayLike,
    *,
    skipping: Skipping | None = None,
) -> ScaleRows:
    """Measure how many rows reveal their answer, given the shares of the answers.

    Parameters
    ----------
    disguise : WindowChannel or PlanarWindowChannel
    shares : array_like, shape (inputs,) or (rows, columns)
        Share of each bin or cell among respondents who answer.
    counts : array_like of int, shape (outputs,), or one longer with `skipping`
        Number of disguised rows with each report; "skipped" last.
    skipping : Skipping, optional
        The question's skip; the share of skips is estimated from the counts.

    Raises
    ------
    PrivacyError
        ``counts``, ``no_rows``.

    Notes
    -----
    A row with report y is recognised at level t if max_x K(y, x) s(x) / sum_x K(y, x) s(x) > t, where x is a
    single bin or cell. A skip counts as an answer. A place outside all levels is always recognised.

    Examples
    --------
    A bit is kept with probability 3/4, and nine in ten have 0. A reported 0 is true with probability 27/28,
    and a reported 1 comes from 0 with probability 3/4.

    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr
    >>> rows = scale_rows(generalised_rr(NumberRange(low=0, high=1), 7500), [.9, .1], [700, 300])
    >>> rows.n, rows.sent, round(rows.highest, 4)
    (1000, (1.0, 0.7, 0.7), 0.9643)
    >>> rows.before
    0.9
    """
    rows = np.asarray(counts, dtype=np.float64).ravel()
    if rows.size != disguise.outputs + (skipping is not None):
        raise PrivacyError("counts.values", rows.shape, name="counts", size=disguise.outputs)
    if not rows.sum():
        raise PrivacyError("no_rows", 0)
    table = np.asarray(shares, dtype=np.float64)
    best, probabilities = disguise.largest_joint(table)
    before = float(table.max())
    if skipping is not None:
        skips = float(np.clip(1 - answering(skipping, rows), 0, 1))
        best, probabilities = _with_skips(skipping, best, probabilities, skips)
        before = max((1 - skips) * before, skips)
    posterior = conditional(best, probabilities)
    return ScaleRows(
        n=int(rows.sum()),
        sent=tuple(
            float(rows[posterior > level + _ROUNDING].sum() / rows.sum()) for level in CERTAINTY_LEVELS
        ),
        highest=min(1.0, float(posterior[rows > 0].max())),
        before=before,
    )


def _with_skips(skipping: Skipping, best: Array, probabilities: Array, skips: float) -> tuple[Array, Array]:
    """Add "skipped" as the last output and as an additional answer."""
    skipped, truth = float(skipping.skip_probability), float(skipping.truth)
    decoys = skips * (1 - truth - skipped) * skipping.disguise.decoy_array()
    p_answer = (1 - skips) * (1 - skipped)
    skip_mass = np.array([skips * (truth + skipped)])
    return (
        np.concatenate([np.maximum(p_answer * best, decoys), skip_mass]),
        np.concatenate([p_answer * probabilities + decoys, skip_mass + (1 - skips) * skipped]),
    )
