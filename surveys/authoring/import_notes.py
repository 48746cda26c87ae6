"""Changes by an import, as the builder shows them: the notes on the import that are still true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from surveys.authoring.accounted_lines import line_quote, source_lines
from surveys.authoring.restored_saves import RESTORED, lineage_in, save_with_text
from surveys.formats.joints import answer_text
from surveys.models import AuditEvent, Survey
from surveys.questionnaire.multi_drafts import CONVERTED, blocks_of, conversion_notes

_MOST: Final = 500
"""Largest number of notes on an import in an audit event."""
_TEXTS, _KEYS, _ASSUMED, _LINES = "not_kept", "not_kept_questions", "not_kept_while", "not_kept_lines"
"""Members of the event's detail: texts, and for each its question, what it says about it, and its line."""
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
    line : int
        Number of the line of the text to quote with the note; 0 for none. The audit log keeps no texts.
    """

    text: str
    key: str = ""
    assumed: Assumed = ""
    line: int = 0

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
        _LINES: [note.line for note in kept],
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
        members = (event.detail.get(name, blank) for name in (_KEYS, _ASSUMED))
        numbers = event.detail.get(_LINES, [0] * len(texts))
        found = zip(texts, *members, numbers, strict=True)
        own = [
            ImportNote(text=text, key=key, assumed=assumed, line=line) for text, key, assumed, line in found
        ]
        notes = own if event.action in IMPORTS else notes + own
    true = [note for note in notes if note.is_true(survey.definition)]
    return (*_with_quotes(true, survey), *conversion_notes(survey))


def _with_quotes(notes: Sequence[ImportNote], survey: Survey) -> Iterator[str]:
    """Yield the texts of notes, each after the line of the draft's text that it is about."""
    save = save_with_text(survey) if any(note.line for note in notes) else None
    lines = source_lines(save.pasted) if save is not None else []
    for note in notes:
        quote = line_quote(lines, note.line) if note.line else ""
        yield answer_text(quote, note.text) if quote else note.text
