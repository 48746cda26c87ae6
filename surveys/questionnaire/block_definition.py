"""Blocks and questions of a definition: the part for the design and the part for the reader."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.risk.adversaries import MOST_COMBINATIONS
from privacy.risk.posterior import check_prevalence
from privacy.survey.block import JOINS, Condition, Conditions, Joined
from privacy.survey.design import MOST_QUESTIONS, Block, Question
from privacy.survey.question import anchor_of
from surveys.errors.error import shown
from surveys.questionnaire.arms import WORDINGS, is_arm, read_arm, read_arm_texts
from surveys.questionnaire.document import Node
from surveys.questionnaire.scale_definition import (
    is_scale,
    read_options,
    read_scale,
    refusal_of,
    refuse_company,
)
from surveys.questionnaire.sensitive import MATRIX, RIGHT, single_rows

MOST_EXCLUSIVE = 5
RATING = "rating"
"""Options on a scale, side by side if there is space."""
# The member of a question or block that an error of the core concerns.
_QUESTION_MEMBERS = {
    "bad_key": "key",
    "kind": "kind",
    "too_few_options": "options",
    "too_large": "options",
    "duplicate_key": "options",
    "unrelated_probability": "unrelated",
    "shares_sum": "unrelated",
}
_BLOCK_MEMBERS = {
    "bad_key": "key",
    "truth_probability": "truth_probability",
    "refusal": "refusal",
    "refusal_low": "refusal",
    "empty_block": "questions",
    "unrelated_probability": "questions",
    "questions_per_person": "questions_per_person",
    "booklets": "booklets",
}
# Left out if everyone is asked every question, so that such blocks keep their digests.
_ROTATING = ("questions_per_person", "booklets")
_ALLOWED = ("truth_probability", "light", "refusal", "no_skip", "asked_if", "help", "exclusive", *_ROTATING)


def read_block(block: Node) -> tuple[Block, dict[str, Any]] | None:
    """Return a block with its wording, or None after noting the problem."""
    if not block.has_members(("key", "protected", "title", "questions"), _ALLOWED):
        return None
    protected = _protected(block)
    if protected is None:
        return None
    title, help_text = block.at("title").text(), block.at("help").text_or_none()
    condition = _condition(block.at("asked_if"))
    if block.value.get("no_skip") is not None:
        block.at("no_skip").check_text()
    questions = _questions(block, protected=protected)
    if questions is None:
        return None
    plain = tuple(question for question, _wording in questions)
    if anchor := anchor_of(block.value):
        plain = (replace(plain[0], anchor=anchor),)
    has_scale = any(question.is_scale for question in plain)
    try:
        skip = block.value.get("refusal")
        design = Block(
            key=block.value["key"],
            protected=protected,
            truth_probability=0 if has_scale and protected else block.value.get("truth_probability", SCALE),
            refusal=refusal_of(skip, plain[0]) if has_scale and protected and len(plain) == 1 else skip,
            asked_if=condition,
            questions=plain,
            **{name: block.value.get(name) for name in _ROTATING},
        )
    except PrivacyError as error:
        block.note_refusal(error, _BLOCK_MEMBERS)
        return None
    exclusive = block.value.get("exclusive", [])
    if "exclusive" in block.value:
        _check_exclusive(block.at("exclusive"), design)
    return design, {
        "key": block.value["key"],
        "title": title,
        "questions": [words for _question, words in questions],
        # Left out if empty, so that wordings older than this member keep their digests.
        **({} if help_text is None else {"help": help_text}),
        **({"exclusive": exclusive} if exclusive and protected else {}),
    }


def _protected(block: Node) -> bool | None:
    """Return whether a block is disguised, or None if that is not stated; note a missing coin."""
    stated = block.at("protected")
    stated.check_truth()
    if stated.has_problems():
        return None
    entries = block.value["questions"]
    if isinstance(entries, list) and any(is_scale(entry) for entry in entries):
        refuse_company(block)
    elif stated.value and "truth_probability" not in block.value:
        block.at("truth_probability").wrong(
            _("it is missing"),
            _("state how likely the part is sent as it is, in ten-thousandths from 1 to %(most)s"),
            most=SCALE - 1,
        )
    return bool(stated.value)


def _questions(block: Node, *, protected: bool) -> list[tuple[Question, dict[str, Any]]] | None:
    """Return the questions with their wordings; None if the block has a problem by now."""
    stated = block.at("questions")
    read = [_question(entry, protected=protected) for entry in stated.entries(most=MOST_QUESTIONS)]
    if block.has_problems():
        return None
    questions = [question for question in read if question is not None]
    for number in single_rows([wording for _question, wording in questions]):
        stated.at(number).at("look").wrong(
            _("no question next to it has the same options, so it cannot be a table"),
            _("give the next question the same options and the same look, or choose another look"),
        )
    return None if block.has_problems() else questions


def _check_exclusive(stated: Node, block: Block) -> None:
    """Check that mutually exclusive answers are named as items of their block."""
    items = {key for question in block.questions for key in question.item_keys}
    pairs = 0
    for entry in stated.entries(most=MOST_QUESTIONS):
        keys = [key.value for key in entry.entries(most=MOST_EXCLUSIVE)]
        pairs += math.comb(len(keys), 2)
        if not entry.has_problems() and (
            len(keys) < 2
            or len({shown(key) for key in keys}) < len(keys)
            or any(not isinstance(key, str) or key not in items for key in keys)
        ):
            entry.wrong(
                _("%(value)s does not name answers of this part that cannot be true together"),
                _("name two or more of %(names)s"),
                names=", ".join(sorted(items)),
            )
    if pairs > MOST_COMBINATIONS:
        stated.wrong(
            _("%(count)s pairs of answers cannot be true together"),
            _("make it at most %(most)s in one part"),
            count=pairs,
            most=MOST_COMBINATIONS,
        )


def _condition(stated: Node) -> Condition | Conditions | None:
    if stated.value is None:
        return None
    for joined_by in JOINS:
        if isinstance(stated.value, dict) and joined_by in stated.value:
            return _conditions(stated, joined_by)
    return _term(stated)


def _conditions(stated: Node, joined_by: Joined) -> Conditions | None:
    """Return several conditions, all or any of which must hold."""
    if not stated.has_members((joined_by,)):
        return None
    several = stated.at(joined_by)
    terms = [_term(entry) for entry in several.entries(most=MOST_QUESTIONS)]
    if stated.has_problems():
        return None
    try:
        return Conditions(joined=joined_by, terms=tuple(term for term in terms if term is not None))
    except PrivacyError as error:
        several.note_refusal(error)
        return None


def _term(stated: Node) -> Condition | None:
    if not stated.has_members(("question", "options")):
        return None
    try:
        return Condition(question=stated.value["question"], options=stated.value["options"])
    except PrivacyError as error:
        stated.note_refusal(error)
        return None


def _question(stated: Node, *, protected: bool) -> tuple[Question, dict[str, Any]] | None:
    if is_scale(stated.value):
        return read_scale(stated, protected=protected)
    if is_arm(stated.value):
        return read_arm(stated, protected=protected)
    chances, question = ("unrelated", "prevalence"), stated.value
    if not stated.has_members(
        ("key", "kind", "text", *(chances if protected else ())),
        (
            *("options", "help", *(("known",) if protected else (*chances, RIGHT))),
            "look",
            WORDINGS,
        ),
    ):
        return None
    if "known" in question:
        stated.at("known").check_truth()
    text, help_text = stated.at("text").text(), stated.at("help").text_or_none()
    options = read_options(stated)
    if "look" in question:
        _check_look(stated.at("look"), question["kind"])
    texts_by_arm = read_arm_texts(stated.at(WORDINGS))
    if stated.has_problems():
        return None
    try:
        design = Question(
            key=question["key"],
            kind=question["kind"],
            options=tuple(option["key"] for option in options),
            unrelated=question.get("unrelated", []),
        )
    except PrivacyError as error:
        stated.note_refusal(error, _QUESTION_MEMBERS)
        return None
    if not _check_chances(stated, design, protected=protected):
        return None
    return design, {
        "key": question["key"],
        "text": text,
        "help": help_text,
        "options": options,
        "prevalence": question.get("prevalence", []),
        # Left out if empty, so that wordings older than this member keep their digests.
        **({"look": question["look"]} if "look" in question else {}),
        **({} if texts_by_arm is None else {WORDINGS: texts_by_arm}),
        **_right(stated.at(RIGHT), design),
    }


def _right(stated: Node, design: Question) -> dict[str, Any]:
    """Return the right answer of an open choice; empty if no answer is right."""
    if stated.value is None:
        return {}
    if design.kind != "single" or stated.value not in design.options:
        stated.wrong(
            _("not an option of a choice: %(value)s"),
            _("name the key of its right option, or leave it out"),
        )
    return {RIGHT: stated.value}


def _check_look(look: Node, kind: object) -> None:
    """Check how a question is shown, which changes no answer and no probability."""
    if look.value not in (RATING, MATRIX):
        look.wrong(
            _("unknown appearance of a question: %(value)s"),
            _("write %(look)s, or leave it out"),
            look=f"{RATING}, {MATRIX}",
        )
    elif look.value == MATRIX and kind == "multi":
        look.wrong(
            _("a question with several answers cannot be a row of a table"),
            _("ask each option as a question with yes or no, or leave the look out"),
        )
    elif look.value == RATING and kind != "single":
        look.wrong(
            _("only a question with one of several options is a rating"),
            _("make it of kind single, or leave the look out"),
        )


def _check_chances(stated: Node, design: Question, *, protected: bool) -> bool:
    if not protected:
        for chances in (stated.at("unrelated"), stated.at("prevalence")):
            if chances.value:
                chances.wrong(
                    _("%(value)s is given for an open question"),
                    _("leave it out, or protect the part: open answers are sent as they are"),
                )
        return not stated.has_problems()
    if not design.unrelated:
        stated.at("unrelated").wrong(
            _("[] gives decoys no chance"),
            _("give %(count)s, in ten-thousandths"),
            count=design.n_items,
        )
        return False
    try:
        check_prevalence([design], {design.key: stated.value["prevalence"]})
    except PrivacyError as error:
        stated.at("prevalence").note_refusal(error)
        return False
    return True
