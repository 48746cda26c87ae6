"""The headings under which a draft's questions stood before a plan joined their parts.

A plan puts protected questions of several parts into one, so that they share a coin. Their headings become
one title. The draft keeps each heading with its questions in its member `HEADINGS`, which surveys ignore.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from surveys.formats.joints import list_text
from surveys.questionnaire.languages import text_in

HEADINGS: Final = "headings"
_MOST: Final = 200
"""Most headings that a draft keeps."""


@dataclass(frozen=True, kw_only=True)
class Heading:
    """A heading and the keys of its questions.

    Parameters
    ----------
    title : mapping of str to str
        By language.
    keys : tuple of str
    """

    title: Mapping[str, str]
    keys: tuple[str, ...]


def headings_in(document: Mapping[str, Any], keys: Sequence[str]) -> list[Heading]:
    """Return the headings of these questions, in their order, each with those of its questions.

    Parameters
    ----------
    document : mapping
        A draft. Entries that no plan wrote are ignored.
    keys : sequence of str

    Examples
    --------
    >>> kept = [{"title": {"en": "Acts"}, "questions": ["hit", "gone"]}, {"title": {}, "questions": 3}]
    >>> headings_in({"headings": kept}, ["hit", "kick"])
    [Heading(title={'en': 'Acts'}, keys=('hit',))]
    """
    listed = document.get(HEADINGS)
    found, taken = [], set[str]()
    for entry in listed if isinstance(listed, list) else ():
        title: object = entry.get("title") if isinstance(entry, dict) else None
        own: object = entry.get("questions") if isinstance(entry, dict) else None
        if not isinstance(title, dict) or not isinstance(own, list):
            continue
        if not all(isinstance(text, str) for text in title.values()):
            continue
        present = tuple(key for key in keys if key in own and key not in taken)
        taken.update(present)
        if present:
            found.append(Heading(title=title, keys=present))
    return sorted(found, key=lambda heading: keys.index(heading.keys[0]))


def heading_of(document: Mapping[str, Any], key: str) -> dict[str, str]:
    """Return the heading that a draft keeps for a question; empty without one.

    >>> kept = {"headings": [{"title": {"en": "Acts"}, "questions": ["hit"]}]}
    >>> heading_of(kept, "hit"), heading_of(kept, "kick")
    ({'en': 'Acts'}, {})
    """
    return next((dict(heading.title) for heading in headings_in(document, [key])), {})


def joined_heading_sentences(document: Mapping[str, Any]) -> list[str]:
    """Say which headings a plan joined, because questions of several parts share a coin."""
    said = []
    for entry in document["blocks"]:
        title = text_in(entry.get("title"))
        own = headings_in(document, [question["key"] for question in entry["questions"]])
        names = [text_in(heading.title) for heading in own]
        if len(names) > 1 and title and title not in names:
            said.append(
                _("Questions of %(headings)s form one part. Respondents read above it: “%(title)s”.")
                % {"headings": list_text(f"“{name}”" for name in names), "title": title}
            )
    return said


def with_headings(
    document: Mapping[str, Any], joined: Sequence[tuple[Mapping[str, str], Sequence[str]]]
) -> dict[str, Any]:
    """Return a draft that also keeps these headings.

    Parameters
    ----------
    document : mapping
        The draft after its parts were joined.
    joined : sequence of (mapping, sequence of str)
        Title and question keys of each part that was joined with another. Questions that already have a
        heading keep it: the title of their part may be a join of several.
    """
    everything = [question["key"] for entry in document["blocks"] for question in entry["questions"]]
    kept = headings_in(document, everything)
    known = {key for heading in kept for key in heading.keys}
    kept += [
        Heading(title=title, keys=tuple(keys))
        for title, keys in joined
        if any(title.values()) and not known & {*keys}
    ]
    entries = [{"title": dict(heading.title), "questions": [*heading.keys]} for heading in kept]
    without = {name: value for name, value in document.items() if name != HEADINGS}
    return without | ({HEADINGS: entries[-_MOST:]} if entries else {})
