"""Simulate surveys with a tick-all question, and compare coverage and width with the plan.

    python -m benchmarks.lists [--surveys 200] [--people 400] [--seed 9] [--json]

Six yes/no questions and one list of eight answers, in one part that can be skipped, laid out as the plan with
medium protection says. The answers of a list go together, and most are rare: 1% to 50%. One person in fifty
skips. The estimand is the share among those who do not skip.
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

QUESTIONS: Final = tuple(f"q{number}" for number in range(1, 7))
OPTIONS: Final = tuple(f"l{number}" for number in range(1, 9))
NAMES: Final = (*QUESTIONS, *(f"list={option}" for option in OPTIONS))
SHARES: Final = (0.5, 0.3, 0.2, 0.1, 0.05, 0.01, 0.4, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01)
SKIPS: Final = 0.02


def people(n: int, rng: np.random.Generator) -> pandas.DataFrame:
    """Return true answers of `n` people; some people say yes to more of the list than others.

    Parameters
    ----------
    n : int
    rng : numpy.random.Generator
    """
    own = rng.random((n, len(NAMES)))
    # Half of the answers follow one draw per person, so that the answers of a list go together.
    shared = np.where(rng.random((n, len(NAMES))) < 0.5, rng.random((n, 1)), own)
    answers, skips = (shared < np.array(SHARES)).astype(float), rng.random(n) < SKIPS
    answers[skips] = np.nan
    frame = pandas.DataFrame(answers, columns=list(NAMES))
    return frame.assign(**{"part.skipped": skips.astype(int)})


@lru_cache(maxsize=4)
def planned(n: int) -> tuple[sottovoce.Survey, float]:
    """Return the planned survey and the half-width at a share of one half."""
    part: Any = {**dict.fromkeys(QUESTIONS), "list": sottovoce.any_of(OPTIONS)}
    plan = sottovoce.Survey({"part": part}, p=0.5, skip={"part": 0.2}).plan(n)
    return plan.survey, float(plan.to_frame().half_width.max())


def simulated(n: int, surveys: int, *, seed: int) -> dict[str, Any]:
    """Return coverage and width of the intervals of some surveys, by share.

    Parameters
    ----------
    n, surveys : int
    seed : int
    """
    rng = np.random.default_rng(seed)
    survey, width = planned(n)
    reports = survey.disguise(people(n * surveys, rng), seed=int(rng.integers(2**62)))
    covered, widths = np.zeros(len(NAMES)), np.zeros(len(NAMES))
    for start in range(0, n * surveys, n):
        found = survey.on(reports.iloc[start : start + n])
        for at, (name, share) in enumerate(zip(NAMES, SHARES, strict=True)):
            low, high = found.share(name).interval()
            covered[at] += low <= share <= high
            widths[at] += (high - low) / 2
    return {
        "planned": width,
        "widest": float(widths.max() / surveys),
        "coverage": {
            name: float(count / surveys) for name, count in zip(NAMES, covered.tolist(), strict=True)
        },
    }


def main(arguments: list[str] | None = None) -> int:
    """Print the table, or JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--surveys", type=int, default=200)
    parser.add_argument("--people", type=int, default=400)
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    result = simulated(given.people, given.surveys, seed=given.seed)
    if given.json:
        print(json.dumps({"machine": machine(), **result}))
        return 0
    error = math.sqrt(0.95 * 0.05 / given.surveys)
    print(f"{given.surveys} surveys of {given.people} people; standard error of coverage {100 * error:.1f}")
    print(f"half-width: planned ±{100 * result['planned']:.1f}, widest ±{100 * result['widest']:.1f}")
    for (name, coverage), share in zip(result["coverage"].items(), SHARES, strict=True):
        print(f"{name:8} share {share:.2f}  coverage {100 * coverage:.1f}%")
    return 0


if __name__ == "__main__":
    sys.exit(main())
