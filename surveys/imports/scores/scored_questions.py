"""Which questions a scoring rule adds up: those that it names, or a scale, also over several parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Final

from surveys.imports.drafts.questionnaire import (
    SEVERAL,
    Question,
    Questionnaire,
    extremes_of,
    labels_of,
    ticked_options,
)
from surveys.imports.lines.source_lines import SourceLine
from surveys.imports.scores.answer_keys import key_in
from surveys.imports.scores.item_names import SPAN, ItemNames, printed_numbers
from surveys.imports.scores.reversals import has_points, unknown_names, without_reversal
from surveys.imports.scores.score_levels import FROM_LEAST, ends_in, levels_in
from surveys.imports.words.cues import pattern_of
from surveys.imports.words.patterns import POINTS, STATEMENTS
from surveys.imports.words.runs import repeats
from surveys.questionnaire.component_questions import NUMBER

_ITEMS: Final = pattern_of("item-number", behind=rf"\s?{SPAN}(?!\d|\s?{POINTS})")
"""The items that are added up, as a range."""
LEAST_ITEMS: Final = 2
"""Fewest questions whose points a rule adds up."""
_MOST_STEPS: Final = 100


def scored_questions(
    survey: Questionnaire,
    block: Sequence[SourceLine],
    text: str,
    turned: Set[int],
    source: Sequence[SourceLine],
    *,
    is_last: bool,
) -> list[Question]:
    """Return the questions whose points a rule adds up; empty if no questions have points.

    They are those that the rule names, else those of the nearest part. If their sums do not fit the levels,
    or the rule names items of other parts, they are those of all parts with the same answers.

    Parameters
    ----------
    survey : Questionnaire
        Its questions have their kinds and points.
    block : sequence of SourceLine
        The lines of the rule.
    text : str
        The rule without its statements on missing answers.
    turned : set of int
        Lines of the items that are already reversed.
    source : sequence of SourceLine
        All lines.
    is_last : bool
        Whether no rule below it states levels.
    """
    if named := _named_items(text, survey, source):
        return named
    line = block[0].number
    found = [*_candidates(survey, line, turned)]
    if len(found) > 1:
        ends, levels = ends_in(text), levels_in(text)
        scales = [each for each in found if _fits(each, ends, levels)] or found[:1]
        whole = [each for each in scales if _is_one_scale(each, source)]
        if levels and (ends is None or ends[1] is None or ends[0] == FROM_LEAST) and is_last and whole:
            # Levels without ends may be those of all parts.
            scales = whole[-1:]
        known = (each for each in scales if not _unknown_numbers(block, each, source))
        found = [next(known, scales[0])]
    return next(iter(found), []) or _keyed_questions(survey, line)


def _candidates(survey: Questionnaire, line: int, turned: Set[int]) -> Iterator[list[Question]]:
    """Yield the scale of the nearest part, and those of all parts above a line and of all parts if larger."""
    used = {used for score in survey.scores for used in score.questions}
    free = [each for each in survey.questions if has_points(each) and each.line not in used]
    nearest = _nearest_scale(survey, line, turned)
    yield nearest
    above = _last_scale([each for each in free if each.line < line], turned)
    whole = _last_scale(free, turned)
    if nearest and len(nearest) < len(above):
        yield above
    if len(max(nearest, above, key=len)) < len(whole):
        yield whole


def _fits(
    questions: Sequence[Question],
    ends: tuple[int, int | None] | None,
    levels: Sequence[tuple[int | None, str]],
) -> bool:
    """Return whether the sums of the points of questions have the stated ends, and contain all limits."""
    low, high = ends_of(questions)
    is_whole = ends is None or (ends[0] in (low, FROM_LEAST) and ends[1] in (high, None))
    return is_whole and all(low < start <= high for start, _label in levels if start is not None)


def ends_of(questions: Sequence[Question]) -> tuple[int, int]:
    """Return the least and the largest sum of the points of questions."""
    own = [extremes_of(question) for question in questions]
    return sum(low for low, _high in own), sum(high for _low, high in own)


def count_of(questions: Sequence[Question]) -> int:
    """Return how many items are added up: each answer of a list is one."""
    return sum(len(ticked_options(each)) if each.kind == SEVERAL else 1 for each in questions)


def _is_one_scale(questions: Sequence[Question], source: Sequence[SourceLine]) -> bool:
    """Return whether questions have the same answers, and no printed number occurs twice."""
    numbers = printed_numbers(questions, source)
    return len({labels_of(each) for each in questions}) == 1 and not repeats(numbers)


def _unknown_numbers(
    block: Sequence[SourceLine], questions: Sequence[Question], source: Sequence[SourceLine]
) -> bool:
    """Return whether a rule names items that are not among these questions."""
    names = ItemNames(questions, source)
    key = key_in(names.with_numbers("\n".join(line.text for line in block)), is_rule=True)
    named = {number for numbers in key or () for number in numbers} - {0}
    return bool(named - names.by_number.keys() or unknown_names(block, names, source))


def _named_items(text: str, survey: Questionnaire, source: Sequence[SourceLine]) -> list[Question]:
    """Return the questions in a rule's ranges of printed numbers if all have points; otherwise none."""
    found = {}
    for question in survey.questions:
        for number in printed_numbers([question], source) if has_points(question) else ():
            found[number] = question
    named = [
        [*range(int(match["low"]), int(match["high"]) + 1)]
        for said in STATEMENTS.split(text)
        for match in (_ITEMS.finditer(without_reversal(said)) if said else ())
    ]
    apart = [number for numbers in named for number in numbers]
    # The ranges of the parts: "A = items 1 to 3, B = items 4 to 6".
    wanted = apart if not repeats(apart) else named[0]
    chosen = [found[number] for number in wanted if number in found]
    return chosen if len(chosen) == len(wanted) >= LEAST_ITEMS else []


def _nearest_scale(survey: Questionnaire, line: int, turned: Set[int]) -> list[Question]:
    """Return the questions whose points a line adds up: those above it in the nearest part with points.

    If there are none, they are those below the line in its part.
    """
    parts: list[list[Question]] = []
    for part in survey.parts:
        # A part without a heading continues the one above.
        if parts and not part.texts:
            parts[-1] = [*parts[-1], *part.questions]
        elif part.questions:
            parts.append([*part.questions])
    own = [questions for questions in parts if questions[0].line < line] or parts
    if not own:
        return []
    used = {used for score in survey.scores for used in score.questions}
    for questions in reversed(own):
        free = [each for each in questions if each.line < line and has_points(each) and each.line not in used]
        above = _last_scale(free, turned)
        if count_of(above) >= LEAST_ITEMS:
            return above
    return [each for each in own[-1] if each.line > line and has_points(each)]


def _keyed_questions(survey: Questionnaire, line: int) -> list[Question]:
    """Return the questions above a line that have the same two answers without points, up to another one."""
    found: list[Question] = []
    for question in reversed([each for each in survey.questions if each.line < line]):
        labels = [option.texts for option in question.options]
        is_bare = question.is_asked and all(option.points is None for option in question.options)
        if len(labels) != 2 or not is_bare or (found and labels != [each.texts for each in found[0].options]):
            break
        found.insert(0, question)
    return found if len(found) >= LEAST_ITEMS else []


def _last_scale(questions: Sequence[Question], turned: Set[int]) -> list[Question]:
    """Return the questions whose answers state points; if there are few, all: yes and no count 1 and 0."""
    stated = [each for each in questions if each.options or (each.points and each.line not in turned)]
    if len(stated) < LEAST_ITEMS:
        return [*questions]
    return [each for each in questions if each in stated or each.line in turned]


def counted_numbers(survey: Questionnaire, line: int) -> list[Question]:
    """Return the questions above a rule that ask for a number, and count this number as their points.

    They have the same range, and there are at least two.

    Parameters
    ----------
    survey : Questionnaire
    line : int
        Line of the rule.
    """
    found = [each for each in survey.questions if each.line < line and NUMBER in each.own]
    ranges = {(each.own[NUMBER].get("low"), each.own[NUMBER].get("high")) for each in found}
    low, high = ranges.pop() if len(ranges) == 1 else (None, None)
    if len(found) < LEAST_ITEMS or low is None or high is None or not 0 <= low < high <= low + _MOST_STEPS:
        return []
    for question in found:
        question.points = [*range(low, high + 1)]
    return found
