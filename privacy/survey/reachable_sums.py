"""Which sums the answers to a composite question can reach.

The components are processed one by one. A state holds everything that later components need: the conditions
that are met, how many components were asked and left empty, and the sums of unfinished steps. Each state has
the set of sums of points that lead to it, as the bits of one whole number.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias, TypeGuard

from privacy.survey.component import Component, When
from privacy.survey.composite_parts import Gaps, Step, Use, inner_steps, level_at, open_sources

MOST_MOVES: Final = 60_000
"""Largest number of moves from state to state (about .2 s); larger rules get bounds instead."""

_Chosen: TypeAlias = Mapping[str, str | None]


@dataclass(frozen=True, kw_only=True)
class ReachableSums:
    """The sums that some answers reach.

    Parameters
    ----------
    sums : tuple of int
        In ascending order. Only the least and the largest possible sum if the rule is too large to enumerate.
    is_exact : bool
        Whether all sums are listed. If not, every whole number between the two counts as reachable.
    """

    sums: tuple[int, ...]
    is_exact: bool = True

    def between(self, start: int | None, end: int | None) -> bool:
        """Whether a sum of at least `start` and below `end` is reachable; None for no limit."""
        low, high = self.sums[0], self.sums[-1] + 1
        low = low if start is None else max(low, start)
        high = high if end is None else min(high, end)
        return any(low <= total < high for total in self.sums) if self.is_exact else low < high


class _TooLarge(Exception):
    """The states are too many to enumerate."""


class _Running(NamedTuple):
    """A step in progress: its sum, and how many of its components were asked and answered.

    The numbers of components stay 0 in a step without a rule for gaps.
    """

    points: int = 0
    asked: int = 0
    answered: int = 0


class _State(NamedTuple):
    """Everything about the components so far on which the rest depends, except their own points."""

    met: frozenset[tuple[str, int]] = frozenset()
    asked: int = 0
    gaps: int = 0
    outer: int = 0
    """Points of finished steps that count in the sum."""
    steps: tuple[_Running | int | None, ...] = ()
    """For each step: its state, then its points until a later step used them, then None."""


class _Outcome(NamedTuple):
    """What one answer to a component, or a gap, changes."""

    points: int
    in_steps: tuple[int, ...]
    met: frozenset[tuple[str, int]] = frozenset()
    is_gap: bool = False


@lru_cache(maxsize=256)
def reachable_sums(
    components: tuple[Component, ...],
    uses: tuple[Use, ...],
    steps: tuple[Step, ...],
    missing: Gaps,
    *,
    fixed: tuple[tuple[str, int | str | None], ...] = (),
) -> ReachableSums:
    """Return the sums that some answers to the components and open questions reach.

    Parameters
    ----------
    components : tuple of Component
    uses : tuple of Use
    steps : tuple of Step
    missing : Gaps
    fixed : tuple of (str, int or str or None), optional
        Components with the only answer that they may have if they are asked, and open questions with the key
        of their option; None for a gap and for an empty answer.

    Returns
    -------
    ReachableSums
        Inexact if there are too many combinations: then it holds a lower and an upper bound. Without sums if
        the fixed answers make the composite a skip.
    """
    asked = tuple(each for each in components if not each.instructed)
    rule = _Rule(asked, uses, steps, missing, dict(fixed))
    try:
        sums = _Search(rule).sums()
    except _TooLarge:
        return ReachableSums(sums=_bounds(rule), is_exact=False)
    return ReachableSums(sums=tuple(sorted(sums)))


class _Rule(NamedTuple):
    """The parts of a rule on which sums depend."""

    components: tuple[Component, ...]
    uses: tuple[Use, ...]
    steps: tuple[Step, ...]
    missing: Gaps
    fixed: Mapping[str, int | str | None]


def _is_open(value: int | str | None) -> TypeGuard[str | None]:
    return not isinstance(value, int)


class _Search:
    """One enumeration of a rule."""

    def __init__(self, rule: _Rule) -> None:
        self.rule, self.moves = rule, 0.0
        self.inner_steps = inner_steps(rule.steps)
        self.terms: list[tuple[tuple[str, int], When]] = [
            ((component.key, number), term)
            for component in rule.components
            for number, term in enumerate(component.asked_if.terms if component.asked_if else ())
            if term.component
        ]
        self.order = self._order()
        place = {component.key: number for number, component in enumerate(self.order)}
        self.last_use = {mark: place[mark[0]] for mark, _term in self.terms}
        numbers = {step.key: number for number, step in enumerate(rule.steps)}
        self.last_of_step: list[int] = []
        for step in rule.steps:
            ends = (place[key] if key in place else self.last_of_step[numbers[key]] for key in step.of)
            self.last_of_step.append(max(ends))

    def _order(self) -> list[Component]:
        """Return the components so that steps finish early; conditions keep their order."""
        components, steps = list(self.rule.components), self.rule.steps
        if self.terms:
            return components
        rank = {
            component.key: min(
                (number for number, step in enumerate(steps) if component.key in step.of), default=len(steps)
            )
            for component in components
        }
        return sorted(components, key=lambda component: rank[component.key])

    def sums(self) -> set[int]:
        """Return the reachable sums."""
        found: set[int] = set()
        for chosen, used in self._open_answers():
            offset, states = 0, {_State(steps=(_Running(),) * len(self.rule.steps)): 1}
            for number, component in enumerate(self.order):
                outcomes = self._outcomes(component)
                low = min([0, *(outcome.points for outcome in outcomes)])
                states = self._after(number, component, states, outcomes, low, chosen)
                offset += low
            for state, bits in states.items():
                found |= {total + used for total in self._finished(state, bits, offset)}
        return found

    def _open_answers(self) -> Iterator[tuple[_Chosen, int]]:
        """Yield the answers to open questions that differ in their points or in a condition."""
        named: dict[str, set[str | None]] = {}
        for key, options in open_sources(self.rule.components, self.rule.uses):
            named.setdefault(key, {None}).update(options)
        named |= {key: {value} for key, value in self.rule.fixed.items() if key in named and _is_open(value)}
        for combination in itertools.product(*named.values()):
            self._count(1)
            chosen = dict(zip(named, combination, strict=True))
            used = sum(dict(use.points).get(chosen[use.question] or "", 0) for use in self.rule.uses)
            yield chosen, used

    def _outcomes(self, component: Component) -> set[_Outcome]:
        """Return the different effects of the answers to a component, and of a gap."""
        self._count(1 << len(component.options) if component.is_several else 1)
        replaced = [dict(step.points).get(component.key, ()) for step in self.rule.steps]
        outcomes = {
            _Outcome(
                component.points_of(value),
                tuple(
                    component.points_of(value, own) if component.key in step.of else 0
                    for step, own in zip(self.rule.steps, replaced, strict=True)
                ),
                frozenset(
                    mark
                    for mark, term in self.terms
                    if term.component == component.key and component.meets(value, term.options)
                ),
            )
            for value in component.values()
            if self.rule.fixed.get(component.key, value) == value
        }
        if self.rule.missing.at_most and self.rule.fixed.get(component.key) is None:
            outcomes.add(_Outcome(0, (0,) * len(self.rule.steps), is_gap=True))
        return outcomes

    def _after(
        self,
        number: int,
        component: Component,
        states: Mapping[_State, int],
        outcomes: set[_Outcome],
        low: int,
        chosen: _Chosen,
    ) -> dict[_State, int]:
        following: dict[_State, int] = {}
        unasked = _Outcome(0, (0,) * len(self.rule.steps))
        for state, bits in states.items():
            is_asked = self._is_asked(component, state, chosen)
            for outcome in outcomes if is_asked else (unasked,):
                self._count(1)
                after = self._moved(number, component, state, outcome, is_asked=is_asked)
                if after is not None:
                    following[after] = following.get(after, 0) | bits << outcome.points - low
        return following

    def _is_asked(self, component: Component, state: _State, chosen: _Chosen) -> bool:
        condition = component.asked_if
        if condition is None:
            return True
        met = (
            (component.key, number) in state.met if term.component else chosen[term.question] in term.options
            for number, term in enumerate(condition.terms)
        )
        return all(met) if condition.joined == "all" else any(met)

    def _moved(
        self, number: int, component: Component, state: _State, outcome: _Outcome, *, is_asked: bool
    ) -> _State | None:
        """Return the state after an answer, a gap, or a component that is not asked; None after a skip."""
        gaps = state.gaps + outcome.is_gap
        if gaps > self.rule.missing.at_most:
            return None
        steps = list(state.steps)
        outer = state.outer
        for place, step in enumerate(self.rule.steps):
            running = steps[place]
            if not isinstance(running, _Running):
                continue
            if is_asked and component.key in step.of:
                counted = step.missing is not None
                running = _Running(
                    running.points + outcome.in_steps[place],
                    running.asked + counted,
                    running.answered + (counted and not outcome.is_gap),
                )
            steps[place] = running
            if number == self.last_of_step[place]:
                points = self._step_points(step, running, steps)
                if points is None:
                    return None
                is_inner = step.key in self.inner_steps
                steps[place], outer = (points, outer) if is_inner else (None, outer + points)
        met = frozenset(mark for mark in state.met | outcome.met if self.last_use[mark] > number)
        return _State(met, state.asked + is_asked, gaps, outer, tuple(steps))

    def _step_points(self, step: Step, running: _Running, steps: list[_Running | int | None]) -> int | None:
        total: int | None = running.points
        if step.missing is not None:
            total = step.missing.filled(running.points, asked=running.asked, answered=running.answered)
        if total is None:
            return None
        for place, earlier in enumerate(self.rule.steps):
            points = steps[place]
            if earlier.key in step.of and isinstance(points, int):
                total += points
        return level_at(step.levels, total).points

    def _finished(self, state: _State, bits: int, offset: int) -> Iterator[int]:
        """Yield the sums of a final state, with gaps filled and points of steps."""
        missing: Gaps = self.rule.missing
        position = 0
        while bits:
            zeros = (bits & -bits).bit_length() - 1
            position += zeros
            self._count(0.1)
            total = missing.filled(position + offset, asked=state.asked, answered=state.asked - state.gaps)
            if total is not None:
                yield total + state.outer
            bits >>= zeros + 1
            position += 1

    def _count(self, moves: float) -> None:
        self.moves += moves
        if self.moves > MOST_MOVES:
            raise _TooLarge


def _bounds(rule: _Rule) -> tuple[int, ...]:
    """Return bounds of the sum: no answers lie below or above them."""
    ranges = [component.range_of_points for component in rule.components]
    if rule.missing.fill == "mean" and rule.missing.at_most:
        low = len(ranges) * min(least for least, _most in ranges)
        high = len(ranges) * max(most for _least, most in ranges)
    else:
        low, high = sum(least for least, _most in ranges), sum(most for _least, most in ranges)
    others = [[0, *(own for _option, own in use.points)] for use in rule.uses]
    inner = inner_steps(rule.steps)
    others += [[level.points for level in step.levels] for step in rule.steps if step.key not in inner]
    return tuple(sorted({low + sum(map(min, others)), high + sum(map(max, others))}))
