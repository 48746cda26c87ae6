"""Conditions of an XLSForm that a part can have: read as clauses of answers."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from surveys.imports.formulas import answer_name, call_of, tree_of
from surveys.imports.questionnaire import SEVERAL, Question
from surveys.questionnaire.exclusive_wordings import means_none

Known = dict[str, tuple[Question, Mapping[str, str]]]
"""Earlier questions by their names in the form, with the option key of each value."""
Term = tuple[str, bool, str, bool]
"""Name of a question, whether its answer must differ, a value, and whether the value is the whole answer."""


def usable_clauses(text: str, questions: Known) -> tuple[list[dict[str, list[str]]], bool, bool]:
    """Return the clauses of a condition that a part can have, and two facts about it.

    These are whether the clauses are all of it, and whether it holds if an answer is empty, as an inequality
    does in an XLSForm: a part here is asked only after one of the stated answers.

    Supported are equality, inequality (as all other options), ``selected`` and negation, joined by *and* and
    *or*. A condition on a question with several answers becomes one on the lines of its list. An unsupported
    clause is dropped, so that more people are asked.

    Examples
    --------
    >>> known = {"a": (Question(line=1, texts={}, key="a"), {"1": "yes", "2": "no"})}
    >>> [usable_clauses(text, known)[1:] for text in ("${a} != '1'", "${a} = '2'", "not(${b} = '1')")]
    [(True, True), (True, False), (False, False)]
    """
    stated = [(clause, _options(clause, questions)) for clause in clauses_of(text)]
    holds_if_empty = any(
        all(options) and any(term is not None and term[1] for term in clause) for clause, options in stated
    )
    clauses = [each for _clause, options in stated for each in options]
    usable = [options for options in clauses if options]
    if len(clauses) > 1:
        usable = [options for options in usable if len(options) == 1]
    return usable, bool(clauses) and len(usable) == len(clauses), holds_if_empty


def clauses_of(text: str) -> list[list[Term | None]]:
    """Parse a condition into clauses that must all hold; each is a list of terms, any of which suffices.

    A term is None unless it compares an answer with a value. There are no clauses if the text is malformed or
    has an *and* inside an *or*.

    Examples
    --------
    >>> clauses_of("not(${a} = 1 or selected(${b}, 'x')) and (${c} > 3 or ${d} = 'and')")
    [[('a', True, '1', True)], [('b', True, 'x', False)], [None, ('d', False, 'and', True)]]
    """
    tree = tree_of(text)
    return [] if tree is None else _clauses(tree, is_not=False) or []


def _clauses(node: ast.expr, *, is_not: bool) -> list[list[Term | None]] | None:
    match node:
        case ast.BoolOp(op=op, values=values):
            parts = [_clauses(value, is_not=is_not) for value in values]
            if isinstance(op, ast.And) != is_not:
                return None if None in parts else [clause for part in parts for clause in part or ()]
            if any(part is None or len(part) != 1 for part in parts):
                return None
            return [[term for part in parts for clause in part or () for term in clause]]
        case ast.Compare(
            left=left,
            ops=[ast.Eq() | ast.NotEq() as how],
            comparators=[ast.Constant(value=str() | bytes() as value)],
        ) if name := answer_name(left):
            return [[(name, isinstance(how, ast.NotEq) != is_not, _written(value), True)]]
        case ast.Call():
            match call_of(node):
                case "not", [operand]:
                    return _clauses(operand, is_not=not is_not)
                case "selected", [asked, ast.Constant(value=str() | bytes() as value)] if name := answer_name(
                    asked
                ):
                    return [[(name, is_not, _written(value), False)]]
    return [[None]]


def _written(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value


def _options(clause: Sequence[Term | None], questions: Known) -> list[dict[str, list[str]]]:
    """Return the options of a clause by key of the question, for each clause that it becomes.

    A clause that no part can have becomes an empty one.
    """
    options: dict[str, list[str]] = {}
    for term in clause:
        joined, answers = ("any", {}) if term is None else _answers(term, questions)
        if not all(answers.values()) or not answers:
            return [{}]
        if joined == "all" and len(answers) > 1:
            # Alternatives to several answers together are no clauses of a part.
            return [{key: each} for key, each in answers.items()] if len(clause) == 1 else [{}]
        for key, each in answers.items():
            options.setdefault(key, []).extend(each)
    return [options]


def _answers(term: Term, questions: Known) -> tuple[str, dict[str, list[str]]]:
    """Return the answers that a term asks for, by key of the question, and whether any or all are needed."""
    name, is_not, value, is_whole = term
    question, values = questions.get(name, (None, {}))
    if question is None:
        return "any", {}
    if question.kind != SEVERAL:
        return "any", {question.key: [key for each, key in values.items() if (each == value) != is_not]}
    option = values.get(value, "")
    if option in question.lines:
        lines = question.lines.values() if is_whole else [question.lines[option]]
        ticked = {question.lines[option]}
    elif any(each.key == option and means_none(each.texts) for each in question.options):
        lines, ticked = question.lines.values(), set()
    else:
        return "any", {}
    return "any" if is_not else "all", {key: ["yes" if (key in ticked) != is_not else "no"] for key in lines}


def asked_if_of(clauses: Sequence[Mapping[str, Sequence[str]]]) -> dict[str, Any] | None:
    """Return the condition of a block as in a definition; None if no block can have it.

    Parameters
    ----------
    clauses : sequence of mapping
        Clauses that must all hold. Each maps keys of questions to options, any of which suffices.

    Examples
    --------
    >>> asked_if_of([{"age": ["30", "40"]}, {"age": ["40", "50"]}])
    {'question': 'age', 'options': ['40']}
    >>> asked_if_of([{"leads": ["yes"], "age": ["40"]}, {"age": ["40"]}]) is None
    True
    """
    if len(clauses) == 1:
        operator, answers = "any", dict(clauses[0])
    else:
        operator, answers = "all", {}
        for clause in clauses:
            if len(clause) != 1:
                return None
            ((key, options),) = clause.items()
            answers[key] = [option for option in answers.get(key, options) if option in options]
    terms = [{"question": key, "options": list(dict.fromkeys(options))} for key, options in answers.items()]
    if not terms or not all(term["options"] for term in terms):
        return None
    return terms[0] if len(terms) == 1 else {operator: terms}


def terms_of(condition: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """Return the terms of a condition of `asked_if_of`: each names a question and its options.

    Examples
    --------
    >>> terms_of(asked_if_of([{"age": ["40"]}])), terms_of(None)
    ([{'question': 'age', 'options': ['40']}], [])
    """
    if not condition:
        return []
    return list(condition.get("all") or condition.get("any") or [condition])
