"""Separate the lines of a pasted text by language.

Two languages can be side by side with ``|`` in between, on alternate lines in two scripts, or one after the
other with a line of ``===`` in between.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.lines.text_lines import NumberedLine
from surveys.imports.words.answers_on_line import BOX
from surveys.imports.words.marks import mark_of
from surveys.imports.words.patterns import HAN, SPACE_TO_WRITE
from surveys.imports.words.text_flags import split_flags

BESIDE: Final = re.compile(r"\s?[|｜\t]\s?|\s/\s")
_BAR: Final = re.compile(r"\s?[|｜]\s?")
_BETWEEN: Final = re.compile(r"\s?={3,}\s?")
_END: Final = re.compile(
    rf"(?:\s?[(（](?P<remark>[^()（）]{{1,120}})[)）])?(?P<space>\s{{0,9}}[:：]?\s{{0,9}}(?:{SPACE_TO_WRITE.pattern})\s?)?$"
)
"""A remark in brackets and a space to write, which end a line."""


def streams_of(lines: Sequence[NumberedLine], languages: Sequence[str]) -> list[list[NumberedLine]] | None:
    """Separate the lines of each language, in the order of the languages; None if that is ambiguous.

    Parameters
    ----------
    lines : sequence of (int, str)
        Lines with their numbers.
    languages : sequence of str
        One or two.

    Examples
    --------
    >>> streams_of([(1, "1. Bad? | 不好吗？"), (2, "- No | 否")], ("en", "zh-hans"))
    [[(1, '1. Bad?'), (2, '- No')], [(1, '1. 不好吗？'), (2, '- 否')]]
    """
    if len(languages) == 1:
        return [[*lines]]
    between, *further = [place for place, (_n, line) in enumerate(lines) if _BETWEEN.fullmatch(line)] or [-1]
    if between >= 0 and not further:
        return [[*lines[:between]], [*lines[between + 1 :]]]
    lines = separate_scripts(lines)
    whole = [line for _number, line in lines if line.strip()]
    if 2 * sum(len(sides_of(line)) == 2 for line in whole) >= len(whole) > 0:
        return _side_by_side(lines)
    chinese = [tag.split("-")[0] in ("zh", "yue", "wuu") for tag in languages]
    return None if chinese[0] == chinese[1] else _by_script(lines, first_is_chinese=chinese[0])


def sides_of(line: str, most: int = 0) -> list[str]:
    """Split a line between its languages: at ``|``, which may be between texts with other signs.

    A remark in brackets and a space to write are for both languages.

    >>> sides_of("Yes / No | Ja / Nein"), sides_of("Bad / 不好"), sides_of("Name / Nom: ____")
    (['Yes / No', 'Ja / Nein'], ['Bad', '不好'], ['Name: ____', 'Nom: ____'])
    >>> sides_of("Where? / Wo? (tick all / mehrere)"), sides_of("☐ yes / ja ☐ no / nein")
    (['Where? (tick all)', 'Wo? (mehrere)'], ['☐ yes   ☐ no', '☐ ja   ☐ nein'])
    """
    text = line.strip()
    sign = _BAR if _BAR.search(text) else BESIDE
    if boxed := _sides_of_boxes(text, sign):
        return boxed
    end = _END.search(text)
    head = text[: end.start()] if end else text
    sides = sign.split(head, maxsplit=most - 1 if most else 0)
    remarks = sign.split((end["remark"] if end else None) or "", maxsplit=1)
    if len(sides) != 2 and len(remarks) != 2:
        return sign.split(text, maxsplit=most - 1 if most else 0)
    sides = sides if len(sides) == 2 else [head, head]
    remarks = remarks if len(remarks) == 2 else ["", *remarks]
    ends = [f" ({remark.strip()})" if remark else "" for remark in remarks]
    space = (end["space"] if end else None) or ""
    return [side + own + space for side, own in zip(sides, ends, strict=True)]


def _sides_of_boxes(text: str, sign: re.Pattern[str]) -> list[str]:
    """Return the two languages of several answers with boxes; empty if an answer is not in two languages."""
    boxes = [*BOX.finditer(text)]
    ends = [*(box.start() for box in boxes[1:]), len(text)]
    pairs = [sign.split(text[box.end() : end].strip()) for box, end in zip(boxes, ends, strict=False)]
    if len(boxes) < 2 or text[: boxes[0].start()].strip() or any(len(pair) != 2 for pair in pairs):
        return []
    sides = zip(*pairs, strict=True)
    return [
        "   ".join(f"{box[0]} {answer}" for box, answer in zip(boxes, side, strict=True)) for side in sides
    ]


def _mark_before(line: str) -> str:
    """Return the mark of a line with what is before it."""
    text = line.strip()
    mark, body = mark_of(text)
    return text[: len(text) - len(body)] if mark else ""


def _side_by_side(lines: Sequence[NumberedLine]) -> list[list[NumberedLine]]:
    first: list[NumberedLine] = []
    second: list[NumberedLine] = []
    for number, line in lines:
        left, *right = sides_of(line, most=2)
        first.append((number, left))
        if right:
            # The mark may be repeated on the right.
            second.append(
                (number, _mark_before(left) + (mark_of(right[0])[1] if _mark_before(left) else right[0]))
            )
        elif not any(map(str.isalpha, left)):
            second.append((number, left))
    return [first, second]


def _by_script(lines: Sequence[NumberedLine], *, first_is_chinese: bool) -> list[list[NumberedLine]]:
    streams: list[list[NumberedLine]] = [[], []]
    mark, was_chinese = "", None
    for number, line in lines:
        if not any(map(str.isalpha, line)):
            for stream in streams:
                stream.append((number, line))
            was_chinese = None
            continue
        is_chinese = bool(HAN.search(line))
        # A line without a mark that follows a line in the other script is its translation.
        own = _mark_before(line)
        if not own and was_chinese is not None and was_chinese != is_chinese:
            line = mark + line.strip()
        mark, was_chinese = own or mark, is_chinese
        streams[is_chinese != first_is_chinese].append((number, line))
        mark = own or (mark if line.startswith(mark) else "")
    return streams


def separate_scripts(lines: Sequence[NumberedLine]) -> Sequence[NumberedLine]:
    """Write | between Chinese and another script, if at least half of the lines have one after the other.

    Examples
    --------
    >>> separate_scripts([(1, "1. 您吸烟吗？ Do you smoke?"), (2, "A. Yes（是）"), (3, "B. 否 No")])
    [(1, '1. 您吸烟吗？ | Do you smoke?'), (2, 'A. Yes | 是'), (3, 'B. 否 | No')]
    """
    split = [(number, _separate_scripts_in(line)) for number, line in lines]
    n_split = sum(line != new for (_number, line), (_same, new) in zip(lines, split, strict=True))
    n_texts = sum(any(map(str.isalpha, line)) for _number, line in lines)
    if n_split == 0 or 2 * n_split < n_texts:
        return lines
    joined: list[NumberedLine] = []
    for number, line in split:
        before = joined[-1][1] if joined else ""
        is_pair = "|" not in before + line and bool(HAN.search(before)) != bool(HAN.search(line))
        is_text = any(map(str.isalpha, before)) and any(map(str.isalpha, line))
        if is_pair and is_text and not _mark_before(line):
            joined[-1] = joined[-1][0], f"{before} | {line.strip()}"
        else:
            joined.append((number, line))
    return joined


def _separate_scripts_in(line: str) -> str:
    """Write | where a line changes from Chinese to another script or back, if it does so once."""
    body, flags = split_flags(line)
    text = body[len(_mark_before(body)) :] if _mark_before(body) else body
    han = [match.start() for match in HAN.finditer(text)]
    if not han or BESIDE.search(line.strip()):
        return line
    head, tail = text[: han[0]], text[han[-1] + 1 :]
    if _has_latin(head) == _has_latin(tail):
        return line
    if _has_latin(head):
        last = max(place for place, sign in enumerate(head) if sign.isalpha()) + 1
        cut = max(last, head.rfind(" "))
        while cut < len(head) and head[cut] in ".?!,:;)":
            cut += 1
    else:
        first = next(place for place, sign in enumerate(tail) if sign.isalpha())
        blank = tail.find(" ", 0, first)
        cut = len(text) - len(tail) + (blank if blank >= 0 else len(tail[:first].rstrip("(（")))
    left, right = text[:cut].strip(), text[cut:].strip()
    if right[0] in "(（" and right[-1] in ")）":
        right = right[1:-1]
    return f"{body[: len(body) - len(text)]}{left} | {right}" + "".join(f" [{flag}]" for flag in flags)


def _has_latin(text: str) -> bool:
    """Return whether a text has words: a single letter is a mark."""
    return sum(map(str.isalpha, text)) > 1
