"""Skips of numbers and places: split them from answers, and allow for decoys that skips send."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.posterior import bayes
from privacy.scales.em import MapOfSets
from privacy.scales.skips import Skipping

_MOST_SKIPS: Final = 0.999
"""Cap on the share of skips in a replicate."""


def answer_scores(skipping: Skipping, values: Array) -> Array:
    """Return unbiased scores of all outputs, "skipped" last, from scores that are unbiased for answers.

    Parameters
    ----------
    skipping : Skipping
    values : ndarray, shape (..., outputs)
        t(y) with E[t(Y) | x] = f(x) under the disguise of answers alone; all 1 for the share who answer.

    Returns
    -------
    ndarray, shape (..., outputs + 1)
        z(y) with E[z | x] = f(x) and E[z | skip] = 0.

    Notes
    -----
    With r, T, T', d, D as in `Skipping`, U = 10,000 - r, and m = sum_y D(y) t(y),

        z(y) = T' t(y) / (U T) + r d^2 m / (U T (T - d)),        z("skipped") = - d m / (T - d).

    Examples
    --------
    A bit is sent by one of three draws, and the other two are decoys. The scores for having answered:

    >>> from privacy.scales.window import WindowChannel
    >>> from privacy.scales.window import NumberRange
    >>> bit = WindowChannel(mechanism="keep", range=NumberRange(low=0, high=1), window=1,
    ...            floor=1, peak=1)
    >>> skipping = Skipping(disguise=bit, refusal=5000)
    >>> skipping.truth, skipping.skip_probability  # 5000 * 1 / (5000 * 3 + 5000 * 2) and 2 / 5
    (Fraction(1, 5), Fraction(2, 5))
    >>> answer_scores(skipping, np.ones(2)).tolist()  # .6 * 3 - .4 * 2 = 1; .4 * 3 - .6 * 2 = 0
    [3.0, 3.0, -2.0]
    """
    inner = skipping.disguise
    decoys, rest = inner.decoys, inner.total - inner.decoys
    divisor = skipping.total - skipping.refusal * decoys
    middle = (values @ inner.decoy_array())[..., None]
    constant = float(skipping.refusal * decoys**2 / (divisor * rest)) * middle
    scores: Array = np.concatenate(
        [values * (skipping.total / divisor) + constant, -(decoys / rest) * middle], axis=-1
    )
    return scores


def answering(skipping: Skipping, counts: Array) -> Array:
    """Return an unbiased estimate of the share of people asked who answer; it may be outside [0, 1].

    Parameters
    ----------
    skipping : Skipping
        The channel with its skips.
    counts : ndarray, shape (..., outputs + 1)
        Counts of the outputs, "skipped" last.
    """
    p, skip_rate = float(skipping.truth), counts[..., -1] / counts.sum(axis=-1)
    shares: Array = 1 - (skip_rate - float(skipping.skip_probability)) / p
    return shares


def split_skips(skipping: Skipping, counts: Array) -> tuple[Array, Array]:
    """Return the number of people who answer, and the share of decoys for skips among the sent answers.

    Parameters
    ----------
    skipping : Skipping
        The channel with its skips.
    counts : ndarray, shape (..., outputs + 1)

    Returns
    -------
    people : ndarray, shape (..., 1)
        Expected number of rows of people who answer, whatever they sent.
    mixed : ndarray, shape (..., 1)
        Among the rows that sent an answer, the share tau of decoys from people who skip. With
        a share s who skip, tau / (1 - tau) = s d / ((1 - s) T).
    """
    share = np.clip(answering(skipping, counts), 1 - _MOST_SKIPS, 1)[..., None]
    inner = skipping.disguise
    decoy = np.full_like(share, inner.decoys / inner.total)
    tau = bayes((1 - share, share), (decoy, np.ones_like(share)))[0]
    return share * counts.sum(axis=-1, keepdims=True), tau


def mix_with_decoys(
    forward: MapOfSets, backward: MapOfSets, decoy: Array, mix: Array
) -> tuple[MapOfSets, MapOfSets]:
    """Return (1 - tau) C + tau D and its transpose from C and its transpose, along the last axis.

    Parameters
    ----------
    forward, backward : callable
        C applied to shares of sets of counts, and its transpose to ratios.
    decoy : ndarray, shape (outputs,)
    mix : ndarray, shape (sets, 1)
        tau.
    """

    def ahead(shares: Array, sets: NDArray[np.intp]) -> Array:
        tau, whole = mix[sets], shares.sum(axis=-1, keepdims=True)
        result: Array = (1 - tau) * forward(shares, sets) + tau * decoy * whole
        return result

    def back(ratios: Array, sets: NDArray[np.intp]) -> Array:
        tau = mix[sets]
        result: Array = (1 - tau) * backward(ratios, sets) + tau * (ratios @ decoy)[..., None]
        return result

    return ahead, back


def mean_of_answers(counts: Array, values: Array, answers: Array) -> tuple[float, float]:
    """Return the mean of a value among those who answer, and its standard error.

    Parameters
    ----------
    counts : ndarray, shape (rows,)
        Count of each kind of row, protected and direct.
    values, answers : ndarray, shape (rows,)
        Scores of each kind for the value, and for having answered. They are `answer_scores` for protected
        rows. For direct rows, they are the value and 1, or 0 and 0 for skips.

    Raises
    ------
    PrivacyError
        ``no_answers``: no one seems to have answered.

    Notes
    -----
    The mean is M = sum n z / sum n a, and its error is sqrt(sum n (z - M a)^2) / sum n a. Rows are taken as
    an independent sample of the population, and the error includes that of the share who answer.
    """
    people = float(counts @ answers)
    if not people > 0:
        raise PrivacyError("no_answers", people)
    value = float(counts @ values) / people
    return value, float(np.sqrt(counts @ (values - value * answers) ** 2)) / people
