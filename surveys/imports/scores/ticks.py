"""Points of lists in which each tick counts: *one point for every box ticked*."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from surveys.imports.drafts.answer_codes import without_codes
from surveys.imports.drafts.questionnaire import SEVERAL, Questionnaire, labels_of, ticked_options
from surveys.imports.lines.source_lines import SCORING, SourceLine
from surveys.imports.scores.answer_keys import counts_ticks, names_ticks
from surveys.imports.scores.reversals import has_points
from surveys.imports.scores.score_levels import FROM_LEAST, ends_in


def allow_ticks(survey: Questionnaire, source: Sequence[SourceLine]) -> None:
    """Allow several answers to lists with boxes if a scoring rule adds up their ticks.

    Parameters
    ----------
    survey : Questionnaire
        Its questions have their answers, but no kinds.
    source : sequence of SourceLine
        All lines, with their roles.
    """
    rules = [line.text for line in source if line.role == SCORING]
    are_counted = any(counts_ticks(rule) or names_ticks(rule) for rule in rules)
    ends = {ends_in(rule) for rule in rules}
    questions = survey.questions
    known = Counter(map(labels_of, questions))
    for question in questions:
        is_list = len(question.options) > 2 and bool(question.flags & {"square", "round"})
        is_shared = known[labels_of(question)] > 1
        if is_list and len(questions) == 1:
            without_codes(question, survey)
        most = sum(option.points or 0 for option in question.options)
        is_sum = len(questions) == 1 and not ends.isdisjoint({(0, most), (FROM_LEAST, most)})
        if is_list and not is_shared and (are_counted or is_sum):
            question.flags |= {SEVERAL}


def score_ticks(survey: Questionnaire, rules: Sequence[str]) -> None:
    """Give each answer of lists a point if a rule counts ticks, or if its levels fit their number.

    Parameters
    ----------
    survey : Questionnaire
        Its questions have their kinds and points.
    rules : sequence of str
        The scoring rules of the text.
    """
    lists = [
        question
        for question in survey.questions
        if question.kind == SEVERAL and all(option.points is None for option in question.options)
    ]
    are_alone = not any(has_points(each) for each in survey.questions)
    count = sum(len(ticked_options(each)) for each in lists)
    are_meant = (names_ticks(rule) or ends_in(rule) in ((0, count), (FROM_LEAST, count)) for rule in rules)
    are_counted = any(map(counts_ticks, rules)) or (are_alone and any(are_meant))
    for question in lists if are_counted else ():
        ticked = {number for number, _option in ticked_options(question)}
        for number, option in enumerate(question.options, start=1):
            option.points = int(number in ticked)
