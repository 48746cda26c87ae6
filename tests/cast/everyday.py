"""A survey with every kind of question, each asked of everybody, and devices of people who answer it."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mining.thresholds import Thresholds
from privacy.coins import Coins
from privacy.survey.design import Design
from privacy.survey.grouping import disguise
from privacy.survey.layout import Layout
from surveys.models import Version
from tests.cast.devices import published

THRESHOLDS = Thresholds(support=0.05, max_size=2)

# Cells of the two sensitive places, and one outside of both.
RIVER, HILL, OUTSIDE = 15 * 47 + 13, 29 * 47 + 35, 3 * 47 + 20


def everyday_definition(**changes: Any) -> dict[str, Any]:
    """Return its definition, changed at the top; live unless asked otherwise."""
    text = Path(__file__).with_name("definitions").joinpath("all_kinds.json").read_text(encoding="utf-8")
    return {**json.loads(text), "practice": False, **copy.deepcopy(changes)}


def everyday(**changes: Any) -> Version:
    """Publish it."""
    return published(everyday_definition(**changes))


def people(n: int, *, seed: int = 8) -> Iterator[dict[str, Any]]:
    """Yield true answers: who works long goes to the river more often."""
    rng = random.Random(seed)
    for _ in range(n):
        long = rng.random() < 0.5
        river = rng.random() < (0.7 if long else 0.1)
        yield {
            "way": {"travel": rng.randrange(3), "shifts": int(long)},
            "strain": {"unpaid": int(long and rng.random() < 0.8), "lately": [rng.getrandbits(1), 0]},
            "visits": {"doctor": 0 if not river else 2},
            "time": {"hours": rng.choice((5, 6)) if long else rng.choice((1, 2))},
            "pay": {"wage": min(39, max(0, round(rng.gauss(15, 5))))},
            "places": {"care": RIVER if river else rng.choice((HILL, OUTSIDE, OUTSIDE))},
        }


def bodies(design: Design, n: int, *, seed: int = 8) -> list[bytes]:
    """Return what the devices of `n` people send."""
    rng = random.Random(seed + 1)
    words = iter(lambda: rng.getrandbits(32), None)
    layout = Layout(design)
    return [
        layout.pack(disguise(design, answers, direct=False, coins=Coins(words)))
        for answers in people(n, seed=seed)
    ]
