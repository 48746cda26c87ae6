"""Skips among the rows of a number or a place: the share who answer, and the scores of their answers."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array
from privacy.channels.amplification import bayes
from privacy.errors import PrivacyError
from privacy.scales.em import MapOfSets
from privacy.scales.skipping import Skipping

_MOST_SKIPS: Final = 0.999
"""Replicates in which more than that share would skip are taken as if so many did."""


def answer_scores(skipping: Skipping, values: Array) -> Array:
    """Return the scores of all outputs, "skipped" last, from those that are unbiased for an answer.

    Parameters
    ----------
    skipping : Skipping
    values : ndarray, shape (..., outputs)
        t(y) with E[t(Y) | x] = f(x) under the disguise of answers alone; 1 throughout for who answers.

    Returns
    -------
    ndarray, shape (..., outputs + 1)
        z(y) with E[z | x] = f(x) and E[z | skip] = 0.

    Notes
    -----
    With r, T, T', d, D as `Skipping` has them, U = 10,000 - r, and m = sum_y D(y) t(y),

        z(y) = T' t(y) / (U T) + r d^2 m / (U T (T - d)),        z("skipped") = - d m / (T - d).

    Examples
    --------
    Three of eight draws keep a bit and one says "skipped" to an answer; who answers:

    >>> from privacy.scales.window import WindowChannel
    >>> from privacy.scales.window import NumberRange
    >>> bit = WindowChannel(mechanism="keep", range=NumberRange(low=0, high=1), window=1, cyclic=False,
    ...            floor=1, peak=1, coin=0, lean=0, step=0)
    >>> skipping = Skipping(disguise=bit, refusal=5000)
    >>> skipping.truth, skipping.skip_probability  # 5000 * 1 / (5000 * 3 + 5000 * 2) and 2 / 5
    (Fraction(1, 5), Fraction(2, 5))
    >>> answer_scores(skipping, np.ones(2)).tolist()  # .6 * 3 - .4 * 2 = 1; .4 * 3 - .6 * 2 = 0
    [3.0, 3.0, -2.0]
    """
    inner = skipping.disguise
    decoys, rest = inner.decoys, inner.total - inner.decoys
    answered = skipping.total - skipping.refusal * decoys
    middle = (values @ inner.decoy_array())[..., None]
    lifted = float(skipping.refusal * decoys**2 / (answered * rest)) * middle
    scores: Array = np.concatenate(
        [values * (skipping.total / answered) + lifted, -(decoys / rest) * middle], axis=-1
    )
    return scores


def answering(skipping: Skipping, counts: Array) -> Array:
    """Return the share of those asked who answer, unbiased, so perhaps outside [0, 1]; shape (...).

    Parameters
    ----------
    skipping : Skipping
        The channel with its skips.
    counts : ndarray, shape (..., outputs + 1)
        "Skipped" last.
    """
    p, refused = float(skipping.truth), counts[..., -1] / counts.sum(axis=-1)
    shares: Array = 1 - (refused - float(skipping.skip_probability)) / p
    return shares


def split_skips(skipping: Skipping, counts: Array) -> tuple[Array, Array]:
    """Return how many people answer, and the share of decoys of skips among the rows that sent an answer.

    Parameters
    ----------
    skipping : Skipping
        The channel with its skips.
    counts : ndarray, shape (..., outputs + 1)

    Returns
    -------
    people : ndarray, shape (..., 1)
        Expected number of rows whose people answer, whatever was sent for them.
    mixed : ndarray, shape (..., 1)
        Among the rows that sent an answer, the share tau of those whose people skip: they sent a decoy. With
        a share s who skip, tau / (1 - tau) = s d / ((1 - s) T).
    """
    share = np.clip(answering(skipping, counts), 1 - _MOST_SKIPS, 1)[..., None]
    inner = skipping.disguise
    decoy = np.full_like(share, inner.decoys / inner.total)
    mixed = bayes((1 - share, share), (decoy, np.ones_like(share)))[0]
    return share * counts.sum(axis=-1, keepdims=True), mixed


def among_decoys(
    forward: MapOfSets, backward: MapOfSets, decoy: Array, mixed: Array
) -> tuple[MapOfSets, MapOfSets]:
    """Return (1 - tau) C + tau D and its transpose from C and its transpose, along the last axis.

    Parameters
    ----------
    forward, backward : callable
        C applied to shares of sets of counts, and its transpose to ratios.
    decoy : ndarray, shape (outputs,)
    mixed : ndarray, shape (sets, 1)
        tau.
    """

    def ahead(shares: Array, sets: NDArray[np.intp]) -> Array:
        tau, whole = mixed[sets], shares.sum(axis=-1, keepdims=True)
        sent: Array = (1 - tau) * forward(shares, sets) + tau * decoy * whole
        return sent

    def back(ratios: Array, sets: NDArray[np.intp]) -> Array:
        tau = mixed[sets]
        pulled: Array = (1 - tau) * backward(ratios, sets) + tau * (ratios @ decoy)[..., None]
        return pulled

    return ahead, back


def mean_of_answers(counts: Array, values: Array, answers: Array) -> tuple[float, float]:
    """Return the mean of a value among those who answer, and its standard error.

    Parameters
    ----------
    counts : ndarray, shape (rows,)
        How often each kind of row occurs, protected and direct ones.
    values, answers : ndarray, shape (rows,)
        What each kind scores for the value, and for having answered: `answer_scores`, and for direct rows
        the value and 1, or 0 and 0 where they skipped.

    Raises
    ------
    PrivacyError
        ``no_answers``: no one seems to have answered.

    Notes
    -----
    The mean is M = sum n z / sum n a, its error sqrt(sum n (z - M a)^2) / sum n a: rows are an independent
    sample of the population, and the error of the share that answers is in it.
    """
    people = float(counts @ answers)
    if not people > 0:
        raise PrivacyError("no_answers", people)
    value = float(counts @ values) / people
    return value, float(np.sqrt(counts @ (values - value * answers) ** 2)) / people
