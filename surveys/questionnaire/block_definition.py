"""Blocks and questions of a definition: the part for the design and the part for the reader."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.risk.adversaries import MOST_COMBINATIONS
from privacy.survey.block import JOINS, Condition, Conditions, Joined
from privacy.survey.design import MOST_QUESTIONS, Block, Question
from privacy.survey.question import anchor_of
from surveys.errors.error import shown
from surveys.questionnaire.document import Node
from surveys.questionnaire.kinds import StatedScale, kind_of, refusal_of, refuse_company
from surveys.questionnaire.sensitive import single_rows

MOST_EXCLUSIVE = 5
# The member of a question or block that an error of the core concerns.
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
    if isinstance(entries, list) and any(isinstance(kind_of(entry), StatedScale) for entry in entries):
        refuse_company(block)
    elif stated.value and "truth_probability" not in block.value:
        block.at("truth_probability").wrong(
            _("it is missing"),
            _("state the probability that the part is sent as it is, in ten-thousandths from 1 to %(most)s"),
            most=SCALE - 1,
        )
    return bool(stated.value)


def _questions(block: Node, *, protected: bool) -> list[tuple[Question, dict[str, Any]]] | None:
    """Return the questions with their wordings; None if the block has a problem by now."""
    stated = block.at("questions")
    entries = stated.entries(most=MOST_QUESTIONS)
    read = [kind_of(entry.value).read(entry, protected=protected) for entry in entries]
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
                _("%(value)s does not list answers of this part that exclude each other"),
                _("list two or more of %(names)s"),
                names=", ".join(sorted(items)),
            )
    if pairs > MOST_COMBINATIONS:
        stated.wrong(
            _("%(count)s pairs of answers cannot be true together"),
            _("reduce them to at most %(most)s in one part"),
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
