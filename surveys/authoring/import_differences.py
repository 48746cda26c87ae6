"""The differences between a source and the survey read from it, in groups for the import report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from surveys.authoring.accounted_lines import line_quote
from surveys.imports.drafts.questionnaire import LOST, STORED, UNCERTAIN, UNCLEAR, Note
from surveys.imports.lines.used_lines import LEFT_OUT

EXAMPLES: Final = 3
"""Places of a kind that the report shows in words."""
_MOST_PLACES: Final = 60
"""Largest number of lines that one note names."""
_MOST_REST: Final = 1_000
"""Largest number of further places that can be opened."""

EFFECTS: Final = {
    "lost": gettext_lazy("Left out"),
    "wrong": gettext_lazy("To complete in the builder"),
    "changed": gettext_lazy("Changed"),
}


def effect_of(note: Note) -> str:
    """Return the effect of a note as readers see it: a line is called left out, not changed."""
    return LOST if note.cause == LEFT_OUT else note.effect


def note_groups(notes: Sequence[Note], lines: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Group notes by cause, losses first. A group has the message that all share, or one with each place.

    A few lines are quoted; of more, only the numbers are given. Places after the first few are the rest.
    """
    causes: dict[tuple[str, str], list[Note]] = {}
    for note in notes:
        if note.effect not in (UNCLEAR, STORED, UNCERTAIN):
            causes.setdefault((effect_of(note), note.cause), []).append(note)
    for (effect, _cause), same in sorted(causes.items(), key=lambda item: list(EFFECTS).index(item[0][0])):
        is_one = len({note.message for note in same}) == 1
        has_remedy = len({note.remedy for note in same}) == 1
        are_lines = is_one and all(note.line and not note.where for note in same)
        shown = same[: _MOST_PLACES if are_lines else EXAMPLES]
        said = [
            (_place(note), _sentences([note.message] * (not is_one) + [note.remedy] * (not has_remedy)))
            for note in same
        ]
        yield {
            "effect": EFFECTS[effect],
            "is_lost": effect == LOST,
            "message": same[0].message if is_one else "",
            "examples": [(f"{_lines_text([note])} {line_quote(lines, note.line)}", "") for note in shown]
            if are_lines and len(same) <= EXAMPLES
            else [(_lines_text(shown), "")]
            if are_lines
            else said[: len(shown)],
            "rest": said[len(shown) : len(shown) + _MOST_REST],
            "more": len(same) - len(shown),
            "remedy": same[0].remedy if has_remedy else "",
        }


def _sentences(texts: Sequence[str]) -> str:
    """Join texts as sentences, each with a capital and an end."""
    end = pgettext("end of a sentence", ".")
    return " ".join(f"{capfirst(text)}{end}" for text in texts if text)


def _lines_text(notes: Sequence[Note]) -> str:
    """Return the lines of notes, in words."""
    own = [str(note.line) for note in notes]
    return ngettext("Line %(lines)s", "Lines %(lines)s", len(own)) % {"lines": ", ".join(own)}


def _place(note: Note) -> str:
    """Return the place of a note; empty for the source as a whole."""
    return note.where or (_("Line %(line)s") % {"line": note.line} if note.line else "")
