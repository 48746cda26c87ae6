"""The rule of a composite question that computes the same as a formula of a form."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, TypeAlias

from privacy.errors import PrivacyError
from privacy.survey.component import MOST_POINTS, Component
from privacy.survey.composite import Composite
from privacy.survey.composite_json import read_gaps, read_step
from privacy.survey.composite_parts import Gaps, Level
from surveys.imports.formula_sums import Answers, Cut, Sum, is_condition, levels_of, sum_of, truth_sum
from surveys.imports.formulas import Unsayable, Value, call_of, names_in, value_of

_MOST_VALUES: Final = 6
"""Values of a number up to which each becomes a level."""

Levels: TypeAlias = list[tuple[int | None, str]]
"""The start of each level and its label; the first has no start."""


@dataclass(frozen=True, kw_only=True)
class Rule:
    """What a composite question needs to compute a formula.

    Parameters
    ----------
    names : tuple of str
        Names of the questions, in the order of the form.
    points : dict of str to list of int
        Points of the answers to each component, by its key.
    steps : list of dict
        Steps as in a definition.
    levels : list of (int or None, str)
        Starts and labels; those of a condition are *no* and *yes*.
    missing : dict
        The rule for gaps as in a definition; empty if the formula has no value with a gap.
    """

    names: tuple[str, ...]
    points: dict[str, list[int]]
    steps: list[dict[str, Any]]
    levels: Levels
    missing: dict[str, Any]


def rule_of(node: ast.expr, questions: Mapping[str, Answers]) -> Rule:
    """Return the rule that computes a formula.

    Parameters
    ----------
    node : ast.expr
    questions : mapping of str to Answers
        In the order of the form.

    Raises
    ------
    Unsayable
        No rule computes it.

    Examples
    --------
    >>> from surveys.imports.formulas import tree_of
    >>> drugs = Answers(names=("pot", "pills"), components=("drugs_pot", "drugs_pills"), is_several=True)
    >>> rule = rule_of(tree_of("selected(${drugs}, 'pot') or selected(${drugs}, 'pills')"), {"drugs": drugs})
    >>> rule.points, rule.levels
    ({'drugs_pot': [0, 1], 'drugs_pills': [0, 1]}, [(None, 'no'), (1, 'yes')])
    """
    found = levels_of(node)
    function, arguments = call_of(node)
    cuts: list[Cut] = []
    values: list[Value]
    if found is not None:
        subject, cuts, values = found
        total = sum_of(subject, questions)
        starts = [total.start_of(bound, is_strict=is_strict) for bound, is_strict in cuts]
    elif function == "if" and len(arguments) == 3 and not any(map(names_in, arguments[1:])):
        total, starts = truth_sum(arguments[0], lambda part: sum_of(part, questions)), [Fraction(1)]
        values = [value_of(each, {}) for each in (arguments[2], arguments[1])]
    else:
        total = sum_of(node, questions)
        asks = is_condition(node)
        numbers = [Fraction(0), Fraction(1)] if asks else _values(total)
        values, starts = ["no", "yes"] if asks else [*numbers], numbers[1:]
    levels = _inside([*zip([None, *starts], map(str, values), strict=True)])
    total, levels = _unwrapped(total, levels)
    rule = _written(_without_none(total, levels, questions), levels, questions, cuts)
    try:
        composite_of(rule, questions)
    except PrivacyError as error:
        raise Unsayable(str(error)) from error
    return rule


def _values(total: Sum) -> list[Fraction]:
    """Return the values that a sum can have, in ascending order; refuse too many."""
    if total.gates or total.is_mean:
        raise Unsayable("a number that is no sum")
    found = {total.constant}
    for options in total.points.values():
        found = {value + own for value in found for own in (Fraction(0), *options.values())}
        if len(found) > _MOST_VALUES:
            raise Unsayable("a number with many values")
    return sorted(found)


_Starts: TypeAlias = "list[tuple[Fraction | None, str]]"


def _inside(levels: _Starts) -> _Starts:
    """Return levels without those that continue the one before; refuse levels that do not ascend."""
    starts = [start for start, _label in levels[1:] if start is not None]
    if starts != sorted(set(starts)) or len(starts) != len(levels) - 1:
        raise Unsayable("levels that do not ascend")
    return [level for number, level in enumerate(levels) if number == 0 or level[1] != levels[number - 1][1]]


def _unwrapped(total: Sum, levels: _Starts) -> tuple[Sum, _Starts]:
    """Return a sum without its outermost gate, if it is nothing but this gate, and the levels inside it."""
    while len(total.gates) == 1 and not total.points:
        ((factor, gate),) = total.gates
        labels = [_label_at(levels, total.constant + factor * points) for _start, points in gate.levels]
        starts = [start for start, _points in gate.levels]
        total, levels = gate.total, _inside([*zip(starts, labels, strict=True)])
    return total, levels


def _label_at(levels: _Starts, value: Fraction) -> str:
    return next(label for start, label in reversed(levels) if start is None or start <= value)


def _without_none(total: Sum, levels: _Starts, questions: Mapping[str, Answers]) -> Sum:
    """Return a sum without points of options that exclude all others, if they lead to no other level.

    Such an option is no line of a list: respondents who choose it have no line.
    """
    if total.gates or len(total.points) != 1:
        return total
    ((name, options),) = total.points.items()
    lines = dict(zip(questions[name].names, questions[name].components, strict=False))
    kept = {
        option: own
        for option, own in options.items()
        if not questions[name].is_several
        or lines[option]
        or _label_at(levels, total.constant + own) != _label_at(levels, total.constant)
    }
    return replace(total, points={name: kept})


def _written(total: Sum, levels: _Starts, questions: Mapping[str, Answers], cuts: Sequence[Cut]) -> Rule:
    """Return the rule of a sum with these levels."""
    steps: list[dict[str, Any]] = []
    _add_steps(total, total.scale, questions, steps)
    used = _names_of(total)
    names = tuple(name for name in questions if name in used)
    own = _points(total, total.scale, questions)
    sizes = {
        key: 2 if questions[name].is_several else len(questions[name].names)
        for name in names
        for key in questions[name].components
    }
    counted = {*own, *(key for step in steps for key in step["of"])}
    points = {key: own.get(key, [0] * size) for key, size in sizes.items() if key in counted}
    starts: Levels = [
        (None if start is None else math.ceil((start - total.constant) * total.scale), label)
        for start, label in levels
    ]
    return Rule(
        names=names, points=points, steps=steps, levels=starts, missing=_gaps(total, cuts, names, points)
    )


def _names_of(total: Sum) -> set[str]:
    """Return the names of the questions that a sum needs, those of its gates included."""
    return {*total.points}.union(*(_names_of(gate.total) for _factor, gate in total.gates))


def _points(total: Sum, scale: int, questions: Mapping[str, Answers]) -> dict[str, list[int]]:
    """Return the points of a sum by component, as whole numbers."""
    found: dict[str, list[int]] = {}
    for name, options in total.points.items():
        answers = questions[name]
        whole = [int(options.get(option, Fraction(0)) * scale) for option in answers.names]
        if max(map(abs, whole), default=0) > MOST_POINTS:
            raise Unsayable("points that are too large")
        if not answers.is_several:
            found[answers.components[0]] = whole
            continue
        for key, own in zip(answers.components, whole, strict=True):
            if own and not key:
                raise Unsayable("an option that is no line of its list")
            if own:
                found[key] = [0, own]
    return found


def _add_steps(
    total: Sum, scale: int, questions: Mapping[str, Answers], steps: list[dict[str, Any]]
) -> list[str]:
    """Add a step for each gate of a sum, inner ones first; return their keys."""
    keys = []
    for factor, gate in total.gates:
        inner = gate.total.scale
        own = _points(gate.total, inner, questions)
        of = [*own, *_add_steps(gate.total, inner, questions, steps)]
        key = f"step-{len(steps) + 1}"
        levels = [
            {"points": int(factor * points * scale)}
            | ({} if start is None else {"from": math.ceil((start - gate.total.constant) * inner)})
            for start, points in gate.levels
        ]
        steps.append({"key": key, "of": of, "points": own, "levels": levels})
        keys.append(key)
    return keys


def _gaps(
    total: Sum, cuts: Sequence[Cut], names: Sequence[str], points: Mapping[str, Sequence[int]]
) -> dict[str, Any]:
    """Return the rule for gaps of a sum, as in a definition; empty if it has no value with a gap."""
    if total.is_mean:
        return {"at_most": _gaps_of_mean(total, cuts, points), "as": "mean"}
    if not total.required:
        return {"at_most": len(points) - 1, "as": "no_points"}
    if total.required != {*names}:
        raise Unsayable("gaps that count for some questions only")
    return {}


def _gaps_of_mean(total: Sum, cuts: Sequence[Cut], points: Mapping[str, Sequence[int]]) -> int:
    """Return the largest number of gaps up to which the rule finds the level of the mean for all answers.

    The rule rounds the sum that it extrapolates, which may cross a start that the mean does not reach.
    """
    n = len(points)
    lows, highs = (sorted(map(end, points.values())) for end in (min, max))
    for gaps in range(1, n):
        answered = n - gaps
        rule = Gaps(at_most=gaps, fill="mean")
        for own in range(sum(lows[:answered]), sum(highs[gaps:]) + 1):
            mean = Fraction(own * n, answered * total.scale)
            filled = rule.filled(own, asked=n, answered=answered)
            for bound, is_strict in cuts:
                start = total.start_of(bound, is_strict=is_strict) * total.scale
                is_reached = mean > bound if is_strict else mean >= bound
                if ((filled or 0) >= start) != is_reached:
                    return gaps - 1
    return n - 1


def composite_of(rule: Rule, questions: Mapping[str, Answers]) -> Composite:
    """Return the composite question of a rule, whose options are numbered.

    Raises
    ------
    PrivacyError
        It cannot be a composite question: for example, no answers lead to one of its levels.
    """
    single = {
        own.components[0]: own.names for own in questions.values() if not own.is_several and own.components
    }
    components = tuple(
        Component(key=key, kind="yes_no", points=tuple(own))
        if len(own) == 2
        else Component(
            key=key,
            kind="single",
            options=tuple(f"o{place}" for place in range(len(single[key]))),
            points=tuple(own),
        )
        for key, own in rule.points.items()
    )
    missing = rule.missing or {"at_most": 0, "as": "no_points"}
    return Composite(
        components=components,
        missing=read_gaps(missing),
        steps=tuple(map(read_step, rule.steps)),
        levels=tuple(
            Level(start=start, option=f"l{place}") for place, (start, _label) in enumerate(rule.levels)
        ),
    )
