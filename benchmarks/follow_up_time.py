"""Measure how much an observer learns about a filter question from the time that a visit takes.

    python -m benchmarks.follow_up_time [--visits 200000] [--seed 84]

The observer sees when the page was opened and when the answer arrived, but no record. Times are log-normal:
the survey without follow-ups takes a median of 1, 3 or 10 minutes. People differ in pace (a log standard
deviation of .25) and each visit varies (.15). Both are assumptions, and low ones: times that vary more reveal
less. A yes adds the time of the follow-ups, a no that of the neutral questions, if there are any: none, half,
three quarters or all of the time of the follow-ups. Before, the observer is undecided (50:50).

For each case it prints the certainty that one visit in twenty of people with a yes exceeds, and as a
likelihood ratio how much more often such a time occurs after a yes than after a no; if the observer does not
know the person's pace, and if it is known.
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
NEUTRAL: Final = (0.0, 0.5, 0.75, 1.0)
"""Median time of the neutral questions after a no, as a share of that of the follow-ups."""
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
    minutes: float,
    added: float,
    visits: int,
    *,
    neutral: float = 0.0,
    known_pace: bool,
    rng: np.random.Generator,
) -> float:
    """Return the posterior that one visit of someone with a yes in twenty exceeds, from prior odds of 1.

    Parameters
    ----------
    minutes, added, known_pace, rng
        As for `times`.
    neutral : float, seconds
        Median time of the neutral questions after a no.
    visits : int
        Number of simulated visits for each density, and again for the posterior.

    Notes
    -----
    The likelihood ratio is that of histograms of log time with 100 bins, from separate samples. Empty bins
    get half a visit.
    """
    sample = [
        np.log(times(minutes, seconds, visits, known_pace=known_pace, rng=rng))
        for seconds in (neutral, added)
    ]
    edges = np.linspace(min(map(np.min, sample)), max(map(np.max, sample)), BINS + 1)
    no, yes = (np.histogram(own, edges)[0] + 0.5 for own in sample)
    fresh = np.log(times(minutes, added, visits, known_pace=known_pace, rng=rng))
    at = np.clip(np.searchsorted(edges, fresh, side="right") - 1, 0, BINS - 1)
    return float(np.quantile(yes[at] / (yes[at] + no[at]), 0.95))


def likelihood_ratio(certainty: float) -> float:
    """Return the likelihood ratio that turns prior odds of 1 into a certainty.

    >>> round(likelihood_ratio(0.75), 9)
    3.0
    """
    return certainty / (1 - certainty)


def measure(visits: int, seed: int) -> list[dict[str, float]]:
    """Return one row per length of the survey, of the follow-ups, and of the neutral questions."""
    rng = np.random.default_rng(seed)
    cases = [(added, share) for added in FOLLOW_UPS for share in NEUTRAL if added or not share]
    return [
        {
            "minutes": minutes,
            "added": added,
            "neutral": share,
            **{
                name: certainty(minutes, added, visits, neutral=share * added, known_pace=known_pace, rng=rng)
                for name, known_pace in (("unknown", False), ("known", True))
            },
        }
        for minutes in MINUTES
        for added, share in cases
    ]


def main(arguments: list[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--visits", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=84)
    given = parser.parse_args(arguments)
    print("one visit in twenty of people with a yes: certainty (likelihood ratio)")
    print("survey   follow-ups  neutral   unknown pace     known pace")
    for row in measure(given.visits, given.seed):
        figures = [
            f"{100 * row[name]:.0f}% ({likelihood_ratio(row[name]):.2g})" for name in ("unknown", "known")
        ]
        print(
            f"{row['minutes']:>3} min  {row['added']:>8} s  {100 * row['neutral']:>6.0f}%"
            f"  {figures[0]:>13}  {figures[1]:>13}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
