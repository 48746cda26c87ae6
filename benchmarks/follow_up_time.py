"""Measure how much an observer learns about a filter question from the time that a visit takes.

    python -m benchmarks.follow_up_time [--visits 200000] [--seed 84]

The observer sees when the page was opened and when the answer arrived, but no record. Times are log-normal:
the survey without follow-ups takes a median of 1, 3 or 10 minutes. People differ in pace (a log standard
deviation of .25) and each visit varies (.15). Both are assumptions, and low ones: times that vary more reveal
less. A yes adds the time of the follow-ups. Before, the observer is undecided (50:50).

For each case it prints the certainty that one visit in twenty of people with a yes exceeds, if the observer
does not know the person's pace, and if it is known.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any, Final

import numpy as np

PACE: Final = 0.25
VISIT: Final = 0.15
MINUTES: Final = (1, 3, 10)
FOLLOW_UPS: Final = (0, 5, 20, 60)
"""Seconds that a yes adds. With follow-ups for everyone, about 5 s remain: answers that apply take longer."""
BINS: Final = 100


def times(
    minutes: float, added: float, n: int, *, known_pace: bool, rng: np.random.Generator
) -> np.ndarray[Any, Any]:
    """Return the seconds that visits take.

    Parameters
    ----------
    minutes : float
        Median of a visit without follow-ups.
    added : float, seconds
        Median time of the follow-ups.
    n : int
    known_pace : bool
        Whether the observer knows the person's pace: then only the variation between visits remains.
    rng : numpy.random.Generator
    """
    pace = np.ones(n) if known_pace else np.exp(PACE * rng.standard_normal(n))
    base = 60 * minutes * pace * np.exp(VISIT * rng.standard_normal(n))
    return base + (added * pace * np.exp(VISIT * rng.standard_normal(n)) if added else 0.0)


def certainty(
    minutes: float, added: float, visits: int, *, known_pace: bool, rng: np.random.Generator
) -> float:
    """Return the posterior that one visit of someone with a yes in twenty exceeds, from prior odds of 1.

    Parameters
    ----------
    minutes, added, known_pace, rng
        As for `times`.
    visits : int
        Number of simulated visits for each density, and again for the posterior.

    Notes
    -----
    The likelihood ratio is that of histograms of log time with 100 bins, from separate samples. Empty bins
    get half a visit.
    """
    sample = [
        np.log(times(minutes, seconds, visits, known_pace=known_pace, rng=rng)) for seconds in (0.0, added)
    ]
    edges = np.linspace(min(map(np.min, sample)), max(map(np.max, sample)), BINS + 1)
    no, yes = (np.histogram(own, edges)[0] + 0.5 for own in sample)
    fresh = np.log(times(minutes, added, visits, known_pace=known_pace, rng=rng))
    at = np.clip(np.searchsorted(edges, fresh, side="right") - 1, 0, BINS - 1)
    return float(np.quantile(yes[at] / (yes[at] + no[at]), 0.95))


def measure(visits: int, seed: int) -> list[dict[str, float]]:
    """Return one row per length of the survey and of the follow-ups."""
    rng = np.random.default_rng(seed)
    return [
        {
            "minutes": minutes,
            "added": added,
            "unknown": certainty(minutes, added, visits, known_pace=False, rng=rng),
            "known": certainty(minutes, added, visits, known_pace=True, rng=rng),
        }
        for minutes in MINUTES
        for added in FOLLOW_UPS
    ]


def main(arguments: list[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--visits", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=84)
    given = parser.parse_args(arguments)
    print("survey   a yes adds  one visit in twenty: unknown pace  known pace")
    for row in measure(given.visits, given.seed):
        print(
            f"{row['minutes']:>3} min  {row['added']:>6} s  {100 * row['unknown']:>33.0f}%"
            f"  {100 * row['known']:>9.0f}%"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
