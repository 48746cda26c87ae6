"""Propose the sums of points that devices can add up, to send only the level that a sum reaches.

Points and levels come from the text, never from the name of an instrument. What does not fit is noted, and
nothing is guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from math import gcd
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.survey.composite_parts import MOST_COMPONENTS
from surveys.formats.joints import list_text, series_text, short_text
from surveys.imports.drafts.answer_codes import CODES_LEFT
from surveys.imports.drafts.protection import protect_question
from surveys.imports.drafts.questionnaire import (
    IMPORTED_KINDS,
    LOST,
    SEVERAL,
    WRONG,
    Question,
    Questionnaire,
    Score,
    labels_of,
    points_of,
    text_of,
)
from surveys.imports.lines.source_lines import SCORING, SourceLine
from surveys.imports.scores.answer_keys import key_in, yes_points
from surveys.imports.scores.doubled_items import double_named
from surveys.imports.scores.gap_rules import AS_MEAN, GAPS_UNREAD, gap_rule, says_gaps, without_gaps
from surveys.imports.scores.group_limits import differ_by_group
from surveys.imports.scores.item_marks import note_marks
from surveys.imports.scores.item_names import ItemNames
from surveys.imports.scores.item_points import groups_of, without_points
from surveys.imports.scores.legend_rules import with_shared_rules
from surveys.imports.scores.named_answers import is_contradictory, points_by_name, without_key, yes_and_no
from surveys.imports.scores.reversals import (
    POINTS_UNREAD,
    TURNED,
    has_points,
    is_falling,
    reverse_marked,
    reverse_named,
)
from surveys.imports.scores.score_levels import FROM_LEAST, ends_in, levels_in, spans_in, with_steps
from surveys.imports.scores.scored_questions import (
    LEAST_ITEMS,
    count_of,
    counted_numbers,
    ends_of,
    scored_questions,
)
from surveys.imports.scores.stated_points import named_key
from surveys.imports.scores.ticks import score_ticks
from surveys.imports.scores.unread_rules import NO_LEVELS, note_unread
from surveys.imports.scores.unscored_answers import leave_codes, unscored_text
from surveys.imports.words.cues import ABOUT_SCORE, EXCEPTS, REVERSED
from surveys.imports.words.patterns import SPACE_TO_WRITE, STATEMENTS
from surveys.questionnaire.sensitive import without_questions

_DECIMAL: Final = re.compile(r"(?<![\d.,])\d[.,]\d{1,2}(?![\d.,])")
_LONGEST_QUOTED: Final = 50
_NEAR: Final = 2
"""Distance of lines that belong together: a blank one may be between."""


class _Rule:
    """Scoring lines that follow each other, and what they say.

    Parameters
    ----------
    lines : list of SourceLine
    """

    def __init__(self, lines: list[SourceLine]) -> None:
        self.lines = lines
        self.line = lines[0].number
        self.text, self.gaps = without_gaps("\n".join(line.text.strip() for line in lines))
        """Their text without its sentences on missing answers, and these sentences."""
        self.questions: list[Question] = []
        """The questions whose points it adds up."""
        self.names = ItemNames([], [])
        """The names of these questions, or of those below the rule."""
        self.n_averaged = 0
        """Number of items whose mean the levels are about; 0 if they are about the sum."""
        self.is_keyed = False
        """Whether it says in which items *no* scores, or how much each *yes* scores."""

    @property
    def levels(self) -> list[tuple[int | None, str]]:
        """The levels that it states."""
        return levels_in(self.text, self.n_averaged)

    @property
    def is_reversing(self) -> bool:
        """Whether it speaks of reversed items."""
        return any(REVERSED.search(line.text) or is_falling(line.text, self.questions) for line in self.lines)


def propose_scores(survey: Questionnaire, source: Sequence[SourceLine]) -> None:
    """Add to a questionnaire the scores that its scoring lines describe; note those that do not fit.

    Parameters
    ----------
    survey : Questionnaire
        Its questions have their kinds and points.
    source : sequence of SourceLine
        All lines, with their roles.
    """
    source = with_shared_rules(source)
    rules = [_Rule(block) for block in _blocks(line for line in source if line.role == SCORING)]
    score_ticks(survey, [rule.text for rule in rules])
    if rules:
        leave_codes(survey.questions)
    turned, signs = reverse_marked(survey, source)
    turned |= {question.line for question in survey.questions if TURNED in question.flags}
    last = max((at for at, rule in enumerate(rules) if rule.levels), default=0)
    for at, rule in enumerate(rules):
        _use_keys(survey, rule, source)
        _find_questions(survey, rule, turned, source, is_last=at >= last)
        turned |= _set_points(survey, rule, turned, signs, source)
        double_named(survey, rule.names, rule.lines)
        if (step := gcd(*(points for each in rule.questions for points in points_of(each)))) > 1:
            rule.text = with_steps(rule.text, step)
        rule.n_averaged = len(rule.questions) if _is_mean(rule.text, rule.questions) else 0
        _settle(survey, rule, source)
    _use_gaps(survey, rules)
    _drop_needless_notes(survey, rules, source)
    if not turned and any(rule.is_reversing for rule in rules):
        _note_unreversed(survey)
    else:
        note_marks(survey, turned, source)
    _say_scores(survey, turned)


def _find_questions(
    survey: Questionnaire, rule: _Rule, turned: Set[int], source: Sequence[SourceLine], *, is_last: bool
) -> None:
    """Find the questions that a rule adds up, and the names by which it may call them."""
    rule.questions = scored_questions(survey, rule.lines, rule.text, turned, source, is_last=is_last)
    if not rule.questions and rule.levels:
        rule.questions = counted_numbers(survey, rule.line)
    # Instructions above the items may say which of them are reversed, or which answers score.
    end = rule.lines[-1].number
    below = [each for each in survey.questions if each.line > end and has_points(each)]
    rule.names = ItemNames(rule.questions or below, source)


def _set_points(
    survey: Questionnaire, rule: _Rule, turned: Set[int], signs: Set[str], source: Sequence[SourceLine]
) -> set[int]:
    """Give answers the points that a rule states for items that it names; return the reversed items."""
    found: set[int] = set()
    if rule.is_reversing:
        found |= reverse_named(survey, rule.names, turned, signs, rule.lines, source)
    if rule.is_keyed or not _are_plain_yes_no(rule.names.questions):
        return found
    text = rule.names.with_numbers("\n".join(line.text for line in rule.lines))
    stated = points_by_name(text, yes_and_no, 2, rule.names.by_number) or {
        number: (0, own) for number, own in yes_points(text, rule.names.by_number).items()
    }
    is_for_all = len({*stated.values()}) == 1
    for number, points in stated.items():
        question = rule.names.by_number[number]
        is_turned = question.line in turned | found if is_for_all else points[0] > points[1]
        question.points = sorted(points, reverse=is_turned)
        found |= {question.line} if is_turned else set()
    rule.is_keyed = bool(stated)
    is_unread = key_in(text, is_rule=True) is not None or is_contradictory(text, yes_and_no)
    if not stated and not REVERSED.search(text) and is_unread:
        survey.note(
            rule.line,
            _("this line says which answers score points, but it does not match the questions"),
            _("check which answers score points, and set the points in the builder"),
            effect=WRONG,
            cause=POINTS_UNREAD,
        )
    return found


def _use_keys(survey: Questionnaire, rule: _Rule, source: Sequence[SourceLine]) -> None:
    """Leave out of a rule what says which answers score; its numbers are no limits of levels."""
    names = ItemNames(survey.questions, source)
    for questions in groups_of(survey.questions).values():
        if key := named_key(rule.text, questions, source, names):
            rule.text = without_key(rule.text, key[1])
            rule.is_keyed = True


def _are_plain_yes_no(questions: Sequence[Question]) -> bool:
    """Return whether one of yes and no scores a point in all questions, and the other nothing."""
    return all(
        each.is_asked and IMPORTED_KINDS[each.kind].is_yes_or_no and sorted(points_of(each)) == [0, 1]
        for each in questions
    )


def _settle(survey: Questionnaire, rule: _Rule, source: Sequence[SourceLine]) -> None:
    """Propose the score of a rule; note what it says that is not used."""
    n_before = len(survey.notes)
    levels = rule.levels
    if len(levels) == len("ab") and rule.questions and (levels[1][0] or 0) > ends_of(rule.questions)[1]:
        # The largest sum, or one that no answers reach, begins no level.
        levels = [] if ends_in(rule.text, rule.n_averaged) is None and levels[0][1] else levels
    if differ_by_group(rule.text):
        survey.note(
            rule.line,
            _("the cut-offs in this line differ between groups of people, but a score has the same for all"),
            _("choose one of them: use “One answer” in the builder"),
            effect=WRONG,
        )
    elif levels:
        _propose(survey, rule, levels)
    elif _says_more(rule):
        # An exception concerns some items only.
        is_excepting = EXCEPTS.search(rule.text) is not None
        cause = POINTS_UNREAD if is_excepting else NO_LEVELS
        survey.note(
            rule.line,
            _("this line is about the score, and is not an answer"),
            _("to send one answer, use “One answer” in the builder: points, and where each level starts"),
            effect=LOST,
            cause=cause if count_of(rule.questions) >= LEAST_ITEMS else "",
        )
    if all(note.cause == NO_LEVELS for note in survey.notes[n_before:]):
        sums = _sums(rule.questions, levels)
        is_keyed, count = rule.is_keyed, rule.n_averaged
        note_unread(survey, rule.lines, rule.names, source, sums, is_keyed=is_keyed, count=count)


def _says_more(rule: _Rule) -> bool:
    """Return whether a rule without levels says more than which items are reversed, or how gaps count."""
    if rule.gaps and not rule.text.strip():
        return False
    return any(said.strip() and not REVERSED.search(said) for said in STATEMENTS.split(rule.text))


def _drop_needless_notes(survey: Questionnaire, rules: Iterable[_Rule], source: Sequence[SourceLine]) -> None:
    """Drop notes on rules without levels whose points a score uses, and on codes that are its points."""
    scored = {line for score in survey.scores for line in score.questions}
    used = {
        rule.line
        for rule in rules
        if {question.line for question in rule.questions} <= scored
        and (rule.is_keyed or all(_is_used(line, rule.names, source) for line in rule.lines))
    }
    survey.notes = [
        note
        for note in survey.notes
        if not (note.cause == NO_LEVELS and note.line in used)
        and not (note.cause == CODES_LEFT and note.line in scored)
    ]


def _is_used(line: SourceLine, names: ItemNames, source: Sequence[SourceLine]) -> bool:
    """Return whether all that a line of a rule states are points, reversed items, or the place of a sum."""
    rest = without_points(line.text, names, source)
    if rest != line.text and not any(map(str.isdecimal, rest)):
        return True
    return all(
        REVERSED.search(said)
        or (ABOUT_SCORE.match(said.strip()) and SPACE_TO_WRITE.search(said))
        or without_points(said, names, source) != said
        for said in STATEMENTS.split(line.text)
        if said
    )


def _note_unreversed(survey: Questionnaire) -> None:
    """Ask for the points of each item if a rule speaks of reversed items, but none of them is reversed."""
    own = [each for each in survey.questions if has_points(each)]
    orders = {(labels_of(each), tuple(points_of(each))) for each in own}
    if any((labels, points[::-1]) in orders for labels, points in orders if points != points[::-1]):
        # The text prints reversed points.
        return
    for question in own:
        survey.note(
            question.line,
            _("the scoring rule speaks of reversed items, but no item is reversed here"),
            _("check which items are reversed, and set their points in the builder"),
            effect=WRONG,
            cause=POINTS_UNREAD,
        )


def _is_mean(text: str, questions: Sequence[Question]) -> bool:
    """Return whether a rule is about the mean of points: its limits are not above the points of an answer."""
    most = max((point for question in questions for point in points_of(question)), default=0)
    limits = [each for span in spans_in(text, 1) if not span.is_weak for each in (span.low, span.high or 0)]
    has_cue = AS_MEAN.search(text) is not None or _DECIMAL.search(text) is not None
    return has_cue and len(questions) > 1 and bool(limits) and max(limits) <= most


def _sums(questions: Sequence[Question], levels: Sequence[tuple[int | None, str]]) -> set[int]:
    """Return the sums that a rule may name: the least, the largest, and the limits of its levels."""
    starts = {start for start, _label in levels if start is not None}
    # A level may end with the largest sum that answers reach: 4, if all points are even, and the next is 6.
    step = max(gcd(*(points for each in questions for points in points_of(each))), 1)
    return {
        *ends_of(questions),
        *starts,
        *(start - 1 for start in starts),
        *(start - step for start in starts),
    }


def _use_gaps(survey: Questionnaire, rules: Iterable[_Rule]) -> None:
    """Add rules about missing answers to the scores next to them; note those that are not understood."""
    for rule in rules:
        is_about_score = bool(rule.levels) or rule.is_keyed or not rule.text.strip()
        if rule.gaps and is_about_score and not _add_gaps(survey, rule):
            survey.note(
                rule.line,
                _("the rule about missing answers in this line is left out"),
                _("if you send one answer, state in the builder how many may be missing, and how they count"),
                effect=WRONG,
                cause=GAPS_UNREAD,
            )


def _add_gaps(survey: Questionnaire, rule: _Rule) -> bool:
    """Add a rule about missing answers to the score next to it; return whether it was understood."""
    score = survey.score_near(rule.line)
    if score is None:
        return False
    chosen = [each for each in survey.questions if each.line in score.questions]
    is_list = all(not each.options or each.kind == SEVERAL for each in chosen)
    usual, other = ("no_points", "mean") if is_list else ("mean", "no_points")
    count = count_of(chosen)
    # A part of the rule may be in the sentence before it, such as the last level without a full stop.
    stated = None if any(map(says_gaps, rule.text.split("\n"))) else gap_rule(rule.gaps, count, usual=usual)
    is_whole = stated == gap_rule(rule.gaps, count, usual=other)
    score.gaps = "unread" if stated is None else "whole" if is_whole else "limit"
    score.rule |= {} if stated is None else {"missing": stated}
    return stated is not None


def _blocks(lines: Iterable[SourceLine]) -> list[list[SourceLine]]:
    """Group scoring lines that follow each other."""
    found: list[list[SourceLine]] = []
    for line in lines:
        if found and line.number - found[-1][-1].number <= _NEAR:
            found[-1].append(line)
        else:
            found.append([line])
    return found


def _propose(survey: Questionnaire, rule: _Rule, levels: list[tuple[int | None, str]]) -> None:
    """Add the score of a rule with these levels; note why it does not fit the points of the questions."""
    ends = ends_in(rule.text, rule.n_averaged)
    low, high = ends_of(rule.questions)
    if count_of(rule.questions) < LEAST_ITEMS:
        survey.note(
            rule.line,
            _("this score cannot be computed: fewer than two questions above it have answers with points"),
            _(
                "write the points in front of each answer, such as (0) Never; above a table of numbers, "
                "write the words for them in one line"
            ),
            effect=WRONG,
        )
        return
    if ends and ends[0] == FROM_LEAST and levels[1:] and levels[1][0] == low:
        # The text states the least sum alone.
        levels = [(None, levels[1][1]), *levels[2:]]
    is_whole = ends is None or (ends[0] in (low, FROM_LEAST) and ends[1] in (high, None))
    if ends and _lacks_first(ends, levels, rule.questions):
        levels = [(None, f"{low}–{ends[0] - 1}"), (ends[0], levels[0][1]), *levels[1:]]
        is_whole = True
        survey.note(
            rule.line,
            _("the text names no level for sums from %(low)s to %(high)s")
            % {"low": low, "high": ends[0] - 1},
            _("check that no question is missing, and that the points and the levels are right"),
            effect=WRONG,
        )
    starts = [start for start, _label in levels if start is not None]
    if not is_whole or not all(low < start <= high for start in starts):
        stated = _stated_ends(ends) if ends else list_text(map(str, starts))
        survey.note(
            rule.line,
            _(
                "this score does not fit: it states %(stated)s, but the points of the %(count)s questions "
                "above it add up to %(low)s to %(high)s"
            )
            % {"count": count_of(rule.questions), "low": low, "high": high, "stated": stated},
            _("check that no question is missing, and that the points and the levels are right"),
            effect=WRONG,
        )
        return
    lines = [question.line for question in rule.questions]
    survey.scores.append(Score(line=rule.line, questions=lines, levels=levels))


def _stated_ends(ends: tuple[int, int | None]) -> str:
    """Return the least and the largest sum that a text states, as a range."""
    return f"{max(ends[0], 0)}–{'' if ends[1] is None else ends[1]}"


def _lacks_first(
    ends: tuple[int, int | None], levels: Sequence[tuple[int | None, str]], questions: Sequence[Question]
) -> bool:
    """Return whether the text names no level for the least sums."""
    low, high = ends_of(questions)
    is_begun = len(levels) > 1 and levels[0][0] is None
    return is_begun and ends[1] in (high, None) and _leaves_least(ends[0], len(questions), low)


def _leaves_least(start: int, count: int, low: int) -> bool:
    """Return whether levels begin above the least sum, and no other points of answers explain it.

    If only the least sum has no level, a point is more likely misread.
    """
    return start > low + 1 and (start - low) % count != 0


def _say_scores(survey: Questionnaire, turned: Set[int]) -> None:
    """Ask about each score whether its level is sent alone; say which items are reversed."""
    asked = {note.line for note in survey.notes if note.asks == "score"}
    for score in survey.scores:
        score.turned = sorted(turned & {*score.questions})
        if score.line in asked:
            continue
        survey.note(
            score.line,
            score_sentence(survey, score, turned),
            _("check the licence of this instrument"),
            asks="score",
            target=min(score.questions),
        )


def score_sentence(survey: Questionnaire, score: Score, turned: Set[int]) -> str:
    """Return what devices can send for a score, which items are reversed, and how missing answers count.

    Parameters
    ----------
    survey : Questionnaire
    score : Score
    turned : set of int
        Lines of reversed items.
    """
    chosen = [question for question in survey.questions if question.line in score.questions]
    low, high = ends_of(chosen)
    said = _(
        "devices can add up the points of %(count)s questions (%(low)s to %(high)s) and send one answer "
        "instead: %(levels)s"
    ) % {
        "count": count_of(chosen),
        "low": low,
        "high": high,
        "levels": levels_text(score.levels),
    }
    texts = [text_of(each) for each in chosen if each.line in turned]
    items = [f"“{short_text(text, _LONGEST_QUOTED)}”" for text in texts]
    turned_said = _("reversed: %(items)s") % {"items": list_text(items)} if items else ""
    gaps = _gaps_text(score.rule.get("missing"))
    return series_text(filter(None, (said, turned_said, gaps, unscored_text(survey, score))))


def _gaps_text(missing: Mapping[str, Any] | None) -> str:
    """Describe how a stated rule treats missing answers; empty without a rule."""
    if missing is None:
        return ""
    if not missing["at_most"]:
        return _("no answer may be missing")
    if missing["as"] == "mean":
        said = ngettext(
            "%(count)s missing answer counts as the mean of the others",
            "up to %(count)s missing answers count as the mean of the others",
            missing["at_most"],
        )
    else:
        said = ngettext(
            "%(count)s missing answer counts as no points",
            "up to %(count)s missing answers count as no points",
            missing["at_most"],
        )
    return said % {"count": missing["at_most"]}


def levels_text(levels: Sequence[tuple[int | None, str]]) -> str:
    """Return the levels in words.

    Examples
    --------
    >>> levels_text([(None, "low"), (5, "high")]), levels_text([(None, ""), (10, "")])
    ('low, high from 5', 'yes from 10')
    """
    named = [
        (_("%(level)s from %(start)s") if start is not None else "%(level)s")
        % {"level": label or _("yes"), "start": start}
        for start, label in levels
        if label or start is not None
    ]
    return list_text(named)


def use_score(survey: Questionnaire, line: int, *, is_used: bool) -> None:
    """Send the score of a line as one answer, with its questions protected, or send each answer.

    Parameters
    ----------
    survey : Questionnaire
    line : int
        Line of the score.
    is_used : bool
    """
    for score in survey.scores:
        if score.line == line:
            score.is_used = is_used
            if is_used:
                chosen = [each for each in survey.questions if each.line in score.questions]
                for question in chosen:
                    if not question.is_protected:
                        protect_question(survey, question)
                _ask_together(survey, chosen)


def _ask_together(survey: Questionnaire, questions: Sequence[Question]) -> None:
    """Move questions behind the first of them, because one answer is computed from one part."""
    others = questions[1:]
    for part in survey.parts:
        part.questions = [each for each in part.questions if all(each is not other for other in others)]
        for place, question in enumerate(part.questions):
            if question is questions[0]:
                part.questions[place + 1 : place + 1] = others
                break


def hindrance(survey: Questionnaire, score: Score) -> str:
    """Return why a score cannot be one answer, now that the other points are settled; empty if it can.

    Parameters
    ----------
    survey : Questionnaire
    score : Score
        One that is used.
    """
    chosen = [question for question in survey.questions if question.line in score.questions]
    if len(chosen) < len(score.questions):
        return _("One of its questions is left out. Keep it, or send each answer.")
    if (count := len(score.rule.get("points") or ()) or count_of(chosen)) > MOST_COMPONENTS:
        return _(
            "One answer can combine at most %(most)s questions, but this score has %(count)s. "
            "Send each answer."
        ) % {
            "most": MOST_COMPONENTS,
            "count": count,
        }
    if any(other is not score and shares_questions(other, score) for other in survey.scores if other.is_used):
        return _("Another answer is computed from the same questions. Choose one of the two.")
    hidden = {key for key, question in survey.by_key.items() if question.is_protected}
    if len({json.dumps(without_questions(each.condition, hidden)) for each in chosen}) > 1:
        return _("Its questions are asked of different people. Send each answer.")
    return ""


def shares_questions(one: Score, other: Score) -> bool:
    """Return whether two scores use the same question."""
    return not {*one.questions}.isdisjoint(other.questions)
