"""Texts of parts, questions and answers as respondents read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from privacy.survey.design import Design
from surveys.models import Version
from surveys.questionnaire.arms import WORDINGS
from surveys.questionnaire.composites import COMPONENTS
from surveys.questionnaire.labels import part_titles
from surveys.questionnaire.languages import has_catalogue, in_language, respondent_language, text_in
from surveys.questionnaire.rule_words import rules_in_words
from surveys.questionnaire.stems import LINE, begun_stems


def asked_parts(version: Version, design: Design, language: str | None = None) -> list[dict[str, Any]]:
    """Return the parts with their questions, as respondents read them in a language."""
    titles = part_titles(version, language)
    asked = {each["key"]: each for part in version.wording["blocks"] for each in part["questions"]}
    rules = rules_in_words(design, version.wording, language)
    answers = {
        (key, option["key"]): text_in(option["text"], language)
        for key, each in asked.items()
        for option in each.get("options") or ()
    }
    return [
        {
            "block": block,
            "title": titles[block.key],
            "condition": block.asked_if,
            "terms": [
                (
                    text_in(asked[term.question]["text"], language),
                    # The answers yes and no have no texts of their own.
                    [answers.get((term.question, key)) or _(key) for key in term.options],
                )
                for term in (block.asked_if.terms if block.asked_if else ())
            ],
            "questions": [
                {
                    "key": question.key,
                    "kind": question.kind,
                    "text": text_in(wording["text"], language),
                    # A line of a list, and the stem above its first line.
                    "line": text_in(wording.get(LINE), language),
                    "stem": text_in(stem and stem["text"], language),
                    "help": text_in(wording.get("help"), language),
                    # Items of a number or a place are set by the researcher and never shown to respondents.
                    "options": [
                        text_in(option["text"], language)
                        for option in wording.get("options") or ()
                        if question.disguise is None
                    ],
                    "rule": rules.get(question.key),
                }
                for question, wording, stem in zip(
                    block.questions, texts["questions"], begun_stems(texts), strict=True
                )
            ],
        }
        for block, texts in zip(design.blocks, version.wording["blocks"], strict=True)
    ]


def asked_words(wording: Mapping[str, Any]) -> dict[tuple[str, ...], str]:
    """Return the texts of questions and answers that respondents read, by keys and language."""
    texts: dict[tuple[str, ...], str] = {}
    for question in (question for block in wording["blocks"] for question in block["questions"]):
        parts = {"": question["text"], "unit": question.get("unit")}
        parts |= {option["key"]: option["text"] for option in question["options"]}
        for component in question.get(COMPONENTS, ()):
            name = f"component {component['key']}"
            parts |= {name: component["text"], f"{name} unit": component.get("unit")}
            parts |= {f"{name} {option['key']}": option["text"] for option in component["options"]}
        parts |= {f"arm {arm}": each for arm, each in question.get(WORDINGS, {}).get("texts", {}).items()}
        for part, by_language in parts.items():
            texts |= {(question["key"], part, tag): text for tag, text in (by_language or {}).items()}
    return texts


def yes_no_words(languages: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Yield a language, and its words for yes and no as respondents read them, if Sottovoce knows them.

    Examples
    --------
    >>> [*yes_no_words(["de-at", "ha"])]
    [('de-at', 'Ja', 'Nein')]
    """
    for tag in filter(has_catalogue, languages):
        with in_language(respondent_language(tag)):
            yield tag, _("Yes"), _("No")
