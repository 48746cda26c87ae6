"""Two strengths in a definition: what each part states of its light one, else what is proposed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.planning.light_strength import lighter, proposed_light
from privacy.survey.design import Block, Design
from surveys.errors.core_refusals import in_words
from surveys.questionnaire.problems import Problems, joined

__all__ = ["with_light"]

_GROUP = "group.light"


def with_light(
    design: Design, paths: Sequence[str], stated: Mapping[str, object], problems: Problems
) -> Design | None:
    """Return a design with a light strength of each protected block, or None after noting why there is none.

    Parameters
    ----------
    design : Design
        Of one strength.
    paths : sequence of str
        Where its blocks stand in the definition.
    stated : mapping of str to object
        By path, the ``light`` of the parts that state one: a truth probability, or ``{"epsilon": 5}`` of a
        number or a place. The others get what is proposed.
    problems : Problems
    """
    if design.group.policy == "protected":
        problems.add(
            _GROUP,
            _("everybody is disguised alike, and there is a second strength"),
            _("leave it out, or let people choose or the device draw"),
        )
        return None
    if not any(block.protected for block in design.blocks):
        problems.add(_GROUP, _("no part is disguised"), _("leave it out, or protect a part"))
        return None
    proposal = proposed_light(design)
    proposed = dict(zip(paths, proposal.lights, strict=True)) if proposal else {}
    blocks = []
    for path, block in zip(paths, design.blocks, strict=True):
        here = joined(path, "light")
        if not block.protected:
            blocks.append(block)
        elif path in stated or path in proposed:
            lit = _lit(block, stated[path], here, problems) if path in stated else None
            blocks.append(lit or replace(block, light=proposed.get(path)))
        else:
            problems.add(
                _GROUP,
                _("beside these parts no lighter strength can be offered"),
                _("disguise everybody alike; or protect the parts more, and a map everywhere"),
            )
            return None
    return None if problems.listed else replace(design, blocks=tuple(blocks), mechanism=0)


def _lit(block: Block, stated: Any, path: str, problems: Problems) -> Block | None:
    """Return a block with the light strength that it states, or None after noting what is wrong with it."""
    try:
        if not block.is_scale:
            return replace(block, light=stated)
        members = problems.members(stated, path, needed=("epsilon",))
        return None if members is None else replace(block, light=lighter(block.disguise, members["epsilon"]))
    except PrivacyError as error:
        problems.add(path, *in_words(error))
        return None
