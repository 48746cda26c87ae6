"""Texts on which a pattern that does not run in linear time shows it, made of the tree of its parser."""

from __future__ import annotations

import math
import re
import signal
import time
from collections.abc import Callable, Iterator
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

Tree = Any

_CATEGORIES: Final = {
    op.CATEGORY_DIGIT: str.isdecimal,
    op.CATEGORY_SPACE: str.isspace,
    op.CATEGORY_WORD: lambda sign: sign.isalnum() or sign == "_",
}
_OPPOSITES: Final = {
    op.CATEGORY_NOT_DIGIT: op.CATEGORY_DIGIT,
    op.CATEGORY_NOT_SPACE: op.CATEGORY_SPACE,
    op.CATEGORY_NOT_WORD: op.CATEGORY_WORD,
}
_ONE_CHARACTER: Final = (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN)
_REPEATS: Final = (op.MAX_REPEAT, op.POSSESSIVE_REPEAT, op.MIN_REPEAT)
# One member of each category, in addition to the characters that the pattern names.
_SAMPLES: Final = " \na9_A!是"


class TooSlow(Exception):
    """A search took more of the processor than it may."""


def seconds(find: Callable[[], object], most: float) -> float:
    """Return how long a search keeps the processor, however busy the machine is; stop it after `most`."""

    def stop(*_: object) -> None:
        raise TooSlow

    before, start = signal.signal(signal.SIGPROF, stop), time.process_time()
    signal.setitimer(signal.ITIMER_PROF, most)
    try:
        find()
    except TooSlow:
        return math.inf
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return time.process_time() - start


def accepts(kind: Any, value: Any, sign: str, flags: int) -> bool:
    """Tell whether a node that matches one character matches this one."""
    if flags & re.IGNORECASE and kind is not op.NOT_LITERAL:
        return any(_accepts(kind, value, each, flags) for each in {sign, sign.lower(), sign.upper()})
    return _accepts(kind, value, sign, flags)


def _accepts(kind: Any, value: Any, sign: str, flags: int) -> bool:
    if len(sign) != 1:
        return False
    if kind is op.LITERAL:
        return ord(sign) == value
    if kind is op.NOT_LITERAL:
        return ord(sign) != value
    if kind is op.ANY:
        return sign != "\n" or bool(flags & re.DOTALL)
    negated = value[0][0] is op.NEGATE
    return negated != any(_is_member(member, sign, flags) for member in value[negated:])


def _is_member(member: Any, sign: str, flags: int) -> bool:
    kind, value = member
    if kind is op.LITERAL:
        return ord(sign) == value
    if kind is op.RANGE:
        return value[0] <= ord(sign) <= value[1]
    is_of = _CATEGORIES[_OPPOSITES.get(value, value)](sign) and (sign.isascii() or not flags & re.ASCII)
    return bool(is_of) != (value in _OPPOSITES)


def alphabet_of(pattern: re.Pattern[str], *, most: int = 12) -> str:
    """Return signs that matter to a pattern: those it names, one of each range, one of each category."""
    named: dict[str, None] = dict.fromkeys(_SAMPLES)
    for kind, value in _nodes(parser.parse(pattern.pattern, pattern.flags)):
        members = value if kind is op.IN else [(kind, value)]
        for inner, stated in members:
            if inner in (op.LITERAL, op.NOT_LITERAL):
                named[chr(stated)] = None
            elif inner is op.RANGE:
                named[chr(stated[0])] = None
    signs = list(named)
    # Signs of repeats come first where a pattern names many: a list of words repeats none of its letters.
    repeated = [
        node for repeat in _repeats(pattern) for node in _nodes(repeat[2]) if node[0] in _ONE_CHARACTER
    ]
    signs.sort(key=lambda sign: not any(accepts(*node, sign, pattern.flags) for node in repeated))
    return "".join(signs[:most])


def attacks(pattern: re.Pattern[str], length: int) -> Iterator[str]:
    """Yield texts of about this length, on which a pattern that is not linear shows it.

    One sign or two in turn many times, behind each beginning of a match, before a sign that matches nothing
    and without.
    """
    if not any(most is op.MAXREPEAT for _least, most, _body in _repeats(pattern)):
        # Nothing in it grows: a search tries each place for so long at most.
        return
    signs = alphabet_of(pattern)
    beginnings = dict.fromkeys(
        ["", *_beginnings(parser.parse(pattern.pattern, pattern.flags), pattern.flags)]
    )
    pumps = [*signs, *(one + other for one in signs[:4] for other in signs[:4] if one != other)]
    pumps += [f"{beginning}{sign}" for beginning in beginnings if beginning for sign in ["", *signs[:3]]]
    for pump in dict.fromkeys(pumps):
        for beginning in beginnings if len(pump) == 1 else [""]:
            for end in ("", "\0a"):
                yield beginning + pump * (length // len(pump)) + end


def _repeats(pattern: re.Pattern[str]) -> list[Any]:
    tree = parser.parse(pattern.pattern, pattern.flags)
    return [value for kind, value in _nodes(tree) if kind in _REPEATS and value[1] > 1]


def _nodes(tree: Tree) -> Iterator[tuple[Any, Any]]:
    for kind, value in tree:
        yield kind, value
        if kind in _REPEATS:
            yield from _nodes(value[2])
        elif kind is op.BRANCH:
            for branch in value[1]:
                yield from _nodes(branch)
        elif kind is op.SUBPATTERN:
            yield from _nodes(value[3])
        elif kind is op.ATOMIC_GROUP:
            yield from _nodes(value)
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            yield from _nodes(value[1])


def _beginnings(tree: Tree, flags: int, before: str = "") -> Iterator[str]:
    """Yield a shortest text that reaches each repeat of a pattern."""
    for kind, value in tree:
        if kind in _REPEATS and value[1] is op.MAXREPEAT:
            yield before
        if kind in _REPEATS:
            yield from _beginnings(value[2], flags, before)
        elif kind is op.SUBPATTERN:
            yield from _beginnings(value[3], flags, before)
        elif kind is op.BRANCH:
            for branch in value[1]:
                yield from _beginnings(branch, flags, before)
        before += _sample([(kind, value)], flags)


def _sample(tree: Tree, flags: int) -> str:
    """Return a shortest text that a pattern matches, as far as its assertions let it."""
    text = ""
    for kind, value in tree:
        if kind in _ONE_CHARACTER:
            named = [chr(v) for k, v in (value if kind is op.IN else [(kind, value)]) if k is op.LITERAL]
            named += [chr(v[0]) for k, v in (value if kind is op.IN else []) if k is op.RANGE]
            text += next(sign for sign in [*named, *_SAMPLES, "~"] if accepts(kind, value, sign, flags))
        elif kind in _REPEATS:
            text += _sample(value[2], flags) * value[0]
        elif kind is op.SUBPATTERN:
            text += _sample(value[3], flags)
        elif kind is op.BRANCH:
            text += _sample(value[1][0], flags)
        elif kind is op.ATOMIC_GROUP:
            text += _sample(value, flags)
    return text
