"""A design's protection in words: the cost of each block to respondents."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from privacy.coins import SCALE
from privacy.risk.budget import binding_bounds, budget
from privacy.survey.design import Block, Design
from surveys.formats.numbers import number
from surveys.models import Version
from surveys.questionnaire.labels import QuestionName, part_titles, question_names


@dataclass(frozen=True, kw_only=True)
class StrengthLine:
    """Cost of a block at one strength: p, γ, ε."""

    truth_probability: str
    amplification: str
    epsilon: str


@dataclass(frozen=True, kw_only=True)
class BlockLine:
    """Questions of one block, and its cost to respondents.

    Attributes
    ----------
    light : StrengthLine or None
        Cost at the light strength; None if there is no second strength.
    per_person : int or None
        Number of its questions that each person is asked; None for all of them.
    is_counted : bool
        Whether the sum includes its epsilon. The sum excludes a place that is sent exactly outside sensitive
        areas, an anchor, and all but the largest epsilons of rotating parts (as many as a person is asked).
    """

    key: str
    title: str
    protected: bool
    truth_probability: str
    exact_outside: bool
    epsilon: str
    amplification: str
    skip: str
    light: StrengthLine | None
    questions: tuple[QuestionName, ...]
    per_person: int | None = None
    is_counted: bool = False
    is_anchor: bool = False


def block_lines(version: Version, design: Design) -> tuple[BlockLine, ...]:
    """Return the questions and the cost of each block, in the page's language."""
    titles = part_titles(version)
    names = iter(question_names(version, design))
    bounds = {block.key: block for block in budget(design).blocks}
    sum_keys = {bound.key for bound in binding_bounds(bounds.values(), design.rotations)}
    lights = _light_lines(design)
    return tuple(
        BlockLine(
            key=block.key,
            title=titles[block.key],
            protected=block.protected,
            truth_probability=_truth(block),
            exact_outside=block.protected and bounds[block.key].exact_outside,
            epsilon=number(bounds[block.key].epsilon, 2) if block.protected else "",
            amplification=number(_float(bounds[block.key].amplification), 1) if block.protected else "",
            skip=number(block.refusal / SCALE, 2) if block.refusal else "",
            light=lights.get(block.key),
            questions=tuple(islice(names, len(block.questions))),
            per_person=block.questions_per_person,
            is_counted=block.key in sum_keys,
            is_anchor=block.is_anchor,
        )
        for block in design.blocks
    )


def _light_lines(design: Design) -> dict[str, StrengthLine]:
    light = design.in_group(direct=True) if design.has_two_strengths else None
    if light is None:
        return {}
    blocks = {block.key: block for block in light.blocks}
    return {
        bound.key: StrengthLine(
            truth_probability=_truth(blocks[bound.key]),
            amplification=number(_float(bound.amplification), 1),
            epsilon=number(bound.epsilon, 2),
        )
        for bound in budget(light).blocks
    }


def light_epsilon(design: Design) -> str:
    """Return the epsilon of the light strength; empty if there is only one strength."""
    light = design.in_group(direct=True) if design.has_two_strengths else None
    return "" if light is None else number(budget(light).epsilon, 2)


def _truth(block: Block) -> str:
    return number(block.truth_probability / SCALE, 2) if block.has_coin else ""


def _float(value: object) -> float | None:
    return None if value is None else float(value)  # type: ignore[arg-type]  # a Fraction
