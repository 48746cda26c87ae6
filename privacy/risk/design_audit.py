"""Audit of a survey's design under stated prevalences, and `risk` of a named design."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from typing import Final

import numpy as np

from privacy import validation
from privacy.arrays import Array
from privacy.coins import SCALE
from privacy.posterior import bayes, conditional, posterior_at, retention_posterior
from privacy.risk.budget import block_budget, budget, question_odds
from privacy.risk.impossible_decoys import exclusive_decoys
from privacy.risk.open_answers import open_before
from privacy.risk.prevalences import Prevalence
from privacy.risk.prior import BlockPrior, prior_of, sets_of_blocks
from privacy.risk.reidentification import reidentification
from privacy.risk.report import Audit, BlockAudit, GroupAudit, ItemAudit, ScaleAudit, StrengthAudit
from privacy.risk.row_distribution import parts_of, row_distribution, truthful_posteriors
from privacy.risk.unique_combinations import unique_combinations
from privacy.survey.answer_probabilities import unrelated_probability
from privacy.survey.block import Block
from privacy.survey.booklets import Booklet
from privacy.survey.design import Design

__all__ = ["RHO1", "audit_design", "block_audit", "heaviest_booklet", "item_audits", "light_audit", "rho2_of"]


def heaviest_booklet(block: Block, weights: Sequence[float], *, holding: int | None = None) -> Booklet:
    """Return the booklet of a block with the largest sum of weights.

    Parameters
    ----------
    block : Block
        If everyone is asked all of its questions, they are the only booklet.
    weights : sequence of float
        One weight per question.
    holding : int, optional
        Position of a question that the booklet must contain.

    Examples
    --------
    >>> from privacy.survey.question import Question
    >>> questions = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "abcd")
    >>> block = Block(key="b", protected=True, truth_probability=5000,
    ...               questions=questions, questions_per_person=2)
    >>> weights = [3.0, 1.0, 2.0, 0.0]
    >>> heaviest_booklet(block, weights), heaviest_booklet(block, weights, holding=1)
    ((0, 2), (0, 1))
    """
    everything = range(len(block.questions))
    if not block.is_rotating:
        return tuple(everything)
    if block.booklets is not None:
        choices = (booklet for booklet in block.booklets if holding is None or holding in booklet)
        return max(choices, key=lambda booklet: sum(weights[position] for position in booklet))
    order = sorted(everything, key=lambda position: (position != holding, -weights[position]))
    return tuple(sorted(order[: block.most_asked]))


def item_audits(prior: BlockPrior) -> tuple[ItemAudit, ...]:
    """Return, for each item of a protected block, how much one row can reveal about it.

    Parameters
    ----------
    prior : BlockPrior
        Prior of a protected block.

    Notes
    -----
    Decoys skip with probability r. If the respondent skips with probability s,
    alone = pi (p (1 - s) + (1 - p)(1 - r) theta)/(p (1 - s) pi + (1 - p)(1 - r) theta) by Bayes' rule. With R
    the largest ratio of P(y) to q(y)/(1 - r) of a row y that has the item,
    worst = (p (1 - s) R + (1 - p)(1 - r) pi)/(p (1 - s) R + (1 - p)(1 - r)). Both are largest at s = 0, which
    is used here. For a rotating block, y ranges over all booklets that ask the item.

    Examples
    --------
    p = .6, theta = r = 1/2 and pi = .2: (.12 + .1 * .2)/(.12 + .1) = 7/11.

    >>> from privacy.risk.prior import independent
    >>> from privacy.survey.question import Question
    >>> block = Block(key="b", protected=True, truth_probability=6000, refusal=5000,
    ...               questions=(Question(key="a", kind="yes_no", options=(), unrelated=(5000,)),))
    >>> (item,) = item_audits(independent(block, {"a": [2000]}))
    >>> round(item.alone, 3), round(item.worst, 3)
    (0.636, 0.636)
    """
    block, prevalence = prior.block, prior.prevalence
    p, p_answer = block.truth_probability / SCALE, 1 - (block.refusal or 0) / SCALE
    parts = [(question, items) for question in block.questions for items in question.parts]
    audits = []
    for (question, items), ratios in zip(parts, _best_ratios(prior), strict=True):
        for item in items:
            key = question.item_keys[item]
            share, decoy = prevalence[question.key][item] / SCALE, question.unrelated[item] / SCALE
            log_ratio = float(ratios[item if len(items) > 1 else 1])
            truthful = _ratio(p * share, p * share + (1 - p) * p_answer * decoy, 0.0)
            alone = retention_posterior(truthful, 1, share)
            # `max` also removes rounding differences if both are equal, as in a block of one question.
            worst = max(alone, _max_posterior(p, share, log_ratio - math.log(p_answer)))
            audits.append(ItemAudit(key=key, block=block.key, prevalence=share, alone=alone, worst=worst))
    return tuple(audits)


def _best_ratios(prior: BlockPrior) -> list[Array]:
    """Return, for each answer to each part, the largest ln P(y)/q(y) of a row with that answer."""
    block = prior.block
    with np.errstate(divide="ignore"):
        log_ratios = [np.log(part.prior) - np.log(part.decoy) for part in parts_of(block, prior.shares)]
    best = [float(ratios.max()) for ratios in log_ratios]
    of_group = {}
    for group in prior.together:
        table = np.where(
            group.allowed, reduce(np.add.outer, [log_ratios[part] for part in group.parts]), -np.inf
        )
        for axis, part in enumerate(group.parts):
            other_axes = tuple(other for other in range(table.ndim) if other != axis)
            log_ratios[part], of_group[part] = table.max(axis=other_axes), float(table.max())
            # Count the maximum of a group once, at its first part.
            best[part] = of_group[part] if axis == 0 else 0.0
    cut = math.log(prior.possible)
    asked_of = [place for place, question in enumerate(block.questions) for _part in question.parts]
    of_question = [0.0] * len(block.questions)
    for part, place in enumerate(asked_of):
        of_question[place] += best[part]
    # For each question, sum over the most revealing booklet that contains it.
    total = [
        math.fsum(of_question[other] for other in heaviest_booklet(block, of_question, holding=number)) - cut
        for number in range(len(block.questions))
    ]
    return [
        ratios + total[number] - of_group.get(part, best[part])
        for part, (number, ratios) in enumerate(zip(asked_of, log_ratios, strict=True))
    ]


def _max_posterior(p: float, share: float, log_ratio: float) -> float:
    if share == 0 or log_ratio == -math.inf:
        return share
    return retention_posterior(float(truthful_posteriors(p, np.array([log_ratio]))[0]), 1, share)


def _ratio(part: float, whole: float, otherwise: float) -> float:
    return conditional(part, whole) if whole else otherwise


RHO1: Final = (0.01, 0.05, 0.1, 0.2, 0.5)
MOST_WAVES: Final = 1000


def audit_design(
    design: Design,
    prevalence: Prevalence,
    *,
    n: int | None = None,
    waves: int = 1,
    other_waves: Sequence[float] = (),
    exclusive: Sequence[Sequence[str]] = (),
) -> Audit:
    """Audit a design with stated prevalences.

    Parameters
    ----------
    design : Design
    prevalence : mapping
        Prevalences of every protected question, see `privacy.risk.prevalences.check_prevalence`.
    n : int, optional
        Expected number of respondents; without it, the audit says nothing about unique rows.
    waves : int
        Number of times the same people will be asked this design, 1 to 1,000.
    other_waves : sequence of float
        epsilon of other waves of the series, which have different designs.
    exclusive : sequence of sequences of str
        Mutually exclusive answers, as in `privacy.risk.impossible_decoys.exclusive_decoys`.

    Returns
    -------
    Audit

    Raises
    ------
    PrivacyError
        ``prevalence``, ``shares_sum``, ``n``, ``waves``, ``epsilon``; as for `exclusive_decoys`.

    Notes
    -----
    The time is roughly linear in the number of questions: 60 questions take a fraction of a second.

    Examples
    --------
    >>> from privacy.survey.design import GroupPolicy, Question
    >>> questions = tuple(Question(key=f"q{n}", kind="yes_no", options=(), unrelated=(5000,))
    ...                   for n in range(10))
    >>> design = Design(blocks=(Block(key="b", protected=True, truth_probability=5000,
    ...     questions=questions),), group=GroupPolicy(), use="live")
    >>> audit = audit_design(design, {question.key: [2000] for question in questions})
    >>> audit.blocks[0].amplification, round(audit.blocks[0].unmixing.truthful[-1], 3)
    (1025.0, 0.376)
    """
    count = validation.whole_number(waves, "waves", low=1, high=MOST_WAVES, code="waves")
    other_epsilons = [
        validation.real_number(cost, "epsilon of a wave", low=0, high=math.inf, code="epsilon")
        for cost in other_waves
    ]
    open_part = open_before(design, n=n)
    group = group_before(design)
    strong = _audit_one(design, prevalence, exclusive)
    return Audit(
        design_id=design.design_id,
        when="before",
        n=n,
        epsilon=strong.epsilon,
        waves=count + len(other_epsilons),
        epsilon_of_waves=math.fsum([count * strong.epsilon, *other_epsilons]),
        rho2=strong.rho2,
        blocks=strong.blocks,
        lone=strong.lone,
        items=strong.items,
        open=open_part,
        group=group,
        impossible=strong.impossible,
        light=light_audit(design, prevalence, exclusive=exclusive),
        own=unique_combinations(design, n),
        anchors=tuple(block.key for block in design.blocks if block.is_anchor),
    )


def light_audit(
    design: Design, prevalence: Prevalence, *, exclusive: Sequence[Sequence[str]] = ()
) -> StrengthAudit | None:
    """Audit the light strength of a design; None if it has none, or if no respondent can have it.

    Parameters
    ----------
    design : Design
        Design of a survey.
    prevalence : mapping
        Ten-thousandths of each answer, by question key.
    exclusive : sequence of sequence of str, optional
        Sets of item keys; in each, at most one item is true of a person.
    """
    light = design.in_group(direct=True)
    if light is None or not design.has_two_strengths:
        return None
    return _audit_one(light, prevalence, exclusive)


def _audit_one(design: Design, prevalence: Prevalence, exclusive: Sequence[Sequence[str]]) -> StrengthAudit:
    """Audit what depends on the strength; for a design with two strengths, the strong one."""
    epsilon = budget(design).epsilon
    # Anchors are excluded because their true answers are publicly known.
    coin_blocks = [block for block in design.blocks if block.has_coin and not block.is_anchor]
    impossible = exclusive_decoys(design, exclusive)
    sets = sets_of_blocks(design, exclusive)
    priors = {block.key: prior_of(block, prevalence, sets.get(block.key, ())) for block in coin_blocks}
    return StrengthAudit(
        n=None,
        epsilon=epsilon,
        rho2=rho2_of(epsilon, RHO1),
        blocks=tuple(block_audit(priors[block.key]) for block in coin_blocks),
        lone=tuple(scale_audit(block) for block in design.blocks if block.protected and not block.has_coin),
        items=tuple(item for prior in priors.values() for item in item_audits(prior)),
        impossible=tuple(
            replace(decoys, counted_in=bool(priors[decoys.block].together)) for decoys in impossible
        ),
    )


def group_before(design: Design) -> GroupAudit:
    """Describe the groups before launch, from the design alone."""
    share = design.group.direct_share
    return GroupAudit(
        policy=design.group.policy,
        has_direct=design.sends_undisguised,
        has_light=design.has_two_strengths and design.group.allows(direct=True),
        direct_share=(0.0 if design.group.policy == "protected" else None)
        if share is None
        else share / SCALE,
    )


def rho2_of(epsilon: float, rho1: Iterable[float]) -> tuple[tuple[float, float], ...]:
    """Pair each prior rho1 with its largest posterior gamma rho1/(1 + (gamma - 1) rho1), gamma = e^epsilon.

    Parameters
    ----------
    epsilon : float
        ln gamma, 0 or more.
    rho1 : iterable of float
        Priors, in (0, 1).
    """
    return tuple((share, posterior_at(epsilon, share)) for share in rho1)


def block_audit(prior: BlockPrior) -> BlockAudit:
    """Audit one protected block.

    For a rotating block, `known` refers to its worst booklet, and shares of rows cover all booklets.

    Parameters
    ----------
    prior : BlockPrior
        Prior of the block's true rows.
    """
    block = prior.block
    bound = block_budget(block)
    distribution = row_distribution(prior)
    drawn_prior = prior.of_booklet(block.worst_booklet)
    worst_part = drawn_prior.block
    odds, row = question_odds(block), drawn_prior.least_likely_answer()
    known = bayes((block.truth, 1 - block.truth), (Fraction(1), unrelated_probability(worst_part, row)))[0]
    return BlockAudit(
        key=block.key,
        questions=tuple(question.key for question in block.questions),
        amplification=math.inf if bound.amplification is None else _number(bound.amplification),
        epsilon=bound.epsilon,
        known=float(known),
        prior="stated",
        unmixing=reidentification(distribution),
        question_odds=math.inf if odds is None else _number(odds),
        booklet=tuple(question.key for question in worst_part.questions) if block.is_rotating else (),
    )


def scale_audit(block: Block) -> ScaleAudit:
    """Audit a number or a place."""
    bound = block_budget(block)
    return ScaleAudit(
        key=block.key,
        question=block.questions[0].key,
        amplification=math.inf if bound.amplification is None else _number(bound.amplification),
        epsilon=bound.epsilon,
        apart=bound.exact_outside,
        rho2=rho2_of(bound.epsilon, RHO1),
        lost=None if block.skipping is None else float(block.skipping.skip_probability),
    )


def _number(value: Fraction) -> float:
    """Return the nearest float; the largest float for larger values."""
    return float(min(value, Fraction(sys.float_info.max)))
