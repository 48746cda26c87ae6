"""Conditions of an XLSForm that a part can have: read as clauses of answers."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from surveys.imports.drafts.questionnaire import SEVERAL, Question
from surveys.imports.formulas.syntax import (
    Unsayable,
    answer_name,
    call_of,
    joined,
    names_in,
    tree_of,
    truth,
    value_of,
)
from surveys.questionnaire.exclusive_wordings import means_none

Known = dict[str, tuple[Question, Mapping[str, str]]]
"""Earlier questions by their names in the form, with the option key of each value."""


@dataclass(frozen=True, kw_only=True)
class _Term:
    """The answers to a question that a condition on it alone needs.

    Parameters
    ----------
    answers : dict of str to list of str
        Options by key of the question, or of the lines of its list.
    are_together : bool
        Whether the answers of all lines are needed, rather than one of them.
    holds_if_empty : bool
        Whether the condition is true without an answer.
    """

    answers: dict[str, list[str]]
    are_together: bool = False
    holds_if_empty: bool = False


def usable_clauses(text: str, questions: Known) -> tuple[list[dict[str, list[str]]], bool, bool]:
    """Return the clauses of a condition that a part can have, and two facts about it.

    These are whether the clauses are all of it, and whether it holds if an answer is empty, as an inequality
    does in an XLSForm: a part here is asked only after one of the stated answers.

    A clause joins conditions on one question each by *or*. Each of them is tried with every answer. One on a
    question with several answers becomes one on the lines of its list. Any other clause is dropped, so that
    more people are asked.

    Examples
    --------
    >>> known = {"a": (Question(line=1, texts={}, key="a"), {"1": "yes", "2": "no"})}
    >>> usable_clauses("${a} < 2 and ${b} = 1", known)
    ([{'a': ['yes']}], False, False)
    >>> [usable_clauses(text, known)[1:] for text in ("${a} != '1'", "${a} = '2'", "not(${b} = '1')")]
    [(True, True), (True, False), (False, False)]
    """
    tree = tree_of(text)
    stated = [
        [_term(each, questions) for each in joined(clause, ast.Or)]
        for clause in (joined(tree, ast.And) if tree else ())
    ]
    clauses = [options for terms in stated for options in _options(terms)]
    usable = [options for options in clauses if options]
    if len(clauses) > 1:
        usable = [options for options in usable if len(options) == 1]
    holds_if_empty = any(
        all(_options(terms)) and any(term is not None and term.holds_if_empty for term in terms)
        for terms in stated
    )
    return usable, bool(clauses) and len(usable) == len(clauses), holds_if_empty


def holds_always(text: str) -> bool:
    """Return whether a condition is true for everyone, because it uses no answer.

    Examples
    --------
    >>> [holds_always(text) for text in ("true()", "1 = 1", "0", "${a} = 1", "")]
    [True, True, False, False, False]
    """
    return _constant(text) is True


def holds_never(text: str) -> bool:
    """Return whether a condition is true for no one, because it uses no answer.

    Examples
    --------
    >>> [holds_never(text) for text in ("FALSE ( )", "1 = 2", "true()", "today() > 1", "")]
    [True, True, False, False, False]
    """
    return _constant(text) is False


def _constant(text: str) -> bool | None:
    """Return the value of a condition that uses no answer; None for others."""
    tree = tree_of(text) if text.strip() else None
    if tree is None or names_in(tree):
        return None
    try:
        return truth(value_of(tree, {}))
    except Unsayable:
        return None


def _options(terms: Sequence[_Term | None]) -> list[dict[str, list[str]]]:
    """Return the options of a clause by key of the question, for each clause that it becomes.

    A clause that no part can have becomes an empty one.
    """
    options: dict[str, list[str]] = {}
    for term in terms:
        if term is None:
            return [{}]
        if term.are_together and len(term.answers) > 1:
            # Alternatives to several answers together are no clauses of a part.
            return [{key: each} for key, each in term.answers.items()] if len(terms) == 1 else [{}]
        for key, each in term.answers.items():
            options.setdefault(key, []).extend(each)
    return [options]


def _term(node: ast.expr, questions: Known) -> _Term | None:
    """Return the answers that a condition on one question needs; None for any other condition."""
    names = names_in(node)
    question, values = questions.get(min(names, default=""), (None, {}))
    if question is None or len(names) > 1:
        return None
    if question.kind == SEVERAL:
        return _ticked(node, question, values)
    (name,) = names
    try:
        chosen = [key for value, key in values.items() if truth(value_of(node, {name: value}))]
        holds_if_empty = truth(value_of(node, {name: ""}))
    except Unsayable:
        return None
    return _Term(answers={question.key: chosen}, holds_if_empty=holds_if_empty) if chosen else None


def _ticked(node: ast.expr, question: Question, values: Mapping[str, str]) -> _Term | None:
    """Return the lines of a list that a condition needs to be ticked, or not."""
    function, arguments = call_of(node)
    is_not = function == "not"
    match arguments[0] if is_not else node:
        case ast.Compare(
            left=left, ops=[ast.Eq() | ast.NotEq() as how], comparators=[ast.Constant(value=value)]
        ) if answer_name(left):
            is_not, is_whole = is_not != isinstance(how, ast.NotEq), True
        case ast.Call(
            func=ast.Name(id="selected_"), args=[ast.Subscript(), ast.Constant(value=value)], keywords=[]
        ):
            is_whole = False
        case _:
            return None
    option = values.get(value.decode() if isinstance(value, bytes) else str(value), "")
    if option in question.lines:
        lines = question.lines.values() if is_whole else [question.lines[option]]
        ticked = {question.lines[option]}
    elif any(each.key == option and means_none(each.texts) for each in question.options):
        lines, ticked = question.lines.values(), set()
    else:
        return None
    answers = {key: ["yes" if (key in ticked) != is_not else "no"] for key in lines}
    return _Term(answers=answers, are_together=not is_not, holds_if_empty=is_not) if answers else None


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
