"""The rule of a composite question that computes the same as a formula of a form."""

from __future__ import annotations

import ast
import math
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, TypeAlias

from privacy.errors import PrivacyError
from privacy.survey.component import MOST_POINTS, Component
from privacy.survey.composite import Composite
from privacy.survey.composite_json import read_gaps
from privacy.survey.composite_parts import Gaps, Level
from surveys.imports.formulas.formula_sums import Answers, Sum, is_condition, is_of_one, sum_of
from surveys.imports.formulas.syntax import (
    COMPARISONS,
    Unsayable,
    Value,
    answer_name,
    call_of,
    joined,
    names_in,
    number,
    value_of,
)

_MOST_VALUES: Final = 6
"""Values of a number up to which each becomes a level."""

Levels: TypeAlias = list[tuple[int | None, str]]
"""The start of each level and its label; the first has no start."""


Cut: TypeAlias = tuple[Fraction, bool]
"""A number, and whether the level above begins above it instead of at it."""
_Starts: TypeAlias = "list[tuple[Fraction | None, str]]"


@dataclass(frozen=True, kw_only=True)
class Banded:
    """A formula whose value depends on a sum only.

    Parameters
    ----------
    total : Sum or None
        None for a formula that has the same value for all answers.
    cuts : tuple of Cut
        In ascending order.
    values : tuple of Value
        The value below the first cut, and above each.
    """

    total: Sum | None
    cuts: tuple[Cut, ...]
    values: tuple[Value, ...]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """What a composite question needs to compute a formula.

    Parameters
    ----------
    names : tuple of str
        Names of the questions, in the order of the form.
    points : dict of str to list of int
        Points of the answers to each component, by its key.
    levels : list of (int or None, str)
        Starts and labels; those of a condition are *no* and *yes*.
    missing : dict
        The rule for gaps as in a definition; empty if the formula has no value with a gap.
    """

    names: tuple[str, ...]
    points: dict[str, list[int]]
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
    >>> from surveys.imports.formulas.syntax import tree_of
    >>> drugs = Answers(names=("pot", "pills"), components=("drugs_pot", "drugs_pills"), is_several=True)
    >>> rule = rule_of(tree_of("selected(${drugs}, 'pot') or selected(${drugs}, 'pills')"), {"drugs": drugs})
    >>> rule.points, rule.levels
    ({'drugs_pot': [0, 1], 'drugs_pills': [0, 1]}, [(None, 'no'), (1, 'yes')])
    """
    found = banded(node, questions)
    if found.total is None:
        raise Unsayable("no answers")
    starts = [found.total.start_of(bound, is_strict=is_strict) for bound, is_strict in found.cuts]
    labels = [
        {True: "yes", False: "no"}[each] if isinstance(each, bool) else str(each) for each in found.values
    ]
    levels: _Starts = []
    for start, end, label in zip([None, *starts], [*starts, None], labels, strict=True):
        # No answers may lead to a level: it is left out.
        if start is None or (start != end and label != levels[-1][1]):
            levels.append((start, label))
    rule = _written(_without_none(found.total, levels, questions), levels, questions, found.cuts)
    try:
        composite_of(rule, questions)
    except PrivacyError as error:
        raise Unsayable(str(error)) from error
    return rule


def banded(node: ast.expr, questions: Mapping[str, Answers]) -> Banded:
    """Return on which sum the value of a formula depends, and how.

    Conditions on one sum are joined at all of its cuts. Conditions on different answers are counted: *or*
    needs one that holds, *and* all.

    Raises
    ------
    Unsayable
        It depends on several sums, or on something else.

    Examples
    --------
    >>> from surveys.imports.formulas.syntax import tree_of
    >>> asked = {name: Answers(names=("0", "3"), components=(name,)) for name in "ab"}
    >>> text = "if(${a} + ${b} >= 5, 'high', if(${a} + ${b} > 2, 'middle', 'low'))"
    >>> found = banded(tree_of(text), asked)
    >>> found.values, [(int(bound), is_strict) for bound, is_strict in found.cuts]
    (('low', 'middle', 'high'), [(2, True), (5, False)])
    """
    if not names_in(node):
        return Banded(total=None, cuts=(), values=(value_of(node, {}),))
    match node:
        case ast.BoolOp(op=op):
            parts = joined(node, type(op))
            if not all(map(is_condition, parts)):
                raise Unsayable("a number as a condition")
            join = any if isinstance(op, ast.Or) else all
            try:
                sums = [sum_of(each, questions) for each in parts]
            except Unsayable:
                return _merged(parts, questions, join)
            needed = Fraction(1 if join is any else len(parts))
            return _banded(sum(sums[1:], sums[0]), [(needed, False)], [False, True])
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARISONS and not (
            # The answers to one question may be texts.
            isinstance(op, ast.Eq | ast.NotEq) and is_of_one(node, questions)
        ):
            if answer_name(left) and answer_name(right):
                raise Unsayable("two answers compared")
            difference = sum_of(right, questions).times(Fraction(-1)) + sum_of(left, questions)
            bound, compare = -difference.constant, COMPARISONS[type(op)]
            values: list[Value] = [bool(compare(sign, 0)) for sign in (-1, 0, 1)]
            return _banded(replace(difference, constant=Fraction(0)), [(bound, False), (bound, True)], values)
    match call_of(node):
        case "not", [condition] if is_condition(condition):
            return _merged([condition], questions, lambda own: not own[0])
        case "if", [condition, yes, no] if is_condition(condition) and not (
            # An answer as it is, such as a text.
            answer_name(yes) or answer_name(no)
        ):
            return _merged([condition, yes, no], questions, lambda own: own[1] if own[0] else own[2])
    total = sum_of(node, questions)
    values = [False, True] if is_condition(node) else _values(total, questions)
    return _banded(total, [(number(each) or Fraction(0), False) for each in values[1:]], values)


def _banded(total: Sum | None, cuts: Sequence[Cut], values: Sequence[Value]) -> Banded:
    """Return a formula without cuts at which its value does not change."""
    changes = [
        (cut, after)
        for cut, before, after in zip(cuts, values[:-1], values[1:], strict=True)
        if before != after
    ]
    return Banded(
        total=total,
        cuts=tuple(cut for cut, _after in changes),
        values=(values[0], *(after for _cut, after in changes)),
    )


def _merged(
    parts: Sequence[ast.expr], questions: Mapping[str, Answers], join: Callable[[Sequence[Value]], Value]
) -> Banded:
    """Return a formula of parts that depend on the same sum, from their values between all of its cuts."""
    found = [banded(each, questions) for each in parts]
    totals = [each.total for each in found if each.total is not None]
    if any(total != totals[0] for total in totals):
        raise Unsayable("several sums")
    cuts = sorted({cut for each in found for cut in each.cuts})
    places = [[0] * len(found), *([bisect_right(each.cuts, cut) for each in found] for cut in cuts)]
    values = [join([each.values[place] for each, place in zip(found, own, strict=True)]) for own in places]
    return _banded(next(iter(totals), None), cuts, values)


def _values(total: Sum, questions: Mapping[str, Answers]) -> list[Value]:
    """Return the values that a sum can have, in ascending order; refuse too many.

    Of a question with several answers, all options can count together.
    """
    if total.is_mean:
        raise Unsayable("a number that is no sum")
    found = {total.constant}
    for name, options in total.points.items():
        own = [*options.values()]
        for together in [[each] for each in own] if questions[name].is_several else [own]:
            found = {value + each for value in found for each in (Fraction(0), *together)}
            if len(found) > _MOST_VALUES:
                raise Unsayable("a number with many values")
    return [*sorted(found)]


def _label_at(levels: _Starts, value: Fraction) -> str:
    return next(label for start, label in reversed(levels) if start is None or start <= value)


def _without_none(total: Sum, levels: _Starts, questions: Mapping[str, Answers]) -> Sum:
    """Return a sum without points of options that exclude all others, if they lead to no other level.

    Such an option is no line of a list: respondents who choose it have no line.
    """
    if len(total.points) != 1:
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


def _written(total: Sum, bounds: _Starts, questions: Mapping[str, Answers], cuts: Sequence[Cut]) -> Rule:
    """Return the rule of a sum with these levels."""
    names = tuple(name for name in questions if name in total.points)
    own = _points(total, questions)
    points = {key: own[key] for name in names for key in questions[name].components if key in own}
    starts: Levels = [
        (None if start is None else math.ceil((start - total.constant) * total.scale), label)
        for start, label in bounds
    ]
    levels = _named(starts, points)
    return Rule(names=names, points=points, levels=levels, missing=_gaps(total, cuts, names, points))


def _named(levels: Levels, points: Mapping[str, Sequence[int]]) -> Levels:
    """Return levels with the range of their sums as the name of those for which a formula has an empty text.

    >>> _named([(None, "low"), (3, "")], {"sad": [0, 1, 2], "tense": [0, 1, 2]})
    [(None, 'low'), (3, '3–4')]
    """
    low, high = (sum(map(end, points.values())) for end in (min, max))
    ends = [start - 1 for start, _label in levels[1:] if start is not None]
    return [
        (start, label or f"{low if start is None else start}–{end}")
        for (start, label), end in zip(levels, [*ends, high], strict=True)
    ]


def _points(total: Sum, questions: Mapping[str, Answers]) -> dict[str, list[int]]:
    """Return the points of a sum by component, as whole numbers."""
    found: dict[str, list[int]] = {}
    for name, options in total.points.items():
        answers = questions[name]
        whole = [int(options.get(option, Fraction(0)) * total.scale) for option in answers.names]
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
        levels=tuple(
            Level(start=start, option=f"l{place}") for place, (start, _label) in enumerate(rule.levels)
        ),
    )
