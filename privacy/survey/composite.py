"""Composite questions: the rule by which a device computes the answer that it disguises and sends.

Respondents answer *components*; nothing of them is sent. The rule has points, steps, levels and gaps, and is
evaluated in this order: which components were asked; the gaps; the steps; the sum; the level with the highest
start that is at most the sum. All numbers are whole, so every device computes the same answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from privacy import validation
from privacy.errors import PrivacyError
from privacy.survey.component import Component, Given
from privacy.survey.composite_parts import (
    MOST_COMPONENTS,
    MOST_DECIDING,
    MOST_STEPS,
    Gaps,
    Level,
    Step,
    Use,
    checked_levels,
    inner_steps,
    level_at,
    open_sources,
)
from privacy.survey.reachable_sums import ReachableSums, reachable_sums


@dataclass(frozen=True, kw_only=True)
class Composite:
    """The rule of one composite question.

    Parameters
    ----------
    components : tuple of Component
        1 to 40, in the order in which they are asked. At most six decide whether others are asked.
    missing : Gaps
    uses : tuple of Use
    steps : tuple of Step
        At most eight, in the order in which they are computed. A step that a later step contains counts
        there; every other step gives its points to the sum.
    levels : tuple of Level
        Options of the question with their starts; empty if the question is a number, which is the sum itself.
    base : str
        Option from which results also give the shares of the options above it; empty if there is none.
    placebo_of : str
        Key of the composite question of the same block for which this one is the placebo index: as many
        harmless acts, which hardly anyone has done. Empty if it is none.
    other_half : str
        Key of the composite question of the same block that is the other half of the same instrument. Only
        one of the two names the other.

    Raises
    ------
    PrivacyError
        With codes ``computed``, ``bad_key``, ``duplicate_key``, ``asked_if``, ``malformed``.

    References
    ----------
    Quoc and others 2017, who compute on devices before they randomise.
    Cruyff, van den Hout and van der Heijden 2008, who estimate sum scores of items that were randomised one
    by one. Here devices compute the score and randomise it once.

    Examples
    --------
    *At least two of three*, at most one gap:

    >>> acts = tuple(Component(key=key, kind="yes_no", points=(0, 1)) for key in "abc")
    >>> rule = Composite(components=acts, missing=Gaps(at_most=1, fill="no_points"), levels=(
    ...     Level(option="no"), Level(start=2, option="yes")))
    >>> [rule.evaluate(answers) for answers in ({"a": 1, "b": 1, "c": 0}, {"a": 1, "b": 0}, {"a": 1})]
    ['yes', 'no', None]
    >>> rule.reach
    ReachableSums(sums=(0, 1, 2, 3), is_exact=True)
    """

    components: tuple[Component, ...]
    missing: Gaps
    uses: tuple[Use, ...] = ()
    steps: tuple[Step, ...] = ()
    levels: tuple[Level, ...] = ()
    base: str = ""
    placebo_of: str = ""
    other_half: str = ""

    def __post_init__(self) -> None:
        for name, kind in (("components", Component), ("uses", Use), ("steps", Step), ("levels", Level)):
            entries: Any = validation.as_tuple(getattr(self, name), f"{name} of a composite question")
            for entry in entries:
                validation.instance(entry, f"{name} of a composite question", kind)
            object.__setattr__(self, name, entries)
        validation.instance(self.missing, "missing of a composite question", Gaps)
        if not 1 <= len(self.components) <= MOST_COMPONENTS:
            raise PrivacyError("computed.components", len(self.components), most=MOST_COMPONENTS)
        if len(self.steps) > MOST_STEPS:
            raise PrivacyError("computed.steps", len(self.steps), most=MOST_STEPS)
        keys = [component.key for component in self.components] + [step.key for step in self.steps]
        validation.distinct(keys, "component or step of a composite question")
        validation.distinct((use.question for use in self.uses), "question of uses")
        self._check_conditions()
        self._check_steps()
        if self.levels:
            checked_levels(self.levels, "the question")
        self._check_base()
        for member in ("placebo_of", "other_half"):
            if getattr(self, member) != "":
                validation.key(getattr(self, member), f"{member} of a composite question")
        self._check_reach()

    def _check_base(self) -> None:
        options = [level.option for level in self.levels]
        if self.base and not options:
            raise PrivacyError("computed.base_number", self.base)
        if self.base and self.base not in options:
            raise PrivacyError("computed.base_level", self.base, known=", ".join(dict.fromkeys(options)))
        if self.base and self.base not in options[1:-1]:
            raise PrivacyError("computed.base", self.base)

    def _check_conditions(self) -> None:
        earlier: dict[str, Component] = {}
        deciding: set[str] = set()
        for component in self.components:
            for term in component.asked_if.terms if component.asked_if else ():
                if not term.component:
                    continue
                source = earlier.get(term.component)
                if source is None:
                    raise PrivacyError("computed.later", term.component, key=component.key)
                if not source.can_decide or source.instructed:
                    raise PrivacyError("computed.deciding", term.component, key=component.key)
                for option in term.options:
                    if option not in source.choices:
                        raise PrivacyError(
                            "computed.option", option, key=component.key, known=", ".join(source.choices)
                        )
                deciding.add(term.component)
            earlier[component.key] = component
        if len(deciding) > MOST_DECIDING:
            raise PrivacyError("computed.deciders", len(deciding), most=MOST_DECIDING)
        for component in self.components:
            if component.shared and component.key not in deciding:
                raise PrivacyError("computed.shared_unused", component.key)

    def _check_steps(self) -> None:
        known = {component.key for component in self.components if not component.instructed}
        for step in self.steps:
            for source in step.of:
                if source not in known:
                    raise PrivacyError("computed.step_of", source, key=step.key)
            for key, points in step.points:
                component = self._by_key.get(key)
                if component is None:
                    raise PrivacyError("computed.step_points", key, key=step.key)
                if len(points) != component.n_points:
                    raise PrivacyError("computed.points", len(points), key=key, count=component.n_points)
            known.add(step.key)

    def _check_reach(self) -> None:
        reach = self.reach
        if len(reach.sums) == 1:
            raise PrivacyError("computed.no_points", reach.sums[0])
        edges = [level.start for level in self.levels] + [None]
        for number in range(len(self.levels)):
            if not reach.between(edges[number], edges[number + 1]):
                raise PrivacyError(
                    "computed.unreached" if number else "computed.unreached_first",
                    edges[number or 1],
                    low=reach.sums[0],
                    high=reach.sums[-1],
                )

    @cached_property
    def _by_key(self) -> dict[str, Component]:
        return {component.key: component for component in self.components}

    @property
    def instructed(self) -> tuple[str, ...]:
        """Keys of the components with an instructed answer."""
        return tuple(component.key for component in self.components if component.instructed)

    @cached_property
    def _inner_steps(self) -> frozenset[str]:
        return inner_steps(self.steps)

    @property
    def open_questions(self) -> tuple[str, ...]:
        """Keys of the open questions on which the answer depends, each once."""
        return tuple(dict.fromkeys(key for key, _options in self.sources))

    @property
    def sources(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Keys of open questions with the options that its points and conditions name."""
        return open_sources(self.components, self.uses)

    def asked(
        self, answers: Mapping[str, Given], chosen: Mapping[str, str | None] | None = None
    ) -> list[str]:
        """Return the keys of the components that are asked, in order.

        Parameters
        ----------
        answers : mapping
            By key of the component; absent or None for a gap. Answers to components that are not asked are
            ignored.
        chosen : mapping, optional
            By key of an open question, the key of the chosen option; absent or None if it is empty.
        """
        return list(self._given(answers, chosen or {}))

    def _given(self, answers: Mapping[str, Given], chosen: Mapping[str, str | None]) -> dict[str, Given]:
        """Return the answers to the components that are asked; None for gaps."""
        found: dict[str, Given] = {}
        for component in self.components:
            if self._is_asked(component, found, chosen):
                found[component.key] = component.read(answers.get(component.key))
        return found

    def _is_asked(
        self, component: Component, found: Mapping[str, Given], chosen: Mapping[str, str | None]
    ) -> bool:
        """Whether a component is asked, given the answers to the asked components before it."""
        if component.asked_if is None:
            return True
        met = (
            self._by_key[term.component].meets(found.get(term.component), term.options)
            if term.component
            else chosen.get(term.question) in term.options
            for term in component.asked_if.terms
        )
        return all(met) if component.asked_if.joined == "all" else any(met)

    def total(
        self, answers: Mapping[str, Given], chosen: Mapping[str, str | None] | None = None
    ) -> int | None:
        """Return the sum, or None for a skip; arguments as for `asked`."""
        chosen = chosen or {}
        given = self._given(answers, chosen)
        for component in self.components:
            if component.instructed and component.key in given:
                value = given.pop(component.key)
                if not component.meets(value, (component.instructed,)):
                    return None
        own = {key: self._by_key[key].points_of(value) for key, value in given.items()}
        filled = _filled(self.missing, given, own)
        step_points = self._step_points(given, own)
        if filled is None or step_points is None:
            return None
        used = sum(dict(use.points).get(chosen.get(use.question) or "", 0) for use in self.uses)
        outer = sum(points for key, points in step_points.items() if key not in self._inner_steps)
        return filled + used + outer

    def _step_points(self, given: Mapping[str, Given], own: Mapping[str, int]) -> dict[str, int] | None:
        found: dict[str, int] = {}
        for step in self.steps:
            replaced = dict(step.points)
            points = {
                key: self._by_key[key].points_of(given[key], replaced.get(key, ()))
                if key in replaced
                else own[key]
                for key in step.of
                if key in given
            }
            held = {key: given[key] for key in points}
            total = sum(points.values()) if step.missing is None else _filled(step.missing, held, points)
            if total is None:
                return None
            total += sum(found.get(key, 0) for key in step.of)
            found[step.key] = level_at(step.levels, total).points
        return found

    def evaluate(
        self, answers: Mapping[str, Given], chosen: Mapping[str, str | None] | None = None
    ) -> str | int | None:
        """Return the option that the question's answer is, or the sum if it is a number; None for a skip.

        Parameters
        ----------
        answers, chosen
            As for `asked`.

        Raises
        ------
        PrivacyError
            ``answer``: not an answer to a component that is asked.
        """
        total = self.total(answers, chosen)
        if total is None or not self.levels:
            return total
        return level_at(self.levels, total).option

    @cached_property
    def reach(self) -> ReachableSums:
        """The sums that some answers reach."""

        return reachable_sums(self.components, self.uses, self.steps, self.missing)

    def reachable_options(self, fixed: Mapping[str, int | str | None]) -> tuple[str, ...]:
        """Return the options of the levels that some answers lead to.

        Parameters
        ----------
        fixed : mapping of str to int or str or None
            Components with the only answer that they may have if they are asked, and open questions with the
            key of their option; None for a gap and for an empty answer. Other keys are ignored.

        Returns
        -------
        tuple of str
            In the order of the levels; empty if these answers make the composite a skip. If there are too
            many combinations to enumerate, it may contain options that no answers lead to.
        """
        own = tuple((key, fixed[key]) for key in (*self._by_key, *self.open_questions) if key in fixed)
        reach = reachable_sums(self.components, self.uses, self.steps, self.missing, fixed=own)
        edges = [level.start for level in self.levels] + [None]
        return tuple(
            dict.fromkeys(
                level.option
                for number, level in enumerate(self.levels)
                if reach.sums and reach.between(edges[number], edges[number + 1])
            )
        )


def _filled(missing: Gaps, given: Mapping[str, Given], points: Mapping[str, int]) -> int | None:
    answered = sum(value is not None for value in given.values())
    return missing.filled(sum(points.values()), asked=len(given), answered=answered)
