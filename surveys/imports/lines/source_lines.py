"""Lines of a pasted text, with the role that the reader gives each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile
from typing import Final

from surveys.imports.words.answers_on_line import Listed, answers_on
from surveys.imports.words.cues import LEADS_ON, pattern_of
from surveys.imports.words.marks import ROUND, SQUARE, Mark, mark_of
from surveys.imports.words.patterns import BETWEEN_CELLS, BRACKETED, HAN

TITLE, HEADING, QUESTION, ANSWER, SCALE, ROW = "title", "heading", "question", "answer", "scale", "row"
INSTRUCTION, INTRODUCTION, HELP, SKIP, FIELD = "instruction", "introduction", "help", "skip", "field"
LEFT, JOINED, ABOUT, SCORING, ENDS = "left", "joined", "about", "scoring", "ends"
ASKED: Final = (QUESTION, ROW)
"""Roles of lines that become a question."""
BELOW: Final = "below"
"""The topic of an instruction about the question below it."""
ONE: Final = "one answer"
"""The topic of an answer whose commas separate no answers."""
CODES: Final = "codes"
"""The topic of a line of codes, which are the points of answers."""
OPENING: Final = "opening"
"""The topic of a paragraph that has the mark of a heading, and introduces a part without a title."""
_CAPITALS: Final = "CAPITALS"
"""The shape of a heading that only its capital letters show."""

LONG, _LONG_HAN = 70, 26
_TITLE_IN_BRACKETS: Final = re.compile(r"[【［](?P<title>[^【】［］()（）?？]{2,40})[】］]")
_SENTENCE_END: Final = re.compile(r"[.!。！।]\s*$")
_INDENT: Final = re.compile(r"\t| {2,}")
REMARK_BEHIND: Final = re.compile(
    r"\s?(?P<remark>(?:→|⇒|➔|←|[-=]{1,20}>|>>).{0,80}|[(（\[【][^()（）\[\]【】]{1,90}[)）\]】]|[….]{1,6}\s?转.{1,8})\s?[.。*]?$"
)
"""What may be an instruction to skip behind an answer: behind an arrow, or in brackets."""
FIELD_LINE: Final = re.compile(
    r"[^\w]{0,3}(?:[_＿.…][ _＿.…|]{1,200}[\])]?|[|I]_[_|I ]{0,60}|\[\s*\](?!.*\[))\s?"
    r"(?P<unit>(?:[^ _＿.…][^_＿]{0,59})?)"
)
"""A line that is a space to write, with its unit."""
_SPACE: Final = re.compile(
    r"[(（|\[]?(?:__|＿＿|…{2}|\.{4}|(?<=[£$€])\s?\.{2}|_ _|\|_|_\|)|\[\s+\]\s*$"
    r"|(?<=[?？:：]\s)\.{3}(?=\s?[^\W\d_])"
    r"|[(（]\s+[)）](?!.*[(（]\s[)）])(?=\s?\S{0,3}(?:\s?※|$))"
)
"""The beginning of a space to write."""
_BESIDE_SPACE: Final = re.compile(r"^[\s_＿.…()（）|/\[\]-]+|[\s_＿.…]+$")
_ARROW_LAST: Final = re.compile(r"\s(?:→|⇒|➔|[-=]{1,3}>|>>)$")
"""An arrow in front of a space to write."""
_UNIT_BEFORE: Final = re.compile(
    r"(?:(?<=[?？:：])\s{0,9}(?:(?P<sign>[A-Z]{0,2}[£$€¥₽₹]|[A-Z]{1,2}/\.?)|(?P<word>[^\W\d_]{1,7})\.?)|\s[A-Z]{0,2}[£$€¥₽₹])\s?$"
)
"""A currency or a word such as *about* in front of a space to write."""
_OUT_OF: Final = re.compile(r"(?<=[_＿.…]\s)/\s?\d{1,4}$")
"""The largest number that can be written: *___ / 20*."""
_CODES: Final = re.compile(r"\d{1,3}(?:\s?[^\W\d]{1,2}\.?|(?:\s\d{1,2}){0,12})")
"""Codes or points after dots: *0*, *2 P.*, *0 1 2*."""
_LONGEST_UNIT: Final = 40
_FEW_WORDS: Final = 4
_SAYS: Final = re.compile(
    rf"{pattern_of('says-number').pattern}|{pattern_of('says-text').pattern}", re.IGNORECASE
)
_ASKS_NUMBER: Final = pattern_of("asks-number")
_FREE: Final = pattern_of("alone-answer")
_FIELD_WORDS: Final = pattern_of("field", behind=r"\W*")


@dataclass(frozen=True, kw_only=True)
class StatedCondition:
    """Words that limit who is asked a question.

    Parameters
    ----------
    line : int
        The line that states it.
    words : str
        The words; empty if there are too many conditions to read.
    skips : bool
        Whether people to whom the words apply are *not* asked.
    is_behind : bool
        Whether the words are an instruction behind an answer of that line.
    is_open : bool
        Whether the text does not say how many questions they concern.
    """

    line: int
    words: str
    skips: bool = False
    is_behind: bool = False
    is_open: bool = False


@dataclass(kw_only=True)
class SourceLine:
    """A line of a pasted text, and the role that the reader gives it.

    Parameters
    ----------
    number : int
        Counted from 1.
    text : str
        As seen, with single blanks.
    raw : str
        With its tabs and wide blanks.
    mark : Mark or None
    body : str
        The text behind the mark.
    role : str
        Empty until it is known.
    is_certain : bool
        Whether no other role is possible.
    has_gap : bool
        Whether a blank line is above it.
    cells : list of str
        Its columns; for a row or the scale of a table, the labels of the scale.
    points : sequence of (int or None)
        Points of these labels, if the line states them.
    topic : str
        For a line about the survey, its topic; for a heading that is a paragraph, `OPENING`; for an
        instruction about the question below it, `BELOW`.
    has_answers : bool
        Whether the next line with a role is an answer.
    is_starred : bool
        Whether a star is at its end, as survey tools mark questions that need an answer.
    is_whole : bool
        Whether it is a question with its own answers, or with a space to write.
    target : int or None
        The line to which an instruction behind it leads; 0 if the instruction names none.
    skip : str
        The words of that instruction.
    conditions : list of StatedCondition
        For a question that only some people are asked: its conditions.
    remarks : str
        For the scale of a table, the heading of a column for remarks, which holds no answer.
    beside : str
        For a question in a row of a sheet, what cells say that hold neither its answers nor their kind.
    cut : str
        For a question, further spaces to write that were cut from its line.
    rule : str
        The scoring rule behind its legend that was cut from its line.
    begins_small : bool
        Whether it begins with a small letter that may continue the line above. False if all questions do.
    """

    number: int
    text: str
    raw: str
    mark: Mark | None = None
    body: str = ""
    has_gap: bool = False
    role: str = ""
    is_certain: bool = True
    flags: frozenset[str] = frozenset()
    cells: list[str] = field(default_factory=list)
    points: Sequence[int | None] = ()
    topic: str = ""
    has_answers: bool = False
    is_starred: bool = False
    is_whole: bool = False
    target: int | None = None
    skip: str = ""
    conditions: list[StatedCondition] = field(default_factory=list)
    remarks: str = ""
    beside: str = ""
    cut: str = ""
    rule: str = ""
    begins_small: bool = False

    @property
    def is_for_some(self) -> bool:
        """Whether it is a question that only some people are asked."""
        return bool(self.conditions)

    @property
    def mark_kind(self) -> str:
        """The kind of its mark; empty without one."""
        return self.mark.kind if self.mark else ""

    @property
    def mark_shape(self) -> str:
        """The shape of its mark; empty without one."""
        return self.mark.shape if self.mark else ""

    @property
    def is_bracketed(self) -> bool:
        """Whether the whole line is in brackets."""
        return BRACKETED.fullmatch(self.text) is not None

    @property
    def is_space(self) -> bool:
        """Whether it is a space to write, perhaps with its unit."""
        return unit_of_space(self.text) is not None

    @property
    def ends_with_colon(self) -> bool:
        """Whether a colon is its last sign."""
        return self.text.endswith((":", "："))

    def give(self, role: str, *, is_certain: bool = True) -> None:
        """Set the role of the line."""
        self.role, self.is_certain = role, is_certain

    def become_row(
        self, labels: Iterable[str], points: Sequence[int | None] = (), *, is_certain: bool = True
    ) -> None:
        """Make it a row of a table whose columns have these labels, and perhaps points."""
        self.give(ROW, is_certain=is_certain)
        self.cells, self.points = [*labels], points

    def become_scale(
        self, labels: Iterable[str], points: Sequence[int | None] = (), topic: str = "steps"
    ) -> None:
        """Make it the scale of a table; its topic is ``steps`` if it holds nothing but the labels."""
        self.give(SCALE)
        self.cells, self.points, self.topic = [*labels], points, topic


def read_line(number: int, raw: str, *, has_gap: bool) -> SourceLine:
    """Return a line with its mark and cells."""
    text = " ".join(raw.split())
    mark, body = mark_of(text)
    whole = answers_on(raw.strip()) if mark is not None and mark.kind in ("sign", "count", "letter") else None
    if whole and not whole.before and whole.sign in ("box", "code", "letter", "ends"):
        # The marks of its answers are not its own.
        mark, body = None, text
    is_space = mark is None and unit_of_space(text) is not None
    if mark is None and not is_space and len(BETWEEN_CELLS.split(raw.strip())) == 1:
        mark = _indent_of(raw)
    if mark is None and (title := _TITLE_IN_BRACKETS.fullmatch(text)):
        mark, body = Mark(shape="【】", value=(), kind="hash"), title["title"]
    if mark is None and _is_shouted(text) and len(BETWEEN_CELLS.split(raw.strip())) == 1:
        mark = Mark(shape=_CAPITALS, value=(), kind="hash")
    cells = (
        (raw.strip().strip("|") if raw.strip()[:1] == "|" else raw).split("|")
        if raw.count("|") > 2 or raw.strip()[:1] == "|"
        else BETWEEN_CELLS.split(raw.strip(" "))
    )
    return SourceLine(
        number=number,
        text=text,
        raw=raw,
        mark=mark,
        body=body,
        has_gap=has_gap,
        begins_small=text[:1].islower(),
        cells=[" ".join(cell.split()) for cell in cells],
    )


def _indent_of(raw: str) -> Mark | None:
    return Mark(shape="indent", value=(), kind="sign") if _INDENT.match(raw) else None


def unmark(line: SourceLine) -> None:
    """Make the mark of a line part of its text; an indent remains its mark."""
    line.mark, line.body = _indent_of(line.raw), line.text


def unmark_capitals(lines: Sequence[SourceLine]) -> None:
    """Take no line below a number for a heading because of its capital letters if most lines have them.

    Parameters
    ----------
    lines : sequence of SourceLine

    Examples
    --------
    >>> lines = [read_line(n, each, has_gap=False) for n, each in enumerate(["1. WHEN?", "RARELY", "OFTEN"])]
    >>> unmark_capitals(lines)
    >>> [line.mark_shape for line in lines]
    ['9.', '', '']
    """
    if 2 * sum(line.text.isupper() for line in lines) > len(lines):
        for line in dropwhile(lambda line: line.mark_kind != "count", lines):
            if line.mark_shape == _CAPITALS:
                unmark(line)


def _is_shouted(text: str) -> bool:
    return (
        text.isupper()
        and sum(map(str.isalpha, text)) > 5
        and not (any(sign in text for sign in "?[]|\t") or text[0] in "(（")
        and not HAN.search(text)
    )


def is_long(line: SourceLine) -> bool:
    """Return whether a line is too long for a title or an answer."""
    return len(line.text) > (_LONG_HAN if HAN.search(line.text) else LONG)


def behind_mark(line: SourceLine) -> str:
    """Return a line without its mark, with its wide blanks."""
    if line.mark_kind in ("", "hash"):
        return line.raw.strip()
    place = line.raw.find(line.body[:12].split()[0]) if line.body.split() else 0
    return line.raw[max(place, 0) :].strip()


def continues(line: SourceLine) -> bool:
    """Return whether a line can continue the line above it."""
    return line.mark is None and line.begins_small and not line.has_gap


def ends_answer(first: SourceLine, above: SourceLine, line: SourceLine) -> bool:
    """Return whether an answer without a mark is the end of the one above it, by its small letter."""
    is_clause = len(above.text.split()) > 2 and len(line.text.split()) > 1
    is_small = first.text[:1].isupper() and continues(line) and above.text[-1].isalnum()
    return is_clause and is_small and not answers_on(line.raw.strip())


def is_sentence(line: SourceLine) -> bool:
    """Return whether a line is a sentence or a paragraph rather than a title or an answer."""
    return is_long(line) or ends_sentence(line.text)


def ends_sentence(text: str) -> bool:
    """Return whether a text ends like a statement, and is not two words with a full stop.

    Examples
    --------
    >>> [ends_sentence(text) for text in ("Please think of last year.", "Part A.", "Your work", "想想去年。")]
    [True, False, False, True]
    """
    return bool(re.search(r"[。！]$", text)) or bool(_SENTENCE_END.search(text) and len(text.split()) > 2)


def is_paragraph(line: SourceLine) -> bool:
    """Return whether a line is a paragraph, whatever its mark: long, and ended like a sentence."""
    return is_long(line) and bool(_SENTENCE_END.search(line.text))


def unit_of_space(text: str) -> str | None:
    """Return the unit behind a space to write; None for a line that is no such space.

    Examples
    --------
    >>> unit_of_space("______ years"), unit_of_space("Your answer"), unit_of_space("Often")
    ('years', '', None)
    """
    if space := FIELD_LINE.fullmatch(text):
        return space["unit"]
    before = split_space(text)
    is_label = before is not None and len(before[0].split()) > 1
    is_short = len(text.split()) <= _FEW_WORDS and not text.endswith("。")
    is_said = is_short and not (is_label or mark_of(text)[0]) and _says(text)
    return "" if _FIELD_WORDS.fullmatch(text) or is_said else None


def _says(text: str) -> bool:
    """Return whether a text says what to write; *free* or *open* alone may be words of an answer."""
    said = [match[0] for match in _SAYS.finditer(text)]
    return any(not _FREE.fullmatch(each) for each in said) or (bool(said) and text[0] in "(（[")


def is_labelled_space(text: str) -> bool:
    """Return whether a line is a space to write behind a few words and a colon."""
    space = split_space(text)
    return space is not None and space[0][-1:] in (":", "：") and len(space[0].split()) <= _FEW_WORDS


def split_space(text: str) -> tuple[str, str] | None:
    """Return the text before a space to write and the unit behind it; None unless a text ends with one.

    Examples
    --------
    >>> split_space("Age: ____ years"), split_space("____ of it, and more"), split_space("Never ..... 0")
    (('Age:', 'years'), None, None)
    >>> split_space("How much a month? £ ____"), split_space("How long? about ____ hours")
    (('How much a month?', '£'), ('How long?', 'hours'))
    """
    found = _SPACE.search(text)
    if found is None or not found.start():
        return None
    out_of = _OUT_OF.search(text, found.start())
    unit = out_of[0] if out_of else _BESIDE_SPACE.sub("", text[found.start() :])
    is_space = len(unit) < _LONGEST_UNIT and "_" not in unit and not _CODES.fullmatch(unit)
    before = _UNIT_BEFORE.search(text[: found.start()])
    if before and before.start():
        return (
            (text[: before.start()].rstrip(), unit or before["sign"] or _known_unit(before["word"]))
            if is_space
            else None
        )
    return (_ARROW_LAST.sub("", text[: found.start()].rstrip()), unit) if is_space else None


def _known_unit(word: str | None) -> str:
    """Return a word in front of a space to write if it is a unit, such as *euro*; *about* is none."""
    return word if word and _ASKS_NUMBER.search(f"({word})") else ""


def without_jump(label: str) -> str:
    """Return an answer without the instruction behind it that leads to another question.

    Examples
    --------
    >>> without_jump("No → question 7"), without_jump("No (never)")
    ('No', 'No (never)')
    """
    remark = REMARK_BEHIND.search(label)
    return label[: remark.start()] if remark and LEADS_ON.search(remark["remark"]) else label


def answers_of(line: SourceLine) -> Listed | None:
    """Return the answers that a line lists behind its mark."""
    return answers_on(behind_mark(line))


def all_answers(line: SourceLine) -> Listed | None:
    """Return the answers that a line lists, also one in front of which its mark is."""
    return answers_on(line.raw.strip())


def is_square(line: SourceLine) -> bool:
    """Return whether the mark of an answer is a square box."""
    return line.mark_kind == "sign" and line.mark_shape[:1] in SQUARE


def is_round(line: SourceLine) -> bool:
    """Return whether the mark of an answer is a round box."""
    return line.mark_kind == "sign" and line.mark_shape[:1] in ROUND


def answers_whole(line: SourceLine) -> Listed | None:
    """Return the answers of a line that lists nothing else, marked by boxes or codes, with its own mark."""
    found = all_answers(line) if line.mark_kind not in ("", "letter") else None
    return found if found and not found.before and found.sign in ("box", "code", "ends") else None
