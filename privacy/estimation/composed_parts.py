"""Scores of rows for rules of items and parts of numbers and places: a product of one factor per disguise."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast

import numpy as np

from privacy.arrays import Array, Flags, Whole
from privacy.channels import numerator
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns
from privacy.estimation.design_index import DesignIndex, index_of
from privacy.estimation.incomplete_rows import contribution, off_centres
from privacy.estimation.reach import Reach, reach_of
from privacy.scales.scale_skips import answer_scores
from privacy.scales.window import Span
from privacy.survey.design import Design
from privacy.survey.question import ScaleQuestion

if TYPE_CHECKING:
    from privacy.scales.planar_window import Region

Wanted: TypeAlias = 'Span | Region | Literal["mean"]'

MOST_RULE_PARTS: Final = 4
"""Largest number of parts. Variances multiply, so rules over more parts are useless at any realistic n."""

MOST_RULE_ITEMS: Final = 8


@dataclass(frozen=True, kw_only=True)
class Part:
    """Subset of the answers to a number or a place.

    Parameters
    ----------
    question : int
        Number of the question in the design.
    target : (int, int) or tuple of Rectangle or MEAN
        First and last bin of a number, or disjoint rectangles of cells of a place.
    """

    question: int
    target: Wanted


@dataclass(frozen=True, kw_only=True)
class Side:
    """Antecedent or consequent of a rule: an event in a person's answers.

    Parameters
    ----------
    items : tuple of int
        A row must have all of them.
    parts : tuple of Part
        A row must have an answer in each of them.
    at_least_one : tuple of int
        If not empty, a row must have one of these items, which one block sends under one coin.
    """

    items: Columns = ()
    parts: tuple[Part, ...] = ()
    at_least_one: Columns = ()

    def __bool__(self) -> bool:
        return bool(self.all_items or self.parts)

    @property
    def all_items(self) -> Columns:
        """Every item that decides whether a row matches."""
        return (*self.items, *self.at_least_one)

    def questions(self, design: Design) -> frozenset[int]:
        """Return the numbers of the questions of its items and parts."""
        return frozenset(design.items[item].question for item in self.all_items) | frozenset(
            part.question for part in self.parts
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class PartDraw:
    """How devices draw the questions of a factor.

    Its axes are items that a device always asks together and that are on the same sides, or the answer to a
    number or a place.

    Parameters
    ----------
    columns : Columns
        "Asked" column of each axis.
    sides : tuple of tuple of int
        Sides to which each axis belongs: 1 for the antecedent, 2 for the consequent.
    scores : ndarray of float64, shape (2^axes, codes)
        Score of each set of axes (encoded as bits) for a row that was asked them; codes as in the factor.
    base : Reach or None
        Rows that could draw the questions; None if that needs too many sets of columns.
    """

    columns: Columns
    sides: tuple[tuple[int, ...], ...]
    scores: Array
    base: Reach | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Factor:
    """Contribution of one question's answer, or one block's items, to the scores of a row.

    Parameters
    ----------
    question : int or None
        Number of a number or place question. Codes are the outputs of a protected row, then "skipped", then
        the outputs and the skip of direct rows.
    items : Columns
        Items of a block. Bit i of the code is 1 if the row shows the i-th item; codes of direct rows follow.
    scores : ndarray of float64, shape (3, codes)
        For both sides together, for the antecedent, for the consequent; 1 if a side does not involve it.
    split : int
        Number of codes of protected rows, which come first.
    draws : PartDraw or None
        None if everyone who meets its condition is asked.
    """

    question: int | None
    items: Columns
    scores: Array
    split: int
    draws: PartDraw | None

    def is_open(self, *, direct: bool) -> bool:
        """Whether a group sends the factor undisguised."""
        of_group = self.scores[:, self.split :] if direct else self.scores[:, : self.split]
        return bool(np.isin(of_group, (0.0, 1.0)).all())


def factors_of(antecedent: Side, consequent: Side, design: Design) -> tuple[Factor, ...]:
    """Return the factors whose product is the score of a row.

    Parameters
    ----------
    antecedent, consequent : Side
        Items and parts of questions of each side.
    design : Design
        Design of both sides.

    Raises
    ------
    PrivacyError
        ``rule`` (an empty side), ``same_question`` (two parts, or a part and an item, of one question),
        ``too_large`` (more than 4 parts or 8 items, or a channel that is too large for scores), ``no_score``
        (a disguise that does not distinguish a part), ``question``, ``spans``, ``regions``,
        ``never_together`` (questions that no device asks together), ``at_least_one`` (fewer than two items,
        items of several blocks, or items that are required as well), and the errors of
        `privacy.estimation.estimates.estimate` for items.

    Notes
    -----
    Disguises of different blocks are drawn independently. So if each factor f is unbiased, E[f | answer] =
    [the answer matches], their product is unbiased for the product. Items of one block share a coin, so their
    factor is ([all of them] - (1-p) q) / p, for the items of both sides together and of each side. The same
    holds for "at least one of them", with the probability q that a random answer has one.

    Examples
    --------
    A number with two bins, kept with probability 3/4; the part is the second bin:

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr
    >>> channel = generalised_rr(NumberRange(low=0, high=1), 7500)
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="n", protected=True, truth_probability=0,
    ...           questions=(Question(key="n", kind="number", options=(), unrelated=(), disguise=channel),)),
    ...     Block(key="you", protected=False, truth_probability=10_000,
    ...           questions=(Question(key="a", kind="yes_no", options=(), unrelated=()),))))
    >>> number, item = factors_of(Side(parts=(Part(question=0, target=(1, 1)),)), Side(items=(0,)), design)
    >>> number.scores[0].round(9).tolist()  # sent 0, sent 1, skipped; direct 0 and 1, skipped
    [-0.5, 1.5, 0.0, 0.0, 1.0, 0.0]
    >>> item.scores[[0, 2]].tolist()
    [[0.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0]]
    """
    if not antecedent or not consequent:
        raise PrivacyError("rule.side", ())
    return _factors(antecedent, consequent, design)


def event_factors(event: Side, design: Design) -> tuple[Factor, ...]:
    """Return the factors of a row's score for one event, with equal first and second scores.

    Parameters
    ----------
    event : Side
        Items and parts of questions, all of which must match, and items of which one must.
    design : Design
        Design of the survey.

    Raises
    ------
    PrivacyError
        As for `factors_of`; ``rule``: an empty event.

    Examples
    --------
    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(Block(key="b", protected=True,
    ...     truth_probability=5000,
    ...     questions=(Question(key="a", kind="yes_no", options=(), unrelated=(5000,)),)),))
    >>> (factor,) = event_factors(Side(items=(0,)), design)
    >>> factor.scores[0].tolist()  # (y - 1/4) / (1/2); direct rows follow
    [-0.5, 1.5, 0.0, 1.0]

    *At least one of two*: a random answer has it with probability 3/4, so q = 3/8.

    >>> two = Design(group=GroupPolicy(), use="live", blocks=(Block(key="b", protected=True,
    ...     truth_probability=5000, questions=tuple(
    ...         Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "ac")),))
    >>> (factor,) = event_factors(Side(at_least_one=(0, 1)), two)
    >>> factor.scores[0].tolist()  # neither, a, c, both; direct rows follow
    [-0.75, 1.25, 1.25, 1.25, 0.0, 1.0, 1.0, 1.0]
    """
    if not event:
        raise PrivacyError("rule.side", ())
    return _factors(event, Side(), design)


def _factors(antecedent: Side, consequent: Side, design: Design) -> tuple[Factor, ...]:
    _refuse_required(antecedent, consequent, design)
    _check(antecedent, consequent, design)
    index = index_of(design)
    parts = [part.question for side in (antecedent, consequent) for part in side.parts]
    items = index.check((*antecedent.all_items, *consequent.all_items))
    index.refuse_unreachable_questions({*parts, *index.question[list(items)].tolist()})
    factors = list(_of_parts(antecedent, consequent, design))
    required = tuple(sorted((*antecedent.items, *consequent.items)))
    index.refuse_excluded(required)
    for side in (antecedent, consequent):
        _check_at_least_one(side.at_least_one, required, index)
    blocks = dict.fromkeys(int(index.block[item]) for item in items)
    factors.extend(_of_block(block, (antecedent, consequent), index) for block in blocks)
    return tuple(factors)


def _refuse_required(antecedent: Side, consequent: Side, design: Design) -> None:
    """Refuse an item that is in "at least one of" and required as well."""
    required = {*antecedent.items, *consequent.items}
    for item in (*antecedent.at_least_one, *consequent.at_least_one):
        if item in required:
            raise PrivacyError("at_least_one.required", item, key=repr(design.items[item].key))


def _check_at_least_one(items: Columns, required: Columns, index: DesignIndex) -> None:
    """Refuse items of which one must hold, unless one block sends them and one is possible."""
    if not items:
        return
    keys = ", ".join(repr(index.design.items[item].key) for item in items)
    if len(items) < 2:
        raise PrivacyError("at_least_one.single", items, keys=keys)
    if len({int(index.block[item]) for item in items}) > 1:
        raise PrivacyError("at_least_one.coins", items, keys=keys)
    if all(index.excluded_pair((*required, item)) is not None for item in items):
        index.refuse_excluded(tuple(sorted((*required, items[0]))))


def _check(antecedent: Side, consequent: Side, design: Design) -> None:
    items = (*antecedent.all_items, *consequent.all_items)
    parts = (*antecedent.parts, *consequent.parts)
    for name, number, most in (
        ("parts", len(parts), MOST_RULE_PARTS),
        ("items", len(items), MOST_RULE_ITEMS),
    ):
        if number > most:
            raise PrivacyError("too_large.rule", number, name=name, most=most)
    for part in parts:
        if not 0 <= part.question < len(design.questions) or not design.questions[part.question].is_scale:
            raise PrivacyError("question", part.question)
    index = index_of(design)
    questions = [part.question for part in parts] + [int(index.question[item]) for item in index.check(items)]
    for part in parts:
        if questions.count(part.question) > 1:
            key = design.questions[part.question].key
            raise PrivacyError("same_question", key)


def _of_parts(antecedent: Side, consequent: Side, design: Design) -> Iterator[Factor]:
    for part in (*antecedent.parts, *consequent.parts):
        indirect, direct = (_part_scores(part, design, direct=direct) for direct in (False, True))
        part_scores = np.concatenate([indirect, direct])
        ones = np.ones_like(part_scores)
        first = part in antecedent.parts
        scores = np.stack([part_scores, part_scores if first else ones, ones if first else part_scores])
        draw = None
        if _is_drawn(design, design.block_of(part.question)):
            draw = PartDraw(
                columns=(design.asked_column(part.question),),
                sides=((1 if first else 2,),),
                scores=np.stack([ones, part_scores]),
                base=_drawable_rows(design, design.block_of(part.question)),
            )
        yield Factor(question=part.question, items=(), scores=scores, split=len(indirect), draws=draw)


def _is_drawn(design: Design, block: int) -> bool:
    drawn_block = design.blocks[block]
    return drawn_block.is_rotating or any(drawn_block.key in rotation.blocks for rotation in design.rotations)


def _drawable_rows(design: Design, block: int) -> Reach | None:
    """Return the rows that could draw a block; if rows show whether they did, the rows that did."""
    drawn_block = design.blocks[block]
    taking_turns = any(drawn_block.key in rotation.blocks for rotation in design.rotations)
    if (
        drawn_block.is_rotating
        and drawn_block.refusal is None
        and not taking_turns
        and drawn_block.asked_if is not None
    ):
        return ((1, (design.answered_column(block),)),)
    return reach_of(design, block)


def _part_scores(part: Part, design: Design, *, direct: bool) -> Array:
    """Return the scores of a group's reports, including "skipped"."""
    block = design.blocks[design.block_of(part.question)]
    group_block = block.in_group(direct=direct)
    question = cast(ScaleQuestion, design.questions[part.question])
    is_in_part, scores = question.part_scores((group_block or block).disguise, part.target)
    if group_block is None:
        return np.append(is_in_part.astype(np.float64), 0.0)
    return (
        np.append(scores, 0.0)
        if group_block.skipping is None
        else answer_scores(group_block.skipping, scores)
    )


def _of_block(block: int, events: Sequence[Side], index: DesignIndex) -> Factor:
    sides = [_within(block, event, index) for event in events]
    items = tuple(sorted({item for side in sides for item in side.all_items}))
    codes = np.arange(1 << len(items))

    def scores_of(*of_sides: Side) -> Array:
        having = np.ones(len(codes))
        for side in of_sides:
            having *= _has_all(codes, [items.index(item) for item in side.items])
            if side.at_least_one:
                bits = [items.index(item) for item in side.at_least_one]
                having *= 1 - _has_all(~codes, bits)
        if not any(of_sides) or index.is_open[items[0]]:
            return np.concatenate([having, having])
        truths = (float(index.truth[group, block]) for group in (1, 0))
        return np.concatenate([numerator(having, p, _decoy_of(block, of_sides, index)) / p for p in truths])

    draw = None
    # Rows that were asked a part of "at least one of" do not help, so only complete rows count.
    if index.is_drawn[items[0]] and not any(side.at_least_one for side in sides):
        axes: dict[tuple[int, tuple[int, ...]], list[int]] = {}
        for item in items:
            on = tuple(number for number, side in enumerate(sides, start=1) if item in side.items)
            axes.setdefault((int(index.unit[item]), on), []).append(item)
        sets = [
            sorted(
                item
                for bit, axis_items in enumerate(axes.values())
                if bitmask >> bit & 1
                for item in axis_items
            )
            for bitmask in range(1 << len(axes))
        ]
        draw = PartDraw(
            columns=tuple(
                index.design.asked_column(int(index.question[axis_items[0]])) for axis_items in axes.values()
            ),
            sides=tuple(on for _, on in axes),
            scores=np.stack([scores_of(Side(items=tuple(subset))) for subset in sets]),
            base=_drawable_rows(index.design, block),
        )
    return Factor(
        question=None,
        items=items,
        scores=np.stack([scores_of(*sides), *(scores_of(side) for side in sides)]),
        split=len(codes),
        draws=draw,
    )


def _within(block: int, event: Side, index: DesignIndex) -> Side:
    """Return the items of an event that a block sends."""
    items, at_least_one = (
        tuple(item for item in members if index.block[item] == block)
        for members in (event.items, event.at_least_one)
    )
    return Side(items=items, at_least_one=at_least_one)


def _decoy_of(block: int, events: Sequence[Side], index: DesignIndex) -> float:
    """Return the probability that a random answer of a block belongs to all events.

    Inclusion and exclusion over the items of which one must hold: P(a or b) = P(a) + P(b) - P(a and b).
    """
    required = {item for event in events for item in event.items}
    signed: list[tuple[int, frozenset[int]]] = [(1, frozenset(required))]
    for event in events:
        if event.at_least_one:
            subsets = [
                subset
                for size in range(1, len(event.at_least_one) + 1)
                for subset in itertools.combinations(event.at_least_one, size)
            ]
            signed = [
                (sign if len(subset) % 2 else -sign, joined | {*subset})
                for sign, joined in signed
                for subset in subsets
            ]
    return sum(
        sign * index.decoy(block, sorted(joined))
        for sign, joined in signed
        if index.excluded_pair(joined) is None
    )


def _has_all(codes: Whole, bits: Iterable[int]) -> Array:
    product = np.ones(len(codes))
    for bit in bits:
        product *= codes >> bit & 1
    return product


_SIDES = ((1, 2), (1,), (2,))
"""Sides of each event, in the order of `Factor.scores`: both sides, the antecedent, the consequent."""


@dataclass(frozen=True, eq=False)
class States:
    """Classes of a factor's reports with equal scores, with "not asked" as an additional class.

    Parameters
    ----------
    which : ndarray of int64, shape (2^axes, codes)
        State of a row, by its code and by the set of axes that it was asked (encoded as bits).
    codes : ndarray of int64, shape (states,)
        One code of each state.
    is_asked : ndarray of bool, shape (axes, states)
        Whether each axis was asked; there are no axes if the factor is not drawn.
    """

    which: Whole
    codes: Whole
    is_asked: Flags


def states_of(factor: Factor, n_codes: int) -> States:
    """Merge codes of a factor that have equal scores in rows that were asked the same.

    Parameters
    ----------
    factor : Factor
        Factor of one block.
    n_codes : int
        Number of codes to merge, starting with the first.
    """
    codes = np.arange(n_codes)
    axes = 0 if factor.draws is None else len(factor.draws.columns)
    masks, shown = (own.ravel() for own in np.meshgrid(np.arange(1 << axes), codes, indexing="ij"))
    scores = factor.scores[:, :n_codes]
    if factor.draws is not None:
        inner = (np.arange(1 << axes)[:, None] & ~masks) == 0
        scores = np.concatenate([masks[None], np.where(inner, factor.draws.scores[:, shown], 0.0)])
    _, first, which = np.unique(scores.round(12), axis=1, return_index=True, return_inverse=True)
    return States(
        which=which.ravel().astype(np.int64).reshape(1 << axes, n_codes),
        codes=shown[first].astype(np.int64),
        is_asked=(masks[first] >> np.arange(axes)[:, None] & 1) == 1,
    )


def influence(
    factors: Sequence[Factor], codes: Sequence[Whole], counts: Whole, *, direct: Flags, is_asked: Flags
) -> Array:
    """Return the scores of the rows of each cell, shape (scores, cells); see `off_centres`.

    Parameters
    ----------
    factors : sequence of Factor
    codes : sequence of ndarray of int64, shape (cells,)
        Code of each factor in the rows of a cell; arbitrary if it was not asked.
    counts : ndarray of int64, shape (cells,)
        If a group has rows, some of them were asked everything.
    direct : ndarray of bool, shape (cells,)
    is_asked : ndarray of bool, shape (axes, cells)
        Whether each axis of the drawn factors was asked, in their order.

    Notes
    -----
    Disguises of the factors are drawn independently, so z and c of a set of axes are products over factors.
    """
    if not len(is_asked):
        # Everyone was asked everything, so scores just multiply.
        scores = [factor.scores[:, factor_codes] for factor, factor_codes in zip(factors, codes, strict=True)]
        return np.asarray(np.multiply.reduce(scores))
    asked_of_factors, first = [], 0
    for factor in factors:
        axes = 0 if factor.draws is None else len(factor.draws.columns)
        asked_of_factors.append(is_asked[first : first + axes])
        first += axes
    centres = [
        _centres(factor, factor_codes, counts, asked_axes)
        for factor, factor_codes, asked_axes in zip(factors, codes, asked_of_factors, strict=True)
    ]
    influences = np.zeros((3, len(counts)))
    for event, group in itertools.product(range(3), (direct, ~direct)):
        if counts[group].sum() > 0:
            terms = [
                _terms(factor, event, asked_axes[:, group], mu)
                for factor, asked_axes, mu in zip(factors, asked_of_factors, centres, strict=True)
            ]
            influences[event, group] = _add_terms(
                terms, [factor_codes[group] for factor_codes in codes], counts[group]
            )
    return influences


def _centres(factor: Factor, codes: Whole, counts: Whole, is_asked: Flags) -> Array:
    """Return the estimated share of each axis, clipped to [0, 1], shape (axes,)."""
    if factor.draws is None:
        return np.empty(0)
    shares = []
    for axis, asked_axis in enumerate(is_asked):
        n = counts[asked_axis].sum()
        total = (counts[asked_axis] * factor.draws.scores[1 << axis, codes[asked_axis]]).sum()
        shares.append(total / n if n else 0.0)
    centres: Array = np.clip(np.array(shares), 0.0, 1.0)
    return centres


def _terms(factor: Factor, event: int, is_asked: Flags, mu: Array) -> list[tuple[Array, Flags, Array]]:
    """Return, for each set A of an event's axes, its weight, flags of rows that were asked it, and c_A."""
    axes, scores = [], {0: factor.scores[event]}
    if factor.draws is not None:
        sides = factor.draws.sides
        axes = [
            axis
            for axis, sides_of_axis in enumerate(sides)
            if not set(sides_of_axis).isdisjoint(_SIDES[event])
        ]
        scores = {
            subset: factor.draws.scores[sum(1 << axis for axis in _subset_axes(axes, subset))]
            for subset in range(1 << len(axes))
        }
    off, weights = off_centres(scores, mu[axes])
    return [
        (weights[subset], np.logical_and.reduce(is_asked[_subset_axes(axes, subset)]), c)
        for subset, c in off.items()
    ]


def _subset_axes(axes: Sequence[int], subset: int) -> list[int]:
    return [axis for position, axis in enumerate(axes) if subset >> position & 1]


def _add_terms(
    terms: Sequence[Sequence[tuple[Array, Flags, Array]]], codes: Sequence[Whole], counts: Whole
) -> Array:
    """Return the scores of one group's rows: each set of axes contributes to the rows that were asked it."""
    covariance, support, n = np.zeros((len(counts), 1)), np.zeros(1), np.array([counts.sum()])
    for some in itertools.product(*terms):
        has_all = np.logical_and.reduce([flags for _, flags, _ in some])
        c = np.ones(int(has_all.sum()))
        for (_, _, by_code), factor_codes in zip(some, codes, strict=True):
            c *= by_code[factor_codes[has_all]]
        weight = np.multiply.reduce([factor_weight for factor_weight, _, _ in some])
        more, by_row = contribution(c[:, None], counts[has_all, None], weight, n)
        support += more
        covariance[has_all] += by_row
    whole: Array = covariance[:, 0] + support
    return whole
