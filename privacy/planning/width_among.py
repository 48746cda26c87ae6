"""The width of a share among people who have one of several options."""

from __future__ import annotations

import math
from collections.abc import Sequence

from privacy.levels import normal_quantile


def width_among(
    *,
    truth: float,
    decoys: Sequence[float],
    shares: Sequence[float],
    option: int,
    among: Sequence[int],
    people: float,
) -> float:
    """Return the half-width of a share of people with an option among those who have one of several.

    Parameters
    ----------
    truth : float
        p of the block.
    decoys, shares : sequence of float
        By option: its probability among random answers, with skips, and its share of all people.
    option : int
        Position of the option.
    among : sequence of int
        Positions of the options that these people have, with `option`.
    people : float
        Number of all people who are asked.

    Notes
    -----
    With c the share of the options `among` and R that of `option` in c, the mean over reports of
    Z = [option] - R [one of them] has the variance that the ratio's error has, times p c:

        z sqrt((E Z^2 - (E Z)^2) / n) / (p c).

    Examples
    --------
    300 people, 60% of whom had contact to officials, and 20% of these paid a bribe. Disguised together with
    the contact, p = .5 and each answer is a third of the random ones: E Z^2 = .1613 and E Z = .1. If contact
    is stored as answered, p = .6 for 180 people: 1.96 sqrt(.32 (.68) / 180) / .6 = .114.

    >>> whole = width_among(truth=.5, decoys=[1 / 3] * 3, shares=[.4, .48, .12], option=2, among=[1, 2],
    ...                     people=300)
    >>> round(100 * whole, 1)
    14.7
    """
    contact = math.fsum(shares[place] for place in among)
    ratio = shares[option] / contact
    reported = [truth * share + (1 - truth) * decoy for share, decoy in zip(shares, decoys, strict=True)]
    others = math.fsum(reported[place] for place in among if place != option)
    squares = reported[option] * (1 - ratio) ** 2 + others * ratio**2
    mean = reported[option] * (1 - ratio) - others * ratio
    error = math.sqrt((squares - mean**2) / people) / (truth * contact)
    return normal_quantile(0.95) * error
