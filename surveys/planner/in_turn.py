"""Whole parts of a draft that take turns: as precise with less epsilon, numbers among them."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from privacy.coins import SCALE
from privacy.planning.light_strength import lighter
from privacy.planning.part_variance import variance_of_size
from privacy.planning.parts_in_turn import NumberEpsilon, PartsInTurn, asked_part, parts_in_turn
from privacy.policy import EPSILON_HIGHEST, LEAST_SAVED
from privacy.risk.budget import block_budget, counted
from privacy.risk.posterior import even_shares
from privacy.scales.decoding import expected_variance
from privacy.scales.mean_place import place_variance
from privacy.scales.numeric_mechanisms import BY_EPSILON
from privacy.scales.planar_alike import tells_nothing
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.skipping import Disguise, Skipping, least_refusal
from privacy.scales.window import WindowChannel
from privacy.survey.design import Block, Design
from surveys.questionnaire.checks.ceilings import Ceilings, largest_truth_probability
from surveys.questionnaire.definition import Definition, definition_read

__all__ = ["DraftInTurn", "draft_in_turn", "has_turns", "is_made_by_epsilon", "left_for"]

_STEPS: Final = 100
_LARGEST: Final = 3


@dataclass(frozen=True, kw_only=True)
class DraftInTurn:
    """A draft, and the same of which each person is asked some parts.

    Attributes
    ----------
    design : PartsInTurn
    keys : tuple of str
        The parts that take turns.
    before : float
        Epsilon of all of them as they are.
    variances : tuple of float
        n times the variance of supports of one, two and three items as it is.
    after : Definition
    """

    design: PartsInTurn
    keys: tuple[str, ...]
    before: float
    variances: tuple[float, ...]
    after: Definition


def draft_in_turn(
    definition: Definition, *, n: int, ceilings: Ceilings, largest: int, most_odds: float
) -> DraftInTurn | None:
    """Return a draft of which each person is asked some parts; None where that saves no epsilon worth while.

    Parameters
    ----------
    definition : Definition
    n : int
        Respondents.
    ceilings : Ceilings
        Neither a part nor all that a person is asked is to be above what is recommended.
    largest : int
        Supports of one item up to so many count alike.
    most_odds : float
        Of one question of a part of several, at most.

    Notes
    -----
    Parts that some people only are asked, and numbers and places whose disguise no single epsilon makes, stay
    as they are. Of a place it is the mean that is as exact as before.
    """
    blocks = _movable(definition.design)
    coins = [block for block in blocks if not block.is_scale]
    numbers = [block for block in blocks if block.is_scale]
    parts = [asked_part(block) for block in coins]
    items = sum(question.items for part in parts for question in part.asked_questions)
    if items < largest or not has_turns(definition.design, largest):
        return None
    rotation = parts_in_turn(
        parts,
        n=n,
        sizes=tuple(range(1, largest + 1)),
        skips=[block.refusal is not None for block in coins],
        numbers=[_epsilon_of(block, definition) for block in numbers],
        most_epsilon=ceilings.block.warn,
        most_of_device=_left(definition.design, blocks, ceilings),
        most_odds=min(most_odds, ceilings.odds.warn),
    )
    before = math.fsum(block_budget(block.of_booklet(block.worst_booklet)).epsilon for block in blocks)
    if rotation is None or rotation.epsilon > (1 - LEAST_SAVED) * before:
        return None
    after = definition_read(_document(definition, rotation, coins, numbers)).definition
    if after is None:
        return None
    return DraftInTurn(
        design=rotation,
        keys=tuple(block.key for block in blocks),
        before=before,
        variances=tuple(
            variance_of_size(parts, size) if size <= items else math.inf for size in range(1, _LARGEST + 1)
        ),
        after=after,
    )


def left_for(design: Design, joined: Sequence[Block], ceilings: Ceilings) -> float:
    """Return the epsilon that a part in place of some has: that of a part, and what a person has left.

    Where the other parts leave nothing, a part below its own ceiling is better than none.
    """
    left = _left(design, joined, ceilings)
    return min(ceilings.block.warn, left) if left > 0 else ceilings.block.warn


def _left(design: Design, moved: Sequence[Block], ceilings: Ceilings) -> float:
    """Return the epsilon that the parts which stay leave a person for those that are moved."""
    keys = {block.key for block in moved}
    others = [
        block_budget(block.in_group(direct=False) or block)
        for block in design.blocks
        if block.protected and block.key not in keys
    ]
    return ceilings.survey.warn - math.fsum(bound.epsilon for bound in counted(others, design.rotations))


def has_turns(design: Design, largest: int) -> bool:
    """Return whether there are parts enough for each person to be asked some, and itemsets of them."""
    return len(_movable(design)) > largest


def _movable(design: Design) -> list[Block]:
    """Return the parts that could take turns, of two strengths the strong one."""
    return [
        block.in_group(direct=False) or block
        for block in design.blocks
        if block.protected
        and block.asked_if is None
        and block.radius is None
        and not design.in_rotation(block.key)
        and (not block.is_scale or is_made_by_epsilon(block))
    ]


def is_made_by_epsilon(block: Block) -> bool:
    """Return whether one epsilon makes the disguise of a number or a place."""
    disguise = block.disguise
    if isinstance(disguise, PlanarWindowChannel):
        return disguise.amplification is not None and not tells_nothing(disguise)
    return isinstance(disguise, WindowChannel) and disguise.mechanism in BY_EPSILON and not disguise.cyclic


def _epsilon_of(block: Block, definition: Definition) -> NumberEpsilon:
    """Return the least epsilon, in hundredths, at which a mean is as exact if so many are asked it."""

    def variance(disguise: Disguise) -> float:
        skipping = (
            Skipping(disguise=disguise, refusal=least_refusal(disguise))
            if block.refusal is not None
            else None
        )
        return _variance(disguise, skipping)

    own = _variance(block.disguise, block.skipping)

    @cache
    def at(step: int) -> float:
        epsilon = step / _STEPS
        if isinstance(block.disguise, WindowChannel):
            return variance(lighter(block.disguise, epsilon))
        return variance(_place_at(block, definition, epsilon))

    def least(share: float) -> float:
        low = math.floor(block_budget(block).epsilon * _STEPS)
        high = math.floor(EPSILON_HIGHEST * _STEPS)
        if at(high) > own * share:
            return math.inf
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if at(middle) <= own * share else (middle, high)
        return high / _STEPS

    return least


def _variance(disguise: Disguise, skipping: Skipping | None) -> float:
    if isinstance(disguise, PlanarWindowChannel):
        return place_variance(disguise, skipping=skipping)
    return expected_variance(disguise, skipping=skipping)


def _place_at(block: Block, definition: Definition, epsilon: float) -> Disguise:
    """Return the disguise that a draft gets with this epsilon: its windows become narrower with it."""
    document = copy.deepcopy(definition.document)
    (entry,) = (entry for entry in document["blocks"] if entry["key"] == block.key)
    entry["questions"][0]["place"]["epsilon"] = epsilon
    entry.pop("light", None)
    read = {own.key: own for _path, own in definition_read(document).blocks}
    return read[block.key].disguise


def _document(
    definition: Definition, turns: PartsInTurn, coins: Sequence[Block], numbers: Sequence[Block]
) -> dict[str, Any]:
    document = copy.deepcopy(definition.document)
    entries = {entry["key"]: entry for entry in document["blocks"]}
    for block, part in zip(coins, turns.parts, strict=True):
        entry = entries[block.key]
        entry.pop("light", None)
        drawn = {question.key: list(even_shares(question)) for question in block.questions}
        for question in entry["questions"]:
            question["unrelated"] = drawn[question["key"]]
        entry["truth_probability"] = max(1, round(part.truth * SCALE))
        if block.refusal is not None:
            entry["refusal"] = -(-SCALE // (part.patterns + 1))
    for block, epsilon in zip(numbers, turns.number_epsilons, strict=True):
        entry = entries[block.key]
        entry.pop("light", None)
        (question,) = entry["questions"]
        question[question["kind"]]["epsilon"] = epsilon
        if block.refusal is not None:
            entry["refusal"] = True
    # A skip is as likely as whole ten-thousandths allow: what a part may tell is kept by its p.
    read = {block.key: block for _path, block in definition_read(document).blocks}
    for block, epsilon in zip(coins, turns.part_epsilons, strict=True):
        most = largest_truth_probability(read[block.key], epsilon)
        entries[block.key]["truth_probability"] = max(1, min(most, read[block.key].truth_probability))
    moved = {block.key for block in (*coins, *numbers)}
    rotation = {
        "blocks": [entry["key"] for entry in document["blocks"] if entry["key"] in moved],
        "parts_per_person": turns.parts_per_person,
    }
    document["rotations"] = [*(document.get("rotations") or []), rotation]
    return document
