"""Reports of two items of one block, which devices send under one coin."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from privacy.arrays import Array, Whole
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import asked_columns
from privacy.survey.answer_probabilities import item_probability
from privacy.survey.composed_block import partners
from privacy.survey.design import Design


@dataclass(frozen=True, kw_only=True, eq=False)
class PairedReports:
    """How many devices sent each report of two items, and how they drew it.

    Parameters
    ----------
    counts : int array, shape (groups, 5)
        Rows of devices that were asked both questions, by report: both items, the first only, the second
        only, neither, skipped. All arrays here have this order.
    truths : float array, shape (groups,)
        p of each group: with probability p a device sends the true answers.
    decoys : float array, shape (5,)
        Probability of each report among random answers.
    """

    counts: Whole
    truths: Array
    decoys: Array

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.counts.sum())

    def scores(self) -> tuple[Array, Array]:
        """Return unbiased scores of both items, by group and report: ([it was sent] - (1 - p) q) / p."""
        flags = np.array([[1, 1, 0, 0, 0], [1, 0, 1, 0, 0]], dtype=float)
        q, p = flags @ self.decoys, self.truths[:, None]
        first, second = ((flag - (1 - p) * own) / p for flag, own in zip(flags, q, strict=True))
        return first, second


def columns_of_pair(design: Design, first: int, second: int) -> list[Columns]:
    """Return the sets of columns that `paired_reports` needs to be counted.

    Parameters
    ----------
    design : Design
    first, second : int
        Items of different questions of one protected block.

    Returns
    -------
    list of Columns
        Rows that were asked both questions; among them those with the first item, the second, both, and those
        that did not skip.
    """
    asked = asked_columns(tuple(sorted((first, second))), design)
    block = design.block_of(design.items[first].question)
    sets: list[Columns] = [(), (first,), (second,), (first, second), (design.answered_column(block),)]
    return [tuple(sorted({*asked, *own})) for own in sets]


def paired_reports(counts: SupportCounts, design: Design, first: int, second: int) -> PairedReports:
    """Return the reports of two items from counts.

    Parameters
    ----------
    counts : SupportCounts
        With the columns of `columns_of_pair`.
    design : Design
    first, second : int
        Items of different questions of one protected block.

    Raises
    ------
    PrivacyError
        ``no_rows``: no device was asked both questions.
    """
    block = design.blocks[design.block_of(design.items[first].question)]
    asked, one, other, both, answered = (
        np.array(counts[columns]) for columns in columns_of_pair(design, first, second)
    )
    table = np.stack(
        [both, one - both, other - both, answered - one - other + both, asked - answered], axis=1
    )
    is_used = table.sum(axis=1) > 0
    if not is_used.any():
        raise PrivacyError("no_rows.asked", 0)
    truths = np.array([float(block.truth_in(direct=direct)) for direct in (True, False)])
    signs = ((True, True), (True, False), (False, True), (False, False))
    decoys = [float(item_probability(design, {first: one, second: two})) for one, two in signs]
    skip = float(Fraction(block.refusal or 0, SCALE))
    return PairedReports(counts=table[is_used], truths=truths[is_used], decoys=np.array([*decoys, skip]))


def partner_of(design: Design, question: int, member: str) -> int | None:
    """Return the number of the question that the rule of a question names; None if it names none.

    Parameters
    ----------
    design : Design
    question : int
        Number of a question.
    member : {"placebo_of", "other_half"}
    """
    number = design.block_of(question)
    start = design.question_number(design.blocks[number].questions[0].key)
    found = partners(design.blocks[number], member).get(question - start)
    return None if found is None else start + found
