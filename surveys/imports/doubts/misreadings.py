"""Questions of a pasted text that may be misread, each noted at its line.

A question is certain if its layout is: it has the mark of the other questions, its answers have one form,
which others share or marks show, no sign is left in its text, it stays the same when the text is read again,
and `surveys.imports.lines.line_guesses`, which knows no rules, guesses the same. No sign decides alone;
`surveys.imports.doubts.weights` weighs them. These checks need no words. A large doubt is asked about; with a
smaller one, the question is only marked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.imports.conditions.unread_conditions import unread_conditions
from surveys.imports.doubts.layout_signs import Layout
from surveys.imports.doubts.leftovers import Sign, leftovers
from surveys.imports.doubts.lost_answers import lost_answers
from surveys.imports.doubts.weights import (
    LEAST,
    LEAST_MARKED,
    LEAST_MARKED_OF_LINES,
    LEAST_OF_LINES,
    blocks_of,
    doubt_of,
    doubt_of_line,
    facts_of,
    facts_of_lines,
    guesses_against,
    largest_part,
    shape_of,
)
from surveys.imports.drafts import rereadings
from surveys.imports.drafts.answer_codes import CODES_LEFT
from surveys.imports.drafts.questionnaire import (
    LOST,
    MISREAD,
    UNCERTAIN,
    UNCLEAR,
    WRONG,
    Question,
    Questionnaire,
    ReadLine,
    labels_of,
)
from surveys.imports.drafts.rereadings import Differing
from surveys.imports.lines.line_guesses import Guess, guesses_of
from surveys.imports.lines.sheets import SHEET
from surveys.imports.lines.source_lines import (
    ABOUT,
    ANSWER,
    ASKED,
    HEADING,
    INTRODUCTION,
    LEFT,
    QUESTION,
    SCALE,
    SCORING,
    SKIP,
    TITLE,
    SourceLine,
    is_sentence,
)
from surveys.imports.lines.used_lines import dropped_words, lost_numbers
from surveys.imports.roles.lead_ins import LEAD_IN
from surveys.imports.roles.outline import UNKNOWN_LABEL
from surveys.imports.scores.gap_rules import GAPS_UNREAD
from surveys.imports.scores.reversals import POINTS_UNREAD, has_points
from surveys.imports.scores.rule_texts import is_scoring
from surveys.imports.scores.unread_rules import NO_LEVELS, RULE_UNREAD
from surveys.imports.words.cues import ENDS
from surveys.imports.words.patterns import NUMBER, SPACE_TO_WRITE
from surveys.imports.words.question_marks import asks, holds_question
from surveys.questionnaire.exclusive_wordings import means_no_answer

"""The cause of notes on readings that researchers should check."""
LESS_CERTAIN: Final = "less certain"
"""The cause of notes on readings that are only marked."""
_REASONS: Final = {
    "asks within": gettext_lazy("words follow its question mark"),
    "sentences": gettext_lazy("it has several sentences"),
}
"""Facts that can be said, in words."""
_WEAK_REASONS: Final = {
    "guesses differ": gettext_lazy("the layout of the text suggests another reading"),
    **_REASONS,
    "score lost": gettext_lazy("the scoring rule was not understood"),
    "moved": gettext_lazy("without indents, it would be read differently"),
    "doubled": gettext_lazy("if the text were pasted twice, it would be read differently"),
    "uncertain": gettext_lazy("one of its lines may be something else"),
}
"""The wording of facts that are given only if no other reason is known."""
_UNCERTAIN: Final = {
    rereadings.QUESTION: gettext_lazy("it may be a heading or an answer instead of a question"),
    rereadings.CONDITION: gettext_lazy("perhaps only some people are asked it; check who is"),
    rereadings.KIND: gettext_lazy(
        "its kind is uncertain; check whether it asks for one answer, several, yes or no, or a number"
    ),
    rereadings.ANSWERS: gettext_lazy(
        "its answers are uncertain; check that none is missing, merged or superfluous"
    ),
    rereadings.POINTS: gettext_lazy("the points of its answers are uncertain; check each"),
    rereadings.TEXT: gettext_lazy("its wording is uncertain; check where the question begins and ends"),
}
"""What is uncertain about a question that was read in two ways."""
CORRECT: Final = gettext_lazy("correct the question in its row, or choose other roles for the lines")
_ANSWER_SIGN: Final = gettext_lazy("it may be a question, not an answer")
_LINE_SIGN: Final = gettext_lazy("it may contain a question")
_FIRST_SIGNS: Final = re.compile(r"[\W\d_]{1,16}")
_OPENING: Final = " \t¿¡\"'“”„‘’«»「『(（[【*_….|"
"""Signs with which any line may begin."""
_LABELS: Final = re.compile(r"[:：]")
_DIGITS: Final = re.compile(r"\d{1,4}")
_FEW_CELLS: Final = 2
_FEW_NAMED: Final = 2
_MOST_LABEL_WORDS: Final = 4
"""Words of a line that may ask for remarks, such as *Any comments*."""
_LABEL_FIRST: Final = re.compile(r"[^\W\d_][^:：|?？]{1,40}\s?[:：]\s?[_.…\d(（\[☐□○◯]")
"""A label, a colon, and a space to write or the beginning of answers."""
_FIELD: Final = re.compile(rf"\W{{0,8}}[^\W\d_][^:：|?？]{{0,40}}[:：]\s?(?:{SPACE_TO_WRITE.pattern})")
"""A label, a colon and a space to write."""
_ANSWERED: Final = (*ASKED, ANSWER, SKIP, SCORING)
_DECIDING: Final = (ANSWER, INTRODUCTION)
"""Roles that are asked about whenever they are uncertain: of what people answer."""
_TELLING: Final = re.compile(r"[\d?？؟:：_]|\.{3}")
"""Signs that most questions and rules contain, but few greetings."""
_UNCLEAR_FACTS: Final = (
    "clear sign",
    "signs",
    "moved",
    "doubled",
    "uncertain",
    "asks within",
    "score lost",
)
"""Facts that leave a doubt about a question, however clear its marks are."""
_BEHIND_ANSWERS: Final = (
    ANSWER,
    SKIP,
    HEADING,
    SCORING,
    ABOUT,
)
"""Roles of the lines below a question whose marks are clear."""
_SMALL_NUMBER: Final = re.compile(r"(?<![\d.,:/–-])\d{1,2}(?!\d|[.,:/–-]\s?\d|\s?[%€£$])")
_ABOUT_USED_RULES: Final = (NO_LEVELS, RULE_UNREAD, GAPS_UNREAD, CODES_LEFT)
"""Causes of notes on rules that were understood otherwise."""


def note_misreadings(
    survey: Questionnaire, text_lines: Sequence[str], source: Sequence[SourceLine], differing: Differing
) -> None:
    """Note the questions that are not certain, and the other lines that may hold a question.

    Parameters
    ----------
    survey : Questionnaire
        Its questions have their kinds.
    text_lines : sequence of str
        All lines of the text.
    source : sequence of SourceLine
        Those that are not blank, with their roles.
    differing : tuple of two dict of int to str
        What differs when the text is read again; see `rereadings.differing_lines`.
    """
    lost_score = _lost_score(survey, source)
    signs = _signs_of(survey, text_lines, source)
    settled = {
        note.line
        for note in survey.notes
        if note.effect in (UNCLEAR, WRONG, LOST) or note.cause in (LEAD_IN, UNKNOWN_LABEL)
    }
    against = guesses_against(survey, source, guesses_of(text_lines))
    facts = facts_of(survey, source, signs, differing, against, is_score_lost=lost_score is not None)
    following = dict(pairwise(sorted(question.line for question in survey.questions)))
    blocks = blocks_of(survey.questions, source)
    limited = unread_conditions(survey, text_lines, source)
    named = _named_elsewhere(survey, source)
    lists = Counter(map(labels_of, survey.questions))
    are_points_unread = _are_points_unread(survey, source)
    for question, own, known in zip(survey.questions, signs, facts, strict=True):
        block = blocks.get(question.line, [])
        is_doubtful = not _is_clear(question, known, block, is_repeated=lists[labels_of(question)] > 1)
        doubt = doubt_of(known) if is_doubtful else 0
        said = [*(sign.words for sign in own), *named.get(question.line, ())]
        if stated := limited.get(question.line):
            _note(
                survey,
                question.line,
                _("line %(line)s may say that only some people are asked this") % {"line": stated},
                _("read that line; if it does, add the condition in the builder"),
            )
        elif question.line in settled:
            continue
        elif are_points_unread and has_points(question):
            _note_sign(survey, question.line, str(_UNCERTAIN[rereadings.POINTS]))
        elif said or (is_doubtful and doubt >= LEAST_MARKED):
            end = following.get(question.line, len(text_lines) + 1)
            reasons = [*said, *_reasons(known, block, range(question.line, end), differing, against)]
            is_asked = any(sign.is_clear for sign in own) or (is_doubtful and doubt >= LEAST)
            _note_sign(survey, question.line, [*reasons, _weak_reason(known)][0], is_asked=is_asked)
    if lost_score is not None and lost_score not in settled:
        _note_sign(survey, lost_score, _("the scoring rule was not understood"))
    for number, words in lost_answers(survey, text_lines, source).items():
        _note_sign(
            survey, number, _("words of its line are left out: %(words)s") % {"words": ", ".join(words)}
        )
    _note_lines(survey, len(text_lines), source, facts_of_lines(survey, source, differing, against), settled)


def _note_lines(
    survey: Questionnaire,
    n_lines: int,
    source: Sequence[SourceLine],
    facts: Mapping[int, Mapping[str, float]],
    settled: Collection[int],
) -> None:
    """Note the lines that are no questions but may hold one, and settle the others.

    Parameters
    ----------
    survey, source
        See `note_misreadings`.
    n_lines : int
        Number of lines of the text.
    facts : mapping of int to mapping of str to float
        See `facts_of_lines`.
    settled : collection of int
        Lines that have another note.
    """
    lines = {line.number: line for line in source}
    clear = set()
    lost = (
        _lost_siblings(source)
        | _lone_answers(survey)
        | {line.number for line in source if _may_be_lost(line)}
    )
    end = _end_of_questions(survey, source, n_lines)
    for number, known in facts.items():
        line, doubt = lines[number], doubt_of_line(known)
        if line.role == ABOUT and len(_LABELS.findall(line.text)) < 2:
            # Its only label shows what it is.
            continue
        is_asked = doubt >= LEAST_OF_LINES or number in lost
        if not line.is_certain:
            if is_asked or _is_deciding(line, end):
                continue
            clear.add(number)
        # A line whose role is uncertain is never silent.
        is_marked = is_asked or doubt >= LEAST_MARKED_OF_LINES or not line.is_certain
        if is_marked and number not in settled:
            sign = _ANSWER_SIGN if line.role == ANSWER else _LINE_SIGN
            _note_sign(survey, number, str(sign), is_asked=is_asked)
    survey.notes = [note for note in survey.notes if note.cause != "uncertain" or note.line not in clear]
    survey.lines = [
        ReadLine(line=each.line, role=each.role, is_certain=each.is_certain or each.line in clear)
        for each in survey.lines
    ]


def _lone_answers(survey: Questionnaire) -> set[int]:
    """Return the lines of answers to questions that have only this one, which may be questions themselves."""
    lone = (question for question in survey.questions if len(question.options) == 1)
    return {question.options[0].line for question in lone} - {question.line for question in survey.questions}


def _may_be_lost(line: SourceLine) -> bool:
    """Return whether a line about the score contains a question, or another unasked line a space to write."""
    if line.role == SCORING:
        return holds_question(line.text)
    return line.role not in _ANSWERED and _FIELD.match(line.raw) is not None


def _end_of_questions(survey: Questionnaire, source: Sequence[SourceLine], n_lines: int) -> int:
    """Return the first line behind a gap after the last question; the line after the text without one."""
    last = max((question.line for question in survey.questions), default=n_lines)
    return next((line.number for line in source if line.number > last and line.has_gap), n_lines + 1)


def _is_deciding(line: SourceLine, end: int) -> bool:
    """Return whether the role of a line is asked about if it is uncertain; `end` is the line of the end."""
    if line.role != LEFT:
        return line.role in _DECIDING
    is_field = line.number == end and _may_be_field(line.text)
    return line.number < end or is_field or _TELLING.search(line.text) is not None


def _may_be_field(text: str) -> bool:
    """Return whether a text may ask for remarks: a few words that do not end like a greeting."""
    is_brief = len(text.split()) <= _MOST_LABEL_WORDS and text[-1:].isalnum() and "," not in text
    return is_brief and ENDS.fullmatch(text) is None


def settle_misreading(survey: Questionnaire, question: Question) -> None:
    """Drop the notes on how a question was read once it is corrected in its row.

    A note stays while its sign is still in the question, and if it is about who is asked.

    Parameters
    ----------
    survey : Questionnaire
    question : Question
        One of its questions, as it is now.

    Examples
    --------
    >>> from surveys.imports.drafts.questionnaire import Part
    >>> asked = Question(line=1, texts={"en": "Do you?"})
    >>> survey = Questionnaire(parts=[Part(line=1, texts={}, questions=[asked])])
    >>> for line in (1, 2):
    ...     _note_sign(survey, line, "all its answers begin with the same sign")
    >>> settle_misreading(survey, asked)
    >>> [note.line for note in survey.notes]
    [2]
    """
    questions = survey.questions
    found = leftovers(questions, [""] * len(questions))
    own = next((signs for each, signs in zip(questions, found, strict=True) if each is question), [])
    kept = [*(sign.words for sign in own), str(_UNCERTAIN[rereadings.CONDITION])]
    survey.notes = [
        note
        for note in survey.notes
        if note.line != question.line
        or note.cause not in (MISREAD, LESS_CERTAIN)
        or note.remedy != str(CORRECT)
        or any(words in note.message for words in kept)
    ]


def _is_clear(
    question: Question, known: Mapping[str, float], block: Sequence[SourceLine], *, is_repeated: bool
) -> bool:
    """Return whether marks alone show what a question and its answers are.

    It has a number. Its answers are on lines of their own, with the same mark or repeated below other
    questions; or it has none and ends with a question mark. No other line is among them, and nothing in
    the text suggests another reading.
    """
    if not block or block[0].role != QUESTION or any(known[fact] for fact in _UNCLEAR_FACTS):
        return False
    asked, *others = block
    if asked.mark_kind != "count" or any(line.role not in _BEHIND_ANSWERS for line in others):
        return False
    answers = [line for line in others if line.role == ANSWER]
    if not question.options and not answers:
        return asks(asked.text)
    shapes = {shape_of(line) for line in answers}
    if len(answers) < 2 or len(shapes) > 1 or (shapes == {""} and not is_repeated):
        return False
    # Each answer is on a line of its own.
    places = sorted(option.line for option in question.options)
    return not places or places == [line.number for line in answers]


def _weak_reason(known: Mapping[str, float]) -> str:
    """Return the fact that adds most to the doubt about a question, in words."""
    return str(_WEAK_REASONS[largest_part(known, _WEAK_REASONS)])


def _signs_of(
    survey: Questionnaire, text_lines: Sequence[str], source: Sequence[SourceLine]
) -> list[list[Sign]]:
    """Return the signs of a misreading that each question has, the clear ones first."""
    layout = Layout(survey, source)
    questions = survey.questions
    ending = _ending_elsewhere([labels_of(question) for question in questions])
    own_lines = [text_lines[each.line - 1] if 0 < each.line <= len(text_lines) else "" for each in questions]
    dropped = dropped_words(survey, text_lines, source)
    numbers = lost_numbers(survey, text_lines, source)
    found = []
    for question, signs in zip(questions, leftovers(questions, own_lines), strict=True):
        if words := dropped.get(question.line):
            said = _("words of its line are left out: %(words)s") % {"words": words}
            signs.append(Sign(said, is_clear=True))
        if lost := numbers.get(question.line):
            said = _("numbers of its line are left out: %(numbers)s") % {"numbers": lost}
            signs.append(Sign(said, is_clear=True))
        if odd := next((label for label in labels_of(question)[1:] if label in ending), ""):
            said = _("“%(answer)s” also ends the answers of another question") % {"answer": odd}
            signs.append(Sign(said, is_clear=True))
        signs += [Sign(words, is_clear=True) for words in layout.clear_signs(question)]
        signs += [Sign(words, is_clear=False) for words in layout.weak_signs(question)]
        found.append(sorted(signs, key=lambda sign: not sign.is_clear))
    return found


def _named_elsewhere(survey: Questionnaire, source: Sequence[SourceLine]) -> dict[int, list[str]]:
    """Return a sign for each question to which a number in a left-out line refers."""
    asked = {question.line for question in survey.questions}
    numbers: dict[str, list[int]] = {}
    for line in source:
        if (
            line.number in asked
            and line.mark
            and (found := NUMBER.findall(line.text[: -len(line.body) or None]))
        ):
            numbers.setdefault(found[-1], []).append(line.number)
    signs: dict[int, list[str]] = {}
    for line in source:
        # A line of numbers is a header of columns; it does not refer to a question.
        is_naming = line.role == LEFT and any(map(str.isalpha, line.text))
        named = NUMBER.findall(line.text) if is_naming else []
        known = [numbers[each] for each in dict.fromkeys(named) if len(numbers.get(each, ())) == 1]
        for (number,) in known if len(known) >= _FEW_NAMED else ():
            signs[number] = [_("line %(line)s refers to it, but is left out") % {"line": line.number}]
    return signs


def _are_points_unread(survey: Questionnaire, source: Sequence[SourceLine]) -> bool:
    """Return whether something about the score was not understood, so that it may concern any item.

    How many answers may be missing changes the points of none. A line with several numbers that is left out
    behind the questions may state a rule.
    """
    last = max((question.line for question in survey.questions), default=0)
    behind = (line for line in source if line.number > last and line.role == LEFT)
    if any(len(_SMALL_NUMBER.findall(line.text)) > 1 and is_sentence(line) for line in behind):
        return True
    scoring = {line.number for line in source if line.role == SCORING}
    return any(
        note.cause == POINTS_UNREAD or (note.line in scoring and note.effect in (WRONG, LOST))
        for note in survey.notes
        if note.cause not in (NO_LEVELS, GAPS_UNREAD)
    ) or any(line.role == QUESTION and is_scoring(line.text) for line in source)


def _lost_score(survey: Questionnaire, source: Sequence[SourceLine]) -> int | None:
    """Return the first line with a scoring rule that was not understood; None without one."""
    noted = {
        note.line
        for note in survey.notes
        if note.effect in (WRONG, LOST) and note.cause not in _ABOUT_USED_RULES
    }
    known = (SCORING, *((QUESTION, ANSWER) if survey.scores else ()))
    return next(
        (
            line.number
            for line in source
            if (line.role == SCORING and line.number in noted)
            or (line.role not in known and is_scoring(line.text))
        ),
        None,
    )


def _lost_siblings(source: Sequence[SourceLine]) -> set[int]:
    """Return lines that begin or are divided like lines that are asked, but are not asked themselves."""
    groups: dict[str, list[SourceLine]] = {}
    for line in source:
        for form in _forms_of(line):
            groups.setdefault(form, []).append(line)
    lost = set()
    for same in groups.values():
        n_asked = sum(line.role in ASKED for line in same)
        answers = [line for line in same if line.role == ANSWER]
        others = [line for line in same if line.role not in _ANSWERED]
        lost |= {line.number for line in others if n_asked}
        lost |= {line.number for line in answers if n_asked > len(answers)}
    return lost


def _forms_of(line: SourceLine) -> Iterator[str]:
    """Yield what a line has in common with its siblings: signs in front of it, cells, a label."""
    first = _FIRST_SIGNS.match(line.text)
    if first and first[0].strip(_OPENING):
        yield _DIGITS.sub("9", "".join(first[0].split()))
    is_head = line.role == SCALE or (line.topic == SHEET and line.role == LEFT)
    if line.raw.count("|") > _FEW_CELLS and not is_head and any(map(str.isalnum, line.raw)):
        yield "cells"
    if line.role != ANSWER and _LABEL_FIRST.match(line.text):
        yield "label"
    # A title may ask. With words behind its question mark it may be a question with a space to write.
    may_ask = line.role in ASKED or (line.role == TITLE and not asks(line.text))
    if may_ask and holds_question(line.text):
        yield "question"


def _note_sign(survey: Questionnaire, line: int, sign: str, *, is_asked: bool = True) -> None:
    message = _("this may be misread: %(sign)s") if is_asked else _("this is less certain: %(sign)s")
    _note(survey, line, message % {"sign": sign}, str(CORRECT), cause=MISREAD if is_asked else LESS_CERTAIN)


def _note(survey: Questionnaire, line: int, message: str, remedy: str, *, cause: str = MISREAD) -> None:
    survey.note(line, message, remedy, effect=UNCERTAIN, cause=cause)


def _reasons(
    known: Mapping[str, float],
    block: Sequence[SourceLine],
    places: range,
    differing: Differing,
    against: Mapping[int, Guess],
) -> Iterator[str]:
    """Yield the reasons of a doubt about a question; `places` are its lines, up to the next question."""
    if known["moved"] or known["doubled"]:
        yield from _read_otherwise(places, differing)
    yield from (str(words) for name, words in _REASONS.items() if known[name])
    yield from _guessed_otherwise(block, against)


def _guessed_otherwise(block: Sequence[SourceLine], against: Mapping[int, Guess]) -> Iterator[str]:
    """Yield the parts of a question's reading that the guesses about its lines contradict."""
    guesses = [(line, against[line.number]) for line in block if line.number in against]
    for line, guess in guesses:
        if guess.question > 0:
            asking = _("line %(line)s may be a question of its own") % {"line": line.number}
            yield str(_UNCERTAIN[rereadings.QUESTION]) if line is block[0] else asking
    if any(guess.answer > 0 for _line, guess in guesses):
        yield str(_UNCERTAIN[rereadings.ANSWERS])


def _read_otherwise(places: range, differing: Differing) -> Iterator[str]:
    """Yield what differs between two readings of a question, or which of its lines is read otherwise."""
    changed = {**differing[1], **differing[0]}
    first = next((line for line in places if line in changed), 0)
    if first == places.start:
        yield str(_UNCERTAIN[changed[first]])
    elif first:
        yield _("line %(line)s may be a question of its own") % {"line": first}


def _ending_elsewhere(lists: Iterable[Sequence[str]]) -> set[str]:
    """Return answers that are the last of one question and within the list of another: *Back*, *Continue*."""
    seen = {(label, label == _last_choice(labels)) for labels in lists for label in labels[1:]}
    return {label for label, is_last in seen if (label, not is_last) in seen}


def _last_choice(labels: Sequence[str]) -> str:
    """Return the last answer that is not one such as *Prefer not to say*."""
    return next((label for label in reversed(labels) if not means_no_answer({"": label})), labels[-1])
