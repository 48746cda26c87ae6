"""Simulate surveys with a composite question, and compare coverage and width with the plan.

    python -m benchmarks.composites [--surveys 400] [--people 300] [--seed 84] [--json]

Each device has ten components, of which it sends none: the answer is *at least one of ten*, disguised as the
plan with medium protection says. With a skip, some people leave out one component, which counts as no, and
some three, which makes the answer a skip. The estimand is the share of people whose device computes yes.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from functools import lru_cache
from typing import Any, Final

import numpy as np
import pandas

import sottovoce
from benchmarks.machine import machine

ACTS: Final = tuple(f"act{number}" for number in range(1, 11))
SHARES: Final = (0.5, 0.3, 0.1)
FURTHER: Final = 0.2
"""Probability of each further act, for people with at least one."""
ONE_GAP: Final = 0.1
THREE_GAPS: Final = 0.02
"""Shares of people who leave out one component, and three."""


def people(share: float, n: int, *, gaps: bool, rng: np.random.Generator) -> pandas.DataFrame:
    """Return true answers to the components; NaN is a gap.

    Parameters
    ----------
    share : float
        Probability that someone has at least one act: a random one, and each other with probability .2.
    n : int
        Number of people.
    gaps : bool
        Whether some people leave components out.
    rng : numpy.random.Generator
    """
    first, order = rng.integers(len(ACTS), size=n), rng.random((n, len(ACTS))).argsort(axis=1)
    acts = (rng.random((n, len(ACTS))) < FURTHER).astype(float)
    acts[np.arange(n), first] = 1
    acts[rng.random(n) >= share] = 0
    if gaps:
        draw = rng.random(n)
        left_out = np.where(draw < THREE_GAPS, 3, np.where(draw < THREE_GAPS + ONE_GAP, 1, 0))
        acts[order < left_out[:, None]] = np.nan
    return pandas.DataFrame(acts, columns=list(ACTS))


def estimand(share: float, *, gaps: bool) -> float:
    """Return the share of people whose device computes yes.

    One gap hides the only act of someone with probability 1/10; three gaps are a skip.

    Parameters
    ----------
    share : float
    gaps : bool

    Examples
    --------
    >>> estimand(0.5, gaps=False), round(estimand(0.5, gaps=True), 6)
    (0.5, 0.489329)
    """
    if not gaps:
        return share
    only_one = (1 - FURTHER) ** (len(ACTS) - 1)
    return share * (1 - THREE_GAPS - ONE_GAP * only_one / len(ACTS))


@lru_cache(maxsize=8)
def planned(share: float, n: int, *, can_skip: bool) -> tuple[sottovoce.Survey, float]:
    """Return the planned survey and its half-width at this share."""
    any_of_ten = sottovoce.at_least(1, ACTS)
    skip = {"acts": 0.2} if can_skip else {}
    plan = sottovoce.Survey({"acts": {"any": any_of_ten}}, p=0.5, skip=skip).plan(n, guesses=share)
    return plan.survey, float(plan.to_frame().half_width.iloc[0])


def simulated(share: float, n: int, surveys: int, *, can_skip: bool, seed: int) -> dict[str, Any]:
    """Return coverage and width of the intervals of some surveys.

    Parameters
    ----------
    share : float
        Share of people with at least one act.
    n, surveys : int
    can_skip : bool
        Whether the part offers a skip, and some people leave components out.
    seed : int
    """
    rng = np.random.default_rng([seed, round(1000 * share), int(can_skip)])
    survey, width = planned(share, n, can_skip=can_skip)
    truth = estimand(share, gaps=can_skip)
    answers = people(share, n * surveys, gaps=can_skip, rng=rng)
    reports = survey.disguise(answers, seed=int(rng.integers(2**62)))
    covered, widths = 0, []
    for start in range(0, n * surveys, n):
        low, high = survey.on(reports.iloc[start : start + n]).share("any").interval()
        covered += bool(low <= truth <= high)
        widths.append((high - low) / 2)
    return {
        "share": share,
        "skip": can_skip,
        "coverage": covered / surveys,
        "planned": width,
        "width": float(np.mean(widths)),
        "ratio": float(np.mean(widths)) / width,
    }


def measure(people: int, surveys: int, seed: int) -> list[dict[str, Any]]:
    """Return one row for each share, without and with a skip."""
    return [
        simulated(share, people, surveys, can_skip=can_skip, seed=seed)
        for can_skip in (False, True)
        for share in SHARES
    ]


def main(arguments: list[str] | None = None) -> int:
    """Print the table, or JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--surveys", type=int, default=400)
    parser.add_argument("--people", type=int, default=300)
    parser.add_argument("--seed", type=int, default=84)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    rows = measure(given.people, given.surveys, given.seed)
    if given.json:
        print(json.dumps({"machine": machine(), "rows": rows}))
        return 0
    error = math.sqrt(0.95 * 0.05 / given.surveys)
    print(f"{given.surveys} surveys of {given.people} people; standard error of coverage {100 * error:.1f}")
    print("share  skip   coverage  planned  width   ratio")
    for row in rows:
        print(
            f"{row['share']:<6} {row['skip']!s:<6} {100 * row['coverage']:6.1f}%  "
            f"±{100 * row['planned']:.1f}   ±{100 * row['width']:.1f}   {row['ratio']:.3f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
