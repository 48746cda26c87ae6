"""What the time that a visit takes reveals about a filter whose follow-ups come up only after a yes.

    python -m benchmarks.visit_times

A server sees when a page was opened and when its answers arrived. The time of a visit is taken as log-normal,
with the median of the survey, plus the time for the follow-ups after a yes. An observer who starts at 50:50
computes the likelihood ratio of the measured time. Printed is how sure the observer of one visit in twenty
becomes: the 95th percentile among people who answered yes.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

SPREADS = {"anyone": 0.27, "someone whose pace is known": 0.145}
"""Standard deviation of the logarithm of a visit's time: between people, and of one person. These are
assumptions: 90% of people need between 0.64 and 1.56 times the median, one person between 0.79 and 1.27."""

MINUTES = (1.0, 3.0, 10.0)
FOLLOW_UPS = (5.0, 20.0, 60.0)
ONE_IN_TWENTY = 1.6448536269514722
"""95th percentile of the standard normal distribution."""


def sure_of_yes(seconds: float, follow_ups: float, spread: float) -> float:
    """Return how sure the observer of one visit in twenty becomes that the filter was answered with yes.

    Parameters
    ----------
    seconds : float
        Median time of a visit without follow-ups.
    follow_ups : float
        Additional seconds after a yes.
    spread : float
        Standard deviation of the logarithm of the time.

    Returns
    -------
    float
        Posterior probability from a prior of one half, at the 95th percentile of visits with a yes.

    Notes
    -----
    With d = ln((seconds + follow_ups) / seconds) / spread, a visit with a yes at the standard normal
    quantile z has the log-likelihood ratio d (z + d / 2).

    Examples
    --------
    >>> round(sure_of_yes(180, 20, 0.27), 2), sure_of_yes(180, 0, 0.27)
    (0.67, 0.5)
    """
    shift = math.log((seconds + follow_ups) / seconds) / spread
    return 1 / (1 + math.exp(-shift * (ONE_IN_TWENTY + shift / 2)))


def times_of(
    seconds: float, follow_ups: float, spread: float, *, people: int, random: np.random.Generator
) -> np.ndarray:
    """Return simulated times of visits with a yes, in seconds.

    Parameters
    ----------
    seconds, follow_ups, spread : float
        As for `sure_of_yes`.
    people : int
    random : Generator
    """
    return random.lognormal(math.log(seconds + follow_ups), spread, people)


def main() -> None:
    """Print the table of docs/privacy.md."""
    print("spread of times | minutes | seconds for follow-ups | sure of a yes")
    for (name, spread), minutes, follow_ups in itertools.product(SPREADS.items(), MINUTES, FOLLOW_UPS):
        sure = sure_of_yes(60 * minutes, follow_ups, spread)
        print(f"{name} | {minutes:g} | {follow_ups:g} | {sure:.1%}")


if __name__ == "__main__":
    main()
