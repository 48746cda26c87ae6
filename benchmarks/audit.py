"""Time audits of sixty questions before launch, and of a million rows after it.

Run ``python -m benchmarks.audit``; ``--rows`` changes the million. The exit code is 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import sys
import time

import numpy as np
from numpy.typing import NDArray

from benchmarks.machine import machine
from mining.columns.bitmatrix import BitMatrix
from mining.columns.row_patterns import observe
from privacy.risk import audit_design, audit_rows
from privacy.survey.design import Block, Design, GroupPolicy, Question

SECONDS_BEFORE = 1.0
SECONDS_AFTER = 10.0
PREVALENCE = 0.2

BEFORE = (("60 in one block", (60,)), ("20 blocks of 3", (3,) * 20), ("12 blocks of 5", (5,) * 12),
          ("6 blocks of 10", (10,) * 6), ("60 blocks of 1", (1,) * 60))  # fmt: skip
AFTER = (
    ("10 questions, 36 open cells", (10,), (4, 3, 3)),
    ("blocks of 10, 5, 5, 20; 3,600 open cells", (10, 5, 5, 20), (4, 3, 3, 10, 10)),
    ("12 blocks of 5; 72,000 open cells", (5,) * 12, (4, 3, 3, 10, 10, 20)),
)


def design_of(sizes: tuple[int, ...], opened: tuple[int, ...]) -> Design:
    """Return a design with open single choices, followed by protected blocks of yes/no questions."""
    blocks = []
    if opened:
        asked = (
            Question(
                key=f"open{place}",
                kind="single",
                options=tuple(f"o{option}" for option in range(count)),
                unrelated=(),
            )
            for place, count in enumerate(opened)
        )
        blocks.append(
            Block(
                key="you", protected=False, truth_probability=10_000,
                questions=tuple(asked),
            )
        )  # fmt: skip
    numbers = iter(range(sum(sizes)))
    for place, size in enumerate(sizes):
        hidden = tuple(
            Question(key=f"q{next(numbers)}", kind="yes_no", options=(), unrelated=(5000,))
            for _ in range(size)
        )
        blocks.append(
            Block(
                key=f"block{place}", protected=True, truth_probability=5000,
                questions=hidden,
            )
        )  # fmt: skip
    return Design(blocks=tuple(blocks), group=GroupPolicy(policy="choice"), use="live")


def rows_of(design: Design, n: int, rng: np.random.Generator) -> BitMatrix:
    """Draw rows of independent items; a tenth of the rows are direct."""
    direct = rng.random(n) < 0.1
    columns: list[NDArray[np.bool_]] = []
    for block in design.blocks:
        if not block.protected:
            for question in block.questions:
                chosen = rng.integers(0, len(question.options), n)
                columns += [chosen == option for option in range(len(question.options))]
            continue
        size = len(block.questions)
        kept = (rng.random(n) < 0.5) | direct
        sent = np.where(kept[:, None], rng.random((n, size)) < PREVALENCE, rng.random((n, size)) < 0.5)
        columns += list(sent.T)
    return BitMatrix.from_booleans(design, np.stack(columns, axis=1), direct)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    slowest = [0.0, 0.0]
    print(f"{machine()}; seed {options.seed}; seconds of one processor")
    print("| before launch | equal prevalences | 60 different ones |\n|---|---|---|")
    for name, sizes in BEFORE:
        design, taken = design_of(sizes, ()), []
        for step in (0, 37):
            shares = {question.key: [2000 + step * place] for place, question in enumerate(design.questions)}
            start = time.process_time()
            audit_design(design, shares, n=1000)
            taken.append(time.process_time() - start)
        slowest[0] = max(slowest[0], *taken)
        print(f"| {name} | {taken[0]:.2f} | {taken[1]:.2f} |")
    print(f"\n| after launch, {options.rows:,} rows | counted | audited | together |\n|---|---|---|---|")
    for name, sizes, opened in AFTER:
        design = design_of(sizes, opened)
        matrix = rows_of(design, options.rows, rng)
        stated = {
            question.key: [2000] for block in design.blocks if block.protected for question in block.questions
        }
        start = time.process_time()
        observed = observe(matrix)
        counted = time.process_time() - start
        audit_rows(design, stated, observed)
        total = time.process_time() - start
        slowest[1] = max(slowest[1], total)
        print(f"| {name} | {counted:.2f} | {total - counted:.2f} | {total:.2f} |")
    print(
        f"\ntargets {SECONDS_BEFORE:g} and {SECONDS_AFTER:g}, slowest {slowest[0]:.2f} and {slowest[1]:.2f}"
    )
    return 0 if slowest[0] <= SECONDS_BEFORE and slowest[1] <= SECONDS_AFTER else 1


if __name__ == "__main__":
    sys.exit(main())
