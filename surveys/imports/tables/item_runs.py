"""Runs of items in a pasted text: lines that follow each other, with one shape of mark and no answers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from surveys.imports.lines.source_lines import SourceLine, behind_mark, ends_sentence, split_space
from surveys.imports.words.answers_on_line import Listed, answers_on
from surveys.imports.words.legends import legend_of
from surveys.imports.words.patterns import HAN, LETTER, RUN_BEHIND
from surveys.imports.words.question_marks import asks

_LEAST_ITEMS: Final = 2
_LEAST_CODES: Final = 3


def item_runs(lines: Sequence[SourceLine]) -> list[list[int]]:
    """Return the places of items: lines that follow each other, with one shape of mark and no answers.

    Parameters
    ----------
    lines : sequence of SourceLine
        The lines that are not blank, with the roles they have so far.
    """
    found: list[list[int]] = []
    run: list[int] = []
    for place, line in enumerate(lines):
        if run and _continues(lines[place - 1], line) and place - 1 == run[-1]:
            run.append(place)
            continue
        is_next = bool(run) and run[-1] == place - 1 and _follows(_first_of(lines, run), line)
        if not (is_next and is_item(line)):
            found.append(run)
            run = []
        if is_item(line):
            run.append(place)
    found.append(run)
    runs = [each for each in found if sum(is_item(lines[place]) for place in each) >= _LEAST_ITEMS]
    counted_on = {
        run[0]
        for above, below in pairwise(runs)
        if is_counted_on(lines, above, lines[below[0]])
        for run in (above, below)
    }
    return [
        each
        for each in runs
        if not _are_answers(lines, each, is_counted_on=each[0] in counted_on) or _is_explained(lines, each)
    ]


def _first_of(lines: Sequence[SourceLine], run: Sequence[int]) -> SourceLine:
    return next(lines[place] for place in reversed(run) if is_item(lines[place]))


def _are_answers(lines: Sequence[SourceLine], run: Sequence[int], *, is_counted_on: bool) -> bool:
    """Whether a run is the answers of a question above it; the marks of answers begin anew each time."""
    above = lines[run[0] - 1] if run[0] else None
    if above is None or lines[run[0]].has_gap or all(split_space(lines[place].text) for place in run):
        return False
    is_question = is_counted(above) and above.text[-1] not in "…:：,，." and not is_counted_on
    return asks(above.text) or is_question


def _is_explained(lines: Sequence[SourceLine], run: Sequence[int]) -> bool:
    """Whether the line below marked items states a scale: at least three codes with what they mean."""
    below = run[-1] + 1
    if lines[run[0]].mark is None or below == len(lines) or lines[below].role:
        return False
    legend = legend_of(lines[below].text)
    return legend is not None and len(legend.points) >= _LEAST_CODES


def form_of(line: SourceLine) -> str:
    """Return the form of an item: the shape of its mark, ``field``, ``run`` of numbers, or empty."""
    is_wrapped = line.mark_shape == "indent" and line.begins_small
    if line.mark_kind in ("count", "letter", "sign") and not is_wrapped:
        return line.mark_shape
    return "field" if split_space(line.text) else "run" if RUN_BEHIND.search(line.text) else ""


def is_item(line: SourceLine) -> bool:
    """Return whether a line may be an item: it has a form, and no answers of its own."""
    if line.role or not form_of(line) or not LETTER.search(line.body):
        return False
    own = answers_on(behind_mark(line))
    legend = legend_of(line.body) if line.mark_kind == "sign" else None
    if legend is not None and not legend.before and len(legend.points) >= _LEAST_CODES:
        return False
    is_run = own is not None and not any(map(LETTER.search, own.labels))
    return own is None or is_run or own.sign in (",", "ends") or not own.before or _repeats(own)


def _repeats(own: Listed) -> bool:
    """Whether the answers behind an item are single letters, which a legend explains."""
    return all(len(label) < 3 and not HAN.search(label) for label in own.labels)


def _follows(first: SourceLine, line: SourceLine) -> bool:
    if form_of(first) != form_of(line) or (split_space(first.text) is None) != (
        split_space(line.text) is None
    ):
        return False
    if first.mark is None or line.mark is None or not first.mark.value:
        return True
    return first.mark.value < line.mark.value


def is_counted_on(lines: Sequence[SourceLine], run: Sequence[int], line: SourceLine) -> bool:
    """Whether a line has a later number or letter than the last item of a run, in the same form."""
    return line.mark is not None and line.mark.value != () and _follows(_first_of(lines, run), line)


def _continues(above: SourceLine, line: SourceLine) -> bool:
    """Whether a line continues an item; it is joined then."""
    is_free = line.mark_shape in ("", "indent")
    if not (is_free and not line.role and not line.has_gap and line.begins_small and form_of(above)):
        return False
    return not ends_sentence(above.text) and not asks(above.text)


def is_counted(line: SourceLine) -> bool:
    """Return whether a number is in front of a line."""
    return line.mark is not None and line.mark.is_number
