"""Lines of a pasted text that say how answers are scored: ranges of a sum, or one cut-off.

Such a line is never an answer: "0-7 low, 8-15 high", "a score of 10 or more", "items 4 and 7 are reversed".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final

from surveys.imports.answer_keys import key_in
from surveys.imports.cues import pattern_of
from surveys.imports.gap_rules import is_about_gaps, says_gaps
from surveys.imports.item_names import SPAN
from surveys.imports.legends import ITEM_KEY, legend_of, points_of_letters
from surveys.imports.patterns import HAN, LETTER, NUMBER, SPACE_TO_WRITE, STATEMENTS, WRAPPED
from surveys.imports.question_marks import SIGN_OF_QUESTION, asks
from surveys.imports.source_lines import SCORING, SourceLine

_CUE: Final = pattern_of("scoring")
_WEAK_CUE: Final = pattern_of("scoring-weak")
REVERSED: Final = pattern_of("reversed")
REVERSED_MARK: Final = pattern_of("reversed-item")
"""The mark of one reversed item."""
_MEANS: Final = pattern_of("means-level")
"""A verb between a level's range and its name."""
_LEAST_WORDS: Final = 2
SIGN_OF_ITEM: Final = re.compile(
    r"(?:(?<!\w)(?:[(（\[][^\s\d()（）\[\]]{1,3}[)）\]]|[°+–−-]{1,3}(?![\w*＊]))|[*＊†‡§#^]{1,3}(?![\w*＊]))"
)
"""A sign that some items have, such as *, (-) or (i): it may say that their points are reversed."""
_SAID_SIGN: Final = re.compile(
    r"(?<!\w)(?:[(（\[][^\s\d()（）\[\]]{1,3}[)）\]]|[*＊†‡§#°^])|^\W{0,3}[+–−-]\s?[=:：]"
)
"""Such a sign in a statement, where dashes also separate words."""
_OR_MORE: Final = pattern_of("or-more")
_RANGE: Final = re.compile(
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
    r"(?:[^\W\d]{1,8}\s)?" + _RANGE.pattern.split(r"(?P<more>")[0], re.IGNORECASE
)
"""A range and the preposition in front of it: *from 0 to 20*."""
_RANGE_FIRST: Final = re.compile(r"[^\W\d]{1,6}\s" + _RANGE.pattern, re.IGNORECASE)
"""A range behind one word: *from 0 to 3*."""
_BEFORE: Final = re.compile(r"(?:^|[,;.，；。])\s?(?P<label>[^,;.，；。\d]{2,60}?)\s?[=:：(（]?\s?$")
_PARTS: Final = re.compile(r"[.。;；)）]\s?")
_CUE_OR_SUM: Final = re.compile(rf"{_CUE.pattern}|{_WEAK_CUE.pattern}", re.IGNORECASE)
_ENDED: Final = re.compile(r"[.!?。！？:：]\s*$")
_BEHIND_COMMA: Final = re.compile(r"\s?[,，]\s?(?P<label>[^,;.，；。\d]{2,60})")
_COLON: Final = re.compile(r"[:：]")
_SINGLE: Final = re.compile(
    r"(?:^|[:：;；,，.。]\s?)(?P<sum>\d{1,3})\s?(?:分|points?|punkte?|puntos?|pontos?)?\s?[=＝:：]\s?(?P<label>[^,;.，；。\d]{2,60})"
)
"""A level of one sum: *0 = safe*."""
_DASH: Final = re.compile(r"\s[–—-]\s")
_LEAST_LETTERS: Final = 4
"""Letters of a label's last word; fewer are a preposition in front of the range: *from 0 to 4, low*."""
_LEAST_RANGES: Final = 2
_ITEM_NUMBER: Final = pattern_of("item-number", behind=r"\s?\d")
_LONGEST_HEADING: Final = 40
_SENTENCE_END: Final = re.compile(r"[?？.。]")
_NAMED: Final = re.compile(r"[^\W\d]{2}")
_HEAD_END: Final = re.compile(r"[:：)）\w]$")
"""A heading of a rule: a few words without a full stop."""
_AMONG_AMOUNTS: Final = re.compile(r"\d\D{0,20}[/|｜]\s?\d")
"""A stroke between ranges: they are answers."""
_STATED_POINTS: Final = re.compile(r"[(（\[=＝]\s?\d{1,2}(?!\d)")
_RANGE_ONLY: Final = re.compile(r"^\d{1,3}\D{1,6}\d{1,3}")
_LEAST_STATED: Final = 4
"""Answers whose points a text states, if ranges in it may be levels of a sum."""
_MOST_HEADING_WORDS: Final = 4
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
_MORE_THAN: Final = re.compile(
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
_ANY_NUMBER: Final = re.compile(r"\d")


def mark_scoring(lines: list[SourceLine]) -> list[SourceLine]:
    """Give the lines that say how answers are scored their role.

    Parameters
    ----------
    lines : list of SourceLine
        Lines that are not blank.

    Examples
    --------
    >>> from surveys.imports.source_lines import read_line
    >>> texts = ["1. Sad? ", "(0) Never (1) Often", "Total score: 0-4 low, 5-9 high", "Item 2 is reversed."]
    >>> lines = mark_scoring([read_line(n, text, has_gap=False) for n, text in enumerate(texts)])
    >>> [line.role for line in lines]
    ['', '', 'scoring', 'scoring']
    """
    ranges = [_is_range_row(line) for line in lines]
    named = _named_ranges(lines)
    cued = False
    for place, line in enumerate(lines):
        beside = any(0 <= near < len(lines) and ranges[near] for near in (place - 1, place + 1))
        # Ranges may also be answers: their table has a heading with a cue.
        cued = cued if ranges[place] and place else _CUE_OR_SUM.search(line.text) is not None
        # The line above rows of ranges need not have a number.
        heads = place + 2 < len(lines) and ranges[place + 1] and ranges[place + 2] and cued
        if line.role:
            continue
        is_bare = line.mark is None or line.mark.shape == "indent" or line.mark.kind == "hash"
        is_sum = is_bare and bool(_CUE_OR_SUM.search(line.text) and SPACE_TO_WRITE.search(line.text))
        is_rest = _goes_on(lines[place - 1] if place else None, line)
        is_row = (ranges[place] and beside and cued) or place in named
        is_rule = is_row or heads or is_scoring(line.text) or _begins_key(line, lines[place + 1 : place + 2])
        is_named = place in named or ITEM_KEY.match(line.text) is not None
        is_asking = (is_asked(line) and not is_named) or (
            not (is_row or _is_headed(line.text)) and _explains(line.text)
        )
        if is_rest or is_sum or (is_rule and not is_asking):
            line.give(SCORING)
    _mark_headed(lines)
    _mark_levels(lines)
    _mark_beside(lines)
    return lines


def _is_headed(text: str) -> bool:
    """Return whether a line begins with a few words about scoring and a colon."""
    head, *rest = _COLON.split(text, maxsplit=1)
    return bool(rest) and len(head.split()) <= _MOST_HEADING_WORDS and _CUE.search(head) is not None


def _mark_headed(lines: Sequence[SourceLine]) -> None:
    """Give a heading about scoring and the line below it their role, unless a question follows."""
    last_asked = max((place for place, line in enumerate(lines) if is_asked(line)), default=-1)
    for place, (line, below) in enumerate(pairwise(lines)):
        words = line.text.split()
        is_heading = len(words) <= _MOST_HEADING_WORDS and _CUE.search(words[-1]) and not asks(line.text)
        if place > last_asked and is_heading and (below.role == SCORING or _explains(below.text)):
            line.give(SCORING)
            below.give(SCORING)


def _mark_levels(lines: Sequence[SourceLine]) -> None:
    """Give the lines below a scoring line their role if each states a level: *up to 12: low*, *13+: high*."""
    for place, line in enumerate(lines):
        end = place + 1
        while (
            line.role == SCORING
            and end < len(lines)
            and not (lines[end].role or lines[end].has_gap or asks(lines[end].text) or is_asked(lines[end]))
            and _ANY_NUMBER.search(lines[end].text)
        ):
            end += 1
        rest = lines[place + 1 : end]
        if len(rest) > 1 and len(levels_in("\n".join(each.text for each in rest))) == len(rest):
            for each in rest:
                each.give(SCORING)


def _mark_beside(lines: Sequence[SourceLine]) -> None:
    """Give lines next to scoring lines their role: a heading, or rules that have no cue."""
    for place in [*range(1, len(lines)), *range(len(lines) - 2, -1, -1)]:
        line = lines[place]
        above = lines[place - 1] if place else None
        below = lines[place + 1] if place + 1 < len(lines) else None
        is_below = above is not None and above.role == SCORING and not line.has_gap
        is_above = below is not None and below.role == SCORING and not below.has_gap
        if line.role or not (is_below or is_above) or asks(line.text) or is_asked(line):
            continue
        is_bare = line.mark is None or line.mark.kind == "hash" or line.mark.is_weak
        is_rule = bool(_CUE_OR_SUM.search(line.text) and _ANY_NUMBER.search(line.text)) or is_about_gaps(
            line.text
        )
        is_rule = is_rule or bool(REVERSED.search(line.text) or (is_below and _ITEM_NUMBER.search(line.text)))
        is_heading = is_above and line.has_gap and len(line.text) <= _LONGEST_HEADING and _may_head(line.text)
        if is_bare and not _explains(line.text) and (is_rule or is_heading):
            line.give(SCORING)


def _may_head(text: str) -> bool:
    """Return whether a text ends like a heading: with words that no sign of a sentence follows."""
    last = _SENTENCE_END.split(text)[-1]
    return _NAMED.search(last) is not None and _HEAD_END.search(last) is not None


def _begins_key(line: SourceLine, below: Sequence[SourceLine]) -> bool:
    """Return whether a line begins a key that the next line ends."""
    is_open = _WEAK_CUE.search(line.text) is not None and _ENDED.search(line.text) is None
    return is_open and any(
        not each.has_gap and key_in(f"{line.text} {each.text}") is not None for each in below
    )


def _named_ranges(lines: Sequence[SourceLine]) -> set[int]:
    """Return the places of ranges that follow each other and have names of their own, in a text with points.

    The line above them is not a question, so they are not answers.
    """
    if sum(len(_STATED_POINTS.findall(line.text)) for line in lines) < _LEAST_STATED:
        return set()
    found: set[int] = set()
    run: list[int] = []
    levels = [None if line.role else _RANGE.match(line.text) for line in lines]
    for place, match in enumerate([*levels, None]):
        before = levels[run[-1]] if run else None
        if match and before and int(before["high"]) + 1 == int(match["low"]) and not lines[place].has_gap:
            run.append(place)
            continue
        names = {_RANGE_ONLY.sub("", lines[at].text, count=1).strip(" :：–-=").casefold() for at in run}
        is_below_question = bool(run) and run[0] > 0 and asks(lines[run[0] - 1].text)
        is_named = all(len(name) >= _LEAST_LETTERS for name in names) and len(names) == len(run)
        if len(run) > 1 and is_named and not (is_below_question and not lines[run[0]].has_gap):
            found.update(run)
        run = [place] if match else []
    return found


def _goes_on(above: SourceLine | None, line: SourceLine) -> bool:
    """Return whether a line is the rest of a rule for scores that is written over several lines."""
    if (
        above is None
        or above.role != SCORING
        or line.has_gap
        or asks(line.text)
        or not _ANY_NUMBER.search(above.text)
    ):
        return False
    return not _ENDED.search(above.text) and not (line.mark and line.mark.kind == "letter")


def is_asked(line: SourceLine) -> bool:
    """Return whether a line is numbered or ends with a question mark."""
    is_numbered = (
        line.mark is not None
        and line.mark.kind == "count"
        and not line.mark.is_weak
        and line.mark.points is None
        and not _RANGE_FIRST.match(line.text)
    )
    return is_numbered or asks(line.text)


def is_scoring(text: str) -> bool:
    """Return whether a line says how answers are scored.

    Examples
    --------
    >>> [is_scoring(text) for text in ("0-7 low; 8-15 high", "Score 5 or more: high", "5 or more times")]
    [True, True, False]
    """
    if says_gaps(text):
        return True
    if ITEM_KEY.match(text):
        return True
    text = _with_ranges(_without_item_mark(text))
    if not _ANY_NUMBER.search(text):
        return bool(REVERSED.search(text) and _SAID_SIGN.search(text))
    if len(points_of_letters(text)) > 2 or key_in(text) is not None:
        return True
    if _CUE.search(text) or REVERSED.search(text):
        return True
    if (ranges := ranges_in(text)) and len(ranges) > 1:
        # Amounts among which to choose: "0-2 / 3-5 / more". Levels have names of their own.
        asked = SIGN_OF_QUESTION.search(text)
        is_list = asked is not None and _RANGE.search(text, asked.start()) is not None
        is_list = is_list or _AMONG_AMOUNTS.search(text) is not None
        names = {label.strip(" /|").casefold() for _low, _high, label in ranges}
        if not is_list and all(names) and len(names) == len(ranges):
            return True
    names = {label.casefold() for _low, _high, label in _steps_in(text)}
    if not SIGN_OF_QUESTION.search(text) and len(names) > _LEAST_RANGES and all(map(LETTER.search, names)):
        return True
    is_limit = ranges_in(text) or _OR_MORE.search(text) or _MORE_THAN.search(text)
    return _WEAK_CUE.search(text) is not None and bool(is_limit)


def _with_ranges(text: str) -> str:
    """Return a text whose ranges in words are written with a dash: *between 0 and 4* is *0-4*."""
    return _BETWEEN.sub(r"\g<low>-", text)


def _without_item_mark(text: str) -> str:
    """Return an item without its own mark of reversed points; a line that names items by number keeps it."""
    bare = REVERSED_MARK.sub("", text)
    words = [word for word in bare.split() if LETTER.search(word)]
    is_item = len(words) > _LEAST_WORDS or HAN.search(bare) is not None
    return bare if is_item else text


def _explains(text: str) -> bool:
    """Whether a line says which answer each number stands for."""
    parts = [part for part in _PARTS.split(text) if "=" not in part and "＝" not in part]
    if any(map(REVERSED.search, parts)) and any(map(_CUE_OR_SUM.search, parts)):
        return False
    if len(ranges_in(text)) > 1 and len({name for _start, name in levels_in(text)}) > _LEAST_RANGES:
        return False
    legend = legend_of(text)
    return legend is not None and len(legend.points) > 1 and not REVERSED.search(text)


def _is_range_row(line: SourceLine) -> bool:
    match = (
        _RANGE.match(line.text)
        or _RANGE.match(line.body)
        or _RANGE.search(line.body)
        or _RANGE_FIRST.match(line.text)
    )
    return bool(match) and not (line.role or is_asked(line))


def ranges_in(text: str) -> list[tuple[int, int, str]]:
    """Return the ranges of a line that follow each other, with their labels; none if they do not.

    Examples
    --------
    >>> ranges_in("Items 1 to 9: 0-4 low, 5-27 high"), ranges_in("0-4 low, 6-27 high")
    ([(0, 4, 'low'), (5, 27, 'high')], [])
    """
    found = []
    text = _UNIT.sub(" ", text)
    for match in _RANGE.finditer(text):
        before = _BEFORE.search(text[max(0, match.start() - 70) : match.start()])
        name = _COLON.split(before["label"])[-1].strip() if before else ""
        name = "" if _CUE_OR_SUM.search(name) else name
        label = _DASH.split(match["after"].strip(" :=–—-()（）"))[0] or name
        is_named = before is not None and name != "" and before[0].rstrip()[-1:] in ":：=＝(（"
        is_short = not is_named and len(label.split(" ")[-1]) < _LEAST_LETTERS
        if is_short and (behind := _BEHIND_COMMA.match(text, match.end())):
            label = behind["label"].strip()
        found.append((int(match["low"]), int(match["high"]), label))
    if len(found) > 1 and not found[-1][2] and len(named := _names_before(text)) == len(found):
        found = [(low, high, name) for (low, high, _label), name in zip(found, named, strict=True)]
    if len(found) > _LEAST_RANGES and found[0][1] + 1 != found[1][0]:
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
    pieces = [_PARTS.split(text[start : mark.start()])[-1] for start, mark in zip(starts, marks, strict=True)]
    names = [_COLON.split(piece.strip(" ,;:=–—-()（）"))[-1].strip() for piece in pieces]
    is_end = not LETTER.search(text[marks[-1].end() :])
    return names if is_end and all(map(LETTER.search, names)) else []


def _steps_in(text: str) -> list[tuple[int, int | None, str]]:
    """Return the ranges of a rule that follow each other, sorted; the last may be open at its top."""
    text = _UNIT.sub(" ", WRAPPED.sub(" ", text))
    # After a colon, a statement that reverses items may continue with the levels.
    statements = [
        said.rpartition(":")[2] if REVERSED.search(said) else said
        for said in STATEMENTS.split(text)
        if said and not (ITEM_KEY.search(said) or key_in(said, is_rule=True))
    ]
    text = _with_ranges("; ".join(said for said in statements if not REVERSED.search(said)))
    if ranges := ranges_in(text):
        found: list[tuple[int, int | None, str]] = [*ranges]
    else:
        found = [
            (int(match["low"]), int(match["high"]), match["after"].strip(" :=–—-()（）"))
            for match in _RANGE.finditer(text)
        ]
    if found:
        found += [
            (int(match["sum"]), int(match["sum"]), match["label"].strip(" :=–—-()（）"))
            for match in _SINGLE.finditer(_RANGE.sub(lambda match: "~" * len(match[0]), text))
        ]
    outside = _RANGE.sub(lambda match: match["after"] or "", text)
    found += _open_steps(outside)
    found += _neighbours(outside, found)
    found = _with_first(found, outside)
    found = sorted(set(found), key=lambda step: (step[0], step[1] is None))
    follow = all(first[1] is not None and first[1] + 1 == second[0] for first, second in pairwise(found))
    return found if follow and all(high is None or low <= high for low, high, _label in found) else []


def _open_steps(text: str) -> list[tuple[int, int | None, str]]:
    """Return the levels that have no upper limit: *10 or more*; decimals are not sums."""
    found: list[tuple[int, int | None, str]] = []
    for match in _OR_MORE.finditer(text):
        numbers = NUMBER.findall(match[0])
        if len(numbers) == 1 and not _is_decimal(match):
            found.append((int(numbers[0]), None, _label_behind(match)))
    for match in _MORE_THAN.finditer(text):
        if not any(
            match.start() < other.end() and other.start() < match.end() for other in _OR_MORE.finditer(text)
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
        if int(match["sum"]) in (start - 1, max(start, 2)) and not _OR_MORE.match(text, match.start()):
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
    steps = _steps_in(text)
    if len(steps) > 1:
        starts = [None, *(low for low, _high, _label in steps[1:])]
        return [
            (start, _named(label) or (f"{low}+" if high is None else f"{max(low, 0)}–{high}"))
            for start, (low, high, label) in zip(starts, steps, strict=True)
        ]
    cuts = sorted(dict.fromkeys(_open_steps(_RANGE_BEHIND.sub(" ", text))))
    spans = [(int(each["low"]), int(each["high"])) for each in _RANGE.finditer(text)]
    # A single range around the cut-offs contains all sums.
    if not cuts or len(spans) > 1 or not all(low < cuts[0][0] <= high for low, high in spans):
        return []
    names = [_named(label) for _low, _high, label in cuts]
    if len(cuts) > 1 and all(len(name) >= _LEAST_LETTERS for name in names) and len({*names}) == len(names):
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
    text = _with_ranges(text)
    for pattern in (_RANGE_ONLY_SUMS, _OR_MORE, _MORE_THAN):
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
    steps = _steps_in(text)
    return (steps[0][0], steps[-1][1]) if len(steps) > 1 else None
