"""Sottovoce's own texts as modules of the client: one for each language, form of address and part."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from surveys.questionnaire.formality import FORMALITY, forms_of
from surveys.questionnaire.languages import respondent_languages
from surveys.respondent.speaking import speaking
from surveys.respondent.texts import ASSIGNED, CHOICE, instead_texts, texts_by_part


def text_modules() -> Iterator[tuple[str, bytes]]:
    """Yield Sottovoce's own texts as modules, one for each language, form of address and part."""
    for name, language, wording in voices():
        with speaking(wording, language):
            instead = instead_texts()
            strengths = instead["two_strengths"]
            early = {"two_strengths": {key: strengths[key] for key in ("disguised", "disguised_lightly")}}
            others = {
                "first": early,
                "choice": _without(instead, ASSIGNED),
                "assigned": _without(instead, CHOICE),
                "invited": {"by_invitation": instead["by_invitation"]},
            }
            for part, texts in texts_by_part().items():
                yield f"{part}-{name}.js", _module(texts, others.get(part, {}))


def _without(
    instead: Mapping[str, Mapping[str, str]], others: Mapping[str, object]
) -> dict[str, dict[str, str]]:
    """Return what two strengths replace, except where the survey's other way to form groups says it."""
    kinds = ("two_strengths", "strength_by_invitation")
    return {kind: {key: text for key, text in instead[kind].items() if key not in others} for kind in kinds}


def voices() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield each language, and each again in its other form of address: name, language and wording."""
    for language in respondent_languages():
        yield language, language, {}
        if forms := forms_of(language):
            yield f"{language}-{forms.other}", language, {FORMALITY: {language: forms.other}}


def _module(texts: Mapping[str, str], instead: Mapping[str, Mapping[str, str]]) -> bytes:
    values = (
        json.dumps(part, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        for part in (texts, instead)
    )
    return "".join(
        f"export const {name}={part};" for name, part in zip(("texts", "instead"), values, strict=True)
    ).encode()
