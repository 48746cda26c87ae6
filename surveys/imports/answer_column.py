"""Answers in a column at the right of their question, one below the other, as on paper."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from surveys.imports.answers_on_line import BOX, answers_on
from surveys.imports.lines import NumberedLine
from surveys.imports.marks import mark_of

_WIDE: Final = re.compile(r"(?<!\s)\s{3,}")
_GAP: Final = re.compile(r"(?<!\s)\s{2,}")
_NEAR: Final = 2
"""Columns by which answers below each other may differ."""
_LEAST_COLUMN: Final = 12
_MOST_COLUMNS: Final = 12
_CELL: Final = re.compile(r"\S+(?:\s\S+)*")
_LONGEST: Final = 60
_COLUMN_GAP: Final = re.compile(r"\t\s*|\s{2,}")
_QUESTION_AND_COLUMN: Final = re.compile(r"[^?？]{1,60}[?？]\s{3,}\S")
_SHORT_CODE: Final = re.compile(r"\d{1,2}")
_DOTTED: Final = re.compile(
    r"(?P<indent>\s{0,40})(?P<label>[^\s.…·_?？](?:[^?？]{0,98}?[^\s?？])?)"
    r"(?:\s?[.…·]{2,120}\s{0,9}|\s{4,200}(?=[(\[☐○]))(?:[(\[☐○]\s{0,5}[)\]]?\s{1,5})?"
    r"(?P<code>\d{1,3}|[A-Z](?![^\W\d_]))(?P<unit>\s[^\W\d_]{1,8}\.?)?(?P<rest>\s{2,60}\S.{0,60})?\s{0,9}"
)
"""An answer, dots or a box, and its code or its points; what is behind them says how to go on."""
_LETTER_BOX: Final = re.compile(r"\s{0,9}O\s{1,9}(?P<first>\S)")
"""A capital O, as people type round boxes."""
_LETTERS_BEHIND: Final = re.compile(
    r"(?<=[\w.!?…)])(?<![\s.][A-ZА-Я])(?:\s{2,40}|[.…_]{3,80}\s{0,9})(?P<one>[A-ZА-Я])\s{1,9}(?:/\s{0,3})?(?P<other>[A-ZА-Я])\s{0,9}$"
)
"""Two letters to circle behind an item."""
_LETTERS_BEFORE: Final = re.compile(
    r"(?P<keys>[^\W\d_]{1,2}(?:\s{1,9}[^\W\d_]{1,2}){1,5})\s{2,20}(?P<text>(?:\d{1,3}[.)]?\s{1,9})?[^\W\d_].{9,400})"
)
"""Letters to circle in front of an item and its number: *T  F  1  I sleep well*."""
_CIRCLED: Final = "①②③④⑤⑥⑦⑧⑨⑩"
_CIRCLES_BEHIND: Final = re.compile(rf"(?<=\S)(?:\s{{0,9}}[{_CIRCLED}]){{3,10}}\s*$")
"""Circled numbers to choose from, behind an item."""
_LEAST_WORDS: Final = 4
_LEAST_ALIKE: Final = 2
"""Lines that begin with the same answers."""


def move_answers(pairs: Sequence[NumberedLine]) -> list[NumberedLine]:
    """Move answers behind the questions that follow them, and join questions that go on next to a column.

    Parameters
    ----------
    pairs : sequence of (int, str)
        Lines with their numbers. Lines that were joined to the one above become empty.

    Examples
    --------
    >>> move_answers([(1, "Y / N    I drink alone."), (2, "Y / N    I hide it.")])
    [(1, 'I drink alone.    ○ Y   ○ N'), (2, 'I hide it.    ○ Y   ○ N')]
    >>> move_answers([(1, "T  F   1  I drink alone."), (2, "T  F   2  I hide it.")])[0]
    (1, '1  I drink alone.    ○ T   ○ F')
    >>> move_answers([(1, "When did you drink for the"), (2, "first time?    ____ years")])
    [(1, 'When did you drink for the first time?    ____ years'), (2, '')]
    """
    texts = _with_whole_headers([text for _number, text in pairs])
    columns = Counter(filter(None, map(_columns_of, texts)))
    for place in range(1, len(texts)):
        if _goes_on(texts[place - 1], texts[place], is_row=columns[_columns_of(texts[place])] > 1):
            texts[place - 1] = f"{texts[place - 1].strip()} {texts[place].strip()}"
            texts[place] = ""
    texts = _with_boxes(texts)
    split = [*map(_answers_before, texts)]
    counts = Counter(answers for answers, _text in split)
    for place, (answers, text) in enumerate(split):
        if answers and counts[answers] >= _LEAST_ALIKE:
            texts[place] = f"{text}    {answers}"
    return [(number, text) for (number, _text), text in zip(pairs, texts, strict=True)]


def _with_boxes(texts: Sequence[str]) -> list[str]:
    """Return lines with boxes before two letters to circle at their ends: *I sleep well.   T  F*."""
    ends = [_LETTERS_BEHIND.search(text) for text in texts]
    counts = Counter((end["one"], end["other"]) for end in ends if end)
    return [
        f"{text[: end.start()]}    ○ {end['one']}   ○ {end['other']}"
        if end and counts[end["one"], end["other"]] >= _LEAST_ALIKE
        else text
        for text, end in zip(texts, ends, strict=True)
    ]


def _with_whole_headers(texts: Sequence[str]) -> list[str]:
    """Return lines, with table headers of several lines joined: the lines below have the same columns."""
    found = list(texts)
    for place, line in enumerate(texts):
        first = [*_CELL.finditer(line)] if found[place] else []
        starts = [cell.start() for cell in first]
        if not _LEAST_ALIKE < len(first) <= _MOST_COLUMNS or not starts[0] or not _are_words(first):
            continue
        labels = [cell[0] for cell in first]
        for below in range(place + 1, len(found)):
            second = [*_CELL.finditer(found[below])]
            ends = {_nearest(starts, cell.start()): cell for cell in second}
            is_header = (
                _are_words(second)
                and len(ends) == len(second)
                and all(abs(start - cell.start()) <= _NEAR for start, cell in ends.items())
            )
            is_last = len(second) < _LEAST_ALIKE and below == place + 1
            if not is_header or is_last or ends.keys() == {*starts[:1]}:
                break
            labels = [
                f"{label} {ends[start][0] if start in ends else ''}"
                for label, start in zip(labels, starts, strict=True)
            ]
            found[place], found[below] = " " * starts[0] + "   ".join(map(str.strip, labels)), ""
    return found


def _are_words(cells: Sequence[re.Match[str]]) -> bool:
    """Return whether cells contain words, and not codes."""
    return bool(cells) and all(
        cell[0][0].isalpha() and not any(map(str.isdecimal, cell[0])) for cell in cells
    )


def _nearest(starts: Sequence[int], place: int) -> int:
    return min(starts, key=lambda start: abs(start - place))


def _columns_of(line: str) -> tuple[str, ...]:
    """Return the contents of a line's columns after the first; empty unless there are at least two."""
    cells = [cell.strip() for cell in _COLUMN_GAP.split(line.strip())]
    return (*cells[1:],) if len(cells) > _LEAST_ALIKE else ()


def _goes_on(above: str, line: str, *, is_row: bool) -> bool:
    """Return whether an item begins on the line above and ends on a line with columns to its right.

    Another line has the same columns, or they follow a question mark.
    """
    is_end = line.strip()[:1].islower() and mark_of(line.strip())[0] is None
    if not is_end or not (is_row or _QUESTION_AND_COLUMN.match(line.strip())):
        return False
    own = mark_of(" ".join(above.split()))[1]
    is_begun = own.lstrip("¿¡")[:1].isupper() and len(own.split()) >= _LEAST_WORDS and own[-1].isalpha()
    return is_begun and _GAP.search(above.strip()[-len(own) :]) is None


def _answers_before(line: str) -> tuple[str, str]:
    """Return the answers at the beginning of a line, and the question after them."""
    body = line.strip()
    if letters := _LETTERS_BEFORE.fullmatch(body):
        return "   ".join(f"○ {key}" for key in letters["keys"].split()), letters["text"]
    for gap in reversed([*_COLUMN_GAP.finditer(body)]):
        before, text = body[: gap.start()], body[gap.end() :]
        if len(text.split()) < 2 or not text[0].isalpha() or BOX.search(text):
            continue
        listed = answers_on(before)
        if listed and not listed.before and listed.sign in ("/", "|", "box") and answers_on(text) is None:
            boxes = "   ".join(f"○ {label}" for label in listed.labels)
            return before if listed.sign == "box" else boxes, text
    return "", body


def draw_circles(pairs: Sequence[NumberedLine]) -> list[NumberedLine]:
    """Write round boxes where several adjoining lines begin with a capital O instead.

    The letter is also a word, so a capital letter or a digit must follow in at least one line of the text.

    Parameters
    ----------
    pairs : sequence of (int, str)
        Lines with their numbers.

    Examples
    --------
    >>> draw_circles([(1, "Age?"), (2, "O under 30"), (3, "O 30 to 44")])
    [(1, 'Age?'), (2, '○ under 30'), (3, '○ 30 to 44')]
    >>> draw_circles([(1, "O chefe grita"), (2, "O trabalho cansa")])
    [(1, 'O chefe grita'), (2, 'O trabalho cansa')]
    >>> draw_circles([(1, "O Lager"), (2, "O Büro"), (3, "Lärm?"), (4, "O ja"), (5, "O nein")])[3:]
    [(4, '○ ja'), (5, '○ nein')]
    """
    found = list(pairs)
    start, runs, is_drawn = 0, [], False
    for place in range(len(found) + 1):
        if place < len(found) and _LETTER_BOX.match(found[place][1]):
            continue
        marked = [_LETTER_BOX.match(line) for _number, line in found[start:place]]
        firsts = [match["first"] for match in marked if match]
        if len(firsts) >= _LEAST_ALIKE:
            runs.append(range(start, place))
            is_drawn |= any(first.isupper() or first.isdecimal() for first in firsts)
        start = place + 1
    for at in (at for run in runs for at in run if is_drawn):
        number, line = found[at]
        found[at] = number, line.replace("O", "○", 1)
    return found


def number_circles(pairs: Sequence[NumberedLine]) -> list[NumberedLine]:
    """Write plain numbers where circled ones are the columns after items, and in the legend above them.

    Parameters
    ----------
    pairs : sequence of (int, str)
        Lines with their numbers.

    Examples
    --------
    >>> lines = [(1, "① never ② often ③ daily"), (2, "1. I lie.  ① ② ③"), (3, "2. I steal.  ① ② ③")]
    >>> number_circles(lines)[:2]
    [(1, '1 = never   2 = often   3 = daily'), (2, '1. I lie.   1   2   3')]
    """
    behind = [_CIRCLES_BEHIND.search(text) for _number, text in pairs]
    runs = {"".join(match[0].split()) for match in behind if match}
    if len(runs) != 1 or sum(map(bool, behind)) < _LEAST_ALIKE:
        return [*pairs]
    signs = runs.pop()
    found = []
    for (number, text), match in zip(pairs, behind, strict=True):
        if match:
            row = "   ".join(str(_CIRCLED.index(sign) + 1) for sign in signs)
            found.append((number, f"{text[: match.start()].rstrip()}   {row}"))
        elif "".join(sign for sign in text if sign in _CIRCLED) == signs:
            cut = min(text.index(sign) for sign in signs)
            labels = [label.strip(" \t,，;；、") for label in re.split(f"[{signs}]", text[cut:])[1:]]
            row = "   ".join(
                f"{_CIRCLED.index(sign) + 1} = {own}" for sign, own in zip(signs, labels, strict=True)
            )
            found.append((number, text[:cut] + row))
        else:
            found.append((number, text))
    return found


def write_codes(pairs: Sequence[NumberedLine]) -> list[NumberedLine]:
    """Write the codes on a line of their own in front of the answers in columns above them.

    A header of a table keeps its codes below it: a row of the table follows.

    Parameters
    ----------
    pairs : sequence of (int, str)
        Lines with their numbers. Lines whose codes moved become empty.

    Examples
    --------
    >>> write_codes([(1, "Tired?"), (2, "Never   Often"), (3, "0       1"), (4, "Sad?")])
    [(1, 'Tired?'), (2, '(0) Never   (1) Often'), (3, ''), (4, 'Sad?')]
    >>> write_codes([(1, "Never   Often"), (2, "0       1"), (3, "Tired   0   1")])[0]
    (1, 'Never   Often')
    """
    found = list(pairs)
    for place in range(1, len(found)):
        number, codes = found[place]
        above, labels = found[place - 1][0], _GAP.split(found[place - 1][1].strip())
        steps = codes.split()
        is_run = len(steps) > 1 and all(map(_SHORT_CODE.fullmatch, steps)) and int(steps[0]) < 2
        is_run = is_run and [*map(int, steps)] == [*range(int(steps[0]), int(steps[0]) + len(steps))]
        if not is_run or len(labels) != len(steps) or not all(label[:1].isalpha() for label in labels):
            continue
        below = found[place + 1][1] if place + 1 < len(found) else ""
        if _COLUMN_GAP.search(below.strip()):
            continue
        found[place - 1] = (
            above,
            "   ".join(f"({step}) {label}" for step, label in zip(steps, labels, strict=True)),
        )
        found[place] = number, ""
    return found


def unfold_answers(pairs: Sequence[NumberedLine]) -> list[NumberedLine]:
    """Write the answers beside a question on the line below it, codes in front.

    Parameters
    ----------
    pairs : sequence of (int, str)
        Lines with their numbers. Lines whose answer moved become empty.

    Examples
    --------
    >>> unfold_answers([(1, "1. Hit you?     Yes  1"), (2, "                No   2"), (3, "2. When?")])
    [(1, '1. Hit you?'), (2, '1 Yes / 2 No'), (3, '2. When?')]
    """
    found = list(pairs)
    place = 0
    while place < len(found):
        text, column, answer = _split(found[place][1])
        answers, end = [answer], place + 1
        while answer and text and end < len(found):
            before, own, below = _split(found[end][1])
            is_boxed = _is_box(answer) and _is_box(below) and not (_is_box(text) or _is_box(before))
            if (before and not is_boxed) or not below or abs(own - column) > _NEAR:
                break
            answers.append(below)
            end += 1
        if len(answers) > 1:
            if all(map(_is_box, answers)):
                # The question may continue next to its answers.
                text = " ".join(filter(None, (_split(line)[0] for _number, line in found[place:end])))
                below = "   ".join(answers)
            else:
                coded = [_GAP.split(each) for each in answers]
                if all(len(each) == 2 for each in coded):
                    answers = [f"{BOX.sub('', code).strip()} {label}" for label, code in coded]
                below = " / ".join(answers)
            texts = [text, below, *("" for _answer in answers[2:])]
            found[place:end] = [
                (number, own) for (number, _line), own in zip(found[place:end], texts, strict=True)
            ]
        place = end
    return found


def front_codes(pairs: Sequence[NumberedLine]) -> list[NumberedLine]:
    """Write the codes at the end of dotted lines in front of their answers, and points after them.

    Parameters
    ----------
    pairs : sequence of (int, str)
        Lines with their numbers. Codes grow from one line to the next.

    Examples
    --------
    >>> front_codes([(1, "Yes ...... 1   GO TO Q2"), (2, "No ....... 2")])
    [(1, '[1] Yes   (GO TO Q2)'), (2, '[2] No')]
    >>> front_codes([(1, "Never .... 0 pts"), (2, "Often .... 3 pts")])
    [(1, 'Never (0 pts)'), (2, 'Often (3 pts)')]
    """
    found = list(pairs)
    dotted = [_DOTTED.fullmatch(line) for _number, line in found]
    start = 0
    for place in range(len(found) + 1):
        own = dotted[place] if place < len(found) else None
        mark = mark_of(own["label"])[0] if own else None
        if own and (own["unit"] or mark is None or mark.kind != "sign"):
            continue
        run = [match for match in dotted[start:place] if match]
        codes = [match["code"].zfill(3) for match in run]
        units = [bool(match["unit"]) for match in run]
        if len(run) > 1 and (all(units) or (not any(units) and codes == sorted({*codes}))):
            for at, match in enumerate(run, start=start):
                rest = (match["rest"] or "").strip()
                rest = f"   ({rest})" if rest[:1].isalpha() else f"   {rest}" if rest else ""
                code = f"[{match['code']}] " if not match["unit"] else ""
                # The first unit for all, in one number: pt, pts.
                points = f" ({match['code']}{run[0]['unit']})" if match["unit"] else ""
                found[at] = found[at][0], match["indent"] + code + match["label"] + points + rest
        start = place + 1
    return found


def unstack_cells(pairs: Sequence[NumberedLine]) -> list[NumberedLine]:
    """Write the answers of each question in a table on the line below it; each answer has a row of its own.

    Parameters
    ----------
    pairs : sequence of (int, str)
        Lines with their numbers. Lines whose answer moved become empty.

    Examples
    --------
    >>> rows = ["Item\\tAnswer\\tPoints", "1. Ill?\\tno\\t0", "\\tyes\\t2", "2. Sad?\\tno\\t0", "\\tyes\\t1"]
    >>> [line for _number, line in unstack_cells([*enumerate(rows)])]
    ['', '1. Ill?', '(0) no   (2) yes', '2. Sad?', '(0) no   (1) yes']
    """
    found = list(pairs)
    rows = [[cell.strip() for cell in line.rstrip().split("\t")] for _number, line in pairs]
    groups: list[range] = []
    place = 0
    while place < len(rows):
        end = place + 1
        while (
            end < len(rows) and len(rows[end]) == len(rows[place]) and not rows[end][0] and all(rows[end][1:])
        ):
            end += 1
        if end > place + 1 and len(rows[place]) in (2, 3) and all(rows[place]):
            groups.append(range(place, end))
        place = end
    are_coded = all(
        row[2].isdecimal() for group in groups for row in rows[group.start : group.stop] if row[2:]
    )
    if len(groups) < _LEAST_ALIKE or not are_coded or len({len(rows[group.start]) for group in groups}) > 1:
        return found
    header = groups[0].start - 1
    if header >= 0 and len(rows[header]) == len(rows[header + 1]) and all(rows[header]):
        found[header] = found[header][0], ""
    for group in groups:
        own = rows[group.start : group.stop]
        answers = "   ".join(f"({row[2]}) {row[1]}" if row[2:] else f"○ {row[1]}" for row in own)
        texts = [own[0][0], answers, *("" for _row in own[2:])]
        for place, text in zip(group, texts, strict=True):
            found[place] = found[place][0], text
    return found


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
    pieces = _GAP.split(answer)
    is_coded = len(pieces) == 2 and _SHORT_CODE.fullmatch(BOX.sub("", pieces[1]).strip()) is not None
    is_answer = len(answer) <= _LONGEST and (len(pieces) == 1 or is_coded)
    return (text, column, answer) if is_answer else (body, 0, "")
