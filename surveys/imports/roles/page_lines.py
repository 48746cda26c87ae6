"""Lines of a page that hold no content: rules, page numbers, and what recurs at the head of each page."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Sequence
from itertools import pairwise
from typing import Final

from surveys.imports.lines.source_lines import HEADING, LEFT, TITLE, SourceLine, split_space
from surveys.imports.words.answers_on_line import BOX
from surveys.imports.words.page_feet import is_foot
from surveys.imports.words.patterns import BETWEEN_CELLS, TO
from surveys.imports.words.question_marks import asks

_EMPTY: Final = re.compile(r"[|\s☐□▢○()\[\]]+")
_DIGITS: Final = re.compile(r"\d+")
_FAR: Final = 40
"""Blanks in front of words or a page number at the right of a page."""
RULE: Final = re.compile(r"[=─━═—–-]{3,}|[|\s:+-]{5,}")
"""A line drawn across the page."""


_REACTION: Final = re.compile(r"[(（]?(?:[\u2764\U0001f1e6-\U0001faff][\ufe0f\u200d\s]{0,3}){1,9}[)）]?")
_PROGRESS: Final = re.compile(r"[\[(|]?[\s=#>.■□█▓▒░_–-]{2,80}[\])|]?\s?\d{1,3}\s?%")
"""How much of a survey is done: a bar and a percentage."""
_LAST_NUMBER: Final = re.compile(r"\d{1,3}\W{0,3}$")
_PAGE: Final = re.compile(
    r"(?P<word>[^\d]{0,20})(?P<number>\d{1,3})"
    rf"(?!\s?{TO}\s?\d)"
    r"(?:\s?/\s?|\s?[^\W\d]{1,5}[\s/，,]{0,3}[^\W\d]{0,2}\s?)(?P<total>\d{1,3})\s?[^\W\d]?\W{0,2}"
)
"""The number of a page and of all pages; *0 to 31* is the range of an answer."""


def leave_footers(lines: Sequence[SourceLine]) -> None:
    """Leave out the foot of a page: a page number with its word, or an owner, alone or in a column.

    Scoring rules at the end of a page would continue with it otherwise.

    Parameters
    ----------
    lines : sequence of SourceLine
        Lines that are not blank; those with a role keep it.
    """
    for line in lines:
        cells = [cell.strip() for cell in BETWEEN_CELLS.split(line.raw.strip())]
        if any(map(is_foot, cells)) and not (line.role or asks(line.text) or BOX.search(line.raw)):
            line.give(LEFT, is_certain=False)


def leave_rules(lines: Sequence[SourceLine]) -> None:
    """Leave out rules, page numbers, and the heads and feet of pages."""
    _leave_page_numbers(lines)
    _leave_right_foot(lines)
    _leave_page_heads(lines)
    _leave_reactions(lines)
    for line in lines:
        is_empty = len(line.text) > 1 and _EMPTY.fullmatch(line.text) and "_" not in line.text
        is_rule = line is not lines[0] and RULE.fullmatch(line.text)
        if not line.role and (is_empty or is_rule or _PROGRESS.fullmatch(line.text)):
            line.give(LEFT)


def _leave_reactions(lines: Sequence[SourceLine]) -> None:
    """Leave out single lines of emoji, as in chats; several below each other are answers."""
    are_drawn = [_REACTION.fullmatch(line.raw.strip()) is not None for line in lines]
    for place, line in enumerate(lines):
        if are_drawn[place] and not line.role and not any(are_drawn[max(place - 1, 0) : place + 2 : 2]):
            line.give(LEFT)


def _leave_page_numbers(lines: Sequence[SourceLine]) -> None:
    """Leave out *Page 2 of 5*, and *2 of 5* if it counts pages or is far to the right."""
    totals: dict[str, list[int]] = defaultdict(list)
    pages = {place: match for place, line in enumerate(lines) if (match := _PAGE.fullmatch(line.text))}
    for match in pages.values():
        totals[match["total"]].append(int(match["number"]))
    for place, match in pages.items():
        counts = totals[match["total"]]
        is_counting = len(counts) > 1 and counts == sorted(set(counts))
        # Lines next to each other may be answers: 1 of 3, 2 of 3.
        beside = place - 1 in pages or place + 1 in pages
        if not (lines[place].role or beside or _is_listed(lines, place)) and (
            match["word"] or is_counting or lines[place].raw[:_FAR].isspace()
        ):
            lines[place].give(LEFT, is_certain=is_counting)


def _leave_right_foot(lines: Sequence[SourceLine]) -> None:
    """Leave out words far to the right in the last line of a page, which say how to go on."""
    for place, line in enumerate(lines):
        is_last = place + 1 == len(lines) or lines[place + 1].has_gap
        if line.raw[:_FAR].isspace() and is_last and not (line.role or _DIGITS.search(line.text)):
            is_words = len(BETWEEN_CELLS.split(line.raw.strip())) == 1 and not BOX.search(line.raw)
            if is_words and not asks(line.text) and split_space(line.text) is None:
                line.give(LEFT, is_certain=False)


def _leave_page_heads(lines: Sequence[SourceLine]) -> None:
    """Leave out lines in columns between gaps that are repeated, except for a number at their end."""
    texts = Counter(_LAST_NUMBER.sub("", line.text) for line in lines)
    for line, below in pairwise(lines):
        is_alone = line.has_gap and below.has_gap and not (line.mark or line.role or asks(line.text))
        if (
            is_alone
            and texts[_LAST_NUMBER.sub("", line.text)] > 1
            and len(line.cells) > 1
            and not BOX.search(line.raw)
        ):
            line.give(LEFT)


def leave_page_headings(lines: Sequence[SourceLine], chosen: Container[int]) -> None:
    """Leave out headings that are a number, or the title with a number: they belong to a page of the source.

    Parameters
    ----------
    lines : sequence of SourceLine
        With their roles.
    chosen : container of int
        Numbers of the lines whose role a researcher chose.
    """
    titles = {line.body for line in lines if line.role == TITLE}
    for line in lines:
        words = _LAST_NUMBER.sub("", line.text).strip(" |·•–—-")
        is_page = not any(map(str.isalpha, line.text)) or (words != line.text and words in titles)
        if line.role == HEADING and is_page and line.number not in chosen:
            line.give(LEFT)


def _is_listed(lines: Sequence[SourceLine], place: int) -> bool:
    """Return whether both lines beside have the same mark: "- 30 to 49" is an answer there, not a page."""
    mark = lines[place].mark
    near = [lines[at].mark for at in (place - 1, place + 1) if 0 <= at < len(lines)]
    return (
        mark is not None
        and len(near) == 2
        and all(one is not None and one.shape == mark.shape for one in near)
    )


def without_running_heads(pairs: Sequence[tuple[int, str]]) -> Sequence[tuple[int, str]]:
    """Leave out lines that repeat the first one with another page number, if that has columns."""
    first = next((raw.strip() for _number, raw in pairs if raw.strip()), "")
    if len(BETWEEN_CELLS.split(first)) < 2 or asks(first):
        return pairs
    words = _DIGITS.sub("9", first)
    found = [(number, raw) for number, raw in pairs if _DIGITS.sub("9", raw.strip()) == words]
    is_counted = len({raw.strip() for _number, raw in found}) == len(found) and words != first
    left = {number for number, _raw in found[1:]} if is_counted else set()
    return [(number, "" if number in left else raw) for number, raw in pairs]


def without_last_page_number(pairs: Sequence[tuple[int, str]]) -> Sequence[tuple[int, str]]:
    """Leave out a last line that contains only a number and follows words."""
    filled = [place for place, (_number, raw) in enumerate(pairs) if raw.strip()]
    if len(filled) < 2:
        return pairs
    above, last = (pairs[place][1].strip() for place in filled[-2:])
    is_alone = last.isdecimal() and not any(map(str.isdecimal, above.split()[:1]))
    is_apart = not pairs[filled[-1] - 1][1].strip() or pairs[filled[-1]][1][:4].isspace()
    return pairs[: filled[-1]] if is_alone and is_apart else pairs
