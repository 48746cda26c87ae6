"""Read a pasted text as a questionnaire: its lines, their outline, and the kind of each answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.imports.answer_blocks import Line
from surveys.imports.lines import (
    ASKED,
    MOST_CHARACTERS,
    PastedLine,
    asks,
    is_sheet,
    languages_of,
    lines_of,
    shape_lines,
    streams_of,
)
from surveys.imports.printed_layouts import POINTS
from surveys.imports.question_kinds import decide_kind
from surveys.imports.questionnaire import (
    LOST,
    WRONG,
    Option,
    Part,
    Question,
    Questionnaire,
    decide_protection,
)
from surveys.imports.scores import propose_scores
from surveys.questionnaire.languages import language_of

_ASKS_YOU: Final = re.compile(
    r"^\W*(do|did|have|had|are|were|can|will|would) you\b|吗\W{0,3}$", re.IGNORECASE
)
_IF_SO: Final = re.compile(
    r"\W*(if (yes|no(?! (one|body)\b)|so|not)\b"
    r"|(falls|wenn) (ja|nein|nicht|zutreffend)\b|si (oui|non|c[’']est le cas)\b"
    r"|en caso (afirmativo|negativo)\b|si (es así|la respuesta es)\b|(se|em caso) (sim|não|afirmativo)\b"
    r"|(如果|若|如)(有|是|选|没有|不是|答)?[^，,]{0,8}[，,])",
    re.IGNORECASE,
)
"""The start of a question that only some people are asked."""
_ASKS_BEFORE_BRACKETS: Final = re.compile(r"[?？]\s?[(（][^()（）]{1,80}[)）]\W{0,3}$")
_LAYOUT: Final = {
    "skip": (
        gettext_lazy("this instruction to skip is not followed: everyone is asked the questions after it"),
        gettext_lazy("in the builder, make a part depend on an answer"),
    ),
    "bare": (
        gettext_lazy("the words of this scale are missing: people choose between bare numbers"),
        gettext_lazy("write them above the items, such as 0 = never, 1 = once, 2 = often"),
    ),
    "other": (
        gettext_lazy("the line to write on is left out; the answer before it stays"),
        gettext_lazy("add the answers that you expect most often"),
    ),
    "left": (gettext_lazy("this line is left out"), gettext_lazy("write it after > if respondents need it")),
    "grid": (gettext_lazy("this grid cannot be read"), gettext_lazy("write each row as one question")),
}
"""Message and remedy for instructions and layouts that are not imported."""


def outline_of(lines: Sequence[PastedLine], language: str) -> Questionnaire:
    """Return the outline of the lines of one language.

    The first line is the title. Numbered lines and lines that end with a question mark are questions. If
    nothing is numbered, so is the first line after a gap. The lines below a question are its options. A
    heading begins a part.
    """
    survey = Questionnaire()
    between = "" if language.startswith("zh") else " "
    n_spaced = 0  # options of the current question that came after a gap
    has_numbers = any(line.role == "question" and line.style != ASKED for line in lines)
    after_gap = True
    condition: PastedLine | None = None
    helps: dict[int, tuple[Question, list[str]]] = {}
    nonblank, position = [*(line for line in lines if line.role != "blank"), None], 0
    for line in lines:
        wording = {language: line.text}
        if line.role == "blank":
            after_gap = True
            continue
        position += 1
        if line.role == "condition":
            condition = line
            continue
        if line.role == "scoring":
            continue
        if line.role in ("depends", "codes", *_LAYOUT):
            _note_layout(survey, line)
            continue
        role = _role_of(line, nonblank[position], survey, has_numbers=has_numbers, after_gap=after_gap)
        if role == "heading" and line.role == "plain" and n_spaced > 1:
            role = "option"
        if role == "option" and line.style != ASKED and never_answers(line.text):
            role = "question"
        n_spaced = n_spaced + after_gap if role == "option" else 0
        after_gap = False
        is_other = role == "option" or (role == "heading" and line.role == "plain")
        if is_other and (asks(line.text) or _ASKS_YOU.search(line.text)):
            remedy = _("if it is a question, number it like the others")
            survey.note(line.number, _("this may be a question, but is not read as one"), remedy)
        # Lines before the first question are the purpose, unless a separate line states it.
        introduces = "purpose" not in survey.about or bool(survey.introduction)
        if role == "title":
            survey.title = wording
        elif role == "about":
            survey.about[line.style] = wording
            if line.style == "purpose" and survey.introduction:
                survey.introduction = [line.text]
        elif role == "heading":
            survey.parts.append(Part(line=line.number, texts=wording, flags=line.flags))
        elif role == "question":
            if not survey.parts:
                survey.parts.append(Part(line=0, texts={}))
            question = Question(line=line.number, texts=wording, flags=line.flags)
            survey.parts[-1].questions.append(question)
            if condition is not None:
                _note_condition(survey, condition, question)
                condition = None
        elif line.role == "plain" and not survey.parts and introduces:
            survey.introduction.append(line.text)
        elif not survey.parts or not survey.parts[-1].questions:
            remedy = _("write a question above it, or # in front of a heading")
            survey.note(line.number, _("this line does not belong to a question"), remedy, effect=LOST)
        elif role == "help":
            question = survey.parts[-1].questions[-1]
            helps.setdefault(question.line, (question, []))[1].append(line.text)
        else:
            question = survey.parts[-1].questions[-1]
            points, _sign, said = line.text.rpartition(POINTS)
            text = said.rstrip(" :：_＿") or said
            code = int(points) if points else line.count if line.style.startswith(("(", "（")) else None
            question.options.append(Option(line=line.number, texts={language: text}, points=code))
            question.flags |= {"coded"} if points else set()
            question.flags |= line.flags & {"square", "round"}
            question.flags |= {"coded"} if line.style.startswith(("(", "（")) else set()
    for question, texts in helps.values():
        question.help = {language: join_lines(between, texts)}
    if survey.introduction:
        survey.about["purpose"] = {language: join_lines(between, survey.introduction)}
    return survey


def never_answers(text: str) -> bool:
    """Return whether a line can be no answer: it asks, or it says who is asked.

    Examples
    --------
    >>> [never_answers(text) for text in ("What? (tick all)", "If so: describe it", "If no one sees it")]
    [True, True, False]
    """
    return asks(text) or _ASKS_BEFORE_BRACKETS.search(text) is not None or _IF_SO.match(text) is not None


def join_lines(between: str, lines: list[str]) -> str:
    """Join the lines of one text, all at once: joining it anew with each line would copy it each time."""
    return between.join(lines)


def _note_layout(survey: Questionnaire, line: PastedLine) -> None:
    """Note instructions and layouts that are not imported."""
    questions = survey.parts[-1].questions if survey.parts else []
    if line.role == "codes" and questions:
        questions[-1].flags |= {"coded"}
    elif line.role == "depends" and questions:
        _note_condition(survey, line, questions[-1])
    elif line.role in _LAYOUT:
        message, remedy = map(str, _LAYOUT[line.role])
        survey.note(line.number, message, remedy, effect=WRONG if line.role == "grid" else "changed")


def _note_condition(survey: Questionnaire, line: PastedLine, question: Question) -> None:
    _note_asked_if(survey, line.number, question)


def _note_asked_if(survey: Questionnaire, line: int, question: Question) -> None:
    message = _("a question is asked only after certain answers")
    remedy = _("ask everyone, or leave the question out; you can add the condition in the builder later")
    survey.note(line, message, remedy, asks="keep", target=question.line)


def _role_of(
    line: PastedLine, ahead: PastedLine | None, survey: Questionnaire, *, has_numbers: bool, after_gap: bool
) -> str:
    if line.role == "heading" and line.flags & {"one", "several", "text", "number"}:
        return "question"
    is_first = not survey.title and not survey.parts
    if is_first and (line.role == "heading" or (line.role == "plain" and not asks(line.text))):
        return "title"
    if line.role != "plain":
        has_answers = ahead is not None and ahead.role in ("option", *["plain"] * (not has_numbers))
        is_asked = line.role == "heading" and asks(line.text) and has_answers
        return "question" if is_asked else line.role
    # Only the last question counts. Listing all of them for each line would take quadratic time.
    between = (
        next((part.questions for part in reversed(survey.parts) if part.questions), []) if has_numbers else []
    )
    is_asked = asks(line.text) and (not between or bool(between[-1].options))
    # Between numbered questions, a single line just before the next question is a heading.
    if has_numbers and after_gap and ahead and ahead.role == "question" and (between or not is_asked):
        return "heading"
    return "question" if is_asked or (after_gap and not has_numbers) else "option"


def join_languages(first: Questionnaire, second: Questionnaire) -> Questionnaire:
    """Merge the outlines of two languages, paired by position; note lines without a counterpart."""
    survey = Questionnaire(
        title=first.title | second.title,
        about={
            name: first.about.get(name, {}) | second.about.get(name, {})
            for name in dict.fromkeys([*first.about, *second.about])
        },
        notes=list(dict.fromkeys([*first.notes, *second.notes])),
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


def _sheet_notes(languages: tuple[str, ...]) -> Questionnaire:
    """Return a questionnaire that only says that the text is a sheet of another tool."""
    survey = Questionnaire(languages=languages or (UNKNOWN,))
    message = _(
        "this looks like a sheet of another tool, with one question in each row, such as a data dictionary"
    )
    remedy = _("paste the questionnaire as people read it, or choose an XLSForm on the page before")
    survey.note(1, message, remedy, effect=WRONG)
    return survey


def note_missing(survey: Questionnaire, languages: Sequence[str]) -> None:
    """Note what a complete survey needs but the outline lacks, in each of its languages."""
    if not survey.title:
        survey.note(1, _("the survey has no title"), _("write it in the first line"), effect=WRONG)
    if not survey.questions:
        remedy = _("number the questions, or end them with a question mark")
        survey.note(0, _("no questions were found"), remedy, effect=WRONG)
    texts = [(1, survey.title)] if survey.title else []
    for part in survey.parts:
        texts += [(part.line, part.texts)] if part.line else []
        for question in part.questions:
            texts.append((question.line, question.texts))
            texts += [(option.line, option.texts) for option in question.options]
    for line, wording in texts:
        for tag in languages:
            if not wording.get(tag):
                message = _("it is not written in %(language)s") % {"language": language_of(tag).name}
                remedy = _("write it after a | on the same line, or on the line below")
                survey.note(line, message, remedy, effect=WRONG)


UNKNOWN: Final = "und"
"""Stands for the language of a text until the user states it."""


def read_paste(text: str, languages: Sequence[str] = ()) -> Questionnaire:
    """Return the questionnaire in a typed or pasted text.

    Parameters
    ----------
    text : str
        Title, numbered questions, options on the lines below; see `surveys.imports.lines`.
    languages : sequence of str
        One or two; empty to detect English and Chinese from the text.

    Examples
    --------
    >>> survey = read_paste("Sleep\\n1. Do you sleep badly?\\n2. How old are you?\\n- under 30\\n- older")
    >>> [(question.kind, question.is_protected) for question in survey.questions]
    [('yes_no', True), ('single', False)]
    >>> read_paste("Sleep\\n1. Bad?\\n> At night.\\n>\\n> At home.").questions[0].help
    {'en': 'At night. At home.'}
    """
    read = text[:MOST_CHARACTERS]
    if is_sheet(read):
        return _sheet_notes(tuple(languages))
    lines = lines_of(read)
    own_tags = tuple(languages) or languages_of(lines)
    languages = own_tags or (UNKNOWN,)
    is_shaped = len(languages) == 1 or not any("\t" in line for line in lines)
    line_pairs = shape_lines(read) if is_shaped else list(enumerate(lines, start=1))
    streams = streams_of(line_pairs, languages)
    is_ambiguous = streams is None
    if streams is None:
        languages, streams = languages[:1], streams_of(shape_lines(read), languages[:1]) or []
    survey = outline_of(streams[0], languages[0])
    if len(streams) == 2:
        survey = join_languages(survey, outline_of(streams[1], languages[1]))
    survey.languages = tuple(languages)
    if len(text) > MOST_CHARACTERS:
        survey.note(
            len(lines),
            _("the text has %(count)s characters; the rest was not read") % {"count": f"{len(text):,}"},
            _("keep to at most %(most)s") % {"most": f"{MOST_CHARACTERS:,}"},
            effect=LOST,
        )
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
    if not own_tags:
        survey.ask_language()
    conditional = {note.target for note in survey.notes if note.asks == "keep"}
    has_rounds = any("round" in question.flags for question in survey.questions)
    for part in survey.parts:
        for question in part.questions:
            question.flags |= {"boxes"} if has_rounds and "square" in question.flags else set()
            decide_kind(question, survey)
            begins = any(_IF_SO.match(text) for text in question.texts.values())
            if begins and question.line not in conditional:
                _note_asked_if(survey, question.line, question)
    propose_scores(survey, [Line(line.number, line.text) for line in streams[0] if line.role == "scoring"])
    decide_protection(survey)
    note_missing(survey, languages)
    survey.notes.sort(key=lambda note: note.line)
    return survey
