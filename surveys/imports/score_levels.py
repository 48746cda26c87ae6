"""Levels of a sum of points that a text states: ranges that follow each other, or one cut-off."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final

from surveys.imports.answer_keys import key_in
from surveys.imports.cues import ABOUT_SCORE, REVERSED, pattern_of
from surveys.imports.item_names import SPAN
from surveys.imports.legends import ITEM_KEY
from surveys.imports.patterns import HAN, LETTER, NUMBER, STATEMENTS, WRAPPED

_MEANS: Final = pattern_of("means-level")
"""A verb between a level's range and its name."""
OR_MORE: Final = pattern_of("or-more")
RANGE: Final = re.compile(
    rf"(?<![\d.]){SPAN}(?!\d|\.\d)"
    r"(?P<more>\s?(?:points?|punkte?|puntos|pontos|punti|балл\w{0,2}|分))?\s?[=:：–-]?\s?(?P<after>[^,;.，；。\d]{0,60})",
    re.IGNORECASE,
)
_RANGE_ONLY_SUMS: Final = re.compile(rf"(?<![\d.]){SPAN}(?!\d|\.\d)", re.IGNORECASE)
_BETWEEN: Final = re.compile(
    r"\b(?:between|zwischen|entre|tra|między|между)\s(?P<low>\d{1,3})\s(?:and|und|et|y|e|i|и)\s(?=\d{1,3}\b)",
    re.IGNORECASE,
)
"""A range in words: *between 0 and 4*."""
_RANGE_BEHIND: Final = re.compile(
    r"(?:[^\W\d]{1,8}\s)?" + RANGE.pattern.split(r"(?P<more>")[0], re.IGNORECASE
)
"""A range and the preposition in front of it: *from 0 to 20*."""
_BEFORE: Final = re.compile(r"(?:^|[,;.，；。])\s?(?P<label>[^,;.，；。\d]{2,60}?)\s?[=:：(（]?\s?$")
PARTS: Final = re.compile(r"[.。;；)）]\s?")
_BEHIND_COMMA: Final = re.compile(r"\s?[,，]\s?(?P<label>[^,;.，；。\d]{2,60})")
COLON: Final = re.compile(r"[:：]")
_SINGLE: Final = re.compile(
    r"(?:^|[:：;；,，.。]\s?)(?P<sum>\d{1,3})\s?(?:分|points?|punkte?|puntos?|pontos?)?\s?[=＝:：]\s?(?P<label>[^,;.，；。\d]{2,60})"
)
"""A level of one sum: *0 = safe*."""
_DASH: Final = re.compile(r"\s[–—-]\s")
LEAST_LETTERS: Final = 4
"""Letters of a label's last word; fewer are a preposition in front of the range: *from 0 to 4, low*."""
LEAST_RANGES: Final = 2
FROM_LEAST: Final = -1
"""The start of a level that begins with the least sum."""
_CLAUSE_START: Final = (
    r"(?:^|(?<=[;.。；,，:：\n]))\s?(?:(?!item|frage|question)[^\W\d]{1,12}\s|[≤<]\s?=?\s?){0,4}?"
)
_TWO_SUMS: Final = re.compile(
    rf"{_CLAUSE_START}(?P<low>\d{{1,3}})\s?(?:[/、或]|\s(?:or|oder|ou|o|и|или|and|und|et|y|e)\s)\s?(?P<high>\d{{1,3}})(?![\d.])"
    r"\s?[=:：–-]?\s?(?P<label>[^,;.，；。\d]{1,60})",
    re.IGNORECASE,
)
"""Two sums with a word between, at the beginning of a clause."""
_LONE: Final = re.compile(
    rf"{_CLAUSE_START}(?P<sum>\d{{1,3}})(?!\d|[.,]\d|\s?[–—~～-]\s?\d)(?:\s?[^\W\d]{{1,8}}(?=\s?[=:：,，–-]))?"
    r"\s?[=:：–-]?\s?(?P<label>[^,;.，；。\d]{1,60})",
    re.IGNORECASE,
)
"""A single sum at the beginning of a clause, and the name of its level."""
MORE_THAN: Final = re.compile(
    rf"(?:{pattern_of('gap-more-than').pattern}|[>＞]"
    r"|\b(?:above|über|oltre|acima de|por encima de|au-dessus de|выше|свыше)|高于|大于)"
    r"\s?(?P<sum>\d{1,3})(?![\d]|[.,]\d)",
    re.IGNORECASE,
)
"""A level of all sums above one: *more than 15*."""
_IN_DECIMAL: Final = re.compile(r"\d[.,]")
_UNIT: Final = re.compile(r"(?<=\d)\s?[^\W\d_]{1,4}\.(?=\s)")
"""An abbreviated unit after a sum: *0-3 P.*."""
_DECIMAL: Final = re.compile(r"[.,]\d")
_LABEL_BEHIND: Final = re.compile(
    r"(?:\s?[(（][^()（）]{1,20}[)）])?(?:\s?[^\W\d_]{1,10}(?=[:：]))?\s?[=:：,，–-]?\s?(?P<label>[^,;.，；。\d–]{2,60})"
)
"""What an open range at the top means."""


def with_ranges(text: str) -> str:
    """Return a text whose ranges in words are written with a dash: *between 0 and 4* is *0-4*."""
    return _BETWEEN.sub(r"\g<low>-", text)


def ranges_in(text: str) -> list[tuple[int, int, str]]:
    """Return the ranges of a line that follow each other, with their labels; none if they do not.

    Examples
    --------
    >>> ranges_in("Items 1 to 9: 0-4 low, 5-27 high"), ranges_in("0-4 low, 6-27 high")
    ([(0, 4, 'low'), (5, 27, 'high')], [])
    """
    found = []
    text = _UNIT.sub(" ", text)
    for match in RANGE.finditer(text):
        before = _BEFORE.search(text[max(0, match.start() - 70) : match.start()])
        name = COLON.split(before["label"])[-1].strip() if before else ""
        name = "" if ABOUT_SCORE.search(name) else name
        label = _DASH.split(match["after"].strip(" :=–—-()（）"))[0] or name
        is_named = before is not None and name != "" and before[0].rstrip()[-1:] in ":：=＝(（"
        is_short = not is_named and len(label.split(" ")[-1]) < LEAST_LETTERS
        if is_short and (behind := _BEHIND_COMMA.match(text, match.end())):
            label = behind["label"].strip()
        found.append((int(match["low"]), int(match["high"]), label))
    if len(found) > 1 and not found[-1][2] and len(named := _names_before(text)) == len(found):
        found = [(low, high, name) for (low, high, _label), name in zip(found, named, strict=True)]
    if len(found) > LEAST_RANGES and found[0][1] + 1 != found[1][0]:
        # The numbers of the items that are added up: "items 1 to 9: 0-4 low, 5-9 high".
        found = found[1:]
    follow = all(first[1] + 1 == second[0] for first, second in pairwise(found))
    return found if follow and all(low <= high for low, high, _label in found) else []


def _names_before(text: str) -> list[str]:
    """Return the names before ranges, if each has one: *LOW 0-7  HIGH 8-15*."""
    marks = [*_RANGE_ONLY_SUMS.finditer(text)]
    if not marks:
        return []
    starts = [0, *(mark.end() for mark in marks[:-1])]
    pieces = [PARTS.split(text[start : mark.start()])[-1] for start, mark in zip(starts, marks, strict=True)]
    names = [COLON.split(piece.strip(" ,;:=–—-()（）"))[-1].strip() for piece in pieces]
    is_end = not LETTER.search(text[marks[-1].end() :])
    return names if is_end and all(map(LETTER.search, names)) else []


def steps_in(text: str) -> list[tuple[int, int | None, str]]:
    """Return the ranges of a rule that follow each other, sorted; the last may be open at its top."""
    text = _UNIT.sub(" ", WRAPPED.sub(" ", text))
    # After a colon, a statement that reverses items may continue with the levels.
    statements = [
        said.rpartition(":")[2] if REVERSED.search(said) else said
        for said in STATEMENTS.split(text)
        if said and not (ITEM_KEY.search(said) or key_in(said, is_rule=True))
    ]
    text = with_ranges("; ".join(said for said in statements if not REVERSED.search(said)))
    if ranges := ranges_in(text):
        found: list[tuple[int, int | None, str]] = [*ranges]
    else:
        found = [
            (int(match["low"]), int(match["high"]), match["after"].strip(" :=–—-()（）"))
            for match in RANGE.finditer(text)
        ]
    if found:
        found += [
            (int(match["sum"]), int(match["sum"]), match["label"].strip(" :=–—-()（）"))
            for match in _SINGLE.finditer(RANGE.sub(lambda match: "~" * len(match[0]), text))
        ]
    outside = RANGE.sub(lambda match: match["after"] or "", text)
    found += _open_steps(outside)
    found += _neighbours(outside, found)
    found = _with_first(found, outside)
    found = sorted(set(found), key=lambda step: (step[0], step[1] is None))
    follow = all(first[1] is not None and first[1] + 1 == second[0] for first, second in pairwise(found))
    return found if follow and all(high is None or low <= high for low, high, _label in found) else []


def _open_steps(text: str) -> list[tuple[int, int | None, str]]:
    """Return the levels that have no upper limit: *10 or more*; decimals are not sums."""
    found: list[tuple[int, int | None, str]] = []
    for match in OR_MORE.finditer(text):
        numbers = NUMBER.findall(match[0])
        if len(numbers) == 1 and not _is_decimal(match):
            found.append((int(numbers[0]), None, _label_behind(match)))
    for match in MORE_THAN.finditer(text):
        if not any(
            match.start() < other.end() and other.start() < match.end() for other in OR_MORE.finditer(text)
        ):
            found.append((int(match["sum"]) + 1, None, _label_behind(match)))
    return found


def _is_decimal(match: re.Match[str]) -> bool:
    """Return whether a number is part of a decimal, which is not a sum."""
    before = match.string[max(match.start() - 2, 0) : match.start()]
    return bool(_DECIMAL.match(match.string, match.end()) or _IN_DECIMAL.fullmatch(before))


def _label_behind(match: re.Match[str]) -> str:
    label = _LABEL_BEHIND.match(match.string, match.end())
    return label["label"].strip() if label else ""


def _neighbours(text: str, steps: Sequence[tuple[int, int | None, str]]) -> list[tuple[int, int | None, str]]:
    """Return the levels of two sums with a word between, next to another level: *0-2 low, 3 or 4 middle*."""
    ends = {high + 1 for _low, high, _label in steps if high is not None}
    starts = {low - 1 for low, _high, _label in steps}
    return [
        (int(match["low"]), int(match["high"]), match["label"].strip(" :=–—-()（）"))
        for match in _TWO_SUMS.finditer(text)
        if int(match["high"]) == int(match["low"]) + 1
        and (int(match["low"]) in ends or int(match["high"]) in starts)
    ]


def _with_first(steps: Sequence[tuple[int, int | None, str]], text: str) -> list[tuple[int, int | None, str]]:
    """Return levels with the first one, if only its end is stated: *up to 14*, *below 15*."""
    start = min((low for low, _high, _label in steps), default=0)
    spans = [step for step in steps if step[1] is not None]
    if not spans or not start:
        return [*steps]
    for match in _LONE.finditer(text):
        if int(match["sum"]) in (start - 1, max(start, 2)) and not OR_MORE.match(text, match.start()):
            return [(FROM_LEAST, start - 1, match["label"].strip(" :=–—-()（）")), *steps]
    return [*steps]


def levels_in(text: str) -> list[tuple[int | None, str]]:
    """Return the start of each level with its label, the first without a start; none if there is no rule.

    Examples
    --------
    >>> levels_in("Total: 0-4 low, 5-9 middle, 10-27 high")
    [(None, 'low'), (5, 'middle'), (10, 'high')]
    >>> levels_in("4 to 7: some risk; 8 or more: high risk; 0 to 3: no risk")
    [(None, 'no risk'), (4, 'some risk'), (8, 'high risk')]
    >>> levels_in("A score of 10 or more is a positive screen")
    [(None, ''), (10, '')]
    """
    steps = steps_in(text)
    if len(steps) > 1:
        starts = [None, *(low for low, _high, _label in steps[1:])]
        return [
            (start, _named(label) or (f"{low}+" if high is None else f"{max(low, 0)}–{high}"))
            for start, (low, high, label) in zip(starts, steps, strict=True)
        ]
    cuts = sorted(dict.fromkeys(_open_steps(_RANGE_BEHIND.sub(" ", text))))
    spans = [(int(each["low"]), int(each["high"])) for each in RANGE.finditer(text)]
    # A single range around the cut-offs contains all sums.
    if not cuts or len(spans) > 1 or not all(low < cuts[0][0] <= high for low, high in spans):
        return []
    names = [_named(label) for _low, _high, label in cuts]
    if len(cuts) > 1 and all(len(name) >= LEAST_LETTERS for name in names) and len({*names}) == len(names):
        return [
            (None, f"0–{cuts[0][0] - 1}"),
            *((low, name) for (low, _, _), name in zip(cuts, names, strict=True)),
        ]
    return [(None, ""), (cuts[0][0], "")]


def without_levels(text: str, limits: Collection[int]) -> str:
    """Return a statement without the sums that it names as limits of levels.

    Examples
    --------
    >>> without_levels("5-9 low, 10 or more high, 4 none; see page 3", {4, 9}).split()
    ['low,', 'high,none;', 'see', 'page', '3']
    """
    text = with_ranges(text)
    for pattern in (_RANGE_ONLY_SUMS, OR_MORE, MORE_THAN):
        text = pattern.sub(" ", text)
    for pattern in (_TWO_SUMS, _LONE):
        text = pattern.sub(
            lambda match: match["label"] if {*map(int, NUMBER.findall(match[0]))} <= {*limits} else match[0],
            text,
        )
    return text


def _named(label: str) -> str:
    """Return the name of a level without a verb before it, as in *means high*."""
    verb = _MEANS.match(label)
    rest = label[verb.end() :] if verb else ""
    return rest if rest and ((verb and verb[0][-1:].isspace()) or HAN.match(label)) else label


def ends_in(text: str) -> tuple[int, int | None] | None:
    """Return the least and the largest sum of the ranges in a text; None unless it states at least two.

    Examples
    --------
    >>> ends_in("0-4 low, 5-9 middle, 10-27 high"), ends_in("0-4 low, 5 or more high"), ends_in("10 or more")
    ((0, 27), (0, None), None)
    """
    steps = steps_in(text)
    return (steps[0][0], steps[-1][1]) if len(steps) > 1 else None
