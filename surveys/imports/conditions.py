"""Conditions of XLSForms, and conditions that a part can wait for.

A part waits for answers to several questions that are joined by *and* alone, or by *or* alone; the answers to
each of these questions are joined by *or*.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from surveys.imports.questionnaire import Question

MOST_BRACKETS: Final = 100
"""Of a condition that is read, negations included; Python parses 200."""
_LONGEST: Final = 10_000
_SIGNS: Final = re.compile(
    r"""(?P<quoted>'[^']*'|"[^"]*")|\$\{\s?(?P<name>[^{}\s]{1,100})\s?\}|(?P<number>(?<![\w.])[0-9]{1,9}(?![\w.]))"""
    r"""|&&|\|\||(?<![<>!=])=|\b(?:and|or|not|selected)\b""",
    re.IGNORECASE,
)
_IN_PYTHON: Final = {"&&": " and ", "||": " or ", "=": "=="}

Known = dict[str, tuple[Question, Mapping[str, str]]]
"""Questions before a condition by their names in the form, with the option keys of their values."""
Term = tuple[str, bool, str]
"""Name of a question, whether its answer must differ, and a value."""


def followed(text: str, known: Known) -> tuple[list[dict[str, list[str]]], bool]:
    """Return the clauses of a condition that a part can wait for, and whether these are all of it.

    Equality, inequality as the other options, ``selected`` and negations are followed, joined by *and* and
    *or*; a clause that cannot be followed is left out, so that more people are asked.
    """
    clauses = clauses_of(text)
    kept = [options for options in (_options(clause, known) for clause in clauses) if options]
    if len(clauses) > 1:
        kept = [options for options in kept if len(options) == 1]
    return kept, bool(clauses) and len(kept) == len(clauses)


def clauses_of(text: str) -> list[list[Term | None]]:
    """Return a condition as clauses that all have to hold, each a list of terms of which any suffices.

    A term is None where it is not a comparison of an answer with a value. There are no clauses if the text is
    malformed or an *and* is inside an *or*.

    Examples
    --------
    >>> clauses_of("not(${a} = 1 or selected(${b}, 'x')) and (${c} > 3 or ${d} = 'and')")
    [[('a', True, '1')], [('b', True, 'x')], [None, ('d', False, 'and')]]
    """
    if len(text) > _LONGEST or text.count("(") + text.lower().count("not") > MOST_BRACKETS:
        return []
    try:
        # Written in Python, its signs and brackets are parsed by Python; nothing is run.
        tree = ast.parse(_SIGNS.sub(_in_python, " ".join(text.split())), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return _clauses(tree, is_not=False) or []


def _in_python(match: re.Match[str]) -> str:
    if match["name"]:
        return f"_[{match['name']!r}]"
    value = match["number"] or (match["quoted"] and match["quoted"][1:-1])
    return repr(value) if value is not None else _IN_PYTHON.get(match[0], match[0].lower())


def _clauses(node: ast.expr, *, is_not: bool) -> list[list[Term | None]] | None:
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _clauses(operand, is_not=not is_not)
        case ast.BoolOp(op=op, values=values):
            parts = [_clauses(value, is_not=is_not) for value in values]
            if isinstance(op, ast.And) != is_not:
                return None if None in parts else [clause for part in parts for clause in part or ()]
            if any(part is None or len(part) != 1 for part in parts):
                return None
            return [[term for part in parts for clause in part or () for term in clause]]
        case ast.Compare(
            left=ast.Subscript(slice=ast.Constant(value=str(name))),
            ops=[ast.Eq() | ast.NotEq() as how],
            comparators=[ast.Constant(value=str(value))],
        ):
            return [[(name, isinstance(how, ast.NotEq) != is_not, value)]]
        case ast.Call(
            func=ast.Name(id="selected"),
            args=[ast.Subscript(slice=ast.Constant(value=str(name))), ast.Constant(value=str(value))],
        ):
            return [[(name, is_not, value)]]
    return [[None]]


def _options(clause: Sequence[Term | None], known: Known) -> dict[str, list[str]]:
    """Return the options of a clause by key of the question; nothing where no part can wait for them."""
    options: dict[str, list[str]] = {}
    for term in clause:
        if term is None or term[0] not in known or known[term[0]][0].is_protected:
            return {}
        name, is_not, value = term
        question, values = known[name]
        options.setdefault(question.key, []).extend(
            key for each, key in values.items() if (each == value) != is_not
        )
    return options if all(options.values()) else {}


def asked_if_of(clauses: Sequence[Mapping[str, Sequence[str]]]) -> dict[str, Any] | None:
    """Return the condition of a block, in the form of a definition; None if no block can have it.

    Parameters
    ----------
    clauses : sequence of mapping
        They all have to hold; of each, options by the keys of questions, any of which suffices.

    Examples
    --------
    >>> asked_if_of([{"age": ["30", "40"]}, {"age": ["40", "50"]}])
    {'question': 'age', 'options': ['40']}
    >>> asked_if_of([{"leads": ["yes"], "age": ["40"]}, {"age": ["40"]}]) is None
    True
    """
    if len(clauses) == 1:
        joined, answers = "any", dict(clauses[0])
    else:
        joined, answers = "all", {}
        for clause in clauses:
            if len(clause) != 1:
                return None
            ((key, options),) = clause.items()
            answers[key] = [option for option in answers.get(key, options) if option in options]
    terms = [{"question": key, "options": list(dict.fromkeys(options))} for key, options in answers.items()]
    if not terms or not all(term["options"] for term in terms):
        return None
    return terms[0] if len(terms) == 1 else {joined: terms}
