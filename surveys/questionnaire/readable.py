"""What is readable, and why: the questions of a draft that are stored as answered.

The plan, publishing and the page of this name use the same list. It reads drafts that are incomplete, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeGuard

from django.utils.translation import gettext as _

from surveys.questionnaire.background import is_readable, sensitive_words, why_stored
from surveys.questionnaire.composites import open_references
from surveys.questionnaire.languages import plain_texts, text_in
from surveys.questionnaire.part_names import own_title
from surveys.questionnaire.ready_parts import is_ready_made
from surveys.questionnaire.sensitive import (
    choosable_questions,
    dependents,
    names_in,
    relaxed_document,
    with_sensitive,
)
from surveys.questionnaire.stated_kinds import kind_of
from surveys.questionnaire.stems import full_text, stem_text


@dataclass(frozen=True, kw_only=True)
class Readable:
    """A question that is stored as answered, or would have to be, and who is asked because of its answer.

    Parameters
    ----------
    key, text : str
        Its key, and its text in the page's language.
    why : str
        Why it is stored as answered.
    words : str
        A word that makes it look sensitive, or a question mark if no list reads its languages; else empty.
    is_plain : bool
        Whether a rule suggests to store it: it is plain background, or ready-made. Lists of words miss many
        sensitive questions, so storing any other question needs a confirmation.
    dependents : tuple of str
        Texts of the questions that are asked only after certain answers to it.
    can_be_protected : bool
        Whether one press protects it; not if the rule of a composite question uses it.
    """

    key: str
    text: str
    why: str
    words: str
    is_plain: bool
    dependents: tuple[str, ...] = ()
    can_be_protected: bool = True


def readable_questions(document: object) -> list[Readable]:
    """Return the questions that a draft stores as answered, those that look most delicate first."""
    if not is_shaped(document):
        return []
    found = [
        _readable(document, entry, question)
        for entry, question in _questions(document)
        if entry["protected"] is False and kind_of(question).can_be_switched
    ]
    return sorted(found, key=lambda each: (not each.words, each.is_plain, not each.dependents))


def unsuggested_questions(document: object) -> list[Readable]:
    """Return the questions that are stored as answered although no rule suggests it."""
    return [each for each in readable_questions(document) if not each.is_plain]


def unsettled_skips(document: object) -> list[Readable]:
    """Return the protected questions on which other parts depend, which publishing refuses."""
    if not is_shaped(document):
        return []
    deciding = set(names_in([entry.get("asked_if") for entry in document["blocks"]]))
    return [
        _readable(document, entry, question)
        for entry, question in _questions(document)
        if entry["protected"] is not False and question["key"] in deciding
    ]


def is_shaped(document: object) -> TypeGuard[dict[str, Any]]:
    """Return whether a draft has parts with questions that can be listed; a draft is any JSON object."""
    blocks = document.get("blocks") if isinstance(document, Mapping) else None
    return isinstance(blocks, list) and all(
        isinstance(entry, Mapping)
        and isinstance(entry.get("key"), str)
        and isinstance(entry.get("protected"), bool)
        and isinstance(entry.get("title", {}), dict)
        and isinstance(entry.get("questions"), list)
        and all(map(is_question, entry["questions"]))
        for entry in blocks
    )


def is_question(question: object) -> bool:
    """Return whether an entry of a part has the members of a question, each of its JSON type."""
    return (
        isinstance(question, Mapping)
        and isinstance(question.get("text", {}), dict)
        and isinstance(question.get("key"), str)
        and bool(kind_of(question).name)
        and isinstance(question.get("options", []), list)
    )


def _questions(document: Any) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    for entry in document["blocks"]:
        for question in entry["questions"]:
            yield entry, question


def _answers(question: Mapping[str, Any]) -> list[dict[str, str]]:
    return [
        plain_texts(option.get("text"))
        for option in question.get("options") or ()
        if isinstance(option, dict)
    ]


def _reason_alone(question: Mapping[str, Any], around: Iterable[Mapping[str, str]] = ()) -> str:
    return why_stored(question["kind"], plain_texts(question.get("text")), _answers(question), around=around)


def _around(document: Any, entry: Mapping[str, Any], question: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return texts that show what a question is about: stem, help, heading, and questions that decide it."""
    names = set(names_in(entry.get("asked_if")))
    deciding = [
        plain_texts(each.get("text"))
        for _part, each in (_questions(document) if names else ())
        if each["key"] in names and not _reason_alone(each)
    ]
    stem, heading = stem_text(document, question), own_title(entry, document)
    return [stem, plain_texts(entry.get("help")), plain_texts(question.get("help")), *deciding, heading]


def sensitive_word(document: Any, entry: Mapping[str, Any], question: Mapping[str, Any]) -> str:
    """Return a word that makes a question look sensitive; empty if there is none.

    Parameters
    ----------
    document, entry, question : mapping
        A question, its part, and the draft, which is shaped (`is_shaped`).
    """
    return sensitive_words(
        [plain_texts(question.get("text")), *_answers(question), *_around(document, entry, question)]
    )


def is_plain_background(document: Any, entry: Mapping[str, Any], question: Mapping[str, Any]) -> bool:
    """Return whether a rule suggests to store a question as answered, because it is plain background."""
    return bool(_reason_alone(question, _around(document, entry, question)))


def looks_harmless(document: Any, entry: Mapping[str, Any], question: Mapping[str, Any]) -> bool:
    """Return whether no word makes a question look sensitive, and a list of words reads its languages.

    Parameters
    ----------
    document, entry, question : mapping
        A question or a component, its part, and the draft, which is shaped (`is_shaped`).
    """
    return not _doubt(document, entry, question)


def _doubt(document: Any, entry: Mapping[str, Any], question: Mapping[str, Any]) -> str:
    """Return a word that makes a question look sensitive, or a question mark; empty if it looks harmless."""
    is_known = is_readable(plain_texts(question.get("text")))
    return sensitive_word(document, entry, question) or ("" if is_known else _UNKNOWN)


def _readable(document: Any, entry: Mapping[str, Any], question: Mapping[str, Any]) -> Readable:
    texts = plain_texts(question.get("text"))
    reason, words = _reason_alone(question, _around(document, entry, question)), ""
    if not reason and is_ready_made(question):
        reason = _("it asks about the survey itself")
    is_plain = bool(reason)
    if not is_plain:
        words = _doubt(document, entry, question)
    following = tuple(
        text_in(plain_texts(each.get("text"))) or each["key"]
        for each in dependents(document, question["key"])
    )
    is_used = any(question["key"] in open_references(each) for _part, each in _questions(document))
    if is_used and not reason:
        reason = _("devices use it to compute a disguised answer, so it must be asked openly")
    if following and not reason:
        reason = _("its answer decides who is asked other questions, so it can be read")
    return Readable(
        key=question["key"],
        text=text_in(full_text(stem_text(document, question), texts)) or question["key"],
        why=reason or _("someone chose this: no rule suggests it"),
        words=words,
        is_plain=is_plain,
        dependents=following,
        can_be_protected=not is_used,
    )


_UNKNOWN: Final = "?"


def protected_document(document: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return a draft in which a question is protected, and everyone is asked what depended on it."""
    relaxed = relaxed_document(document, [key])
    return with_sensitive(relaxed, [*_protected_keys(relaxed), key])


def stored_document(document: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return a draft in which a question is stored as answered, so that others can depend on it."""
    return with_sensitive(document, [each for each in _protected_keys(document) if each != key])


def _protected_keys(document: Mapping[str, Any]) -> list[str]:
    choosable = {question["key"] for question in choosable_questions(document)}
    return [
        question["key"]
        for entry, question in _questions(document)
        if entry["protected"] and question["key"] in choosable
    ]
