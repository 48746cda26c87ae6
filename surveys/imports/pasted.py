"""A pasted text as a questionnaire: its lines, their outline, and what each question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.imports.answers import decide_kind
from surveys.imports.lines import MOST_CHARACTERS, PastedLine, languages_of, lines_of, shaped, streams_of
from surveys.imports.questionnaire import (
    LOST,
    WRONG,
    Option,
    Part,
    Question,
    Questionnaire,
)
from surveys.imports.rules import decide_protection
from surveys.questionnaire.languages import language_of

# Matched from the end of a line backwards: matching forwards from each question mark needed quadratic time.
_ASKS_BACKWARDS: Final = re.compile(r"[^\w?？]*[?？]")


_LAYOUT: Final = {
    "skip": (
        gettext_lazy("this instruction to skip is not followed: everyone is asked the questions after it"),
        gettext_lazy("let a part of the survey wait for an answer, in the builder"),
    ),
    "bare": (
        gettext_lazy("the words of this scale are missing: people choose between bare numbers"),
        gettext_lazy("write them above the items, such as 0 = never, 1 = once, 2 = often"),
    ),
    "other": (
        gettext_lazy("the line to write on is left out; the answer before it stays"),
        gettext_lazy("add the answers that you expect most often"),
    ),
}
"""Message and remedy of instructions that no survey here can follow."""


def outline_of(lines: Sequence[PastedLine], language: str) -> Questionnaire:
    """Return the outline of the lines of one language.

    The first line is the title. A numbered line asks, and so does one that ends with a question mark and
    the first one after a gap where nothing is numbered; the lines below it are options. A heading begins a
    part.
    """
    survey = Questionnaire()
    has_numbers = any(line.role == "question" for line in lines)
    after_gap = True
    condition: PastedLine | None = None
    written, taken = [*(line for line in lines if line.role != "blank"), None], 0
    for line in lines:
        said = {language: line.text}
        if line.role == "blank":
            after_gap = True
            continue
        taken += 1
        if line.role in ("condition", "skip", "other", "codes", "bare"):
            condition = line if line.role == "condition" else condition
            _note_layout(survey, line)
            continue
        role = _role_of(line, written[taken], survey, has_numbers=has_numbers, after_gap=after_gap)
        after_gap = False
        # Lines before the first question are the purpose, unless that is stated in a line of its own.
        introduces = "purpose" not in survey.about or bool(survey.introduction)
        if role == "title":
            survey.title = said
        elif role == "about":
            survey.about[line.style] = said
            if line.style == "purpose" and survey.introduction:
                survey.introduction = [line.text]
        elif role == "heading":
            survey.parts.append(Part(line=line.number, texts=said, flags=line.flags))
        elif role == "question":
            if not survey.parts:
                survey.parts.append(Part(line=0, texts={}))
            question = Question(line=line.number, texts=said, flags=line.flags)
            survey.parts[-1].questions.append(question)
            if condition is not None:
                message = _("the question below this line is asked only after certain answers")
                remedy = _(
                    "ask everyone, or leave the question out; you can add the condition in the builder later"
                )
                survey.note(condition.number, message, remedy, asks="keep", target=question.line)
                condition = None
        elif line.role == "plain" and not survey.parts and introduces:
            survey.introduction.append(line.text)
        elif not survey.parts or not survey.parts[-1].questions:
            remedy = _("write a question above it, or # in front of a heading")
            survey.note(line.number, _("this line does not belong to a question"), remedy, effect=LOST)
        elif role == "help":
            survey.parts[-1].questions[-1].help = said
        else:
            question = survey.parts[-1].questions[-1]
            question.options.append(Option(line=line.number, texts=said))
            question.flags |= {"coded"} if line.style.startswith(("(", "（")) else set()
    if survey.introduction:
        between = "" if language.startswith("zh") else " "
        survey.about["purpose"] = {language: between.join(survey.introduction)}
    return survey


def _note_layout(survey: Questionnaire, line: PastedLine) -> None:
    """Note layout instructions that no survey here can follow."""
    questions = survey.parts[-1].questions if survey.parts else []
    if line.role == "codes" and questions:
        questions[-1].flags |= {"coded"}
    elif line.role in _LAYOUT:
        survey.note(line.number, *map(str, _LAYOUT[line.role]))


def _asks(line: PastedLine) -> bool:
    return _ASKS_BACKWARDS.match(line.text[::-1]) is not None


def _role_of(
    line: PastedLine, ahead: PastedLine | None, survey: Questionnaire, *, has_numbers: bool, after_gap: bool
) -> str:
    is_first = not survey.title and not survey.parts
    if line.role in ("plain", "heading") and is_first and not (line.role == "plain" and _asks(line)):
        return "title"
    if line.role != "plain":
        return line.role
    if _asks(line) and not (has_numbers and survey.questions):
        return "question"
    if not after_gap:
        return "option"
    if not has_numbers:
        return "question"
    # Between numbered questions, a lone line above the next one is a heading.
    return "heading" if ahead is not None and ahead.role == "question" else "option"


def joined(first: Questionnaire, second: Questionnaire) -> Questionnaire:
    """Return one outline in both languages, paired by position; note what has no counterpart."""
    survey = Questionnaire(
        title=first.title | second.title,
        about={
            name: first.about.get(name, {}) | second.about.get(name, {})
            for name in dict.fromkeys([*first.about, *second.about])
        },
        notes=[*first.notes, *second.notes],
    )
    earlier, other = first.questions, second.questions
    if len(earlier) != len(other):
        shorter, longer = sorted((earlier, other), key=len)
        survey.note(
            longer[len(shorter)].line,
            _("one language has %(one)s questions, the other %(other)s")
            % {"one": len(earlier), "other": len(other)},
            _("write each question in both languages, in the same order"),
            effect=LOST,
        )
    for mine, theirs in zip(earlier, other, strict=False):
        mine.texts |= theirs.texts
        mine.help |= theirs.help
        mine.flags |= theirs.flags
        _join_options(mine, theirs, survey)
    for part, theirs_part in zip(first.parts, second.parts, strict=False):
        part.texts |= theirs_part.texts
        part.flags |= theirs_part.flags
    survey.parts = first.parts
    return survey


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


def note_missing(survey: Questionnaire, languages: Sequence[str]) -> None:
    """Note the parts of a complete survey that an outline lacks, in each of its languages."""
    if not survey.title:
        survey.note(1, _("the survey has no title"), _("write it in the first line"), effect=WRONG)
    if not survey.questions:
        remedy = _("number the questions, or end them with a question mark")
        survey.note(0, _("there is no question"), remedy, effect=WRONG)
    texts = [(1, survey.title)] if survey.title else []
    for part in survey.parts:
        texts += [(part.line, part.texts)] if part.line else []
        for question in part.questions:
            texts.append((question.line, question.texts))
            texts += [(option.line, option.texts) for option in question.options]
    for line, said in texts:
        for tag in languages:
            if not said.get(tag):
                message = _("it is not written in %(language)s") % {"language": language_of(tag).name}
                remedy = _("write it after a | on the same line, or on the line below")
                survey.note(line, message, remedy, effect=WRONG)


UNKNOWN: Final = "und"
"""The language of a text while nobody has said which one it is."""


def pasted_read(pasted: str, languages: Sequence[str] = ()) -> Questionnaire:
    """Return the questionnaire of a typed or pasted text.

    Parameters
    ----------
    pasted : str
        Title, numbered questions, options as lines below; see `surveys.imports.lines`.
    languages : sequence of str
        One or two; empty to detect English and Chinese from the text.

    Examples
    --------
    >>> survey = pasted_read("Sleep\\n1. Do you sleep badly?\\n2. How old are you?\\n- under 30\\n- older")
    >>> [(question.kind, question.is_protected) for question in survey.questions]
    [('yes_no', True), ('single', False)]
    """
    read = pasted[:MOST_CHARACTERS]
    lines = lines_of(read)
    stated = tuple(languages) or languages_of(lines)
    languages = stated or (UNKNOWN,)
    numbered = shaped(read) if len(languages) == 1 else list(enumerate(lines, start=1))
    streams = streams_of(numbered, languages)
    is_ambiguous = streams is None
    if streams is None:
        languages, streams = languages[:1], streams_of(shaped(read), languages[:1]) or []
    survey = outline_of(streams[0], languages[0])
    if len(streams) == 2:
        survey = joined(survey, outline_of(streams[1], languages[1]))
    survey.languages = tuple(languages)
    if len(pasted) > MOST_CHARACTERS:
        survey.note(
            len(lines),
            _("the text has %(count)s characters; the rest was not read") % {"count": len(pasted)},
            _("keep to at most %(most)s") % {"most": MOST_CHARACTERS},
            effect=LOST,
        )
    if is_ambiguous:
        survey.note(
            0,
            _("the two languages cannot be distinguished"),
            _("write them side by side with | between, or one after the other below a line of ==="),
            effect=WRONG,
        )
    if not stated:
        survey.ask_language()
    for part in survey.parts:
        for question in part.questions:
            decide_kind(question, survey)
            decide_protection(question, part)
    note_missing(survey, languages)
    survey.notes.sort(key=lambda note: note.line)
    return survey
