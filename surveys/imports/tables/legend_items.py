"""Answers that a text states once for several items: *0 = never, 1 = often* above or below a list.

A line that explains codes, or lists words between separators, is a legend if a run of items without answers
of their own is next to it. What it says about each code becomes the answers of each item, with its points.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from operator import itemgetter
from typing import Final

from surveys.imports.drafts.questionnaire import Question, Questionnaire
from surveys.imports.lines.source_lines import (
    ANSWER,
    HEADING,
    HELP,
    INTRODUCTION,
    JOINED,
    LEFT,
    OPENING,
    QUESTION,
    SCORING,
    TITLE,
    SourceLine,
    all_answers,
    answers_of,
    ends_sentence,
    is_long,
    split_space,
)
from surveys.imports.tables.explained_answers import LEAST_PLAIN
from surveys.imports.tables.header_tables import item_of, points_of_row, row_width
from surveys.imports.tables.item_runs import form_of, is_counted, is_counted_on, is_item, item_runs
from surveys.imports.words.answers_on_line import BOX
from surveys.imports.words.cues import REVERSED, pattern_of
from surveys.imports.words.legend_labels import EDGES
from surveys.imports.words.legends import Legend, legend_of, lettered, pair_of
from surveys.imports.words.patterns import AND_OR, DRAWN_BOX, HAN
from surveys.imports.words.question_marks import asks, holds_question
from surveys.imports.words.runs import repeats

_LABEL: Final = re.compile(r"[^\W\d_][^:：|?？]{1,40}\s?[:：]\s?(?:[_.…]{2}|1\s?[.)=-])")
_POSSIBLE: Final = ("", QUESTION, ANSWER)
_SENTENCES: Final = re.compile(r"(?<=[^\W\d_][.。])\s")
_OPEN_END: Final = re.compile(r"[,，、;；–—=＝]$|\s\d$")
_ENDED: Final = re.compile(r"[.!?:。！？：)）]$")
_CODED: Final = re.compile(r"\W?(?:(\d{1,2})\s?[=＝:：.)–-]?|([A-Ha-h])\s?[=＝:：])\s?[^\W\d]")
_APART: Final = re.compile(r"\s/\s|[«„“「]")
"""Signs that occur in lists of answers, but not in sentences."""
_IS_CODE: Final = re.compile(r"[A-ZА-Я]{1,3}")
_EMPTY_CELLS: Final = re.compile(rf"(?:\s*(?:\[\s*\]|\(\s*\)|{DRAWN_BOX}))+$|(?:\s\.){{3,}}$")
"""Boxes behind an item that have no labels, or dots."""
_LEAST_ITEMS: Final = 2
_FAR: Final = 4
_WORDS_OF_LABEL: Final = 2
"""Largest number of words of a label in front of a legend: *Note.*."""
_MOST_WORDS: Final = 5
"""Lines that may be between a legend and its items."""

_SOME_ITEMS: Final = pattern_of(
    "item-number",
    behind=rf"\s?(?:\d{{1,2}}|[a-z](?!\w))(?:\s?[,、]\s?\w{{1,2}}|\s{AND_OR}\s\w{{1,2}}){{1,20}}\s?[,，:：]",
)
"""Items by number, in front of what their answers score."""


def read_shared_answers(lines: Sequence[SourceLine]) -> None:
    """Give legends and their items their roles, wherever the legend is.

    Parameters
    ----------
    lines : sequence of SourceLine
        The lines that are not blank; those with a role keep it.
    """
    runs = item_runs(lines)
    done: set[int] = set()
    legends = [*_legends(lines, runs)]
    for start, end, legend in sorted(
        legends, key=lambda each: (lines[each[0]].role, each[1] - each[0], -each[0])
    ):
        if done & {*range(start, end)}:
            continue
        near = _runs_of(lines, runs, start, end, legend, done)
        if not near or _is_among(lines, start, end, legend, near):
            continue
        if (
            not legend.points
            and not legend.keys
            and any(_is_answered(lines[at]) for run in near for at in run)
        ):
            # Words between commas, such as a greeting: questions with answers need none.
            continue
        is_above = start < near[0][0]
        for run in near:
            done.update(run)
            _give_rows(lines, run, legend, is_above=is_above)
        for line in lines[start:end]:
            _give_legend(line, legend, is_above=is_above)
        is_below_title = start == 1 and not ends_sentence(lines[0].text) and not lines[0].ends_with_colon
        has_stem = start > 0 and not (lines[start].has_gap or is_below_title)
        if is_above and has_stem and not legend.before.strip(EDGES):
            _give_stem(lines[start - 1], is_list=end > start + 1)


def _is_answered(line: SourceLine) -> bool:
    """Return whether a question states its answers, or has a space to write."""
    has_answer = answers_of(line) is not None or split_space(line.text) is not None
    return has_answer and holds_question(line.text)


def _runs_of(
    lines: Sequence[SourceLine],
    runs: Sequence[list[int]],
    start: int,
    end: int,
    legend: Legend,
    done: set[int],
) -> list[list[int]]:
    """Return the runs of items that a legend explains: those below it, or else those above."""
    at = bisect_left(runs, end, key=itemgetter(0))
    near = _near(lines, runs, at, end) if at < len(runs) and runs[at][0] not in done else []
    if not near and (legend.points or legend.keys or legend.before):
        near = _rest(lines, runs, bisect_left(runs, start, key=itemgetter(0)), done)
    if near and legend.points:
        near = [*_counted_above(lines, runs[:at], near[0], start, done), *near]
    if not (legend.points or legend.keys) or _names_ends(legend, lines[start]):
        near = [run for run in near if form_of(lines[run[0]]) != "field"]
    if not near and legend.points and not runs:
        near = _plain_run(lines, end) or _plain_run_above(lines, start)
    return near


def _is_among(
    lines: Sequence[SourceLine], start: int, end: int, legend: Legend, near: Sequence[Sequence[int]]
) -> bool:
    """Return whether a legend is one of its items, or the answers of a question above questions."""
    first = lines[near[0][0]]
    if {lines[at].body for run in near for at in run} <= {*legend.labels}:
        # The answers themselves are no items that it explains.
        return True
    if _is_asked_above(lines, start) and asks(first.text):
        return True
    is_asked = lines[start].mark_kind == "count" or asks(legend.before)
    if start > near[-1][-1] and is_asked and len(legend.before.split()) > _WORDS_OF_LABEL:
        # The next question, which states its own scale or answers.
        return True
    # Lists of answers with the same codes are as long as the legend.
    is_long_run = end > start + 1 and len(near) == 1 and len(near[0]) > len(legend.labels)
    form = form_of(lines[start])
    return bool(form) and not is_long_run and form == form_of(first)


def read_repeated_answers(lines: Sequence[SourceLine]) -> None:
    """Make lines questions if the same answers are below each of them, whatever their marks are.

    The answers are a list on one line, or lines with a mark of their own; or no line has a mark.
    """
    for places in _repeated_blocks(lines):
        items = [lines[start - 1] for start, _end in places]
        first = lines[places[0][0] : places[0][1]]
        are_marked = _is_block(first) and _have_other_marks(items, first)
        are_plain = len(places) >= LEAST_PLAIN and _are_plain(items, first)
        if len(places) < _LEAST_ITEMS or not (are_marked or are_plain):
            continue
        if all(item.role == QUESTION for item in items):
            continue
        for item, (start, end) in zip(items, places, strict=True):
            item.give(QUESTION)
            for line in lines[start:end]:
                line.give(ANSWER)


def _repeated_blocks(lines: Sequence[SourceLine]) -> list[list[tuple[int, int]]]:
    """Return the places of each block of lines that recur, its first line and the one behind it.

    A blank line, a line that does not recur, or another mark ends a block.
    """
    counts = Counter(line.text for line in lines if line.role in _POSSIBLE)
    blocks: dict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
    place = 1
    while place < len(lines):
        end = place
        while end < len(lines) and counts[lines[end].text] > 1 and (end == place or not lines[end].has_gap):
            end += 1
        below = lines[end].mark if end < len(lines) else None
        if end > place and (below is None or below.shape != lines[end - 1].mark_shape):
            blocks[tuple(line.text for line in lines[place:end])].append((place, end))
        place = max(end, place + 1)
    return [*blocks.values()]


def _have_other_marks(items: Sequence[SourceLine], answers: Sequence[SourceLine]) -> bool:
    """Return whether items all have marks, and none has the mark of an answer."""
    marks = {"", "indent", *(line.mark_shape for line in answers)}
    return all(_is_marked(item) and item.mark_shape not in marks for item in items)


def _are_plain(items: Sequence[SourceLine], answers: Sequence[SourceLine]) -> bool:
    """Return whether different lines without marks have the same list of a few words without marks below."""
    lines = [*items, *answers]
    are_bare = all(line.mark is None and line.role in _POSSIBLE and not is_long(line) for line in lines)
    are_words = len(answers) > 1 and not any(ends_sentence(line.text) for line in answers)
    return are_bare and are_words and not repeats([line.text for line in items])


def _is_block(lines: Sequence[SourceLine]) -> bool:
    """Whether lines are the answers of one question: a list on one line, or lines with one form of mark."""
    if any(asks(line.text) for line in lines):
        return False
    if len(lines) == 1:
        listed = all_answers(lines[0])
        return listed is not None and not listed.before and listed.sign not in (",", " ")
    return all(map(_is_marked, lines)) and len({form_of(line) for line in lines}) == 1


def _is_marked(line: SourceLine) -> bool:
    return line.role in _POSSIBLE and line.mark_kind not in ("", "hash")


def explain_items(survey: Questionnaire, source: Sequence[SourceLine]) -> None:
    """Make a single sentence above a scale the explanation of its part, and not the purpose of the survey.

    Parameters
    ----------
    survey : Questionnaire
        Its questions have their kinds.
    source : sequence of SourceLine
        All lines, with their roles.
    """
    first = next((part for part in survey.parts if part.questions), None)
    lines = [line for line in source if line.role == INTRODUCTION]
    if first is None or not lines or first.help or not _share_answers(first.questions):
        return
    last = lines[-1]
    purpose = survey.about.get("purpose", {})
    (tag, whole), *_more = purpose.items() or [("", "")]
    is_near = not any(
        line.role == HEADING and line.number > last.number for line in source[: _FAR + len(lines)]
    )
    if (
        len(purpose) != 1
        or not whole.endswith(last.body)
        or len(_SENTENCES.split(last.body)) > 1
        or not is_near
    ):
        return
    first.help = {tag: last.body}
    rest = whole.removesuffix(last.body).rstrip()
    survey.introduction = survey.introduction[:-1]
    if rest:
        survey.about["purpose"] = {tag: rest}
    else:
        del survey.about["purpose"]
    last.give(HELP, is_certain=last.is_certain)
    survey.lines = [replace(each, role=HELP) if each.line == last.number else each for each in survey.lines]


def _share_answers(questions: Sequence[Question]) -> bool:
    """Return whether questions are the items of one scale: at least three have the same answers."""
    lists = [{tuple(option.texts.values()) for option in each.options} for each in questions[:LEAST_PLAIN]]
    return len(lists) == LEAST_PLAIN and bool(lists[0]) and all(each == lists[0] for each in lists)


def _names_ends(legend: Legend, line: SourceLine) -> bool:
    """Return whether a legend names only the ends of a range of numbers: items with a space ask for one."""
    return (
        "=" not in line.text
        and len(legend.labels) > LEAST_PLAIN
        and all(map(str.isdecimal, legend.labels[1:-1]))
    )


def _give_legend(line: SourceLine, legend: Legend, *, is_above: bool) -> None:
    stem = legend.before.strip(EDGES)
    if line.role == SCORING:
        return
    if line.number == 1 and stem and not ends_sentence(line.text) and "(" in line.text:
        line.give(TITLE)
    elif stem and is_above:
        line.give(HEADING)
        line.topic = OPENING
    else:
        line.become_scale(legend.all_labels, legend.all_points)


def _give_stem(line: SourceLine, *, is_list: bool) -> None:
    """Make the sentence right above a legend the heading of its items; leave out the name of a list."""
    if is_list and not (line.role or line.mark) and len(line.text.split()) <= LEAST_PLAIN:
        line.give(LEFT)
    is_free = not line.role and line.mark is None and len(line.text.split()) > LEAST_PLAIN
    if is_free and not asks(line.text) and all_answers(line) is None:
        line.give(HEADING)
        line.topic = OPENING


def _give_rows(
    lines: Sequence[SourceLine], run: Sequence[int], legend: Legend, *, is_above: bool = True
) -> None:
    for place in run:
        line = lines[place]
        if place > run[0] and not is_item(line) and line.begins_small and not form_of(line):
            line.give(JOINED)
            continue
        if codes := _codes_behind(line.body, legend.keys):
            # Not all codes in the columns are explained.
            line.body = " ".join(line.body.split()[: -len(codes)])
            named = dict(zip(legend.keys, legend.labels, strict=True))
            line.become_row([named.get(code, code) for code in codes], is_certain=False)
            continue
        points = points_of_row(line, len(legend.labels)) if row_width(line) == len(legend.labels) else []
        # Each item has its points behind it, or the codes of the legend.
        line.body = item_of(line) if points else _without_codes(line.body, legend)
        # Questions above a line with answers may have none of their own.
        is_certain = line.mark is not None and (is_above or not asks(line.text))
        line.become_row(legend.all_labels, points or legend.all_points, is_certain=is_certain)


def _codes_behind(text: str, keys: Sequence[str]) -> list[str]:
    """Return the letters behind an item if they are those of a legend and others; empty otherwise.

    >>> _codes_behind("I lie N S DK", ["N", "S"]), _codes_behind("I lie N S", ["N", "S"])
    (['N', 'S', 'DK'], [])
    """
    behind = [*takewhile(_IS_CODE.fullmatch, reversed(text.split()))][::-1]
    has_all = bool(keys) and [word for word in behind if word in keys] == [*keys]
    return behind if has_all and len(keys) < len(behind) < len(text.split()) else []


def _without_codes(text: str, legend: Legend) -> str:
    """Return an item without the codes or the space behind it."""
    text = _EMPTY_CELLS.sub("", text)
    space = split_space(text)
    if space:
        return space[0].rstrip(" :：")
    words = text.split()
    n = len(legend.keys)
    tail = [word.strip("()[].") for word in words[-n:]] if n else []
    if n and len(words) > n and tail == [*legend.keys]:
        return _EMPTY_CELLS.sub("", " ".join(words[:-n]))
    return text


def _legends(lines: Sequence[SourceLine], runs: Sequence[Sequence[int]]) -> Iterator[tuple[int, int, Legend]]:
    """Yield the places of legends: one line, or lines with one code each."""
    items = {place for run in runs for place in run}
    counts = Counter(line.text for line in lines)
    place = 0
    while place < len(lines):
        legend, end = None, _end_of_codes(lines, place)
        if end > place + 2 and not any(line.role for line in lines[place:end]):
            legend = _legend_of_codes(lines, place, end, is_below_items=place - 1 in items)
        elif place in items:
            end = place + 1
        else:
            legend, end = _legend_at(lines, place, is_repeated=counts[lines[place].text] > 1)
        if legend:
            yield place, end, legend
        place = end


def _legend_of_codes(
    lines: Sequence[SourceLine], place: int, end: int, *, is_below_items: bool
) -> Legend | None:
    """Return the legend that lines with one code each make, unless they answer a question above them."""
    above = lines[place - 1] if place and not lines[place].has_gap else None
    is_lettered = above is not None and above.mark_kind == "letter"
    is_question = is_lettered and not is_below_items
    if (above and (asks(above.text) or is_counted(above) or is_question)) or _answers_above(lines, place):
        return None
    if any(ends_sentence(line.text) or is_long(line) for line in lines[place:end]):
        return None
    legend = legend_of("; ".join(line.text for line in lines[place:end]))
    return legend if legend and (legend.points or legend.keys) else None


def _legend_at(lines: Sequence[SourceLine], place: int, *, is_repeated: bool) -> tuple[Legend | None, int]:
    """Return the legend that begins with a line, and the place behind it."""
    line = lines[place]
    nothing = None, place + 1
    if line.role not in ("", SCORING) or len(BOX.findall(line.raw)) > 1 or _SOME_ITEMS.search(line.text):
        return nothing
    legend, end = None if line.mark else pair_of(line.text), place + 1
    if legend is None and not asks(line.text):
        legend, end = _whole_legend(lines, place)
    elif legend is None and _states_scale(lines, place):
        legend = legend_of(line.text)
    legend = legend or _legend_in_letters(lines, place)
    if legend is None or _answers_above(lines, place) or REVERSED.search(legend.before):
        return nothing
    if legend.before and _is_field(lines, place):
        return nothing
    is_words = not (legend.points or legend.keys)
    if is_words and REVERSED.search(line.text):
        return nothing
    if is_words and (is_repeated or not _are_answers_in(lines, place, legend)):
        return nothing
    return legend, end


def _states_scale(lines: Sequence[SourceLine], place: int) -> bool:
    """Return whether a question without a mark states at least three points above marked items."""
    line, below = lines[place], lines[place + 1 : place + 2]
    legend = legend_of(line.text) if line.mark is None else None
    is_scale = legend is not None and len(legend.points) > len("ab")
    return is_scale and any(is_item(each) and each.mark is not None and not asks(each.text) for each in below)


def _legend_in_letters(lines: Sequence[SourceLine], place: int) -> Legend | None:
    """Return the legend of a line of lettered answers that is between a heading and marked items."""
    line = lines[place]
    above, below = lines[max(place - 1, 0) : place], lines[place + 1 : place + 2]
    is_free = not any(asks(each.text) or is_item(each) for each in above)
    are_items = any(is_item(each) and each.mark_shape != line.mark_shape for each in below)
    return lettered(line.text) if line.mark_kind in ("", "letter") and is_free and are_items else None


def _are_answers_in(lines: Sequence[SourceLine], place: int, legend: Legend) -> bool:
    """Return whether the words that a line lists are answers of items, and not a part of a sentence."""
    line = lines[place]
    is_stated = legend.before and is_long(line) and _APART.search(line.text)
    if not is_stated and (_is_own(lines, place) or is_long(line)):
        return False
    if not legend.before and (ends_sentence(line.text) or any(map(_is_clause, legend.labels))):
        return False
    return not any(map(str.isdigit, "".join(legend.labels)))


def _is_clause(label: str) -> bool:
    """Whether words between commas are longer than an answer of a scale."""
    return len(HAN.findall(label)) > 2 * _MOST_WORDS or len(label.split()) >= _MOST_WORDS


def _is_asked_above(lines: Sequence[SourceLine], start: int) -> bool:
    """Whether a question is above a line in its paragraph, so its answers belong to it alone."""
    for place in range(start - 1, max(start - _FAR, 0) - 1, -1):
        if lines[place + 1].has_gap:
            return False
        if asks(lines[place].text):
            return True
        listed = all_answers(lines[place])
        if listed and not listed.before and listed.sign in ("box", "/", "|", "letter", "cells"):
            # The question above has its answers.
            return False
    return False


def _answers_above(lines: Sequence[SourceLine], place: int) -> bool:
    """Whether answers are below a numbered question: a scale is not stated between two questions."""
    above = lines[place - 1] if place else None
    if above is None or above.mark_kind in ("", "hash") or not holds_question(above.text):
        return False
    mark = lines[place].mark
    return above.mark_kind != "sign" or mark is None or mark.shape != above.mark_shape


def _whole_legend(lines: Sequence[SourceLine], place: int) -> tuple[Legend | None, int]:
    """Return the legend of a line, which may go on with further codes on the lines below, and its end."""
    legend, end = legend_of(lines[place].raw.strip()), place + 1
    text = lines[place].raw.strip()
    for after in range(place + 1, min(place + _FAR, len(lines))):
        line = lines[after]
        is_open = _OPEN_END.search(text) is not None or (line.begins_small and not _ENDED.search(text))
        if line.has_gap or line.role not in ("", SCORING) or asks(line.text) or not is_open:
            break
        text = f"{text} {line.text}"
        longer, own = legend_of(_SENTENCES.split(text)[0]), legend_of(line.text)
        if longer and own and len(own.labels) >= len(longer.labels):
            # The line below is a legend of its own.
            break
        n_labels = len(legend.labels) if legend else 1
        if longer and len(longer.points or longer.keys) == len(longer.labels) > n_labels:
            legend, end = longer, after + 1
    return legend, end


def _is_own(lines: Sequence[SourceLine], place: int) -> bool:
    """Whether a list of words is below a question and answers it, unless items are right below the list."""
    above, below = (lines[at] if 0 <= at < len(lines) else None for at in (place - 1, place + 1))
    if above is None or lines[place].has_gap or not (asks(above.text) or is_counted(above)):
        return False
    return below is None or below.has_gap or not form_of(below) or form_of(below) == form_of(above)


def _is_field(lines: Sequence[SourceLine], place: int) -> bool:
    """Whether a label and its answers are part of a form: another one is beside it."""
    if _LABEL.match(lines[place].text) is None:
        return False
    above = lines[max(0, place - 1) : place] if not lines[place].has_gap else []
    below = [line for line in lines[place + 1 : place + 2] if not line.has_gap]
    return any(_LABEL.match(line.text) for line in [*above, *below])


def _end_of_codes(lines: Sequence[SourceLine], start: int) -> int:
    """Return the end of the lines that count up from a place on, each with a label behind its code."""
    end, first = start, None
    legend = legend_of(lines[start].text)
    if legend and len(legend.points or legend.keys) > 1:
        # The first line explains all codes, and the items below it count on.
        return start + 1
    while end < len(lines):
        match = _CODED.match(lines[end].text)
        code = match and (int(match[1]) if match[1] else ord(match[2].lower()) - ord("a"))
        if (
            code is None
            or (first is None and code > 1)
            or (first is not None and code != first + end - start)
        ):
            break
        if end > start and lines[end].has_gap:
            break
        first = code if first is None else first
        end += 1
    return end


def _near(lines: Sequence[SourceLine], runs: Sequence[list[int]], first: int, end: int) -> list[list[int]]:
    """Return the runs of items below a legend, up to the next line with another form of mark."""
    start = runs[first][0]
    if start - end > _FAR or any(asks(line.text) for line in lines[end:start]):
        return []
    near = [runs[first]]
    for at in range(first + 1, len(runs)):
        between = range(near[-1][-1] + 1, runs[at][0])
        if len(between) > 2 or form_of(lines[runs[at][0]]) != form_of(lines[start]):
            break
        if any(legend_of(lines[place].text) for place in between):
            break
        near.append(runs[at])
    return [run for run in near if not _has_answers(lines, run)]


def _rest(
    lines: Sequence[SourceLine], runs: Sequence[list[int]], end: int, done: set[int]
) -> list[list[int]]:
    """Return the runs above a legend with the form of the last, up to one that has its answers."""
    found: list[list[int]] = []
    for run in (runs[at] for at in range(end - 1, -1, -1)):
        if run[0] in done or form_of(lines[run[0]]) != form_of(lines[runs[end - 1][0]]):
            break
        if form_of(lines[run[0]]) == "indent" and len({_indent(lines[place]) for place in run}) > 1:
            # Centred lines are titles.
            break
        if not _has_answers(lines, run):
            found.insert(0, run)
    return found


def _counted_above(
    lines: Sequence[SourceLine],
    runs: Sequence[list[int]],
    below: Sequence[int],
    start: int,
    done: set[int],
) -> list[list[int]]:
    """Return the runs above the start of a legend whose marks those below it count on."""
    found: list[list[int]] = []
    for run in reversed(runs):
        first = lines[(found[0] if found else below)[0]]
        if (
            run[0] in done
            or not is_counted_on(lines, run, first)
            or (_has_answers(lines, run) and run[-1] + 1 < start)
        ):
            break
        found.insert(0, run)
    return found


def _indent(line: SourceLine) -> int:
    return len(line.raw) - len(line.raw.lstrip())


def _has_answers(lines: Sequence[SourceLine], run: Sequence[int]) -> bool:
    """Whether the line below a run begins a list with another mark: its last line is a question, then."""
    below = lines[run[-1] + 1] if run[-1] + 1 < len(lines) else None
    if below is None or below.has_gap or below.mark_kind in ("", "hash"):
        return False
    # Below the heading of the next part, the items count on.
    is_heading = any(is_counted_on(lines, run, item) for item in lines[run[-1] + 2 : run[-1] + 3])
    return form_of(below) != form_of(lines[run[0]]) and not is_heading


def _plain_run_above(lines: Sequence[SourceLine], end: int) -> list[list[int]]:
    """Return the lines without marks between a gap and a legend behind another gap, as items."""
    start = end
    while start and (start == end or not lines[start].has_gap) and _is_plain(lines[start - 1]):
        start -= 1
    is_apart = lines[end].has_gap and lines[start].has_gap
    return [[*range(start, end)]] if is_apart and end - start >= LEAST_PLAIN else []


def _is_plain(line: SourceLine) -> bool:
    """Return whether a line without a mark may be an item without answers of its own."""
    is_free = not (line.mark or line.role or is_long(line) or line.ends_with_colon)
    return is_free and not all_answers(line)


def _plain_run(lines: Sequence[SourceLine], start: int) -> list[list[int]]:
    """Return the lines without marks that follow each other below a legend, as items."""
    end = start
    while end < len(lines):
        if not _is_plain(lines[end]) or (end > start and lines[end].has_gap):
            break
        end += 1
    return [[*range(start, end)]] if end - start >= LEAST_PLAIN else []
