"""The n-1 attack: forge all rows but one, and know whose row is left.

Anyone can send rows over an open link. An attacker who knows all rows of a batch but one can identify the
last one. The pool protects against an adversary who watches: 50 waiting rows, drawn at random, stay behind. A
flood pushes the pool out before the victim answers: every 50 forged rows remove each older row with
probability one half. The attack isolates one row, disguised on its owner's device.
"""

from dataclasses import dataclass

import numpy as np

from surveys.intake.mix import LEAST_WAITING, POOL

__all__ = ["Flood", "flood"]


@dataclass(frozen=True, kw_only=True)
class Flood:
    """How often a flood singled the victim's row out.

    Attributes
    ----------
    tries, alone : int
        How often it was tried, and how often no other honest row was left to confuse it with.
    """

    tries: int
    alone: int

    @property
    def share(self) -> float:
        """Share of tries in which the victim's row was singled out."""
        return self.alone / self.tries


def flood(
    forged: int,
    *,
    rng: np.random.Generator,
    tries: int = 10_000,
    pool: int = POOL,
    least_waiting: int = LEAST_WAITING,
) -> Flood:
    """Simulate the flood against an open link without other submissions meanwhile.

    Parameters
    ----------
    forged : int
        Rows that are sent before the victim answers.
    rng : numpy.random.Generator
    tries : int
    pool, least_waiting : int
        The mixer's: how many rows stay, and how many must wait.

    Notes
    -----
    At first some honest rows wait, `pool` of them or more, fewer than `least_waiting`, all numbers equally
    likely. Whenever `least_waiting` wait a batch goes and `pool` rows drawn at random stay: how many honest
    ones are among them is hypergeometric. When the victim answers, every honest row that still waits could be
    theirs; if none does, the one row that the attacker did not forge is the victim's, whichever batch it
    comes in.

    Examples
    --------
    Without a pool one batch leaves nothing to hide among:

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
