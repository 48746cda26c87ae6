"""Levels of a sum of points that a text states: ranges that follow each other, or one cut-off.

Each number in the text is the limit of a span: *0-4*, *up to 4*, *more than 4*, *10 or more*. The longest
chain of spans that follow each other states the levels. A further span must contain the chain, or repeat one
of its limits; otherwise the text is not understood. Limits of a mean become limits of the sum.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import cache
from itertools import pairwise
from typing import Final

from surveys.imports.scores.answer_keys import key_in, without_key
from surveys.imports.scores.item_names import SPAN
from surveys.imports.words.cues import ABOUT_SCORE, REVERSED, pattern_of
from surveys.imports.words.legends import ITEM_KEY
from surveys.imports.words.negated_limits import with_signs
from surveys.imports.words.numerals import in_digits
from surveys.imports.words.patterns import AND_OR, HAN, LETTER, POINTS, STATEMENTS, TO, WRAPPED
from surveys.imports.words.runs import repeats

_RANGES: Final = re.compile(
    rf"(?:(?:{pattern_of('from-least').pattern})\s)?(?<![\d.,–-]){SPAN}(?![\d–-]|[.,]\d)", re.IGNORECASE
)
"""A range of whole numbers, and a word in front of it."""
_MEANS: Final = pattern_of("means-level")
"""A verb between a level's range and its name."""
_LABEL: Final = r"[^,;.，；。\d~]"
RANGE: Final = re.compile(
    rf"(?<![\d.]){SPAN}(?!\d|\.\d)(?P<more>\s?{POINTS})?\s?[=:：–-]?\s?(?P<after>{_LABEL}{{0,60}})",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(
    r"\b(?:between|zwischen|entre|tra|między|между)\s(?P<low>\d{1,3})\s(?:and|und|et|y|e|i|и)\s(?=\d{1,3}\b)",
    re.IGNORECASE,
)
"""A range in words: *between 0 and 4*."""
_BEYOND: Final = re.compile(
    rf"(?P<said>(?<![\d.,])(?P<limit>\d{{1,3}})(?![\d,.]\d)[^\d\n]{{1,60}}[.,;|/\n。；]\s?)"
    rf"{pattern_of('beyond').pattern}(?=\s?[:：=,，–—])",
    re.IGNORECASE,
)
"""The last limit of a level, and a word for more in front of the next level."""
_WITHOUT_LIMIT: Final = re.compile(r"(?P<low>\d{1,3})\s?分?以(?P<way>[上下])\s?[(（]不含[^()（）]{0,9}[)）]")
"""A Chinese limit that is not part of the level: *10分以上（不含10分）*."""
_BEFORE: Final = re.compile(rf"(?:^|[,;.，；。])\s?(?P<label>{_LABEL}{{2,60}}?)\s?[=:：(（]?\s?$")
PARTS: Final = re.compile(r"[.。;；)）]\s?")
_BEHIND_COMMA: Final = re.compile(rf"\s?[,，]\s?(?P<label>{_LABEL}{{2,60}})")
COLON: Final = re.compile(r"[:：]")
_DASH: Final = re.compile(r"\s[–—-]\s")
LEAST_LETTERS: Final = 4
"""Letters of a label's last word; fewer are a preposition in front of the range: *from 0 to 4, low*."""
LEAST_RANGES: Final = 2
FROM_LEAST: Final = -1
"""The start of a level that begins with the least sum."""
_NUMBER: Final = r"(?<![\d.])(?:\d{1,3}(?:[.,]\d{1,2})?)(?!\d|[.,]\d)"
"""A limit of a sum or of a mean."""
_WHOLE: Final = r"(?<![\d.])\d{1,3}(?!\d|\.\d)"
_LIMITS: Final = ("from-least", "from-above", "up-to", "up-below", "or-more", "or-less")
_CUES: Final = {name: pattern_of(name).pattern for name in _LIMITS}
_ITEM_WORD: Final = pattern_of("item-number").pattern
_CLAUSE_START: Final = (
    rf"(?:^|(?<=[;.。；,，:：\n]))\s?(?:(?!{_ITEM_WORD})[^\W\d]{{1,12}}\s|[≤<]\s?=?\s?){{0,4}}?"
)
_LONE: Final = re.compile(
    rf"{_CLAUSE_START}(?P<sum>\d{{1,3}})(?!\d|[.,]\d)(?:\s?(?:{POINTS}\s?)?(?:{_CUES['or-less']}))?(?:\s?[^\W\d]{{1,8}}(?=\s?[=:：,，–-]))?"
    rf"\s?[=:：–-]?\s?(?P<label>{_LABEL}{{1,60}})",
    re.IGNORECASE,
)
"""A single sum at the beginning of a clause, and the name of its level."""
_ALONE: Final = re.compile(
    rf"(?:^|[:：;；,，.。]\s?)(?P<low>\d{{1,3}})\s?{POINTS}?"
    rf"(?=(?:\s?[=＝:：]\s?|\s[–—-]\s){_LABEL}{{2}}|(?<=[,;]\s\d)\s(?!{_ITEM_WORD}|{POINTS})[^\W\d_]{{4}}[^\d,;]{{0,30}}(?:[.。]|$)"
    rf"|(?<=[,;]\s\d\d)\s(?!{_ITEM_WORD}|{POINTS})[^\W\d_]{{4}}[^\d,;]{{0,30}}(?:[.。]|$))",
    re.IGNORECASE,
)
"""A level of one sum: *0 = safe*."""
_TWO: Final = re.compile(
    rf"{_CLAUSE_START}(?P<low>\d{{1,3}})\s?(?:[/、或]|\s{AND_OR}\s)\s?(?P<high>\d{{1,3}})(?![\d.])",
    re.IGNORECASE,
)
"""Two sums with a word between, at the beginning of a clause."""
_WITH_POINTS: Final = re.compile(rf"\s?{POINTS}", re.IGNORECASE)
_UNIT: Final = re.compile(r"(?<=\d)\s?[^\W\d_]{1,4}\.(?=\s)")
"""An abbreviated unit after a sum: *0-3 P.*."""
_LABEL_BEHIND: Final = re.compile(
    rf"(?:\s?[(（][^()（）]{{1,20}}[)）])?(?:\s?{POINTS}(?![a-zа-яё])|\s?[^\W\d_]{{1,10}}(?=[:：]))?\s?[=＝:：–-]?\s?(?P<label>{_LABEL}{{0,60}})",
    re.IGNORECASE,
)
"""What a range means."""
_BEHIND_ITEM: Final = pattern_of("item-number", behind=r"[^\d.;:!?()（。；：]{0,12}$")


@dataclass(frozen=True)
class Span:
    """Sums from a limit to another one, and what the text says about them.

    Parameters
    ----------
    low : int
        `FROM_LEAST` without a lower limit.
    high : int or None
        None without an upper limit.
    label : str
    start, end : int
        Place of its numbers in the text.
    is_weak : bool
        Whether it is a level only next to another one.
    """

    low: int
    high: int | None
    label: str
    start: int
    end: int
    is_weak: bool = False


def with_ranges(text: str) -> str:
    """Return a text with limits in digits, and a dash in ranges: *between 0 and four* becomes *0-4*.

    A level beyond the last one gets a limit: *up to 4: low; above: high*.
    """
    text = with_signs(text)
    text = _BEYOND.sub(lambda match: f"{match['said']}from {int(match['limit']) + 1}", text)
    text = _WITHOUT_LIMIT.sub(
        lambda match: f"{'高于' if match['way'] == '上' else '低于'}{match['low']}", text
    )
    return _BETWEEN.sub(r"\g<low>-", in_digits(text))


def spans_in(text: str, count: int = 0) -> list[Span]:
    """Return the spans of a text in their order.

    Parameters
    ----------
    text : str
    count : int
        Number of items whose mean the limits are about; 0 for limits of a sum.

    Examples
    --------
    >>> [(each.low, each.high) for each in spans_in("up to 4 low; 5-9 middle; more than 9 high")]
    [(-1, 4), (5, 9), (10, None)]
    >>> [(each.low, each.high) for each in spans_in("below 2.5 low, from 2.5 to below 3.5, 3.5 or more", 10)]
    [(-1, 24), (25, 34), (35, None)]
    """
    text = with_ranges(_UNIT.sub(lambda match: " " * len(match[0]), text))
    text = text if count else _RANGES.sub(_without_falling, text)
    number = _NUMBER if count else _WHOLE
    found: list[Span] = []
    stated: list[re.Match[str]] = []
    for kind, pattern in _patterns(number):
        for match in pattern.finditer(text):
            if kind in ("range", "two") and _BEHIND_ITEM.search(text[: match.start("low")]):
                continue
            if kind in _LIMITS and not count and re.match(r"[.,]\d", text[match.end("low") :]):
                continue
            low, high = _limits(kind, match, max(count, 1))
            start = match.start() if kind in _CUES else match.start("low")
            is_weak = kind == "alone" or (kind == "two" and not _WITH_POINTS.match(text, match.end()))
            found.append(Span(low, high, "", start, match.end(), is_weak))
            stated.append(match)
        for span in found:
            text = text[: span.start] + "~" * (span.end - span.start) + text[span.end :]
    found = _joined(found, stated) if count else found
    found.sort(key=lambda each: each.start)
    return [replace(each, label=_label(text, each.start, each.end)) for each in found]


def with_steps(text: str, step: int) -> str:
    """Return a rule in which each range ends before the next if only sums that are no multiples are between.

    Parameters
    ----------
    text : str
    step : int
        The number of which all sums are multiples.

    Examples
    --------
    >>> with_steps("0-4 low; 6-8 middle; 10-12 high", 2), with_steps("0-4 low; 6-8 high", 1)
    ('0-5 low; 6-9 middle; 10-12 high', '0-4 low; 6-8 high')
    """
    text = with_ranges(text)
    spans = [span for span in spans_in(text) if not span.is_weak]
    lows = {span.low for span in spans}
    for span in reversed(spans):
        last = f"{span.high}"
        if (
            step > 1
            and span.high is not None
            and span.high + step in lows
            and text[: span.end].endswith(last)
        ):
            text = f"{text[: span.end - len(last)]}{span.high + step - 1}{text[span.end :]}"
    return text


def _joined(spans: Sequence[Span], stated: Sequence[re.Match[str]]) -> list[Span]:
    """Return the spans of a mean; one ends where the next begins, apart from rounding: *2.5-3.4, 3.5-5*."""
    lows = {match["low"].replace(",", "."): span.low for span, match in zip(spans, stated, strict=True)}
    found = []
    for span, match in zip(spans, stated, strict=True):
        end = match.groupdict().get("high") or (match["low"] if span.low == FROM_LEAST else "")
        end = end.replace(",", ".")
        following = f"{Decimal(end) + Decimal(1).scaleb(-len(end.partition('.')[2]))}" if "." in end else ""
        found.append(replace(span, high=lows[following] - 1) if following in lows else span)
    return found


def _without_falling(match: re.Match[str]) -> str:
    """Return a range, or blanks if it falls, as the points of reversed items do: *from 3 to 0*."""
    return " " * len(match[0]) if int(match["low"]) > int(match["high"]) else match[0]


@cache
def _patterns(number: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the kinds of spans with their patterns, the longest first."""
    end = rf"(?:(?P<under>{_CUES['up-below']})\s?)?(?P<high>{number})"
    # Not a part of a row of numbers: "0-0-1-1".
    stated = {"range": rf"(?<!\d[–/-])(?P<low>{number})(?:\s?{POINTS})?\s?{TO}\s?{end}(?![–/-]\d)"}
    for name in ("or-more", "or-less"):
        stated[name] = rf"(?P<low>{number})\s?(?:{POINTS}\s?)?(?:{_CUES[name]})"
    for name in ("up-to", "up-below", "from-least", "from-above"):
        stated[name] = rf"(?:{_CUES[name]})\s?(?:=\s?)?(?P<low>{number})"
    compiled = ((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in stated.items())
    return (*compiled, ("two", _TWO), ("alone", _ALONE))


def _limits(kind: str, match: re.Match[str], count: int) -> tuple[int, int | None]:
    """Return the least and the largest sum of a span."""
    first = Decimal(match["low"].replace(",", ".")) * count
    least, most = (int(first.to_integral_value(way)) for way in (ROUND_CEILING, ROUND_FLOOR))
    if kind in ("range", "two"):
        last = Decimal(match["high"].replace(",", ".")) * count
        is_below = kind == "range" and match["under"]
        return least, int(last.to_integral_value(ROUND_CEILING)) - 1 if is_below else int(last)
    if kind in ("up-to", "or-less"):
        return FROM_LEAST, most
    if kind == "up-below":
        return FROM_LEAST, least - 1
    return (most + 1 if kind == "from-above" else least), (least if kind == "alone" else None)


def _label(text: str, start: int, end: int) -> str:
    """Return the name of a span: after it, or before it with a colon."""
    behind = _LABEL_BEHIND.match(text, end)
    label = _DASH.split(behind["label"].strip(" :=–—-()（）~|"))[0].strip(" |") if behind else ""
    before = _BEFORE.search(text[max(0, start - 70) : start])
    name = COLON.split(before["label"])[-1].strip(" \n") if before else ""
    name = "" if ABOUT_SCORE.search(name) or "~" in name else name
    label = label or name
    is_named = before is not None and name != "" and before[0].rstrip()[-1:] in ":：=＝(（"
    is_short = not is_named and len(label.split(" ")[-1]) < LEAST_LETTERS
    if is_short and (other := _BEHIND_COMMA.match(text, behind.end() if behind else end)):
        label = other["label"].strip()
    return label


def ranges_in(text: str) -> list[tuple[int, int, str]]:
    """Return the ranges of a line that follow each other, with their labels; none if they do not.

    Examples
    --------
    >>> ranges_in("Items 1 to 9: 0-4 low, 5-27 high"), ranges_in("0-4 low, 6-27 high")
    ([(0, 4, 'low'), (5, 27, 'high')], [])
    """
    text = with_ranges(text)
    closed = [each for each in spans_in(text) if each.high is not None and each.low >= 0 and not each.is_weak]
    chain = _chain(closed)
    found = [(low, high or 0, label) for low, high, label in _named_steps(text, chain)]
    return found if len(chain) > 1 or len(closed) == 1 else []


def _named_steps(text: str, chain: Sequence[Span]) -> list[tuple[int, int | None, str]]:
    """Return the ends of spans with their names, which may all be before them: *LOW 0-7  HIGH 8-15*."""
    found = [(each.low, each.high, each.label) for each in chain]
    are_closed = all(each.high is not None and each.low >= 0 for each in chain)
    if len(chain) < 2 or chain[-1].label or not are_closed:
        return found
    names = _names_before(text, chain) or [each.label for each in chain]
    return [(low, high, name) for (low, high, _label), name in zip(found, names, strict=True)]


def _names_before(text: str, chain: Sequence[Span]) -> list[str]:
    """Return the names before ranges, if each has one: *LOW 0-7  HIGH 8-15*."""
    starts = [0, *(span.end for span in chain[:-1])]
    pieces = [PARTS.split(text[start : span.start])[-1] for start, span in zip(starts, chain, strict=True)]
    names = [COLON.split(piece.strip(" \n•,;:=–—-()（）"))[-1].strip() for piece in pieces]
    is_end = not LETTER.search(text[chain[-1].end :])
    return names if is_end and all(map(LETTER.search, names)) else []


def _chain(spans: Sequence[Span]) -> list[Span]:
    """Return the longest chain of spans that follow each other; none unless it explains all others."""
    spans = _with_ends(_with_starts(spans))
    chain = _longest_chain(spans)
    if all(span.is_weak for span in chain):
        return []
    first = min(spans, key=lambda span: span.start)
    # The numbers of the items that are added up: "items 1 to 9: 0-4 low, 5-9 high".
    is_of_items = first.high is not None and len(chain) > 1
    others = [span for span in spans if not (is_of_items and span is first)]
    return chain if all(_repeats(span, chain) for span in others) else []


def _longest_chain(spans: Sequence[Span]) -> list[Span]:
    """Return the longest chain of spans that follow each other, preferably not only of weak ones."""
    best: dict[Span, list[Span]] = {}
    for span in sorted(spans, key=lambda each: (each.low, each.high is None)):
        before = [
            chain for last, chain in best.items() if last.high is not None and last.high + 1 == span.low
        ]
        best[span] = [*max(before, key=len, default=[]), span]
    return max(
        best.values(),
        key=lambda chain: (
            not all(span.is_weak for span in chain),
            len(chain),
            sum(span.high is not None for span in chain),
        ),
        default=[],
    )


def _repeats(span: Span, chain: Sequence[Span]) -> bool:
    """Return whether a span is weak, is in a chain, contains it, or repeats one of its limits."""
    if span in chain or span.is_weak:
        return True
    if span.high is None:
        return span.low in {each.low for each in chain}
    low, high = chain[0].low, chain[-1].high
    contains = span.low <= max(low, 0) and (high is None or span.high >= high)
    return contains or (span.low == FROM_LEAST and span.high in {each.high for each in chain})


def _with_starts(spans: Sequence[Span]) -> list[Span]:
    """Return spans of which the first is open: *up to 5, up to 11, above 11*; each ends another level."""
    opened = {span.high: span for span in reversed(spans) if span.low == FROM_LEAST}
    ends = sorted(end for end in opened if end is not None)
    if len({span.label.casefold() for span in opened.values()}) < len(ends):
        return [*spans]
    starts = {end: before + 1 for before, end in pairwise(ends)}
    return [
        replace(span, low=starts[span.high]) if span.low == FROM_LEAST and span.high in starts else span
        for span in spans
    ]


def _with_ends(spans: Sequence[Span]) -> list[Span]:
    """Return spans of which the last is open: *below 3, from 3, from 6*; each begins another level."""
    starts = sorted({span.low for span in spans if span.high is None})
    names = {span.label.casefold() for span in spans if span.high is None}
    is_led = any(span.high is not None and [span.high + 1] == starts[:1] for span in spans)
    if not is_led or len(names) < len(starts):
        return [*spans]
    ends = dict(pairwise(starts))
    return [
        replace(span, high=ends[span.low] - 1) if span.high is None and span.low in ends else span
        for span in spans
    ]


def _rule_of(text: str) -> str:
    """Return a rule without its statements that reverse items or state a key."""
    # A statement does not continue after a line that states levels.
    lines = with_ranges(text).split("\n")
    text = WRAPPED.sub(" ", "\n".join(line + ";" * (len(spans_in(line)) > 1) for line in lines))
    # After a colon, a statement that reverses items may continue with the levels.
    statements = [
        said.rpartition(":")[2]
        if REVERSED.search(said)
        else without_key(said)
        if key_in(said, is_rule=True)
        else said
        for said in STATEMENTS.split(text)
        if said and not ITEM_KEY.search(said)
    ]
    return "; ".join(said for said in statements if not REVERSED.search(said))


def steps_in(text: str, count: int = 0) -> list[tuple[int, int | None, str]]:
    """Return the spans of a rule that follow each other, sorted; the last may be open at its top."""
    text = _rule_of(text)
    spans = spans_in(text, count)
    chain = _chain(spans)
    found = _named_steps(text, chain)
    return (
        _with_first(found, RANGE.sub(" ", text))
        if found and any(each.high is not None for each in chain)
        else []
    )


def _with_first(steps: Sequence[tuple[int, int | None, str]], text: str) -> list[tuple[int, int | None, str]]:
    """Return levels with the first one, if only its end is stated in words of another language."""
    start, end, _name = steps[0]
    if start < 1 or start == end:
        return [*steps]
    for match in _LONE.finditer(text):
        if int(match["sum"]) in (start - 1, max(start, 2)) and match["label"].strip("~ "):
            return [(FROM_LEAST, start - 1, match["label"].strip(" :=–—-()（）")), *steps]
    return [*steps]


def levels_in(text: str, count: int = 0) -> list[tuple[int | None, str]]:
    """Return the start of each level with its label, the first without a start; none if there is no rule.

    Examples
    --------
    >>> levels_in("Total: 0-4 low, 5-9 middle, 10-27 high")
    [(None, 'low'), (5, 'middle'), (10, 'high')]
    >>> levels_in("4 to 7: some risk; 8 or more: high risk; 0 to 3: no risk")
    [(None, 'no risk'), (4, 'some risk'), (8, 'high risk')]
    >>> levels_in("A score of 10 or more is a positive screen")
    [(None, ''), (10, '')]
    >>> levels_in("6: none; 7 to 12: some; 13 to 18: much")
    [(None, 'none'), (7, 'some'), (13, 'much')]
    >>> levels_in("4分以下：低；4分到6分：中；6分以上（不含6分）：高")
    [(None, '低'), (4, '中'), (7, '高')]
    >>> levels_in("A total of 10 or less needs help")
    [(None, 'needs help'), (11, '11+')]
    >>> levels_in("0-4 low, 5-9 high. 5 or more: see a doctor. Range 0-9")
    [(None, 'low'), (5, 'high')]
    """
    steps = steps_in(text, count)
    if len(steps) > 1:
        starts = [None, *(low for low, _high, _label in steps[1:])]
        return [
            (start, _named(label) or (f"{low}+" if high is None else f"{max(low, 0)}–{high}"))
            for start, (low, high, label) in zip(starts, steps, strict=True)
        ]
    spans = [each for each in spans_in(_rule_of(text), count) if not each.is_weak]
    cuts = sorted({each.low: each for each in reversed(spans) if each.high is None}.items())
    closed = [each for each in spans if each.high is not None]
    if not cuts and len(closed) == 1 and closed[0].low == FROM_LEAST and closed[0].label:
        start = (closed[0].high or 0) + 1
        return [(None, _named(closed[0].label)), (start, f"{start}+")]
    # A single range around the cut-offs contains all sums.
    if not cuts or len(closed) > 1 or not all(each.low < cuts[0][0] <= (each.high or 0) for each in closed):
        return []
    names = [_named(each.label) for _low, each in cuts]
    if len(cuts) > 1 and all(map(_is_name, names)) and not repeats(names):
        return [
            (None, f"0–{cuts[0][0] - 1}"),
            *((low, name) for (low, _each), name in zip(cuts, names, strict=True)),
        ]
    return [(None, ""), (cuts[0][0], "")]


def without_levels(text: str, limits: Collection[int] = (), count: int = 0) -> str:
    """Return a statement without the sums that it names as limits of levels.

    Parameters
    ----------
    text : str
    limits : collection of int
        The sums that are limits.
    count : int
        Number of items whose mean the limits are about; 0 for limits of a sum.

    Examples
    --------
    >>> without_levels("5-9 low, 10 or more high, 4 none; see page 3", {4, 5, 9, 10}).split()
    ['low,', 'high,', 'none;', 'see', 'page', '3']
    """
    text = with_ranges(text)
    for span in reversed(spans_in(text, count)):
        if {span.low, span.high} - {FROM_LEAST, None} <= {*limits}:
            text = f"{text[: span.start]} {text[span.end :]}"
    return _LONE.sub(
        lambda match: match[0].replace(match["sum"], " ") if int(match["sum"]) in limits else match[0], text
    )


def _named(label: str) -> str:
    """Return the name of a level without a verb before it, as in *means high*."""
    verb = _MEANS.match(label)
    rest = label[verb.end() :] if verb else ""
    return rest if rest and ((verb and verb[0][-1:].isspace()) or HAN.match(label)) else label


def _is_name(label: str) -> bool:
    """Return whether words next to a cut-off may name its level; Chinese names are shorter."""
    return len(label) >= (len("轻度") if HAN.match(label) else LEAST_LETTERS)


def ends_in(text: str, count: int = 0) -> tuple[int, int | None] | None:
    """Return the least and the largest sum of the ranges in a text; None unless it states at least two.

    Examples
    --------
    >>> ends_in("0-4 low, 5-9 middle, 10-27 high"), ends_in("0-4 low, 5 or more high"), ends_in("10 or more")
    ((0, 27), (0, None), None)
    """
    steps = steps_in(text, count)
    return (steps[0][0], steps[-1][1]) if len(steps) > 1 else None
