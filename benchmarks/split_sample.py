"""All rows with the whole family, or one half to find and the other to test: which finds more true rules?

    python -m benchmarks.split_sample [--simulations 40]

Prints the table of docs/estimators.md. Rows are made up: some pairs of items go together, all else is
independent, so the generating law says which rules are true.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.family import Family
from mining.inference import families
from mining.pipeline import MiningResult, mine
from mining.significance import Correction, decisions
from mining.simulation import study_design
from mining.split_sample import families_listed, random_split
from mining.thresholds import Thresholds
from privacy.estimation import required_counts
from privacy.estimation.one_sided_tests import p_values
from privacy.survey.design import Design
from trials.studies.vectorised import disguise_rows, draw_coins

CORRECTIONS: tuple[Correction, ...] = ("by", "holm")
PLANTED = 6


def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=40)
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    print(
        "| items | longest rule | n | p | rules, M | listed by a half | correction "
        "| planted rules found: all rows | in halves |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for items, n, p, size in (
        (12, 4_000, 0.6, 2), (60, 4_000, 0.6, 2), (60, 20_000, 0.6, 2), (60, 20_000, 0.6, 3),
    ):  # fmt: skip
        print(_line(items, n, p, size, options.simulations, options.seed), flush=True)


def _line(items: int, n: int, p: float, size: int, simulations: int, seed: int) -> str:
    design = study_design([items // 2, items // 2], truth_probability=round(p * 10_000), unrelated=5000)
    asked = Thresholds(support=0.05, lift=1.15 if size == 2 else 1.3, max_size=size)
    family = families(design, asked).lift
    found: dict[tuple[Correction, bool], list[float]] = {}
    listed = []
    for number in range(simulations):
        rng = np.random.default_rng([seed, items, n, size, number])
        matrix = _rows(items, n, size, design, rng)
        whole = mine(matrix, design, asked)
        first, second = random_split(matrix, np.random.default_rng(number))
        listing = mine(first, design, replace(asked, halves=True))
        own = families_listed(listing).lift
        listed.append(own.total)
        for correction in CORRECTIONS:
            for halves, result, rows, of in ((False, whole, matrix, family), (True, listing, second, own)):
                power = _power(result, rows, size, of, correction)
                found.setdefault((correction, halves), []).append(power)
    head = f"| {items} | {size} | {n:,} | {p:g} | {family.total:,} | {np.mean(listed):,.0f} |"
    return "\n".join(
        f"{head} {correction} | "
        + " | ".join(f"{np.mean(found[correction, halves]):.2f}" for halves in (False, True))
        + " |"
        for correction in CORRECTIONS
    )


def _planted(items: int, size: int) -> list[tuple[int, ...]]:
    """Items that go together: the last of each is commoner where all others are there."""
    return [(*range(2 * one, 2 * one + size - 1), items - 1 - 2 * one) for one in range(PLANTED)]


def _rows(items: int, n: int, size: int, design: Design, rng: np.random.Generator) -> BitMatrix:
    truth = rng.random((n, items)) < 0.3
    for *causes, effect in _planted(items, size):
        chance = (0.25, 0.42) if size == 2 else (0.25, 0.5)
        truth[:, effect] = rng.random(n) < np.where(truth[:, causes].all(axis=1), chance[1], chance[0])
    direct = np.zeros(n, dtype=bool)
    rows = disguise_rows(design, truth, direct, draw_coins(design, n, rng))
    return BitMatrix.from_booleans(design, rows, direct)


def _power(result: MiningResult, rows: BitMatrix, size: int, family: Family, correction: Correction) -> float:
    """Return the share of planted rules, all causes before the arrow, that pass."""
    sides, design = result.rules.sides, result.design
    raw = p_values(CountCache(rows).need(required_counts(sides, design)), sides, design)
    unordered = [frozenset(pair) for pair in sides]
    sizes = [len(before) + len(after) for before, after in sides]
    passes = decisions(raw, unordered, sizes, family, correction).passes
    true = {frozenset({tuple(causes), (effect,)}) for *causes, effect in _planted(len(design.items), size)}
    return len(true & {one for one, on in zip(unordered, passes, strict=True) if on}) / PLANTED


if __name__ == "__main__":
    main()
