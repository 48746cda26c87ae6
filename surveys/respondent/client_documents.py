"""Documents of a published version, named by their own digests, for clients that trust no server.

The root is the SHA-256 of a definition: the design, the identity of its survey, and the digest of its texts
in each language. Someone who knows the root, from a letter or an ethics board, can check every question that
a device asks and every probability of its disguise, no matter which server sends the documents.

Documents depend only on the stored version, so every release produces the same bytes. They do not contain
Sottovoce's own texts, which belong to the client and change with it.
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
from django.utils.translation import gettext

from privacy.survey.design import Design
from surveys.models import Survey, Version
from surveys.questionnaire.about_texts import about_in
from surveys.questionnaire.arms import EXPLANATIONS
from surveys.questionnaire.formality import FORMALITY, formality_in
from surveys.questionnaire.languages import in_language, language_of, text_in, yes_and_no_of_django
from surveys.questionnaire.own_sentences import SENTENCES, sentences_in
from surveys.questionnaire.panel import PANEL
from surveys.questionnaire.promise_words import promises_json, stated_promises
from surveys.questionnaire.stated_prevalences import wording_prevalences
from surveys.questionnaire.turns import TURN
from surveys.respondent.block_words import arm_of, blocks_in


def languages_of(wording: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the tags of a version's languages, the first one first.

    Examples
    --------
    >>> languages_of({"title": {"en": "Work", "ar": "العمل"}}), languages_of({"languages": ["ar", "en"]})
    (('en', 'ar'), ('ar', 'en'))
    """
    # Versions from the first releases do not list their languages.
    return tuple(wording.get("languages") or wording["title"])


# Drafts and planned surveys stay secret. Their digests cannot be guessed, but someone could pass them on.
SHOWN: Final = (Survey.State.OPEN, Survey.State.CLOSED)


@dataclass(frozen=True, kw_only=True)
class Documents:
    """The documents of one version, as the exact bytes that are hashed and sent.

    Parameters
    ----------
    definition : bytes
        Canonical JSON: ``design``, ``key``, ``words`` (digest by language).
    words : mapping of str to bytes
        Canonical JSON of the version's own texts, by language tag.
    """

    definition: bytes
    words: Mapping[str, bytes]

    @property
    def root(self) -> str:
        """SHA-256 of the definition, 64 hex digits."""
        return _digest(self.definition)

    def words_in(self, language: str) -> bytes:
        """Return the texts in a language, or in the first one if the version does not have it."""
        return self.words.get(language) or next(iter(self.words.values()))


def canonical(document: Mapping[str, Any]) -> bytes:
    """Return the canonical bytes of a document for hashing: sorted keys, no spaces, UTF-8.

    Examples
    --------
    >>> canonical({"b": "ä", "a": [1, None]}).decode()
    '{"a":[1,null],"b":"ä"}'
    """
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode()


class _Published(NamedTuple):
    """Everything that the documents of a version depend on, which never changes."""

    pk: int
    design_id: str
    wording_id: str
    survey: str
    practice: bool
    by_invitation: bool


def documents_of(version: Version) -> Documents:
    """Return the documents of a version, published or not."""
    survey = version.survey
    if not version.pk:
        return build_documents(
            version.to_design(),
            version.wording,
            survey=survey.slug,
            practice=survey.practice,
            by_invitation=survey.by_invitation,
            promises=stated_promises(version),
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


def find_document(digest: str) -> bytes | None:
    """Return the definition or the texts with a digest; None unless an open or closed survey has them.

    Parameters
    ----------
    digest : str, 64 hex digits
    """
    for version in _version_rows(Version.objects.filter(survey__state__in=SHOWN)):
        if digest in _digests(version):
            documents = _documents(version)
            every = [documents.definition, *documents.words.values()]
            return next(document for document in every if _digest(document) == digest)
    return None


def published_roots(versions: QuerySet[Version]) -> Iterator[tuple[str, int]]:
    """Yield the root and the primary key of each version, the newest first."""
    for version in _version_rows(versions):
        yield _digests(version)[0], version.pk


def _version_rows(versions: QuerySet[Version]) -> Iterator[_Published]:
    names = ("pk", "design_id", "wording_id", "survey__slug", "survey__practice", "survey__by_invitation")
    for row in versions.order_by("-pk").values_list(*names):
        yield _Published(*row)


@lru_cache(maxsize=16_384)
def _digests(source: _Published) -> tuple[str, ...]:
    """Return the root of a version, followed by the digests of its texts."""
    documents = _documents(source)
    return (documents.root, *map(_digest, documents.words.values()))


@lru_cache(maxsize=64)
def _documents(source: _Published) -> Documents:
    version = Version.objects.get(pk=source.pk)
    return build_documents(
        version.to_design(),
        version.wording,
        survey=source.survey,
        practice=source.practice,
        by_invitation=source.by_invitation,
        promises=stated_promises(version),
    )


def build_documents(
    design: Design,
    wording: Mapping[str, Any],
    *,
    survey: str,
    practice: bool,
    by_invitation: bool,
    promises: Mapping[str, Any] | None = None,
) -> Documents:
    """Return the documents of a design and a wording, published or not.

    Parameters
    ----------
    design : Design
    wording : mapping
        In the form of a version or a definition.
    survey : str
        Slug.
    practice, by_invitation : bool
    promises : mapping, optional
        As `surveys.questionnaire.promise_words.promises_json` returns them; those of the design by default.
    """
    words = {tag: canonical(_words(design, wording, tag)) for tag in languages_of(wording)}
    definition = {
        "design": design.to_json(),
        "key": {
            "design_id": design.design_id,
            "survey": survey,
            "practice": practice,
            "by_invitation": by_invitation,
            **(promises_json(design) if promises is None else promises),
            **{name: wording[name] for name in (PANEL, TURN) if name in wording},
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
        "prevalence": wording_prevalences(wording),
        **_yes_and_no(tag),
        **({FORMALITY: form} if (form := formality_in(wording, tag)) else {}),
        **_own_sentences(wording, tag),
        **(
            {
                EXPLANATIONS: {
                    "arm": arm_of(design, explanations),
                    # The placeholder for the odds stays empty, because the client fills in its own sentence.
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


def _own_sentences(wording: Mapping[str, Any], tag: str) -> dict[str, Any]:
    """Return the survey's own versions of the client's texts; empty without any."""
    own = sentences_in(wording, tag)
    return {SENTENCES: {"texts": own["texts"], "instead": own["instead"]}} if own else {}


_BEFORE_OPENING: Final = ("planned_title", "planned_at", "planned", "to_content")
"""Keys of the client's texts on the page of a survey that is not open yet."""


def has_own_voice(wording: Mapping[str, Any]) -> bool:
    """Return whether a survey has its own sentences or the other form of address in any language."""
    return SENTENCES in wording or FORMALITY in wording


def words_before_opening(wording: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return how the page speaks before a survey opens; empty if it speaks as all surveys do.

    Parameters
    ----------
    wording : mapping
    language : str
        Requested language; the survey's first one if it lacks this.
    """
    tags = [*languages_of(wording)]
    tag = language if language in tags else tags[0]
    form, own = formality_in(wording, tag), sentences_in(wording, tag)
    if not form and not own:
        return {}
    texts = {key: text for key, text in own.get("texts", {}).items() if key in _BEFORE_OPENING}
    return {
        "language": tag,
        "direction": language_of(tag).direction,
        **({FORMALITY: form} if form else {}),
        **({SENTENCES: {"texts": texts, "instead": {}}} if own else {}),
    }


def _yes_and_no(tag: str) -> dict[str, str]:
    if tag not in dict(settings.LANGUAGES):
        # Django has none for Chinese with a region, so these are English. Published digests cover them, and
        # `spoken` in documents.js replaces them.
        return yes_and_no_of_django(tag)
    with in_language(tag):
        return {"yes": gettext("Yes"), "no": gettext("No")}


def _digest(document: bytes) -> str:
    return hashlib.sha256(document).hexdigest()
