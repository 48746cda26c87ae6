"""Simulate the coverage of the intervals, which enumeration cannot show.

Each point may raise a false alarm once in a million runs if its coverage is between .935 and .965 (as the
tests require), and finds a coverage of .90, or of .99, with probability .999.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.stats import chi2

from privacy.estimation.equations import MEASURES, inversion_intervals
from privacy.estimation.moments import ContingencyTables, GroupCells, Scores
from tests.statistics import POWER, binomial_power, binomial_range

REPETITIONS = 5000
SEED = 20_260_401
CHI2 = float(chi2.ppf(0.95, 1))
LEAST, MOST = 0.935, 0.965

BITS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)  # (A, B) by cell


@dataclass(frozen=True)
class Point:
    """One rule A -> B in one survey."""

    n: int
    blocks: int
    p: float
    theta: float
    k: float
    protected: tuple[float, float, float]
    """P(A), P(B) and lift in the protected group."""
    direct: tuple[float, float, float]
    light: float = 1.0
    """p of the direct group."""

    def channel(self, p: float) -> np.ndarray:
        decoy = np.array([1 - self.theta, self.theta])
        if self.blocks == 1:
            return p * np.eye(4) + (1 - p) * np.kron(decoy, decoy)[:, None]
        one = p * np.eye(2) + (1 - p) * decoy[:, None]
        return np.kron(one, one)

    def cells(self, p: float, true: np.ndarray, rng: np.random.Generator) -> GroupCells:
        """Disguise the true rows of a group, shape (repetitions, 4)."""
        channel = self.channel(p)
        sent = sum(rng.multinomial(true[:, cell], channel[:, cell]) for cell in range(4))
        a, b = BITS.T
        decoy = (1 - p) * self.theta
        both = (a - decoy) * (b - decoy) if self.blocks == 2 else a * b - decoy * self.theta
        numerator = np.stack([both, a - decoy, b - decoy])
        return GroupCells(
            rows=np.asarray(sent),
            numerator=np.repeat(numerator[:, None], len(true), axis=1),
            truth=np.repeat(np.array([[p**self.blocks], [p], [p]]), len(true), axis=1),
        )


def joint(a: float, b: float, lift: float) -> np.ndarray:
    both = a * b * lift
    return np.array([1 - a - b + both, b - both, a - both, both])


def simulate(point: Point, rng: np.random.Generator) -> tuple[ContingencyTables, np.ndarray]:
    """Draw true rows and groups, disguise them; return cells and the truth, shape (4, 1)."""
    true = np.concatenate([point.k * joint(*point.direct), (1 - point.k) * joint(*point.protected)])
    rows = rng.multinomial(point.n, true, size=REPETITIONS)
    cells = ContingencyTables.of_groups(
        (point.cells(point.light, rows[:, :4], rng), point.cells(point.p, rows[:, 4:], rng)),
        positions=np.arange(REPETITIONS),
        n_blocks=point.blocks,
    )
    return cells, (true[:4] + true[4:])[:, None]


POINTS = {
    "one block, all protected": Point(1000, 1, 0.5, 0.5, 0.0, (0.3, 0.4, 1.3), (0, 0, 0)),
    "two blocks and self-selection": Point(2000, 2, 0.6, 0.5, 0.2, (0.3, 0.35, 1.2), (0.2, 0.25, 1.5)),
    "a rare item among many rows": Point(10_000, 2, 0.5, 0.3, 0.2, (0.08, 0.3, 1.4), (0.06, 0.3, 1.4)),
    "two strengths and self-selection": Point(
        2000, 2, 0.6, 0.5, 0.2, (0.3, 0.35, 1.2), (0.2, 0.25, 1.5), light=0.85
    ),
}


def test_the_simulation_finds_coverages_that_are_off() -> None:
    assert binomial_power(REPETITIONS, LEAST, 0.90 - LEAST) > POWER
    assert binomial_power(REPETITIONS, MOST, 0.99 - MOST) > POWER


@pytest.mark.soak
@pytest.mark.parametrize("name", POINTS)
def test_intervals_hold_the_truth_as_often_as_they_say(name: str) -> None:
    point = POINTS[name]
    cells, cell_shares = simulate(point, np.random.default_rng(SEED))
    both, a, b = cell_shares[3], cell_shares[2] + cell_shares[3], cell_shares[1] + cell_shares[3]
    truths = {
        "support": both,
        "confidence": both / a,
        "lift": both / (a * b),
        "leverage": both - a * b,
        "conviction": a * (1 - b) / (a - both),
    }
    found = inversion_intervals(MEASURES, Scores.of(cells), CHI2)
    least, most = binomial_range(REPETITIONS, LEAST)[0], binomial_range(REPETITIONS, MOST)[1]
    for measure in MEASURES:
        interval = found[measure]
        holding = int(((interval.low <= truths[measure]) & (truths[measure] <= interval.high)).sum())
        assert least <= holding <= most, f"{measure}: {holding} of {REPETITIONS} hold the truth, seed {SEED}"
