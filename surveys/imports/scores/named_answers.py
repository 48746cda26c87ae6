"""Points of answers that a rule names, for all items or for those that it lists.

*One point for “true” on 1 and 3, and for “false” on 2*; *often counts 1, but for item 4 never does*:
such a rule is a row of answers, points and items. This module tries all ways in which points and items may
belong to the answers next to them, and uses the only one that gives each item its points without
contradiction. Answers that a rule does not name score nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import chain, groupby, islice, product, takewhile
from math import prod
from typing import Final, Literal

from surveys.imports.scores.answer_keys import is_alone
from surveys.imports.scores.gap_rules import is_about_gaps
from surveys.imports.scores.item_names import with_digits
from surveys.imports.words.cues import EXCEPTS, REVERSED, pattern_of, says_yes
from surveys.imports.words.numerals import OTHER_MEANINGS, in_digits
from surveys.imports.words.patterns import HAN, POINTS, STATEMENTS, TO, WRAPPED

Kind = Literal["answer", "points", "item", "rest", "except", "break", "comma"]
Find = Callable[[str], Iterable["Part"]]
_COUNTS: Final = pattern_of("counts-points").pattern
_FOR: Final = r"(?:for|für|bei|pour|para|per|por|за)"
_PART: Final = re.compile(
    rf"(?P<points>(?<!\w)(?:{_COUNTS})\s(?P<counted>\d{{1,2}})(?![\d.,]\d|\d)(?:\s?{POINTS}(?![^\W\d_㐀-鿿]))?"
    rf"|(?<![\d.,])(?P<stated>\d{{1,2}})\s?{POINTS}(?![^\W\d_㐀-鿿])"
    r"|(?:[=＝→]|[(（](?=\d{1,2}\s?[)）]))\s?(?P<equal>\d{1,2})(?![\d.,]?\d|\s?[,;、]\s?\d)"
    r"|[计計记得]\s?(?P<han>\d{1,2})(?!\d)"
    rf"|(?<![\d.,])(?P<before>\d{{1,2}})(?=\s?[=＝→]\s?[^\W\d_«„“\"]|\s{_FOR}\s(?:[^\W\d_]{{1,6}}\s){{0,2}}[«„“\"]?@)"
    r"|(?<![\d.,])(?P<zero>0)(?![\d.,]?\d|\s?[–—-]\s?\d)"
    rf"|(?P<nothing>(?<![^\W㐀-鿿])(?:{pattern_of('no-points').pattern})(?![^\W㐀-鿿])))"
    rf"|(?<![\d.,])(?P<low>\d{{1,3}})(?:\s?{TO}\s?(?P<high>\d{{1,3}}))?(?![\d.,]?\d|\s?%)"
    rf"|(?P<rest>{pattern_of('rest-items').pattern})"
    rf"|(?P<comma>[,，](?=\s?[^\s\d])|\s[–—-]\s)|(?P<break>[:;；。]|\.(?=\s|$))|(?P<except>{EXCEPTS.pattern})",
    re.IGNORECASE,
)
"""Points, items, and what separates clauses; a sign replaces answers."""
_SIGN: Final = "@"
_ITEM: Final = pattern_of("item-number", behind=r"\D{0,4}$")
_FAR: Final = 8
"""Most characters between two items of a list."""
_VERB_FIRST: Final = re.compile(
    rf"(?P<verb>(?<!\w)(?:{_COUNTS})\s\W?{_SIGN}{{1,60}}\W?)\s(?=\d{{1,2}}(?![\d.,]?\d|\s?[,;、]\s?\d))",
    re.IGNORECASE,
)
"""An answer behind its verb: *dort zählt Nein 1*."""
_WORD: Final = re.compile(
    r"[«„“\"'‘「『](?P<quoted>[^\W\d_]{1,8})[»“”\"'’」』]|(?<![^\W㐀-鿿])(?P<bare>[^\W\d_]{2,8})(?![^\W㐀-鿿])"
)
_LIMITS: Final = re.compile(
    rf"(?<!\d)\d{{1,3}}\s?{TO}\s?\d{{1,3}}\s?{POINTS}|"
    + "|".join(
        rf"(?:{pattern_of(name).pattern})\s?(?:=\s?)?\d{{1,3}}(?:\s?{POINTS})?"
        for name in ("up-to", "up-below", "from-least", "from-above")
    )
    + "|"
    + "|".join(
        rf"\d{{1,3}}\s?(?:{POINTS}\s?)?(?:{pattern_of(name).pattern})" for name in ("or-more", "or-less")
    ),
    re.IGNORECASE,
)
"""The limits of a level."""
_SUM: Final = re.compile(
    rf"(?<!{_SIGN}\s)(?:{pattern_of('sums-up').pattern})[^\d,;.，；。]{{0,12}}\d{{1,3}}\s?{POINTS}"
    rf"(?!\s{_FOR}\s[^\d{_SIGN}]{{1,20}}{_SIGN})",
    re.IGNORECASE,
)
"""A sum, not what an answer adds to it: *a total of 4 points*."""
_NOTHING: Final = pattern_of("no-points")
_ONCE: Final[Sequence[Kind]] = ("points", "item", "rest")
"""Parts that an answer has in one place."""
_MOST_READINGS: Final = 100
_MOST_ANSWERS: Final = 60
"""More answers in a rule are no key that a person writes."""
_YES, _NO = 1, 0
Stated = dict[int | None, dict[int, int]]
"""The points of answers by their place, for each item by its number, or for all others."""


@dataclass(frozen=True, kw_only=True)
class Part:
    """An answer, points, an item, or a sign between clauses in a rule.

    Parameters
    ----------
    kind : str
    values : tuple of int
        Place of the answer, the points, or the numbers of the items.
    start, end : int
        Its place.
    """

    kind: Kind
    values: tuple[int, ...] = ()
    start: int
    end: int


@dataclass
class _Group:
    """Answers, and the points and items next to them."""

    answers: set[int] = field(default_factory=set)
    points: set[int] = field(default_factory=set)
    items: list[int] = field(default_factory=list)
    is_rest: bool = False

    def add(self, part: Part) -> None:
        """Add a part."""
        if part.kind == "answer":
            self.answers.update(part.values)
        elif part.kind == "points":
            self.points.update(part.values)
        elif part.kind == "item":
            self.items.extend(part.values)
        self.is_rest = self.is_rest or part.kind == "rest"


def labelled(names: Sequence[str]) -> Find:
    """Return a function that finds answers by their names; letters must be capital or in quotation marks.

    Examples
    --------
    >>> [part.values for part in labelled(["yes", "not yet"])("“not yet” and “yes”")]
    [(1,), (0,)]
    >>> [part.values for part in labelled(["a", "b"])("a point for every B, and b)")]
    [(1,), (1,)]
    """
    places = {name.casefold(): place for place, name in enumerate(names)}
    if all(len(name) == 1 and not HAN.match(name) for name in places):
        own = "".join(map(re.escape, places))
        pattern = re.compile(
            rf"(?<![^\W㐀-鿿]|[.'’-])(?:(?-i:[{own.upper()}])(?![^\W㐀-鿿]|['’]|\.\w)|[{own}](?=\)))|(?<=[«„“\"'])[{own}](?=[»“”\"'])"
            rf"|(?<=(?:each|very|edes|aque|cada|ogni)\s)[{own}](?!\w)|(?<=(?:par|per|por|pro)\s)[{own}](?!\w)",
            re.IGNORECASE,
        )
    else:
        words = (
            re.escape(name) if HAN.search(name) else rf"(?<![^\W㐀-鿿]){re.escape(name)}(?![^\W㐀-鿿])"
            for name in sorted(places, key=len, reverse=True)
        )
        pattern = re.compile("|".join(words), re.IGNORECASE)

    def find(text: str) -> Iterator[Part]:
        for match in pattern.finditer(text):
            place = places.get(match[0].casefold())
            if place is not None:
                yield Part(kind="answer", values=(place,), start=match.start(), end=match.end())

    return find


def yes_and_no(text: str) -> Iterator[Part]:
    """Yield the words of a rule that mean no (0) or yes (1).

    Examples
    --------
    >>> [part.values for part in yes_and_no("Each yes scores, no doubt; on 4 the no.")]
    [(1,), (0,)]
    """
    for match in _WORD.finditer(text):
        word = match["quoted"] or match["bare"]
        is_bare = is_alone(text, *match.span()) and word.casefold() not in OTHER_MEANINGS
        is_named = bool(match["quoted"]) or word.isupper() or is_bare
        means = says_yes(word) if is_named and (len(word) > 1 or HAN.match(word)) else None
        if means is not None:
            yield Part(kind="answer", values=(int(means),), start=match.start(), end=match.end())


def points_by_name(text: str, find: Find, count: int, numbers: Collection[int]) -> dict[int, tuple[int, ...]]:
    """Return the points of all answers to each item; empty unless a rule states them in exactly one way.

    What is next to an answer may belong to it or to the next one; most ways to read a rule contradict
    themselves, or leave out items.

    Parameters
    ----------
    text : str
        The rule.
    find : callable
        Finds the answers in it.
    count : int
        Number of answers.
    numbers : collection of int
        The numbers of all items.

    Examples
    --------
    >>> points_by_name("Yes = 2, no = 0, on 2 yes = 0 and no = 2", yes_and_no, 2, [1, 2])
    {1: (0, 2), 2: (2, 0)}
    >>> rule = "1 point for “true” on 1, 3 and for “false” on items 2, 4"
    >>> points_by_name(rule, labelled(["true", "false"]), 2, [1, 2, 3, 4])
    {1: (1, 0), 2: (0, 1), 3: (1, 0), 4: (0, 1)}
    >>> points_by_name("3 points for an A, 1 point for a B and nothing for a C", labelled("abc"), 3, [1])
    {1: (3, 1, 0)}
    >>> points_by_name("Answer yes or no.", yes_and_no, 2, [1, 2])
    {}
    """
    found: list[dict[int, tuple[int, ...]]] = []
    if len([*islice(find(text), _MOST_ANSWERS + 1)]) > _MOST_ANSWERS:
        return {}
    for groups in _readings_of(_segments(text, find)):
        own = _points_of_items(_stated(groups), count, numbers)
        found += [own] if own and own not in found else []
    return found[0] if len(found) == 1 else {}


def is_contradictory(text: str, find: Find) -> bool:
    """Return whether a rule states several points for the same answers, and for no items by number.

    Examples
    --------
    >>> is_contradictory("Yes is 1 point, no 0 points. On the rent, no is 1 point and yes 0.", yes_and_no)
    True
    >>> is_contradictory("Yes is 1 point, no 0 points.", yes_and_no)
    False
    """
    groups = next(_readings_of(_segments(text, find)), [])
    return bool(groups) and not _stated(groups)


def without_key(text: str, find: Find) -> str:
    """Return a rule without its statements on the points of answers; limits of levels behind them stay.

    Parameters
    ----------
    text : str
    find : callable
        Finds the answers in it.

    Examples
    --------
    >>> without_key("Each A is 2 points. 0-3 points: calm", labelled("ab"))
    '0-3 points: calm'
    >>> without_key("Each A is 2 points, 3 or more: calm", labelled("ab"))
    '3 or more: calm'
    """
    found = []
    for said in filter(None, STATEMENTS.split(text)):
        kinds = _kinds(chain.from_iterable(_segments(said, find)))
        if {"answer", "points"} <= kinds:
            last = max(part.end for part in find(said))
            limit = _LIMITS.search(said, last) or _SUM.search(said, last)
            found += [said[limit.start() :]] if limit else []
        else:
            found.append(said)
    return "\n".join(found)


def _readings_of(segments: Iterable[Sequence[Part]]) -> Iterator[list[_Group]]:
    """Yield the ways in which the points and items of a rule may belong to its answers."""
    clauses: list[list[Part]] = []
    waiting: list[Part] = []
    for segment in segments:
        if not any(part.kind == "answer" for part in segment):
            # It belongs to the answers behind it: "1 point each: yes on 1".
            waiting = [part for part in segment if part.values != (0,) and part.kind != "comma"]
            continue
        leading = [] if any(part.kind in _kinds(waiting) for part in segment) else waiting
        clause = [*leading, *segment]
        # An answer alone may be another word: "A simple plan helps."
        clauses += [clause] if _kinds(clause) & {*_ONCE} else []
        waiting = []
    ways = [_readings(clause) for clause in clauses]
    for chosen in product(*ways) if prod(map(len, ways)) <= _MOST_READINGS else ():
        groups = [*chain(*chosen)]
        is_key = (
            all(group.items for group in groups) and len({*chain(*(group.answers for group in groups))}) > 1
        )
        if is_key or any(group.points for group in groups):
            yield groups


def _kinds(parts: Iterable[Part]) -> set[Kind]:
    return {part.kind for part in parts}


def _segments(text: str, find: Find) -> Iterator[list[Part]]:
    """Yield the parts of a rule between the ends of its clauses, apart from other statements."""
    for said in STATEMENTS.split(re.sub(r"([:：])\n", r"\1 ", in_digits(WRAPPED.sub(" ", text)))):
        # A bracket that another statement begins belongs to that statement.
        is_rest = said is not None and said.count(")") > said.count("(")
        if not said or is_rest or is_about_gaps(said):
            continue
        parts = _parts(with_digits(said), find)
        if not REVERSED.search(said) or _kinds(parts) >= {"answer", "points", "item"}:
            yield from _clauses(parts)


def _parts(said: str, find: Find) -> list[Part]:
    """Return the parts of a statement; none if it only names levels, whose names may contain an answer."""
    limits = [*_LIMITS.finditer(said)]
    # Several limits are those of levels.
    text = said[: limits[0].start()] if len(limits) > 1 else _LIMITS.sub(_blank, said)
    nothing = [match.span() for match in _NOTHING.finditer(text)]
    answers = [each for each in find(text) if not any(low <= each.start < high for low, high in nothing)]
    for part in answers:
        text = f"{text[: part.start]}{_SIGN * (part.end - part.start)}{text[part.end :]}"
    masked = _SUM.sub(_blank, text)
    others = [*_parts_of(_VERB_FIRST.sub(r"\g<verb>=", masked))]
    if (limits or masked != text) and not any(part.kind == "points" for part in others):
        return []
    return sorted([*answers, *others], key=lambda part: part.start)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _clauses(parts: Sequence[Part]) -> Iterator[list[Part]]:
    """Yield the parts between the ends of clauses; items in front of a word such as *excepted* begin one."""
    clause: list[Part] = []
    for place, part in enumerate(parts):
        if part.kind not in ("break", "except"):
            clause.append(part)
            continue
        following = next((each.kind for each in parts[place + 1 :] if each.kind != "comma"), "")
        is_behind = part.kind == "except" and following == "answer"
        items = [*takewhile(lambda each: each.kind == "item", reversed(clause))][::-1] if is_behind else []
        yield clause[: len(clause) - len(items)]
        clause = items
    yield clause


def _parts_of(text: str) -> Iterator[Part]:
    """Yield the points, items and signs of a statement whose answers are masked."""
    last = 0
    for match in _PART.finditer(text):
        start, end = match.span()
        between = text[last:start]
        # The last of several items, or the only one, before the answer that scores in them.
        goes_on = last > 0 and _SIGN not in between and len(between) < _FAR
        is_item = match["low"] or (match["before"] and (goes_on or _ITEM.search(between)))
        if is_item:
            low = int(match["low"] or match["before"])
            high = int(match["high"] or low)
            yield Part(kind="item", values=tuple(range(low, min(high, low + 99) + 1)), start=start, end=end)
            last = end
        elif match["points"]:
            stated = [match[name] for name in ("counted", "stated", "equal", "han", "before") if match[name]]
            yield Part(kind="points", values=(int(stated[0]) if stated else 0,), start=start, end=end)
        else:
            kinds: tuple[Kind, ...] = ("rest", "comma", "except", "break")
            yield Part(kind=next(kind for kind in kinds if match[kind]), start=start, end=end)


def _readings(clause: Sequence[Part]) -> list[list[_Group]]:
    """Return the ways in which the points and items of a clause may belong to its answers.

    Those between two answers belong to the first or to the second; items belong to one answer, or to all
    before or behind them.
    """
    answers: list[set[int]] = []
    gaps: list[list[Part]] = [[]]
    for part in clause:
        if part.kind != "answer":
            gaps[-1].append(part)
        elif answers and not _kinds(gaps[-1]) - {"comma"}:
            # Several answers with the same points: "often or always".
            answers[-1] |= {*part.values}
            gaps[-1] = []
        else:
            answers.append({*part.values})
            gaps.append([])
    for end in _ends(gaps.pop()):
        found = [shared for groups in _divided(answers, gaps, end) for shared in _shared(groups)]
        if found:
            return [groups for place, groups in enumerate(found) if groups not in found[:place]]
    return []


def _divided(
    answers: Sequence[Set[int]], gaps: Sequence[Sequence[Part]], end: Sequence[Part]
) -> list[list[_Group]]:
    """Return the ways to divide the parts between answers; none if there are very many.

    Parameters
    ----------
    answers : sequence of set
    gaps : sequence of sequence of Part
        The parts in front of each answer.
    end : sequence of Part
        Those behind the last one.
    """
    # The groups up to an answer, and the parts that are known to be in front of it.
    ways: list[tuple[list[_Group], Sequence[Part]]] = [([], gaps[0])]
    for answer, gap in zip(answers, gaps[1:], strict=False):
        ways = [
            ([*groups, group], gap[cut:])
            for groups, before in ways
            for cut in _cuts(gap)
            if (group := _group(answer, before, gap[:cut])) is not None
        ]
        if len(ways) > _MOST_READINGS:
            return []
    last = ((groups, _group(answers[-1], before, end)) for groups, before in ways)
    return [[*groups, group] for groups, group in last if group is not None]


def _cuts(gap: Sequence[Part]) -> Sequence[int]:
    """Return the places between two answers at which the parts of the second may begin."""
    inner = [place for place in range(1, len(gap) - 1) if gap[place].kind == "comma"]
    return inner if len(inner) == 1 else range(len(gap) + 1)


def _ends(parts: Sequence[Part]) -> list[Sequence[Part]]:
    """Return the parts behind the last answer, with and without the points of all other answers.

    Behind a comma these are certain: *yes on 1, otherwise 0*.
    """
    if not parts or (parts[-1].kind, parts[-1].values) != ("points", (0,)):
        return [parts]
    others = [*takewhile(lambda part: part.kind in ("comma", "rest"), parts[-2::-1])]
    rest = parts[: len(parts) - 1 - len(others)]
    return [rest] if others and rest else [parts, rest]


def _group(answers: Set[int], before: Sequence[Part], behind: Sequence[Part]) -> _Group | None:
    """Return answers with the parts next to them; None with points or items in two places."""
    group = _Group(answers={*answers})
    for part in (*before, *behind):
        group.add(part)
    runs = [kind for parts in (before, behind) for kind, _same in groupby(part.kind for part in parts)]
    is_clear = len(group.points) < len("ab") and all(runs.count(kind) < len("ab") for kind in _ONCE)
    return group if is_clear and not (group.items and group.is_rest) else None


def _shared(groups: Sequence[_Group]) -> Iterator[list[_Group]]:
    """Yield groups as they are, and with the items of the group before or behind: *on 2, yes = 0, no = 1*."""
    yield [*groups]
    for order in (1, -1):
        items: list[int] = []
        found = []
        for group in groups[::order]:
            is_named = bool(group.items) or group.is_rest
            items = group.items if is_named else items
            found.append(group if is_named else replace(group, items=items))
        yield found[::order]


def _stated(groups: Sequence[_Group]) -> Stated:
    """Return the points of groups; those without points have the ones of the group before, or of the next."""
    first = next((min(group.points) for group in groups if group.points), 1)
    found: Stated = defaultdict(dict)
    for group in groups:
        first = min(group.points, default=first)
        for item, answer in (
            (item, answer) for item in group.items or (None,) for answer in sorted(group.answers)
        ):
            if found[item].setdefault(answer, first) != first:
                return {}
    return dict(found)


def _points_of_items(
    stated: Mapping[int | None, Mapping[int, int]], count: int, numbers: Collection[int]
) -> dict[int, tuple[int, ...]]:
    """Return the points of all answers to each item; empty if those that a rule names leave some unclear."""
    own = {item: points for item, points in stated.items() if item is not None}
    base = stated.get(None, {})
    most = max(chain.from_iterable(points.values() for points in stated.values()), default=0)
    if own.keys() - {*numbers} or not (any(base.values()) or own.keys() == {*numbers}):
        return {}
    found = {number: _completed(own.get(number, base), count, most) for number in numbers}
    return found if all(len({*points}) > 1 for points in found.values()) else {}


def _completed(points: Mapping[int, int], count: int, most: int) -> tuple[int, ...]:
    """Return the points of all answers if a rule names some; empty if those of the others are unclear."""
    missing = {*range(count)} - points.keys()
    if missing and 0 in points.values():
        # Of two answers, the other one scores.
        points = dict.fromkeys(missing, most) | {**points} if count == len("ab") else {}
    # Points that count with the answers are a part of a scale: "never = 1 ... always = 4".
    named = {*points.values()} if missing else set()
    are_ends = (
        len(named) > 1 and points.get(0, 0) != points.get(count - 1, 0) and {0, count - 1} <= points.keys()
    )
    starts = [{own - way * answer for answer, own in points.items()} for way in (1, -1)]
    are_steps = len(named) > 1 and any(
        len(start) == 1 and any(min(start) + way * answer for answer in missing)
        for way, start in zip((1, -1), starts, strict=True)
    )
    is_clear = bool(points) and not (are_ends or are_steps)
    return tuple(points.get(answer, 0) for answer in range(count)) if is_clear else ()
