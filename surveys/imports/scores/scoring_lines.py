"""Lines of a pasted text that say how answers are scored: ranges of a sum, or one cut-off.

Such a line is never an answer: "0-7 low, 8-15 high", "a score of 10 or more", "items 4 and 7 are reversed".
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import takewhile
from typing import Final

from surveys.imports.lines.source_lines import SCORING, SourceLine, split_space, without_jump
from surveys.imports.roles.page_lines import leave_footers
from surveys.imports.scores.answer_keys import key_in
from surveys.imports.scores.gap_rules import is_about_gaps
from surveys.imports.scores.item_names import ITEM_WORD
from surveys.imports.scores.level_rows import (
    is_answer_with_points,
    is_asked,
    is_range_row,
    level_rows,
    states_level,
)
from surveys.imports.scores.rule_texts import (
    CUE,
    ITEM_NUMBER,
    MOST_HEADING_WORDS,
    WEAK_CUE,
    explains_answers,
    has_number,
    is_headed,
    is_key,
    is_scoring,
    is_yes_no_key,
)
from surveys.imports.scores.score_levels import LEAST_RANGES, levels_in, spans_in
from surveys.imports.tables.scale_frames import leave_behind
from surveys.imports.words.answers_on_line import BOX, Listed, answers_on
from surveys.imports.words.cues import ABOUT_SCORE, REVERSED
from surveys.imports.words.legend_labels import EDGES
from surveys.imports.words.legends import legend_of
from surveys.imports.words.marks import mark_of
from surveys.imports.words.patterns import AND_OR, NUMBER, RUN_BEHIND, SPACE_TO_WRITE
from surveys.imports.words.question_marks import asks, holds_question
from surveys.imports.words.runs import counts_up

SIGN_OF_ITEM: Final = re.compile(
    r"(?:(?<![^\W㐀-鿿])(?:[(（\[][^\s\d()（）\[\]]{1,3}[)）\]]|[°+–−-]{1,3}(?![\w*＊]))|[*＊†‡§#^▲△▼▽●◆◇■★☆♦]{1,3}(?![\w*＊]))"
)
"""A sign that some items have, such as *, (-) or (i): it may say that their points are reversed."""
_SUM_CELL: Final = re.compile(r"^\W*[^\W\d]{2,20}\s?[:：]?\s*[\t|]")
"""A row of a table that begins with one word."""
_ENDED: Final = re.compile(r"[.!?。！？:：]\s*$")
_REMARK: Final = re.compile(r"[(（\[][^()（）\[\]:：=＝]{1,30}[)）\]]\W?$")
_LONGEST_HEADING: Final = 40
_ITEMS_FIRST: Final = re.compile(
    rf"(?P<word>[^\W\d_]{{0,9}}[. ]?)\d{{1,3}}\s?(?:[,、&+/]\s?|[和与及]|\s?{AND_OR}\s)"
    rf"(?:(?P=word)|{AND_OR}\s)\d{{1,3}}(?!\d)",
    re.IGNORECASE,
)
"""Items by number at the beginning of a line: *Q2 and Q4*; the first number is no mark."""
_SENTENCE_END: Final = re.compile(r"[?？.。]")
_NAMED: Final = re.compile(r"[^\W\d]{2}")
_HEAD_END: Final = re.compile(r"[:：)）\w]$")
"""A heading of a rule: a few words without a full stop."""
_PAIR: Final = re.compile(
    r"(?P<label>[^\W\d][^\d,;:.=(){}\n，；。：（）]{0,40}?)[»”\"']?\s?(?:[=＝:：–—→(（-]\s?)?(?P<points>-?\d{1,2})(?![\d.])"
)
"""An answer and its points."""
_ITEM_RUN: Final = re.compile(
    rf"\d{{1,3}}(?:\s?[,、;+&]\s?|\s{AND_OR}\s|\s?[–-]\s?)[^\W\d]{{0,4}}\.?\d|[①-⑳]{{2}}"
)
"""A list of items by number."""
_ITEMS_NAMED: Final = re.compile(rf"{ITEM_WORD}\s?\d|{_ITEM_RUN.pattern}", re.IGNORECASE)
"""Items by number: *in item 4*, *for 2 and 4*."""
_BETWEEN_LABELS: Final = re.compile(r"[\d\t|]+")
"""Codes and cells around answers."""
ITEM_LIST: Final = re.compile(
    r"(?P<name>[^:：=\d.?？]{1,60}?)\s?[:：=]\s?(?:[^\W\d]{1,12}\.?\s)?"
    r"(?P<items>\d{1,3}\s?(?:[(（]\W{1,2}[)）]|[*])?(?:\s?[,、，;+]\s?(?:[^\W\d]{1,3}\s)?\d{1,3}\s?(?:[(（][^\s\d]{1,2}[)）]|[*])?){2,40})[.;。；]?"
)
"""The name of a subscale, and the numbers of its items."""


class _Surroundings:
    """What the lines of a text show about each other before they have roles.

    Parameters
    ----------
    lines : sequence of SourceLine
    """

    def __init__(self, lines: Sequence[SourceLine]) -> None:
        self.lines = lines
        # A range that recurs is one of numbers to answer.
        counts = Counter(line.text for line in lines)
        self._ranges = [counts[line.text] == 1 and is_range_row(line) for line in lines]
        self._levels = level_rows(lines)
        self._shapes = Counter(line.mark.shape for line in lines if line.mark is not None)
        self._cued: list[bool] = []
        for place, line in enumerate(lines):
            # Ranges may also be answers: their table has a heading with a cue.
            is_row = self._ranges[place] and place > 0
            self._cued.append(self._cued[-1] if is_row else ABOUT_SCORE.search(line.text) is not None)

    def is_row(self, place: int) -> bool:
        """Return whether a line is one of several ranges below words about a score."""
        near = [*self._ranges[max(place - 1, 0) : place], *self._ranges[place + 1 : place + 2]]
        return place in self._levels or (self._ranges[place] and self._cued[place] and any(near))

    def heads_rows(self, place: int) -> bool:
        """Return whether a line with words about a score is above two ranges; it need not have a number."""
        below = self._ranges[place + 1 : place + 3]
        return self._cued[place] and len(below) > 1 and all(below)

    @cached_property
    def _first_places(self) -> dict[str, int]:
        """The first places of the words between codes or cells: the answers of legends and of tables."""
        found: dict[str, int] = {}
        for place, line in enumerate(self.lines):
            for words in _BETWEEN_LABELS.split(line.text.casefold()):
                found.setdefault(words.strip(EDGES), place)
        return found

    @cached_property
    def _last_item(self) -> int:
        """The place of the last line that may be an item."""
        return max(filter(self.is_counted, range(len(self.lines))), default=-1)

    def states_points(self, place: int) -> bool:
        """Return whether a line below the items names some of them, and points of answers stated above it."""
        text = self.lines[place].text
        if place <= self._last_item or not (_ITEMS_NAMED.search(text) and explains_answers(text)):
            return False
        legend = legend_of(text)
        # Words in front of the first answer may be read as a part of it, or as another one.
        labels = legend.labels[1:][-2:] if legend else ()
        return all(self._first_places.get(label.casefold(), place) < place for label in labels)

    def is_counted(self, place: int) -> bool:
        """Return whether the number in front of a line counts it or its items, and is not a sum."""
        line = self.lines[place]
        if not is_asked(line) or place in self._levels or is_key(line.text) or _ITEMS_FIRST.match(line.text):
            return False
        # A single number does not name items: "Multiply by 17."
        return line.mark is None or self._shapes[line.mark.shape] > 1 or asks(line.text)


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
    around = _Surroundings(lines)
    for place, line in enumerate(lines):
        if not line.role and not is_answer_with_points(line) and _is_rule(around, place):
            line.give(SCORING)
    _mark_item_points(lines)
    _mark_section(lines)
    _mark_levels(lines)
    _mark_near(lines)
    _release_answers(lines)
    leave_behind(lines)
    return lines


def _is_rule(around: _Surroundings, place: int) -> bool:
    """Return whether a line states a rule, or goes on with the one above it."""
    line, below = around.lines[place], around.lines[place + 1 : place + 2]
    if _goes_on(around.lines[place - 1] if place else None, line) or _holds_sum(line):
        return True
    is_certain = around.is_row(place) or is_key(line.text)
    if around.is_counted(place):
        return False
    if is_certain:
        return True
    is_stated = around.heads_rows(place) or is_scoring(line.text) or _begins_key(line, below)
    is_rule = is_stated and (is_headed(line.text) or not explains_answers(line.text))
    return is_rule or around.states_points(place)


def _holds_sum(line: SourceLine) -> bool:
    """Return whether a line has words about a score and a space to write the sum."""
    is_bare = line.mark is None or line.mark.shape == "indent" or line.mark.kind == "hash"
    if is_bare and ABOUT_SCORE.search(line.text) and SPACE_TO_WRITE.search(line.text):
        return True
    return (
        _SUM_CELL.search(line.raw) is not None and ABOUT_SCORE.fullmatch(line.text.strip(" |:：")) is not None
    )


def _release_answers(lines: Sequence[SourceLine]) -> None:
    """Take their role from lines that list answers: ranges with boxes, or numbers that count them."""
    for place, line in enumerate(lines):
        listed = answers_on(without_jump(line.raw.strip())) if line.role == SCORING else None
        if listed is None:
            continue
        is_own = place > 0 and asks(lines[place - 1].text) and _counts_answers(listed)
        is_list = listed.sign == "box" or (listed.sign == "letter" and len(listed.labels) > 2)
        if is_own or (is_list and not is_yes_no_key(line.text)):
            line.give("")


def _counts_answers(listed: Listed) -> bool:
    """Return whether the numbers on a line are those of its answers, one for each."""
    if listed.before:
        return False
    if listed.points:
        # Points in brackets may count down, and from 0.
        return counts_up(sorted(listed.numbers)) and min(listed.numbers) < 2
    codes = [int(each[0]) for each in map(NUMBER.match, listed.labels) if each]
    return codes == [*range(1, 1 + len(listed.labels))]


def _mark_item_points(lines: Sequence[SourceLine]) -> None:
    """Give lines the role of scoring that name items, and points of answers that are others elsewhere.

    The line next to them, about the same answers, is about the other items.
    """
    pairs = [_pairs_in(line) for line in lines]
    stated = _numbers_of(pair for own in pairs for pair in own)
    counts = [len({label for label, _points in own if len(stated[label]) > 1}) for own in pairs]
    for place, line in enumerate(lines):
        if counts[place] < 2 or not _is_item_key(line, pairs[place]) or line.role not in ("", SCORING):
            continue
        for at in range(max(place - 1, 0), min(place + 2, len(lines))):
            is_near = at == place or getattr(lines[at].mark, "shape", "indent") == "indent"
            if counts[at] >= 2 and not lines[at].role and is_near:
                lines[at].give(SCORING)


def _is_item_key(line: SourceLine, pairs: Iterable[tuple[str, int]]) -> bool:
    """Return whether a line names items, or states both lists of points."""
    is_whole = sum(len(each) > 1 for each in _numbers_of(pairs).values()) >= 2
    is_free = line.mark is None or line.mark.shape == "indent"
    return is_whole or (is_free and bool(_ITEM_RUN.search(line.text) or REVERSED.search(line.text)))


def _numbers_of(pairs: Iterable[tuple[str, int]]) -> dict[str, set[int]]:
    """Return the numbers behind each word."""
    found: dict[str, set[int]] = defaultdict(set)
    for label, points in pairs:
        found[label].add(points)
    return found


def _pairs_in(line: SourceLine) -> list[tuple[str, int]]:
    """Return the words of a line in front of numbers, and these numbers; none for questions."""
    if asks(line.text) or len(BOX.findall(line.raw)) > 1 or _lists_lettered_answers(line):
        return []
    return [
        (match["label"].strip(" «„“\"'»”–—-").casefold(), int(match["points"]))
        for match in _PAIR.finditer(line.text)
    ]


def _lists_lettered_answers(line: SourceLine) -> bool:
    """Return whether a line begins with a letter as a mark and lists answers, each with its points."""
    mark, _words = mark_of(line.raw.strip())
    listed = answers_on(line.raw.strip()) if mark is not None and mark.kind == "letter" else None
    return listed is not None and not listed.before and len(listed.labels) > 1 and bool(listed.points)


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
        if _are_rules(lines[place + 1 :]):
            for each in lines[place:]:
                each.give(each.role or SCORING)


def _are_rules(lines: Sequence[SourceLine]) -> bool:
    """Return whether at least half of lines have numbers that are no codes, and they state a rule."""
    numbered = [each for each in lines if has_number(each.body) and not explains_answers(each.text)]
    is_said = any(each.role == SCORING or ABOUT_SCORE.search(each.text) for each in lines)
    is_rule = is_said or len(levels_in("\n".join(each.body for each in lines), 1)) > LEAST_RANGES
    return is_rule and 2 * len(numbered) >= len(lines)


def _heads_section(line: SourceLine) -> bool:
    # The bracket behind an item is about this item: "2. I feel calm (reverse score)".
    text = _REMARK.sub("", line.text) if line.mark is not None and line.mark.is_number else line.text
    return not line.role and len(text.split()) <= MOST_HEADING_WORDS and CUE.search(text) is not None


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
        heads = not line.role and ABOUT_SCORE.search(line.text) is not None and not is_asked(line)
        rest = [*takewhile(_may_state_level, lines[place + 1 :])] if line.role == SCORING or heads else []
        if len(rest) > 1 and len(levels_in("\n".join(each.text for each in rest))) == len(rest):
            for each in [line, *rest]:
                each.give(SCORING)


def _may_state_level(line: SourceLine) -> bool:
    """Return whether a line without a role goes on, and has a number that does not count it."""
    if line.role or line.has_gap or asks(line.text) or is_asked(line):
        return False
    return has_number(line.text) and not is_answer_with_points(line)


def _mark_near(lines: Sequence[SourceLine]) -> None:
    """Give lines next to scoring lines their role: a heading, or rules that have no cue."""
    for place in [*range(1, len(lines)), *range(len(lines) - 2, -1, -1)]:
        line = lines[place]
        below = lines[place + 1] if place + 1 < len(lines) else None
        is_below = place > 0 and lines[place - 1].role == SCORING and not line.has_gap
        is_above = below is not None and below.role == SCORING and not below.has_gap
        if line.role or not (is_below or is_above):
            continue
        is_heading = is_above and (_heads_rule(lines, place) or (place > 0 and _is_heading(line)))
        is_rule = _may_state(line) and _belongs_to_rule(line.text, is_below=is_below)
        if is_heading or is_rule or (is_below and _asks_behind_level(lines[place - 1], line)):
            line.give(SCORING)


def _asks_behind_level(above: SourceLine, line: SourceLine) -> bool:
    """Return whether the first of several sentences is the level next to the one above; a later one asks."""
    first, *rest = _SENTENCE_END.split(line.text)
    if not any(rest) or not asks(line.text):
        return False
    last, following = spans_in(above.text)[-1:], spans_in(first)[:1]
    return any(
        other.low == (one.high or 0) + 1 or one.low == (other.high or 0) + 1
        for one, other in zip(last, following, strict=False)
        if not other.is_weak
    )


def _may_state(line: SourceLine) -> bool:
    """Return whether a line without a mark that counts neither asks nor explains answers."""
    is_bare = line.mark is None or line.mark.kind == "hash" or line.mark.is_weak
    # A limit in words looks like a numbered heading: "Below 15: low".
    is_bare = is_bare or states_level(line.text)
    return is_bare and not (asks(line.text) or is_asked(line) or explains_answers(line.text))


def _belongs_to_rule(text: str, *, is_below: bool) -> bool:
    """Return whether a text next to a rule is about gaps, reversed items or points; below it, about items."""
    if is_about_gaps(text) or REVERSED.search(text) or (ABOUT_SCORE.search(text) and has_number(text)):
        return True
    return is_below and (ITEM_NUMBER.search(text) is not None or states_level(text))


def _is_heading(line: SourceLine) -> bool:
    """Return whether a line behind a gap is a few words that no sign of a sentence ends."""
    is_short = line.has_gap and len(line.text) <= _LONGEST_HEADING
    return is_short and _may_head(line.text) and _may_state(line)


def _heads_rule(lines: Sequence[SourceLine], place: int) -> bool:
    """Return whether a line is a few words above the last rules, after a gap, with a question mark."""
    line = lines[place]
    is_short = line.has_gap and line.mark is None and len(line.text.split()) <= MOST_HEADING_WORDS
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
    is_open = WEAK_CUE.search(line.text) is not None and _ENDED.search(line.text) is None
    return is_open and any(
        not each.has_gap and key_in(f"{line.text} {each.text}") is not None for each in below
    )


def _goes_on(above: SourceLine | None, line: SourceLine) -> bool:
    """Return whether a line is the rest of a rule for scores that is written over several lines."""
    if (
        above is None
        or above.role != SCORING
        or line.has_gap
        or holds_question(line.text)
        or (is_asked(line) and _is_item(line))
        or not has_number(above.text)
    ):
        return False
    is_letter = line.mark_kind == "letter"
    return not (_ENDED.search(above.text) or is_letter or is_asked(line))
