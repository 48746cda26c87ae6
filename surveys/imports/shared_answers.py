"""Answers that a text states once for several items: *0 = never, 1 = often* above or below a list.

A line that explains codes, or lists words between separators, is a legend if a run of items without answers of
their own is next to it. What it says about each code becomes the answers of each item, with its points.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from surveys.imports.answers_on_line import BOX, Listed, answers_on
from surveys.imports.cues import is_yes_no, pattern_of
from surveys.imports.marks import asks
from surveys.imports.source_lines import (
    HEADING,
    JOINED,
    OPENING,
    ROW,
    SCALE,
    TITLE,
    SourceLine,
    behind_mark,
    ends_sentence,
    is_long,
    split_space,
)

_NUMBER: Final = re.compile(
    r"(?<![^\W\d_㐀-鿿ぁ-ヺ])(?<![\d.,*])(?<!\d[-–~～])(?P<code>-?\d{1,2})(?![.,]?\d|\s?[-–~～]\s?\d|\s?%)"
)
"""A number that may be a code."""
_KEY: Final = re.compile(
    r"(?<!\w)(?P<code>[^\W\d_]{1,3})(?:\s?[=＝]\s?|\s?[:：]\s|\s?[(（](?=[^()（）]{2,40}[)）]))"
)
"""A letter, or a few, that stand for an answer."""
_BEHIND_CODE: Final = re.compile(r"\s?[)）\]】]?\s?(?:[=＝:：.．、)]|[-–—](?=\s))?\s?")
_OPEN, _CLOSED = "(（[【「『«„“\"'", ")）]】」』»“”\"'"
_EDGES: Final = " \t.。,，、،;；؛/／|｜・·…—–-=＝:：" + _OPEN + _CLOSED
_ENDED: Final = re.compile(r"[)）\]】」』»]|[.。](?:\s|$)")
_STEM: Final = re.compile(r"[:：(（.。?？«„“「]\s?(?=\S)")
_OR: Final = pattern_of("between").pattern
_OR_BEHIND, _OR_BEFORE = re.compile(rf"\s{_OR}$"), re.compile(rf"^{_OR}\s")
_PAUSE: Final = re.compile(r"\s?[;；…]\s?(?=\S)")
_LIST: Final = re.compile(r"\s?[/／|｜・;；]\s?|\s?[,，、،]\s?")
_QUOTED: Final = re.compile(r"[«„“\"「『](?P<label>[^«»„“”\"「」『』]{1,30})[»“”\"」』]")
_IN_BRACKETS: Final = re.compile(r"[(（\[](?P<list>[^()（）\[\]]{3,90})[)）\]]")
_LETTERS: Final = re.compile(r"[^\W\d_]")
_UNIT: Final = re.compile(r"\s?(?P<unit>[^\W\d_]{1,8})")
_LONGEST, _MOST_WORDS = 60, 7
_MOST_LABELS: Final = 11
_LEAST_ITEMS: Final = 2
_LEAST_PLAIN: Final = 3
_FAR: Final = 4
"""Lines that may be between a legend and its items."""


@dataclass(frozen=True)
class Legend:
    """What a text says about codes.

    Parameters
    ----------
    before : str
        The text in front of it.
    labels : tuple of str
    points : tuple of int
    keys : tuple of str
        The codes as items may repeat them.
    """

    before: str
    labels: tuple[str, ...]
    points: tuple[int, ...] = ()
    keys: tuple[str, ...] = ()


def legend_of(text: str) -> Legend | None:
    """Return the answers that a text explains or lists; None if there are none.

    Examples
    --------
    >>> legend_of("Answer with: 0 Never  1 Rarely  2 Often").labels
    ('Never', 'Rarely', 'Often')
    >>> legend_of("Nunca (1)  Às vezes (2)  Sempre (3)").points
    (1, 2, 3)
    >>> legend_of("Circle SA (strongly agree), A (agree) or D (disagree).").keys
    ('SA', 'A', 'D')
    >>> legend_of("Items 2 and 4 are reversed."), legend_of("0-4 low, 5-9 high")
    (None, None)
    """
    return _keyed(text) or _numbered(text) or _listed(text)


def _numbered(text: str) -> Legend | None:
    marks = [*_NUMBER.finditer(text)]
    codes = [int(mark["code"]) for mark in marks]
    for start, end in ((0, len(marks)), *((at, len(marks)) for at in range(1, 4))):
        own, values = marks[start:end], codes[start:end]
        if len(own) > _MOST_LABELS or len(own) < 2 or len(set(values)) < len(values):
            continue
        found = _explained(text, own, values)
        if found:
            return found
    return None


def _explained(text: str, marks: Sequence[re.Match[str]], codes: Sequence[int]) -> Legend | None:
    """Return the legend that has a label beside each of its numbers."""
    pieces = [text[mark.end() : after] for mark, after in zip(marks, _starts(text, marks), strict=True)]
    units = {match["unit"] if (match := _UNIT.match(piece)) else "" for piece in pieces}
    if len(units) == 1 and "" not in units:
        pieces = [_UNIT.sub("", piece, count=1) for piece in pieces]
    behind = [_BEHIND_CODE.match(piece) for piece in pieces]
    last = pieces[-1][behind[-1].end() :] if behind[-1] else ""
    before = text[: marks[0].start()]
    is_behind = (
        _LETTERS.match(last if len(units) == 1 and "" not in units else last.lstrip(_OPEN + " ")) is not None
        and not _is_closed(text, marks[-1], pieces[-1])
        and before.rstrip()[-1:] not in ("=", "＝")
    )
    if is_behind:
        labels = [piece[match.end() :] if match else piece for piece, match in zip(pieces, behind, strict=True)]
        labels = [_clean(_OR_BEHIND.sub("", _PAUSE.split(each.strip())[0].strip(_EDGES))) for each in labels[:-1]]
        labels.append(_clean(_cut(pieces[-1][behind[-1].end() if behind[-1] else 0 :])))
    else:
        cut = max((match.end() for match in _STEM.finditer(before.rstrip(_OPEN + " "))), default=0)
        labels = [before[cut:], *(_ENDED.sub(" ", piece, count=1) for piece in pieces[:-1])]
        labels = [_clean(_OR_BEFORE.sub("", each.strip(_EDGES))) for each in labels]
        labels[0] = _last_words(labels[0], labels[1:])
        before = before[:cut]
    has_sign = all(
        re.match(r"\s?[)）]?\s?[=＝:：.(（)）、]|\s[-–—]\s", piece) or text[mark.start() - 1] in "(（=＝"
        for mark, piece in zip(marks, pieces, strict=True)
    )
    pairs = sorted((code, label) for code, label in zip(codes, labels, strict=True) if code >= 0)
    steps = [code for code, _label in pairs]
    is_run = steps == list(range(steps[0], steps[0] + len(steps))) if steps else False
    is_list = is_run and steps[0] < 2 and (has_sign or len(steps) > 2)
    if not all(_is_label(label) for _code, label in pairs) or not (is_list or (has_sign and len(steps) > 1)):
        return None
    if not is_run and is_behind and len(steps) == 2 and steps[0] < 2 and steps[1] - steps[0] < _MOST_LABELS:
        whole = tuple(range(steps[0], steps[1] + 1))
        named = (f"{whole[0]} – {pairs[0][1]}", *map(str, whole[1:-1]), f"{whole[-1]} – {pairs[1][1]}")
        return Legend(before.strip(), named, whole, tuple(map(str, whole)))
    if not is_run and steps[0] != 0:
        return None
    order = pairs if is_run else [*zip(codes, labels, strict=True)]
    return Legend(
        before.strip(),
        tuple(label for _code, label in order),
        tuple(code for code, _label in order),
        tuple(str(code) for code, _label in order),
    )


def _starts(text: str, marks: Sequence[re.Match[str]]) -> list[int]:
    return [*(mark.start() for mark in marks[1:]), len(text)]


def _is_closed(text: str, mark: re.Match[str], piece: str) -> bool:
    """Whether a code is in brackets of its own behind its label: *often (2).*"""
    is_open = text[: mark.start()].rstrip()[-1:] in "(（["
    closed = re.match(r"\s?[)）\]]\s?(?P<next>.?)", piece)
    return bool(is_open and closed and (not closed["next"] or closed["next"] in ".,;。，；"))


def _cut(label: str) -> str:
    """Return the last label without the text behind it."""
    label = label.lstrip(_OPEN + " ")
    end = _ENDED.search(label)
    return label[: end.start()] if end else label


def _last_words(label: str, others: Sequence[str]) -> str:
    """Return the last words of a label that begins with an instruction: as many as others have."""
    most = max((len(other.split()) for other in others), default=1)
    words = label.split()
    return " ".join(words[-most:]) if len(words) > most + 2 else label


def _clean(text: str) -> str:
    return " ".join(text.split()).strip(_EDGES)


def _is_label(label: str) -> bool:
    return bool(
        _LETTERS.search(label)
        and len(label) <= _LONGEST
        and len(label.split()) <= _MOST_WORDS
        and not asks(label)
        and "_" not in label
    )


def _keyed(text: str) -> Legend | None:
    """Return the legend of letters, as in *R = bad, B = good*."""
    marks = [*_KEY.finditer(text)]
    keys = tuple(mark["code"] for mark in marks)
    is_short = all(key.isupper() or len(key) == 1 for key in keys)
    if len(marks) < 2 or len(set(keys)) < len(keys) or not is_short:
        return None
    pieces = [text[mark.end() : after] for mark, after in zip(marks, _starts(text, marks), strict=True)]
    stated = [re.search(r"[(（]\s?(\d{1,2})\s?[)）]", piece) for piece in pieces]
    points = tuple(int(match[1]) for match in stated if match)
    cut = [piece[: match.start()] if match else piece for piece, match in zip(pieces, stated, strict=True)]
    labels = tuple(_clean(_OR_BEHIND.sub("", _cut(piece).strip(_EDGES))) for piece in cut)
    if not all(map(_is_label, labels)) or len(set(labels)) < len(labels):
        return None
    return Legend(text[: marks[0].start()].strip(), labels, points if len(points) == len(labels) else (), keys)


def _listed(text: str) -> Legend | None:
    """Return the words between separators that are a whole line, behind its colon, or in brackets."""
    quoted = [match["label"].strip() for match in _QUOTED.finditer(text)]
    if len(quoted) > 1 and all(map(_is_label, quoted)):
        return Legend(text[: text.find(quoted[0])], tuple(quoted))
    bracket = _IN_BRACKETS.search(text)
    before, _colon, rest = text.replace("：", ":").rpartition(":")
    for stem, words in ((text[: bracket.start()], bracket["list"]) if bracket else ("", ""), (before, rest)):
        labels = tuple(each.strip(_EDGES) for each in _LIST.split(words.strip())) if words else ()
        if len(labels) > 1 and (len(labels) > 2 or is_yes_no(labels) or "/" in words):
            are_short = all(_is_label(each) and len(each.split()) < _MOST_WORDS for each in labels)
            if are_short and len(set(labels)) == len(labels):
                return Legend(stem.strip(), labels)
    return None


def read_shared_answers(lines: Sequence[SourceLine]) -> None:
    """Give legends and their items their roles, wherever the legend is.

    Parameters
    ----------
    lines : sequence of SourceLine
        The lines that are not blank; those with a role keep it.
    """
    runs = _runs(lines)
    done: set[int] = set()
    legends = [*_legends(lines, runs)]
    for start, end, legend in sorted(legends, key=lambda each: each[1] - each[0]):
        if done & {*range(start, end)}:
            continue
        below = [run for run in runs if run[0] >= end and run[0] not in done]
        is_said = bool(legend.points or legend.keys or legend.before)
        above = [run for run in runs if run[-1] < start and run[0] not in done and is_said]
        near = _near(lines, below, end) or (_rest(lines, above) if not below or start > 0 else [])
        if not (legend.points or legend.keys):
            near = [run for run in near if _form(lines[run[0]]) != "field"]
        if not near and legend.points and not runs:
            near = _plain_run(lines, end)
        if not near:
            continue
        for run in near:
            done.update(run)
            _give_rows(lines, run, legend)
        is_above = start < near[0][0]
        for line in lines[start:end]:
            _give_legend(line, legend, is_above=is_above)


def _give_legend(line: SourceLine, legend: Legend, *, is_above: bool) -> None:
    stem = legend.before.strip(_EDGES)
    if line.number == 1 and stem and not ends_sentence(line.text) and "(" in line.text:
        line.give(TITLE)
    elif stem and is_above:
        line.give(HEADING)
        line.topic = OPENING
    else:
        line.give(SCALE)
        line.cells, line.points, line.topic = list(legend.labels), legend.points, "steps"


def _give_rows(lines: Sequence[SourceLine], run: Sequence[int], legend: Legend) -> None:
    for place in run:
        line = lines[place]
        if line.role == JOINED:
            continue
        line.body = _without_codes(line.body, legend)
        line.give(ROW, is_certain=line.mark is not None)
        line.cells, line.points = list(legend.labels), legend.points


def _without_codes(text: str, legend: Legend) -> str:
    """Return an item without the codes or the space behind it."""
    space = split_space(text)
    if space:
        return space[0].rstrip(" :：")
    words = text.split()
    n = len(legend.keys)
    tail = [word.strip("()[].") for word in words[-n:]] if n else []
    if n and len(words) > n and tail == [*legend.keys]:
        return " ".join(words[:-n])
    return text


def _legends(
    lines: Sequence[SourceLine], runs: Sequence[Sequence[int]]
) -> Iterator[tuple[int, int, Legend]]:
    """Yield the places of legends: one line, or lines with one code each."""
    items = {place for run in runs for place in run}
    place = 0
    while place < len(lines):
        end = _end_of_codes(lines, place)
        if end > place + 2 and not any(lines[at].role for at in range(place, end)):
            legend = legend_of("; ".join(line.text for line in lines[place:end]))
            is_plain = not any(ends_sentence(line.text) or is_long(line) for line in lines[place:end])
            above = lines[place - 1] if place and not lines[place].has_gap else None
            is_own = above is not None and (asks(above.text) or _is_counted(above))
            if legend and legend.points and is_plain and not is_own:
                yield place, end, legend
            place = end
            continue
        line = lines[place]
        if place not in items and not line.role and not asks(line.text) and len(BOX.findall(line.raw)) < 2:
            legend = legend_of(line.raw.strip())
            is_words = legend and not (legend.points or legend.keys)
            if is_words and _is_own(lines, place):
                legend = None
            if legend and not (is_words and (is_long(line) or any(map(str.isdigit, "".join(legend.labels))))):
                yield place, place + 1, legend
        place += 1


def _is_own(lines: Sequence[SourceLine], place: int) -> bool:
    """Whether a list of words is below a question and answers it, unless items are right below the list."""
    above, below = (lines[at] if 0 <= at < len(lines) else None for at in (place - 1, place + 1))
    if above is None or lines[place].has_gap or not (asks(above.text) or _is_counted(above)):
        return False
    return below is None or below.has_gap or not _form(below) or _form(below) == _form(above)


def _is_counted(line: SourceLine) -> bool:
    return line.mark is not None and line.mark.kind == "count" and not line.mark.is_weak


def _end_of_codes(lines: Sequence[SourceLine], start: int) -> int:
    """Return the end of the lines that count up from a place on, each with a label behind its code."""
    end, first = start, None
    while end < len(lines):
        match = re.match(r"\W?(\d{1,2})\s?[=＝:：.)–-]?\s?[^\W\d]", lines[end].text)
        code = int(match[1]) if match else None
        if code is None or (first is None and code > 1) or (first is not None and code != first + end - start):
            break
        if end > start and lines[end].has_gap:
            break
        first = code if first is None else first
        end += 1
    return end


def _runs(lines: Sequence[SourceLine]) -> list[list[int]]:
    """Return the places of items: lines that follow each other, with one shape of mark and no answers."""
    found: list[list[int]] = []
    run: list[int] = []
    for place, line in enumerate(lines):
        if run and _continues(lines[place - 1], line) and place - 1 == run[-1]:
            run.append(place)
            continue
        is_next = bool(run) and run[-1] == place - 1 and _follows(_first_of(lines, run), line)
        if not is_next:
            found, run = [*found, run], []
        if _is_item(line):
            run = [*run, place] if is_next else [place]
        else:
            found, run = [*found, run], []
    runs = [[*each] for each in [*found, run] if sum(_is_item(lines[place]) for place in each) >= _LEAST_ITEMS]
    return [each for each in runs if not _are_answers(lines, each)]


def _first_of(lines: Sequence[SourceLine], run: Sequence[int]) -> SourceLine:
    return next(lines[place] for place in reversed(run) if _is_item(lines[place]))


def _are_answers(lines: Sequence[SourceLine], run: Sequence[int]) -> bool:
    """Whether a run is the answers of a question above it."""
    above = lines[run[0] - 1] if run[0] else None
    if above is None or lines[run[0]].has_gap:
        return False
    return asks(above.text) or (_is_counted(above) and above.text[-1] not in "…:：,，.")


def _form(line: SourceLine) -> str:
    if line.mark is not None and line.mark.kind in ("count", "letter", "sign"):
        return line.mark.shape
    return "field" if split_space(line.text) else ""


def _is_item(line: SourceLine) -> bool:
    if line.role or not _form(line) or not _LETTERS.search(line.body):
        return False
    own = answers_on(behind_mark(line))
    return own is None or own.sign in (",", "ends") or not own.before or _repeats(own)


def _repeats(own: Listed) -> bool:
    """Whether the answers behind an item are single letters, which a legend explains."""
    return all(len(label) < 3 for label in own.labels)


def _follows(first: SourceLine, line: SourceLine) -> bool:
    if _form(first) != _form(line):
        return False
    if first.mark is None or line.mark is None or not first.mark.value:
        return True
    return first.mark.value < line.mark.value


def _continues(above: SourceLine, line: SourceLine) -> bool:
    """Whether a line continues an item; it is joined then."""
    is_free = line.mark is None or line.mark.shape == "indent"
    if not (is_free and not line.role and not line.has_gap and line.text[:1].islower() and _form(above)):
        return False
    return not ends_sentence(above.text) and not asks(above.text)


def _near(lines: Sequence[SourceLine], runs: Sequence[list[int]], end: int) -> list[list[int]]:
    """Return the runs of items below a legend, up to the next line with another form of mark."""
    if not runs or runs[0][0] - end > _FAR or any(asks(line.text) for line in lines[end : runs[0][0]]):
        return []
    first = lines[runs[0][0]]
    near = [runs[0]]
    for before, run in pairwise(runs):
        between = range(before[-1] + 1, run[0])
        has_legend = any(legend_of(lines[place].text) for place in between)
        if _form(lines[run[0]]) != _form(first) or has_legend or len(between) > 2:
            break
        near.append(run)
    return [run for run in near if not _has_answers(lines, run)]


def _rest(lines: Sequence[SourceLine], runs: Sequence[list[int]]) -> list[list[int]]:
    """Return the runs above a legend with the form of the last."""
    if not runs:
        return []
    form = _form(lines[runs[-1][0]])
    return [run for run in runs if _form(lines[run[0]]) == form and not _has_answers(lines, run)]


def _has_answers(lines: Sequence[SourceLine], run: Sequence[int]) -> bool:
    """Whether the line below a run begins a list with another mark: its last line is a question, then."""
    below = lines[run[-1] + 1] if run[-1] + 1 < len(lines) else None
    if below is None or below.has_gap or below.mark is None or below.mark.kind == "hash":
        return False
    return _form(below) != _form(lines[run[0]])


def _plain_run(lines: Sequence[SourceLine], start: int) -> list[list[int]]:
    """Return the lines without marks that follow each other below a legend, as items."""
    end = start
    while end < len(lines):
        line = lines[end]
        if line.mark or line.role or is_long(line) or (end > start and line.has_gap) or line.text[-1] in ":：":
            break
        if answers_on(line.raw.strip()):
            break
        end += 1
    return [[*range(start, end)]] if end - start >= _LEAST_PLAIN else []

