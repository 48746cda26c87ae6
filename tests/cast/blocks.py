"""Blocks for tests of the audit, and their laws written out row by row."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from privacy.risk.posterior import Prevalence, prior_probability
from privacy.survey import Block
from privacy.survey.block import BlockAnswers
from privacy.survey.grouping import block_channel, block_rows
from tests.cast.strategies import _shares, questions
from tests.vectors.designs import shielded, yes_no

Array = NDArray[np.float64]


def even(p: int, count: int, *, theta: int = 5000, refusal: int | None = None) -> Block:
    """A block of yes/no questions with one theta."""
    asked = (yes_no(f"q{number}", theta) for number in range(count))
    return shielded("b", p, *asked, refusal=refusal)


def stated(block: Block, share: int) -> dict[str, list[int]]:
    """One prevalence for every question of a block of yes/no questions."""
    return {question.key: [share] for question in block.questions}


@st.composite
def blocks(draw: st.DrawFn) -> tuple[Block, dict[str, list[int]]]:
    """A protected block of at most some hundred rows, and prevalences for it."""
    asked = [
        question
        for number in range(draw(st.integers(1, 3)))
        for question in [draw(questions(f"q{number}", True))]
        if question.patterns <= 8
    ] or [yes_no("q0", 3000)]
    block = shielded(
        "b",
        draw(st.integers(1, 9999)),
        *asked,
        refusal=draw(st.none() | st.integers(1, 9999)),
    )
    prevalence = {
        question.key: list(draw(_shares(question.n_items)))
        if question.kind == "single"
        else draw(st.lists(st.integers(0, 10_000), min_size=question.n_items, max_size=question.n_items))
        for question in asked
    }
    return block, prevalence


def written_out(block: Block, prevalence: Prevalence) -> tuple[list[BlockAnswers], Array, Array]:
    """All rows, their priors, and chances ``joint[observed, true]`` of a protected answer."""
    rows = list(block_rows(block))
    prior = np.array([float(prior_probability(block, prevalence, row)) for row in rows])
    return rows, prior, block_channel(block).as_array() * prior
