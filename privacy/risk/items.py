"""Posteriors of each item of a protected block given one row.

The booklet of a rotating block whose questions weigh most.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce

import numpy as np

from privacy.arrays import Array
from privacy.channels.amplification import conditional, retention_posterior
from privacy.coins import SCALE
from privacy.risk.constrained_prior import BlockPrior
from privacy.risk.posterior import Prevalence
from privacy.risk.report import ItemAudit
from privacy.risk.row_distribution import parts_of, parts_of_question, truthful_posteriors
from privacy.survey.block import Block
from privacy.survey.booklets import Booklet
from privacy.survey.question import Question

__all__ = ["best_ratios", "heaviest_booklet", "item_audits"]


def heaviest_booklet(block: Block, weights: Sequence[float], *, holding: int | None = None) -> Booklet:
    """Return the booklet of a block with the largest sum of weights.

    Parameters
    ----------
    block : Block
        Where everyone is asked all of its questions there is one booklet.
    weights : sequence of float
        One per question.
    holding : int, optional
        Position of a question that is in it.

    Examples
    --------
    >>> from privacy.survey.question import Question
    >>> questions = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "abcd")
    >>> block = Block(key="b", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...               questions=questions, questions_per_person=2)
    >>> weights = [3.0, 1.0, 2.0, 0.0]
    >>> heaviest_booklet(block, weights), heaviest_booklet(block, weights, holding=1)
    ((0, 2), (0, 1))
    """
    everything = range(len(block.questions))
    if not block.is_rotating:
        return tuple(everything)
    if block.booklets is not None:
        offered = (booklet for booklet in block.booklets if holding is None or holding in booklet)
        return max(offered, key=lambda booklet: sum(weights[position] for position in booklet))
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
    alone: pi (p + (1 - p)(1 - r) theta)/(p pi + (1 - p) theta). worst, with R the largest P(y)/q(y) of a row
    y that has the item: (p R + (1 - p)(1 - r) pi)/(p R + 1 - p). For a rotating block, y ranges over all
    booklets that ask it.
    """
    block, prevalence = prior.block, prior.prevalence
    p, answered = block.truth_probability / SCALE, 1 - (block.refusal or 0) / SCALE
    parts = iter(_best_ratios(prior))
    audits = []
    for question in block.questions:
        ratios = next(parts) if question.kind == "single" else None
        for option, (key, stated, unrelated) in enumerate(
            zip(question.item_keys, prevalence[question.key], question.unrelated, strict=True)
        ):
            share, decoy = stated / SCALE, unrelated / SCALE
            log_ratio = float(next(parts)[1] if ratios is None else ratios[option])
            truthful = _ratio(p * share, p * share + (1 - p) * decoy, 0.0)
            alone = retention_posterior(truthful, 1, answered * share)
            # Where both are the same figure, as in a part of one question, they are the same digits too.
            worst = max(alone, _max_posterior(p, share, answered, log_ratio))
            audits.append(ItemAudit(key=key, block=block.key, prevalence=share, alone=alone, worst=worst))
    return tuple(audits)


def _best_ratios(prior: BlockPrior) -> list[Array]:
    """Return, for each part of a block, the largest ln P(y)/q(y) of a row with each of its answers."""
    block = prior.block
    with np.errstate(divide="ignore"):
        own = [np.log(part.prior) - np.log(part.decoy) for part in parts_of(block, prior.shares)]
    best = [float(ratios.max()) for ratios in own]
    of_group = {}
    for group in prior.together:
        table = np.where(group.allowed, reduce(np.add.outer, [own[part] for part in group.parts]), -np.inf)
        for axis, part in enumerate(group.parts):
            others = tuple(other for other in range(table.ndim) if other != axis)
            own[part], of_group[part] = table.max(axis=others), float(table.max())
            # The group's best is counted once, at its first part.
            best[part] = of_group[part] if axis == 0 else 0.0
    cut = math.log(prior.possible)
    asked_of = [number for number, question in enumerate(block.questions) for _ in range(_n_parts(question))]
    of_question = [0.0] * len(block.questions)
    for part, number in enumerate(asked_of):
        of_question[number] += best[part]
    # Questions asked together with a question, where most is revealed.
    total = [
        math.fsum(of_question[other] for other in heaviest_booklet(block, of_question, holding=number)) - cut
        for number in range(len(block.questions))
    ]
    return [
        ratios + total[number] - of_group.get(part, best[part])
        for part, (number, ratios) in enumerate(zip(asked_of, own, strict=True))
    ]


def best_ratios(block: Block, prevalence: Prevalence) -> list[float]:
    """Return for each question the largest ln P(v)/q(v) of an answer v.

    Parameters
    ----------
    block : Block
        Protected.
    prevalence : mapping
        Ten-thousandths of each answer, by the key of the question.
    """
    with np.errstate(divide="ignore"):
        return [
            math.fsum(
                float((np.log(part.prior) - np.log(part.decoy)).max())
                for part in parts_of_question(question, prevalence)
            )
            for question in block.questions
        ]


def _n_parts(question: Question) -> int:
    return 1 if question.kind == "single" else question.n_items


def _max_posterior(p: float, share: float, answered: float, log_ratio: float) -> float:
    if share == 0 or log_ratio == -math.inf:
        return share * answered
    truthful = float(truthful_posteriors(p, np.array([log_ratio]))[0])
    return retention_posterior(truthful, 1, answered * share)


def _ratio(part: float, whole: float, otherwise: float) -> float:
    return conditional(part, whole) if whole else otherwise
