"""Read a pasted text as a questionnaire: its languages, the role of each line, the kind of each answer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import takewhile
from typing import Final

from django.utils.translation import gettext as _

from privacy.survey.design import MOST_QUESTIONS
from surveys.formats.numbers import count_text
from surveys.imports.conditions.stated_conditions import resolve_conditions
from surveys.imports.doubts.misreadings import note_misreadings
from surveys.imports.drafts.number_words import ask_for_words
from surveys.imports.drafts.protection import decide_protection
from surveys.imports.drafts.questionnaire import LOST, UNCERTAIN, WRONG, Question, Questionnaire, Texts
from surveys.imports.drafts.rereadings import differing_lines
from surveys.imports.files.foreign_sources import foreign_text
from surveys.imports.layouts.inner_fields import cut_inner_fields
from surveys.imports.layouts.questions_on_line import note_lost_questions
from surveys.imports.layouts.rewriting import rewrite_layouts
from surveys.imports.layouts.side_by_side import name_cells, read_columns
from surveys.imports.lines.language_streams import streams_of
from surveys.imports.lines.lost_breaks import usual_breaks, with_line_breaks
from surveys.imports.lines.sheets import read_sheets
from surveys.imports.lines.source_lines import ANSWER, LEFT, QUESTION, ROW, SCALE, SourceLine
from surveys.imports.lines.text_languages import UNKNOWN, languages_of, side_languages
from surveys.imports.lines.text_lines import lines_of, seen_lines
from surveys.imports.lines.used_lines import account_for
from surveys.imports.roles.interviewer_codes import read_codes
from surveys.imports.roles.lead_ins import read_lead_ins
from surveys.imports.roles.outline import Outline, lines_with_marks
from surveys.imports.roles.question_kinds import STATED_YES_NO, decide_kind, list_answers
from surveys.imports.roles.structure import with_structure
from surveys.imports.scores.answer_keys import states_yes_no
from surveys.imports.scores.legend_rules import cut_rules
from surveys.imports.scores.proposals import propose_scores
from surveys.imports.scores.scoring_lines import mark_item_lists, mark_scoring
from surveys.imports.scores.stated_points import score_answers
from surveys.imports.scores.ticks import allow_ticks
from surveys.imports.tables.explained_answers import name_answers, name_numbers
from surveys.imports.tables.legend_items import explain_items
from surveys.imports.tables.scale_frames import leave_around
from surveys.imports.words.cues import ASKS_ONE, ASKS_SEVERAL
from surveys.questionnaire.languages import language_of

MOST_CHARACTERS: Final = 100_000
"""Longest pasted text that is read."""

_MANY_NOTES: Final = 40
_EMPTY: Final = re.compile(r"[\s.,:;_|()\[\]–—-]*")


def outline_of(lines: Sequence[SourceLine], language: str) -> Questionnaire:
    """Return the outline of the lines of one language.

    Parameters
    ----------
    lines : sequence of SourceLine
        With their roles.
    language : str
    """
    outline = Outline(language)
    for line in lines:
        outline.add(line)
    return outline.finish()


def join_languages(first: Questionnaire, second: Questionnaire) -> Questionnaire:
    """Merge the outlines of two languages, paired by line or position; note lines without a counterpart."""
    survey = Questionnaire(
        title=first.title | second.title,
        about={
            name: first.about.get(name, {}) | second.about.get(name, {})
            for name in dict.fromkeys([*first.about, *second.about])
        },
        notes=list(dict.fromkeys([*first.notes, *second.notes])),
        lines=[*({each.line: each for each in (*second.lines, *first.lines)}.values())],
    )
    earlier, other = first.questions, second.questions
    pairs = _paired(earlier, other)
    paired = {id(question) for pair in pairs for question in pair}
    if single := [question for question in (*earlier, *other) if id(question) not in paired]:
        survey.note(
            single[0].line,
            _("one language has %(one)s questions, the other %(other)s")
            % {"one": len(earlier), "other": len(other)},
            _("write each question in both languages, in the same order"),
            effect=LOST,
        )
    for mine, theirs in pairs:
        mine.texts |= theirs.texts
        mine.help |= theirs.help
        mine.unit |= theirs.unit
        mine.ends = mine.ends or theirs.ends
        mine.flags |= theirs.flags
        _join_options(mine, theirs, survey)
    for part, theirs_part in zip(first.parts, second.parts, strict=False):
        part.texts |= theirs_part.texts
        part.flags |= theirs_part.flags
    survey.parts = first.parts
    return survey


def _paired(first: Sequence[Question], second: Sequence[Question]) -> list[tuple[Question, Question]]:
    """Pair the questions of two languages: those on the same line, or else those in the same position."""
    by_line = {question.line: question for question in second}
    beside = [(question, by_line[question.line]) for question in first if question.line in by_line]
    return beside if 2 * len(beside) >= len(first) else [*zip(first, second, strict=False)]


def _join_options(mine: Question, theirs: Question, survey: Questionnaire) -> None:
    if len(mine.options) != len(theirs.options):
        survey.note(
            mine.line,
            _("it has %(count)s options here and %(other)s in line %(line)s")
            % {"count": len(mine.options), "line": theirs.line, "other": len(theirs.options)},
            _("write each option in both languages, in the same order"),
            effect=LOST,
        )
    for option, other in zip(mine.options, theirs.options, strict=False):
        option.texts |= other.texts


def _is_stray(outlines: Sequence[Questionnaire]) -> bool:
    """Return whether one of two languages has at most half of the questions of the other."""
    fewer, more = sorted(len(outline.questions) for outline in outlines)
    return 2 * fewer <= more > 0


def _note_other_language(survey: Questionnaire, others: Sequence[SourceLine]) -> None:
    """Note the lines in another language that are not answers; they stay where they were read."""
    roles = {line.line: line.role for line in survey.lines}
    for line in others:
        if any(map(str.isalpha, line.body)) and roles.get(line.number, ANSWER) not in (ANSWER, SCALE, LEFT):
            survey.note(
                line.number,
                _("this line is in another language than most questions"),
                _("remove this line, or write every line in both languages"),
                effect=UNCERTAIN,
            )
    survey.notes.sort(key=lambda note: note.line)


def leave_empty_texts(survey: Questionnaire) -> None:
    """Leave out texts that hold nothing to read, and note the questions and answers concerned."""
    for part in survey.parts:
        part.texts, part.help = _filled(part.texts), _filled(part.help)
        for question in part.questions:
            question.help = _filled(question.help)
            empty = [option for option in question.options if not _filled(option.texts)]
            for line in dict.fromkeys(option.line for option in empty):
                message, remedy = _("an answer without words is left out"), _("write the answer on this line")
                survey.note(line, message, remedy, effect=LOST)
            question.options = [option for option in question.options if option not in empty]
            if not _filled(question.texts):
                remedy = _("write the question above its answers")
                survey.note(question.line, _("a question without words is left out"), remedy, effect=LOST)
        part.questions = [question for question in part.questions if _filled(question.texts)]
        if part.line and (part.texts or part.help) and not part.questions:
            survey.note(
                part.line,
                _("this heading and its explanation are left out: no question is below them")
                if part.help
                else _("this heading is left out: no question is below it"),
                _("make it an introduction if respondents need it"),
                effect=LOST,
            )
    survey.title = _filled(survey.title)


def _filled(texts: Mapping[str, str]) -> Texts:
    """Return the texts that hold a letter, a digit or a drawn sign."""
    return {tag: text for tag, text in texts.items() if not _EMPTY.fullmatch(text)}


def note_missing(survey: Questionnaire, languages: Sequence[str]) -> None:
    """Note what a complete survey needs but the outline lacks, in each of its languages."""
    if not survey.title:
        message, remedy = _("the survey has no title"), _("write it in the first line")
        survey.note(1, message, remedy, effect=WRONG, cause=NO_TITLE)
    if not survey.questions:
        remedy = _("number the questions, or end them with a question mark")
        survey.note(0, _("no questions were found"), remedy, effect=WRONG)
    texts = [(1, survey.title)] if survey.title else []
    for part in survey.parts:
        texts += [(part.line, part.texts)] if part.line and part.texts else []
        for question in part.questions:
            texts.append((question.line, question.texts))
            texts += [(option.line, option.texts) for option in question.options]
    for line, wording in texts:
        for tag in languages:
            if not wording.get(tag):
                message = _("it is not written in %(language)s") % {"language": language_of(tag).name}
                remedy = _("write it after a | on the same line, or on the line below")
                survey.note(line, message, remedy, effect=WRONG)


def _with_roles(lines: list[SourceLine], roles: Mapping[int, str]) -> list[SourceLine]:
    """Return lines with their roles: those that the researcher chose, and those that the structure shows."""
    chosen = [line for line in lines if line.number in roles]
    for line in chosen:
        line.give(roles[line.number])
    mark_item_lists(lines)
    cut_rules(line for line in lines if not line.role)
    read_sheets(lines)
    found = with_structure(mark_scoring(lines))
    leave_around(found)
    cut_inner_fields(found)
    for line in chosen:
        line.give(roles[line.number])
    return found


def _asks_for_one(lines: Sequence[SourceLine]) -> bool:
    """Return whether the lines above the first question ask for one answer: *tick the box that fits best*."""
    asked = (QUESTION, ROW, ANSWER)
    above = [line.text for line in takewhile(lambda line: line.role not in asked, lines)]
    return any(map(ASKS_ONE.search, above)) and not any(map(ASKS_SEVERAL.search, above))


def _ask_for_sides(survey: Questionnaire) -> None:
    """Ask for the languages of a text in two, if they are not known."""
    sides = {
        UNKNOWN: _("the language left of | is not known"),
        f"{UNKNOWN}-extra1": _("the language right of | is not known"),
    }
    for tag in survey.languages if len(survey.languages) > 1 else ():
        if tag in sides:
            survey.note(0, sides[tag], _("choose its language"), asks="language", where=tag)


def _refused(languages: Sequence[str], message: str, remedy: str) -> Questionnaire:
    """Return a questionnaire that only says why its text is not read."""
    survey = Questionnaire(languages=tuple(languages) or (UNKNOWN,))
    survey.note(1, message, remedy, effect=WRONG)
    return survey


def _note_damage(survey: Questionnaire, text: str, lines: Sequence[str], *, is_ambiguous: bool) -> None:
    """Note what could not be read of a text: its end, one of its languages, or signs in another encoding."""
    if len(text) > MOST_CHARACTERS:
        survey.note(
            len(lines),
            _("the text has %(count)s characters; the rest was not read") % {"count": f"{len(text):,}"},
            _("keep to at most %(most)s") % {"most": f"{MOST_CHARACTERS:,}"},
            effect=LOST,
        )
    if with_line_breaks(text) != usual_breaks(text):
        message = _("all of the text is on one line, so a new line begins at the number of each question")
        survey.note(1, message, _("check where each question begins and ends"))
    if is_ambiguous:
        survey.note(
            0,
            _("the two languages cannot be distinguished"),
            _("write them side by side with | between, or one after the other below a line of ==="),
            effect=WRONG,
        )
    for number, line in enumerate(lines, start=1):
        if "\ufffd" in line:
            remedy = _("open the file in its own encoding and paste it again")
            survey.note(number, _("it was saved in another encoding"), remedy, effect=WRONG)


def _note_cut(survey: Questionnaire, source: Sequence[SourceLine]) -> None:
    """Note the spaces to write that were cut from questions."""
    for line in source:
        if line.cut:
            message = _("“%(words)s” is left out, because a question can have only one space to write") % {
                "words": line.cut
            }
            remedy = _("write it as a question on a line of its own")
            survey.note(line.number, message, remedy, effect=LOST)


def _settle_kinds(survey: Questionnaire, source: Sequence[SourceLine]) -> None:
    """Complete the answers of all questions with what other lines say, then decide the questions' kinds."""
    read_codes(survey, source)
    has_rounds = any("round" in question.flags and len(question.options) > 1 for question in survey.questions)
    for question in survey.questions:
        texts = [text for option in question.options for text in option.texts.values()]
        if not any(map(str.isdecimal, "".join(texts))):
            # Rules may state points for their words.
            list_answers(question)
    name_answers(survey, source)
    name_numbers(survey, source)
    score_answers(survey, source)
    leave_empty_texts(survey)
    is_binary = any(
        states_yes_no(line.text) for line in source if line.role not in (QUESTION, ROW, ANSWER, SCALE)
    )
    is_for_one = not has_rounds and _asks_for_one(source)
    allow_ticks(survey, source)
    for question in survey.questions:
        asks_several = "several" in question.flags or any(map(ASKS_SEVERAL.search, question.texts.values()))
        question.flags |= {"one"} if is_for_one and "square" in question.flags and not asks_several else set()
        question.flags |= {STATED_YES_NO} if is_binary and not question.options else set()
        question.flags |= {"boxes"} if has_rounds and "square" in question.flags else set()
        decide_kind(question, survey)


NO_TITLE: Final = "no title"
"""The cause of the note on a missing title."""


def read_paste(
    text: str,
    languages: Sequence[str] = (),
    roles: Mapping[int, str] | None = None,
    *,
    is_checked: bool = True,
) -> Questionnaire:
    """Return the questionnaire in a typed or pasted text.

    Parameters
    ----------
    text : str
        Title, questions, options on the lines below; see `surveys.imports.roles.structure`.
    languages : sequence of str
        One or two; empty to detect English and Chinese from the text.
    roles : mapping of int to str, optional
        Roles that the researcher chose for lines, by line number; other lines are read around them.
    is_checked : bool
        Whether to note what may be misread; this reads a short text again.

    Examples
    --------
    >>> survey = read_paste("Sleep\\n1. Do you sleep badly?\\n2. How old are you?\\n- under 30\\n- older")
    >>> [(question.kind, question.is_protected) for question in survey.questions]
    [('yes_no', True), ('single', False)]
    >>> read_paste("Sleep\\n1. Bad?\\n> At night.\\n>\\n> At home.").questions[0].help
    {'en': 'At night. At home.'}
    """
    read = with_line_breaks(text[:MOST_CHARACTERS])
    if foreign := foreign_text(read, is_pasted=True):
        return _refused(languages, foreign.message, foreign.remedy)
    lines = lines_of(read)
    stated = bool(languages)
    own_tags = tuple(languages) or side_languages(lines) or languages_of(lines)
    languages = own_tags or (UNKNOWN,)
    seen = seen_lines(read)
    below, written = read_columns(seen) if len(languages) == 1 else (seen, {})
    if written:
        one = read_paste("\n".join(below), own_tags, roles, is_checked=is_checked)
        name_cells(one, written)
        return one
    pairs = [*enumerate(seen, start=1)]
    streams = streams_of(pairs, languages)
    is_ambiguous = streams is None
    if streams is None:
        languages, streams = languages[:1], [pairs]
    roles = roles or {}
    read_lines = [_with_roles(lines_with_marks(rewrite_layouts(stream, roles)), roles) for stream in streams]
    outlines = [outline_of(own, tag) for own, tag in zip(read_lines, languages, strict=False)]
    survey, source = outlines[0], read_lines[0]
    if len(outlines) == 2 and not stated and _is_stray(outlines):
        main = 0 if len(survey.questions) >= len(outlines[1].questions) else 1
        one = read_paste(text, (languages[main],), roles, is_checked=is_checked)
        _note_other_language(one, read_lines[1 - main])
        return one
    if len(outlines) == 2:
        survey = join_languages(survey, outlines[1])
    if len(survey.questions) > MOST_QUESTIONS:
        return _refused(
            languages,
            _("this text has %(count)s questions, and a survey at most %(most)s")
            % {"count": count_text(len(survey.questions)), "most": count_text(MOST_QUESTIONS)},
            _("paste a part of it, and make several surveys"),
        )
    survey.languages = tuple(languages)
    _note_damage(survey, text, lines, is_ambiguous=is_ambiguous)
    if not own_tags:
        survey.ask_language()
    _complete(survey, source, roles)
    if is_checked:
        again = partial(read_paste, languages=languages, roles=roles, is_checked=False)
        note_misreadings(survey, lines, source, differing_lines(read, survey, again))
    note_lost_questions(survey, seen)
    note_missing(survey, languages)
    _account(survey, seen)
    return survey


def _account(survey: Questionnaire, lines: Sequence[str]) -> None:
    """Account for each line of a text, and sort the notes, unless it is long and holds no questions."""
    if not survey.questions and len(survey.notes) > _MANY_NOTES:
        # In a long text without questions, its single lines say nothing.
        survey.notes = [note for note in survey.notes if note.effect == WRONG and note.line <= 1]
        survey.lines = []
    else:
        account_for(survey, lines)
    survey.notes.sort(key=lambda note: note.line)


def _complete(survey: Questionnaire, source: Sequence[SourceLine], roles: Mapping[int, str]) -> None:
    """Decide what the lines leave open: kinds, shared answers, conditions, scores and protection."""
    _ask_for_sides(survey)
    _note_cut(survey, source)
    _settle_kinds(survey, source)
    read_lead_ins(survey, source, roles)
    explain_items(survey, source)
    resolve_conditions(survey, source)
    propose_scores(survey, source)
    ask_for_words(survey)
    decide_protection(survey)
