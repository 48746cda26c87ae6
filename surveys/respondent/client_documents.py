"""A published version as documents that are named by their own digest, for clients that trust no server.

The root is the SHA-256 of a definition: the design, what ties it to its survey, and the digest of its words
in each language. Whoever knows it, from a letter or from an ethics board, checks all that a device asks,
and by which chances it disguises, whoever sends the documents.

They are a pure function of what publishing stored, so any release gives the same bytes. Sottovoce's own
sentences are in none of them: those belong to the client, and change with it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext, override

from privacy.risk.promise import Promise, promise
from privacy.survey.design import Design
from surveys.models import Survey, Version
from surveys.questionnaire.arms import EXPLANATIONS, PANEL
from surveys.questionnaire.languages import language_of, text_in
from surveys.respondent.addresses import languages_of
from surveys.respondent.survey_words import about_in, arm_of, blocks_in, stated_prevalence, yes_and_no

__all__ = [
    "Documents",
    "canonical",
    "document_named",
    "documents_made",
    "documents_of",
    "promises_json",
    "promises_of",
    "published_roots",
]

# Of a draft, and of a survey that opens later, nothing is told: digests cannot be guessed, but are handed on.
SHOWN: Final = (Survey.State.OPEN, Survey.State.CLOSED)


@dataclass(frozen=True, kw_only=True)
class Documents:
    """The documents of one version, exactly as they are hashed and sent.

    Parameters
    ----------
    definition : bytes
        Canonical JSON: ``design``, ``key``, ``words`` (digest by language).
    words : mapping of str to bytes
        Canonical JSON of the version's own words, by the tag of the language.
    """

    definition: bytes
    words: Mapping[str, bytes]

    @property
    def root(self) -> str:
        """SHA-256 of the definition, 64 hex digits."""
        return _digest(self.definition)

    def words_in(self, language: str) -> bytes:
        """Return the words in a language; in the first one where the version has no words in it."""
        return self.words.get(language) or next(iter(self.words.values()))


def canonical(document: Mapping[str, Any]) -> bytes:
    """Return a document as its digest takes it: keys sorted, no blanks, UTF-8.

    Examples
    --------
    >>> canonical({"b": "ä", "a": [1, None]}).decode()
    '{"a":[1,null],"b":"ä"}'
    """
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode()


def promises_of(design: Design) -> dict[str, Promise | None]:
    """Return the odds of all disguised answers together: ``whole``, and ``light`` of the lighter strength.

    None stands where no protected part has a bound.
    """
    if not design.has_two_strengths:
        return {"whole": promise(design)}
    groups = {"whole": design.in_group(direct=False), "light": design.in_group(direct=True)}
    return {name: None if group is None else promise(group) for name, group in groups.items()}


def promises_json(design: Design) -> dict[str, Any]:
    """Return the promises of a design as devices read them."""
    return {name: None if made is None else made.to_json() for name, made in promises_of(design).items()}


class _Published(NamedTuple):
    """What the documents of a version are made from: nothing else moves them, and none of it changes."""

    pk: int
    design_id: str
    wording_id: str
    survey: str
    practice: bool
    by_invitation: bool


def documents_of(version: Version) -> Documents:
    """Return the documents of a version; of one that is not published yet those that it would have."""
    survey = version.survey
    if not version.pk:
        return documents_made(
            version.to_design(),
            version.wording,
            survey=survey.slug,
            practice=survey.practice,
            by_invitation=survey.by_invitation,
        )
    return _documents(
        _Published(
            version.pk,
            version.design_id,
            version.wording_id,
            survey.slug,
            survey.practice,
            survey.by_invitation,
        )
    )


def document_named(digest: str) -> bytes | None:
    """Return the definition or the words of a digest; None where no survey that was opened has it.

    Parameters
    ----------
    digest : str, 64 hex digits
    """
    for published in _published(Version.objects.filter(survey__state__in=SHOWN)):
        if digest in _digests(published):
            documents = _documents(published)
            every = [documents.definition, *documents.words.values()]
            return next(document for document in every if _digest(document) == digest)
    return None


def published_roots(versions: QuerySet[Version]) -> Iterator[tuple[str, int]]:
    """Yield the root and the primary key of each version, the newest first."""
    for published in _published(versions):
        yield _digests(published)[0], published.pk


def _published(versions: QuerySet[Version]) -> Iterator[_Published]:
    names = ("pk", "design_id", "wording_id", "survey__slug", "survey__practice", "survey__by_invitation")
    for row in versions.order_by("-pk").values_list(*names):
        yield _Published(*row)


@lru_cache(maxsize=16_384)
def _digests(published: _Published) -> tuple[str, ...]:
    """Return the root of a version, then the digests of its words."""
    documents = _documents(published)
    return (documents.root, *map(_digest, documents.words.values()))


@lru_cache(maxsize=64)
def _documents(published: _Published) -> Documents:
    version = Version.objects.get(pk=published.pk)
    return documents_made(
        version.to_design(),
        version.wording,
        survey=published.survey,
        practice=published.practice,
        by_invitation=published.by_invitation,
    )


def documents_made(
    design: Design, wording: Mapping[str, Any], *, survey: str, practice: bool, by_invitation: bool
) -> Documents:
    """Return the documents of a design and a wording, published or not.

    Parameters
    ----------
    design : Design
    wording : mapping
        As a version or a definition holds it.
    survey : str
        Slug.
    practice, by_invitation : bool
    """
    words = {tag: canonical(_words(design, wording, tag)) for tag in languages_of(wording)}
    definition = {
        "design": design.to_json(),
        "key": {
            "design_id": design.design_id,
            "survey": survey,
            "practice": practice,
            "by_invitation": by_invitation,
            **promises_json(design),
            **({PANEL: wording[PANEL]} if PANEL in wording else {}),
        },
        "words": {tag: _digest(document) for tag, document in words.items()},
    }
    return Documents(definition=canonical(definition), words=words)


def _words(design: Design, wording: Mapping[str, Any], tag: str) -> dict[str, Any]:
    explanations = wording.get(EXPLANATIONS)
    return {
        "language": tag,
        "direction": language_of(tag).direction,
        "title": text_in(wording.get("title"), tag),
        "about": about_in(wording, tag),
        "blocks": blocks_in(wording, tag, design),
        "prevalence": stated_prevalence(wording),
        **_yes_and_no(tag),
        **(
            {
                EXPLANATIONS: {
                    "arm": arm_of(design, explanations),
                    # Their place for the odds is still empty: that sentence is the client's.
                    "texts": [
                        text_in(explanations["texts"][option], tag)
                        for option in design.questions[design.arms[arm_of(design, explanations)]].options
                    ],
                }
            }
            if explanations
            else {}
        ),
    }


def _yes_and_no(tag: str) -> dict[str, str]:
    if tag not in dict(settings.LANGUAGES):
        return yes_and_no(tag)
    with override(tag):
        return {"yes": gettext("Yes"), "no": gettext("No")}


def _digest(document: bytes) -> str:
    return hashlib.sha256(document).hexdigest()
