"""A draft in the planner: where the plan starts, and the draft's own figures part by part."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median
from typing import Any

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.planning.power import itemset_error
from privacy.risk import audit_design
from privacy.risk.budget import BlockBudget, block_budget
from privacy.risk.report import BlockAudit
from privacy.risk.sentences import number
from privacy.scales.decoding import expected_variance
from privacy.scales.planar_error import mean_square_error
from privacy.scales.window import WindowChannel
from privacy.survey.design import Block, Design
from surveys.figures.audit.selectors import stated_exclusive
from surveys.questionnaire.checks.drawn import prevalence_of
from surveys.questionnaire.definition import Definition


@dataclass(frozen=True, kw_only=True)
class DraftRow:
    """One protected part of a draft: of two strengths as the strong one, and as the light one beside it.

    Attributes
    ----------
    block : Block
    bound : BlockAudit or BlockBudget
        Of a number or a place without the shares of an audit.
    error : str
        The largest standard error of an item, in points; of a number that of its average over all
        respondents; of a place how far one is off.
    light : (Block, BlockBudget) or None
    """

    block: Block
    bound: BlockAudit | BlockBudget
    error: str
    light: tuple[Block, BlockBudget] | None


def draft_scale_rows(definition: Definition, *, n: int) -> tuple[DraftRow, ...]:
    """Return the figures of each number and place of a draft, as if all were strongly disguised.

    Notes
    -----
    Numbers are taken to be spread evenly over the range, places over the map.
    """
    design = definition.design
    return tuple(
        DraftRow(
            block=block,
            bound=block_budget(block),
            error=_scale_error(design, block, n),
            light=_light(design, block),
        )
        for block in design.blocks
        if block.protected and block.is_scale
    )


def _light(design: Design, block: Block) -> tuple[Block, BlockBudget] | None:
    """Return a part as those who are lightly disguised have it; None of a design without them."""
    if not design.has_two_strengths or (own := block.in_group(direct=True)) is None:
        return None
    return own, block_budget(own)


def _scale_error(design: Design, block: Block, n: int) -> str:
    disguise = block.disguise
    if isinstance(disguise, WindowChannel):
        n_asked = n * design.drawn_together([design.question_number(block.questions[0].key)])
        own = math.sqrt(expected_variance(disguise, skipping=block.skipping) / n_asked)
        return _("%(error)s, of the average") % {"error": number(own)}
    metres = math.sqrt(mean_square_error(disguise, skipping=block.skipping))
    return _("%(kilometres)s km, of one place") % {"kilometres": number(metres / 1000)}


def draft_rows(definition: Definition, *, n: int, direct_share: float) -> tuple[DraftRow, ...]:
    """Return the figures of each protected part of a draft, as it is."""
    design, stated = definition.design, prevalence_of(definition.document)
    blocks = [block for block in design.blocks if block.protected and not block.is_scale]
    if not blocks:
        return ()
    audit = audit_design(design, stated, n=n, exclusive=stated_exclusive(definition.wording))
    return tuple(
        DraftRow(
            block=block,
            bound=audit.block(block.key),
            error=number(100 * _worst_error(design, block, stated, n=n, direct_share=direct_share)),
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
    thetas = [share for block in blocks for question in block.questions for share in question.unrelated]
    shares = [
        _percent(
            min(
                max(median(share for question in block.questions for share in stated[question.key]), 1),
                SCALE - 1,
            )
        )
        for block in blocks
    ]
    return {
        "p": _percent(median(block.truth_probability for block in blocks)),
        "theta": _percent(median(thetas)),
        "blocks": ", ".join(str(sum(question.n_items for question in block.questions)) for block in blocks),
        "prevalence": ", ".join(f"{share:g}" for share in (shares if len(set(shares)) > 1 else shares[:1])),
        "k": _percent(_direct_share(design)),
        "light": _percent(float(median(block.truth_in(direct=True) * SCALE for block in blocks))),
    }


def _direct_share(design: Design) -> float:
    return design.group.direct_share or 0


def _worst_error(design: Design, block: Block, stated: Any, *, n: int, direct_share: float) -> float:
    """Return the largest standard error of an item, from those whose device draws its question."""
    p, light = float(block.truth_in(direct=False)), float(block.truth_in(direct=True))
    first = design.first_questions[design.blocks.index(block)]
    return max(
        itemset_error(p, theta / SCALE, direct_share, [(1, share / SCALE)], 1, light=light)
        / math.sqrt(n * design.drawn_together([number]))
        for number, question in enumerate(block.questions, first)
        for theta, share in zip(question.unrelated, stated[question.key], strict=True)
    )


def _percent(share: float) -> float:
    return round(share / 100, 2)
