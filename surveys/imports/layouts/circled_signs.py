"""Letters and circled digits to choose from, written as round boxes and plain numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from surveys.imports.words.cues import pattern_of
from surveys.imports.words.marks import mark_of
from surveys.imports.words.question_marks import asks
from surveys.imports.words.runs import filled_runs

_LETTER_BOX: Final = re.compile(r"\s{0,9}O\s{1,9}(?P<first>\S)")
"""A capital O, as people type round boxes."""
_TYPED_BOX: Final = re.compile(r"\s{0,9}(?P<sign>[a-np-z](?=\s\s)|[qQxX](?=\s))\s{1,9}(?=[^\W_])")
"""A letter in place of a box: one that is no word, or with a wide gap behind it."""
_LIKE_BOX: Final = re.compile(
    r"(?:^\s{0,40}|\s{2,40}|(?<=[?？:：])\s?)(?P<sign>[◦▫](?=\s)|[B-DF-HJ-NP-TV-Z](?=\s{1,3}[^\W\d_]{2})|[口ロ囗](?=\s?[^\W_]))\s{0,9}"
)
"""A sign or a letter like a box in front of an answer: at the beginning of a line, or behind a wide gap."""
_LETTERS_BEHIND: Final = re.compile(
    r"(?<=[\w.!?…)])(?<![\s.][A-ZА-Я])(?:\s{2,40}|[.…_]{3,80}\s{0,9})(?P<one>[A-ZА-Я])\s{1,9}(?:/\s{0,3})?(?P<other>[A-ZА-Я])\s{0,9}$"
)
"""Two letters to circle behind an item."""
_CIRCLED: Final = "①②③④⑤⑥⑦⑧⑨⑩"
_CIRCLES_BEHIND: Final = re.compile(rf"(?<=\S)(?:\s{{0,9}}[{_CIRCLED}]){{3,10}}\s*$")
"""Circled numbers to choose from, behind an item."""
_CIRCLE_AND_POINTS: Final = re.compile(
    rf"[{_CIRCLED}](?=\s?(?:[=＝:：→计记得给]|\s(?:{pattern_of('counts-points').pattern})\s)\s?\d{{1,2}}(?!\d))",
    re.IGNORECASE,
)
"""A circled number of an answer, in front of its points."""
_LEAST_ALIKE: Final = 2
"""Lines that begin with the same answers."""
_LEAST_BOXES: Final = 3
"""Lines of a text that begin with the same letter in place of a box."""


def draw_boxes(lines: Sequence[str]) -> list[str]:
    """Write boxes where at least two lists of answers begin with the same sign or letter like a box.

    A scanned text may have *D* or 口 in place of a box.

    Parameters
    ----------
    lines : sequence of str

    Examples
    --------
    >>> draw_boxes(["1. Müde?", "D ja", "D nein", "2. Krank?   D ja   D nein"])
    ['1. Müde?', '☐ ja', '☐ nein', '2. Krank?   ☐ ja   ☐ nein']
    >>> draw_boxes(["1. Tired?", "◦ yes", "◦ no", "2. Ill?", "◦ yes", "◦ no"])[1]
    '○ yes'
    >>> draw_boxes(["哪里不舒服？", "口干", "口苦"]), draw_boxes(["B  Work", "C  Home", "D  Street"])
    (['哪里不舒服？', '口干', '口苦'], ['B  Work', 'C  Home', 'D  Street'])
    >>> draw_boxes(["Why?", "B pay", "C rest", "Who?", "B you", "C we"])[1]
    'B pay'
    """
    firsts = [match["sign"] if (match := _LIKE_BOX.match(line)) else "" for line in lines]
    lists = [sign for sign, run in groupby(firsts) if sign and len([*run]) >= _LEAST_ALIKE]
    for line in lines:
        signs = Counter(match["sign"] for match in _LIKE_BOX.finditer(line))
        lists += [sign for sign, count in signs.items() if count >= _LEAST_ALIKE]
        # One list is enough if three answers on a line have the letter.
        lists += [sign for sign, count in signs.items() if count >= _LEAST_BOXES]
    counts = Counter(lists)
    drawn = {sign for sign, count in counts.items() if count >= _LEAST_ALIKE}

    def draw(match: re.Match[str]) -> str:
        box = "○" if match["sign"] == "◦" else "☐"
        return f"{match[0].rstrip()[:-1]}{box} " if match["sign"] in drawn else match[0]

    return [_LIKE_BOX.sub(draw, line) for line in lines]


def draw_circles(lines: Sequence[str]) -> list[str]:
    """Write round boxes where several adjoining lines begin with a capital O instead.

    The letter is also a word. So in at least one line, a capital letter, a digit or a sign must follow; or
    several questions have nothing but such answers.

    Examples
    --------
    >>> draw_circles(["Age?", "O under 30", "O 30 to 44"])
    ['Age?', '○ under 30', '○ 30 to 44']
    >>> draw_circles(["O under €99", "O €99 or more"])
    ['○ under €99', '○ €99 or more']
    >>> draw_circles(["O chefe grita", "O trabalho cansa"])
    ['O chefe grita', 'O trabalho cansa']
    >>> draw_circles(["Lärm?", "O ja", "O nein", "Licht?", "O viel", "O wenig"])[1:3]
    ['○ ja', '○ nein']
    """
    found = list(lines)
    boxes = [*map(_LETTER_BOX.match, lines)]
    runs = [run for run in filled_runs(boxes) if len(run) >= _LEAST_ALIKE]
    is_drawn = any((box := boxes[at]) and not box["first"].islower() for run in runs for at in run)
    # Boxes of several answers on one line are already drawn.
    n_asked = int(any(line.count("○") > 1 for line in lines))
    n_asked += sum(run[0] > 0 and _leads_to_answers(lines[run[0] - 1]) for run in runs)
    for at in (at for run in runs for at in run if is_drawn or n_asked >= _LEAST_ALIKE):
        found[at] = found[at].replace("O", "○", 1)
    return found


def _leads_to_answers(line: str) -> bool:
    mark = mark_of(line.strip())[0]
    return asks(line) or line.rstrip()[-1:] in (":", "：") or (mark is not None and mark.kind == "count")


def draw_squares(lines: Sequence[str]) -> list[str]:
    """Write square boxes where several adjoining lines begin with the same small letter and a wide gap.

    One blank is enough behind *q* and *x*, which are no words. None of the lines asks.

    Examples
    --------
    >>> draw_squares(["Why?", "q  pay", "q  moving", "q  other"])
    ['Why?', '☐ pay', '☐ moving', '☐ other']
    >>> draw_squares(["a veces", "a menudo", "a diario"]), draw_squares(["a  pay", "b  moving", "c  other"])
    (['a veces', 'a menudo', 'a diario'], ['a  pay', 'b  moving', 'c  other'])
    """
    marks = [None if asks(line) else _TYPED_BOX.match(line) for line in lines]
    signs = [mark["sign"] if mark else "" for mark in marks]
    runs = [(sign, len([*group])) for sign, group in groupby(signs)]
    counts = Counter(dict.fromkeys(signs, 0))
    for sign, length in runs:
        counts[sign] += length if length >= _LEAST_ALIKE else 0
    is_run = [length >= _LEAST_ALIKE for _sign, length in runs for _line in range(length)]
    return [
        f"☐ {line[mark.end() :]}" if mark and alike and counts[mark["sign"]] >= _LEAST_BOXES else line
        for line, mark, alike in zip(lines, marks, is_run, strict=True)
    ]


def number_circles(lines: Sequence[str]) -> list[str]:
    """Write plain numbers where circled ones are the columns after items, and in the legend above them.

    In front of points, the answer takes the place of its circled number.

    Examples
    --------
    >>> number_circles(["① never ② often ③ daily", "1. I lie.  ① ② ③", "2. I steal.  ① ② ③"])[:2]
    ['1 = never   2 = often   3 = daily', '1. I lie.   1   2   3']
    >>> number_circles(["Key: ① no ② so-so ③ yes", "I lie. ①②③", "I hide. ①②③", "Scores: ①=0, ②=1, ③=2"])[::3]
    ['Key:   1 = no   2 = so-so   3 = yes', 'Scores: no=0, so-so=1, yes=2']
    """
    behind = [*map(_CIRCLES_BEHIND.search, lines)]
    runs = {"".join(match[0].split()) for match in behind if match}
    if len(runs) != 1 or sum(map(bool, behind)) < _LEAST_ALIKE:
        return [*lines]
    signs = runs.pop()
    found = []
    said: dict[str, str] = {}
    for text, match in zip(lines, behind, strict=True):
        if match:
            row = "   ".join(str(_CIRCLED.index(sign) + 1) for sign in signs)
            found.append(f"{text[: match.start()].rstrip()}   {row}")
        elif not said and "".join(sign for sign in text if sign in _CIRCLED) == signs:
            cut = min(text.index(sign) for sign in signs)
            labels = [label.strip(" \t,，;；、") for label in re.split(f"[{signs}]", text[cut:])[1:]]
            row = "   ".join(
                f"{_CIRCLED.index(sign) + 1} = {own}" for sign, own in zip(signs, labels, strict=True)
            )
            found.append(f"{text[:cut].rstrip()}   {row}" if text[:cut].strip() else text[:cut] + row)
            said = dict(zip(signs, labels, strict=True))
        else:
            found.append(text)
    return [_CIRCLE_AND_POINTS.sub(lambda sign: said.get(sign[0]) or sign[0], text) for text in found]


def box_letters(lines: Sequence[str]) -> list[str]:
    """Write boxes before two letters to circle at the ends of at least two lines.

    Examples
    --------
    >>> box_letters(["I sleep well.   T  F", "I eat well.   T  F"])[0]
    'I sleep well.    ○ T   ○ F'
    """
    ends = [_LETTERS_BEHIND.search(text) for text in lines]
    counts = Counter((end["one"], end["other"]) for end in ends if end)
    return [
        f"{text[: end.start()]}    ○ {end['one']}   ○ {end['other']}"
        if end and counts[end["one"], end["other"]] >= _LEAST_ALIKE
        else text
        for text, end in zip(lines, ends, strict=True)
    ]
