"""A draft in the planner: where the plan starts, and the draft's own figures part by part."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from statistics import median
from typing import Any

from django.utils.translation import gettext as _

from privacy.channels.decoding import expected_variance
from privacy.channels.planar_error import mean_square_error
from privacy.channels.window import Band
from privacy.coins import SCALE
from privacy.risk import audit_design
from privacy.risk.budget import block_budget
from privacy.risk.planning import itemset_error
from privacy.risk.sentences import number, percent
from privacy.survey.design import Block, Design
from surveys.analysis.audit.selectors import stated_exclusive
from surveys.planner.figures import points
from surveys.questionnaire.checks.drawn import prevalence_of
from surveys.questionnaire.definition import Definition


@dataclass(frozen=True, kw_only=True)
class LightRow:
    """What a part is to those who are lightly disguised; `p` is empty for a number or a place."""

    gamma: str
    epsilon: str
    p: str = ""


@dataclass(frozen=True, kw_only=True)
class DraftRow:
    """One protected part of a draft."""

    key: str
    questions: str
    p: str
    gamma: str
    epsilon: str
    reidentified: str
    worst_error: str
    light: LightRow | None = None


@dataclass(frozen=True, kw_only=True)
class DraftScaleRow:
    """One number or place of a draft.

    Attributes
    ----------
    key : str
        The question.
    gamma, epsilon : str
    error : str
        Of a number the standard error of its average over all respondents, of a place how far one is off.
    """

    key: str
    gamma: str
    epsilon: str
    error: str
    light: LightRow | None = None


def draft_scale_rows(definition: Definition, *, n: int) -> tuple[DraftScaleRow, ...]:
    """Return the figures of each number and place of a draft, as if all were strongly disguised.

    Notes
    -----
    Numbers are taken to be spread evenly over the range, places over the map.
    """
    design = definition.design
    return tuple(
        _scale_row(design, block, n, light=_light(design, block))
        for block in design.blocks
        if block.protected and block.is_scale
    )


def _light(design: Design, block: Block) -> LightRow | None:
    """Return what a part tells of those who are lightly disguised; None of a design without them."""
    if not design.has_two_strengths or (own := block.in_group(direct=True)) is None:
        return None
    bound = block_budget(own)
    return LightRow(
        gamma=_gamma(bound.amplification),
        epsilon=number(bound.epsilon),
        p="" if own.is_scale else percent(own.truth_probability / SCALE),
    )


def _gamma(amplification: Fraction | None) -> str:
    return number(math.inf if amplification is None else float(amplification))


def _scale_row(design: Design, block: Block, n: int, *, light: LightRow | None) -> DraftScaleRow:
    bound, disguise = block_budget(block), block.disguise
    if isinstance(disguise, Band):
        n_asked = n * design.drawn_together([design.question_number(block.questions[0].key)])
        own = math.sqrt(expected_variance(disguise, skipping=block.skipping) / n_asked)
        error = _("%(error)s, of the average") % {"error": number(own)}
    else:
        metres = math.sqrt(mean_square_error(disguise, skipping=block.skipping))
        error = _("%(kilometres)s km, of one place") % {"kilometres": number(metres / 1000)}
    return DraftScaleRow(
        key=block.questions[0].key,
        gamma=_gamma(bound.amplification),
        epsilon=number(bound.epsilon),
        error=error,
        light=light,
    )


def draft_rows(definition: Definition, *, n: int, direct_share: float) -> tuple[DraftRow, ...]:
    """Return the figures of each protected part of a draft, as it is."""
    design, stated = definition.design, prevalence_of(definition.document)
    blocks = [block for block in design.blocks if block.protected and not block.is_scale]
    if not blocks:
        return ()
    audit = audit_design(design, stated, n=n, exclusive=stated_exclusive(definition.wording))
    return tuple(
        DraftRow(
            key=block.key,
            questions=_questions(block),
            p=percent(block.truth_probability / SCALE),
            gamma=number(audit.block(block.key).amplification),
            epsilon=number(audit.block(block.key).epsilon),
            reidentified=percent(audit.block(block.key).unmixing.truthful[-1]),
            worst_error=points(_worst_error(design, block, stated, n=n, direct_share=direct_share)),
            light=_light(design, block),
        )
        for block in blocks
    )


def start_of(definition: Definition) -> dict[str, Any]:
    """Return where a plan starts that is like this draft; all of it can be changed."""
    design = definition.design
    blocks = [block for block in design.blocks if block.protected and not block.is_scale]
    if not blocks:
        return {}
    stated = prevalence_of(definition.document)
    thetas = [share for block in blocks for one in block.questions for share in one.unrelated]
    shares = [
        _percent(
            min(max(median(share for one in block.questions for share in stated[one.key]), 1), SCALE - 1)
        )
        for block in blocks
    ]
    return {
        "p": _percent(median(block.truth_probability for block in blocks)),
        "theta": _percent(median(thetas)),
        "blocks": ", ".join(str(sum(one.n_items for one in block.questions)) for block in blocks),
        "prevalence": ", ".join(f"{share:g}" for share in (shares if len(set(shares)) > 1 else shares[:1])),
        "k": _percent(_direct_share(design)),
        "light": _percent(float(median(block.truth_in(direct=True) * SCALE for block in blocks))),
    }


def _direct_share(design: Design) -> float:
    return design.group.direct_share or 0


def _questions(block: Block) -> str:
    """Say how many questions one person is asked."""
    total = len(block.questions)
    if not block.is_rotating:
        return str(total)
    return _("%(asked)s of %(count)s") % {"asked": block.most_asked, "count": total}


def _worst_error(design: Design, block: Block, stated: Any, *, n: int, direct_share: float) -> float:
    """Return the largest standard error of an item, from those whose device draws its question."""
    p, light = float(block.factor_in(direct=False)), float(block.factor_in(direct=True))
    first = design.first_questions[design.blocks.index(block)]
    return max(
        itemset_error(p, theta / SCALE, direct_share, [(1, share / SCALE)], 1, light=light)
        / math.sqrt(n * design.drawn_together([number]))
        for number, question in enumerate(block.questions, first)
        for theta, share in zip(question.unrelated, stated[question.key], strict=True)
    )


def _percent(share: float) -> float:
    return round(share / 100, 2)
