"""Simulate people who answer questionnaires of yes/no questions, with answers disguised as on devices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mining.columns.bitmatrix import BitMatrix
from mining.columns.random_words import words
from privacy import validation
from privacy.arrays import Flags
from privacy.coins import Coins
from privacy.survey.design import Block, Design, GroupPolicy, Question
from privacy.survey.disguise import disguise
from privacy.survey.drawn_questions import draw_questions, everything
from privacy.survey.layout import Layout

__all__ = ["simulate", "study_design", "true_rows"]


def study_design(
    block_sizes: Sequence[int],
    *,
    truth_probability: int,
    unrelated: int,
    light: int | None = None,
    questions_per_person: int | None = None,
) -> Design:
    """Make a questionnaire of yes/no questions item1, item2, ... in protected blocks.

    Parameters
    ----------
    block_sizes : sequence of int
        Number of questions of each block.
    truth_probability, unrelated : int, ten-thousandths
        p of every block and theta of every question.
    light : int, ten-thousandths, optional
        p of every block in the direct group, larger than `truth_probability`. By default this group sends
        true answers.
    questions_per_person : int, optional
        Number of questions that a device draws from every block; by default all.

    Examples
    --------
    >>> design = study_design([2, 1], truth_probability=3000, unrelated=6000)
    >>> [(item.key, item.block) for item in design.items]
    [('item1', 0), ('item2', 0), ('item3', 1)]
    """
    numbers = iter(range(1, sum(block_sizes) + 1))
    blocks = tuple(
        Block(
            key=f"block{position}",
            protected=True,
            truth_probability=truth_probability,
            questions=tuple(
                Question(key=f"item{next(numbers)}", kind="yes_no", options=(), unrelated=(unrelated,))
                for _ in range(size)
            ),
            light=light,
            questions_per_person=questions_per_person,
        )
        for position, size in enumerate(block_sizes, start=1)
    )
    return Design(blocks=blocks, group=GroupPolicy(policy="choice"), use="study")


def simulate(design: Design, truth: Flags, direct: Flags, rng: np.random.Generator) -> BitMatrix:
    """Disguise the answers of every row to a questionnaire of yes/no questions, one row at a time.

    Parameters
    ----------
    design : Design
        A design with only yes/no questions.
    truth : ndarray of bool, shape (n, items)
    direct : ndarray of bool, shape (n,)
        Rows of the direct group; it may depend on the true answers, as if people choose their group.
    rng : numpy.random.Generator
        Draws the random words of each device: first for its questions, if it draws them, then for its
        disguise.

    Raises
    ------
    ValueError
        The design has other than yes/no questions.
    """
    for question in design.questions:
        if question.kind != "yes_no":
            raise ValueError(
                f"question {question.key} is of kind {question.kind}; simulate yes/no questions only"
            )
    layout, stream = Layout(design), words(rng)
    keys = [(block.key, [question.key for question in block.questions]) for block in design.blocks]
    sent = bytearray()
    for row, is_direct in zip(truth.tolist(), direct.tolist(), strict=True):
        drawn = draw_questions(design, Coins(stream)) if design.rotates else everything(design)
        values = iter(map(int, row))
        whole = [(block, [(question, next(values)) for question in questions]) for block, questions in keys]
        answers = {
            block: dict(questions[position] for position in positions)
            for (block, questions), positions in zip(whole, drawn, strict=True)
            if positions
        }
        record = disguise(design, answers, direct=is_direct, coins=Coins(stream), drawn=drawn)
        sent += layout.pack(record)
    return BitMatrix.from_rows(design, sent)


def true_rows(n: int, prevalences: Sequence[float], dependence: float, rng: np.random.Generator) -> Flags:
    """Draw true answers with known supports.

    Parameters
    ----------
    n : int
        Number of rows.
    prevalences : sequence of float
        Probability of each item, 0 to 1.
    dependence : float
        Probability that the items of a row depend on each other, 0 to 1.
    rng : numpy.random.Generator

    Returns
    -------
    ndarray of bool, shape (n, items)

    Notes
    -----
    Item j is true if a uniform number is below its prevalence pi_j. With probability `dependence`, all items
    of a row use the same number; otherwise each has its own. So item j has prevalence pi_j, and all items of
    a set E are true with probability dependence * min(pi_E) + (1 - dependence) * prod(pi_E).
    """
    probabilities = np.array(
        [
            validation.real_number(share, "prevalence", low=0, high=1, code="prevalence")
            for share in prevalences
        ]
    )
    validation.real_number(dependence, "dependence", low=0, high=1, code="dependence")
    together = rng.random(n) < dependence
    uniform = rng.random((n, len(probabilities)))
    uniform[together] = rng.random((int(together.sum()), 1))
    rows: Flags = uniform < probabilities
    return rows
