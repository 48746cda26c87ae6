"""Parts of the rule of a composite question: points of open questions, gaps, levels and steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from privacy import validation
from privacy.errors import PrivacyError
from privacy.survey.component import Component, checked_points

GapRule: TypeAlias = Literal["no_points", "mean"]
GAP_RULES: Final = ("no_points", "mean")

MOST_COMPONENTS: Final = 40
MOST_STEPS: Final = 8
MOST_DECIDING: Final = 6
LARGEST_START: Final = 10_000_000
"""Above every sum: 40 components of 200 ticked options of 999 points have fewer than 8 million."""


@dataclass(frozen=True, kw_only=True)
class Use:
    """Points of an earlier open question, which may move a cut-off.

    Parameters
    ----------
    question : str
        Key of a yes/no or single-choice question of an earlier open block.
    points : tuple of (str, int)
        Options with their points; other options, and an empty answer, have 0 points.
    """

    question: str
    points: tuple[tuple[str, int], ...]

    def __post_init__(self) -> None:
        validation.key(self.question, "question of uses")
        options = [validation.key(option, f"option of {self.question}") for option, _own in self.points]
        validation.distinct(options, f"option of {self.question}")
        checked_points([own for _option, own in self.points], f"points of {self.question}")


@dataclass(frozen=True, kw_only=True)
class Gaps:
    """The rule for components that were asked and left empty.

    Parameters
    ----------
    at_most : int, 0 to 40
        More gaps make the composite a skip.
    fill : {"no_points", "mean"}
        Gaps count 0, or as the mean of the answered components: of N asked and a answered components with
        the sum S, the result is floor((2 S N + a) / (2 a)), that is S N / a rounded to the nearest whole
        number, halves up. Points of open questions and of steps are added afterwards.

    Examples
    --------
    Five items, four of them answered with the sum 5: 5 * 5 / 4 = 6.25.

    >>> Gaps(at_most=1, fill="mean").filled(5, asked=5, answered=4)
    6
    >>> Gaps(at_most=1, fill="mean").filled(5, asked=5, answered=3) is None
    True
    """

    at_most: int
    fill: GapRule

    def __post_init__(self) -> None:
        validation.whole_number(
            self.at_most, "at_most of missing", low=0, high=MOST_COMPONENTS, code="computed"
        )
        validation.one_of(self.fill, "as of missing", allowed=GAP_RULES, code="computed")

    @property
    def fills_mean(self) -> bool:
        """Whether gaps count as the mean of the answered components."""
        return self.fill == "mean"

    def filled(self, points: int, *, asked: int, answered: int) -> int | None:
        """Return the sum with its gaps filled; None if there are too many, or no answer at all."""
        if asked - answered > self.at_most or (asked and not answered):
            return None
        if not self.fills_mean or asked == answered:
            return points
        return (2 * points * asked + answered) // (2 * answered)


def usual_gaps(components: int) -> int:
    """Return how many components may stay empty unless a survey states another number: a fifth.

    Parameters
    ----------
    components : int, at least 0

    Examples
    --------
    >>> [usual_gaps(components) for components in (1, 4, 5, 9, 10)]
    [0, 0, 1, 1, 2]
    """
    return components // 5


@dataclass(frozen=True, kw_only=True)
class Level:
    """What holds from a sum on.

    Parameters
    ----------
    start : int or None
        Least sum; None for the first level, which holds from the least reachable sum.
    option : str
        Option of the question; empty for a level of a step.
    points : int
        Points that a step gives; 0 for a level of the question.
    """

    start: int | None = None
    option: str = ""
    points: int = 0


@dataclass(frozen=True, kw_only=True)
class Step:
    """A sum of its own, whose level gives points; never sent.

    Parameters
    ----------
    key : str
    of : tuple of str
        Keys of components and of earlier steps.
    points : tuple of (str, tuple of int)
        Points that replace those of a component in this step: one per answer or band.
    levels : tuple of Level
    missing : Gaps, optional
        Own rule for the gaps among its components; None if they count 0 here.
    """

    key: str
    of: tuple[str, ...]
    points: tuple[tuple[str, tuple[int, ...]], ...] = ()
    levels: tuple[Level, ...]
    missing: Gaps | None = None

    def __post_init__(self) -> None:
        validation.key(self.key, "step key")
        if not self.of:
            raise PrivacyError("computed.step_empty", self.key)
        for source in validation.as_tuple(self.of, f"of of step {self.key}"):
            validation.key(source, f"of of step {self.key}")
        validation.distinct(self.of, f"of of step {self.key}")
        checked_levels(self.levels, f"step {self.key}")
        checked_points([level.points for level in self.levels], f"points of step {self.key}")
        validation.distinct((key for key, _own in self.points), f"points of step {self.key}")
        for key, own in self.points:
            checked_points(own, f"points of {key} in step {self.key}")
        for key, _own in self.points:
            if key not in self.of:
                raise PrivacyError("computed.step_points", key, key=self.key)


def checked_levels(levels: Sequence[Level], name: str) -> None:
    """Refuse levels that do not ascend, or whose first one has a start.

    Parameters
    ----------
    levels : sequence of Level
    name : str
        Name of the question or step in the error message.
    """
    if not levels:
        raise PrivacyError("computed.no_levels", name)
    if levels[0].start is not None:
        raise PrivacyError("computed.first_start", levels[0].start, name=name)
    last = None
    for level in levels[1:]:
        if level.start is None:
            raise PrivacyError("computed.no_start", level.option or level.points, name=name)
        start = validation.whole_number(
            level.start,
            f"start of a level of {name}",
            low=-LARGEST_START,
            high=LARGEST_START,
            code="computed",
        )
        if last is not None and start == last:
            raise PrivacyError("computed.same_start", start, name=name)
        if last is not None and start < last:
            raise PrivacyError("computed.descending", start, name=name, last=last)
        last = start


def level_at(levels: Sequence[Level], total: int) -> Level:
    """Return the level with the highest start that is at most `total`.

    Parameters
    ----------
    levels : sequence of Level
        At least one, ascending.
    total : int

    Examples
    --------
    >>> level_at((Level(option="low"), Level(start=8, option="high")), 8).option
    'high'
    """
    return next(level for level in reversed(levels) if level.start is None or level.start <= total)


def inner_steps(steps: Sequence[Step]) -> frozenset[str]:
    """Return the keys of the steps that a later step contains; they give no points to the sum.

    Parameters
    ----------
    steps : sequence of Step
    """
    keys = {step.key for step in steps}
    return frozenset(source for step in steps for source in step.of if source in keys)


def open_sources(
    components: Sequence[Component], uses: Sequence[Use]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return keys of open questions with the options that points and conditions name.

    Parameters
    ----------
    components : sequence of Component
    uses : sequence of Use
    """
    return (
        *((use.question, tuple(option for option, _points in use.points)) for use in uses),
        *(
            (term.question, term.options)
            for component in components
            for term in (component.asked_if.terms if component.asked_if else ())
            if term.question
        ),
    )
