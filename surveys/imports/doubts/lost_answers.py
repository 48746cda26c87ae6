"""Words of a legend that became no answer: *X = does not apply, 0 = never, 1 = often*."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.drafts.questionnaire import Questionnaire, labels_of
from surveys.imports.lines.source_lines import SCALE, SourceLine
from surveys.imports.lines.used_lines import is_understood
from surveys.imports.words.patterns import AND_OR, POINTS

_CODED: Final = re.compile(r"[=＝]|[(（\[]\s?[-–+]?\d{1,2}\s?[)）\]]|\d\s?[)）]")
"""Signs of codes in a legend."""
_LEAD: Final = re.compile(r"[:：.。!！?？]\s|[:：。！？]")
"""The end of a text in front of a legend."""
_PIECES: Final = re.compile(r"[,;/|，；、،()（）\[\]=＝\d]+|\s[-–—]\s")
_KEY: Final = re.compile(
    r"(?<![^\W_])[^\W\d_]{1,3}\s?(?:[=＝:：(（\[–—-]\s?)?;|;\s?[=＝:：(（\[–—-]\s?[^\W\d_]{1,3}(?!\w)"
)
"""The code of an answer, and the sign in place of this answer."""
_WORDS: Final = re.compile(rf"(?:\s|^)(?:{AND_OR}|{POINTS})(?=\s|$)", re.IGNORECASE)
"""Words that are no answers."""
_LETTERS: Final = re.compile(r"[^\W\d_]{2}|[\u3400-\u9fff]")


def lost_answers(
    survey: Questionnaire, texts: Sequence[str], source: Sequence[SourceLine]
) -> dict[int, list[str]]:
    """Return what legends with codes say that no answer has, by the line of the legend.

    Words up to the last colon or full stop in front of the first answer are no part of a legend.

    Parameters
    ----------
    survey : Questionnaire
    texts : sequence of str
        All lines of the text.
    source : sequence of SourceLine
        Lines that are not blank, with their roles.
    """
    labels = {label for question in survey.questions for label in labels_of(question)}
    known = sorted({label.casefold() for label in labels if _LETTERS.search(label)}, key=len, reverse=True)
    found: dict[int, list[str]] = {}
    for line in source:
        text = texts[line.number - 1] if 0 < line.number <= len(texts) else ""
        if line.role == SCALE and _CODED.search(text) and (lost := _lost_in(text.casefold(), known)):
            found[line.number] = lost
    return found


def _lost_in(text: str, labels: Sequence[str]) -> list[str]:
    """Return the pieces of a legend that are no labels.

    >>> _lost_in("choose. x = skipped, 0 = no, 1 = yes", ["yes", "no"])
    ['skipped']
    """
    places = [place for label in labels if (place := text.find(label)) >= 0]
    if not places:
        return []
    coded = _CODED.search(text)
    start = min(*places, coded.start() if coded else len(text))
    lead = [match.end() for match in _LEAD.finditer(text, 0, start)]
    rest = text[max(lead, default=0) :]
    for label in labels:
        rest = rest.replace(label, ";")
    rest = _KEY.sub(";", rest)
    pieces = (_WORDS.sub(" ", piece).strip(" .:：。") for piece in _PIECES.split(rest))
    return [piece for piece in pieces if _LETTERS.search(piece) and not is_understood(piece)]
