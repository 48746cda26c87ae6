"""Formulas of forms as sums of points that a composite question can add up.

A formula is taken apart into a sum of points, one number per answer, and of *gates*, whose level gives
points: ``a or b`` is a gate that gives 1 from a sum of 1 on, ``a and b`` one from 2 on. Gates become steps of
the question's rule (`surveys.imports.formula_rules`). Whatever is no such sum is refused; nothing is
approximated.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, TypeAlias

from surveys.imports.formulas import (
    COMPARISONS,
    Unsayable,
    Value,
    answer_name,
    call_of,
    names_in,
    number,
    value_of,
)

_DEEPEST: Final = 40


class NoPoints(Unsayable):
    """A question whose answers are not numbers, in a place that needs numbers."""


@dataclass(frozen=True, kw_only=True)
class Answers:
    """The answers to a question of a form.

    Parameters
    ----------
    names : tuple of str
        Names of the options in the form, in their order; for yes or no, of *no* and of *yes*.
    components : tuple of str
        Key of the question; for a question with several answers, that of the line of each option, empty for
        an option without a line, such as *none of these*.
    is_several : bool
    """

    names: tuple[str, ...]
    components: tuple[str, ...]
    is_several: bool = False


@dataclass(frozen=True, kw_only=True)
class Gate:
    """A sum whose level gives points: those of the last level whose start is at most the sum."""

    total: Sum
    levels: tuple[tuple[Fraction | None, Fraction], ...]


@dataclass(frozen=True, kw_only=True)
class Sum:
    """A sum of points of answers and of gates.

    Parameters
    ----------
    constant : Fraction
        Its value without any answer.
    points : mapping
        By name of a question and of an option, what this answer adds.
    gates : tuple of (Fraction, Gate)
        Gates with their factors.
    required : frozenset of str
        Names of the questions without whose answer it has no value.
    is_mean : bool
        Whether it is the mean of its answered questions, each with the points of that share.
    """

    constant: Fraction = Fraction(0)
    points: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)
    gates: tuple[tuple[Fraction, Gate], ...] = ()
    required: frozenset[str] = frozenset()
    is_mean: bool = False

    def __add__(self, other: Sum) -> Sum:
        if self.is_mean or other.is_mean:
            raise Unsayable("a mean in a sum")
        points = {
            name: {
                option: self.points.get(name, {}).get(option, Fraction(0))
                + other.points.get(name, {}).get(option, Fraction(0))
                for option in {**self.points.get(name, {}), **other.points.get(name, {})}
            }
            for name in {**self.points, **other.points}
        }
        return Sum(
            constant=self.constant + other.constant,
            points=points,
            gates=self.gates + other.gates,
            required=self.required | other.required,
        )

    def times(self, factor: Fraction) -> Sum:
        """Return the multiple of a sum."""
        return Sum(
            constant=self.constant * factor,
            points={
                name: {option: own * factor for option, own in options.items()}
                for name, options in self.points.items()
            },
            gates=tuple((own * factor, gate) for own, gate in self.gates),
            required=self.required,
            is_mean=self.is_mean,
        )

    @property
    def scale(self) -> int:
        """The least factor that makes all points whole; without the constant."""
        parts = [own for options in self.points.values() for own in options.values()]
        parts += [factor * points for factor, gate in self.gates for _start, points in gate.levels]
        return math.lcm(*(each.denominator for each in parts))

    def start_of(self, bound: Fraction, *, is_strict: bool) -> Fraction:
        """Return the least value that it can have from a bound on; above it if `is_strict`."""
        steps = (bound - self.constant) * self.scale
        return self.constant + Fraction(math.floor(steps) + 1 if is_strict else math.ceil(steps), self.scale)


def sum_of(node: ast.expr, questions: Mapping[str, Answers], depth: int = 0) -> Sum:
    """Return a formula as a sum; a truth value counts 1 or 0.

    Parameters
    ----------
    node : ast.expr
    questions : mapping of str to Answers
        By the names that the formula uses.
    depth : int
        Nesting so far.

    Raises
    ------
    Unsayable
        It is no sum of points and gates.
    """
    if depth > _DEEPEST:
        raise Unsayable("nested too deeply")
    names = names_in(node)
    if not names:
        return Sum(constant=_plain_number(value_of(node, {})))
    for name in names:
        if name not in questions:
            raise NoPoints(name)
    if len(names) == 1 and not questions[min(names)].is_several:
        return _tabulated(node, min(names), questions)

    def inner(part: ast.expr) -> Sum:
        return sum_of(part, questions, depth + 1)

    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return inner(left) + inner(right)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return inner(left) + inner(right).times(Fraction(-1))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return inner(operand).times(Fraction(-1))
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div() as op, right=right):
            if isinstance(op, ast.Mult) and not names_in(left):
                left, right = right, left
            factor = _plain_number(value_of(right, {}))
            if isinstance(op, ast.Div) and not factor:
                raise Unsayable("division by zero")
            return inner(left).times(factor if isinstance(op, ast.Mult) else 1 / factor)
        case ast.BoolOp(op=op):
            parts = [truth_sum(each, inner) for each in _joined(node, type(op))]
            needed = Fraction(1 if isinstance(op, ast.Or) else len(parts))
            return _gate(sum(parts[1:], parts[0]), [(None, Fraction(0)), (needed, Fraction(1))])
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARISONS:
            if answer_name(left) and answer_name(right):
                raise Unsayable("two answers compared")
            return _compared(inner(left) + inner(right).times(Fraction(-1)), op)
        case ast.Call():
            return _called(node, questions, depth)
    if own := answer_name(node):
        raise NoPoints(own)
    raise Unsayable(ast.unparse(node))


def _plain_number(value: Value) -> Fraction:
    found = number(value)
    if found is None:
        raise Unsayable(str(value))
    return found


def _tabulated(node: ast.expr, name: str, questions: Mapping[str, Answers]) -> Sum:
    """Return a formula of one question with one answer, from its value for each answer and for a gap."""
    gap = number(value_of(node, {name: ""}))
    written = {option: value_of(node, {name: option}) for option in questions[name].names}
    values = {option: number(value) for option, value in written.items()}
    if None in values.values():
        if any(isinstance(value, str) and value != option for option, value in written.items()):
            raise Unsayable("a text instead of points")
        raise NoPoints(name)
    constant = gap or Fraction(0)
    return Sum(
        constant=constant,
        points={name: {option: (own or Fraction(0)) - constant for option, own in values.items()}},
        required=frozenset([name]) if gap is None else frozenset(),
    )


def _joined(node: ast.expr, op: type[ast.boolop]) -> list[ast.expr]:
    """Return the operands of nested *and* or *or*, in order."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, op):
        return [each for value in node.values for each in _joined(value, op)]
    return [node]


def truth_sum(node: ast.expr, inner: Any) -> Sum:
    """Return the sum of a condition: 1 if it holds."""
    if not is_condition(node):
        raise Unsayable("a number as a condition")
    found: Sum = inner(node)
    return found


def is_condition(node: ast.expr) -> bool:
    """Return whether the value of a formula is true or false."""
    functions = ("not", "selected", "boolean", "true", "false")
    return isinstance(node, ast.Compare | ast.BoolOp) or call_of(node)[0] in functions


def _gate(total: Sum, levels: Sequence[tuple[Fraction | None, Fraction]]) -> Sum:
    if total.is_mean:
        raise Unsayable("a mean inside a formula")
    return Sum(gates=((Fraction(1), Gate(total=total, levels=tuple(levels))),), required=total.required)


def _compared(difference: Sum, op: ast.cmpop) -> Sum:
    """Return 1 if the comparison of a sum with 0 holds, otherwise 0."""
    zero, one = Fraction(0), Fraction(1)
    least = difference.start_of(zero, is_strict=False)
    above = difference.start_of(zero, is_strict=True)
    match op:
        case ast.GtE():
            levels = [(None, zero), (least, one)]
        case ast.Gt():
            levels = [(None, zero), (above, one)]
        case ast.Lt():
            levels = [(None, one), (least, zero)]
        case ast.LtE():
            levels = [(None, one), (above, zero)]
        case _:
            inside, outside = (one, zero) if isinstance(op, ast.Eq) else (zero, one)
            levels = [(None, outside), (least, inside), (above, outside)]
            if least == above:
                levels = [(None, outside)]
    return _gate(difference, levels)


def _called(node: ast.expr, questions: Mapping[str, Answers], depth: int) -> Sum:
    """Return the sum that a function of several answers or questions computes."""
    function, arguments = call_of(node)

    def inner(part: ast.expr) -> Sum:
        return sum_of(part, questions, depth + 1)

    match function, arguments:
        case "selected", [asked, option] if (name := answer_name(asked)) and not names_in(option):
            chosen = value_of(option, {})
            return Sum(points={name: {_option_name(chosen, questions[name]): Fraction(1)}})
        case "count_selected", [asked] if name := answer_name(asked):
            return Sum(points={name: dict.fromkeys(questions[name].names, Fraction(1))})
        case "not", [condition]:
            return Sum(constant=Fraction(1)) + truth_sum(condition, inner).times(Fraction(-1))
        case "if", [condition, _yes, _no]:
            return _chosen(node, questions, depth)
        case "sum", [_first, *_others]:
            return _sum_without_gaps([inner(each) for each in arguments])
        case "mean", [_first, *_others]:
            return _mean([inner(each) for each in arguments])
        case (("number" | "once" | "string" | "boolean"), [only]):
            return truth_sum(only, inner) if function == "boolean" else inner(only)
        case (("int" | "round"), [only]):
            found = inner(only)
            if found.scale == 1 and found.constant.denominator == 1:
                return found
    raise Unsayable(ast.unparse(node))


def _option_name(value: Value, answers: Answers) -> str:
    name = str(value)
    if name not in answers.names:
        raise Unsayable(name)
    return name


def _sum_without_gaps(parts: Sequence[Sum]) -> Sum:
    """Return the sum of those parts that have a value."""
    if any(each.required and len(each.points) != 1 for each in parts):
        raise Unsayable("a sum in which several answers are left out together")
    found = [Sum(constant=each.constant, points=each.points, gates=each.gates) for each in parts]
    return sum(found[1:], found[0])


def _mean(parts: Sequence[Sum]) -> Sum:
    """Return the mean of questions whose answers are numbers."""
    if any(len(each.points) != 1 or each.gates or not each.required for each in parts):
        raise Unsayable("a mean of something else than answers")
    total = sum(parts[1:], parts[0])
    if len(total.points) != len(parts):
        raise Unsayable("a mean that counts an answer twice")
    return Sum(points=total.times(Fraction(1, len(parts))).points, is_mean=True)


def _chosen(node: ast.expr, questions: Mapping[str, Answers], depth: int) -> Sum:
    """Return the sum of an ``if`` between numbers."""
    found = levels_of(node)
    if found is not None:
        subject, cuts, labels = found
        total = sum_of(subject, questions, depth + 1)
        starts = [total.start_of(bound, is_strict=is_strict) for bound, is_strict in cuts]
        points = [_plain_number(label) for label in labels]
        if starts == sorted(set(starts)):
            return _gate(total, [*zip([None, *starts], points, strict=True)])
    condition, yes, no = call_of(node)[1]
    high, low = (_plain_number(value_of(each, {})) for each in (yes, no))

    def inner(part: ast.expr) -> Sum:
        return sum_of(part, questions, depth + 1)

    return Sum(constant=low) + truth_sum(condition, inner).times(high - low)


Cut: TypeAlias = tuple[Fraction, bool]
"""A number, and whether the level above begins above it instead of at it."""


def levels_of(node: ast.expr) -> tuple[ast.expr, list[Cut], list[Value]] | None:
    """Return what nested ``if`` compare with numbers, the cuts in ascending order, and each level's value.

    None for anything else: other conditions, or different formulas in them.

    Examples
    --------
    >>> from surveys.imports.formulas import tree_of
    >>> subject, cuts, labels = levels_of(tree_of("if(${t} >= 10, 'high', if(${t} > 4, 'middle', 'low'))"))
    >>> ast.unparse(subject), labels, [(int(bound), is_strict) for bound, is_strict in cuts]
    ("_['t']", ['low', 'middle', 'high'], [(4, True), (10, False)])
    """
    function, arguments = call_of(node)
    if function != "if" or len(arguments) != 3:
        return None
    condition, *branches = arguments
    match condition:
        case ast.Compare(
            left=subject,
            ops=[ast.GtE() | ast.Gt() | ast.Lt() | ast.LtE() as op],
            comparators=[ast.Constant() as bound],
        ):
            start = number(value_of(bound, {}))
        case _:
            return None
    if start is None or not names_in(subject):
        return None
    sides: list[tuple[list[Cut], list[Value]]] = []
    for branch in branches:
        if not names_in(branch):
            sides.append(([], [value_of(branch, {})]))
            continue
        nested = levels_of(branch)
        if nested is None or ast.dump(nested[0]) != ast.dump(subject):
            return None
        sides.append((nested[1], nested[2]))
    above, below = sides if isinstance(op, ast.GtE | ast.Gt) else sides[::-1]
    cuts = [*below[0], (start, isinstance(op, ast.Gt | ast.LtE)), *above[0]]
    return (subject, cuts, [*below[1], *above[1]]) if cuts == sorted(set(cuts)) else None
