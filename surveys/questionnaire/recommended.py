"""The recommended design of a draft: the same questions, sent as they are so rarely that all keep within.

Every part gets the same most: no part tells more than a common epsilon, the largest with which all parts
together, and those of other surveys of the series, tell at most what the site recommends; and no answer to
one question tells more of itself than recommended. Parts that tell less stay as they are.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from privacy.coins import SCALE
from privacy.planning.power import itemset_error
from privacy.policy import EPSILON_LOWEST
from privacy.risk.budget import block_budget, counted
from privacy.scales.decoding import expected_variance
from privacy.scales.planar_error import mean_square_error
from privacy.scales.window import WindowChannel
from privacy.survey.design import Block, Design
from surveys.questionnaire.checks import Ceilings
from surveys.questionnaire.checks.ceilings import largest_truth_probability
from surveys.questionnaire.checks.check import exceeds_recommended
from surveys.questionnaire.checks.drawn import prevalence_of
from surveys.questionnaire.checks.odds import has_odds, largest_truth_probability_at_odds
from surveys.questionnaire.definition import Definition, definition_read
from surveys.questionnaire.series import WaveLine

__all__ = ["ANSWERS", "PartChange", "Recommended", "common_epsilon", "margin_of", "recommended"]

ANSWERS: Final = 1_000
"""Of so many answers errors are told."""

_PERCENT: Final = SCALE // 100
_NORMAL: Final = 1.96


@dataclass(frozen=True, kw_only=True)
class PartChange:
    """A part before and after.

    Attributes
    ----------
    key : str
    before, after : Block
        In the strong strength.
    margins : tuple of float
        Before and after, see `margin_of`.
    """

    key: str
    before: Block
    after: Block
    margins: tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Recommended:
    """The recommended design.

    Attributes
    ----------
    document : dict
    design : Design
    changes : tuple of PartChange
    lights_left_out : bool
        Whether light strengths that parts state are left to be proposed.
    """

    document: dict[str, Any]
    design: Design
    changes: tuple[PartChange, ...]
    lights_left_out: bool


def common_epsilon(epsilons: Sequence[float], most: float) -> float:
    """Return the largest c with sum(min(epsilon, c)) <= most; infinity where all of them fit.

    Examples
    --------
    Of 1 + 4 + 4 the two large ones share what the small one leaves.

    >>> common_epsilon([4, 1, 4], 5), common_epsilon([1, 2], 5)
    (2.0, inf)
    """
    left, rest = most, sorted(epsilons)
    while rest:
        share = left / len(rest)
        if rest[0] > share:
            return max(share, 0.0)
        left -= rest.pop(0)
    return math.inf


def recommended(
    definition: Definition, *, ceilings: Ceilings, waves: Sequence[WaveLine] = ()
) -> Recommended | None:
    """Return the recommended design of a definition, or None where no setting keeps within.

    Parameters
    ----------
    definition : Definition
    ceilings : Ceilings
        What is recommended is where they warn.
    waves : sequence of WaveLine
        The other surveys of its series.
    """
    blocks = [_strong(block) for block in definition.design.blocks]
    bounds = (block_budget(block) for block in blocks if block.protected)
    summed = [bound.epsilon for bound in counted(bounds, definition.design.rotations)]
    spent = math.fsum(wave.epsilon for wave in waves)
    shared = min(common_epsilon(summed, ceilings.survey.warn - spent), ceilings.block.warn)
    document = copy.deepcopy(definition.document)
    for block, entry in zip(blocks, document["blocks"], strict=True):
        if not block.protected:
            continue
        bound = block_budget(block)
        most = ceilings.block.warn if bound.exact_outside else shared
        if bound.epsilon > most and not _mended(entry, block, most):
            return None
        if has_odds(block) and not _mended_odds(entry, block, ceilings.odds.warn):
            return None
    for lights_left_out in (False, True):
        if lights_left_out:
            for entry in document["blocks"]:
                entry.pop("light", None)
        mended = definition_read(document).definition
        if mended is not None and not exceeds_recommended(mended.design, waves):
            changes = tuple(_changes(definition, mended))
            return Recommended(
                document=document, design=mended.design, changes=changes, lights_left_out=lights_left_out
            )
    return None


def margin_of(definition: Definition, block: Block) -> float:
    """Return how far a figure of a part is off at most, 19 times in 20, for a thousand people who answer.

    Of a coin the largest half-width of a share's interval; of a number that of the average; of a place how
    far one answer is off, in metres, as a root mean square.
    """
    design = definition.design
    if not block.is_scale:
        stated = prevalence_of(definition.document)
        return _NORMAL * max(
            itemset_error(
                float(block.factor_in(direct=False)), theta / SCALE, 0, [(1, share / SCALE)], ANSWERS
            )
            / math.sqrt(design.drawn_together([design.question_number(question.key)]))
            for question in block.questions
            for theta, share in zip(question.unrelated, stated[question.key], strict=True)
        )
    disguise = block.disguise
    if isinstance(disguise, WindowChannel):
        n_asked = ANSWERS * design.drawn_together([design.question_number(block.questions[0].key)])
        return _NORMAL * math.sqrt(expected_variance(disguise, skipping=block.skipping) / n_asked)
    return math.sqrt(mean_square_error(disguise, skipping=block.skipping))


def _mended(entry: dict[str, Any], block: Block, most: float) -> bool:
    """Bound the epsilon of a part of a document; return whether that is possible."""
    if not block.is_scale:
        share = largest_truth_probability(block, most)
        entry["truth_probability"] = _whole_percent(share)
        return share > 0
    epsilon = math.floor(100 * most + 1e-9) / 100
    for question in entry["questions"]:
        stated = question[question["kind"]]
        for each in [stated, *(stated.get("sensitive") or [])]:
            if isinstance(each, dict) and each.get("epsilon") is not None:
                each["epsilon"] = min(each["epsilon"], epsilon)
    return epsilon >= EPSILON_LOWEST


def _mended_odds(entry: dict[str, Any], block: Block, most: float) -> bool:
    """Bound the odds of one answer to a part of a document; return whether that is possible."""
    share = largest_truth_probability_at_odds(block, most)
    if entry["truth_probability"] > share:
        entry["truth_probability"] = _whole_percent(share)
    return share > 0


def _whole_percent(share: int) -> int:
    """Return ten-thousandths in whole percent, as people set them, where that leaves any."""
    return share - share % _PERCENT if share >= _PERCENT else share


def _changes(before: Definition, after: Definition) -> list[PartChange]:
    pairs = zip(map(_strong, before.design.blocks), map(_strong, after.design.blocks), strict=True)
    return [
        PartChange(
            key=old.key, before=old, after=new, margins=(margin_of(before, old), margin_of(after, new))
        )
        for old, new in pairs
        if old != new
    ]


def _strong(block: Block) -> Block:
    return block.in_group(direct=False) or block
