"""Lines about a survey as a whole: its title, purpose, contact and others, which begin with a label.

They are above the first question, or are the last lines of a text. `cues.tsv` lists the labels, in the
languages of respondents.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from surveys.imports.lines.source_lines import ABOUT, LEFT, TITLE, SourceLine, ends_sentence, split_space
from surveys.imports.words.cues import pattern_of, words_of
from surveys.imports.words.patterns import SPACE_TO_WRITE
from surveys.imports.words.question_marks import asks

_LABELLED: Final = re.compile(r"(?P<label>[^:：.?!。？！]{2,60})[:：](?!//)(?P<text>.*)")
_OWN_FIELD: Final = pattern_of("own-field")
_OFFICE_USE: Final = pattern_of("office-use")
_TITLE: Final = "title"
_MOST_WORDS: Final = 4
_MOST_LETTERS: Final = 40
_LONGEST_TITLE: Final = 120


def _plain(label: str) -> str:
    """Return a label without what writers vary: capital letters, apostrophes and blanks."""
    # Lower-case İ is an i with a dot of its own; capital ı is I.
    small = label.lower().replace("i\u0307", "i").replace("ı", "i").replace("’", "'")
    return " ".join(small.split())


_TOPIC_OF: Final = {_plain(label): topic for label, topic in words_of("about-").items()}


def labelled(text: str) -> tuple[str, str] | None:
    """Return the topic that a label at the beginning of a line names, and the rest of the line.

    Examples
    --------
    >>> labelled("Zweck: Wir möchten lernen."), labelled("İLETİŞİM: a@example.org"), labelled("Also: this")
    (('purpose', 'Wir möchten lernen.'), ('contact', 'a@example.org'), None)
    """
    found = _LABELLED.fullmatch(text)
    topic = _TOPIC_OF.get(_plain(found["label"])) if found else None
    return (topic, found["text"].strip()) if found and topic else None


def unknown_label(text: str) -> str:
    """Return the words before a colon at the beginning of a line, if they look like a label; else "".

    Examples
    --------
    >>> unknown_label("Data protection: none is stored."), unknown_label("See https://example.org")
    ('Data protection', '')
    """
    found = _LABELLED.fullmatch(text)
    if found is None or not found["text"].strip() or labelled(text):
        return ""
    label = found["label"].strip()
    return label if len(label.split()) <= _MOST_WORDS and len(label) <= _MOST_LETTERS else ""


def names_survey(lines: Sequence[SourceLine]) -> bool:
    """Return whether a blank line follows the first line, and it is a title with a colon, not a sentence.

    Examples
    --------
    >>> from surveys.imports.lines.source_lines import read_line
    >>> first, below = "Survey of the council: healthy at work in our company", "Please help us."
    >>> names_survey([read_line(1, first, has_gap=True), read_line(3, below, has_gap=True)])
    True
    """
    text = lines[0].text
    is_alone = len(lines) > 1 and lines[1].has_gap
    return is_alone and len(text) <= _LONGEST_TITLE and bool(unknown_label(text)) and not ends_sentence(text)


def read_labels(lines: Sequence[SourceLine]) -> None:
    """Give the lines with a label their topics, above the first question and at the end of a text.

    A line right below one of them continues it if it begins with a small letter, or if that one has only the
    label.
    """
    _read_opening(lines)
    end = len(lines)
    while end and (stated := _stated(lines[end - 1])) and stated[1]:
        end -= 1
    if end < len(lines) and lines[end].has_gap:
        for line in lines[end:]:
            if stated := labelled(line.text):
                _give(line, *stated)


def _read_opening(lines: Sequence[SourceLine]) -> None:
    """Give the lines with a label above the first question, and those that continue them, their topics."""
    above: SourceLine | None = None
    for place, line in enumerate(lines):
        stated = _stated(line)
        if stated and (stated[1] or _has_text_below(lines, place)):
            _give(line, *stated)
            above = line
        elif above is not None and _is_free(line) and (line.begins_small or not above.body):
            _give(line, above.topic, line.text)
            above = line
        else:
            above = None
            if stated:
                line.give(LEFT, is_certain=False)
        if place and (line.mark or asks(line.text)):
            return


def leave_own_fields(lines: Sequence[SourceLine]) -> None:
    """Leave out fields without a question: *Place, date ____   Signature ....*, *Staff use only: ____*."""
    for line in lines:
        if line.role or line.mark_kind in ("count", "letter") or asks(line.text):
            continue
        fields = [space[0] for cell in line.cells if (space := split_space(cell))]
        labels = [label.rpartition(". ")[2].strip(" .:：") for label in fields]
        is_own = bool(labels) and all(map(_OWN_FIELD.fullmatch, labels))
        if is_own or _OFFICE_USE.match(line.text):
            line.give(LEFT)


def _stated(line: SourceLine) -> tuple[str, str] | None:
    """Return the topic and the text of a line with a label, unless it has a write-in space."""
    return None if line.role or SPACE_TO_WRITE.search(line.text) else labelled(line.text)


def _is_free(line: SourceLine) -> bool:
    """Return whether a line may belong to the label above it."""
    return not (line.has_gap or line.mark or line.role or asks(line.text) or labelled(line.text))


def _has_text_below(lines: Sequence[SourceLine], place: int) -> bool:
    """Return whether the line below a label may be its text."""
    return place + 1 < len(lines) and _is_free(lines[place + 1])


def _give(line: SourceLine, topic: str, text: str) -> None:
    line.body, line.topic = text, topic
    line.give(TITLE if topic == _TITLE and text else ABOUT)
