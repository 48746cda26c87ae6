"""Formulas of forms as sums of points that a composite question can add up.

Each answer adds one number. Any other formula is refused; nothing is approximated.
`surveys.imports.formulas.formula_rules` reads the levels of a sum.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from surveys.imports.formulas.syntax import Unsayable, Value, answer_name, call_of, names_in, number, value_of


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
class Sum:
    """A sum of points of answers.

    Parameters
    ----------
    constant : Fraction
        Its value without any answer.
    points : mapping
        By name of a question and of an option, what this answer adds.
    required : frozenset of str
        Names of the questions without whose answer it has no value.
    is_mean : bool
        Whether it is the mean of its answered questions, each with the points of that share.
    """

    constant: Fraction = Fraction(0)
    points: Mapping[str, Mapping[str, Fraction]] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    is_mean: bool = False

    def __add__(self, other: Sum) -> Sum:
        if (self.is_mean and other.points) or (other.is_mean and self.points):
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
            required=self.required | other.required,
            is_mean=self.is_mean or other.is_mean,
        )

    def times(self, factor: Fraction) -> Sum:
        """Return the multiple of a sum."""
        points = {
            name: {option: own * factor for option, own in options.items()}
            for name, options in self.points.items()
        }
        return replace(self, constant=self.constant * factor, points=points)

    @property
    def scale(self) -> int:
        """The least factor that makes all points whole; without the constant."""
        return math.lcm(*(own.denominator for options in self.points.values() for own in options.values()))

    def start_of(self, bound: Fraction, *, is_strict: bool) -> Fraction:
        """Return the least value that it can have from a bound on; above it if `is_strict`."""
        steps = (bound - self.constant) * self.scale
        return self.constant + Fraction(math.floor(steps) + 1 if is_strict else math.ceil(steps), self.scale)


def sum_of(node: ast.expr, questions: Mapping[str, Answers]) -> Sum:
    """Return a formula as a sum; a truth value counts 1 or 0.

    Parameters
    ----------
    node : ast.expr
    questions : mapping of str to Answers
        By the names that the formula uses.

    Raises
    ------
    Unsayable
        It is not a sum of points.
    """
    names = names_in(node)
    if not names:
        return Sum(constant=_plain_number(value_of(node, {})))
    for name in names:
        if name not in questions:
            raise NoPoints(name)
    if is_of_one(node, questions):
        return _tabulated(node, min(names), questions)
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return sum_of(left, questions) + sum_of(right, questions)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return sum_of(left, questions) + sum_of(right, questions).times(Fraction(-1))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return sum_of(operand, questions).times(Fraction(-1))
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div() as op, right=right):
            if isinstance(op, ast.Mult) and not names_in(left):
                left, right = right, left
            factor = _plain_number(value_of(right, {}))
            if isinstance(op, ast.Div) and not factor:
                raise Unsayable("division by zero")
            return sum_of(left, questions).times(factor if isinstance(op, ast.Mult) else 1 / factor)
        case ast.Call():
            return _called(node, questions)
    if own := answer_name(node):
        raise NoPoints(own)
    raise Unsayable(ast.unparse(node))


def is_of_one(node: ast.expr, questions: Mapping[str, Answers]) -> bool:
    """Return whether a formula uses one question only, with one answer."""
    names = names_in(node)
    return len(names) == 1 and not any(questions[name].is_several for name in names if name in questions)


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


def is_condition(node: ast.expr) -> bool:
    """Return whether the value of a formula is true or false."""
    functions = ("not", "selected", "boolean", "true", "false")
    return isinstance(node, ast.Compare | ast.BoolOp) or call_of(node)[0] in functions


def _called(node: ast.expr, questions: Mapping[str, Answers]) -> Sum:
    """Return the sum that a function of several answers or questions computes."""
    function, arguments = call_of(node)
    match function, arguments:
        case "selected", [asked, option] if (name := answer_name(asked)) and not names_in(option):
            chosen = value_of(option, {})
            return Sum(points={name: {_option_name(chosen, questions[name]): Fraction(1)}})
        case "count_selected", [asked] if name := answer_name(asked):
            return Sum(points={name: dict.fromkeys(questions[name].names, Fraction(1))})
        case "not", [condition] if is_condition(condition):
            return Sum(constant=Fraction(1)) + sum_of(condition, questions).times(Fraction(-1))
        case "sum", [_first, *_others]:
            return _sum_without_gaps([sum_of(each, questions) for each in arguments])
        case "mean", [_first, *_others]:
            return _mean([sum_of(each, questions) for each in arguments])
        case (("number" | "once" | "string"), [only]):
            return sum_of(only, questions)
        case (("int" | "round"), [only]):
            found = sum_of(only, questions)
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
    return replace(sum(parts[1:], parts[0]), required=frozenset())


def _mean(parts: Sequence[Sum]) -> Sum:
    """Return the mean of questions whose answers are numbers."""
    if any(len(each.points) != 1 or not each.required for each in parts):
        raise Unsayable("a mean of something else than answers")
    total = sum(parts[1:], parts[0])
    if len(total.points) != len(parts):
        raise Unsayable("a mean that counts an answer twice")
    return Sum(points=total.times(Fraction(1, len(parts))).points, is_mean=True)
