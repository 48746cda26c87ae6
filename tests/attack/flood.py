"""The n-1 attack: forge all rows of a batch but one, and know whose row the last one is.

Anyone can send rows over an open link. An attacker who knows all rows of a batch but one can identify the
last one. The pool protects against an adversary who only watches: 50 waiting rows, drawn at random, stay
behind. A flood pushes the pool out before the victim answers: every 50 forged rows remove each older row with
probability one half. The attack isolates one row, which its owner's device has disguised.
"""

from dataclasses import dataclass

import numpy as np

from surveys.intake.mix import LEAST_WAITING, POOL

__all__ = ["Flood", "flood"]


@dataclass(frozen=True, kw_only=True)
class Flood:
    """How often a flood isolated the victim's row.

    Attributes
    ----------
    tries, alone : int
        Number of floods, and of those that left no other honest row.
    """

    tries: int
    alone: int

    @property
    def share(self) -> float:
        """Share of floods that isolated the victim's row."""
        return self.alone / self.tries


def flood(
    forged: int,
    *,
    rng: np.random.Generator,
    tries: int = 10_000,
    pool: int = POOL,
    least_waiting: int = LEAST_WAITING,
) -> Flood:
    """Simulate a flood against an open link, without other submissions meanwhile.

    Parameters
    ----------
    forged : int
        Forged rows sent before the victim answers.
    rng : numpy.random.Generator
    tries : int
    pool, least_waiting : int
        Settings of the mixer: how many rows stay behind, and how many must wait for a batch.

    Notes
    -----
    Initially, between `pool` and `least_waiting` - 1 honest rows wait, all numbers equally likely. Whenever
    `least_waiting` rows wait, a batch goes and `pool` random rows stay, with a hypergeometric number of
    honest ones. When the victim answers, every honest row that still waits could be theirs. If none waits,
    the only row that the attacker did not forge is the victim's, whichever batch contains it.

    Examples
    --------
    Without a pool, one batch removes all other honest rows:

    >>> flood(50, rng=np.random.default_rng(1), tries=10, pool=0, least_waiting=50).share
    1.0
    """
    honest = rng.integers(pool, least_waiting, size=tries)
    left = forged - (least_waiting - honest)
    while (goes := left >= 0).any():
        stays = rng.hypergeometric(honest, least_waiting - honest, pool) if pool else np.zeros_like(honest)
        honest = np.where(goes, stays, honest)
        left = np.where(goes, left - (least_waiting - pool), left)
    return Flood(tries=tries, alone=int((honest == 0).sum()))
