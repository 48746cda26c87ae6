"""Drafts with tick-all questions of earlier versions: recognise them, and note their conversion.

Every process reads drafts, so this module does without numpy;
`surveys.questionnaire.multi_conversion`, which converts, does not.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from surveys.models import Survey
from surveys.models.audit_event import audit_event_record
from surveys.models.stored_json import unreadable

MULTI: Final = "multi"
CONVERTED: Final = "draft_convert"
"""The audit event of a draft that was converted when it was opened, with what could not be converted."""


def is_multi(question: object) -> bool:
    """Return whether an entry of a draft, which may be malformed, is a tick-all question with options."""
    return (
        isinstance(question, Mapping)
        and question.get("kind") == MULTI
        and isinstance(question.get("key"), str)
        and isinstance(question.get("options"), list)
        and bool(question["options"])
        and all(
            isinstance(each, Mapping) and isinstance(each.get("key"), str) for each in question["options"]
        )
    )


def blocks_of(document: Any) -> list[Mapping[str, Any]]:
    """Return the parts of a document, which may be malformed, that have a list of questions."""
    blocks = document.get("blocks") if isinstance(document, Mapping) else None
    return [
        block
        for block in (blocks if isinstance(blocks, list) else ())
        if isinstance(block, Mapping) and isinstance(block.get("questions"), list)
    ]


def has_multi(document: object) -> bool:
    """Return whether a draft or a definition file has a tick-all question of the old kind."""
    return any(is_multi(question) for block in blocks_of(document) for question in block["questions"])


def needs_conversion(survey: Survey) -> bool:
    """Return whether a survey was loaded with its draft, and the draft has a tick-all question."""
    if not {"definition", "aim"} <= survey.__dict__.keys() or unreadable(survey.definition, survey.aim):
        return False
    return has_multi(survey.definition)


def set_converted(survey: Survey, *, definition: dict[str, Any], aim: Any, notes: list[str]) -> None:
    """Replace a survey's draft by its conversion; nothing is stored yet."""
    survey.definition, survey.aim = definition, aim
    survey.__dict__["_converted"] = notes


def note_stored(*, instance: Survey, update_fields: Collection[str] | None, **_signal: object) -> None:
    """Record in the audit log what the conversion of a draft changed, when the draft is stored."""
    if update_fields is not None and "definition" not in update_fields:
        return
    if notes := instance.__dict__.pop("_converted", None):
        audit_event_record(
            actor="",
            action=CONVERTED,
            target=instance.slug,
            detail={"not_kept": notes, "survey": instance.pk},
        )


def conversion_notes(survey: Survey) -> list[str]:
    """Return what the conversion of a draft changed that was opened but not stored since; usually nothing."""
    return list(survey.__dict__.get("_converted", ()))
