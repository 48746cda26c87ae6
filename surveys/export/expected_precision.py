"""Expected precision of a planned number of answers: standard errors, and the power of tests."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

from mining.family import Family
from mining.significance import decisions
from privacy.coins import SCALE
from privacy.planning.power import Plan, detectable_lift, detectable_support, standard_error
from privacy.policy import SIGNIFICANCE_LEVEL
from privacy.survey.design import Design, Item

__all__ = ["ExpectedItem", "ExpectedPrecision", "expected_precision"]


@dataclass(frozen=True, kw_only=True)
class ExpectedItem:
    """One disguised answer whose share is stated.

    Attributes
    ----------
    key : str
    share : float
        As the researcher states it.
    n : int
        People asked, of so many planned; of a part that only some answers lead to, at most.
    error : float
        Standard error of the share about the population.
    smallest : float or None
        Smallest share found to exceed 0 with power .8; None where none would be.
    """

    key: str
    share: float
    n: int
    error: float
    smallest: float | None


@dataclass(frozen=True, kw_only=True)
class ExpectedPrecision:
    """Expected standard errors and power of so many answers.

    Attributes
    ----------
    n : int
    items : tuple of ExpectedItem
    has_pairs : bool
        Whether somebody is asked two questions with stated shares together.
    alone, corrected : (float, float) or None
        The smallest lift of a rule between two items that is found with power .8, of the pair of which it
        is smallest and of the one of which it is largest: tested alone, and after the correction, should no
        other rule hold. None without pairs, or where no lift is found for some.
    tests : int
        By how many the level of such a rule is divided after the correction.
    """

    n: int
    items: tuple[ExpectedItem, ...]
    has_pairs: bool
    alone: tuple[float, float] | None
    corrected: tuple[float, float] | None
    tests: int


def expected_precision(
    design: Design,
    wording: Mapping[str, Any],
    *,
    n: int,
    family: Family,
) -> ExpectedPrecision:
    """Compute the expected precision of a planned number of answers.

    Parameters
    ----------
    design : Design
    wording : dict
        With the stated prevalences.
    n : int
        Answers.
    family : Family
        Of tests of lift.

    Notes
    -----
    By `privacy.planning.power`, answers taken to be independent. Of parts in turn an item has the n that are
    asked it, which is all that counts for it; a pair has those asked both, though rows asked one of them
    count too, so smaller lifts are found than it says. So they are of two blocks of different p, which both
    have the smaller one here, and where people choose their group: nobody is taken to choose the lighter
    disguise.
    """
    stated = {
        question.key: said["prevalence"]
        for block, part in zip(design.blocks, wording["blocks"], strict=True)
        for question, said in zip(block.questions, part["questions"], strict=True)
        if block.protected and said.get("prevalence") and question.disguise is None
    }
    items = [item for item in design.items if design.questions[item.question].key in stated]
    shares = {item.index: stated[design.questions[item.question].key][item.option] / SCALE for item in items}
    # A share of 0 or 1 marks an anchor, of which nothing is to be found.
    items = [item for item in items if 0 < shares[item.index] < 1]
    cut_off = float(decisions([1.0], [0], [2], family).cut_off[0]) if family.total else 0.0
    tests = max(1, math.ceil(SIGNIFICANCE_LEVEL / cut_off - 1e-9)) if cut_off else 1
    pairs = list(_pairs(design, items, shares, n))
    return ExpectedPrecision(
        n=n,
        items=tuple(_item(design, item, shares[item.index], n) for item in items),
        has_pairs=bool(pairs),
        alone=_range(pairs, 1),
        corrected=_range(pairs, tests),
        tests=tests,
    )


def _item(design: Design, item: Item, share: float, n: int) -> ExpectedItem:
    n_drawn = max(1, round(n * design.drawn_together([item.question])))
    plan = _plan(design, item)
    return ExpectedItem(
        key=item.key,
        share=share,
        n=n_drawn,
        error=standard_error(plan, share, n_drawn),
        smallest=detectable_support(plan, n_drawn),
    )


def _plan(design: Design, first: Item, second: Item | None = None) -> Plan:
    block, other = (design.blocks[item.block] for item in (first, second or first))
    truth = min(block.truth_probability, other.truth_probability) / SCALE
    light = min(float(block.truth_in(direct=True)) for block in (block, other))
    return Plan(
        p=truth,
        light=max(truth, light),
        theta_a=_decoy(design, first),
        theta_b=_decoy(design, second or first),
        one_block=block is other,
        k=(design.group.direct_share or 0) / SCALE,
    )


def _decoy(design: Design, item: Item) -> float:
    """Chance that a decoy shows an item: a skipped one shows none."""
    block = design.blocks[item.block]
    share = design.questions[item.question].decoy_shares[item.option]
    return float(share) * (1 - (block.refusal or 0) / SCALE)


def _pairs(
    design: Design, items: list[Item], shares: Mapping[int, float], n: int
) -> Iterator[tuple[Plan, int, float, float]]:
    """Yield each kind of pair of items of two questions that some device asks together."""
    kinds: dict[tuple[Plan, int, float, float], None] = {}
    for first, second in combinations(items, 2):
        together = design.drawn_together([first.question, second.question])
        if first.question != second.question and together:
            kind = (
                _plan(design, first, second),
                round(n * together),
                shares[first.index],
                shares[second.index],
            )
            kinds[kind] = None
    yield from kinds


def _range(pairs: list[tuple[Plan, int, float, float]], tests: int) -> tuple[float, float] | None:
    lifts = [_lift(*pair, tests) for pair in pairs]
    known = [lift for lift in lifts if lift is not None]
    return (min(known), max(known)) if lifts and len(known) == len(lifts) else None


@lru_cache(maxsize=4096)
def _lift(plan: Plan, n: int, first: float, second: float, tests: int) -> float | None:
    return detectable_lift(plan, max(n, 1), first=first, second=second, tests=tests)
