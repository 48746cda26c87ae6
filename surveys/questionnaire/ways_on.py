"""Ways to learn more from a draft: more people, fewer questions, a lighter protection."""

from __future__ import annotations

import copy
import itertools
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from privacy.planning.power import POWER
from privacy.planning.precision import power_for_difference
from surveys.questionnaire.aim import MOST_PEOPLE, PROTECTIONS, Aim
from surveys.questionnaire.definition import Definition, definition_without_texts
from surveys.questionnaire.layout import Proposal, movable, proposals
from surveys.questionnaire.series import WaveLine
from surveys.questionnaire.use import Use, pair_of, people_for, use_of

__all__ = ["Fewer", "WaysOn", "ways_on"]

NARROW: Final = 0.05
"""Half-width that the button "more people" tells the number for."""


@dataclass(frozen=True, kw_only=True)
class Fewer:
    """What leaving out one question gives."""

    question: str
    use: Use


@dataclass(frozen=True, kw_only=True)
class WaysOn:
    """Three ways on from a draft.

    Attributes
    ----------
    people : int or None
        So many give the wanted share within 5 points; of a pair, find 30 points 8 times in 10. None where
        those that are expected are enough, or no number is.
    fewer : Fewer or None
        The question that helps most where it is left out; None where none does.
    lighter : Proposal or None
        What the next lighter protection gives, and what a person then risks; None at the lightest.
    """

    people: int | None
    fewer: Fewer | None
    lighter: Proposal | None


def ways_on(definition: Definition, aim: Aim, *, waves: Sequence[WaveLine] = ()) -> WaysOn:
    """Return the ways on from a draft that is laid out for an aim."""
    aim = aim.within(definition.design)
    return WaysOn(
        people=_people(definition, aim),
        fewer=_fewer(definition, aim, waves),
        lighter=_lighter(definition, aim, waves),
    )


def _people(definition: Definition, aim: Aim) -> int | None:
    needed = _for_power(definition, aim) if aim.is_pair else people_for(definition.design, aim, NARROW)
    return needed if needed is not None and aim.people < needed <= MOST_PEOPLE else None


def _for_power(definition: Definition, aim: Aim) -> int | None:
    """Return the least number of people, in two digits, who find what is sought 8 times in 10."""
    pair, use = pair_of(definition.design, aim), use_of(definition.design, aim)
    if not pair.together or not use.difference_sought:
        return None
    sought = use.difference_sought
    if power_for_difference(pair, sought, MOST_PEOPLE) < POWER:
        return None
    people = range(1, MOST_PEOPLE)
    least = 1 + bisect_left(people, POWER, key=lambda count: power_for_difference(pair, sought, count))
    step = 10 ** max(len(str(least)) - 2, 0)
    return -(-least // step) * step


def _fewer(definition: Definition, aim: Aim, waves: Sequence[WaveLine]) -> Fewer | None:
    """Return the question that is best left out: of those with as many answers one stands for all."""
    now = use_of(definition.design, aim)
    wanted_keys = {key.partition("=")[0] for key in aim.wanted}
    tried: dict[int, str] = {}
    for block in movable(definition.design):
        for question in block.questions:
            if question.key not in wanted_keys:
                # The last one that was written.
                tried[question.patterns] = question.key
    best: Fewer | None = None
    for key in tried.values():
        shorter = _without(definition, key)
        proposal = next(iter(proposals(shorter, aim, waves=waves)), None) if shorter is not None else None
        if proposal is not None and _is_better(proposal.use, best.use if best else now):
            best = Fewer(question=key, use=proposal.use)
    return best


def _is_better(use: Use, than: Use) -> bool:
    if use.power is not None and than.power is not None and use.power != than.power:
        return use.power > than.power
    return _width(use) < _width(than) - 1e-9


def _width(use: Use) -> float:
    return use.wanted_half_width or 0.0


def _without(definition: Definition, question: str) -> Definition | None:
    document = copy.deepcopy(definition.document)
    for entry in document["blocks"]:
        keys = [each["key"] for each in entry["questions"]]
        if question in keys:
            entry["questions"].pop(keys.index(question))
            for name in ("questions_per_person", "booklets", "exclusive"):
                entry.pop(name, None)
    empty = {entry["key"] for entry in document["blocks"] if not entry["questions"]}
    document["blocks"] = [entry for entry in document["blocks"] if entry["questions"]]
    if empty:
        document["rotations"] = [
            rotation for rotation in document.get("rotations") or [] if not empty & set(rotation["blocks"])
        ]
    return definition_without_texts(document) if document["blocks"] else None


def _lighter(definition: Definition, aim: Aim, waves: Sequence[WaveLine]) -> Proposal | None:
    lighter = {strong: light for light, strong in itertools.pairwise(PROTECTIONS)}.get(aim.strength)
    if lighter is None:
        return None
    return next(iter(proposals(definition, replace(aim, strength=lighter), waves=waves)), None)
