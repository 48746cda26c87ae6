"""The browser's samplers of numbers and places, on the platform's generator, against the exact channels."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.statistics import POWER, chi_square, chi_square_limit, chi_square_power
from tests.vectors.scale_designs import NUMBERS, PLACES

JS = Path(__file__).parents[2] / "js"
DRAWS = 15_000
TRUTHS = {
    "square wave": [0, 5],
    "huge weights": [3],
    "wide or any": [0, 11],
    "duchi": [2],
    "hybrid": [9],
    "square mechanism": [0, 44],
    "utility-optimised": [11, 9, 79],
    "windows of one area": [0],
    "tiles": [46],
    "two levels": [6, 79],
}


@pytest.fixture(scope="module")
def counts() -> dict[str, list[list[int]]]:
    designs = {name: {**NUMBERS, **PLACES}[name] for name in TRUTHS}
    asked = {name: {"design": design.to_json(), "truths": TRUTHS[name]} for name, design in designs.items()}
    done = subprocess.run(
        ["node", str(JS / "count_scale.js"), str(DRAWS)],
        input=json.dumps(asked), check=True, capture_output=True, text=True,
    )  # fmt: skip
    found: dict[str, list[list[int]]] = json.loads(done.stdout)
    return found


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "place"), [(name, place) for name in TRUTHS for place in range(len(TRUTHS[name]))]
)
def test_what_the_browser_sends_is_distributed_as_the_channel_says(
    counts: dict[str, list[list[int]]], name: str, place: int
) -> None:
    disguise = {**NUMBERS, **PLACES}[name].questions[0].disguise
    assert disguise is not None
    chances = disguise.channel.as_array()[:, TRUTHS[name][place]]
    # Counted by answers, of which a coin has more than outputs.
    seen = np.zeros(max(len(chances), len(counts[name][place])))
    seen[: len(counts[name][place])] = counts[name][place]
    assert not seen[len(chances) :].any()
    seen = seen[: len(chances)]
    # What cannot be sent is never sent; rare outputs are looked at together.
    assert not seen[chances == 0].any()
    possible = np.flatnonzero(chances)
    order = possible[np.argsort(chances[possible])]
    rare = order[np.cumsum(chances[order]) * DRAWS < 60]
    cells = [group for group in (rare, *([one] for one in order[len(rare) :])) if len(group)]
    expected = [float(chances[group].sum()) for group in cells]
    if len(cells) > 1 and expected[0] * DRAWS < 5:
        expected = [expected[0] + expected[1], *expected[2:]]
        cells = [np.concatenate([cells[0], cells[1]]), *cells[2:]]
    observed = [int(seen[group].sum()) for group in cells]
    assert sum(observed) == DRAWS
    assert chi_square(observed, expected) <= chi_square_limit(len(cells))


def test_a_device_that_favours_the_window_by_a_fifth_would_be_found() -> None:
    disguise = NUMBERS["square wave"].questions[0].disguise
    assert disguise is not None
    fair = disguise.channel.as_array()[:, 5]
    drifted = np.where(fair == fair.max(), fair * 1.2, fair)
    assert chi_square_power(DRAWS, fair.tolist(), (drifted / drifted.sum()).tolist()) > POWER
