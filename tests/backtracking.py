"""Count the steps of a backtracking matcher, to see without a clock how a pattern's work grows with the text.

The matcher walks the tree that Python's parser makes of a pattern, and tries alternatives in the order of
Python's engine. It is needed because the engine does not report its steps.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

Then = Callable[[int], bool]
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
_GREEDY: Final = (op.MAX_REPEAT, op.POSSESSIVE_REPEAT)
_REPEATS: Final = (*_GREEDY, op.MIN_REPEAT)
# One character of each category, in addition to the characters that the pattern names.
_SAMPLES: Final = " \na9_A!是"


class TooManySteps(Exception):
    """A match needed more steps than allowed."""


class Steps:
    """Match a pattern against a text, and count the steps.

    Parameters
    ----------
    pattern : re.Pattern
    text : str
    most : int
        Limit of steps; beyond it, `TooManySteps` is raised.
    """

    def __init__(self, pattern: re.Pattern[str], text: str, *, most: int = 100_000) -> None:
        self._most = most
        self._tree = _prepared(pattern)
        self._flags = pattern.flags
        self._text = text
        self._groups: dict[int, tuple[int, int]] = {}
        self.count = 0

    def match(self, start: int = 0, *, whole: bool) -> int | None:
        """Match at a position, up to the end of the text if `whole`; return the end of the match."""
        ends: list[int] = []

        def end(position: int) -> bool:
            if whole and position < len(self._text):
                return False
            ends.append(position)
            return True

        return ends[0] if self._sequence(self._tree, 0, start, end) else None

    def search_all(self, *, first_only: bool) -> None:
        """Find all matches, or the first one, as ``findall`` and ``search`` do."""
        position = 0
        while position <= len(self._text):
            self._step()
            found = self.match(position, whole=False)
            if found is not None and first_only:
                return
            position = position + 1 if found is None else max(found, position + 1)

    def _step(self) -> None:
        self.count += 1
        if self.count > self._most:
            raise TooManySteps

    def _sequence(self, nodes: Tree, index: int, position: int, then: Then) -> bool:
        self._step()
        while index < len(nodes) and isinstance(nodes[index], _Signs):
            if not self._is(nodes[index], position):
                return False
            index, position = index + 1, position + 1
            self._step()
        if index == len(nodes):
            return then(position)
        kind, value = nodes[index]

        def go_on(at: int) -> bool:
            return self._sequence(nodes, index + 1, at, then)

        if kind in _REPEATS:
            return self._repeat(kind, value, position, go_on)
        if kind is op.BRANCH:
            return any(self._sequence(branch, 0, position, go_on) for branch in value)
        if kind is op.SUBPATTERN:
            return self._group(value, position, go_on)
        if kind is op.ATOMIC_GROUP:
            end = self._end_of(value, position)
            return end is not None and go_on(end)
        if kind in (op.ASSERT, op.ASSERT_NOT):
            return self._looks(value, position) == (kind is op.ASSERT) and go_on(position)
        if kind is op.GROUPREF:
            start, end = self._groups.get(value, (0, -1))
            same = end >= 0 and self._text.startswith(self._text[start:end], position)
            return same and go_on(position + end - start)
        if kind is op.GROUPREF_EXISTS:
            chosen = value[1] if value[0] in self._groups else value[2]
            return self._sequence(chosen, 0, position, go_on)
        assert kind is op.AT, kind
        return self._at(value, position) and go_on(position)

    def _repeat(self, kind: Any, value: Any, position: int, then: Then) -> bool:
        least, most, body = value
        if kind is op.POSSESSIVE_REPEAT:
            times = 0
            while times < most and (end := self._end_of(body, position)) is not None and end > position:
                position, times = end, times + 1
            return times >= least and then(position)
        if len(body) == 1 and isinstance(body[0], _Signs):
            return self._repeat_character(kind, value, position, then)

        def once_more(times: int, at: int) -> bool:
            def again(end: int) -> bool:
                return end > at and once_more(times + 1, end)

            if kind is op.MIN_REPEAT and times >= least and then(at):
                return True
            if times < most and self._sequence(body, 0, at, again):
                return True
            return kind is op.MAX_REPEAT and times >= least and then(at)

        return once_more(0, position)

    def _repeat_character(self, kind: Any, value: Any, position: int, then: Then) -> bool:
        least, most, body = value
        times = 0
        if kind is op.MIN_REPEAT:
            while times <= most:
                if times >= least and then(position + times):
                    return True
                self._step()
                if not self._is(body[0], position + times):
                    return False
                times += 1
            return False
        while times < most and self._is(body[0], position + times):
            self._step()
            times += 1
        return any(then(position + kept) for kept in range(times, least - 1, -1))

    def _group(self, value: Any, position: int, then: Then) -> bool:
        number, body = value
        before = self._groups.get(number)

        def close(end: int) -> bool:
            self._groups[number] = (position, end)
            return then(end)

        if self._sequence(body, 0, position, close):
            return True
        if before is None:
            self._groups.pop(number, None)
        else:
            self._groups[number] = before
        return False

    def _end_of(self, body: Tree, position: int) -> int | None:
        ends: list[int] = []

        def keep(end: int) -> bool:
            ends.append(end)
            return True

        return ends[0] if self._sequence(body, 0, position, keep) else None

    def _looks(self, value: Any, position: int) -> bool:
        width, body = value
        if width is None:
            return self._end_of(body, position) is not None
        start = position - width
        return start >= 0 and self._sequence(body, 0, start, lambda end: end == position)

    def _is(self, signs: "_Signs", position: int) -> bool:
        return position < len(self._text) and signs[self._text[position]]

    def _at(self, place: Any, position: int) -> bool:
        text, length = self._text, len(self._text)
        if place in (op.AT_BEGINNING, op.AT_BEGINNING_STRING):
            many = place is op.AT_BEGINNING and self._flags & op.SRE_FLAG_MULTILINE
            return position == 0 or bool(many and text[position - 1] == "\n")
        if place is op.AT_END_STRING:
            return position == length
        if place is op.AT_END:
            many = self._flags & op.SRE_FLAG_MULTILINE
            return position == length or (text[position] == "\n" and (bool(many) or position == length - 1))
        word = (op.CATEGORY, op.CATEGORY_WORD)
        before = position > 0 and _is_member(word, text[position - 1], self._flags)
        after = position < length and _is_member(word, text[position], self._flags)
        return (before != after) == (place is op.AT_BOUNDARY)


class _Signs(dict[str, bool]):
    """Which characters a node accepts that matches one character; filled when a character is first met."""

    def __init__(self, kind: Any, value: Any, flags: int) -> None:
        self._node = kind, value
        self._flags = flags

    def __missing__(self, sign: str) -> bool:
        self[sign] = found = accepts(*self._node, sign, self._flags)
        return found


@cache
def _prepared(pattern: re.Pattern[str]) -> Tree:
    """Return the pattern's tree with plain lists, which are fast to walk, and only what `Steps` uses."""

    def prepare(tree: Tree) -> Tree:
        return [prepare_node(kind, value) for kind, value in tree]

    def prepare_node(kind: Any, value: Any) -> Any:
        if kind in _ONE_CHARACTER:
            return _Signs(kind, value, pattern.flags)
        if kind in _REPEATS:
            least, most, body = value
            return kind, (least, most, prepare(body))
        if kind is op.BRANCH:
            return kind, [prepare(branch) for branch in value[1]]
        if kind is op.SUBPATTERN:
            return kind, (value[0], prepare(value[3]))
        if kind is op.ATOMIC_GROUP:
            return kind, prepare(value)
        if kind in (op.ASSERT, op.ASSERT_NOT):
            direction, body = value
            return kind, (body.getwidth()[0] if direction < 0 else None, prepare(body))
        if kind is op.GROUPREF_EXISTS:
            group, yes, no = value
            return kind, (group, prepare(yes), prepare(no or []))
        return kind, value

    return prepare(_parsed(pattern))


@cache
def _parsed(pattern: re.Pattern[str]) -> Tree:
    return parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)


def accepts(kind: Any, value: Any, sign: str, flags: int) -> bool:
    """Return whether a node that matches one character matches this one."""
    if flags & op.SRE_FLAG_IGNORECASE and kind is not op.NOT_LITERAL:
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
        return sign != "\n" or bool(flags & op.SRE_FLAG_DOTALL)
    negated = value[0][0] is op.NEGATE
    return negated != any(_is_member(member, sign, flags) for member in value[negated:])


def _is_member(member: Any, sign: str, flags: int) -> bool:
    kind, value = member
    if kind is op.LITERAL:
        return ord(sign) == value
    if kind is op.RANGE:
        return value[0] <= ord(sign) <= value[1]
    possible = sign.isascii() or not flags & op.SRE_FLAG_ASCII
    is_of = _CATEGORIES[_OPPOSITES.get(value, value)](sign) and possible
    return bool(is_of) != (value in _OPPOSITES)


def alphabet_of(pattern: re.Pattern[str], *, most: int = 12) -> str:
    """Return characters that matter to a pattern: those it names, and one of each range and category."""
    named: dict[str, None] = dict.fromkeys(_SAMPLES)
    for kind, value in _nodes(_parsed(pattern)):
        members = value if kind is op.IN else [(kind, value)]
        for inner, stated in members:
            if inner in (op.LITERAL, op.NOT_LITERAL):
                named[chr(stated)] = None
            elif inner is op.RANGE:
                named[chr(stated[0])] = None
    signs = list(named)
    # Characters inside repeats come first: only `most` are kept, and a list of words repeats no letter.
    repeated = [
        node for repeat in _repeats(pattern) for node in _nodes(repeat[2]) if node[0] in _ONE_CHARACTER
    ]
    signs.sort(key=lambda sign: not any(accepts(*node, sign, pattern.flags) for node in repeated))
    return "".join(signs[:most])


def attacks(pattern: re.Pattern[str], times: int) -> Iterator[str]:
    """Yield texts that expose a nonlinear pattern; their length grows with `times`.

    Each text repeats one character, or two alternating ones, after a possible beginning of a match. It ends
    there or with a character that matches nothing.
    """
    if not any(most is op.MAXREPEAT for _least, most, _body in _repeats(pattern)):
        # Every repeat is bounded, so a search takes a bounded time at each position.
        return
    signs = alphabet_of(pattern)
    beginnings = dict.fromkeys(["", *_beginnings(_parsed(pattern), pattern.flags)])
    pumps = [*signs, *(one + other for one in signs[:4] for other in signs[:4] if one != other)]
    pumps += [f"{beginning}{sign}" for beginning in beginnings if beginning for sign in ["", *signs[:3]]]
    for pump in dict.fromkeys(pumps):
        for beginning in beginnings if len(pump) == 1 else [""]:
            for end in ("", "\0a"):
                yield beginning + pump * times + end


def longest_bound(pattern: re.Pattern[str]) -> int:
    """Return the largest bound of a repeat; only longer texts show growth."""
    bounds = [most for _least, most, _body in _repeats(pattern) if most is not op.MAXREPEAT]
    return max(map(int, bounds), default=1)


def _repeats(pattern: re.Pattern[str]) -> list[Any]:
    tree = _parsed(pattern)
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
    """Yield, for each unbounded repeat of a pattern, a shortest text that reaches it."""
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
    """Return a shortest text that a pattern matches; assertions are ignored."""
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
