"""Choose which questions of a draft are disguised, and what this changes in the rest of the draft."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.planning.plan import free_key
from privacy.survey.block import Block, default_refusal
from privacy.survey.question import Question
from surveys.questionnaire.composites import COMPUTED, open_references
from surveys.questionnaire.part_names import own_title, titled
from surveys.questionnaire.stated_kinds import kind_of

OF_A_COIN: Final = (
    "truth_probability",
    "light",
    "refusal",
    "no_skip",
    "exclusive",
    "questions_per_person",
    "booklets",
)
"""Members that a part has only if its questions share a coin."""

_STRENGTH: Final = ("truth_probability", "refusal", "no_skip")


def choosable_questions(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the questions that can be switched.

    All except places, arms of an experiment, composite questions, which cannot be open, and the open
    questions on which the rule of a composite question depends, which cannot be disguised.
    """
    questions = [question for entry in document["blocks"] for question in entry["questions"]]
    used = {key for question in questions for key in open_references(question)}
    return [
        question
        for question in questions
        if kind_of(question).can_be_switched and COMPUTED not in question and question["key"] not in used
    ]


def with_sensitive(document: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    """Return a document in which exactly these of the switchable questions are disguised.

    A part that depends on a newly disguised question is asked of everyone, because asking it reveals the
    answer. Parts in which only some questions change are split; the order of questions is kept. A new part is
    disguised so strongly that it reveals little, until the layout sets its strength. Skippable questions stay
    skippable. A newly disguised question is skippable unless the draft says why its disguised questions are
    not.
    """
    choosable = {question["key"] for question in choosable_questions(document)}
    newly = {
        question["key"]
        for entry in document["blocks"]
        for question in entry["questions"]
        if not entry["protected"] and question["key"] in choosable & set(keys)
    }
    document = relaxed_document(document, newly)
    protected_ones = [entry for entry in document["blocks"] if entry["protected"]]
    skips = not any(entry.get("no_skip") and not entry.get("refusal") for entry in protected_ones)
    blocks: list[dict[str, Any]] = []
    for entry in document["blocks"]:

        def is_protected(question: Mapping[str, Any], entry: Mapping[str, Any] = entry) -> bool:
            return question["key"] in keys if question["key"] in choosable else bool(entry["protected"])

        states = {is_protected(question) for question in entry["questions"]}
        if states <= {entry["protected"]}:
            blocks.append(entry)
            continue
        used_keys = {block["key"] for block in [*document["blocks"], *blocks]} - {entry["key"]}
        for is_disguised, run in itertools.groupby(entry["questions"], key=is_protected):
            part = _part(entry, list(run), document, protected=is_disguised, keys=used_keys)
            if is_disguised:
                may_skip = bool(entry.get("refusal")) if entry["protected"] else skips
                kept = {name: entry[name] for name in _STRENGTH if entry.get(name)}
                part |= starting_disguise(part, skips=may_skip) | kept
            used_keys.add(part["key"])
            blocks.append(part)
    result = {**document, "blocks": blocks}
    protected_keys = {block["key"] for block in blocks if block["protected"]}
    rotations = [each for each in document.get("rotations") or [] if set(each["blocks"]) <= protected_keys]
    without = {name: value for name, value in result.items() if name != "rotations"}
    return without | ({"rotations": rotations} if rotations else {})


def relaxed_document(document: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    """Return a document in which no part depends on these questions: everyone is asked instead."""
    blocks = []
    for entry in document["blocks"]:
        condition = without_questions(entry.get("asked_if"), keys)
        without = {name: value for name, value in entry.items() if name != "asked_if"}
        blocks.append(
            entry
            if condition == entry.get("asked_if")
            else without | ({"asked_if": condition} if condition else {})
        )
    return {**document, "blocks": blocks}


def dependents(document: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """Return the questions of the parts that depend on a question."""
    return [
        question
        for entry in document["blocks"]
        if key in names_in(entry.get("asked_if"))
        for question in entry["questions"]
    ]


def _part(
    entry: Mapping[str, Any],
    questions: list[dict[str, Any]],
    document: Mapping[str, Any],
    *,
    protected: bool,
    keys: set[str],
) -> dict[str, Any]:
    part = {name: value for name, value in entry.items() if name not in OF_A_COIN}
    part |= {"key": free_key(entry["key"], keys), "protected": protected}
    part["questions"] = [kind_of(each).switch(each, protected=protected) for each in questions]
    return titled(part, own_title(entry, document))


def starting_disguise(part: Mapping[str, Any], *, skips: bool) -> dict[str, Any]:
    """Return the skip and truth probability of a newly disguised part; the plan sets the latter."""
    kind = kind_of(part["questions"][0])
    if kind.is_scale:
        return {"refusal": kind.least_refusal} if skips else {}
    block = _complete_block(part)
    refusal = 1 if block is None else default_refusal(block)
    return ({"refusal": refusal} if skips else {}) | {"truth_probability": SCALE // 100}


def _complete_block(part: Mapping[str, Any]) -> Block | None:
    """Return the part as a block without probabilities; None if a question is incomplete."""
    try:
        questions = tuple(
            Question(
                key=entry["key"],
                kind=entry["kind"],
                options=tuple(option["key"] for option in entry.get("options", ())),
                unrelated=entry["unrelated"],
            )
            for entry in part["questions"]
        )
        return Block(key=part["key"], protected=True, truth_probability=1, questions=questions)
    except PrivacyError:
        return None


def names_in(condition: object) -> Iterator[str]:
    """Yield the questions that a condition, or a list of conditions, names at any depth."""
    if isinstance(condition, Mapping):
        for name, value in condition.items():
            if name == "question" and isinstance(value, str):
                yield value
            else:
                yield from names_in(value)
    elif isinstance(condition, list):
        for each in condition:
            yield from names_in(each)


def without_questions(condition: Any, keys: Collection[str]) -> Any:
    """Return a condition without these questions, so that no one whom it asks is left out; None for everyone.

    Examples
    --------
    >>> hit, hurt = ({"question": key, "options": ["yes"]} for key in ("hit", "hurt"))
    >>> without_questions({"all": [hit, hurt]}, ["hit"]) == hurt
    True
    >>> without_questions({"any": [hit, hurt]}, ["hit"]) is None
    True
    """
    if set(names_in(condition)).isdisjoint(keys):
        return condition
    for joined in ("all", "any"):
        terms = condition.get(joined)
        if isinstance(terms, list):
            rest = [each for each in (without_questions(term, keys) for term in terms) if each is not None]
            if not rest or (joined == "any" and len(rest) < len(terms)):
                return None
            return rest[0] if len(rest) == 1 else {**condition, joined: rest}
    return None
