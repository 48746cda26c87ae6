"""A pasted text as a questionnaire: its lines, their outline, and what each question asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from django.utils.translation import gettext as _

from surveys.imports.answers import decide_kind
from surveys.imports.lines import MOST_CHARACTERS, languages_of, lines_of, shaped, streams_of
from surveys.imports.outline import joined, note_missing, outline_of
from surveys.imports.questionnaire import LOST, UNCLEAR, Note, Question, Questionnaire, Texts
from surveys.imports.rules import decide_protection, draft_of

__all__ = ["UNKNOWN", "Reading", "pasted_read"]

UNKNOWN: Final = "und"
"""The language of a text while nobody has said which one it is."""


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a source says, and the draft that it makes."""

    survey: Questionnaire

    @cached_property
    def document(self) -> dict[str, Any] | None:
        """The draft; None where no question of the source can be asked."""
        return draft_of(self.survey)

    @property
    def questions(self) -> list[Question]:
        """All questions, in order."""
        return self.survey.questions

    @property
    def notes(self) -> list[Note]:
        """What is changed, lost, unclear or wrong, in the order of the lines."""
        return sorted(self.survey.notes, key=lambda note: note.line)

    @property
    def unclear(self) -> list[Note]:
        """What has to be answered before the draft is made."""
        return [note for note in self.notes if note.effect == UNCLEAR]

    @property
    def languages(self) -> tuple[str, ...]:
        """Its languages, the first one first."""
        return self.survey.languages

    @property
    def title(self) -> Texts:
        """Its title by language."""
        return self.survey.title


def pasted_read(pasted: str, languages: Sequence[str] = ()) -> Reading:
    """Return the reading of a typed or pasted text.

    Parameters
    ----------
    pasted : str
        Title, numbered questions, options as lines below; see `surveys.imports.lines`.
    languages : sequence of str
        One or two; empty to tell English and Chinese from the text.

    Examples
    --------
    >>> reading = pasted_read("Sleep\\n1. Do you sleep badly?\\n2. How old are you?\\n- under 30\\n- older")
    >>> [(question.kind, question.is_protected) for question in reading.questions]
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
            _("the two languages cannot be told apart"),
            _("write them side by side with | between, or one after the other below a line of ==="),
        )
    if not stated:
        survey.note(
            0,
            _("the text seems to be neither English nor Chinese"),
            _("choose its language"),
            effect=UNCLEAR,
            asks="language",
        )
    for part in survey.parts:
        for question in part.questions:
            decide_kind(question, survey)
            decide_protection(question, part)
            if question.kind == "number" and question.wordings:
                question.wordings = {}
                survey.note(
                    question.line,
                    _("a number is asked in the same words of everybody"),
                    _("leave out the lines of groups below it, or ask with options"),
                    effect=LOST,
                )
    note_missing(survey, languages)
    return Reading(survey=survey)
