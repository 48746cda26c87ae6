"""An adversary's belief about a row of a block: its prior as a true row, and its posterior after it is sent.

True rows have independent answers, some of which exclude each other. A sent row is the truth or a decoy;
``odds.js`` shows respondents the posterior.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from privacy import validation
from privacy.arrays import Array, Flags, Whole
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.survey.block import SKIPPED, Block, BlockAnswers
from privacy.survey.design import Design
from privacy.survey.grouping import unrelated_probability
from privacy.survey.question import Question, Value

Prevalence: TypeAlias = Mapping[str, Sequence[int]]
"""``{question key: ten-thousandths per item}``, as stated by the researcher for protected questions."""


def check_prevalence(questions: Sequence[Question], prevalence: Prevalence) -> None:
    """Refuse statements that omit a question or give it an invalid distribution.

    Parameters
    ----------
    questions : sequence of Question
        The questions that need a statement.
    prevalence : mapping of question key to sequence of int, ten-thousandths, 0 to 10,000
        One per item; those of a single choice sum to 10,000. Further keys are ignored.

    Raises
    ------
    PrivacyError
        ``prevalence`` or ``shares_sum``.
    """
    for question in questions:
        shares = prevalence.get(question.key)
        if not isinstance(shares, list | tuple) or len(shares) != question.n_items:
            raise PrivacyError("prevalence.question", shares, question=question.key, n_items=question.n_items)
        for share in shares:
            validation.whole_number(
                share, f"prevalence of {question.key}", low=0, high=SCALE, code="prevalence"
            )
        if question.is_exhaustive and sum(shares) != SCALE:
            raise PrivacyError("shares_sum", sum(shares), key=question.key, scale=SCALE)


_MOST_SWEEPS: Final = 300
_SETTLED: Final = 1e-6
_STILL: Final = 1e-7


def outer(tables: Sequence[NDArray[np.generic]]) -> NDArray[np.generic]:
    """Return the products of one entry per table, one axis per table.

    Parameters
    ----------
    tables : sequence of ndarray
        Arrays of any length.
    """
    return reduce(np.multiply.outer, tables)


def fit_shares(shares: Sequence[Array], allowed: Flags) -> list[Array] | None:
    """Return independent shares that reproduce the stated shares after conditioning on the allowed rows.

    Parameters
    ----------
    shares : sequence of ndarray
        Shares of each part's answers, which sum to 1.
    allowed : ndarray of bool
        Which rows can be true, one axis per part.

    Notes
    -----
    Iterative proportional fitting. If no distribution has the stated shares, for example because they sum to
    more than 1, it stops nearby once it no longer improves.
    """
    weights = [share.copy() for share in shares]
    table = np.asarray(outer(weights), dtype=np.float64) * allowed
    if not table.sum():
        return None
    gap = np.inf
    for _ in range(_MOST_SWEEPS):
        before, gap = gap, 0.0
        for axis, share in enumerate(shares):
            others = tuple(other for other in range(len(shares)) if other != axis)
            now = table.sum(axis=others) / table.sum()
            gap = max(gap, float(np.abs(now - share).max()))
            change = np.divide(share, now, out=np.zeros_like(share), where=now > 0)
            weights[axis] = weights[axis] * change
            weights[axis] /= weights[axis].sum()
            scale = np.expand_dims(change, others)
            if not (table * scale).sum():
                return weights
            table = table * scale
        if gap < _SETTLED or abs(before - gap) < _STILL:
            break
    return weights


def whole(parts: Whole, weights: Array) -> Whole:
    """Return ten-thousandths; only answers stated as impossible become impossible.

    Parameters
    ----------
    parts : ndarray of int
        Stated ten-thousandths of each answer.
    weights : ndarray of float
        Target share of each answer.
    """
    weights_in_units = np.where(parts > 0, np.maximum(1, np.rint(SCALE * weights)), 0).astype(np.int64)
    weights_in_units[np.argmax(weights_in_units)] += SCALE - weights_in_units.sum()
    return weights_in_units


ItemPosition: TypeAlias = tuple[int, int]
"""Position of a question in its block, and of one of its items."""

MOST_PATTERNS: Final = 1 << 13
"""Largest number of connected combinations of answers to take into account."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Together:
    """Parts of a block whose answers depend on each other.

    Parameters
    ----------
    parts : tuple of int
        Numbers of yes/no questions, single choices and options of a multi-select, in the order of the block.
    allowed : bool array, one axis for each of them
        Flags of the combinations of their answers that can be true together.
    """

    parts: tuple[int, ...]
    allowed: Flags


def together_in(
    block: Block, sets: Sequence[Sequence[ItemPosition]], sizes: Sequence[int]
) -> tuple[Together, ...]:
    """Return the parts connected by sets of answers; empty if a group has too many answers.

    Parameters
    ----------
    block : Block
    sets : sequence of sequences of ItemPosition
        Sets of items; in each, at most one is true.
    sizes : sequence of int
        Number of answers of each part.
    """
    first, part_of = 0, dict[ItemPosition, tuple[int, int]]()
    for number, question in enumerate(block.questions):
        for part in question.parts:
            part_of |= {(number, item): (first, item if len(part) > 1 else 1) for item in part}
            first += 1
    groups: list[set[int]] = []
    for items in sets:
        own = {part_of[item][0] for item in items}
        disjoint = [group for group in groups if not group & own]
        groups = [*disjoint, own.union(*(group for group in groups if group & own))]
    together = []
    for group in sorted(map(sorted, groups)):
        shape = [sizes[part] for part in group]
        if np.prod(np.array(shape, dtype=np.float64)) > MOST_PATTERNS:
            return ()
        answers = np.indices(shape)
        allowed = np.ones(shape, dtype=np.bool_)
        for items in sets:
            parts = [part_of[item] for item in items]
            if parts[0][0] in group:
                allowed &= (
                    sum((answers[group.index(part)] == answer).astype(int) for part, answer in parts) <= 1
                )
        if not allowed.all():
            together.append(Together(parts=tuple(group), allowed=allowed))
    return tuple(together)


@dataclass(frozen=True, kw_only=True, eq=False)
class BlockPrior:
    """Prior of the true rows of a block: independent shares, without the impossible rows.

    Parameters
    ----------
    block : Block
    prevalence : mapping
        Stated prevalence, see `check_prevalence`.
    shares : mapping
        Independent ten-thousandths before impossible rows are excluded: afterwards every item is as frequent
        as stated, as closely as ten-thousandths and the statement allow.
    sets : tuple of tuple of (question, item)
        Mutually exclusive answers; empty if nothing is excluded.
    together : tuple of Together
        Parts whose answers depend on each other through the sets.
    possible : Fraction
        Probability of possible rows under `shares`.

    Notes
    -----
    P(y) = product of `shares` / `possible`, and 0 for rows with two answers of a set: among the distributions
    that exclude such rows, the one of maximal entropy with the stated shares.
    """

    block: Block
    prevalence: Prevalence
    shares: Prevalence
    sets: tuple[tuple[ItemPosition, ...], ...] = ()
    together: tuple[Together, ...] = ()
    possible: Fraction = Fraction(1)

    def of_booklet(self, positions: Iterable[int]) -> BlockPrior:
        """Return the prior of the questions of one booklet of a rotating block."""
        return replace(self, block=self.block.of_booklet(positions))

    @cached_property
    def least_likely(self) -> BlockAnswers:
        """Least likely decoy that can be true, with ties broken as in `privacy.risk.budget`.

        Examples
        --------
        Three fair answers, two of which exclude each other: the third one and the first of the two.

        >>> from privacy.survey.question import Question
        >>> questions = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,))
        ...                   for key in "abc")
        >>> block = Block(key="b", protected=True, truth_probability=5000, refusal=None, asked_if=None,
        ...               questions=questions)
        >>> exclusive_prior(block, {key: [3000] for key in "abc"}, ["ab"]).least_likely
        (1, 0, 1)
        """
        row = self.least_likely_answer()
        skip = self.block.refusal
        if skip is not None and Fraction(skip, SCALE) < unrelated_probability(self.block, row):
            return SKIPPED
        return row

    def least_likely_answer(self) -> tuple[Value, ...]:
        """Return the least likely decoy among the rows that answer."""
        return self.row(self._least_decoys(_tables(self.block, self.block.unrelated)))

    def to_json(self) -> dict[str, Any]:
        """Return the data for computing the odds of a row in a browser; large integers as strings."""
        return {
            "shares": {key: list(shares) for key, shares in self.shares.items()},
            "sets": [[list(item) for item in items] for items in self.sets],
            "possible": [str(self.possible.numerator), str(self.possible.denominator)],
            "worst": self.least_likely,
        }

    def _least_decoys(self, decoys: Sequence[Whole]) -> list[int]:
        """Return the possible answers with the smallest product; then with most "yes", then the first."""
        sizes = [len(table) for table in decoys]
        is_tick = [len(items) == 1 for question in self.block.questions for items in question.parts]
        in_groups = {part for group in self.together for part in group.parts}
        choices: list[tuple[tuple[int, ...], list[list[int]]]] = [
            ((part,), [[answer] for answer in range(size)])
            for part, size in enumerate(sizes)
            if part not in in_groups
        ]
        choices += [(group.parts, np.argwhere(group.allowed).tolist()) for group in self.together]
        answers = [0] * len(sizes)
        for parts, options in choices:
            ranking = []
            for option in options:
                pairs = list(zip(parts, option, strict=True))
                product = math.prod(int(decoys[part][answer]) for part, answer in pairs)
                yes = sum(answer for part, answer in pairs if is_tick[part])
                order = [-answer if is_tick[part] else answer for part, answer in pairs]
                ranking.append((product, -yes, order, option))
            for part, answer in zip(parts, min(ranking)[-1], strict=True):
                answers[part] = answer
        return answers

    def row(self, answers: Sequence[int]) -> tuple[Value, ...]:
        """Return the row with these answers, one per part."""
        left = iter(answers)
        return tuple(
            question.of_parts([next(left) for _part in question.parts]) for question in self.block.questions
        )


def sets_of_blocks(design: Design, exclusive: Sequence[Sequence[str]]) -> dict[str, list[tuple[str, ...]]]:
    """Return the sets of item keys that exclude each other, by the key of their block.

    Parameters
    ----------
    design : Design
        Design of a survey.
    exclusive : sequence of sequence of str
        Sets of item keys, at most one of which is true of a person.

    Raises
    ------
    PrivacyError
        ``blocks``: a set spans several blocks. ``unknown_item``.
    """
    sets: dict[str, list[tuple[str, ...]]] = {}
    for keys in exclusive:
        blocks = sorted({design.blocks[design.item(key).block].key for key in keys})
        if len(blocks) > 1:
            raise PrivacyError("blocks.exclusive", keys, blocks=", ".join(blocks))
        sets.setdefault(blocks[0], []).append(tuple(keys))
    return sets


def independent(block: Block, prevalence: Prevalence) -> BlockPrior:
    """Return the prior of a block given only its prevalences.

    Parameters
    ----------
    block : Block
        Protected.
    prevalence : mapping
        See `check_prevalence`.

    Raises
    ------
    PrivacyError
        ``prevalence``, ``shares_sum``.
    """
    check_prevalence(block.questions, prevalence)
    return BlockPrior(block=block, prevalence=prevalence, shares=prevalence)


def prior_of(block: Block, prevalence: Prevalence, exclusive: Sequence[Sequence[str]]) -> BlockPrior:
    """Return the prior of a block, with mutually exclusive answers as far as they can be handled.

    A rotating block is not constrained: each booklet would have its own prior.

    Parameters
    ----------
    block, prevalence, exclusive
        As of `exclusive_prior`.
    """
    joint_prior = None if block.is_rotating else exclusive_prior(block, prevalence, exclusive)
    return joint_prior or independent(block, prevalence)


def exclusive_prior(
    block: Block, prevalence: Prevalence, exclusive: Sequence[Sequence[str]]
) -> BlockPrior | None:
    """Return the probabilities of a block's rows, given mutually exclusive answers.

    Parameters
    ----------
    block : Block
    prevalence : mapping
        See `check_prevalence`.
    exclusive : sequence of sequences of str
        Sets of item keys of the block; in each, at most one is true of anyone.

    Returns
    -------
    BlockPrior or None
        None if nothing is excluded, if more than 8,192 combinations of answers are connected, or if the
        prevalences leave no possible row.

    Raises
    ------
    PrivacyError
        ``unknown_item``, ``prevalence``, ``shares_sum``.

    Examples
    --------
    30% never, 20% last week, no one both, so half of the people neither:

    >>> from privacy.survey.question import Question
    >>> questions = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,))
    ...               for key in ("never", "week"))
    >>> block = Block(key="b", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...               questions=questions)
    >>> prior = exclusive_prior(block, {"never": [3000], "week": [2000]}, [["never", "week"]])
    >>> never, week = (share / 10_000 for (share,) in prior.shares.values())
    >>> [round(row / float(prior.possible), 3) for row in ((1 - never) * (1 - week), never * (1 - week))]
    [0.5, 0.3]
    """
    check_prevalence(block.questions, prevalence)
    shares = tuple(tuple(prevalence[question.key]) for question in block.questions)
    return _block_prior(block, shares, item_positions(block, exclusive))


def item_positions(block: Block, exclusive: Sequence[Sequence[str]]) -> tuple[tuple[ItemPosition, ...], ...]:
    """Return the positions of the items of some sets in their block.

    Parameters
    ----------
    block : Block
    exclusive : sequence of sequences of str
        Item keys of the block.

    Raises
    ------
    PrivacyError
        ``unknown_item``.
    """
    places = {
        key: (number, item)
        for number, question in enumerate(block.questions)
        for item, key in enumerate(question.item_keys)
    }
    name = "answer that excludes others"
    return tuple(
        tuple(places[validation.one_of(key, name, allowed=places, code="unknown_item")] for key in keys)
        for keys in exclusive
    )


@lru_cache(maxsize=256)
def _block_prior(
    block: Block, answer_shares: tuple[tuple[int, ...], ...], sets: tuple[tuple[ItemPosition, ...], ...]
) -> BlockPrior | None:
    keys = [question.key for question in block.questions]
    prevalence = dict(zip(keys, answer_shares, strict=True))
    tables = _tables(block, prevalence)
    groups = together_in(block, sets, [len(table) for table in tables])
    if not groups:
        return None
    possible = Fraction(1)
    for group in groups:
        weights = fit_shares([tables[part] / SCALE for part in group.parts], group.allowed)
        if weights is None:
            return None
        for part, own in zip(group.parts, weights, strict=True):
            tables[part] = whole(tables[part], own)
        left = outer([tables[part].astype(object) for part in group.parts])[group.allowed].sum()
        possible *= Fraction(int(left), SCALE ** len(group.parts))
    if not possible:
        return None
    return BlockPrior(
        block=block,
        prevalence=prevalence,
        shares=dict(zip(keys, _shares(block, tables), strict=True)),
        sets=sets,
        together=groups,
        possible=possible,
    )


def _tables(block: Block, shares: Mapping[str, Sequence[int]]) -> list[Whole]:
    """Return each part's shares in ten-thousandths: of no and yes, or of the options of a single choice."""
    return [
        np.array(table, dtype=np.int64)
        for question in block.questions
        for table in question.tables(shares[question.key])
    ]


def _shares(block: Block, tables: Sequence[Whole]) -> list[list[int]]:
    left = iter(tables)
    return [question.of_tables(left) for question in block.questions]
