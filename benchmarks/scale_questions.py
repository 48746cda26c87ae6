"""Time number and place questions: a draw in JavaScript, and a report on a million answers.

    python -m benchmarks.scale_questions

Prints one line per figure. Reconstruction is timed from packed rows, as in a report.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from pathlib import Path

import numpy as np

from mining.columns.sent_counts import sent_counts
from privacy.scales.area import Area
from privacy.scales.decoded_numbers import mean
from privacy.scales.mixed_fit import mixed_fit
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import square_wave
from privacy.scales.planar_mechanisms import UTILITY, square_mechanism, utility_square
from privacy.scales.planar_parts import map_parts
from privacy.scales.planar_window import Operator
from privacy.scales.quantities import bars, quantiles
from privacy.scales.region_share import region_share
from privacy.scales.scale_groups import scale_groups
from privacy.scales.skips import Disguise
from privacy.scales.window import WindowChannel
from privacy.survey.design import Block, Design, GroupPolicy, Question
from privacy.survey.layout import Layout
from surveys.runs.places import made_density

HERE = Path(__file__).parent
N = 1_000_000


def _design(disguise: Disguise) -> Design:
    kind = "number" if isinstance(disguise, WindowChannel) else "place"
    question = Question(key="x", kind=kind, options=(), unrelated=(), disguise=disguise)
    block = Block(key="b", protected=True, truth_probability=0, questions=(question,))
    return Design(blocks=(block,), group=GroupPolicy(), use="live")


def _rows(design: Design, values: np.ndarray) -> bytes:
    """Pack values as devices send them."""
    layout = Layout(design)
    start, width = layout.value_bits(0)
    bits = np.zeros((len(values), 8 * layout.n_bytes), dtype=np.uint8)
    bits[:, layout.presence_bit(0)] = 1
    for place in range(width):
        bits[:, start + place] = values >> (width - 1 - place) & 1
    return np.packbits(bits, axis=1).tobytes()


def _timed(label: str, work) -> object:
    began, used = time.perf_counter(), time.process_time()
    found = work()
    took = time.perf_counter() - began
    print(f"{label}: {took:.3f} s, {time.process_time() - used:.3f} s of the processor's")
    return found


def _areas(side: int, count: int) -> list[tuple[int, int, int, int]]:
    """Return `count` rectangles with sides of about a fifth of the map's side, at reproducible places."""
    rng, size = np.random.default_rng(count), side // 5
    return [(int(x), int(y), size, size * 4 // 5) for x, y in rng.integers(0, side - size, (count, 2))]


def _sizes() -> None:
    """Time the choice of windows and tiles when a researcher writes a place question."""
    for side, counts in ((100, (3,)), (971, (1, 6, 20, 60))):
        area = Area(west=0, south=0, east=10_000 * side, north=10_000 * side, columns=side, rows=side)
        for epsilon in (1.0, 3.0):
            for count in counts:
                areas = _areas(area.columns, count)
                for name, make in UTILITY.items():
                    _timed(
                        f"{name} for {side * side:,} cells, {count} sensitive areas, epsilon {epsilon:g}",
                        lambda area=area, areas=areas, epsilon=epsilon, make=make: make(area, areas, epsilon),
                    )


def _parts() -> None:
    """Time the parts of a map of a million cells, and their scores."""
    area = Area(west=0, south=0, east=10**7, north=10**7, columns=1000, rows=1000)
    windows = square_mechanism(area, 8.0, side=20)
    parts = _timed("parts of a map of 1,000,000 cells", lambda: map_parts(windows))
    counts = np.ones(1_000_000)
    _timed(
        f"shares of these {len(parts)} parts with errors",
        lambda: [region_share(windows, scale_groups(windows, counts), part) for part in parts],
    )


def main() -> None:
    """Run all measurements."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    rng = np.random.default_rng(8)
    boxes = [(int(x), int(y), 90, 70) for x, y in rng.integers(0, 900, (20, 2))]
    large = Area(west=0, south=0, east=10**7, north=10**7, columns=1000, rows=1000)
    wide = _timed(
        "utility-optimised square on 1,000,000 cells, 20 rectangles, made",
        lambda: utility_square(large, boxes, 2.0),
    )
    done = subprocess.run(
        ["node", str(HERE / "lone_draws.js"), "2000"],
        input=json.dumps(_design(wide).to_json()), check=True, capture_output=True, text=True,
    )  # fmt: skip
    found = json.loads(done.stdout)
    print(
        f"one draw there, in JavaScript: median {found['median']:.3f} ms, "
        f"99 of 100 within {found['late']:.3f} ms, all within {found['slowest']:.3f} ms"
    )

    small = Area(west=0, south=0, east=10**6, north=10**6, columns=100, rows=100)
    _sizes()
    _parts()
    usm = utility_square(small, [(20, 20, 30, 30), (60, 55, 25, 20)], 2.0)
    y, x = np.mgrid[:100, :100]
    shares = np.exp(-((x - 30) ** 2 + (y - 40) ** 2) / 300) + 0.02
    cells = rng.choice(10_000, size=N, p=Operator(usm).forward(shares / shares.sum()).ravel())
    rows = _rows(_design(usm), cells)
    for smooth in (False, True):
        name = "smoothed" if smooth else "plain"
        _timed(
            f"density on 100 x 100 cells from {N:,} rows, {name}",
            lambda smooth=smooth: mixed_fit(
                usm, scale_groups(usm, sent_counts(_design(usm), 0, rows).protected), smooth=smooth
            ),
        )

    sent = sent_counts(_design(usm), 0, rows)
    for smooth in (False, True):
        name = "smoothed" if smooth else "plain"
        _timed(
            f"the same with errors of all its cells, {name}",
            lambda smooth=smooth: made_density(usm, sent, smooth=smooth, seed=1),
        )

    wave = square_wave(NumberRange(low=0, high=99), 1.0)
    ages = np.exp(-((np.arange(100) - 40) ** 2) / 400)
    values = rng.choice(wave.outputs, size=N, p=wave.as_array() @ (ages / ages.sum()))
    rows = _rows(_design(wave), values)
    _timed(
        f"distribution of {N:,} numbers in 100 bins from rows",
        lambda: mixed_fit(
            wave, scale_groups(wave, sent_counts(_design(wave), 0, rows).protected), smooth=True
        ),
    )
    counts = sent_counts(_design(wave), 0, rows).protected
    _timed("100 bars with intervals", lambda: bars(wave, scale_groups(wave, counts)))
    _timed("mean with interval", lambda: mean(wave, scale_groups(wave, counts)))
    _timed("three quantiles with intervals", lambda: quantiles(wave, scale_groups(wave, counts)))
    fine = square_wave(NumberRange(low=0, high=9_999), 1.0)
    sent = rng.multinomial(N, np.full(fine.outputs, 1 / fine.outputs))
    _timed("three quantiles of 10,000 bins", lambda: quantiles(fine, scale_groups(fine, sent)))


if __name__ == "__main__":
    main()
