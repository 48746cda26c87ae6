"""Tabulate the layouts chosen for each sample size, number of questions and protection, with their power.

Run ``python -m benchmarks.layouts`` to write docs/evidence/layouts.csv. All questions are sensitive yes/no
questions, and two of them are wanted together. All answers are assumed to be equally likely, and no block may
be skipped. ``--check`` simulates six points of the table.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.tables import write_csv
from privacy.arrays import Array
from privacy.estimation.empirical_likelihood import likelihood_ratio
from privacy.planning.layout_search import best_layout
from privacy.planning.layouts import AskedQuestion, Layout, LayoutGoal
from privacy.planning.power import REACH, detectable_difference
from privacy.planning.protection import PROTECTIONS

__all__ = ["PEOPLE", "QUESTIONS", "chosen", "simulated_power", "table"]

PEOPLE: Final = (200, 400, 1_000, 4_000)
QUESTIONS: Final = (4, 6, 8, 12)
DIFFERENCE: Final = 0.30
CHECKED: Final = (
    ("light", 200, 4),
    ("light", 400, 12),
    ("medium", 400, 8),
    ("medium", 200, 4),
    ("strong", 400, 6),
    ("strong", 1_000, 12),
)
"""Points to simulate. Their power is in the middle of the table's range, where an error would show."""


def chosen(strength: str, n: int, questions: int) -> Layout:
    """Return the layout proposed if the first two questions are wanted together."""
    layout = best_layout(
        (AskedQuestion(),) * questions,
        target=LayoutGoal(n=n, questions=(0, 1), shares=(0.5,) * questions),
        protection=PROTECTIONS[strength],
        skips=False,
    )
    if layout is None:
        raise LookupError(strength)
    return layout


@dataclass(frozen=True, kw_only=True)
class Line:
    """One line of the table."""

    strength: str
    n: int
    questions: int

    @property
    def cells(self) -> tuple[str, ...]:
        """Return the cells of the line."""
        layout = chosen(self.strength, self.n, self.questions)
        widths, pair = layout.half_widths, layout.pair(0, 1)
        found = detectable_difference(pair, self.n)
        part = layout.parts[0]
        return (
            self.strength,
            f"{self.n:,}",
            str(self.questions),
            _described(layout),
            f"{part.truth / 10_000:.3f}",
            f"{100 * widths[0]:.1f}",
            f"{100 * max(widths[2:]):.1f}",
            "–" if found is None else f"{math.ceil(100 * found - 1e-6)}",
            f"{layout.power or 0:.2f}",
        )


def _described(layout: Layout) -> str:
    if layout.kind == "rotating":
        part = layout.parts[0]
        each = len(part.booklets[0]) if part.booklets else len(part.questions)
        return f"{each} of {len(part.questions)}, both always"
    if layout.kind != "alone":
        return f"{layout.kind}, {layout.per_person} of {len(layout.kinds)}"
    rest = layout.parts[1]
    each = len(rest.booklets[0]) if rest.booklets else len(rest.questions)
    return f"both apart, {each} of {len(rest.questions)}"


def table() -> list[tuple[str, ...]]:
    """Return the rows of docs/evidence/layouts.csv, starting with the header."""
    head = (
        "protection", "people", "questions", "layout", "p", "wanted ±", "others ±", "difference", "power"
    )  # fmt: skip
    lines = [
        Line(strength=strength, n=n, questions=questions).cells
        for strength in PROTECTIONS
        for n in PEOPLE
        for questions in QUESTIONS
    ]
    return [head, *lines]


def simulated_power(layout: Layout, *, difference: float, surveys: int, rng: np.random.Generator) -> float:
    """Return the share of simulated surveys in which the difference of the first two questions is found.

    Each person's row is disguised as on a device. The two questions must share a block that asks everyone
    both. The test is the one of results, by empirical likelihood.
    """
    (first, second), n = layout.target.questions, layout.target.n
    part = next(part for part in layout.parts if first in part.questions and second in part.questions)
    truth = part.truth / 10_000
    found = 0
    for _survey in range(surveys):
        a = rng.random(n) < 0.5
        b = rng.random(n) < np.where(a, 0.5 + difference / 2, 0.5 - difference / 2)
        honest = rng.random(n) < truth
        shown_a = np.where(honest, a, rng.random(n) < 0.5)
        shown_b = np.where(honest, b, rng.random(n) < 0.5)
        found += _is_found(shown_a, shown_b, truth)
    return found / surveys


def _is_found(shown_a: Array, shown_b: Array, truth: float) -> bool:
    """Return whether the reports of one survey show a significant difference."""
    z_a = (shown_a - (1 - truth) / 2) / truth
    z_b = (shown_b - (1 - truth) / 2) / truth
    z_both = (shown_a * shown_b - (1 - truth) / 4) / truth
    h = z_both - z_b.mean() * z_a - z_a.mean() * z_b + z_a.mean() * z_b.mean()
    return bool(h.mean() > 0 and likelihood_ratio(np.ones(len(h)), h) > REACH**2)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the table, or print simulated and predicted values side by side."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", type=int, metavar="SURVEYS", help="simulate so many surveys a point")
    options = parser.parse_args(arguments)
    if not options.check:
        write_csv(Path("docs/evidence/layouts.csv"), table())
        return
    rng = np.random.default_rng(20261123)
    for strength, n, questions in CHECKED:
        layout = chosen(strength, n, questions)
        simulated = simulated_power(layout, difference=DIFFERENCE, surveys=options.check, rng=rng)
        error = math.sqrt(simulated * (1 - simulated) / options.check)
        print(
            f"{strength} {n} {questions}: stated {layout.power:.4f}, simulated {simulated:.4f} ± {error:.4f}"
        )


if __name__ == "__main__":
    main()
