"""Conditions joined by *and* and *or*, as forms of other programs write them, and as a part follows them.

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
"""Of a condition that is looked at; one with more is no list of a few answers. Python parses 200."""

_TOKENS: Final = re.compile(
    r"""(?P<literal>'[^']*'|"[^"]*"|\{[^{}]*\})|(?P<open>\()|(?P<close>\))"""
    r"""|(?P<and>&&|(?<![^\s()])and(?![^\s()]))|(?P<or>\|\||(?<![^\s()])or(?![^\s()]))""",
    re.IGNORECASE,
)
_WORDS: Final = {"open": "(", "close": ")", "and": "and", "or": "or"}


_REFERENCE: Final = r"\$\{\s?([^{}\s]{1,100})\s?\}"
_VALUE: Final = r"""(?:'([^']{0,200})'|"([^"]{0,200})"|(-?\d{1,9}))"""
_COMPARES: Final = re.compile(rf"{_REFERENCE}\s?(!=|=)\s?{_VALUE}")
_SELECTED: Final = re.compile(
    rf"(not\s?\(\s?)?selected\s?\(\s?{_REFERENCE}\s?,\s?{_VALUE}\s?\)", re.IGNORECASE
)
_NOT_COMPARES: Final = re.compile(rf"not\s?\(\s?{_REFERENCE}\s?=\s?{_VALUE}\s?\)", re.IGNORECASE)


class Known:
    """Questions before a condition, by their names in the form, with the option keys of their values."""

    def __init__(self) -> None:
        self._questions: dict[str, tuple[Question, dict[str, str]]] = {}

    def add(self, name: str, question: Question, values: Mapping[str, str]) -> None:
        """Add a question; `values` are keys of its options by their names in the form."""
        self._questions[name] = question, dict(values)

    def options(self, clause: Sequence[str]) -> dict[str, list[str]]:
        """Return the options of a clause by key of the question; nothing where no part can wait for them."""
        options: dict[str, list[str]] = {}
        for term in clause:
            match = _COMPARES.fullmatch(term)
            question, values = self._questions.get(match[1], (None, {})) if match else (None, {})
            if match is None or question is None or not values or question.is_protected:
                return {}
            value = next(each for each in (match[3], match[4], match[5]) if each is not None)
            if match[2] == "=":
                named = [values[value]] if value in values else []
            else:
                named = [key for name, key in values.items() if name != value]
            options.setdefault(question.key, []).extend(named)
        return options if all(options.values()) else {}


def followed(text: str, known: Known) -> tuple[list[dict[str, list[str]]], bool]:
    """Return the clauses of a condition that a part can wait for, and whether these are all of it.

    Equality, inequality as the other options, ``selected`` and its negation are followed, joined by *and* and
    *or*; a clause that cannot be followed is left out, so that more people are asked.
    """
    text = " ".join(text.split())
    text = _NOT_COMPARES.sub(lambda match: _comparing(match[1], "!=", match.groups()[1:]), text)
    text = _SELECTED.sub(_selected, text)
    clauses = clauses_of(text)
    if clauses is None:
        return [], False
    read = [known.options(clause) for clause in clauses]
    kept = [options for options in read if options]
    if len(clauses) > 1:
        kept = [options for options in kept if len(options) == 1]
    return kept, len(kept) == len(clauses)


def _selected(match: re.Match[str]) -> str:
    if match[1] is None:
        return _comparing(match[2], "=", match.groups()[2:])
    # The bracket that closes the negation stays, so one is opened.
    return "(" + _comparing(match[2], "!=", match.groups()[2:])


def _comparing(name: str, how: str, values: Sequence[str | None]) -> str:
    value = next(each for each in values if each is not None)
    quote = "'" if "'" not in value else '"'
    return f"${{{name}}} {how} {quote}{value}{quote}"


def clauses_of(text: str) -> list[list[str]] | None:
    """Return a condition as clauses that all have to hold, each a list of terms of which any suffices.

    Parameters
    ----------
    text : str
        Terms, ``and``, ``or``, ``&&``, ``||`` and brackets. Words inside quotes or braces join nothing.

    Returns
    -------
    list of list of str or None
        None where the brackets do not match, a term is missing, or an *and* is inside an *or*.

    Examples
    --------
    >>> clauses_of("(a = 1 or a = 2) and b = 'x or y'")
    [['a = 1', 'a = 2'], ["b = 'x or y'"]]
    >>> clauses_of("a = 1 or b = 2 and c = 3") is None
    True
    """
    if text.count("(") > MOST_BRACKETS:
        return None
    tokens = _tokens(text)
    terms = [token for kind, token in tokens if kind == "term"]
    # To Python each term is a name: Python's parser groups the operators and brackets.
    names = iter(f"term{number}" for number in range(len(terms)))
    words = [next(names) if kind == "term" else _WORDS[kind] for kind, _token in tokens]
    try:
        tree = ast.parse(" ".join(words), mode="eval").body
    except SyntaxError:
        return None
    return _clauses(tree, terms)


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


def _tokens(text: str) -> list[tuple[str, str]]:
    """Return brackets, joints and terms, in their order."""
    tokens: list[tuple[str, str]] = []
    term, at = "", 0
    for match in _TOKENS.finditer(text):
        term += text[at : match.start()]
        at = match.end()
        if match.lastgroup == "literal":
            term += match[0]
            continue
        tokens += [("term", term.strip())] if term.strip() else []
        tokens.append((str(match.lastgroup), match[0]))
        term = ""
    term += text[at:]
    return tokens + ([("term", term.strip())] if term.strip() else [])


def _clauses(tree: ast.expr, terms: Sequence[str]) -> list[list[str]] | None:
    """Return the clauses of a parsed condition whose names represent the terms."""
    if isinstance(tree, ast.Name):
        return [[terms[int(tree.id.removeprefix("term"))]]]
    if not isinstance(tree, ast.BoolOp):
        # A term before a bracket is a call to Python, and nothing here.
        return None
    clauses: list[list[str]] = []
    for part in (_clauses(value, terms) for value in tree.values):
        if part is None or (isinstance(tree.op, ast.Or) and len(part) != 1):
            return None
        clauses += part
    return clauses if isinstance(tree.op, ast.And) else [[term for clause in clauses for term in clause]]
