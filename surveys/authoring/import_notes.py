"""Changes by an import, as the builder shows them: the notes on the import that are still true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from surveys.authoring.restored_saves import RESTORED, lineage_in
from surveys.models import AuditEvent, Survey
from surveys.questionnaire.multi_drafts import CONVERTED, blocks_of, conversion_notes

_MOST: Final = 500
"""Largest number of notes on an import in an audit event."""
_TEXTS, _KEYS, _ASSUMED = "not_kept", "not_kept_questions", "not_kept_while"
"""Members of the event's detail: texts, and for each its question and what it says about it, or ""."""
IMPORTS: Final = ("draft_create", "draft_save")
"""Actions of the events that record an import."""

Assumed = Literal["", "stored", "everyone", "asked"]


@dataclass(frozen=True, kw_only=True)
class ImportNote:
    """A difference between a source and the draft made from it.

    Parameters
    ----------
    text : str
    key : str
        Key of the question in the draft; empty if the note does not depend on the draft.
    assumed : str
        Until when the note is true: while the question is ``stored`` as answered, while ``everyone`` is asked
        it, or while it is ``asked``.
    """

    text: str
    key: str = ""
    assumed: Assumed = ""

    def is_true(self, document: object) -> bool:
        """Return whether the note still describes a draft, which may be malformed.

        >>> part = {"protected": True, "questions": [{"key": "often"}]}
        >>> ImportNote(text="stored", key="often", assumed="stored").is_true({"blocks": [part]})
        False
        """
        if not self.key:
            return True
        blocks = [
            block
            for block in blocks_of(document)
            if any(isinstance(each, Mapping) and each.get("key") == self.key for each in block["questions"])
        ]
        return any(
            (self.assumed != "stored" or block.get("protected") is False)
            and (self.assumed != "everyone" or not block.get("asked_if"))
            for block in blocks
        )


def notes_detail(survey: Survey, notes: Sequence[ImportNote]) -> dict[str, Any]:
    """Return the detail of an import's audit event."""
    kept = notes[:_MOST]
    return {
        _TEXTS: [note.text for note in kept],
        _KEYS: [note.key for note in kept],
        _ASSUMED: [note.assumed for note in kept],
        "survey": survey.pk,
    }


def draft_notes(survey: Survey) -> tuple[str, ...]:
    """Return the changes by the draft's import and later conversions that are still true of the draft."""
    # By its number, because a deleted draft of someone else may have had the same address.
    events = list(
        AuditEvent.objects.filter(action__in=(*IMPORTS, CONVERTED), detail__survey=survey.pk).order_by("pk")
    )
    lineage = lineage_in(survey, (event.detail for event in events))
    notes: list[ImportNote] = []
    revision = 0
    for event in events:
        if event.action in IMPORTS:
            revision = event.detail.get("revision", 1)
        if RESTORED in event.detail or revision not in lineage:
            # These notes are about a save that the draft no longer contains.
            continue
        texts = event.detail.get(_TEXTS, [])
        blank = [""] * len(texts)
        found = zip(texts, event.detail.get(_KEYS, blank), event.detail.get(_ASSUMED, blank), strict=True)
        own = [ImportNote(text=text, key=key, assumed=assumed) for text, key, assumed in found]
        notes = own if event.action in IMPORTS else notes + own
    true = [note.text for note in notes if note.is_true(survey.definition)]
    return (*true, *conversion_notes(survey))
