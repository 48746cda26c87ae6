"""Points of answers that a rule names, for all items or for those that it lists.

*One point for “true” on 1 and 3, and for “false” on 2*; *often counts 1, but for item 4 never does*:
such a rule is a row of answers, points and items. This module divides the row into groups with one or several
answers each, and the points and the items next to them. Answers that a rule does not name score nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, Literal

from surveys.imports.scores.answer_keys import is_alone
from surveys.imports.scores.gap_rules import is_about_gaps
from surveys.imports.scores.item_names import with_digits
from surveys.imports.words.cues import EXCEPTS, REVERSED, pattern_of, says_yes
from surveys.imports.words.numerals import OTHER_MEANINGS, in_digits
from surveys.imports.words.patterns import HAN, POINTS, STATEMENTS, TO, WRAPPED

Kind = Literal["answer", "points", "item", "rest", "break", "comma"]
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
    rf"|(?P<comma>[,，](?=\s?[^\s\d])|\s[–—-]\s)|(?P<break>[:;；。]|\.(?=\s|$)|{EXCEPTS.pattern})",
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
    rf"(?<!\d)\d{{1,3}}\s?{TO}\s?\d{{1,3}}\s?{POINTS}|(?:{pattern_of('sums-up').pattern})[^\d,;.，；。]{{0,12}}\d{{1,3}}\s?{POINTS}|"
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
            rf"|(?<=(?:each|very|edes|aque|cada|ogni)\s)[{own}](?!\w)",
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


def named_points(text: str, find: Find) -> Stated:
    """Return the points that a rule states for answers that it names; empty if it states none, or is unclear.

    Parameters
    ----------
    text : str
        The rule, with the numbers of its items.
    find : callable
        Finds the answers in it.

    Examples
    --------
    >>> named_points("1 point for “true” on 1, 3 and for “false” on items 2, 4", labelled(["true", "false"]))
    {1: {0: 1}, 3: {0: 1}, 2: {1: 1}, 4: {1: 1}}
    >>> named_points("Each yes is worth 2 points, except item 2, where no is.", yes_and_no)
    {None: {1: 2}, 2: {0: 2}}
    >>> named_points("3 points for every A, 1 point for every B and nothing for a C", labelled("abc"))
    {None: {0: 3, 1: 1, 2: 0}}
    >>> named_points("Often or always counts 1.", labelled(["never", "often", "always"]))
    {None: {1: 1, 2: 1}}
    >>> named_points("Answer yes or no.", yes_and_no)
    {}
    """
    return _stated(_groups_in(_segments(text, find)))


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
            limit = _LIMITS.search(said, last)
            found += [said[limit.start() :]] if limit else []
        else:
            found.append(said)
    return "\n".join(found)


def _groups_in(segments: Iterable[Sequence[Part]]) -> list[_Group]:
    """Return the groups of all clauses; none if they state no points, or several for the same answers."""
    groups: list[_Group] = []
    waiting: list[Part] = []
    for segment in segments:
        if not any(part.kind == "answer" for part in segment):
            # It belongs to the answers behind it: "1 point each: yes on 1".
            waiting = [part for part in segment if part.values != (0,)]
            continue
        leading = [] if any(part.kind in _kinds(waiting) for part in segment) else waiting
        own = _grouped(whole := [*leading, *segment])
        waiting = []
        _share_items(own, whole)
        groups += own
    for group in groups:
        # What all other answers score: "1 point for yes on 1, 0 otherwise".
        group.points -= {0} if len(group.points) > 1 else set()
    has_points = any(group.points for group in groups)
    is_key = all(group.items for group in groups) and len({*chain(*(group.answers for group in groups))}) > 1
    is_clear = (has_points or is_key) and all(len(group.points) < len("ab") for group in groups)
    return groups if is_clear else []


def _kinds(parts: Iterable[Part]) -> set[Kind]:
    return {part.kind for part in parts}


def _segments(text: str, find: Find) -> Iterator[list[Part]]:
    """Yield the parts of a rule between the ends of its clauses, apart from other statements."""
    for said in STATEMENTS.split(re.sub(r"([:：])\n", r"\1 ", in_digits(WRAPPED.sub(" ", text)))):
        # A bracket that another statement begins belongs to that statement.
        is_rest = said is not None and said.count(")") > said.count("(")
        if not said or is_rest or REVERSED.search(said) or is_about_gaps(said):
            continue
        rest = with_digits(_LIMITS.sub(" ", said))
        if rest != said and not any(part.kind == "points" for part in _parts_of(rest)):
            # The name of a level may contain an answer: "0-3 points: often at home".
            continue
        said = rest
        answers = [*find(said)]
        masked = said
        for part in answers:
            masked = f"{masked[: part.start]}{_SIGN * (part.end - part.start)}{masked[part.end :]}"
        masked = _VERB_FIRST.sub(r"\g<verb>=", masked)
        parts = sorted([*answers, *_parts_of(masked)], key=lambda part: part.start)
        segment: list[Part] = []
        for part in parts:
            if part.kind == "break":
                yield segment
                segment = []
            else:
                segment.append(part)
        yield segment


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
            kind: Kind = "rest" if match["rest"] else "comma" if match["comma"] else "break"
            yield Part(kind=kind, start=start, end=end)


def _grouped(parts: Sequence[Part]) -> list[_Group]:
    """Return the groups of a clause: the parts between two answers belong to the first or to the second.

    If points or items precede the first answer of the clause, they precede the others too. A comma divides
    otherwise.
    """
    places = [place for place, part in enumerate(parts) if part.kind == "answer"]
    leading = _kinds(parts[: places[0]])
    groups = [_Group()]
    for part in parts[: places[0]]:
        groups[0].add(part)
    for place, following in zip(places, [*places[1:], len(parts)], strict=True):
        groups[-1].add(parts[place])
        between = parts[place + 1 : following]
        if following < len(parts) and not _kinds(between) - {"comma"}:
            # Several answers with the same points: "often or always".
            continue
        cut = _cut(between, leading) if following < len(parts) else len(between)
        for part in between[:cut]:
            groups[-1].add(part)
        if following < len(parts):
            groups.append(_Group())
        for part in between[cut:]:
            groups[-1].add(part)
    return groups


def _cut(between: Sequence[Part], leading: Set[Kind]) -> int:
    """Return the place between two answers at which the parts of the second begin."""
    cut = next(
        (place for place, part in enumerate(between) if part.kind in leading - {"comma"}), len(between)
    )
    commas = [
        place for place, part in enumerate(between) if part.kind == "comma" and 0 < place < len(between) - 1
    ]
    near = cut < len(between) and between[cut - 1].kind == "comma"
    return commas[0] if len(commas) == 1 and not near and not leading else cut


def _share_items(groups: Sequence[_Group], segment: Sequence[Part]) -> None:
    """Give groups of a clause the items of the others: *on item 2, yes = 0 and no = 1*."""
    named = [group for group in groups if group.items or group.is_rest]
    if len(named) != 1 or len(groups) < len("ab"):
        return
    is_first = named[0] is groups[0] and segment[0].kind in ("item", "rest", "comma")
    is_last = named[0] is groups[-1] and not any(part.kind == "comma" for part in segment)
    for group in groups if is_first or is_last else ():
        group.items, group.is_rest = named[0].items, named[0].is_rest


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


def points_of_items(
    stated: Mapping[int | None, Mapping[int, int]], count: int, numbers: Collection[int]
) -> dict[int, tuple[int, ...]]:
    """Return the points of all answers to each item; empty if a rule does not state them clearly.

    Parameters
    ----------
    stated : mapping
        The points of the answers that a rule names.
    count : int
        Number of answers.
    numbers : collection of int
        The numbers of all items.

    Examples
    --------
    >>> points_of_items({None: {1: 2}, 2: {0: 2}}, 2, [1, 2])
    {1: (0, 2), 2: (2, 0)}
    >>> points_of_items({1: {1: 1}}, 2, [1, 2]), points_of_items({None: {1: 1}, 9: {0: 1}}, 2, [1, 2])
    ({}, {})
    """
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
