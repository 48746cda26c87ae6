"""Two strengths in a definition: the light strength that each part states, or else the proposed one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.planning.light_strength import lighter, proposed_light
from privacy.survey.design import Block, Design
from surveys.questionnaire.node import Node

__all__ = ["with_light"]


def with_light(design: Design, parts: Sequence[Node], group: Node) -> Design | None:
    """Return a design with a light strength of each protected block, or None after noting the problem.

    Parameters
    ----------
    design : Design
        Design with one strength.
    parts : sequence of Node
        Its blocks in the definition. The ``light`` of a part is a truth probability, or ``{"epsilon": 5}``
        for a number or a place; parts without one get the proposed strength.
    group : Node
        The member ``light`` of the group.
    """
    if design.group.policy == "protected":
        group.wrong(
            _("everybody is disguised alike, and there is a second strength"),
            _("leave it out, or let people choose or the device draw"),
        )
        return None
    if not any(block.protected for block in design.blocks):
        group.wrong(_("no part is disguised"), _("leave it out, or protect a part"))
        return None
    proposal = proposed_light(design)
    proposed = proposal.lights if proposal else [None] * len(parts)
    blocks = []
    for part, block, light in zip(parts, design.blocks, proposed, strict=True):
        stated = part.at("light")
        if not block.protected:
            blocks.append(block)
        elif stated.value is not None:
            blocks.append(_lit(block, stated) or replace(block, light=light))
        elif proposal:
            blocks.append(replace(block, light=light))
        else:
            group.wrong(
                _("beside these parts no lighter strength can be offered"),
                _("disguise everybody alike; or protect the parts more, and a map everywhere"),
            )
            return None
    return None if group.problems.listed else replace(design, blocks=tuple(blocks), mechanism=0)


def _lit(block: Block, stated: Node) -> Block | None:
    """Return a block with the light strength that it states, or None after noting the problem."""
    try:
        if not block.is_scale:
            return replace(block, light=stated.value)
        if not stated.has_members(("epsilon",)):
            return None
        return replace(block, light=lighter(block.disguise, stated.value["epsilon"]))
    except PrivacyError as error:
        stated.note_refusal(error)
        return None
