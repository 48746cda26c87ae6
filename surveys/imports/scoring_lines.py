"""Lines of a pasted text that say how answers are scored: ranges of a sum, or one cut-off.

Such a line is never an answer: "0-7 low, 8-15 high", "a score of 10 or more", "items 4 and 7 are reversed".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from surveys.imports.cues import is_yes_no, pattern_of
from surveys.imports.gap_rules import says_gaps
from surveys.imports.legends import legend_of, points_of_letters
from surveys.imports.patterns import HAN, LETTER, NUMBER, SPACE_TO_WRITE
from surveys.imports.question_marks import SIGN_OF_QUESTION, asks
from surveys.imports.source_lines import SCORING, SourceLine

_CUE: Final = pattern_of("scoring")
_WEAK_CUE: Final = pattern_of("scoring-weak")
REVERSED: Final = pattern_of("reversed")
_REVERSED_MARK: Final = pattern_of("reversed-item")
"""The mark of one reversed item."""
_MEANS: Final = pattern_of("means-level")
"""A verb between a level's range and its name."""
_LEAST_WORDS: Final = 2
SIGN_OF_REVERSED: Final = re.compile(r"[*＊]|[(（][-–−][)）]")
"""The sign that items with reversed points have."""
_OR_MORE: Final = pattern_of("or-more")
SPAN: Final = (
    r"(?P<low>\d{1,3})\s?"
    r"(?:-|–|—|~|～|to|through|thru|bis|à|a|au|al|até|hasta|до|по|إلى|से|至|到)"
    r"\s?(?P<high>\d{1,3})"
)
"""A pattern for two numbers and what is between the ends of a range."""
_RANGE: Final = re.compile(
    rf"(?<![\d.]){SPAN}(?![\d.])"
    r"(?P<more>\s?(?:points?|punkte?|puntos|pontos|punti|балл\w{0,2}|分))?\s?[=:：–-]?\s?(?P<after>[^,;.，；。\d]{0,60})",
    re.IGNORECASE,
)
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
_AMONG_AMOUNTS: Final = re.compile(r"\d\D{0,20}[/|｜]\s?\d")
"""A stroke between ranges: they are answers."""
_STATED_POINTS: Final = re.compile(r"[(（\[=＝]\s?\d{1,2}(?!\d)")
_RANGE_ONLY: Final = re.compile(r"^\d{1,3}\D{1,6}\d{1,3}")
_LEAST_STATED: Final = 4
"""Answers whose points a text states, if ranges in it may be levels of a sum."""
_WRAPPED: Final = re.compile(
    r"(?<![.;:。；：])\n(?=[a-zß-öø-ÿа-яё㐀-鿿])|(?<=[^\n]{50}[^.;:。；：\n])\n(?=[^\W\d_])"
)
"""The end of a line inside a sentence: a small letter is below it, or the line is long."""
_KEY_TOKEN: Final = re.compile(
    r"(?P<points>\b\d{1,2}\s?(?:points?|pts?|punkte?n?|puntos?|pontos?|punti|балл\w{0,2}|分))"
    r"|(?<![\d.,])(?P<number>\d{1,2})(?:\s?[-–]\s?(?P<last>\d{1,2}))?(?!\d)"
    r"|[«„“\"'‘「『](?P<word>[^\W\d_]{1,8})[»“”\"'’」』]"
    r"|(?<!\w)(?P<shouted>[^\W\d_]{2,8})(?!\w)",
    re.IGNORECASE,
)
"""Parts of a scoring key for yes and no: points, item numbers, and answers in quotes or capitals."""
_LABEL_BEHIND: Final = re.compile(
    r"(?:\s?[^\W\d_]{1,10}(?=[:：]))?\s?[=:：,，–-]?\s?(?P<label>[^,;.，；。\d–]{2,60})"
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
        is_bare = line.mark is None or line.mark.shape == "indent"
        is_sum = is_bare and bool(_CUE_OR_SUM.search(line.text) and SPACE_TO_WRITE.search(line.text))
        is_rest = _goes_on(lines[place - 1] if place else None, line)
        is_row = (ranges[place] and beside and cued) or place in named
        is_rule = is_row or heads or is_scoring(line.text) or _begins_key(line, lines[place + 1 : place + 2])
        is_asking = (is_asked(line) and place not in named) or (not is_row and _explains(line.text))
        if is_rest or is_sum or (is_rule and not is_asking):
            line.give(SCORING)
    return lines


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
    text = _with_ranges(_without_item_mark(text))
    if not _ANY_NUMBER.search(text):
        return bool(REVERSED.search(text) and SIGN_OF_REVERSED.search(text))
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
    return _WEAK_CUE.search(text) is not None and bool(ranges_in(text) or _OR_MORE.search(text))


def _with_ranges(text: str) -> str:
    """Return a text whose ranges in words are written with a dash: *between 0 and 4* is *0-4*."""
    return _BETWEEN.sub(r"\g<low>-", text)


def _without_item_mark(text: str) -> str:
    """Return an item without its own mark of reversed points; a line that names items by number keeps it."""
    bare = _REVERSED_MARK.sub("", text)
    words = [word for word in bare.split() if LETTER.search(word)]
    is_item = len(words) > _LEAST_WORDS or HAN.search(bare) is not None
    return bare if is_item else text


def key_in(text: str) -> tuple[set[int], set[int]] | None:
    """Return the items in which *no* scores a point, and those in which *yes* does; None without a key.

    Either set is empty if the key names no items for this answer.

    Examples
    --------
    >>> key_in("1 point for “yes” on 1, 3 and for “no” on items 2, 4")
    ({2, 4}, {1, 3})
    >>> key_in("1 point for YES on items 1 and 3, and for NO on 2")
    ({2}, {1, 3})
    >>> key_in("Answer “yes” or “no”."), key_in("1 point for “yes” on items 1, 2")
    (None, None)
    """
    items: dict[bool, set[int]] = {False: set(), True: set()}
    said: list[bool] = []
    waiting: set[int] = set()
    for token in _KEY_TOKEN.finditer(text):
        if token["points"]:
            continue
        if token["number"]:
            numbers = {*range(int(token["number"]), int(token["last"] or token["number"]) + 1)}
            if said and not waiting:
                items[said[-1]] |= numbers
            else:
                # The items are in front of their answer.
                waiting |= numbers
            continue
        word = token["word"] or (token["shouted"] if token["shouted"].isupper() else "")
        is_yes, is_no = is_yes_no([word, "no"]), is_yes_no(["yes", word])
        if is_yes or is_no:
            if waiting:
                items[is_yes] |= waiting
                waiting = {0}
            said.append(is_yes)
    if {*said} != {False, True} or not items[False] | items[True] - {0}:
        return None
    return items[False] - {0}, items[True] - {0}


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
    for match in _RANGE.finditer(text):
        before = _BEFORE.search(text[max(0, match.start() - 70) : match.start()])
        name = _COLON.split(before["label"])[-1].strip() if before else ""
        name = "" if _CUE_OR_SUM.search(name) else name
        label = _DASH.split(match["after"].strip(" :=–-()（）"))[0] or name
        is_named = before is not None and name != "" and before[0].rstrip()[-1:] in ":：=＝(（"
        is_short = not is_named and len(label.split(" ")[-1]) < _LEAST_LETTERS
        if is_short and (behind := _BEHIND_COMMA.match(text, match.end())):
            label = behind["label"].strip()
        found.append((int(match["low"]), int(match["high"]), label))
    if len(found) > _LEAST_RANGES and found[0][1] + 1 != found[1][0]:
        # The numbers of the items that are added up: "items 1 to 9: 0-4 low, 5-9 high".
        found = found[1:]
    follow = all(first[1] + 1 == second[0] for first, second in pairwise(found))
    return found if follow and all(low <= high for low, high, _label in found) else []


def _steps_in(text: str) -> list[tuple[int, int | None, str]]:
    """Return the ranges of a rule that follow each other, sorted; the last may be open at its top."""
    text = _with_ranges(_WRAPPED.sub(" ", text).replace("\n", "; "))
    if ranges := ranges_in(text):
        found: list[tuple[int, int | None, str]] = [*ranges]
    else:
        found = [
            (int(match["low"]), int(match["high"]), match["after"].strip(" :=–-()（）"))
            for match in _RANGE.finditer(text)
        ]
    if found:
        found += [
            (int(match["sum"]), int(match["sum"]), match["label"].strip(" :=–-()（）"))
            for match in _SINGLE.finditer(_RANGE.sub(lambda match: "~" * len(match[0]), text))
        ]
    outside = _RANGE.sub(lambda match: match["after"] or "", text)
    for match in _OR_MORE.finditer(outside):
        numbers = NUMBER.findall(match[0])
        label = _LABEL_BEHIND.match(outside, match.end())
        found += (
            [(int(numbers[0]), None, label["label"].strip() if label else "")] if len(numbers) == 1 else []
        )
    found = sorted(set(found), key=lambda step: (step[0], step[1] is None))
    follow = all(first[1] is not None and first[1] + 1 == second[0] for first, second in pairwise(found))
    return found if follow and all(high is None or low <= high for low, high, _label in found) else []


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
            (start, _named(label) or (f"{low}+" if high is None else f"{low}–{high}"))
            for start, (low, high, label) in zip(starts, steps, strict=True)
        ]
    match = _OR_MORE.search(_RANGE_BEHIND.sub(" ", text))
    numbers = [int(number) for number in NUMBER.findall(match[0])] if match else []
    spans = [(int(each["low"]), int(each["high"])) for each in _RANGE.finditer(text)]
    # One range around the cut-off is that of all sums.
    is_cut = len(numbers) == 1 and all(low < numbers[0] <= high for low, high in spans) and len(spans) < 2
    return [(None, ""), (numbers[0], "")] if is_cut else []


def _named(label: str) -> str:
    """Return the name of a level without a verb in front of it, as in *means high*."""
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
