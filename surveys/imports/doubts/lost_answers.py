"""Words of a legend that became no answer: *X = does not apply, 0 = never, 1 = often*."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.drafts.questionnaire import Questionnaire, labels_of
from surveys.imports.lines.source_lines import HEADING, INTRODUCTION, SCALE, TITLE, SourceLine
from surveys.imports.lines.used_lines import is_understood
from surveys.imports.words.patterns import AND_OR, POINTS

_CODED: Final = re.compile(r"[=＝]|[(（\[]\s?[-–+]?\d{1,2}\s?[)）\]]|\d\s?[)）]|\d\s[–—-]\s")
"""Signs of codes in a legend."""
_LEAD: Final = re.compile(r"[,;:.(（\[|，；：。、！？!?…]")
"""Signs in front of the first answer of a legend."""
_OWN_CODE: Final = re.compile(r"(?:^|.*\W)(?:[-–+]?\d{1,2}|[^\W\d_]{1,3})", re.DOTALL)
"""A code at the end of a text."""
_BEFORE_COLON: Final = re.compile(r"[^,;()（）:：;=＝]{1,60}[:：]")
_NEXT_SENTENCE: Final = re.compile(r"[.!?]\s|[。！？]")
_PIECES: Final = re.compile(r"[,;/|，；、،()（）\[\]=＝\d]+|\s[-–—]\s")
_ROLES: Final = (SCALE, HEADING, TITLE, INTRODUCTION)
_STEP: Final = re.compile(r"-?\d{1,2} – ")
"""The number of a step in front of its words."""
_KEY: Final = re.compile(
    r"(?<![^\W_])[^\W\d_]{1,3}\s?(?:[=＝:：(（\[–—-]\s?)?;|;\s?[=＝:：(（\[–—-]\s?[^\W\d_]{1,3}(?!\w)"
)
"""The code of an answer, and the sign in place of this answer."""
_WORDS: Final = re.compile(rf"(?:\s|^)(?:{AND_OR}|{POINTS})(?=\s|$)", re.IGNORECASE)
"""Words that are no answers."""
_EDGES: Final = " .:：。…|"
_LETTERS: Final = re.compile(r"[^\W\d_]{2}|[\u3400-\u9fff]")


def lost_answers(
    survey: Questionnaire, texts: Sequence[str], source: Sequence[SourceLine]
) -> dict[int, list[str]]:
    """Return what legends with codes say that no answer has, by the line of the legend.

    Words in front of the first answer and sentences behind the last one are no part of a legend.

    Parameters
    ----------
    survey : Questionnaire
    texts : sequence of str
        All lines of the text.
    source : sequence of SourceLine
        Lines that are not blank, with their roles.
    """
    labels = {_STEP.sub("", label) for question in survey.questions for label in labels_of(question)}
    known = sorted({label.casefold() for label in labels if _LETTERS.search(label)}, key=len, reverse=True)
    found: dict[int, list[str]] = {}
    for line in source:
        text = texts[line.number - 1] if 0 < line.number <= len(texts) else ""
        is_legend = line.role in _ROLES and len(_CODED.findall(text)) > 1
        if is_legend and (lost := _lost_in(text.casefold(), known)):
            found[line.number] = lost
    return found


def _lost_in(text: str, labels: Sequence[str]) -> list[str]:
    """Return the pieces of a legend that are no labels.

    >>> _lost_in("choose. x = skipped, 0 = no, 1 = yes", ["yes", "no"])
    ['skipped']
    """
    coded = _CODED.search(text)
    if coded is None or not any(label in text for label in labels):
        return []
    first = _LEAD.split(text[: coded.start()])[-1].strip()
    if _OWN_CODE.fullmatch(first) or any(map(first.endswith, labels)):
        first = ""
    rest = f"{first} {text[coded.start() :]}"
    end = max(rest.rfind(label) + len(label) for label in labels if label in rest)
    following = _NEXT_SENTENCE.search(rest, end)
    rest = rest[: following.start()] if following else rest
    for label in labels:
        rest = rest.replace(label, ";")
    rest = _BEFORE_COLON.sub(";", _KEY.sub(";", rest))
    pieces = (_WORDS.sub(" ", piece.strip(_EDGES)).strip(_EDGES) for piece in _PIECES.split(rest))
    return [piece for piece in pieces if _LETTERS.search(piece) and not is_understood(piece)]
