"""Disguised skips of a number or a place: "skipped" is one more answer, and one more output."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from privacy import validation
from privacy.channels import Channel
from privacy.coins import SCALE
from privacy.errors import PrivacyError

if TYPE_CHECKING:
    from privacy.scales.planar_window import PlanarWindowChannel
    from privacy.scales.window import WindowChannel


Disguise: TypeAlias = "WindowChannel | PlanarWindowChannel"
"""Disguise of a number or a place."""


@dataclass(frozen=True, kw_only=True)
class Skipping:
    """The disguise of a number or a place that may be skipped, built on the disguise of its answers.

    Parameters
    ----------
    disguise : WindowChannel or PlanarWindowChannel
        Disguise of an answer. T is its total, d the number of its *decoy* draws, which send the same for
        every answer (`WindowChannel.decoys`, `PlanarWindowChannel.decoys`).
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

    - if v >= T, it sends "skipped", whatever the answer is;
    - otherwise, for an answer, it sends what the disguise sends under v;
    - otherwise, for a skip, it sends the same if v is a decoy, and "skipped" if not.

    So the skip is a separate answer with its own window, and p' = (10,000 - r)(T - d) / T' is the probability
    that the sent value depends on the answer:

        channel[y, x]             = (1 - s) C[y, x],              s = r d / T' = (1 - p') r
        channel["skipped", x]     = (1 - p') r
        channel["skipped", skip]  = p' + (1 - p') r
        channel[y, skip]          = (1 - p') (1 - r) D(y),        D the distribution of a decoy.

    Ratios between answers are unchanged. Between an answer and the skip, C / D is bounded if C is, since D is
    the part that all answers share. A skip sends "skipped" 1 + (10,000 - r)(T - d) / (r d) times as often as
    an answer does. The smallest r that keeps this factor at gamma loses the share s = beta / (gamma - 1 +
    beta) of the answers, with beta = (T - d) / T, so standard errors grow by the factor 1 / sqrt(1 - s).

    For a place, decoys are those of the first level, the most sensitive one, so a skip acts as a place of
    that level. Anyone may send what a skip sends. But a skip never sends a place outside that level, so such
    a report shows that its sender did not skip.

    Examples
    --------
    Three bins, kept with weight 4 plus a weight of 1 for each: "skipped" acts as a fourth bin.

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
    def _answer_share(self) -> int:
        return SCALE - self.refusal

    @cached_property
    def total(self) -> int:
        """T'; a device draws from 0 to T' - 1."""
        return self._answer_share * self.disguise.total + self.refusal * self.disguise.decoys

    @cached_property
    def truth(self) -> Fraction:
        """p', the probability that the sent value depends on the answer."""
        return Fraction(self._answer_share * (self.disguise.total - self.disguise.decoys), self.total)

    @property
    def skip_probability(self) -> Fraction:
        """s, the skip probability of an answer."""
        return Fraction(self.refusal * self.disguise.decoys, self.total)

    @property
    def amplification(self) -> Fraction:
        """gamma between an answer and the skip, and between answers if the disguise bounds them all."""
        return self.disguise.decoy_bound

    @property
    def channel(self) -> Channel:
        """The exact channel of a small disguise; "skipped" is the last row, and the skip the last column."""
        inner = self.disguise.channel
        decoys, p_answer = self.decoy_probabilities, 1 - self.skip_probability
        rows = [
            (
                *(p_answer * probability for probability in row),
                (1 - self.truth - self.skip_probability) * decoy,
            )
            for row, decoy in zip(inner.matrix, decoys, strict=True)
        ]
        last = (*(self.skip_probability,) * inner.n_true, self.truth + self.skip_probability)
        return Channel(matrix=(*rows, last))

    @property
    def decoy_probabilities(self) -> tuple[Fraction, ...]:
        """D, the probability of each output under a decoy."""
        decoys = self.disguise.decoys
        return tuple(Fraction(self.disguise.decoy_weight(y), decoys) for y in range(self.disguise.outputs))


def least_refusal(disguise: WindowChannel | PlanarWindowChannel) -> int:
    """Return the smallest probability of "skipped" among decoys that bounds a skip as well as an answer.

    Parameters
    ----------
    disguise : WindowChannel or PlanarWindowChannel
        Disguise of a question that can be skipped.

    Returns
    -------
    int
        10,000 beta / ((gamma - 1)(1 - beta) + beta) in ten-thousandths, rounded up. Here beta = (T - d) / T
        is the share of draws that are not decoys, and gamma is the amplification of the disguise, or of the
        most sensitive level of a place.

    Raises
    ------
    PrivacyError
        ``refusal``: the disguise has no bound, or no decoys.

    Examples
    --------
    With m outputs, w of them in the window, the result is w / (m + w), since "skipped" acts as w outputs.

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
