"""Answers that a sentence above or below items states once for all of them.

Examples are *Choose for each: true - partly - false* above lettered items, *(never | often)* above items that
begin with dots, and *(answers for all: never, often)* below them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, repeat
from typing import Final

from surveys.imports.words.answers_on_line import BOX, answers_on
from surveys.imports.words.cues import is_condition, is_yes_no, pattern_of, says_how_many
from surveys.imports.words.marks import ALPHABETS, mark_of
from surveys.imports.words.patterns import HAN, SPACE_TO_WRITE
from surveys.imports.words.question_marks import asks

_DOTS: Final = re.compile(r"\s*(?:\.{2,5}|…{1,2})\s?(?=[^\W\d_])")
_WHOLE: Final = re.compile(r"\s*[(（\[](?P<words>[^()（）\[\]]{5,160})[)）\]]\s*")
_LAST: Final = re.compile(r"(?P<before>.*\S)\s?[(（\[](?P<words>[^()（）\[\]]{5,160})[)）\]]\s?[.:：。]?\s*")
_QUOTED: Final = re.compile(
    r"(?P<before>[^“”„«»「」『』\"]{0,80})[“„«「『\"](?P<words>[^“”„«»「」『』\"]{3,160})[”“»」』\"].{0,40}"
)
_BEHIND_COLON: Final = re.compile(
    r"(?P<before>(?:\S{1,30}\s){2,20}[^:：\s]{1,30}\s?[:：]|[㐀-鿿，]{6,60}[:：])\s?(?P<words>[^:：]{5,160})"
)
_ANSWER_WITH: Final = re.compile(
    rf"(?P<before>(?:.{{1,200}}[.?!:：]\s)?)(?:{pattern_of('answer-lead').pattern})\s(?P<words>[^.:：?!]{{5,160}})[.。]?",
    re.IGNORECASE,
)
"""An instruction to answer with certain words: *Answer never, sometimes or often.*"""
_KEY: Final = re.compile(r"\d.*\s\d{1,2}")
"""An answer and its points: *0 counts 2*."""
_LETTER: Final = re.compile(r"^\(\w\)")
_DIGIT: Final = re.compile(r"\d")
_LEAST, _LEAST_STATED = 2, 3
_LEAST_WORDS, _LEAST_HAN = 2, 4


def write_stated_answers(lines: Sequence[str]) -> list[str]:
    """Write the answers that a line states for the items next to it behind each of these items.

    Parameters
    ----------
    lines : sequence of str
        Items have marks of one shape, or begin with dots, and no answers of their own.

    Examples
    --------
    >>> items = ["A. I am shy", "B. I like teams", "C. I want more sport"]
    >>> write_stated_answers(["Choose for each: true - partly - false", "", *items])[:3]
    ['Choose for each:', '', 'A. I am shy    ○ true   ○ partly   ○ false']
    >>> write_stated_answers(["How often ...", "... do you lie?", "... do you run?", "(never, often)"])[2:]
    ['… do you run?    ○ never   ○ often', '']
    """
    found = list(lines)
    filled = [place for place, line in enumerate(lines) if line.strip()]
    for run in _runs_of_items(lines, filled):
        first, last = filled.index(run[0]), filled.index(run[-1])
        above = filled[first - 1] if first else -1
        below = filled[last + 1] if last + 1 < len(filled) else -1
        is_dotted = _DOTS.match(lines[run[0]]) is not None
        labels_below = _list_in_brackets(lines[below]) if below >= 0 else ()
        if above < 0 or (below == run[-1] + 1 and not labels_below):
            # The line below may be an answer of the last item.
            continue
        before, labels = _stated(lines[above], is_dotted=is_dotted)
        if not labels and above == run[0] - 1 and _is_lettered(lines[run[0]]):
            before, labels = "", _bare_list(lines[above])
        if labels:
            found[above] = before
        elif is_dotted and labels_below:
            found[below], labels = "", labels_below
        if _is_lettered(lines[run[0]]):
            # A letter is the name of an item.
            labels = [_LETTER.sub("○", label) for label in labels]
        boxes = "".join(f"   {label}" for label in labels)
        for at in run if labels else ():
            dots = _DOTS.match(lines[at])
            item = f"… {lines[at][dots.end() :]}" if dots else lines[at]
            found[at] = f"{item.rstrip()} {boxes}"
    return found


def _runs_of_items(lines: Sequence[str], filled: Sequence[int]) -> Iterator[list[int]]:
    """Yield the places of items that follow each other without a gap, with the same mark."""
    shapes = {place: _shape_of(lines[place]) for place in filled}
    run: list[int] = []
    for before, place in pairwise([-1, *filled, -1]):
        if run and place == before + 1 and shapes[place] and shapes[place] == shapes[before]:
            run.append(place)
            continue
        if len(run) >= (_LEAST if run and shapes[run[0]] == "dots" else _LEAST_STATED):
            yield run
        run = [place] if shapes.get(place) else []


def _shape_of(line: str) -> str:
    """Return the shape of the mark of an item without answers of its own; empty for other lines."""
    dots = _DOTS.match(line)
    mark, body = (None, line[dots.end() :]) if dots else mark_of(" ".join(line.split()))
    is_marked = dots is not None or (mark is not None and mark.kind in ("count", "letter"))
    is_statement = dots is not None or not asks(body)
    is_sentence = len(body.split()) >= _LEAST_WORDS or len(HAN.findall(body)) >= _LEAST_HAN
    if not (is_marked and is_statement and is_sentence) or (mark and is_condition(body)):
        return ""
    listed = answers_on(body)
    # Commas are also between clauses.
    if BOX.search(line) or SPACE_TO_WRITE.search(line) or (listed and listed.sign != ","):
        return ""
    return "dots" if mark is None else mark.shape


def _stated(line: str, *, is_dotted: bool) -> tuple[str, Sequence[str]]:
    """Return the text in front of the answers that a line states, and these answers, if any."""
    if labels := _list_in_brackets(line):
        return "", labels
    for pattern in () if asks(line) else (_LAST, _QUOTED, _BEHIND_COLON, _ANSWER_WITH):
        match = pattern.fullmatch(line.strip())
        least = _LEAST if is_dotted or pattern is _LAST else _LEAST_STATED
        if match and (labels := _list_in(match["words"], least=least)):
            return match["before"], labels
    return line, ()


def _list_in_brackets(line: str) -> Sequence[str]:
    match = _WHOLE.fullmatch(line)
    return _list_in(match["words"], least=_LEAST) if match else ()


def _is_lettered(line: str) -> bool:
    mark = mark_of(line.strip())[0]
    return mark is not None and mark.kind == "letter"


def _bare_list(line: str) -> Sequence[str]:
    """Return the answers of a line that is a list with slashes or bars and nothing else, if any."""
    listed = answers_on(line.strip())
    is_plain = listed is not None and not listed.before and listed.sign in "/|" and not _DIGIT.search(line)
    return _list_in(line, least=_LEAST_STATED) if is_plain else ()


def _list_in(words: str, *, least: int) -> Sequence[str]:
    """Return the answers that words list, possibly behind a name and a colon; none if these have points.

    They have circles in front of them, or the letters by which a scoring rule may name them.
    """
    words = re.split("[:：]", words)[-1].strip(" .。")
    if says_how_many(words):
        return ()
    named = [word.strip(".,:") for word in words.split()]
    pair = next((pair for pair in zip(named, named[2:], strict=False) if is_yes_no(pair)), ())
    circled = tuple(f"○ {label}" for label in pair)
    listed = answers_on(words)
    if listed is None or listed.before or listed.points or listed.sign not in (*"/|-;,", "letter"):
        return circled
    if any(sign in label for label in listed.labels for sign in "(（") or all(
        map(_KEY.fullmatch, listed.labels)
    ):
        # Abbreviations that columns have, or the points of answers.
        return ()
    if len(listed.labels) < least and not is_yes_no(listed.labels):
        return circled
    marks = map("({})".format, ALPHABETS[0]) if listed.sign == "letter" else repeat("○")
    return tuple(f"{mark} {label}" for mark, label in zip(marks, listed.labels, strict=False))
