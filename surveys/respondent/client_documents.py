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
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext, override
from django.utils.translation import gettext as of_django

from privacy.risk.impossible_decoys import block_exclusive
from privacy.risk.prior import exclusive_prior
from privacy.survey.block import Block
from privacy.survey.design import Design
from privacy.survey.possible_answers import impossible_pairs
from surveys.intake.codes import ALPHABET, code_in_groups, plainly
from surveys.models import Survey, Version
from surveys.questionnaire.arms import EXPLANATIONS, WORDINGS
from surveys.questionnaire.composites import COMPONENTS, NEUTRAL
from surveys.questionnaire.formality import FORMALITY, formality_in
from surveys.questionnaire.kinds import MATRIX, NONE, RIGHT
from surveys.questionnaire.languages import Language, has_catalogue, language_of, respondent_language, text_in
from surveys.questionnaire.own_sentences import SENTENCES, sentences_in, text_language
from surveys.questionnaire.panel import PANEL
from surveys.questionnaire.promise_words import promises_json, stated_promises
from surveys.questionnaire.question_tables import tables_of
from surveys.questionnaire.stems import BOXES, LINE, LOOK, STEM, STEMS
from surveys.questionnaire.turns import TURN


def about_in(wording: Mapping[str, Any], language: str) -> dict[str, str]:
    """Return the texts about the survey (researcher, purpose, ...) by key, without empty ones."""
    about = wording.get("about", {})
    return {key: text for key in about if (text := text_in(about[key], language))}


def blocks_in(wording: Mapping[str, Any], language: str, design: Design) -> list[dict[str, Any]]:
    """Return the texts of all blocks, with probabilities of true rows if answers exclude each other."""
    priors = _exclusive_priors(design, wording)
    return [
        block_words(block, language, design)
        | together
        | ({"exclusive": True} if impossible_pairs(core) else {})
        for core, block, together in zip(design.blocks, wording["blocks"], priors, strict=True)
    ]


def yes_and_no(language: str) -> dict[str, str]:
    """Return Django's "yes" and "no" in a language; empty for those of pages, which have their own."""
    own = respondent_language(language) if has_catalogue(language) else language
    return _of_django(own)


def _of_django(language: str) -> dict[str, str]:
    if language in dict(settings.LANGUAGES):
        return {}
    with override(language):
        yes, no, _maybe = of_django("yes,no,maybe").split(",")
    return {"yes": capfirst(yes), "no": capfirst(no)}


def _exclusive_priors(design: Design, wording: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield for each block the probabilities of true rows, or an empty dict if no answers exclude each other.

    The worst row of a rotating block is the one of its worst booklet, with None for questions not asked.
    """
    shares = stated_prevalence(wording)
    for core, block in zip(design.blocks, wording["blocks"], strict=True):
        exclusive = block_exclusive(core, block.get("exclusive", ()))
        prior = exclusive_prior(core, shares, exclusive) if exclusive else None
        if prior is None:
            yield {}
        elif core.is_rotating:
            yield {"together": prior.to_json() | {"worst": _worst_row(core, shares, exclusive)}}
        else:
            yield {"together": prior.to_json()}


def _worst_row(
    block: Block, shares: dict[str, list[int]], exclusive: Sequence[Sequence[str]]
) -> list[Any] | str | None:
    """Return the worst row of a rotating block; None if no answers of its booklet exclude each other."""
    booklet = block.of_booklet(block.worst_booklet)
    items = {key for question in booklet.questions for key in question.item_keys}
    sets = [
        exclusive_here
        for keys in exclusive
        if len(exclusive_here := [key for key in keys if key in items]) > 1
    ]
    prior = exclusive_prior(booklet, shares, sets) if sets else None
    if prior is None:
        return None
    row = prior.least_likely
    if isinstance(row, str):
        return row
    values = dict(zip(block.worst_booklet, row, strict=True))
    return [values.get(position) for position in range(len(block.questions))]


def block_words(block: dict[str, Any], language: str, design: Design) -> dict[str, Any]:
    """Return a block's texts in one language, in the format that the scripts read."""
    return {
        "title": text_in(block.get("title"), language),
        "help": text_in(block.get("help"), language),
        **({"exclusive": True} if block.get("exclusive") else {}),
        **({STEMS: [_stem_in(stem, language, design) for stem in block[STEMS]]} if STEMS in block else {}),
        **({BOXES: True} if any(stem.get(LOOK) == BOXES for stem in block.get(STEMS, ())) else {}),
        "questions": [
            {
                "text": text_in(question.get(LINE, question["text"]), language),
                "help": text_in(question.get("help"), language),
                "options": [text_in(option["text"], language) for option in question.get("options") or ()],
            }
            | ({"look": question["look"]} if question.get("look", MATRIX) != MATRIX else {})
            | ({} if table is None else {"table": table})
            | (
                {STEM: [stem["key"] for stem in block[STEMS]].index(question[STEM])}
                if STEM in question
                else {}
            )
            | _option_at(question, RIGHT)
            | _option_at(question, NONE)
            | _components_in(question, language)
            | _wordings_by_arm(question, language, design)
            | ({"unit": text_in(question["unit"], language)} if "unit" in question else {})
            | ({"outline": question["outline"]} if "outline" in question else {})
            for question, table in zip(block["questions"], tables_of(block["questions"]), strict=True)
        ],
    }


def _stem_in(stem: Mapping[str, Any], language: str, design: Design) -> dict[str, Any]:
    """Return the texts of a list's stem, and whether its lines are boxes."""
    return {
        "text": text_in(stem["text"], language),
        "help": text_in(stem.get("help"), language),
        **({BOXES: True} if stem.get(LOOK) == BOXES else {}),
        **_wordings_by_arm(stem, language, design),
    }


def stated_prevalence(wording: Mapping[str, Any]) -> dict[str, list[int]]:
    """Return the stated prevalences of a version, by the key of the question."""
    questions = [question for block in wording["blocks"] for question in block["questions"]]
    return {question["key"]: question["prevalence"] for question in questions if question.get("prevalence")}


def arm_of(design: Design, texts: Mapping[str, Any]) -> int:
    """Return the index of the arm question that selects a text."""
    return [design.questions[number].key for number in design.arms].index(texts["question"])


def _option_at(question: Mapping[str, Any], role: str) -> dict[str, int]:
    """Return the position of the option with a role (right, or none of the others); empty if none has it."""
    if role not in question:
        return {}
    return {role: [option["key"] for option in question["options"]].index(question[role])}


def _components_in(question: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return the texts of a composite question's components, in the order of the design; else nothing."""
    if COMPONENTS not in question:
        return {}
    return {
        COMPONENTS: [
            {
                "text": text_in(component["text"], language),
                "help": text_in(component.get("help"), language),
                "options": [text_in(option["text"], language) for option in component["options"]],
            }
            | _option_at(component, NONE)
            | ({"unit": text_in(component["unit"], language)} if "unit" in component else {})
            for component in question[COMPONENTS]
        ],
        **({NEUTRAL: [text_in(own, language) for own in question[NEUTRAL]]} if NEUTRAL in question else {}),
    }


def _wordings_by_arm(question: Mapping[str, Any], language: str, design: Design) -> dict[str, Any]:
    """Return a question's texts by arm, and the arm question that selects them; empty if there are none."""
    wordings = question.get(WORDINGS)
    if wordings is None:
        return {}
    arm = arm_of(design, wordings)
    options = design.questions[design.arms[arm]].options
    texts = [text_in(wordings["texts"][option], language) for option in options]
    return {WORDINGS: {"arm": arm, "texts": texts}}


@dataclass(frozen=True, kw_only=True)
class Address:
    """Address of the respondents' page in one language.

    Parameters
    ----------
    language : Language
        Language of the survey's texts.
    page_language : str
        Language tag of Sottovoce's own texts on that page.
    path : str
    """

    language: Language
    page_language: str
    path: str


def languages_of(wording: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the tags of a version's languages, the first one first.

    Examples
    --------
    >>> languages_of({"title": {"en": "Work", "ar": "العمل"}}), languages_of({"languages": ["ar", "en"]})
    (('en', 'ar'), ('ar', 'en'))
    """
    # Versions from the first releases do not list their languages.
    return tuple(wording.get("languages") or wording["title"])


def addresses_of(slug: str, wording: Mapping[str, Any]) -> tuple[Address, ...]:
    """Return the addresses of a published survey, beginning with its first language."""
    return tuple(_address(slug, tag, text_language(wording, tag)) for tag in languages_of(wording))


def absolute_address(request: HttpRequest, path: str) -> str:
    """Return the full address of a respondents' page, on the first client origin if there are any."""
    elsewhere = settings.SOTTOVOCE_CLIENT_ORIGINS
    return f"{elsewhere[0]}{path}" if elsewhere else request.build_absolute_uri(path)


def _address(slug: str, tag: str, page_language: str) -> Address:
    is_page = tag in dict(settings.LANGUAGES)
    with override(tag if is_page else settings.LANGUAGE_CODE):
        path = (
            reverse("respond:page", args=[slug]) if is_page else reverse("respond:page_in", args=[slug, tag])
        )
    return Address(language=language_of(tag), page_language=page_language, path=path)


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
        "prevalence": stated_prevalence(wording),
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
        return _of_django(tag)
    with override(tag):
        return {"yes": gettext("Yes"), "no": gettext("No")}


def _digest(document: bytes) -> str:
    return hashlib.sha256(document).hexdigest()


LINK_CHARACTERS: Final = 22
PRINTED_CHARACTERS: Final = 20
_BITS: Final = 5


def digest_in_link(root: str) -> str:
    """Return the first 132 bits of a SHA-256 in base64url.

    Parameters
    ----------
    root : str, 64 hex digits

    Examples
    --------
    >>> digest_in_link("00" * 31 + "ff"), digest_in_link("ff" * 32)
    ('AAAAAAAAAAAAAAAAAAAAAA', '______________________')
    """
    return urlsafe_b64encode(bytes.fromhex(root)).decode("ascii")[:LINK_CHARACTERS]


def digest_in_print(root: str) -> str:
    """Return the first 100 bits of a SHA-256 in Crockford's base 32, in groups of five.

    Examples
    --------
    The first five bits of 0x08 are 00001, the next five begin with 000.

    >>> digest_in_print("08" + "00" * 31)
    '10000-00000-00000-00000'
    """
    bits = int(root, 16) >> (256 - _BITS * PRINTED_CHARACTERS)
    shifts = range(_BITS * (PRINTED_CHARACTERS - 1), -1, -_BITS)
    return code_in_groups("".join(ALPHABET[bits >> shift & 31] for shift in shifts))


def survey_digest(version: Version) -> str:
    """Return the digest of a version in the printed form, for letters and ethics boards."""
    return digest_in_print(documents_of(version).root)


def is_named(root: str, digest: str) -> bool:
    """Return whether a digest, in the link form or as typed from print, belongs to a root.

    Examples
    --------
    >>> is_named("08" + "00" * 31, "looOO ooooo ooooo ooooo"), is_named("ff" * 32, "_" * 22)
    (True, True)
    """
    print_form = digest_in_print(root).replace("-", "")
    return digest == digest_in_link(root) or plainly(digest) == print_form
