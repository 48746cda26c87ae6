"""Disguised skips of a number or a place: "skipped" is one more answer, and one more output."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy import validation
from privacy.arrays import Array
from privacy.channels.amplification import bayes
from privacy.channels.channel import Channel
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.scales.em import MapOfSets

if TYPE_CHECKING:
    from privacy.scales.planar_window import PlanarWindowChannel
    from privacy.scales.window import WindowChannel

__all__ = [
    "Disguise",
    "Skipping",
    "among_decoys",
    "answer_scores",
    "answering",
    "least_refusal",
    "mean_of_answers",
    "split_skips",
]


Disguise: TypeAlias = "WindowChannel | PlanarWindowChannel"
"""What a device does to a number or a place."""


@dataclass(frozen=True, kw_only=True)
class Skipping:
    """The disguise of a number or a place that may be skipped, over the disguise of its answers.

    Parameters
    ----------
    disguise : WindowChannel or PlanarWindowChannel
        What happens to an answer. T is its total, d the number of its draws that are *decoys*: they send the
        same whatever the answer is (`WindowChannel.decoys`, `PlanarWindowChannel.decoys`).
    refusal : int, ten-thousandths, 1 to 9999
        Probability r that a decoy says "skipped". At least `least_refusal`: with a smaller one, "skipped"
        would reveal more than any answer does.

    Raises
    ------
    PrivacyError
        ``refusal``: out of range, or a disguise without decoys. ``refusal_low``: too small.

    Notes
    -----
    A device draws u below T' = (10,000 - r) T + r d. With v = u div (10,000 - r),

    - v >= T sends "skipped", whatever the answer is;
    - else an answer sends what its disguise sends under v;
    - and a skip sends the same where v is a decoy, and "skipped" where it is not.

    So the skip is an answer of its own with its own window, and p' = (10,000 - r)(T - d) / T' is the
    probability that the sent value depends on the answer:

        channel[y, x]             = (1 - s) C[y, x],              s = r d / T' = (1 - p') r
        channel["skipped", x]     = (1 - p') r
        channel["skipped", skip]  = p' + (1 - p') r
        channel[y, skip]          = (1 - p') (1 - r) D(y),        D the distribution of a decoy.

    Among answers every ratio stays. Between an answer and the skip, C / D is bounded where C is, since D is
    what all answers have in common; and "skipped" is likelier from a skip by 1 + (10,000 - r)(T - d) / (r d).
    The least r that keeps this at gamma costs the share of answers s = beta / (gamma - 1 + beta), with
    beta = (T - d) / T: standard errors grow by the factor 1 / sqrt(1 - s).

    For a place, decoys are those of the first level, the most sensitive one: a skip is a place of that
    level. Whatever a skip sends, everyone may send; a place of another level, or of none, is never sent by
    a skip, and shows that its sender did not skip.

    Examples
    --------
    Three bins, kept with weight 4 beside a weight of 1 for each: "skipped" is a fourth of the same kind.

    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.window import WindowChannel
    >>> keep = WindowChannel(mechanism="keep", range=NumberRange(low=0, high=2), window=1, floor=1, peak=4)
    >>> least_refusal(keep)
    2500
    >>> skipping = Skipping(disguise=keep, refusal=2500)
    >>> skipping.truth, skipping.skip_probability, skipping.amplification
    (Fraction(1, 2), Fraction(1, 8), Fraction(5, 1))
    """

    disguise: WindowChannel | PlanarWindowChannel
    refusal: int

    def __post_init__(self) -> None:
        refusal = validation.whole_number(
            self.refusal,
            "refusal of a number or a place",
            low=1,
            high=SCALE - 1,
            code="refusal",
            advice="skip",
        )
        object.__setattr__(self, "refusal", refusal)
        least = least_refusal(self.disguise)
        if refusal < least:
            raise PrivacyError("refusal_low", refusal, least=least, mechanism=self.disguise.mechanism)

    @property
    def _answered(self) -> int:
        return SCALE - self.refusal

    @cached_property
    def total(self) -> int:
        """T'; a device draws from 0 to T' - 1."""
        return self._answered * self.disguise.total + self.refusal * self.disguise.decoys

    @cached_property
    def truth(self) -> Fraction:
        """p', the probability that the sent value depends on the answer."""
        return Fraction(self._answered * (self.disguise.total - self.disguise.decoys), self.total)

    @property
    def skip_probability(self) -> Fraction:
        """s, the skip probability of an answer."""
        return Fraction(self.refusal * self.disguise.decoys, self.total)

    @property
    def amplification(self) -> Fraction:
        """gamma between an answer and the skip, and between answers where the disguise bounds them all."""
        return self.disguise.decoy_bound

    @property
    def channel(self) -> Channel:
        """The exact channel of a small disguise; "skipped" is the last row, and the skip the last column."""
        inner = self.disguise.channel
        decoys, unskipped = self.decoy_chances, 1 - self.skip_probability
        rows = [
            (*(unskipped * chance for chance in row), (1 - self.truth - self.skip_probability) * decoy)
            for row, decoy in zip(inner.matrix, decoys, strict=True)
        ]
        last = (*(self.skip_probability,) * inner.n_true, self.truth + self.skip_probability)
        return Channel(matrix=(*rows, last))

    @property
    def decoy_chances(self) -> tuple[Fraction, ...]:
        """D, the probability of each output under a decoy."""
        decoys = self.disguise.decoys
        return tuple(Fraction(self.disguise.decoy_weight(y), decoys) for y in range(self.disguise.outputs))


def least_refusal(disguise: WindowChannel | PlanarWindowChannel) -> int:
    """Return the least probability of "skipped" among decoys that bounds a skip by the epsilon of an answer.

    Parameters
    ----------
    disguise : WindowChannel or PlanarWindowChannel
        Disguise of a question that can be skipped.

    Returns
    -------
    int
        10,000 beta / ((gamma - 1)(1 - beta) + beta) in ten-thousandths, rounded up, with beta = (T - d) / T
        the share of non-decoy draws and gamma the amplification of the disguise; for a place, that of its
        most sensitive level.

    Raises
    ------
    PrivacyError
        ``refusal``: the disguise has no bound, or no decoys.

    Examples
    --------
    Where outputs are m, of which w lie in the window, it is w / (m + w): "skipped" represents w outputs.

    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import square_wave
    >>> wave = square_wave(NumberRange(low=0, high=99), 1.0)
    >>> wave.window, wave.outputs, least_refusal(wave)  # 51 / 201
    (51, 150, 2538)
    """
    if disguise.decoys == 0:
        raise PrivacyError("refusal.alike", disguise.mechanism)
    rest = disguise.total - disguise.decoys
    share = rest / ((disguise.decoy_bound - 1) * disguise.decoys + rest)
    return -(-SCALE * share.numerator // share.denominator)


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
