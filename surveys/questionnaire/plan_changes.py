"""Changes to a plan: the smallest ones that make it useful, or single ones that help most."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from privacy.planning.layouts import PROTECTIONS
from privacy.planning.use import use_of
from privacy.policy import LEAST_COMPLETE_ROWS
from surveys.questionnaire.aim import MOST_PEOPLE, Aim
from surveys.questionnaire.definition import Definition, definition_without_texts
from surveys.questionnaire.plan import Plan, plan
from surveys.questionnaire.sensitive import choosable_questions, with_sensitive
from surveys.questionnaire.series import WaveLine

__all__ = ["Change", "changes", "protected_questions", "rounded_up"]

_MOST_CHANGES: Final = 3
_MORE_PEOPLE: Final = 1.5
_MOST_COMBINED: Final = 2
"""Up to this many questions every combination of kinds is tried; beyond, the costliest ones are stored."""


@dataclass(frozen=True, kw_only=True)
class Change:
    """A change to a plan, and the resulting plan.

    Attributes
    ----------
    stored : tuple of str
        Questions that become stored as answered.
    people : int or None
        The new expected number of people; None if unchanged.
    strength : str or None
        The new protection; None if unchanged.
    plan : Plan
    """

    plan: Plan
    stored: tuple[str, ...] = ()
    people: int | None = None
    strength: str | None = None

    @property
    def size(self) -> int:
        """Number of things that change."""
        return len(self.stored) + (self.people is not None) + (self.strength is not None)


def protected_questions(definition: Definition) -> list[str]:
    """Return the disguised questions that could be stored as answered instead."""
    choosable = {question["key"] for question in choosable_questions(definition.document)}
    return [
        question["key"]
        for entry in definition.document["blocks"]
        if entry["protected"]
        for question in entry["questions"]
        if question["key"] in choosable
    ]


def changes(
    definition: Definition, aim: Aim, *, waves: Sequence[WaveLine] = (), held: str = ""
) -> tuple[Change, ...]:
    """Return at most three changes to a draft: those that make it useful, else those that help most.

    Parameters
    ----------
    definition, aim, waves, held
        As for `plan`.

    Notes
    -----
    If the plan leaves a question that cannot be shown, or only within more than 25 points, each change leads
    to a plan without such a question: by more people alone, by a lighter protection, and by storing the
    fewest questions as answered. Below 100 people every change must name more people. Otherwise each change
    is one step: one question stored as answered, half as many people again, or the next lighter protection,
    ordered by how much it narrows the starred figures.
    """
    now = plan(definition, aim, waves=waves, held=held)
    if now is None or not now.is_useful:
        found = [*_more_people(now), *_lighter(definition, aim, waves), *_stored(definition, aim, waves)]
        useful = [change for change in found if change.plan.is_useful]
        return tuple(sorted(useful, key=lambda change: change.size)[:_MOST_CHANGES])
    steps = [
        *_stored_one(definition, aim, waves, held),
        *_lighter(definition, aim, waves),
        *_with_people(definition, aim, waves, held),
    ]
    better = [step for step in steps if step.plan.is_useful and step.plan.use.narrower(now.use)]
    return tuple(sorted(better, key=lambda step: step.plan.use.order)[:_MOST_CHANGES])


def _more_people(now: Plan | None) -> Iterator[Change]:
    """Yield the number of people with whom a plan becomes useful."""
    if now is not None and now.use.people_needed <= MOST_PEOPLE:
        people = rounded_up(now.use.people_needed)
        aim = replace(now.aim, people=people)
        yield Change(plan=replace(now, aim=aim, use=use_of(now.definition.design, aim)), people=people)


def rounded_up(people: int) -> int:
    """Return a number of people with two significant digits, rounded up.

    Examples
    --------
    >>> rounded_up(100), rounded_up(346), rounded_up(98)
    (100, 350, 98)
    """
    step = 10 ** max(len(str(people)) - 2, 0)
    return -(-people // step) * step


def _with_people(definition: Definition, aim: Aim, waves: Sequence[WaveLine], held: str) -> Iterator[Change]:
    people = min(rounded_up(math.ceil(_MORE_PEOPLE * aim.people)), MOST_PEOPLE)
    made = plan(definition, replace(aim, people=people), waves=waves, held=held)
    if made is not None:
        yield Change(plan=made, people=people)


def _lighter(definition: Definition, aim: Aim, waves: Sequence[WaveLine]) -> Iterator[Change]:
    """Yield the draft under the next lighter protection."""
    lighter = {strong: light for light, strong in itertools.pairwise(PROTECTIONS)}.get(aim.strength)
    made = plan(definition, replace(aim, strength=lighter), waves=waves) if lighter else None
    if made is not None:
        yield Change(plan=made, strength=lighter)


def _stored_one(definition: Definition, aim: Aim, waves: Sequence[WaveLine], held: str) -> Iterator[Change]:
    """Yield the draft with one question stored as answered: one of each kind, and none starred."""
    for (is_other, _patterns), key in _alike(definition, aim):
        if is_other:
            yield from _with_stored(definition, aim, waves, (key,), held=held)


def _stored(definition: Definition, aim: Aim, waves: Sequence[WaveLine]) -> Iterator[Change]:
    """Yield the draft with the fewest questions stored as answered that makes it useful.

    Starred questions come last, and those with the most answers first, as they use up most of the odds.
    """
    for keys in _sets_to_store(definition, aim):
        for change in _with_stored(definition, aim, waves, keys):
            needed = change.plan.use.people_needed
            if needed <= aim.people:
                yield change
                return
            if needed <= max(aim.people, LEAST_COMPLETE_ROWS):
                yield from _with_stored(
                    definition, replace(aim, people=needed), waves, change.stored, people=needed
                )
                return


def _sets_to_store(definition: Definition, aim: Aim) -> Iterator[tuple[str, ...]]:
    """Yield sets of protected questions, small ones first, one for each combination of kinds."""
    costs = sorted(_costs(definition, aim), reverse=True)
    for count in range(1, len(costs) + 1):
        if count > _MOST_COMBINED:
            yield tuple(key for _cost, key in costs[:count])
            continue
        tried = set()
        for chosen in itertools.combinations(costs, count):
            kinds = tuple(cost for cost, _key in chosen)
            if kinds not in tried:
                tried.add(kinds)
                yield tuple(key for _cost, key in chosen)


def _costs(definition: Definition, aim: Aim) -> list[tuple[tuple[bool, int], str]]:
    """Return the cost of each protected question: whether it is not starred, and its number of answers."""
    starred = {key.partition("=")[0] for key in aim.wanted}
    questions = {question.key: question for question in definition.design.questions}
    return [((key not in starred, questions[key].patterns), key) for key in protected_questions(definition)]


def _alike(definition: Definition, aim: Aim) -> list[tuple[tuple[bool, int], str]]:
    """Return one question for each cost."""
    return list(dict(_costs(definition, aim)).items())


def _with_stored(
    definition: Definition,
    aim: Aim,
    waves: Sequence[WaveLine],
    keys: tuple[str, ...],
    *,
    people: int | None = None,
    held: str = "",
) -> Iterator[Change]:
    protected = [key for key in protected_questions(definition) if key not in keys]
    chosen = definition_without_texts(with_sensitive(definition.document, protected))
    made = plan(chosen, aim, waves=waves, held=held) if chosen is not None else None
    if made is not None:
        yield Change(plan=made, stored=keys, people=people)
