"""Data for comparing engines: a million disguised rows of 60 yes/no items with planted rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.simulation import study_design
from mining.columns.bitmatrix import BitMatrix
from privacy.survey.design import Design

TRUTH_PROBABILITY: Final = 3000
UNRELATED: Final = 6000
DIRECT_SHARE: Final = 0.2
SUPPORT: Final = 0.05
ROWS_AT_A_TIME: Final = 1 << 16


def true_rows(n: int, n_items: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Draw true rows with prevalences from 1 to 30%, and six kinds of people who share many items.

    One row in sixteen is of each kind. A row of kind c has each item j with j mod 6 = c and a prevalence of
    14% or more with probability .85.
    """
    prevalence = np.linspace(0.01, 0.30, n_items)
    rows: NDArray[np.bool_] = rng.random((n, n_items), dtype=np.float32) < prevalence
    kind = rng.integers(16, size=n)
    planted = (np.arange(n_items) % 6 == kind[:, None]) & (prevalence >= 0.14)
    rows |= planted & (rng.random((n, n_items), dtype=np.float32) < 0.85)
    return rows


def work_design(n_items: int) -> Design:
    """Return a design with one block of yes/no questions."""
    return study_design([n_items], truth_probability=TRUTH_PROBABILITY, unrelated=UNRELATED)


def disguised_portions(
    n: int, n_items: int, seed: int
) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """Yield items and "direct" of rows disguised under one block (p = .3, theta = .6, k = .2).

    Disguises many rows at once, because the devices' code would take ten minutes for a million rows of 60
    items.
    """
    rng = np.random.default_rng(seed)
    for start in range(0, n, ROWS_AT_A_TIME):
        rows = true_rows(min(ROWS_AT_A_TIME, n - start), n_items, rng)
        direct = rng.random(len(rows)) < DIRECT_SHARE
        decoy = ~direct & (rng.random(len(rows)) >= TRUTH_PROBABILITY / 10_000)
        unrelated = rng.random(rows.shape, dtype=np.float32) < UNRELATED / 10_000
        rows[decoy] = unrelated[decoy]
        yield rows, direct


def disguised_work(n: int, n_items: int, seed: int) -> BitMatrix:
    """Return the rows as columns."""
    items, groups = zip(*disguised_portions(n, n_items, seed), strict=True)
    return BitMatrix.from_booleans(work_design(n_items), np.concatenate(items), np.concatenate(groups))


def disguised_cells(n: int, n_items: int, seed: int) -> NDArray[np.int8]:
    """Return the rows as a table of 0 and 1, "direct" first."""
    return np.concatenate(
        [
            np.concatenate([direct[:, None], items], axis=1).astype(np.int8)
            for items, direct in disguised_portions(n, n_items, seed)
        ]
    )
