"""An adversary's belief about a respondent's row: the prior, and the posterior after a row was sent.

True rows have independent answers, except that some exclude each other. A sent row is the truth or a decoy;
``odds.js`` shows respondents the posterior.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, Final, TypeAlias

import numpy as np

from privacy import validation
from privacy.arrays import Flags, Whole
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.risk.prevalences import Prevalence, check_prevalence, fit_shares, outer, quantise
from privacy.survey.answer_probabilities import unrelated_probability
from privacy.survey.block import SKIPPED, Block, BlockAnswers
from privacy.survey.design import Design
from privacy.survey.question import Value

ItemPosition: TypeAlias = tuple[int, int]
"""Position of a question in its block, and of an item in the question."""

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
        Flags of the combinations of answers that can be true together.
    """

    parts: tuple[int, ...]
    allowed: Flags


def link_parts(
    block: Block, sets: Sequence[Sequence[ItemPosition]], sizes: Sequence[int]
) -> tuple[Together, ...]:
    """Return groups of parts that exclusive answers connect; empty if a group has too many combinations.

    Parameters
    ----------
    block : Block
    sets : sequence of sequences of ItemPosition
        Sets of items; in each, at most one item is true.
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
        linked_parts = {part_of[item][0] for item in items}
        disjoint = [group for group in groups if not group & linked_parts]
        groups = [*disjoint, linked_parts.union(*(group for group in groups if group & linked_parts))]
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
        Independent shares, in ten-thousandths, chosen so that excluding impossible rows gives every item its
        stated prevalence, up to rounding and if possible.
    sets : tuple of tuple of (question, item)
        Sets of mutually exclusive answers; may be empty.
    together : tuple of Together
        Parts whose answers depend on each other through the sets.
    possible : Fraction
        Probability of possible rows under `shares`.

    Notes
    -----
    P(y) = product of `shares` / `possible`, and 0 for rows with two answers of a set. Among the distributions
    with the stated shares that exclude such rows, it has maximal entropy.
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
        Three fair questions, two of which exclude each other: "yes" to the third, and to the first of the
        two.

        >>> from privacy.survey.question import Question
        >>> questions = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,))
        ...                   for key in "abc")
        >>> block = Block(key="b", protected=True, truth_probability=5000,
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
        """Return the least likely decoy that can be true, other than "skipped"."""
        return self.row(self._least_decoys(_tables(self.block, self.block.unrelated)))

    def to_json(self) -> dict[str, Any]:
        """Return the data from which browsers compute the odds of a row; large integers are strings."""
        return {
            "shares": {key: list(shares) for key, shares in self.shares.items()},
            "sets": [[list(item) for item in items] for items in self.sets],
            "possible": [str(self.possible.numerator), str(self.possible.denominator)],
            "worst": self.least_likely,
        }

    def _least_decoys(self, decoys: Sequence[Whole]) -> list[int]:
        """Return the possible answers with the smallest product; ties go to most "yes", then to the first."""
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
        """Return the row with one of these answers for each part."""
        left = iter(answers)
        return tuple(
            question.of_parts([next(left) for _part in question.parts]) for question in self.block.questions
        )


def sets_of_blocks(design: Design, exclusive: Sequence[Sequence[str]]) -> dict[str, list[tuple[str, ...]]]:
    """Group sets of mutually exclusive item keys by the key of their block.

    Parameters
    ----------
    design : Design
        Design of a survey.
    exclusive : sequence of sequence of str
        Sets of item keys; in each, at most one item is true of a person.

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
    """Return the prior of a block, which excludes impossible rows if `exclusive_prior` can handle them.

    A rotating block is not constrained, because each booklet would have its own prior.

    Parameters
    ----------
    block, prevalence, exclusive
        As for `exclusive_prior`.
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
        Sets of item keys of the block; in each, at most one item is true of a person.

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
    30% "never", 20% "last week" and no one both, so half of the people are neither:

    >>> from privacy.survey.question import Question
    >>> questions = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,))
    ...               for key in ("never", "week"))
    >>> block = Block(key="b", protected=True, truth_probability=5000,
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
    """Convert sets of item keys to positions in their block.

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
    groups = link_parts(block, sets, [len(table) for table in tables])
    if not groups:
        return None
    possible = Fraction(1)
    for group in groups:
        weights = fit_shares([tables[part] / SCALE for part in group.parts], group.allowed)
        if weights is None:
            return None
        for part, part_weights in zip(group.parts, weights, strict=True):
            tables[part] = quantise(tables[part], part_weights)
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
    """Return each part's shares, in ten-thousandths: no and yes, or the options of a single choice."""
    return [
        np.array(table, dtype=np.int64)
        for question in block.questions
        for table in question.tables(shares[question.key])
    ]


def _shares(block: Block, tables: Sequence[Whole]) -> list[list[int]]:
    left = iter(tables)
    return [question.of_tables(left) for question in block.questions]
