"""Bound the parts that a layout leaves where they are: numbers, places, and those of some people only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from privacy.coins import SCALE
from privacy.planning.layouts import Protection
from privacy.policy import EPSILON_LOWEST
from privacy.risk.budget import block_budget
from privacy.survey.design import Block
from surveys.questionnaire.checks.ceilings import largest_truth_probability
from surveys.questionnaire.checks.odds import largest_truth_probability_at_odds

__all__ = ["common_epsilon", "fixed_parts_bounded"]


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


def fixed_parts_bounded(
    entries: Sequence[tuple[dict[str, Any], Block]], protection: Protection, *, left: float, shared: bool
) -> bool:
    """Bound the parts of a document that keep their places; return whether that is possible.

    Parameters
    ----------
    entries : sequence of (dict, Block)
        What the document says of each, which is changed, and the part in the strong strength.
    protection : Protection
    left : float
        Epsilon that all parts may have together.
    shared : bool
        Whether parts that are laid out need a share of it, as large as that of one of these.

    Notes
    -----
    No part tells more than a common epsilon, the largest within what is left, and none more than one answer
    may. A part that tells less stays as it is.
    """
    summed = [block_budget(block).epsilon for _entry, block in entries if not _exact_outside(block)]
    common = common_epsilon([*summed, *([math.inf] if shared else [])], left)
    of_an_answer = math.log(protection.answer)
    return all(
        _bounded(
            entry,
            block,
            of_an_answer if _exact_outside(block) else min(common, of_an_answer),
            protection.answer,
        )
        for entry, block in entries
    )


def _exact_outside(block: Block) -> bool:
    return block_budget(block).exact_outside


def _bounded(entry: dict[str, Any], block: Block, epsilon: float, odds: Fraction) -> bool:
    """Bound one part by an epsilon, and one answer of it by odds."""
    if block.is_scale:
        return block_budget(block).epsilon <= epsilon or _with_epsilon(entry, epsilon)
    truth = min(
        block.truth_probability,
        largest_truth_probability(block, epsilon) if math.isfinite(epsilon) else SCALE,
        largest_truth_probability_at_odds(block, odds),
    )
    entry["truth_probability"] = max(truth, 1)
    return truth > 0


def _with_epsilon(entry: dict[str, Any], epsilon: float) -> bool:
    # Rounded down to hundredths, as people set them: the ceiling must hold.
    most = math.floor(100 * epsilon + 1e-9) / 100
    for question in entry["questions"]:
        stated = question[question["kind"]]
        for each in [stated, *(stated.get("sensitive") or [])]:
            if isinstance(each, dict) and each.get("epsilon") is not None:
                each["epsilon"] = min(each["epsilon"], most)
    return most >= EPSILON_LOWEST
