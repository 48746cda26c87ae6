"""A survey with a protected question, a number in bands, a number without, and a place; and rows of it."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator
from typing import Any

from privacy.coins import Coins
from privacy.survey.design import Design
from privacy.survey.grouping import disguise
from privacy.survey.layout import Layout
from privacy.survey.rotation import draw_questions
from surveys.models import Version
from tests.cast.devices import closed, published, stored, version_of
from tests.cast.runs import definition
from tests.cast.scenes import scene

RIVER = {"west": 118.702, "south": 32.002, "east": 118.708, "north": 32.008}
HILL = {"west": 118.712, "south": 32.01, "east": 118.718, "north": 32.016}
AREA = {"west": 118.70, "south": 32.0, "east": 118.72, "north": 32.02}

HOURS, WAGE, CARE = 4, 5, 6
"""Numbers of the questions in the design."""


def scale_definition(
    slug: str = "town",
    *,
    hours_of_the_old: bool = False,
    skippable: bool = False,
    wage: str = "square_wave",
    wage_epsilon: float = 3,
    everywhere: bool = False,
    turns: bool = False,
    **changes: Any,
) -> dict[str, Any]:
    """Return the small survey with two numbers and a place behind its blocks; `wage` is a mechanism.

    With `hours_of_the_old` only those of 40 and more are asked for their hours; with `skippable` the numbers
    and the place may be skipped; with `everywhere` the whole map is sensitive; with `turns` each device asks
    for two of the hours, the pay and the places.
    """
    document = definition(slug, **changes)
    if turns:
        document["rotations"] = [{"blocks": ["time", "pay", "places"], "parts_per_person": 2}]
    document["blocks"] += [
        {
            "key": "time",
            "protected": True,
            "title": {"en": "Hours"},
            "questions": [
                {
                    "key": "hours",
                    "kind": "number",
                    "text": {"en": "How many hours did you work?"},
                    "number": {
                        "mechanism": "keep",
                        "epsilon": 3,
                        "low": 0,
                        "high": 79,
                        "bin": 10,
                        "unit": {"en": "hours a week"},
                    },
                    "options": [{"key": "50-up", "text": {"en": "50 and more"}, "from": 50, "to": 79}],
                }
            ],
        },
        {
            "key": "pay",
            "protected": True,
            "title": {"en": "Pay"},
            "questions": [
                {
                    "key": "wage",
                    "kind": "number",
                    "text": {"en": "What were you paid?"},
                    "number": {"mechanism": wage, "epsilon": wage_epsilon, "low": 0, "high": 99, "bin": 5},
                }
            ],
        },
        {
            "key": "places",
            "protected": True,
            "title": {"en": "Places"},
            "questions": [
                {
                    "key": "care",
                    "kind": "place",
                    "text": {"en": "Where did you go for care?"},
                    "place": {
                        "mechanism": "utility_square",
                        "epsilon": 3,
                        "cell": 200,
                        "area": AREA,
                        "sensitive": [RIVER, HILL],
                    },
                    "options": [{"key": "river", "text": {"en": "By the river"}, "rectangles": [RIVER]}],
                }
            ],
        },
    ]
    if everywhere:
        place = document["blocks"][-1]["questions"][0]["place"]
        place |= {"mechanism": "square", "epsilon": 5}
        del place["sensitive"]
    if hours_of_the_old:
        document["blocks"][3]["asked_if"] = {"question": "age", "options": ["old"]}
    if skippable:
        for block in document["blocks"][3:]:
            block["refusal"] = True
    return document


def lit(definition: dict[str, Any]) -> dict[str, Any]:
    """State a light strength of each part: so many parts cost too much for one to be proposed."""
    for block in definition["blocks"][1:]:
        (question, *_others) = block["questions"]
        scale = question.get("number") or question.get("place")
        block["light"] = {"epsilon": scale["epsilon"] + 0.5} if scale else block["truth_probability"] + 1_000
    return definition


def true_rows(n: int, *, seed: int = 5) -> Iterator[dict[str, Any]]:
    """Yield answers of whom those who work 50 hours and more drink, and go to the river."""
    rng = random.Random(seed)
    for _ in range(n):
        long = rng.random() < 0.4
        yield {
            "you": {"age": int(rng.random() < 0.5)},
            "work": {"late": int(rng.random() < 0.3), "cheat": 0},
            "life": {"drink": int(rng.random() < (0.8 if long else 0.2))},
            "time": {"hours": rng.choice((5, 6)) if long else rng.choice((1, 2, 3))},
            "pay": {"wage": min(19, max(0, round(rng.gauss(8, 2))))},
            "places": {"care": "river" if rng.random() < (0.7 if long else 0.1) else "outside"},
        }


@scene(version_of)
def scale_answered(
    n: int = 3_000, *, n_direct: int = 0, skips: float = 0, alike: bool = False, **changes: Any
) -> Version:
    """Return a version of a closed survey with `n` rows, the first `n_direct` of them direct.

    A share `skips` of the people skip each number and place, by themselves. With `alike` all rows are one.
    """
    document = scale_definition(skippable=skips > 0, **changes)
    version = published(document)
    scale_answer(version, n, n_direct=n_direct, skips=skips, alike=alike)
    return closed(version)


def scale_answer(
    version: Version, n: int, *, n_direct: int = 0, skips: float = 0, alike: bool = False, seed: int = 5
) -> None:
    """Put the rows of `n` devices into a batch."""
    stored(version, _sent(version.to_design(), n, n_direct, skips, alike, seed))


def scale_rows(design: Design, n: int, *, n_direct: int = 0, seed: int = 5) -> list[bytes]:
    """Return what `n` devices send, some `n_direct` of them directly, or lightly disguised."""
    return list(_sent(design, n, n_direct, 0.0, False, seed))


# Many tests ask for the same rows, and all of them only read.
@functools.cache
def _sent(design: Design, n: int, n_direct: int, skips: float, alike: bool, seed: int) -> tuple[bytes, ...]:
    rng = random.Random(seed + 1)
    windows = design.questions[CARE].disguise
    river = list(windows.item_values(0).nonzero()[0])
    outside = [cell for cell in range(windows.inputs) if windows.level_of(cell) == 1]
    free = (outside or list(range(windows.inputs)))[:30]
    layout, coins = Layout(design), Coins(iter(lambda: rng.getrandbits(32), None))
    rows = []
    for number, answers in enumerate(true_rows(1 if alike else n, seed=seed)):
        cells = river if answers["places"]["care"] == "river" else free
        answers["places"]["care"] = int(rng.choice(cells))
        if design.blocks[3].asked_if is not None and not answers["you"]["age"]:
            del answers["time"]
        for block in ("time", "pay", "places") if skips else ():
            if rng.random() < skips:
                answers[block] = "skipped"
        drawn = draw_questions(design, coins) if design.rotates else None
        for block, asked in zip(design.blocks, drawn or (), strict=bool(drawn)):
            if not asked:
                del answers[block.key]
        record = disguise(design, answers, direct=number < n_direct, coins=coins, drawn=drawn)
        rows.append(layout.pack(record))
    rng.shuffle(rows)
    return tuple(rows * n if alike else rows)
