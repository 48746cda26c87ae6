"""Propose the sums of points that devices can add up, to send only the level that a sum reaches.

Points and levels come from the text, never from the name of an instrument. What does not fit is noted, and
nothing is guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from privacy.survey.composite_parts import MOST_COMPONENTS
from surveys.formats.joints import list_text, series_text
from surveys.imports.drafts.answer_codes import CODES_LEFT
from surveys.imports.drafts.protection import protect_question
from surveys.imports.drafts.questionnaire import (
    LOST,
    WRONG,
    Question,
    Questionnaire,
    Score,
    labels_of,
    points_of,
    text_of,
)
from surveys.imports.lines.source_lines import SCORING, SourceLine
from surveys.imports.scores.answer_keys import key_in
from surveys.imports.scores.gap_rules import AS_MEAN, GAPS_UNREAD, gap_rule, without_gaps
from surveys.imports.scores.item_names import ItemNames
from surveys.imports.scores.item_points import without_points
from surveys.imports.scores.reversals import (
    POINTS_UNREAD,
    TURNED,
    has_points,
    reverse,
    reverse_marked,
    reverse_named,
)
from surveys.imports.scores.score_levels import FROM_LEAST, ends_in, levels_in, spans_in
from surveys.imports.scores.scored_questions import LEAST_ITEMS, counted_numbers, scored_questions
from surveys.imports.scores.unread_rules import NO_LEVELS, note_unread
from surveys.imports.words.cues import ABOUT_SCORE, EXCEPTS, REVERSED
from surveys.imports.words.patterns import SPACE_TO_WRITE, STATEMENTS
from surveys.questionnaire.sensitive import without_questions
from surveys.questionnaire.use_words import short_text

_DECIMAL: Final = re.compile(r"(?<![\d.,])\d[.,]\d{1,2}(?![\d.,])")
_LONGEST_QUOTED: Final = 50
_NEAR: Final = 2
"""Distance of lines that belong together: a blank one may be between."""


def propose_scores(survey: Questionnaire, source: Sequence[SourceLine]) -> None:
    """Add to a questionnaire the scores that its scoring lines describe; note those that do not fit.

    Parameters
    ----------
    survey : Questionnaire
        Its questions have their kinds and points.
    source : sequence of SourceLine
        All lines, with their roles.
    """
    lines = [line for line in source if line.role == SCORING]
    blocks = _blocks(lines)
    unread: list[tuple[int, str]] = []
    used: dict[int, set[int]] = {}
    turned, signs = reverse_marked(survey, source)
    turned |= {question.line for question in survey.questions if TURNED in question.flags}
    rules = [without_gaps("\n".join(line.text.strip() for line in block)) for block in blocks]
    last = max((at for at, (text, _gaps) in enumerate(rules) if levels_in(text)), default=0)
    for at, (block, (text, gaps)) in enumerate(zip(blocks, rules, strict=True)):
        questions = scored_questions(survey, block, text, turned, source, is_last=at >= last)
        if not questions and levels_in(text):
            questions = counted_numbers(survey, block[0].number)
        is_reversing = any(REVERSED.search(line.text) for line in block)
        # Instructions above the items may say which of them are reversed, or which answers score.
        below = [each for each in survey.questions if each.line > block[-1].number and has_points(each)]
        names = ItemNames(questions or below, source)
        if is_reversing:
            turned |= reverse_named(survey, names, turned, signs, block, source)
        on_key = _reverse_by_key(survey, names, turned, block)
        turned |= on_key
        count = len(questions) if _is_mean(text, questions) else 0
        levels = levels_in(text, count)
        n_before = len(survey.notes)
        if levels:
            _propose(survey, block[0].number, questions, levels, ends_in(text, count))
            unread += [(block[0].number, gaps)] if gaps else []
        elif gaps and not text.strip():
            unread.append((block[0].number, gaps))
        elif any(said.strip() and not REVERSED.search(said) for said in STATEMENTS.split(text)):
            survey.note(
                block[0].number,
                _("this line is about the score, and is not an answer"),
                _("to send one answer, use “One answer” in the builder: points, and where each level starts"),
                effect=LOST,
                cause=""
                if len(questions) < LEAST_ITEMS
                # An exception concerns some items only.
                else POINTS_UNREAD
                if EXCEPTS.search(text)
                else NO_LEVELS,
            )
        if on_key or all(_is_used(line, names, source) for line in block):
            used[block[0].number] = {question.line for question in questions}
        if all(note.cause == NO_LEVELS for note in survey.notes[n_before:]):
            note_unread(
                survey, block, names, source, _sums(questions, levels), is_keyed=bool(on_key), count=count
            )
    for line, gaps in unread:
        _use_gaps(survey, line, gaps)
    scored = {line for score in survey.scores for line in score.questions}
    survey.notes = [
        note
        for note in survey.notes
        if note.cause != NO_LEVELS or note.line not in used or not used[note.line] <= scored
    ]
    if not turned and any(map(REVERSED.search, (line.text for line in lines))):
        _note_unreversed(survey)
    survey.notes = [note for note in survey.notes if note.cause != CODES_LEFT or note.line not in scored]
    _say_scores(survey, turned)


def _is_used(line: SourceLine, names: ItemNames, source: Sequence[SourceLine]) -> bool:
    """Return whether all that a line of a rule states are points, reversed items, or the place of a sum."""
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
    limits = [each for span in spans_in(text, 1) for each in (span.low, span.high or 0)]
    has_cue = AS_MEAN.search(text) is not None or _DECIMAL.search(text) is not None
    return has_cue and len(questions) > 1 and bool(limits) and max(limits) <= most


def _sums(questions: Sequence[Question], levels: Sequence[tuple[int | None, str]]) -> set[int]:
    """Return the sums that a rule may name: the least, the largest, and the limits of its levels."""
    own = [points_of(question) for question in questions]
    starts = {start for start, _label in levels if start is not None}
    return {sum(map(min, own)), sum(map(max, own)), *starts, *(start - 1 for start in starts)}


def _use_gaps(survey: Questionnaire, line: int, gaps: str) -> None:
    """Add a rule about missing answers to the score next to it; note a rule that is not understood."""
    score = survey.score_near(line)
    chosen = [each for each in survey.questions if score and each.line in score.questions]
    usual = "mean" if any(each.options for each in chosen) else "no_points"
    rule = gap_rule(gaps, len(chosen), usual=usual) if chosen else None
    if score is not None:
        other = gap_rule(gaps, len(chosen), usual="no_points" if usual == "mean" else "mean")
        score.gaps = "unread" if rule is None else "whole" if other == rule else "limit"
    if score is not None and rule is not None:
        score.rule = {**score.rule, "missing": rule}
        return
    survey.note(
        line,
        _("the rule about missing answers in this line is left out"),
        _("if you send one answer, state in the builder how many may be missing, and how they count"),
        effect=WRONG,
        cause=GAPS_UNREAD,
    )


def _blocks(lines: Iterable[SourceLine]) -> list[list[SourceLine]]:
    """Group scoring lines that follow each other."""
    found: list[list[SourceLine]] = []
    for line in lines:
        if found and line.number - found[-1][-1].number <= _NEAR:
            found[-1].append(line)
        else:
            found.append([line])
    return found


def _reverse_by_key(
    survey: Questionnaire, names: ItemNames, turned: Set[int], block: Sequence[SourceLine]
) -> set[int]:
    """Give *no* the point of each item for which a key says so; note a key that does not match.

    Answers such as *true* and *false* have the point of the items that the key names for each.
    """
    text, questions = names.with_numbers("\n".join(line.text for line in block)), names.questions
    pairs = {labels_of(each) for each in questions}
    labels = next(iter(pairs), ()) if len(pairs) == 1 else ()
    labels = labels if len(labels) == len("ab") else ()
    if labels and not any(label in text for label in labels):
        # A key may name answers by their first letters: "T for items 1, 3".
        labels = tuple(label[:1].upper() for label in labels)
    key = None if REVERSED.search(text) else key_in(text, labels=labels, is_rule=True)
    if key is None:
        return set()
    on_no, on_yes = (numbers - {0} for numbers in key)
    named = on_no | on_yes
    is_whole = named == {*names.by_number} or not (on_yes and on_no)
    chosen = [names.by_number[number] for number in sorted(named & names.by_number.keys())]
    n_options = len(("no", "yes")) if labels else 0
    is_binary = all(each.points in ([], [0, 1]) and len(each.options) == n_options for each in questions)
    if on_no & on_yes or not is_whole or not is_binary or len(chosen) < len(named) or not (on_no or labels):
        survey.note(
            block[0].number,
            _("this line says which answers score points, but it does not match the questions"),
            _("check which answers score points, and set the points in the builder"),
            effect=WRONG,
            cause=POINTS_UNREAD,
        )
        return set()
    found = set()
    for number, question in names.by_number.items():
        if labels:
            is_first = number in on_yes or (not on_yes and number not in on_no)
            for option, points in zip(question.options, (1, 0) if is_first else (0, 1), strict=True):
                option.points = points
            found.add(question.line)
        elif number in on_no and question.line not in turned:
            reverse(question)
            found.add(question.line)
    return found


def _propose(
    survey: Questionnaire,
    line: int,
    questions: Sequence[Question],
    levels: list[tuple[int | None, str]],
    ends: tuple[int, int | None] | None,
) -> None:
    own = [points_of(question) for question in questions]
    low, high = sum(map(min, own)), sum(map(max, own))
    starts = [start for start, _label in levels if start is not None]
    is_whole = ends is None or (ends[0] in (low, FROM_LEAST) and ends[1] in (high, None))
    sums = {"count": len(questions), "low": low, "high": high}
    if len(questions) < LEAST_ITEMS:
        survey.note(
            line,
            _("this score cannot be computed: fewer than two questions above it have answers with points"),
            _(
                "write the points in front of each answer, such as (0) Never; above a table of numbers, "
                "write the words for them in one line"
            ),
            effect=WRONG,
        )
        return
    if ends and ends[0] == FROM_LEAST and starts and starts[0] == low:
        # The text states the least sum alone.
        levels, starts = [(None, levels[1][1]), *levels[2:]], starts[1:]
    if (
        ends
        and starts
        and levels[0][0] is None
        and ends[1] in (high, None)
        and _leaves_least(ends[0], len(own), low)
    ):
        # The text names no level for the least sums.
        starts = [ends[0], *starts]
        levels = [(None, f"{low}–{ends[0] - 1}"), (ends[0], levels[0][1]), *levels[1:]]
        is_whole = True
        survey.note(
            line,
            _("the text names no level for sums from %(low)s to %(high)s")
            % {"low": low, "high": ends[0] - 1},
            _("check that no question is missing, and that the points and the levels are right"),
            effect=WRONG,
        )
    if not is_whole or not all(low < start <= high for start in starts):
        stated = (
            f"{max(ends[0], 0)}–{'' if ends[1] is None else ends[1]}" if ends else list_text(map(str, starts))
        )
        survey.note(
            line,
            _(
                "this score does not fit: it states %(stated)s, but the points of the %(count)s questions "
                "above it add up to %(low)s to %(high)s"
            )
            % (sums | {"stated": stated}),
            _("check that no question is missing, and that the points and the levels are right"),
            effect=WRONG,
        )
        return
    survey.scores.append(Score(line=line, questions=[question.line for question in questions], levels=levels))


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
    own = [points_of(question) for question in chosen]
    said = _(
        "devices can add up the points of %(count)s questions (%(low)s to %(high)s) and send one answer "
        "instead: %(levels)s"
    ) % {
        "count": len(chosen),
        "low": sum(map(min, own)),
        "high": sum(map(max, own)),
        "levels": levels_text(score.levels),
    }
    texts = [text_of(each) for each in chosen if each.line in turned]
    items = [f"“{short_text(text, _LONGEST_QUOTED)}”" for text in texts]
    turned_said = _("reversed: %(items)s") % {"items": list_text(items)} if items else ""
    return series_text(filter(None, (said, turned_said, _gaps_text(score.rule.get("missing")))))


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
    if (count := len(score.rule.get("points") or chosen)) > MOST_COMPONENTS:
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
