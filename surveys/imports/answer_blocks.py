"""Roles of lines by the lines around them: what recurs below several questions, and what has a mark.

Each step looks for one structure and marks its lines with the signs of `printed_layouts`; other lines stay as
they are. No step knows words of a language, and each takes linear time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Final

from surveys.imports.printed_layouts import ASK, HEAD, LEFT, OPTION, POINTS, meaning_of, pattern_of
from surveys.questionnaire.checks.content import looks_exclusive

_MARK: Final = re.compile(
    r"\s*(?:(?P<sign>[☐□▢◻⬜❑❏○◯⚪◉●]|[-–—*•·▪◦](?=\s)|\[\s?\]|\(\s?\)|o(?=\s))"
    r"|(?P<letter>[(（]?(?:[A-Za-z]|[ivx]{2,4})[.)、．）])(?=\s)|(?P<code>[(（]\d{1,3}[)）]))\s?(?P<text>\S.*)"
)
_NUMBERED: Final = re.compile(
    r"\s*(?:Q|Question|问题|第)?\s?\d{1,3}\s?(?:[.)、．:：）]|题)\s?(?P<text>\S.*)", re.IGNORECASE
)
_ASKS: Final = re.compile(r"[?？][^\w?？]{0,6}$")
_FINISHED: Final = re.compile(r"[.?!:;。？！：；)）\]】_…]$")
_ITEM: Final = re.compile(r"\s*[A-Za-z]{0,3}\d{1,3}(?:[._-]\d{1,2}|[a-z])[.:)]?\s(?P<text>\S.*)")
"""A question below another: *Q1_1*, *1.2*, *3b*."""
_CODED: Final = re.compile(r"\s*[(（]?(?P<code>\d{1,2})(?:[)）]|\s?[=＝:：.–-])?\s?(?P<text>[^\W\d].*)")
_CELLS: Final = re.compile(r"\t+| {3,}")
_DEEP: Final = re.compile(r"(?: {8,}|\t\s{0,40})\S")
_TAIL: Final = re.compile(r"(?P<item>[^:：]{2,120})[:：]\s?(?P<tail>[^:：]{3,200})")
_BETWEEN: Final = (re.compile(r"\s?[/／]\s?"), re.compile(r"\s?[;；]\s?"), re.compile(r"\s?[,，、]\s?"))
_LEGEND: Final = re.compile(r"(?P<key>\w{1,4})\s?[=＝:：]\s?(?P<label>[^=＝:：,，;；()（）]{2,60})")
_LETTERS: Final = re.compile(r"[^\W\d_]")
_LONGEST_ANSWER: Final = 40
_LONGEST_BUTTON: Final = 3
_SEVERAL: Final = pattern_of("asks-several")
_ONE: Final = pattern_of("asks-one")


@dataclass(frozen=True)
class Line:
    """A line of a pasted text.

    Parameters
    ----------
    number : int
        Line number in the source, counted from 1.
    text : str
        With the blanks in front.
    sign : str
        Sign of its role, or nothing if its text decides.
    """

    number: int
    text: str
    sign: str = ""

    @property
    def is_blank(self) -> bool:
        """Whether it has no text."""
        return not self.text.strip()

    @property
    def mark(self) -> tuple[str, int] | None:
        """Its kind of mark, with its indent; None without one."""
        match = _MARK.fullmatch(self.text)
        if match is None or self.sign:
            return None
        kind = match["sign"] or ("a" if match["letter"] else "(1)")
        return kind, (len(self.text) - len(self.text.lstrip())) // 2

    @property
    def bare(self) -> str:
        """The text without its mark or number."""
        match = _MARK.fullmatch(self.text) or _NUMBERED.fullmatch(self.text)
        return match["text"].strip() if match else self.text.strip()

    @property
    def is_numbered(self) -> bool:
        """Whether it has the number of a question."""
        return not self.sign and _NUMBERED.fullmatch(self.text) is not None

    @property
    def is_asked(self) -> bool:
        """Whether it is numbered or ends with a question mark."""
        return not self.sign and (self.is_numbered or _ASKS.search(self.text) is not None)


def with_roles(lines: Sequence[Line]) -> list[Line]:
    """Return the lines with the roles that their surroundings show.

    Parameters
    ----------
    lines : sequence of Line

    Examples
    --------
    >>> text = ["● Do you lie?", "  ○ Yes", "  ○ No", "● How often?", "  ○ Once", "  ○ Often"]
    >>> lines = with_roles([Line(number, each) for number, each in enumerate(text, start=1)])
    >>> [line.text for line in lines][::3]
    ['1. Do you lie?', '2. How often?']
    """
    found = list(lines)
    for step in (
        with_point_column,
        with_columns,
        with_nested_questions,
        without_buttons,
        with_joined_answers,
        with_shared_answers,
        with_items,
        with_instructions,
    ):
        found = step(found)
    return found


def with_point_column(lines: Sequence[Line]) -> list[Line]:
    """Give answers the points that stand in a column of their own behind them."""
    rows = [
        cells if len(cells) == 2 and cells[1].isdecimal() and _LETTERS.search(cells[0]) else None
        for line in lines
        for cells in [[" ".join(cell.split()) for cell in _CELLS.split(line.text.strip())]]
    ]
    found = list(lines)
    for place, cells in enumerate(rows):
        line = lines[place]
        beside = [rows[near] for near in (place - 1, place + 1) if 0 <= near < len(rows)]
        if cells and any(beside) and not (line.sign or line.is_asked or line.mark or len(cells[1]) > 3):
            found[place] = Line(line.number, f"{int(cells[1])}{POINTS}{cells[0]}", OPTION)
    return found


def with_columns(lines: Sequence[Line]) -> list[Line]:
    """Write answers that stand in a column beside their question below it."""
    found: list[Line] = []
    is_open = False
    for line, below in zip(lines, [*lines[1:], Line(0, "")], strict=True):
        cells = [" ".join(cell.split()) for cell in _CELLS.split(line.text.strip())]
        if is_open and _DEEP.match(line.text):
            found.append(_answer(line.number, cells))
            continue
        starts = (
            len(cells) in (2, 3) and replace(line, text=cells[0]).is_asked and bool(_DEEP.match(below.text))
        )
        is_open = starts and bool(_LETTERS.search(cells[1]))
        if is_open:
            found += [Line(line.number, cells[0]), _answer(line.number, cells[1:])]
        else:
            found.append(line)
    return found


def _answer(number: int, cells: Sequence[str]) -> Line:
    """Return an answer with a mark."""
    line = Line(number, " ".join(cells))
    return line if line.mark else replace(line, text=f"- {line.text}")


def with_nested_questions(lines: Sequence[Line]) -> list[Line]:
    """Number lines with one mark that stand above runs of lines with another: questions and their answers."""
    marks = [line.mark for line in lines if not line.is_blank]
    marked = [mark for mark in marks if mark]
    if len(set(marked)) != 2 or any(line.is_numbered for line in lines):
        return list(lines)
    outer = marked[0]
    runs = [(mark, len(list(same))) for mark, same in groupby(marked)]
    n_outer = sum(mark == outer for mark, _length in runs)
    is_nested = n_outer > 1 and all(length == 1 if mark == outer else length > 1 for mark, length in runs)
    inner_asks = any(line.mark not in (None, outer) and _ASKS.search(line.text) for line in lines)
    if not is_nested or runs[-1][0] == outer or inner_asks:
        return list(lines)
    found, count = [], 0
    for line in lines:
        if line.mark == outer:
            count += 1
            line = replace(line, text=f"{count}. {line.bare}")
        found.append(line)
    return found


def with_joined_answers(lines: Sequence[Line]) -> list[Line]:
    """Join a line in small letters with the unfinished answer above it, if only the answers have marks."""
    found: list[Line] = []
    for line in lines:
        above = found[-1] if found else Line(0, "")
        before = next((each.mark for each in reversed(found[-3:-1]) if not each.is_blank), None)
        if (
            line.text.strip()[:1].islower()
            and line.mark is None
            and above.mark is not None
            and (before is None or before[0] == above.mark[0])
            and not _FINISHED.search(above.text.rstrip())
            and not (line.is_asked or line.sign or meaning_of(line.text.strip()))
        ):
            found[-1] = replace(above, text=f"{above.text.rstrip()} {line.text.strip()}")
        else:
            found.append(line)
    return found


def _answers(text: str) -> tuple[str, ...]:
    """Return the answers on one line; none if it is anything else."""
    parts = next((tuple(each.split(text.strip())) for each in _BETWEEN if each.search(text)), ())
    is_list = len(parts) > 1 and all(0 < len(part) <= _LONGEST_ANSWER for part in parts)
    return parts if is_list and all(map(_LETTERS.search, parts)) else ()


def with_shared_answers(lines: Sequence[Line]) -> list[Line]:
    """Ask each line that ends with the same answers as its neighbours as a row of a table."""
    legend = _legend(lines)
    tails = [_tail(line, legend) for line in lines]
    counts = Counter(tail for _item, tail in tails if tail)
    found: list[Line] = []
    is_used = False
    for line, (item, tail) in zip(lines, tails, strict=True):
        if not tail or counts[tail] < 2:
            found.append(line)
            continue
        last = next((place for place in range(len(found) - 1, -1, -1) if not found[place].is_blank), None)
        if last is not None and found[last].is_asked and found[last].number != lines[0].number:
            found[last] = Line(found[last].number, found[last].bare, HEAD)
        labels = [legend.get(each.lower(), each) for each in tail]
        is_used = is_used or labels != list(tail)
        found.append(Line(line.number, f"{replace(line, text=item).bare} [table]", ASK))
        found += [Line(line.number, label, OPTION) for label in labels]
    return [line for line in found if not (is_used and line.sign == "" and _is_legend(line))]


def _tail(line: Line, legend: dict[str, str]) -> tuple[str, tuple[str, ...]]:
    """Return an item and the answers at the end of its line; no answers if it has none."""
    cells = [" ".join(cell.split()) for cell in _CELLS.split(line.text.strip())]
    words = line.text.split()
    is_list = all(_LETTERS.search(cell) and len(cell) <= _LONGEST_ANSWER for cell in cells[1:])
    if len(cells) > 2 and is_list and len(set(cells[1:])) == len(cells) - 1:
        return cells[0], tuple(cells[1:])
    if 2 < len(legend) < len(words) and [word.lower() for word in words[-len(legend) :]] == list(legend):
        return " ".join(words[: -len(legend)]), tuple(words[-len(legend) :])
    match = _TAIL.fullmatch(line.text.strip())
    if match and not line.sign and not _ASKS.search(line.text):
        return match["item"].strip(), _answers(match["tail"])
    return line.text, ()


def _is_legend(line: Line) -> bool:
    return len(_LEGEND.findall(line.text)) > 2


def _legend(lines: Sequence[Line]) -> dict[str, str]:
    """Return labels by their abbreviations, as one line explains them; empty if none does."""
    legends = (line for line in lines if _is_legend(line))
    return {key.lower(): label.strip(" .") for key, label in _LEGEND.findall(next(legends, Line(0, "")).text)}


def with_items(lines: Sequence[Line]) -> list[Line]:
    """Ask each item below a question with the scale that follows the items, or stands before them."""
    kinds = [_kind_of_row(line) for line in lines]
    runs = [(kind, [place for place, _kind in same]) for kind, same in _grouped(kinds)]
    found = list(lines)
    for (first, places), (second, others) in pairwise(runs):
        if {first, second} != {"item", "code"} or len(places) < 2 or len(others) < 2:
            continue
        items, scale = (places, others) if first == "item" else (others, places)
        above = places[0] - 1
        if above < 0 or found[above].is_blank or kinds[above] or found[above].sign:
            continue
        matches = [match for place in scale if (match := _CODED.fullmatch(lines[place].text))]
        labels = [f"{int(match['code'])}{POINTS}{match['text'].strip()}" for match in matches]
        found[above] = Line(found[above].number, found[above].bare, HEAD)
        for place in scale:
            found[place] = Line(lines[place].number, "")
        for place in items:
            match = _ITEM.fullmatch(lines[place].text)
            found[place] = Line(
                lines[place].number, "\n".join([match["text"] if match else "", *labels]), ASK
            )
    return list(_spread(found))


def _spread(lines: Sequence[Line]) -> Iterator[Line]:
    """Yield the lines; an item with its labels becomes a question of a table and its answers."""
    for line in lines:
        item, *labels = line.text.split("\n")
        yield Line(line.number, f"{item} [table]", ASK) if labels else line
        for label in labels:
            yield Line(line.number, label, OPTION)


def _grouped(kinds: Sequence[str]) -> Iterator[tuple[str, Iterator[tuple[int, str]]]]:
    return groupby(enumerate(kinds), key=lambda each: each[1])


def _kind_of_row(line: Line) -> str:
    if line.sign or line.is_blank or line.mark not in (None, ("(1)", 0)):
        return ""
    if _ITEM.fullmatch(line.text) and not line.is_asked:
        return "item"
    return "code" if _CODED.fullmatch(line.text) and not _ASKS.search(line.text) else ""


def with_instructions(lines: Sequence[Line]) -> list[Line]:
    """Make a line between a question and answers with marks its help, or leave it out if it recurs."""
    places = [place for place, line in enumerate(lines) if not line.is_blank]
    between: list[tuple[int, int]] = []
    for asked, said, first, second in zip(places, places[1:], places[2:], places[3:], strict=False):
        question, line = lines[asked], lines[said]
        if (
            question.is_asked
            and not (line.mark or line.sign or line.is_asked)
            and lines[first].mark is not None
            and lines[first].mark == lines[second].mark
            and said == asked + 1
            and len(_CELLS.split(line.text.strip())) == 1
            and _FINISHED.search(question.text.rstrip())
            and not meaning_of(" ".join(line.text.split()))
            and not line.text.lstrip().startswith((">", "＞", "#"))
        ):
            between.append((asked, said))
    beginnings = Counter(_beginning(lines[said].text) for _asked, said in between)
    found = list(lines)
    for asked, said in between:
        text = lines[said].text.strip()
        flag = "several" if _SEVERAL.search(text) else "one" if _ONE.search(text) else ""
        if flag:
            found[asked] = replace(found[asked], text=f"{found[asked].text.rstrip()} [{flag}]")
        recurs = beginnings[_beginning(text)] > 1
        found[said] = Line(lines[said].number, text, LEFT) if flag or recurs else Line(said + 1, f"> {text}")
        found[said] = replace(found[said], number=lines[said].number)
    return found


def _beginning(text: str) -> str:
    return " ".join(text.lower().split()[:2])


def without_buttons(lines: Sequence[Line]) -> list[Line]:
    """Leave out lines without a mark that recur below answers with marks, such as *Next* and *ANSWER: A*."""
    found = list(lines)
    last: list[int] = []
    block: list[int] = []
    for place, line in [*enumerate(lines), (len(lines), Line(0, ""))]:
        is_break = line.is_blank or meaning_of(line.text.strip()) == "gap"
        if not is_break and not (line.is_numbered and block):
            block.append(place)
            continue
        if (
            len(block) > 2
            and _may_be_button(lines[block[-1]])
            and _has_marks([lines[each] for each in block])
        ):
            last.append(block[-1])
        block = [] if is_break else [place]
    if last_words := _last_words(lines):
        found[last_words] = replace(lines[last_words], text=lines[last_words].text.strip(), sign=LEFT)
    words = Counter(word for place in last for word in {*_button_words(lines[place].text)})
    for place in last:
        if any(words[word] > 1 for word in _button_words(lines[place].text)):
            found[place] = Line(lines[place].number, lines[place].text.strip(), LEFT)
    return found


def _last_words(lines: Sequence[Line]) -> int:
    """Return the place of the last line if it has no mark below answers with marks; 0 if it has."""
    places = [place for place, line in enumerate(lines) if not line.is_blank][-3:]
    if len(places) < 3:
        return 0
    first, second, last = (lines[place] for place in places)
    is_plain = not (last.mark or last.sign or last.is_asked or meaning_of(last.text.strip()))
    is_answer = (
        "_" in last.text or last.text.rstrip().endswith((":", "：")) or looks_exclusive({"": last.bare})
    )
    is_below = first.mark is not None and first.mark == second.mark
    is_sentence = len(last.text.split()) > 1 and last.text.rstrip()[-1] in ".!。！"
    return places[-1] if is_plain and is_below and is_sentence and not is_answer else 0


def _may_be_button(line: Line) -> bool:
    is_plain = not (line.mark or line.sign or line.is_asked or meaning_of(line.text.strip()))
    return is_plain and 0 < len(line.text.split()) <= _LONGEST_BUTTON


def _button_words(text: str) -> list[str]:
    """Return the words of a line; only the first if a colon follows it."""
    head, colon, _rest = text.partition(":")
    return (head if colon else text).lower().split()


def _has_marks(block: Sequence[Line]) -> bool:
    """Return whether answers of a block have marks, or are a row of numbers."""
    marks = Counter(line.mark for line in block if line.mark)
    is_scale = any(
        len(words) > 2 and all(map(str.isdecimal, words)) for words in (line.text.split() for line in block)
    )
    return is_scale or any(count > 1 for count in marks.values())
