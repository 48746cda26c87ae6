"""Answers in columns beside their questions: in front of them, or one below the other, as on paper."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from surveys.imports.words.answers_on_line import BOX, answers_on
from surveys.imports.words.patterns import COLUMN_GAP
from surveys.imports.words.runs import runs_of

_WIDE: Final = re.compile(r"(?<!\s)\s{3,}")
_CODE_GAP: Final = re.compile(r"(?<![\s.…·])(?:\s?[.…·]{2,60}\s{0,9}|\s{2,})")
"""Dots or blanks between an answer and its code."""
_BEFORE_BOX: Final = re.compile(rf"\s(?={BOX.pattern})")
_NEAR: Final = 2
"""Columns by which answers below each other may differ."""
_FAR: Final = 9
"""Columns by which the rest of an answer may be indented."""
_LEAST_COLUMN: Final = 12
_LONGEST: Final = 60
_SHORT_CODE: Final = re.compile(r"(?P<code>\d{1,2})(?P<rest>(?:\s?(?:→|⇒|➔|-{1,20}>|=>|>>).{1,40})?)")
"""The code of an answer, and perhaps an arrow that says how to go on."""
_LETTERS_BEFORE: Final = re.compile(
    r"(?P<keys>[^\W\d_]{1,2}(?:\s{1,9}[^\W\d_]{1,2}){1,5})\s{2,20}(?P<text>(?:\d{1,3}[.)]?\s{1,9})?[^\W\d_].{9,400})"
)
"""Letters to circle in front of an item and its number: *T  F  1  I sleep well*."""
_ITEM: Final = re.compile(r"(?:\d{1,3}[.)]\s{1,3})?[^\W\d_]")
_LEAST_ALIKE: Final = 2
"""Lines that begin with the same answers."""


def move_answers(lines: Sequence[str]) -> list[str]:
    """Move answers behind the questions that follow them, if several lines begin with the same answers.

    Examples
    --------
    >>> move_answers(["Y / N    I drink alone.", "Y / N    I hide it."])
    ['I drink alone.    ○ Y   ○ N', 'I hide it.    ○ Y   ○ N']
    >>> move_answers(["T  F   1  I drink alone.", "T  F   2  I hide it."])[0]
    '1  I drink alone.    ○ T   ○ F'
    """
    split = [*map(_answers_before, lines)]
    counts = Counter(answers for answers, _text in split)
    return [
        f"{text}    {answers}" if answers and counts[answers] >= _LEAST_ALIKE else line
        for line, (answers, text) in zip(lines, split, strict=True)
    ]


def _answers_before(line: str) -> tuple[str, str]:
    """Return the answers at the beginning of a line, and the question after them."""
    body = line.strip()
    if letters := _LETTERS_BEFORE.fullmatch(body):
        return "   ".join(f"○ {key}" for key in letters["keys"].split()), letters["text"]
    for gap in reversed([*COLUMN_GAP.finditer(body)]):
        before, text = body[: gap.start()], body[gap.end() :]
        if len(text.split()) < 2 or not _ITEM.match(text) or BOX.search(text):
            continue
        listed = answers_on(before)
        if listed and not listed.before and listed.sign in ("/", "|", "box") and answers_on(text) is None:
            boxes = "   ".join(f"○ {label}" for label in listed.labels)
            return before if listed.sign == "box" else boxes, text
    return "", body


def unfold_answers(lines: Sequence[str]) -> list[str]:
    """Write the answers beside a question on the line below it, codes in front.

    Parameters
    ----------
    lines : sequence of str
        Lines whose answer moved become empty.

    Examples
    --------
    >>> unfold_answers(["1. Hit you?     Yes  1", "                No   2", "2. When?"])
    ['1. Hit you?', '1 Yes / 2 No', '2. When?']
    """
    found = list(lines)
    rows = [*map(_split, lines)]
    place = 0
    while place < len(rows):
        end = _end_of_column(rows, place)
        if end - place > 1:
            found[place:end] = _unfolded(rows[place:end])
        place = end
    return found


def _end_of_column(rows: Sequence[tuple[str, int, str]], place: int) -> int:
    """Return where the answers end that are below each other beside a question."""
    text, column, answer = rows[place]
    end = place + 1
    while text and answer and end < len(rows):
        before, own_column, below = rows[end]
        is_boxed = _is_box(answer) and _is_box(below) and not (_is_box(text) or _is_box(before))
        if (
            _is_box(answer)
            and below
            and not (before or BOX.search(below))
            and abs(own_column - column) < _FAR
        ):
            # The answer above goes on in its column.
            end += 1
            continue
        if (before and not is_boxed) or not below or abs(own_column - column) > _NEAR:
            break
        end += 1
    return end


def _unfolded(rows: Sequence[tuple[str, int, str]]) -> list[str]:
    """Return as many lines as rows: the question, its answers, and empty ones."""
    texts, answers = [text for text, _column, _answer in rows], [answer for _text, _column, answer in rows]
    empty = [""] * (len(rows) - 2)
    if _is_box(answers[0]):
        # The question may continue next to its answers, and an answer below its box.
        boxed = _BEFORE_BOX.split(" ".join(answers))
        return [" ".join(filter(None, texts)), "   ".join(boxed), *empty]
    coded = [_CODE_GAP.split(answer) for answer in answers]
    if all(len(pieces) == 2 for pieces in coded):
        codes = [_SHORT_CODE.fullmatch(BOX.sub("", code).strip()) for _label, code in coded]
        answers = [
            f"{code['code']} {label}{code['rest']}"
            for (label, _code), code in zip(coded, codes, strict=True)
            if code
        ]
    return [texts[0], " / ".join(answers), *empty]


def unstack_cells(lines: Sequence[str]) -> list[str]:
    """Write the answers of each question in a table on the line below it; each answer has a row of its own.

    Parameters
    ----------
    lines : sequence of str
        Lines whose answer moved become empty.

    Examples
    --------
    >>> rows = ["Item\\tAnswer\\tPoints", "1. Ill?\\tno\\t0", "\\tyes\\t2", "2. Sad?\\tno\\t0", "\\tyes\\t1"]
    >>> unstack_cells(rows)
    ['', '1. Ill?', '(0) no   (2) yes', '2. Sad?', '(0) no   (1) yes']
    """
    found = list(lines)
    rows = [[cell.strip() for cell in line.rstrip().split("\t")] for line in lines]
    groups = [*_stacked_rows(rows)]
    are_coded = all(
        row[2].isdecimal() for group in groups for row in rows[group.start : group.stop] if row[2:]
    )
    if len(groups) < _LEAST_ALIKE or not are_coded or len({len(rows[group.start]) for group in groups}) > 1:
        return found
    header = groups[0].start - 1
    if header >= 0 and len(rows[header]) == len(rows[header + 1]) and all(rows[header]):
        found[header] = ""
    for group in groups:
        stacked = rows[group.start : group.stop]
        answers = "   ".join(map(_marked, stacked))
        found[group.start : group.stop] = [stacked[0][0], answers, *("" for _row in stacked[2:])]
    return found


def _marked(row: Sequence[str]) -> str:
    """Return the answer of a row behind its code, or behind a box."""
    if row[2:]:
        return f"({row[2]}) {row[1]}"
    return row[1] if _is_box(row[1]) else f"○ {row[1]}"


def _stacked_rows(rows: Sequence[Sequence[str]]) -> Iterator[range]:
    """Yield the places of a full row of two or three cells and of rows below it with an empty first cell."""
    for run in runs_of(rows, _continues):
        first = rows[run.start]
        if len(run) > 1 and len(first) in (2, 3) and all(first):
            yield run


def _continues(row: Sequence[str], below: Sequence[str]) -> bool:
    return len(below) == len(row) and not below[0] and all(below[1:])


def _is_box(text: str) -> bool:
    """Return whether a text is one answer after its box."""
    return BOX.match(text) is not None and len(BOX.findall(text)) == 1


def _split(line: str) -> tuple[str, int, str]:
    """Return the text of a line, the column of the answer at its right, and this answer; empty without one.

    An answer has no further columns behind it but the one of its code.

    >>> _split("1. Hit you?     Yes   1"), _split("                No"), _split("Form        Yes     No")[2]
    (('1. Hit you?', 16, 'Yes   1'), ('', 16, 'No'), '')
    """
    body = line.strip()
    blanks = len(line) - len(line.lstrip())
    gap = None if blanks >= _LEAST_COLUMN else _WIDE.search(body)
    if blanks < _LEAST_COLUMN and gap is None:
        return body, 0, ""
    text, answer = (body[: gap.start()], body[gap.end() :]) if gap else ("", body)
    column = blanks + (gap.end() if gap else 0)
    pieces = _CODE_GAP.split(answer)
    is_coded = len(pieces) == 2 and _SHORT_CODE.fullmatch(BOX.sub("", pieces[1]).strip()) is not None
    is_answer = len(answer) <= _LONGEST and (len(pieces) == 1 or is_coded)
    return (text, column, answer) if is_answer else (body, 0, "")
