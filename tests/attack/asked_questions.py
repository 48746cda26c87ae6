"""Find a person's row by the questions on their screen and by their open answers."""

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from benchmarks.simulation import study_design
from mining.columns.random_words import words
from privacy.coins import Coins
from privacy.risk.unique_combinations import unique_share_of_design
from privacy.survey.block import Block
from privacy.survey.booklets import Booklet
from privacy.survey.design import Design, GroupPolicy, Question
from privacy.survey.disguise import disguise
from privacy.survey.drawn_questions import draw_questions
from privacy.survey.layout import Layout, Record
from tests.attack.linkage import FALSE_ALARM

__all__ = ["SPREAD", "Identified", "find_rows", "some_of_twenty"]

QUESTIONS: Final = 20
PER_PERSON: Final = 5

SPREAD: Final = tuple(
    sorted(
        {
            tuple(sorted((start + step * position) % QUESTIONS for position in range(PER_PERSON)))
            for start in range(QUESTIONS)
            for step in (1, 2, 3, 7)
        }
    )
)
"""Eighty sets of five of twenty questions; each question is in equally many."""


@dataclass(frozen=True, kw_only=True)
class Identified:
    """Rows found from the questions people were asked and their open answers.

    Attributes
    ----------
    rows : int
    identified : int
        Rows that are the only match for a person, and theirs.
    wrong : int
        Rows that are the only match for a person, but someone else's.
    expected : float
        Number of unique rows that the audit predicts.
    limit : int
        Exceeded by chance at most once in a million.
    """

    rows: int
    identified: int
    wrong: int
    expected: float
    limit: int


def some_of_twenty(booklets: tuple[Booklet, ...] | None) -> Design:
    """Return a design that asks each person five of twenty questions, and an undisguised one."""
    [twenty] = study_design(
        [QUESTIONS], truth_probability=6262, unrelated=5000, questions_per_person=PER_PERSON
    ).blocks
    return Design(
        blocks=(
            Block(
                key="you",
                protected=False,
                truth_probability=10_000,
                questions=(Question(key="city", kind="yes_no", options=(), unrelated=()),),
            ),
            replace(twenty, booklets=booklets),
        ),
        group=GroupPolicy(),
        use="live",
    )


def find_rows(design: Design, *, rows: int, rng: np.random.Generator) -> Identified:
    """Simulate respondents, and search for each person's row by questions asked and open answers.

    Parameters
    ----------
    design : Design
        Has yes/no questions only. A fair coin answers the open ones, so no combination is likelier than the
        audit assumes.
    rows : int
    rng : numpy.random.Generator

    Notes
    -----
    One more or one fewer row changes the number of unique rows by at most two, so by McDiarmid's inequality
    this number exceeds its mean by t with probability at most exp(-t^2 / (2 n)).
    """
    layout, coins = Layout(design), Coins(words(rng))
    seen: list[object] = []
    sent: list[bytes] = []
    for _ in range(rows):
        drawn = draw_questions(design, coins)
        answers = {
            block.key: {block.questions[position].key: int(rng.integers(2)) for position in booklet}
            for block, booklet in zip(design.blocks, drawn, strict=True)
            if booklet
        }
        record = disguise(design, answers, direct=False, coins=coins, drawn=drawn)
        seen.append(_shown(design, record))
        sent.append(layout.pack(record))
    order = rng.permutation(rows).tolist()
    # The attacker reads the rows in an order that is unrelated to the people seen.
    shown = [_shown(design, layout.unpack(sent[index])) for index in order]
    times, place_of = Counter(shown), dict(zip(shown, order, strict=True))
    alone = [person for person, each in enumerate(seen) if times[each] == 1]
    right = sum(place_of[seen[person]] == person for person in alone)
    expected = rows * unique_share_of_design(design, rows)
    spread = math.sqrt(2 * rows * -math.log(FALSE_ALARM))
    return Identified(
        rows=rows,
        identified=right,
        wrong=len(alone) - right,
        expected=expected,
        limit=min(rows, math.floor(expected + spread)),
    )


def _shown(design: Design, record: Record) -> object:
    """Return the undisguised contents of a row: the questions asked and the open answers."""
    opened = (
        values for block, values in zip(design.blocks, record.answers, strict=True) if not block.protected
    )
    return record.drawn, tuple(opened)
