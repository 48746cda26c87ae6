"""A survey's own words in one language, as its authors wrote them, and as devices read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.conf import settings
from django.utils.text import capfirst
from django.utils.translation import gettext as of_django
from django.utils.translation import override

from privacy.risk.constrained_prior import exclusive_prior
from privacy.survey.block import Block
from privacy.survey.design import Design
from surveys.questionnaire.arms import WORDINGS
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.sensitive import MATRIX, RIGHT, tables_of

__all__ = ["about_in", "arm_of", "block_words", "blocks_in", "stated_prevalence", "yes_and_no"]


def about_in(wording: Mapping[str, Any], language: str) -> dict[str, str]:
    """Return who asks, why, and what becomes of the answers, by the keys of the definition; no empty ones."""
    about = wording.get("about", {})
    return {key: text for key in about if (text := text_in(about[key], language))}


def blocks_in(wording: Mapping[str, Any], language: str, design: Design) -> list[dict[str, Any]]:
    """Return the texts of all blocks of a version, with the chances of their rows where answers exclude."""
    return [
        block_words(block, language, design) | together
        for block, together in zip(wording["blocks"], _together(design, wording), strict=True)
    ]


def yes_and_no(language: str) -> dict[str, str]:
    """Return the two answers in a language that Sottovoce's own sentences are not in; Django knows many."""
    if language in dict(settings.LANGUAGES):
        return {}
    with override(language):
        yes, no, _maybe = of_django("yes,no,maybe").split(",")
    return {"yes": capfirst(yes), "no": capfirst(no)}


def _together(design: Design, wording: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield for each block the chances of its true rows where answers exclude each other; else nothing.

    Of a rotating block the worst row is that of its worst booklet, with None for what that does not ask.
    """
    stated = stated_prevalence(wording)
    for parsed, block in zip(design.blocks, wording["blocks"], strict=True):
        exclusive = block.get("exclusive")
        prior = exclusive_prior(parsed, stated, exclusive) if exclusive else None
        if prior is None:
            yield {}
        elif parsed.is_rotating:
            yield {"together": prior.to_json() | {"worst": _worst_row(parsed, stated, exclusive)}}
        else:
            yield {"together": prior.to_json()}


def _worst_row(
    block: Block, stated: dict[str, list[int]], exclusive: list[list[str]]
) -> list[Any] | str | None:
    """Return the worst row of a rotating block; None where no answers of that booklet exclude each other."""
    drawn = block.of_booklet(block.worst_booklet)
    items = {key for question in drawn.questions for key in question.item_keys}
    sets = [
        exclusive_here
        for keys in exclusive
        if len(exclusive_here := [key for key in keys if key in items]) > 1
    ]
    prior = exclusive_prior(drawn, stated, sets) if sets else None
    if prior is None:
        return None
    row = prior.least_likely
    if isinstance(row, str):
        return row
    values = dict(zip(block.worst_booklet, row, strict=True))
    return [values.get(position) for position in range(len(block.questions))]


def block_words(block: dict[str, Any], language: str, design: Design) -> dict[str, Any]:
    """Return a block's texts in one language, as the scripts read them."""
    return {
        "title": text_in(block.get("title"), language),
        "help": text_in(block.get("help"), language),
        **({"exclusive": True} if block.get("exclusive") else {}),
        "questions": [
            {
                "text": text_in(question["text"], language),
                "help": text_in(question.get("help"), language),
                "options": [text_in(option["text"], language) for option in question.get("options") or ()],
            }
            | ({"look": question["look"]} if question.get("look", MATRIX) != MATRIX else {})
            | ({} if table is None else {"table": table})
            | _right_answer(question)
            | _wordings_by_arm(question, language, design)
            | ({"unit": text_in(question["unit"], language)} if "unit" in question else {})
            | ({"outline": question["outline"]} if "outline" in question else {})
            for question, table in zip(block["questions"], tables_of(block["questions"]), strict=True)
        ],
    }


def stated_prevalence(wording: Mapping[str, Any]) -> dict[str, list[int]]:
    """Return the stated prevalences of a version, by the key of the question."""
    questions = [question for block in wording["blocks"] for question in block["questions"]]
    return {question["key"]: question["prevalence"] for question in questions if question.get("prevalence")}


def arm_of(design: Design, stated: Mapping[str, Any]) -> int:
    """Return which of the questions of arms decides a text."""
    return [design.questions[number].key for number in design.arms].index(stated["question"])


def _right_answer(question: Mapping[str, Any]) -> dict[str, int]:
    """Return the position of the right option of a question; nothing where no answer is right."""
    if RIGHT not in question:
        return {}
    return {RIGHT: [option["key"] for option in question["options"]].index(question[RIGHT])}


def _wordings_by_arm(question: Mapping[str, Any], language: str, design: Design) -> dict[str, Any]:
    """Return the texts by arm of a question, and which question of arms decides; nothing without."""
    stated = question.get(WORDINGS)
    if stated is None:
        return {}
    arm = arm_of(design, stated)
    options = design.questions[design.arms[arm]].options
    texts = [text_in(stated["texts"][option], language) for option in options]
    return {WORDINGS: {"arm": arm, "texts": texts}}
