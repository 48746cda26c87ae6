"""Surveys and reports for tests of frames, simulated or all possible reports with their probabilities."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas

from mining.frames.answer_kinds import any_of, number, one_of
from mining.frames.survey import Survey

WORK = Survey(
    blocks={"work": ["cheat", "drugs"], "money": ["debts"]},
    p=0.5,
    theta={"cheat": 0.4, "drugs": 0.5, "debts": 0.3},
)

RICH = Survey(
    blocks={
        "work": {"cheat": None, "job": one_of("office", "NA", "field"), "perks": any_of("car", "phone")},
        "money": ["debts", "loans", "tax"],
        "pay": number(low=0, high=79, bin=10, epsilon=2),
    },
    p={"work": 0.6, "money": "1/4"},
    theta={
        "cheat": 0.5, "debts": 0.3, "loans": 0.5, "tax": 0.5, "perks": 0.4,
        "job": {"office": 0.5, "NA": 0.2, "field": 0.3},
    },
    skip={"work": 0.1},
    questions_per_person={"money": 2},
    open={"year": one_of("1", "2"), "city": None},
)  # fmt: skip


def people(n: int, seed: int = 5) -> pandas.DataFrame:
    """Return true, dependent answers to `WORK`, with open columns."""
    rng = np.random.default_rng(seed)
    cheat = rng.random(n) < 0.3
    return pandas.DataFrame(
        {
            "cheat": cheat,
            "drugs": rng.random(n) < np.where(cheat, 0.5, 0.15),
            "debts": rng.random(n) < np.where(cheat, 0.45, 0.35),
            "year": rng.integers(1, 4, n),
            "female": rng.random(n) < 0.5,
            "school": rng.integers(0, 40, n),
            "weight": rng.integers(1, 4, n),
        }
    )


def rich_people(n: int, seed: int = 6) -> pandas.DataFrame:
    """Return true answers to `RICH`."""
    rng = np.random.default_rng(seed)
    frame = pandas.DataFrame(
        {name: rng.integers(0, 2, n) for name in ("cheat", "debts", "loans", "tax", "city")}
    )
    frame["job"] = rng.choice(["office", "NA", "field"], n)
    frame["year"] = rng.integers(1, 3, n)
    frame["perks=car"], frame["perks=phone"] = rng.integers(0, 2, (2, n))
    frame["pay"] = rng.integers(0, 80, n)
    return frame


def all_reports(
    truth: Mapping[tuple[int, ...], float],
    names: Sequence[str],
    blocks: Sequence[tuple[Sequence[int], float, Sequence[float]]],
) -> pandas.DataFrame:
    """Return every possible report of these true rows, with its probability as the column "weight".

    Blocks are (positions of their questions, p, theta of each). This is a separate implementation of what a
    device does.
    """
    rows: list[dict[str, Any]] = []
    for row, share in truth.items():
        for sent in itertools.product((0, 1), repeat=len(names)):
            chance = share
            for positions, p, theta in blocks:
                decoy = np.prod([t if sent[at] else 1 - t for at, t in zip(positions, theta, strict=True)])
                same = all(sent[at] == row[at] for at in positions)
                chance *= p * same + (1 - p) * decoy
            rows.append({**dict(zip(names, sent, strict=True)), "weight": chance})
    return pandas.DataFrame(rows)


TRIAL = Survey(
    blocks={
        "b": ["a", "c"],
        "m": {"job": one_of("x", "y", "z")},
        "pay": number(low=0, high=79, bin=10, epsilon=3),
    },
    p={"b": 0.7, "m": 0.6},
)

_RNG, _N = np.random.default_rng(12), 3000

ARM = pandas.Categorical(_RNG.choice(["none", "leaflet", "talk"], _N), ["none", "leaflet", "talk"])

TRIAL_TRUTH = pandas.DataFrame(
    {
        "a": _RNG.random(_N) < np.where(ARM == "talk", 0.6, 0.2),
        "c": _RNG.random(_N) < 0.5,
        "job": _RNG.choice(["x", "y", "z"], _N),
        "pay": _RNG.integers(0, 80, _N),
    }
)

TRIAL_SENT = TRIAL.disguise(TRIAL_TRUTH, seed=4).assign(arm=ARM, school=np.arange(_N) % 30)

TRIAL_REPORTS = TRIAL.on(TRIAL_SENT)
"""Three randomised arms; a talk raises the share of `a` from .2 to .6."""
