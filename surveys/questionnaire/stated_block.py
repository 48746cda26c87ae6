"""A block as a definition states it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.risk.impossible_decoys import MOST_COMBINATIONS
from privacy.scales.skips import least_refusal
from privacy.survey.anchors import anchor_of
from privacy.survey.conditions import JOINS, Condition, Conditions, Joined
from privacy.survey.design import MOST_QUESTIONS, Block, Question
from surveys.errors.error import short_json
from surveys.questionnaire.composites import check_composites_together
from surveys.questionnaire.document import Node
from surveys.questionnaire.stated_kinds import kind_of

MOST_EXCLUSIVE = 5


# The member of a question or block that an error of the core concerns.
_BLOCK_MEMBERS = {
    "bad_key": "key",
    "truth_probability": "truth_probability",
    "refusal": "refusal",
    "refusal_low": "refusal",
    "unrelated_probability": "questions",
    "questions_per_person": "questions_per_person",
    "booklets": "booklets",
}


# Omitted if everyone is asked every question, so that the digests of such blocks do not change.
_ROTATING = ("questions_per_person", "booklets")
_BLOCK_ALLOWED = (
    "truth_probability",
    "light",
    "refusal",
    "no_skip",
    "asked_if",
    "title",
    "help",
    "exclusive",
    *_ROTATING,
)


def read_block(block: Node) -> tuple[Block, dict[str, Any]] | None:
    """Return a block with its wording, or None after noting the problem."""
    if not block.has_members(("key", "protected", "questions"), _BLOCK_ALLOWED):
        return None
    protected = _read_protection(block)
    if protected is None:
        return None
    title, help_text = block.at("title").text_if_written(), block.at("help").text_or_none()
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
            refusal=_refusal_of(skip, plain[0]) if has_scale and protected and len(plain) == 1 else skip,
            asked_if=condition,
            questions=plain,
            **{name: block.value.get(name) for name in _ROTATING},
        )
    except PrivacyError as error:
        block.note_refusal(error, _BLOCK_MEMBERS)
        return None
    check_composites_together(block, design, [words for _question, words in questions])
    exclusive = block.value.get("exclusive", [])
    if "exclusive" in block.value:
        _check_exclusive(block.at("exclusive"), design)
    return design, {
        "key": block.value["key"],
        **({} if title is None else {"title": title}),
        "questions": [words for _question, words in questions],
        **({} if help_text is None else {"help": help_text}),
        **({"exclusive": exclusive} if exclusive and protected else {}),
    }


def _refusal_of(value: object, question: Question) -> Any:
    """Return the probability of a skip among decoys; if `true` is stated, the smallest one that hides skips.

    Raises
    ------
    PrivacyError
        This disguise cannot hide a skip.
    """
    if value is False or value == 0:
        return None
    if value is not True or question.disguise is None:
        return value
    return least_refusal(question.disguise)


def _read_protection(block: Node) -> bool | None:
    """Return whether a block is disguised, or None if that is not stated; note a missing p."""
    member = block.at("protected")
    member.check_truth()
    if member.has_problems():
        return None
    entries = block.value["questions"]
    if isinstance(entries, list) and any(kind_of(entry).is_scale for entry in entries):
        _check_stands_alone(block)
    elif member.value and "truth_probability" not in block.value:
        block.at("truth_probability").wrong(
            _("it is missing"),
            _("state the probability that the part is sent as it is, in ten-thousandths from 1 to %(most)s"),
            most=SCALE - 1,
        )
    return bool(member.value)


def _questions(block: Node, *, protected: bool) -> list[tuple[Question, dict[str, Any]]] | None:
    """Return the questions with their wordings; None if the block has any problem."""
    node = block.at("questions")
    if node.value == []:
        node.wrong(_("this part has no questions yet"), _("add one, or delete the part"))
    entries = node.entries(most=MOST_QUESTIONS)
    read = [kind_of(entry.value).read(entry, protected=protected) for entry in entries]
    if block.has_problems():
        return None
    questions = [question for question in read if question is not None]
    return questions


def _check_exclusive(node: Node, block: Block) -> None:
    """Check that mutually exclusive answers are named as items of their block."""
    items = {key for question in block.questions for key in question.item_keys}
    pairs = 0
    for entry in node.entries(most=MOST_QUESTIONS):
        keys = [key.value for key in entry.entries(most=MOST_EXCLUSIVE)]
        pairs += math.comb(len(keys), 2)
        if not entry.has_problems() and (
            len(keys) < 2
            or len({short_json(key) for key in keys}) < len(keys)
            or any(not isinstance(key, str) or key not in items for key in keys)
        ):
            entry.wrong(
                _("%(value)s does not list answers of this part that exclude each other"),
                _("list two or more of %(names)s"),
                names=", ".join(sorted(items)),
            )
    if pairs > MOST_COMBINATIONS:
        node.wrong(
            _("%(count)s pairs of answers cannot be true together"),
            _("reduce them to at most %(most)s in one part"),
            count=pairs,
            most=MOST_COMBINATIONS,
        )


def _condition(node: Node) -> Condition | Conditions | None:
    if node.value is None:
        return None
    for joined_by in JOINS:
        if isinstance(node.value, dict) and joined_by in node.value:
            return _conditions(node, joined_by)
    return _term(node)


def _conditions(node: Node, joined_by: Joined) -> Conditions | None:
    """Return several conditions, all or any of which must hold."""
    if not node.has_members((joined_by,)):
        return None
    several = node.at(joined_by)
    terms = [_term(entry) for entry in several.entries(most=MOST_QUESTIONS)]
    if node.has_problems():
        return None
    try:
        return Conditions(joined=joined_by, terms=tuple(term for term in terms if term is not None))
    except PrivacyError as error:
        several.note_refusal(error)
        return None


def _term(node: Node) -> Condition | None:
    if not node.has_members(("question", "options")):
        return None
    try:
        return Condition(question=node.value["question"], options=node.value["options"])
    except PrivacyError as error:
        node.note_refusal(error)
        return None


def _check_stands_alone(block: Node) -> None:
    """Note members that do not fit a block with a number or a place: unprotected place, p, more questions."""
    is_open = block.value["protected"] is False
    refusals = (kind_of(entry).open_refusal for entry in block.value["questions"])
    if is_open and (refusal := next(filter(None, refusals), None)) is not None:
        block.at("protected").wrong(*refusal)
    for node in (block.at("truth_probability"), block.at("exclusive")):
        if node.value not in (None, 0, []) and not (is_open and node.value == SCALE):
            node.wrong(
                _("%(value)s does not apply to a number or a place"),
                _("leave it out: the question has its own disguise"),
            )
    if len(block.value["questions"]) > 1:
        block.at("questions").wrong(
            _("a number or a place shares its part with other questions"), _("give it a separate part")
        )
