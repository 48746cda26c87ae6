"""A survey of which the generating law says which rules are true: two pairs of items go together."""

from __future__ import annotations

import numpy as np

from benchmarks.simulation import study_design
from mining.columns.bitmatrix import BitMatrix
from tests.cast.vectorised import disguise_rows, draw_coins

DESIGN = study_design([3, 3], truth_probability=7000, unrelated=5000)
N = 1500


def planted(rng: np.random.Generator) -> np.ndarray:
    """Items 0 and 3 go together, 1 and 2 do; everything else is independent."""
    rows = rng.random((N, 6)) < 0.4
    rows[:, 3] = rng.random(N) < np.where(rows[:, 0], 0.7, 0.2)
    rows[:, 2] = rng.random(N) < np.where(rows[:, 1], 0.6, 0.27)
    return rows


def is_true(antecedent: tuple[int, ...], consequent: tuple[int, ...]) -> bool:
    """Whether the generating law makes the two sides dependent: a pair stands across the arrow."""
    return any(
        (a in antecedent and b in consequent) or (b in antecedent and a in consequent)
        for a, b in ((0, 3), (1, 2))
    )


def sent(seed: int) -> BitMatrix:
    rng = np.random.default_rng([77, seed])
    truth = planted(rng)
    direct = rng.random(N) < 0.2
    rows = disguise_rows(DESIGN, truth, direct, draw_coins(DESIGN, N, rng))
    return BitMatrix.from_booleans(DESIGN, rows, direct)
