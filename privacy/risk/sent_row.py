"""A row that was sent, and the two ways in which it comes about: as a truth, or as a decoy."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from privacy.channels.amplification import retained
from privacy.channels.bayes import bayes, conditional

__all__ = ["SentRow"]


@dataclass(frozen=True, kw_only=True)
class SentRow:
    """The chances of one row.

    Parameters
    ----------
    truth : Fraction
        p of its block.
    prior, decoy : Fraction
        P(y), its chance as a truth; q(y), its chance as a decoy.
    around : Fraction, optional
        Where rows near the true one are sent, the chance that the true row is within the radius of this one.
    ball : int
        Then the number of rows within the radius, each of which is sent with chance p / ball.

    Examples
    --------
    p = .6, P = .16, q = .25: sent with .6 * .16 + .4 * .25.

    >>> row = SentRow(truth=Fraction(6, 10), prior=Fraction(16, 100), decoy=Fraction(1, 4))
    >>> row.sent, row.coin, row.even
    (Fraction(49, 250), Fraction(24, 49), Fraction(7, 8))
    """

    truth: Fraction
    prior: Fraction
    decoy: Fraction
    around: Fraction | None = None
    ball: int = 1

    @cached_property
    def truthful(self) -> Fraction:
        """Chance of "truth, and this row": p P, or p/ball times the chance of true rows around it."""
        return self._own * (self.prior if self.around is None else self.around)

    @property
    def _own(self) -> Fraction:
        """Probability of the row as no decoy, from all true rows it can come from so."""
        return self.truth / self.ball

    @cached_property
    def drawn(self) -> Fraction:
        """Chance of "decoy, and this row": (1 - p) q."""
        return (1 - self.truth) * self.decoy

    @cached_property
    def sent(self) -> Fraction:
        """Probability that it is sent; 0 for an impossible row, which has no posterior."""
        return self.truthful + self.drawn

    @property
    def coin(self) -> Fraction:
        """Truthful posterior: p P / (p P + (1 - p) q)."""
        return conditional(self.truthful, self.sent)

    @property
    def answer(self) -> Fraction:
        """Answer posterior, a decoy may hit the truth: P (p + (1 - p) q) / (p P + (1 - p) q)."""
        return conditional(self.prior * (self._own + self.drawn), self.sent)

    @property
    def even(self) -> Fraction:
        """Answer posterior at an even prior: gamma / (1 + gamma)."""
        return bayes((Fraction(1, 2), Fraction(1, 2)), (self._own + self.drawn, self.drawn))[0]

    @property
    def amplification(self) -> Fraction | None:
        """gamma: 1 + p / ((1 - p) q); None where it is infinite."""
        return retained(self.truth, self.decoy * self.ball)
