"""Who is asked which question: instructions to skip, and conditions above, below or in front of it.

The numbers of the questions show both: *go to 14* behind an answer skips the questions up to 14, and a remark
that names an earlier question with one of its answers is a condition of the question beside it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from surveys.imports.cues import is_condition, is_yes_no, pattern_of
from surveys.imports.legends import legend_of
from surveys.imports.question_marks import asks
from surveys.imports.sheets import SHEET
from surveys.imports.source_lines import (
    ANSWER,
    HEADING,
    HELP,
    INSTRUCTION,
    LEFT,
    QUESTION,
    REMARK_BEHIND,
    ROW,
    SCALE,
    SCORING,
    SKIP,
    SourceLine,
    answers_of,
    read_line,
)

_SKIP: Final = pattern_of("skip")
_FOR_SOME: Final = pattern_of("for-some")
_IF: Final = pattern_of("if")
_REMARK_BEFORE: Final = re.compile(r"^[(（\[【](?P<words>[^()（）\[\]【】]{2,60})[)）\]】]\s?")
_NEAR: Final = 8
_LEAST_QUOTED: Final = 12
"""Characters of a question that is recognised where another line quotes it."""
_BEHIND: Final = 3
"""Characters that may follow the number to which an instruction leads."""
_ARROWS: Final = ("→", "⇒", "➔", "←", "-", "=")
_CODE: Final = re.compile(
    r"(?<![^\W㐀-鿿])(?<![.])(?P<word>[IVX]{1,4}[.]|[^\W\d_㐀-鿿]{0,4}?)"
    r"(?P<number>\d{1,3}(?:[._]\d{1,3})?[a-z]?)(?!\w{2}|[.,:]\d)"
)
_LETTERS: Final = re.compile(r"[㐀-鿿]|[^\W\d_].*\w")
_QUOTED: Final = re.compile(r"[«»„“\"'‘「『]([^«»„“”\"'’「」『』]{1,40})[«»“”\"'’」』]")
_STATED: Final = re.compile(r"[=＝<>≠≤≥]|[«„“\"'”‘「『].{1,40}[»“”\"'’」』]")
"""An answer that a condition states: behind an equals sign, or in quotation marks."""


@dataclass(frozen=True)
class _Asked:
    """A question, and the answers that were read so far."""

    line: SourceLine
    answers: list[str]


def _codes_before(line: SourceLine) -> set[str]:
    """Return the number in front of a line, with and without its letters."""
    if line.topic == SHEET:
        match = _CODE.match(line.raw.lstrip('| "'))
        return {match["number"], (match["word"] + match["number"]).lower()} if match else set()
    is_counted = line.mark is not None and line.mark.kind == "count"
    match = _CODE.search(line.text[: -len(line.body)]) if is_counted and line.body else None
    return {match["number"], (match["word"] + match["number"]).lower()} if match else set()


def _codes_of(lines: Sequence[SourceLine | None]) -> dict[str, list[int]]:
    """Return the places of the lines that have each number in front of them."""
    found: dict[str, list[int]] = defaultdict(list)
    for place, line in enumerate(lines):
        for code in _codes_before(line) if line else ():
            found[code].append(place)
    return found


def _ahead(codes: Mapping[str, list[int]], code: re.Match[str], place: int) -> Sequence[int]:
    """Return the next places that have a number in front of them."""
    places = codes.get((code["word"] + code["number"]).lower()) or codes.get(code["number"]) or []
    start = bisect_right(places, place)
    return places[start : start + _NEAR]


def read_skips(lines: Sequence[SourceLine]) -> None:
    """Cut the instructions to skip behind answers, and keep to which line they lead.

    Parameters
    ----------
    lines : sequence of SourceLine
        Lines that are not blank; `SourceLine.target` is set where an instruction is, to 0 if it names no
        line.
    """
    _read_quotes(lines)
    codes = _codes_of(lines)
    for place, line in enumerate(lines):
        match = REMARK_BEHIND.search(line.raw)
        if match is None or line.role or not _LETTERS.search(line.raw[: match.start()]):
            continue
        target = _target(match["remark"], codes, lines, place)
        if target is None and not _SKIP.search(match["remark"]):
            continue
        cut = read_line(line.number, line.raw[: match.start()], has_gap=line.has_gap)
        line.raw, line.text, line.mark, line.body, line.cells = (
            cut.raw,
            cut.text,
            cut.mark,
            cut.body,
            cut.cells,
        )
        line.target = lines[target].number if target is not None else 0


def _read_quotes(lines: Sequence[SourceLine]) -> None:
    """Make conditions of lines that quote a question above them: *Answer was "Yes" at "Do you smoke?"*."""
    quoted: list[str] = []
    for line in lines:
        words = line.body.casefold().rstrip("* ")
        if not line.role and any(text in words and len(text) < len(words) for text in quoted):
            line.mark, line.body = None, line.text
            line.give(SKIP)
        elif asks(line.body) and len(line.body) > _LEAST_QUOTED:
            quoted.append(line.body.casefold().rstrip("* "))


def _target(
    remark: str, codes: Mapping[str, list[int]], lines: Sequence[SourceLine], place: int
) -> int | None:
    """Return the place of the line that the last number of a remark names, if it is ahead."""
    found = [*_CODE.finditer(remark)]
    legend = legend_of(remark)
    if legend and len(legend.points) > 1:
        # Points of answers: (never – 0, often – 3).
        return None
    if not found or len(remark) - found[-1].end() > _BEHIND or _STATED.match(remark, found[-1].end()):
        return None
    last = found[-1]
    is_bare = not any(map(str.isalpha, remark[: last.end()]))
    is_first = not last["word"] and not any(map(str.isalnum, remark[: last.start()]))
    if (is_bare or is_first) and remark[0] not in _ARROWS:
        # The points of an answer: (2 points).
        return None
    ahead = _ahead(codes, last, place + 1)
    return next((each for each in ahead if asks(lines[each].text)), ahead[0] if ahead else None)


def mark_conditions(lines: Sequence[SourceLine]) -> None:
    """Tell which questions are asked only after some answers.

    Parameters
    ----------
    lines : sequence of SourceLine
        With their roles; `SourceLine.is_for_some` of questions is set.
    """
    codes = _codes_of([line if line.role in (QUESTION, ROW) else None for line in lines])
    asked: dict[str, _Asked] = {}
    last: _Asked | None = None
    until, is_part, is_next = 0, False, False
    for place, line in enumerate(lines):
        if line.role == HEADING:
            is_part = _FOR_SOME.match(line.body) is not None
        own = [each.lower() for each in last.answers] if last else []
        if line.role in (QUESTION, ROW):
            listed = answers_of(line)
            # The codes of its own answers are no numbers of questions.
            asked_text = listed.before if listed and listed.before and listed.points else line.body
            text = _REMARK_BEFORE.sub(r"\g<words>, ", line.body)
            follows_choice = last is not None and (is_yes_no(own[-2:]) or not own)
            line.is_for_some = (
                line.number < until
                or is_part
                or is_next
                or is_condition(text, own)
                or (follows_choice and _IF.match(text) is not None)
                or _stated(asked_text, asked) is not None
                or _stated(line.beside, asked) is not None
                or _names_answer(line.body, own)
            )
            labels = line.cells if line.topic == SHEET else listed.labels if listed and listed.before else ()
            last, is_next = _Asked(line, [*labels]), False
            asked |= dict.fromkeys(_codes_before(line), last)
        elif line.role in (ANSWER, SCALE) and last:
            listed = answers_of(line)
            labels = line.cells if line.role == SCALE else listed.labels if listed else [line.body]
            last.answers.extend(labels)
        elif line.role in (HELP, INSTRUCTION, LEFT, HEADING, SKIP):
            named = _stated(line.text, asked)
            is_next = is_next or (line.role != HEADING and _FOR_SOME.match(line.body) is not None)
            concerned = _concerned(line.text, asked) if named or line.role == SKIP else []
            if concerned and not _names_ahead(codes, line.text, place):
                for each in concerned:
                    each.line.is_for_some = True
            elif named and last and not last.answers and named is not last:
                last.line.is_for_some = True
            elif named or line.role == SKIP:
                is_next = True
                behind = 0 if _SKIP.search(line.text) else 1
                for code in _CODE.finditer(line.text):
                    ahead = next(iter(_ahead(codes, code, place)), None)
                    until = max(until, lines[ahead].number + behind if ahead is not None else 0)
        is_explaining = line.role in (LEFT, HELP, INSTRUCTION) and _STATED.search(line.text) is not None
        is_possible = line.role in (QUESTION, ROW, ANSWER) or is_explaining
        if line.target is None and is_possible and _SKIP.search(line.text):
            # The instruction is not a remark behind an answer, so it concerns all lines up to its target.
            targets = [at for code in _CODE.finditer(line.text) for at in _ahead(codes, code, place)[:1]]
            until = max([until, *(lines[at].number for at in targets)])
        if line.target is not None and line.role != SCORING:
            until, is_next = max(until, line.target), is_next or not line.target


def _names_answer(text: str, answers: Sequence[str]) -> bool:
    """Return whether the remark in brackets in front of a text quotes an answer of the question above."""
    remark = _REMARK_BEFORE.match(text)
    quoted = _QUOTED.findall(remark["words"].lower()) if remark else []
    return any(words.strip() in answers for words in quoted)


def _names_ahead(codes: Mapping[str, list[int]], text: str, place: int) -> bool:
    """Return whether a text names the number of a question below it."""
    return any(_ahead(codes, code, place) for code in _CODE.finditer(text))


def _concerned(text: str, asked: Mapping[str, _Asked]) -> list[_Asked]:
    """Return the questions that a text names without an answer, behind the first that it names."""
    named = [
        (each, text[match.end() : match.end() + _NEAR].lower())
        for match in _CODE.finditer(text)
        if (each := _named_by(match, asked))
    ]
    first = min((each.line.number for each, _behind in named), default=0)
    return [
        each
        for each, behind in named
        if each.line.number > first
        and not (
            _STATED.search(behind)
            or any(len(label) > 1 and label.lower() in behind for label in each.answers)
        )
    ]


def _named_by(code: re.Match[str], asked: Mapping[str, _Asked]) -> _Asked | None:
    """Return the question whose number a text names, with or without the letters in front of it."""
    return asked.get((code["word"] + code["number"]).lower()) or asked.get(code["number"])


def _stated(text: str, asked: Mapping[str, _Asked]) -> _Asked | None:
    """Return the question of which a text names the number and an answer."""
    for match in _CODE.finditer(text):
        named = _named_by(match, asked)
        words = text.lower()
        if named and (
            _STATED.search(text) or any(len(label) > 1 and label.lower() in words for label in named.answers)
        ):
            return named
    return None
