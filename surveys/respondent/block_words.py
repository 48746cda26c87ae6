"""The texts of a version's blocks, as devices read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from privacy.risk.impossible_decoys import block_exclusive
from privacy.risk.prior import exclusive_prior
from privacy.survey.block import Block
from privacy.survey.design import Design
from privacy.survey.possible_answers import impossible_pairs
from surveys.questionnaire.arms import WORDINGS
from surveys.questionnaire.composites import COMPONENTS, NEUTRAL
from surveys.questionnaire.kinds import MATRIX, NONE, RIGHT
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.question_tables import tables_of
from surveys.questionnaire.stated_prevalences import wording_prevalences
from surveys.questionnaire.stems import BOXES, LINE, LOOK, STEM, STEMS


def blocks_in(wording: Mapping[str, Any], language: str, design: Design) -> list[dict[str, Any]]:
    """Return the texts of all blocks, with probabilities of true rows if answers exclude each other."""
    priors = _exclusive_priors(design, wording)
    return [
        block_words(block, language, design)
        | together
        | ({"exclusive": True} if impossible_pairs(core) else {})
        for core, block, together in zip(design.blocks, wording["blocks"], priors, strict=True)
    ]


def _exclusive_priors(design: Design, wording: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield for each block the probabilities of true rows, or an empty dict if no answers exclude each other.

    The worst row of a rotating block is the one of its worst booklet, with None for questions not asked.
    """
    shares = wording_prevalences(wording)
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
