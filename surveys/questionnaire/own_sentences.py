"""Sottovoce's sentences as a survey's team wrote them: corrections, or all of a further language.

They are members of a definition, because they change what respondents read: so a published version keeps
them, and its digest covers them. `surveys.respondent.sheet_sentences` makes them from a filled-in sheet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from surveys.questionnaire.document import Node
from surveys.questionnaire.languages import has_catalogue, language_of, respondent_language

SENTENCES: Final = "sentences"
FORMAT: Final = 1
MOST_CHARACTERS: Final = 1_500
"""Longest sentence; three times the longest English one."""
MARKUP: Final = re.compile(r"<[A-Za-z/!]|&[a-z#0-9]+;")
"""Pages show texts as they are, so markup would be read as text."""
READERS: Final = 2
"""People who must have read all sentences of a language before it is called supported."""
PASSED: Final = 10
"""Other people who must have answered both questions on understanding correctly."""


def read_sentences(node: Node) -> dict[str, Any] | None:
    """Return the sentences that a definition states, for its wording; None without any, or after a problem.

    Notes
    -----
    ``{"format": 1, "languages": {tag: {"sentences": {id: text}, "texts": {key: text}, "instead": {kind: {key:
    text}}, "lacks": number}}, "checks": {tag: {"readers": number, "passed": number}}}``: the texts by the
    keys of the client, too, so that a version's documents depend on nothing but the version. The checks are
    for the team and not part of the wording.
    """
    stated = node.value
    if stated is None:
        return None
    if not isinstance(stated, dict) or stated.get("format") != FORMAT or not _is_whole(stated):
        node.wrong(
            _("these sentences are not in the form in which this program writes them"),
            _("remove them, and upload the sheet of sentences on the page of the language"),
        )
        return None
    languages = {tag: own for tag, own in stated["languages"].items() if own["sentences"]}
    return {"format": FORMAT, "languages": languages} if languages else None


def _is_whole(stated: Mapping[str, Any]) -> bool:
    """Return whether all members have their types, and no text is empty, too long or has markup."""
    languages, checks = stated.get("languages"), stated.get("checks", {})
    if not isinstance(languages, dict) or not isinstance(checks, dict):
        return False
    return all(map(_is_language, languages.values())) and all(map(_is_check, checks.values()))


def _is_language(own: Any) -> bool:
    if not isinstance(own, dict) or own.keys() != {"sentences", "texts", "instead", "lacks"}:
        return False
    if not isinstance(own["instead"], dict) or type(own["lacks"]) is not int or own["lacks"] < 0:
        return False
    return all(map(_are_texts, (own["sentences"], own["texts"], *own["instead"].values())))


def _are_texts(texts: Any) -> bool:
    return isinstance(texts, dict) and all(
        isinstance(text, str) and text.strip() and len(text) <= MOST_CHARACTERS and not MARKUP.search(text)
        for text in texts.values()
    )


def _is_check(check: Any) -> bool:
    return (
        isinstance(check, dict)
        and check.keys() == {"readers", "passed"}
        and all(type(count) is int and count >= 0 for count in check.values())
    )


def sentences_in(wording: Mapping[str, Any], tag: str) -> Mapping[str, Any]:
    """Return a survey's own sentences in one of its languages; empty without any."""
    found: Mapping[str, Any] = wording.get(SENTENCES, {}).get("languages", {}).get(tag, {})
    return found


def text_language(wording: Mapping[str, Any], tag: str) -> str:
    """Return the language of the sentences that respondents read: the survey's, or English without any."""
    is_own = not has_catalogue(tag) and bool(sentences_in(wording, tag))
    return tag if is_own else respondent_language(tag)


def languages_without_promise(wording: Mapping[str, Any], tags: tuple[str, ...]) -> Iterator[str]:
    """Yield the name of each language in which sentences on the promise or on skips are missing."""
    for tag in tags:
        own = sentences_in(wording, tag)
        if not has_catalogue(tag) and (not own or own["lacks"]):
            yield language_of(tag).name
