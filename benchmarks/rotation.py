"""Compare two designs for ten questions at epsilon 3: everyone is asked all in five blocks, or four each.

``python -m benchmarks.rotation`` simulates people, disguises their answers as devices would, estimates all
pairs of answers with Sottovoce, and prints the average errors next to those predicted by formulas and the
lower bound of all designs. ``--svg FILE`` draws them.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.curves import Series, curves_svg
from benchmarks.efficiency import AskedPart, least_variance, variance_of_size
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.columns.random_words import words
from mining.itemsets import estimate_itemsets
from privacy.coins import SCALE, Coins
from privacy.risk.budget import budget
from privacy.survey.balanced_booklets import balanced_booklets
from privacy.survey.design import Block, Design, GroupPolicy, Question
from privacy.survey.disguise import disguise
from privacy.survey.drawn_questions import draw_questions
from privacy.survey.layout import Layout

QUESTIONS: Final = 10
EPSILON: Final = 3.0
PEOPLE: Final = (1_000, 4_000, 16_000)
SEED: Final = 1
# In a subgroup of 30% of people, every "yes" is more frequent, so answers are truly associated.
KIND: Final = 0.3
COMMON: Final = np.linspace(0.35, 0.7, QUESTIONS)
RARE: Final = np.linspace(0.25, 0.05, QUESTIONS)
PAIRS: Final[list[tuple[int, ...]]] = list(itertools.combinations(range(QUESTIONS), 2))


def asked() -> list[Question]:
    """Return the questions."""
    return [
        Question(key=f"q{n}", kind="yes_no", options=(), unrelated=(SCALE // 2,)) for n in range(QUESTIONS)
    ]


def part(key: str, questions: Sequence[Question], epsilon: float, per_person: int | None = None) -> Block:
    """Return a block with the largest p for an epsilon; devices draw `per_person` questions in booklets."""
    together = per_person or len(questions)
    gain = math.expm1(epsilon)
    listed = balanced_booklets(len(questions), per_person, together=3) if per_person else None
    return Block(
        key=key,
        protected=True,
        truth_probability=math.floor(SCALE * gain / (gain + 2**together)),
        questions=tuple(questions),
        questions_per_person=per_person,
        booklets=listed,
    )


def split() -> Design:
    """Return the design that asks every respondent all questions, in five blocks of two."""
    questions = asked()
    blocks = tuple(part(f"part{n}", questions[2 * n : 2 * n + 2], EPSILON / 5) for n in range(5))
    return Design(blocks=blocks, group=GroupPolicy(), use="live")


def rotating() -> Design:
    """Return the design that asks each person four of the ten questions."""
    return Design(blocks=(part("ten", asked(), EPSILON, 4),), group=GroupPolicy(), use="live")


def answers_of(n: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Draw the true answers of n people to each question."""
    kind = rng.random(n) < KIND
    return rng.random((n, QUESTIONS)) < np.where(kind[:, None], COMMON, RARE)


def sent_by(design: Design, truth: NDArray[np.bool_], rng: np.random.Generator) -> bytes:
    """Disguise every row as a device would."""
    layout, coins = Layout(design), Coins(words(rng))
    rows = []
    for row in truth:
        true_answers = {f"q{n}": int(value) for n, value in enumerate(row)}
        drawn = draw_questions(design, coins)
        answers = {
            block.key: {block.questions[at].key: true_answers[block.questions[at].key] for at in positions}
            for block, positions in zip(design.blocks, drawn, strict=True)
        }
        record = disguise(design, answers, direct=False, coins=coins, drawn=drawn if design.rotates else None)
        rows.append(layout.pack(record))
    return b"".join(rows)


def error_of(design: Design, truth: NDArray[np.bool_], rng: np.random.Generator) -> float:
    """Return the root mean square error of the supports of all pairs, relative to the population."""
    cache = CountCache(BitMatrix.from_rows(design, sent_by(design, truth, rng)))
    table = estimate_itemsets(cache, design, PAIRS)
    known = {
        pair: KIND * COMMON[pair[0]] * COMMON[pair[1]] + (1 - KIND) * RARE[pair[0]] * RARE[pair[1]]
        for pair in PAIRS
    }
    return math.sqrt(np.mean([(row.interval.value - known[row.items]) ** 2 for row in table]))


def variances() -> dict[str, float]:
    """Return n times the variance of a pair at uniform truth, by formula."""

    def parts(design: Design) -> list[AskedPart]:
        return [
            AskedPart(
                questions=len(block.questions),
                truth=block.truth_probability / SCALE,
                per_person=block.questions_per_person,
            )
            for block in design.blocks
        ]

    return {
        "five parts of two": variance_of_size(parts(split()), 2),
        "four of ten": variance_of_size(parts(rotating()), 2),
        "no design": least_variance(QUESTIONS, EPSILON, sizes=(2,)),
    }


def picture(found: Mapping[str, Sequence[tuple[float, float]]], by_formula: Mapping[str, float]) -> str:
    """Draw the simulated errors and the lines predicted by formulas."""
    series = []
    for name, variance in by_formula.items():
        errors = [error for _n, error in found.get(name, ())]
        expected = [math.sqrt(variance / n) for n in PEOPLE]
        label = "what no design can beat" if name == "no design" else name
        series.append(Series(label=label, x=PEOPLE, y=errors, expected=expected))
    return curves_svg(
        series,
        title="Error of a pair against people, ten questions, total ε of 3; lines: formula",
        x_label="people",
        y_label="root mean square error of a support",
        log_x=True,
        log_y=True,
    )


def main() -> None:
    """Simulate and estimate, then print and draw the errors."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--svg", type=Path)
    options = parser.parse_args()
    designs = {"five parts of two": split(), "four of ten": rotating()}
    by_formula = variances()
    for name, design in designs.items():
        print(f"{name}: epsilon {budget(design).epsilon:.4f}")
    print("| people | " + " | ".join([*designs, *(f"{name}, by formula" for name in by_formula)]) + " |")
    print("|---|" + "---|" * (len(designs) + len(by_formula)))
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in designs}
    for n in PEOPLE:
        rng = np.random.default_rng([SEED, n])
        truth = answers_of(n, rng)
        errors = {name: error_of(design, truth, rng) for name, design in designs.items()}
        for name, error in errors.items():
            found[name].append((n, error))
        formula = [math.sqrt(variance / n) for variance in by_formula.values()]
        print(f"| {n:,} | " + " | ".join(f"{error:.4f}" for error in [*errors.values(), *formula]) + " |")
    if options.svg:
        options.svg.write_text(picture(found, by_formula) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
