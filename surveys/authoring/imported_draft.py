"""Store a questionnaire that was read: a new draft, or parts of one it replaces, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from privacy.survey.design import STRENGTH
from surveys.accounts.authorship import by_and_now
from surveys.accounts.permissions import get_survey_for_builder
from surveys.authoring.draft_once import NewDraft, make_draft
from surveys.authoring.drafts import draft_save, for_practice
from surveys.authoring.import_notes import Assumed, ImportNote
from surveys.authoring.readable import laid_out
from surveys.authoring.restored_saves import save_with_text
from surveys.authoring.survey_address import titled_slug
from surveys.formats.joints import labelled, list_text
from surveys.imports.drafts.imported_drafts import draft_and_keys
from surveys.imports.drafts.kept_keys import keep_keys
from surveys.imports.drafts.protection import lost_conditions
from surveys.imports.drafts.questionnaire import LOST, SEVERAL, STORED, WRONG, Note, Question, Questionnaire
from surveys.imports.lines.used_lines import LEFT_OUT
from surveys.imports.pasted_text import NO_TITLE, read_paste
from surveys.models import Survey
from surveys.questionnaire.arms import EXPLANATIONS, INVITED
from surveys.questionnaire.composites import SET_ASIDE
from surveys.questionnaire.headings import HEADINGS
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.stems import STEMS
from surveys.questionnaire.survey_title import stated_title

_OF_QUESTIONS: Final = (
    "languages",
    "title",
    "blocks",
    "rotations",
    *(STEMS, HEADINGS, SET_ASIDE, EXPLANATIONS),
)
"""Members of a draft that contain its questions or refer to them."""


@dataclass(frozen=True, kw_only=True)
class Origin:
    """Where a questionnaire comes from, and which draft it becomes.

    Parameters
    ----------
    source : str
        For the audit log.
    slug : str
        Address of the survey that it replaces, or of a new one; empty to derive it from the title.
    revision : int or None
        Revision of the survey that it replaces; None for a new survey.
    pasted : str
        The pasted text, if it was read from one.
    file : str
        Digest of the content of the file, if it was read from one.
    titles : mapping of str to str
        Titles that the researcher wrote in the report, by language.
    roles : mapping of str to str
        Roles that the researcher chose for its lines, by line number.
    roles_before : mapping of str to str
        The roles in the previous reading, to which one button returns.
    read_before : mapping of str to str
        By line number, the previous role of each line whose role changed without a person's choice.
    changed : mapping of str to str
        Questions that the researcher changed, by line number, each with its text.
    conditions : mapping of str to str
        Conditions that the researcher chose, by line number of their question
        (`surveys.imports.corrections.condition_choices.apply_choices`).
    decided : mapping of str to mapping
        The option chosen for each settled point (`surveys.authoring.former_choices`).
    """

    source: str
    slug: str = ""
    revision: int | None = None
    pasted: str = ""
    file: str = ""
    titles: Mapping[str, str] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    roles_before: Mapping[str, str] = field(default_factory=dict)
    read_before: Mapping[str, str] = field(default_factory=dict)
    changed: Mapping[str, str] = field(default_factory=dict)
    conditions: Mapping[str, str] = field(default_factory=dict)
    decided: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@transaction.atomic
def create_draft(
    request: HttpRequest,
    reading: Questionnaire,
    origin: Origin,
    *,
    choices: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """Save a questionnaire without unclear points as a draft, and redirect to its plan or its builder.

    Ask first if the same text or file already made a draft.

    Parameters
    ----------
    request, reading, origin
    choices : mapping, optional
        Choices in the import report, stored with the text (`surveys.authoring.former_choices`).

    Raises
    ------
    SurveyError, DefinitionError
        As for `draft_create` and `draft_save`.
    """
    survey = get_survey_for_builder(request.user, origin.slug) if origin.revision is not None else None
    if survey is not None:
        versions = survey.versions.order_by("-pk").values_list("definition", flat=True)
        keep_keys(reading, [survey.definition, *versions])
    document, keys = draft_and_keys(reading)
    if survey is not None and origin.revision is not None:
        survey = draft_save(
            survey,
            laid_out(
                survey, replaced_questions(survey.definition, document, texts_before=_texts_read(survey))
            ),
            revision=origin.revision,
            pasted=origin.pasted,
            not_kept=_differences(reading, keys),
            **by_and_now(request),
        )
        if origin.pasted and choices is not None:
            survey.draft_revisions.filter(revision=survey.revision).update(choices=dict(choices))
        messages.success(
            request,
            _("The draft was created from the text. The previous draft is in the list of earlier saves."),
        )
        return redirect("authoring:builder", origin.slug)
    new = NewDraft(
        document=for_practice(document) if origin.pasted else document,
        slug=origin.slug or titled_slug(reading.title),
        source=origin.source,
        not_kept=tuple(_differences(reading, keys)),
        pasted=origin.pasted,
        read_from=origin.file,
        choices=choices,
        following="plan",
    )
    return make_draft(request, new)


def _texts_read(survey: Survey) -> Mapping[str, Mapping[str, str]]:
    """Return the texts about a survey that its last pasted text stated."""
    last = save_with_text(survey)
    if last is None:
        return {}
    read = Questionnaire.from_json(last.choices["survey"]) if last.choices else read_paste(last.pasted, ())
    return read.about


_QUOTED: Final = (LEFT_OUT,)
"""Causes of notes on lines that no question of the draft shows; the builder quotes them."""


def _differences(reading: Questionnaire, keys: Mapping[int, str]) -> list[ImportNote]:
    """List differences between the reading and the draft, in words for the builder's page.

    Parameters
    ----------
    reading : Questionnaire
    keys : mapping of int to str
        Keys of the draft's questions by line.
    """
    notes: list[tuple[Note, Assumed]] = [
        (note, "stored" if note.effect == STORED else "")
        for note in reading.notes
        if note.effect in (LOST, STORED, WRONG, "changed") and not (note.cause == NO_TITLE and reading.title)
    ]
    notes += [
        (Note(line=question.line, message=_everyone_text(question, deciders), remedy=""), "everyone")
        for question, deciders in lost_conditions(reading)
    ]
    lists = _("its answers became a list, and people answer each with yes or no")
    notes += [
        (Note(line=each.line, message=lists, remedy=""), "asked")
        for each in reading.questions
        if each.kind == SEVERAL
    ]
    return [
        ImportNote(
            text=labelled(note.where, note.message)
            if note.where
            else (_("line %(line)s: %(message)s") if note.line else _("the text: %(message)s"))
            % {"line": note.line, "message": note.message},
            line=note.line if not note.where and (note.cause in _QUOTED or note.effect == LOST) else 0,
            key=keys.get(note.line, "") if assumed else "",
            assumed=assumed,
        )
        for note, assumed in sorted(notes, key=lambda each: each[0].line)
    ]


def _everyone_text(question: Question, deciders: Sequence[Question]) -> str:
    """Say that a question is asked of more people, because a protected question decided who is asked."""
    return _(
        "“%(question)s” is no longer asked only after certain answers to %(others)s: these are protected"
    ) % {
        "question": text_in(question.texts),
        "others": list_text(f"“{text_in(each.texts)}”" for each in deciders),
    }


def replaced_questions(
    draft: Mapping[str, Any],
    document: Mapping[str, Any],
    *,
    texts_before: Mapping[str, Mapping[str, str]] | None = None,
) -> dict[str, Any]:
    """Return a draft with the questions of a text instead of its own.

    Parameters
    ----------
    draft : mapping
        It may be malformed.
    document : mapping
        The draft of the text alone.
    texts_before : mapping, optional
        Texts about the survey that the former text stated, by name and language. Unless changed since,
        they are removed with that text.

    Returns
    -------
    dict
        Members that concern questions come from the text, or are missing. Settings are kept, and
        so are texts about the survey that the text does not state.
    """
    about: Any = draft.get("about")
    about = about if isinstance(about, dict) else {}
    stale = {name: dict(texts) for name, texts in (texts_before or {}).items()}
    about = {
        name: texts for name, texts in about.items() if not stale.get(name) or _filled(texts) != stale[name]
    }
    texts_by_name = {name: texts for name, texts in document["about"].items() if any(texts.values())}
    without = {name: value for name, value in draft.items() if name not in _OF_QUESTIONS}
    if without.get(INVITED) not in (STRENGTH, *(block["key"] for block in document["blocks"])):
        without.pop(INVITED, None)
    stated = {name: document[name] for name in _OF_QUESTIONS if name in document}
    if stated_title(document.get("title")) is None and stated_title(draft.get("title")) is not None:
        # The text has no title, so the one that was written since stays.
        stated["title"] = document.get("title", {}) | draft["title"]
    return without | stated | {"about": document["about"] | about | texts_by_name}


def _filled(texts: object) -> dict[str, str]:
    return {tag: text for tag, text in texts.items() if text} if isinstance(texts, dict) else {}
