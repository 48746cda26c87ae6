"""Expressions such as ``affair and not (unhappy or age=22)``: read, and turned into a set of patterns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np

from privacy.arrays import Flags
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns
from privacy.estimation.patterns import MOST_ITEMS
from privacy.survey.design import Design

__all__ = ["Expression", "parse"]

_TOKEN: Final = re.compile(r"\s*([()]|[A-Za-z0-9][A-Za-z0-9_.+=-]*)")
_WORDS: Final = ("and", "or", "not")
_LONGEST: Final = 2_000

Tree: TypeAlias = "int | tuple[Literal['not'], Tree] | tuple[Literal['and', 'or'], Tree, Tree]"


@dataclass(frozen=True, kw_only=True)
class Expression:
    """A statement about a row's items.

    Parameters
    ----------
    text : str
        As it was written.
    items : Columns
        The items in it, ascending.
    tree : nested tuples
        An item's number, ("not", a), ("and", a, b) or ("or", a, b).
    """

    text: str
    items: Columns
    tree: Tree

    def holds(self) -> Flags:
        """Return for each of the 2^m patterns of the items whether the statement is true, shape (2,) * m.

        Examples
        --------
        >>> Expression(text="a and not b", items=(0, 1), tree=("and", 0, ("not", 1))).holds().tolist()
        [[False, False], [True, False]]
        """
        grid = np.indices((2,) * len(self.items)).astype(bool)
        return _value(self.tree, dict(zip(self.items, grid, strict=True)))


def _value(tree: Tree, having: Mapping[int, Flags]) -> Flags:
    if isinstance(tree, int):
        return having[tree]
    if tree[0] == "not":
        return ~_value(tree[1], having)
    first, second = _value(tree[1], having), _value(tree[2], having)
    return first & second if tree[0] == "and" else first | second


def parse(text: str, design: Design) -> Expression:
    """Read an expression of items with ``and``, ``or``, ``not`` and brackets.

    Parameters
    ----------
    text : str
        Items by their keys; "not" binds closest, then "and", then "or". The three may be written in capitals
        where no item is called so.
    design : Design

    Raises
    ------
    PrivacyError
        ``expression`` (syntax, with the place), ``unknown_item``, ``itemset`` (more than 12 items).

    Examples
    --------
    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="b", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...           questions=tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,))
    ...                           for key in "abc")),))
    >>> parse("c or a and not b", design).tree
    ('or', 2, ('and', 0, ('not', 1)))
    >>> parse("a and", design)
    Traceback (most recent call last):
        ...
    privacy.errors.PrivacyError: 'a and' ends where an item is wanted; \
write items, and, or, not and brackets
    """
    if len(text) > _LONGEST:
        raise PrivacyError("expression", len(text), longest=_LONGEST)
    reader = _Reader(text, {item.key: item.index for item in design.items})
    tree = reader.either()
    reader.end()
    items = tuple(sorted(reader.items))
    if len(items) > MOST_ITEMS:
        raise PrivacyError("itemset.expression", len(items), most=MOST_ITEMS)
    return Expression(text=text.strip(), items=items, tree=tree)


class _Reader:
    """Recursive descent over the words of an expression."""

    def __init__(self, text: str, known: Mapping[str, int]) -> None:
        self.text, self.known = text.strip(), known
        self.items: set[int] = set()
        self.at = 0
        self.depth = 0

    def peek(self) -> str:
        match = _TOKEN.match(self.text, self.at)
        if match:
            word = match[1]
            return word.lower() if word.lower() in _WORDS and word not in self.known else word
        rest = self.text[self.at :].strip()
        if rest:
            raise PrivacyError("expression.word", rest[0], place=self.position())
        return ""

    def position(self) -> int:
        """Number of the character that the next word begins with."""
        rest = self.text[self.at :]
        return self.at + len(rest) - len(rest.lstrip()) + 1

    def take(self) -> str:
        word = self.peek()
        match = _TOKEN.match(self.text, self.at)
        if match:
            self.at = match.end()
        return word

    def either(self) -> Tree:
        tree = self.both()
        while self.peek() == "or":
            self.take()
            tree = ("or", tree, self.both())
        return tree

    def both(self) -> Tree:
        tree = self.term()
        while self.peek() == "and":
            self.take()
            tree = ("and", tree, self.term())
        return tree

    def term(self) -> Tree:
        position = self.position()
        word = self.take()
        if word == "not" or word == "(":
            self.depth += 1
            if self.depth > 100:
                raise PrivacyError("expression.deep", self.depth)
            inner: Tree = ("not", self.term()) if word == "not" else self.either()
            if word == "(" and self.take() != ")":
                raise PrivacyError("expression.bracket", word, place=position)
            self.depth -= 1
            return inner
        if not word:
            raise PrivacyError("expression.end", self.text)
        if word in (")", "and", "or"):
            raise PrivacyError("expression.item", word, place=position)
        if word not in self.known:
            names = ", ".join(self.known)
            raise PrivacyError("unknown_item.expression", word, names=names)
        self.items.add(self.known[word])
        return self.known[word]

    def end(self) -> None:
        position = self.position()
        word = self.take()
        if word:
            raise PrivacyError("expression.rest", word, place=position)
