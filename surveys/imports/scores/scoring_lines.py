"""Lines of a pasted text that say how answers are scored: ranges of a sum, or one cut-off.

Such a line is never an answer: "0-7 low, 8-15 high", "a score of 10 or more", "items 4 and 7 are reversed".
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from surveys.imports.lines.source_lines import LEFT, SCORING, SourceLine, split_space, without_jump
from surveys.imports.roles.page_lines import leave_footers
from surveys.imports.scores.answer_keys import counts_ticks, counts_yes, key_in, names_ticks
from surveys.imports.scores.gap_rules import AS_MEAN, is_about_gaps, says_gaps
from surveys.imports.scores.score_levels import (
    COLON,
    LEAST_RANGES,
    PARTS,
    RANGE,
    levels_in,
    ranges_in,
    spans_in,
    steps_in,
    with_ranges,
)
from surveys.imports.tables.scale_frames import leave_behind
from surveys.imports.words.answers_on_line import BOX, answers_on
from surveys.imports.words.cues import ABOUT_SCORE, CHOOSES, REVERSED, REVERSED_MARK, pattern_of
from surveys.imports.words.legends import ITEM_KEY, legend_of, points_of_letters
from surveys.imports.words.numerals import in_digits
from surveys.imports.words.patterns import AND_OR, HAN, LETTER, NUMBER, POINTS, RUN_BEHIND, SPACE_TO_WRITE, TO
from surveys.imports.words.question_marks import SIGN_OF_QUESTION, asks, holds_question

_CUE: Final = pattern_of("scoring")
_WEAK_CUE: Final = pattern_of("scoring-weak")
_LEAST_WORDS: Final = 2
SIGN_OF_ITEM: Final = re.compile(
    r"(?:(?<![^\W㐀-鿿])(?:[(（\[][^\s\d()（）\[\]]{1,3}[)）\]]|[°+–−-]{1,3}(?![\w*＊]))|[*＊†‡§#^]{1,3}(?![\w*＊]))"
)
"""A sign that some items have, such as *, (-) or (i): it may say that their points are reversed."""
_SAID_SIGN: Final = re.compile(
    r"(?<!\w)(?:[(（\[][^\s\d()（）\[\]]{1,3}[)）\]]|[*＊†‡§#°^])|^\W{0,3}[+–−-]\s?[=:：]"
)
"""Such a sign in a statement, where dashes also separate words."""
_RANGE_FIRST: Final = re.compile(r"[^\W\d]{1,6}\s" + RANGE.pattern, re.IGNORECASE)
"""A range behind one word: *from 0 to 3*."""
_SUM_CELL: Final = re.compile(r"^\W*[^\W\d]{2,20}\s?[:：]?\s*[\t|]")
"""A row of a table that begins with one word."""
_DECIMAL_ROW: Final = re.compile(rf"\d[.,]\d{{1,2}}\s?{TO}\s?\d[.,]\d")
"""A row that begins with a level of a mean."""
_LONE_ROW: Final = re.compile(rf"(?P<sum>\d{{1,3}})\s?(?:{POINTS})?\s?[=:：–—-]\s?[^\W\d]", re.IGNORECASE)
"""A row that begins with a single sum."""
_POINTS_LAST: Final = re.compile(
    rf"(?:\s[.…_-]{{2,80}}|\s\s|\t)\s?\d{{1,2}}\s?{POINTS}?\W*$|\s\d{{1,2}}\s{POINTS}$", re.I
)
"""Points behind an answer."""
_DOTTED_POINTS: Final = re.compile(
    rf"[\W\d_]*[^\W\d_].*(?:[.…_]{{2,80}}\s?\d{{1,2}}\s?{POINTS}?\W*|\s?[(（\[【]\d{{1,2}}\s?{POINTS}[)）\]】])$",
    re.IGNORECASE,
)
"""An answer, and its points behind dots or in brackets."""
_DASHED_POINTS: Final = re.compile(rf"(?P<label>.*[^\W\d_].*)\s[–—-]\s\d{{1,2}}\s{POINTS}\W*$", re.IGNORECASE)
"""An answer, and its points behind a dash."""
_BULLETS: Final = ("•", "-", "–", "*", "·")
_LEVEL_FIRST: Final = re.compile(r"(?:[^\W\d]{1,12}[\s.]?){0,4}[<>≤≥]?\s?\d")
"""A row that begins with a sum, perhaps behind a few words: *up to 8*."""
_ENDED: Final = re.compile(r"[.!?。！？:：]\s*$")
_ITEM_NUMBER: Final = pattern_of("item-number", behind=r"\s?\d")
_ITEM_POINTS: Final = pattern_of("item-number", behind=r"\s?\d[\d\s,;&–-]{0,60}[:：][^:：]{0,20}[=＝]\s?\d")
"""Items by number, and the points of their answers: *items 1, 3: T = 1, F = 0*."""
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
_PAIR: Final = re.compile(
    r"(?P<label>[^\W\d][^\d,;:.=(){}\n，；。：（）]{0,40}?)[»”\"']?\s?(?:[=＝:：–—→(（-]\s?)?(?P<points>-?\d{1,2})(?![\d.])"
)
"""An answer and its points."""
_ITEM_RUN: Final = re.compile(
    rf"\d{{1,3}}(?:\s?[,、;+&]\s?|\s{AND_OR}\s|\s?[–-]\s?)[^\W\d]{{0,4}}\.?\d|[①-⑳]{{2}}"
)
"""A list of items by number."""
ITEM_LIST: Final = re.compile(
    r"(?P<name>[^:：=\d.?？]{1,60}?)\s?[:：=]\s?(?:[^\W\d]{1,12}\.?\s)?"
    r"(?P<items>\d{1,3}\s?(?:[(（]\W{1,2}[)）]|[*])?(?:\s?[,、，;+]\s?(?:[^\W\d]{1,3}\s)?\d{1,3}\s?(?:[(（][^\s\d]{1,2}[)）]|[*])?){2,40})[.;。；]?"
)
"""The name of a subscale, and the numbers of its items."""


def mark_scoring(lines: list[SourceLine]) -> list[SourceLine]:
    """Give the lines that say how answers are scored their role.

    Parameters
    ----------
    lines : list of SourceLine
        Lines that are not blank.

    Examples
    --------
    >>> from surveys.imports.lines.source_lines import read_line
    >>> texts = ["1. Sad? ", "(0) Never (1) Often", "Total score: 0-4 low, 5-9 high", "Item 2 is reversed."]
    >>> lines = mark_scoring([read_line(n, text, has_gap=False) for n, text in enumerate(texts)])
    >>> [line.role for line in lines]
    ['', '', 'scoring', 'scoring']
    """
    leave_footers(lines)
    # A range that recurs is one of numbers to answer.
    counts = Counter(line.text for line in lines)
    ranges = [counts[line.text] == 1 and _is_range_row(line) for line in lines]
    named = _level_rows(lines)
    shapes = Counter(line.mark.shape for line in lines if line.mark is not None)
    cued = False
    for place, line in enumerate(lines):
        beside = any(0 <= near < len(lines) and ranges[near] for near in (place - 1, place + 1))
        # Ranges may also be answers: their table has a heading with a cue.
        cued = cued if ranges[place] and place else ABOUT_SCORE.search(line.text) is not None
        # The line above rows of ranges need not have a number.
        heads = place + 2 < len(lines) and ranges[place + 1] and ranges[place + 2] and cued
        if line.role or _is_answer_with_points(line):
            continue
        is_bare = line.mark is None or line.mark.shape == "indent" or line.mark.kind == "hash"
        is_sum = is_bare and bool(ABOUT_SCORE.search(line.text) and SPACE_TO_WRITE.search(line.text))
        is_sum = is_sum or (_SUM_CELL.search(line.raw) is not None and _is_sum_word(line.text))
        is_rest = _goes_on(lines[place - 1] if place else None, line)
        is_row = (ranges[place] and beside and cued) or place in named
        is_rule = is_row or heads or is_scoring(line.text) or _begins_key(line, lines[place + 1 : place + 2])
        is_key = ITEM_KEY.match(line.text) or _ITEM_POINTS.match(line.text) or _is_yes_no_key(line.text)
        is_named = place in named or bool(is_key)
        # A single number does not name items: "Multiply by 17."
        is_named = is_named or (
            line.mark is not None and shapes[line.mark.shape] == 1 and not asks(line.text)
        )
        is_asking = (is_asked(line) and not is_named) or (
            not (is_row or is_key or _is_headed(line.text)) and _explains(line.text)
        )
        if is_rest or is_sum or ((is_rule or is_key) and not is_asking):
            line.give(SCORING)
    _mark_item_points(lines)
    _mark_section(lines)
    _mark_levels(lines)
    _mark_beside(lines)
    _release_answers(lines)
    leave_behind(lines)
    return lines


def _release_answers(lines: Sequence[SourceLine]) -> None:
    """Take their role from lines that list answers: ranges with boxes, or numbers that count them."""
    for place, line in enumerate(lines):
        listed = answers_on(without_jump(line.raw.strip())) if line.role == SCORING else None
        if listed is None:
            continue
        codes = listed.points or [int(each[0]) for each in map(NUMBER.match, listed.labels) if each]
        # Points in brackets may count down, and from 0.
        least = min(*codes, 1) if listed.points else 1
        steps = sorted(codes) if listed.points else [*codes]
        is_counted = steps == [*range(least, least + len(listed.labels))] and not listed.before
        is_own = is_counted and place > 0 and asks(lines[place - 1].text)
        is_list = listed.sign == "box" or (listed.sign == "letter" and len(listed.labels) > 2)
        if is_own or (is_list and not _is_yes_no_key(line.text)):
            line.give("")


def _is_answer_with_points(line: SourceLine) -> bool:
    """Return whether a line is an answer with its points behind it."""
    if line.mark is not None and BOX.match(line.raw.strip()) and _POINTS_LAST.search(line.raw.rstrip()):
        return True
    text = line.text
    dashed = _DASHED_POINTS.match(text)
    return _DOTTED_POINTS.match(text) is not None or (
        dashed is not None and not ABOUT_SCORE.search(dashed["label"])
    )


def _has_number(text: str) -> bool:
    """Return whether a text has a digit, or a number word that limits a sum."""
    return any(map(str.isdecimal, in_digits(text)))


def _is_yes_no_key(text: str) -> bool:
    """Return whether a line names the items in which yes scores, and those in which no does."""
    return not asks(text) and (key := key_in(text)) is not None and all(key)


def _mark_item_points(lines: Sequence[SourceLine]) -> None:
    """Give lines the role of scoring that name items, and points of answers that are others elsewhere.

    The line beside them, about the same answers, is about the other items.
    """
    pairs = [_pairs_in(line) for line in lines]
    stated = _numbers_of(pair for own in pairs for pair in own)
    counts = [len({label for label, _points in own if len(stated[label]) > 1}) for own in pairs]
    for place, line in enumerate(lines):
        # A line may state both lists of points.
        is_whole = sum(len(each) > 1 for each in _numbers_of(pairs[place]).values()) >= len("ab")
        is_free = line.mark is None or line.mark.shape == "indent"
        names_items = _ITEM_RUN.search(line.text) is not None or REVERSED.search(line.text) is not None
        is_key = is_whole or (is_free and names_items)
        if counts[place] < len("ab") or not is_key or line.role not in ("", SCORING):
            continue
        for at in range(max(place - 1, 0), min(place + 2, len(lines))):
            is_near = at == place or getattr(lines[at].mark, "shape", "indent") == "indent"
            if counts[at] >= len("ab") and not lines[at].role and is_near:
                lines[at].give(SCORING)


def _numbers_of(pairs: Iterable[tuple[str, int]]) -> dict[str, set[int]]:
    """Return the numbers behind each word."""
    found: dict[str, set[int]] = defaultdict(set)
    for label, points in pairs:
        found[label].add(points)
    return found


def _pairs_in(line: SourceLine) -> list[tuple[str, int]]:
    """Return the words of a line in front of numbers, and these numbers; none for questions."""
    if asks(line.text) or len(BOX.findall(line.raw)) > 1:
        return []
    return [
        (match["label"].strip(" «„“\"'»”–—-").casefold(), int(match["points"]))
        for match in _PAIR.finditer(line.text)
    ]


def _is_sum_word(text: str) -> bool:
    return ABOUT_SCORE.fullmatch(text.strip(" |:：")) is not None


def _is_headed(text: str) -> bool:
    """Return whether a line begins with a few words about scoring and a colon."""
    head, *rest = COLON.split(text, maxsplit=1)
    return bool(rest) and len(head.split()) <= _MOST_HEADING_WORDS and _CUE.search(head) is not None


def mark_item_lists(lines: Sequence[SourceLine]) -> None:
    """Give lines with a name and the numbers of its items the role of scoring, if there are at least two.

    Parameters
    ----------
    lines : sequence of SourceLine
        Lines that are not blank; those with a role keep it.
    """
    found = [line for line in lines if not line.role and ITEM_LIST.fullmatch(line.text)]
    for line in found if len(found) > 1 else ():
        line.give(SCORING)


def _mark_section(lines: Sequence[SourceLine]) -> None:
    """Give a heading about scoring and the lines below it their role if nothing below it asks.

    Lines without a number in such a section are headings or remarks.
    """
    asked = (place for place, line in enumerate(lines) if asks(line.text) or _is_item(line))
    least = max(asked, default=-1) + 1
    headings = [place for place in range(least, len(lines)) if _heads_section(lines[place])]
    for place in headings[:1]:
        below = lines[place + 1 :]
        numbered = [each for each in below if _has_number(each.body) and not _explains(each.text)]
        is_rule = any(each.role == SCORING or ABOUT_SCORE.search(each.text) for each in below)
        is_rule = is_rule or len(levels_in("\n".join(each.body for each in below), 1)) > LEAST_RANGES
        if is_rule and 2 * len(numbered) >= len(below):
            for each in lines[place:]:
                each.give(each.role or SCORING)


def _heads_section(line: SourceLine) -> bool:
    return (
        not line.role and len(line.text.split()) <= _MOST_HEADING_WORDS and _CUE.search(line.text) is not None
    )


def _is_item(line: SourceLine) -> bool:
    """Return whether a line has answers or a space to write."""
    listed = answers_on(line.raw.strip())
    if RUN_BEHIND.search(line.text):
        return True
    has_answers = listed is not None and listed.sign in ("box", "/", "|", "cells") and bool(listed.before)
    return has_answers or (split_space(line.text) is not None and not ABOUT_SCORE.search(line.text))


def _mark_levels(lines: Sequence[SourceLine]) -> None:
    """Give the lines below a scoring line their role if each states a level: *up to 12: low*, *13+: high*."""
    for place, line in enumerate(lines):
        end = place + 1
        heads = not line.role and ABOUT_SCORE.search(line.text) is not None and not is_asked(line)
        while (
            (line.role == SCORING or heads)
            and end < len(lines)
            and not (lines[end].role or lines[end].has_gap or asks(lines[end].text) or is_asked(lines[end]))
            and _has_number(lines[end].text)
            and not _is_answer_with_points(lines[end])
        ):
            end += 1
        rest = lines[place + 1 : end]
        if len(rest) > 1 and len(levels_in("\n".join(each.text for each in rest))) == len(rest):
            for each in [line, *rest]:
                each.give(SCORING)


def _mark_beside(lines: Sequence[SourceLine]) -> None:
    """Give lines next to scoring lines their role: a heading, or rules that have no cue."""
    for place in [*range(1, len(lines)), *range(len(lines) - 2, -1, -1)]:
        line = lines[place]
        above = lines[place - 1] if place else None
        below = lines[place + 1] if place + 1 < len(lines) else None
        is_below = above is not None and above.role == SCORING and not line.has_gap
        is_above = below is not None and below.role == SCORING and not below.has_gap
        if is_above and not line.role and _heads_rule(lines, place):
            line.give(SCORING)
        if line.role or not (is_below or is_above) or asks(line.text) or is_asked(line):
            continue
        is_bare = line.mark is None or line.mark.kind == "hash" or line.mark.is_weak
        is_rule = bool(ABOUT_SCORE.search(line.text) and _has_number(line.text)) or is_about_gaps(line.text)
        is_rule = is_rule or bool(REVERSED.search(line.text) or (is_below and _ITEM_NUMBER.search(line.text)))
        is_rule = is_rule or (is_below and _states_level(line.text))
        is_heading = (
            place > 0
            and is_above
            and line.has_gap
            and len(line.text) <= _LONGEST_HEADING
            and _may_head(line.text)
        )
        if is_bare and not _explains(line.text) and (is_rule or is_heading):
            line.give(SCORING)


def _states_level(text: str) -> bool:
    """Return whether a line begins with the limit of a level and names it: *2 or more: high*."""
    spans = spans_in(text)[:1] if levels_in(text) else []
    return any(each.start == 0 and not each.is_weak and each.label for each in spans)


def _heads_rule(lines: Sequence[SourceLine], place: int) -> bool:
    """Return whether a line is a few words above the last rules, after a gap, with a question mark."""
    line = lines[place]
    is_short = line.has_gap and line.mark is None and len(line.text.split()) <= _MOST_HEADING_WORDS
    rest = lines[place + 1 :]
    return (
        is_short
        and line.text[-1] in "?？"
        and not any(asks(each.text) or is_asked(each) for each in rest if not each.role)
    )


def _may_head(text: str) -> bool:
    """Return whether a text ends like a heading: with words that no sign of a sentence follows."""
    last = _SENTENCE_END.split(text)[-1].rstrip(" |")
    return _NAMED.search(last) is not None and _HEAD_END.search(last) is not None


def _begins_key(line: SourceLine, below: Sequence[SourceLine]) -> bool:
    """Return whether a line begins a key that the next line ends."""
    is_open = _WEAK_CUE.search(line.text) is not None and _ENDED.search(line.text) is None
    return is_open and any(
        not each.has_gap and key_in(f"{line.text} {each.text}") is not None for each in below
    )


def _level_rows(lines: Sequence[SourceLine]) -> set[int]:
    """Return the places of ranges that follow each other and have names of their own, in a text with points.

    The line above them is not a question, so they are not answers.
    """
    has_key = any(line.role == SCORING for line in lines)
    has_key = has_key or sum(len(_STATED_POINTS.findall(line.text)) for line in lines) >= _LEAST_STATED
    has_key = has_key or any(_explains(line.text) or points_of_letters(line.text) for line in lines)
    has_key = has_key or sum(bool(RUN_BEHIND.search(line.text)) for line in lines) >= _LEAST_STATED
    found: set[int] = set()
    run: list[int] = []
    levels = [None if line.role in (LEFT, SCORING) else _level_of(line) for line in lines]
    for place, level in enumerate([*levels, None]):
        if place < len(lines) and lines[place].role == LEFT and run:
            continue
        before = levels[run[-1]] if run else None
        is_next = level and before and not lines[place].has_gap and _follow(before, level)
        # Lines that only count up are no levels.
        if is_next and any(low != high for low, high in filter(None, (before, level))):
            run.append(place)
            continue
        names = {_RANGE_ONLY.sub("", lines[at].text, count=1).strip(" :：–-=|").casefold() for at in run}
        above = run[0] - 1 if run else -1
        while above > 0 and lines[above].role == LEFT:
            above -= 1
        is_below_question = above >= 0 and asks(lines[above].text) and not lines[run[0]].has_gap
        is_named = all(map(_may_name, names)) and len(names) == len(run)
        is_said = has_key or any(
            ABOUT_SCORE.search(each.text) for each in lines[max(above - 2, 0) : above + 1]
        )
        if len(run) > 1 and is_said and is_named and not is_below_question:
            found.update(run)
        run = [place] if level else []
    return found


def _may_name(name: str) -> bool:
    """Return whether words may be the name of a level, and not a unit."""
    return len(name) >= (len("轻度") if HAN.search(name) else len("bad"))


def _level_of(line: SourceLine) -> tuple[int, int | None] | None:
    """Return the ends of the only range in a line that begins with it, or with a word before it."""
    text = line.text.strip(" |•*–-")
    if lone := _LONE_ROW.match(line.raw.strip(" |\t•*–-")):
        return int(lone["sum"]), int(lone["sum"])
    is_bare = line.mark is None or line.mark.is_weak or line.mark.shape in ("indent", *_BULLETS)
    is_mean = _DECIMAL_ROW.match(line.raw.strip(" |\t•*–-")) is not None
    text = line.raw.strip(" |\t•*–-") if is_mean else text
    is_first = (
        is_mean or RANGE.match(line.text) or (is_bare and _LEVEL_FIRST.match(text) and not is_asked(line))
    )
    if not is_first or _STATED_POINTS.search(text) or _POINTS_LAST.search(text):
        return None
    spans = [span for span in spans_in(text, int("." in text or "," in text)) if not span.is_weak]
    return (spans[0].low, spans[0].high) if len(spans) == 1 else None


def _follow(first: tuple[int, int | None], second: tuple[int, int | None]) -> bool:
    """Return whether two ranges follow each other, up or down."""
    low, high = sorted((first, second), key=lambda each: each[0])
    return low[1] is not None and low[1] + 1 == high[0]


def _goes_on(above: SourceLine | None, line: SourceLine) -> bool:
    """Return whether a line is the rest of a rule for scores that is written over several lines."""
    if (
        above is None
        or above.role != SCORING
        or line.has_gap
        or holds_question(line.text)
        or (is_asked(line) and _is_item(line))
        or not _has_number(above.text)
    ):
        return False
    is_letter = line.mark is not None and line.mark.kind == "letter"
    return not (_ENDED.search(above.text) or is_letter or is_asked(line))


def is_asked(line: SourceLine) -> bool:
    """Return whether a line is numbered or ends with a question mark."""
    is_numbered = (
        line.mark is not None
        and line.mark.kind == "count"
        and not line.mark.is_weak
        and line.mark.points is None
        and not _RANGE_FIRST.match(line.text)
        and not any(span.start == 0 and not span.is_weak for span in spans_in(line.text))
        and not (len(NUMBER.findall(line.text)) > LEAST_RANGES and len(steps_in(line.text)) > LEAST_RANGES)
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
    if names_ticks(text) and not CHOOSES.search(text) and any(span.label for span in spans_in(text)):
        return True
    text = with_ranges(_without_item_mark(text))
    if not _has_number(text):
        return bool(REVERSED.search(text) and _SAID_SIGN.search(text))
    if len(points_of_letters(text)) > 2 or key_in(text) is not None:
        return True
    if _CUE.search(text) or REVERSED.search(text) or counts_yes(text) or counts_ticks(text):
        return True
    if AS_MEAN.search(text) and len(spans_in(text, 1)) > 1:
        return True
    if _WEAK_CUE.search(text) and _ITEM_NUMBER.search(text) and len(NUMBER.findall(text)) > len("ab"):
        return True
    if (ranges := ranges_in(text)) and len(ranges) > 1:
        # Amounts among which to choose: "0-2 / 3-5 / more". Levels have names of their own.
        asked = SIGN_OF_QUESTION.search(text)
        is_list = asked is not None and RANGE.search(text, asked.start()) is not None
        is_list = is_list or _AMONG_AMOUNTS.search(text) is not None
        names = {label.strip(" /|").casefold() for _low, _high, label in ranges}
        if not is_list and all(names) and len(names) == len(ranges):
            return True
    names = {label.casefold() for _low, _high, label in steps_in(text)}
    if not SIGN_OF_QUESTION.search(text) and len(names) > LEAST_RANGES and all(map(LETTER.search, names)):
        return True
    return _WEAK_CUE.search(text) is not None and not all(each.is_weak for each in spans_in(text))


def _without_item_mark(text: str) -> str:
    """Return an item without its own mark of reversed points; a line that names items by number keeps it."""
    bare = REVERSED_MARK.sub("", text)
    words = [word for word in bare.split() if LETTER.search(word)]
    is_item = len(words) > _LEAST_WORDS or HAN.search(bare) is not None
    return bare if is_item else text


def _explains(text: str) -> bool:
    """Whether a line says which answer each number stands for."""
    if counts_ticks(text):
        return False
    parts = [part for part in PARTS.split(text) if "=" not in part and "＝" not in part]
    if any(map(REVERSED.search, parts)) and any(map(ABOUT_SCORE.search, parts)):
        return False
    if len(ranges_in(text)) > 1 and len({name for _start, name in levels_in(text)}) > LEAST_RANGES:
        return False
    if len(steps_in(text)) > (1 if _WEAK_CUE.search(text) else LEAST_RANGES):
        return False
    legend = legend_of(text)
    return legend is not None and len(legend.points) > 1 and not REVERSED.search(text)


def _is_range_row(line: SourceLine) -> bool:
    match = (
        RANGE.match(line.text)
        or RANGE.match(line.body)
        or RANGE.search(line.body)
        or _RANGE_FIRST.match(line.text)
    )
    return bool(match) and not (line.role or is_asked(line))
