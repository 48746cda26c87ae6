"""Formulas of forms: their syntax tree, and their value for given answers, as in XPath and REDCap."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, TypeAlias

MOST_BRACKETS: Final = 100
"""Most brackets and negations in a formula; Python's parser allows 200."""
_LONGEST: Final = 10_000

Value: TypeAlias = "Fraction | bool | str | None"
"""A number, a truth value, a text, or None for no number (NaN)."""

_SIGNS: Final = re.compile(
    r"""(?P<quoted>'[^']*'|"[^"]*")|\$\{\s?(?P<name>[^{}\s]{1,100})\s?\}"""
    r"""|(?P<number>(?<![\w.])[0-9]{1,9}(?:\.[0-9]{1,9})?(?![\w.]))|&&|\|\||<>|(?<![<>!=])=|\b(?:and|or|div|mod)\b"""
    r"""|\b(?P<function>[a-z]{1,30}(?:-[a-z]{1,30}){0,5})(?=\s?\()""",
    re.IGNORECASE,
)
_IN_PYTHON: Final = {"&&": " and ", "||": " or ", "=": "==", "<>": "!=", "div": "/", "mod": "%"}


class Unsayable(ValueError):
    """A formula that has no value here, or that no composite question can compute."""


def tree_of(text: str) -> ast.expr | None:
    """Return the syntax tree of a formula; None if it is malformed or too deep.

    Python's parser reads it; nothing is executed. An answer is ``_['name']``, a text a string, a number bytes
    (as written), and the functions ``not``, ``if`` and ``count-selected`` are calls of ``not_``, ``if_`` and
    ``count_selected_``.

    Examples
    --------
    >>> ast.unparse(tree_of("not(${a} = 1) or count-selected(${b}) > 2"))
    "not_(_['a'] == b'1') or count_selected_(_['b']) > b'2'"
    >>> tree_of("${a} +") is None
    True
    """
    if len(text) > _LONGEST or text.count("(") + text.lower().count("not") > MOST_BRACKETS:
        return None
    try:
        return ast.parse(_SIGNS.sub(_in_python, " ".join(text.split())), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _in_python(match: re.Match[str]) -> str:
    if match["name"]:
        return f"_[{match['name']!r}]"
    if match["quoted"]:
        return repr(match["quoted"][1:-1])
    if match["number"]:
        return repr(match["number"].encode())
    if match["function"]:
        return match["function"].lower().replace("-", "_") + "_"
    return _IN_PYTHON.get(match[0].lower(), match[0].lower())


def names_in(node: ast.AST) -> set[str]:
    """Return the names of the questions and calculations that a formula uses."""
    return {name for each in ast.walk(node) if (name := answer_name(each)) is not None}


def answer_name(node: ast.AST) -> str | None:
    """Return the name of the question whose answer a node is; None for other nodes."""
    match node:
        case ast.Subscript(value=ast.Name(id="_"), slice=ast.Constant(value=str(name))):
            return name
    return None


def call_of(node: ast.AST) -> tuple[str, list[ast.expr]]:
    """Return the name of the function that a node calls, and its arguments; empty for other nodes."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            return name.rstrip("_"), arguments
    return "", []


def joined(node: ast.expr, op: type[ast.boolop], *, is_not: bool = False) -> list[ast.expr]:
    """Return the conditions that *and* or *or* joins, in order; a negation swaps the two.

    Examples
    --------
    >>> tree = tree_of("not(${a} = 1 or not(${b} = 2)) and ${c} = 3")
    >>> [(call_of(each)[0], *names_in(each)) for each in joined(tree, ast.And)]
    [('not', 'a'), ('', 'b'), ('', 'c')]
    """
    if isinstance(node, ast.BoolOp) and (type(node.op) is op) != is_not:
        return [each for value in node.values for each in joined(value, op, is_not=is_not)]
    match call_of(node):
        case "not", [inner]:
            return joined(inner, op, is_not=not is_not)
    return [ast.Call(func=ast.Name(id="not_"), args=[node], keywords=[]) if is_not else node]


def value_of(node: ast.expr, answers: Mapping[str, str]) -> Value:
    """Return the value of a formula.

    Parameters
    ----------
    node : ast.expr
        As `tree_of` returns it.
    answers : mapping of str to str
        By name; empty for a question without an answer, and options separated by blanks for several answers.

    Raises
    ------
    Unsayable
        It uses another name, or an unsupported operator or function.

    Examples
    --------
    >>> tree = tree_of("if(${a} + coalesce(${b}, 0) >= 3, 'high', 'low')")
    >>> value_of(tree, {"a": "2", "b": "1"}), value_of(tree, {"a": "3", "b": ""})
    ('high', 'high')
    >>> value_of(tree_of("${a} + 1"), {"a": ""}) is None
    True
    """
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Constant(value=bytes(digits)):
            return Fraction(digits.decode())
        case ast.Subscript() if answer_name(node) in answers:
            return answers[str(answer_name(node))]
        case ast.BoolOp(op=op, values=values):
            join = all if isinstance(op, ast.And) else any
            return join(truth(value_of(each, answers)) for each in values)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            own = number(value_of(operand, answers))
            return None if own is None else -own
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            one, other = (number(value_of(each, answers)) for each in (left, right))
            if one is None or other is None or (isinstance(op, ast.Div) and not other):
                return None
            return _ARITHMETIC[type(op)](one, other)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARISONS:
            return _compared(value_of(left, answers), op, value_of(right, answers))
        case ast.Call():
            function, arguments = call_of(node)
            if function in _FUNCTIONS:
                least, most, compute = _FUNCTIONS[function]
                if least <= len(arguments) <= most:
                    return compute([value_of(each, answers) for each in arguments])
    raise Unsayable(ast.unparse(node))


def number(value: Value) -> Fraction | None:
    """Return a value as a number; None if it is none."""
    if isinstance(value, str):
        return Fraction(value.strip()) if re.fullmatch(r"\s*-?\d{1,12}(\.\d{1,12})?\s*", value) else None
    return None if value is None else Fraction(value)


def truth(value: Value) -> bool:
    """Return whether a value is true: a number except 0, or a text that is not empty."""
    return bool(value)


def _compared(one: Value, op: ast.cmpop, other: Value) -> bool:
    is_equality = isinstance(op, ast.Eq | ast.NotEq)
    if is_equality and isinstance(one, str) and isinstance(other, str):
        return bool(COMPARISONS[type(op)](one, other))
    left, right = number(one), number(other)
    if left is None or right is None:
        return isinstance(op, ast.NotEq)
    return bool(COMPARISONS[type(op)](left, right))


COMPARISONS: Final[Mapping[type, Callable[[Any, Any], Any]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_ARITHMETIC: Final[Mapping[type, Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def _present(values: Sequence[Value]) -> list[Fraction]:
    return [found for each in values if (found := number(each)) is not None]


def _mean(values: Sequence[Value]) -> Value:
    found = _present(values)
    return sum(found, Fraction(0)) / len(found) if found else None


def _rounded(value: Value) -> Value:
    own = number(value)
    return None if own is None else Fraction((own + Fraction(1, 2)).__floor__())


def _whole(value: Value) -> Value:
    own = number(value)
    return None if own is None else Fraction(int(own))


_MANY: Final = 1_000
_FUNCTIONS: Final[Mapping[str, tuple[int, int, Callable[[Sequence[Value]], Value]]]] = {
    "selected": (2, 2, lambda own: str(own[1]) in str(own[0]).split()),
    "count_selected": (1, 1, lambda own: Fraction(len(str(own[0]).split()))),
    "coalesce": (2, 2, lambda own: own[1] if own[0] == "" else own[0]),
    "if": (3, 3, lambda own: own[1] if truth(own[0]) else own[2]),
    "not": (1, 1, lambda own: not truth(own[0])),
    "boolean": (1, 1, lambda own: truth(own[0])),
    "true": (0, 0, lambda _own: True),
    "false": (0, 0, lambda _own: False),
    # As in REDCap, a gap counts neither in a sum nor in a mean.
    "sum": (1, _MANY, lambda own: sum(_present(own), Fraction(0))),
    "mean": (1, _MANY, _mean),
    "int": (1, 1, lambda own: _whole(own[0])),
    "round": (1, 1, lambda own: _rounded(own[0])),
    "number": (1, 1, lambda own: number(own[0])),
    "once": (1, 1, lambda own: own[0]),
    "string": (1, 1, lambda own: own[0]),
}
"""Functions with their least and largest numbers of arguments."""
