"""One set of rules from a questionnaire to a draft: protection, blocks, and keys."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from privacy.errors import PrivacyError
from privacy.survey.block import default_refusal
from privacy.survey.design import Block
from privacy.survey.design import Question as Designed
from surveys.imports.questionnaire import FreshKeys, Part, Question, Questionnaire, proposed_key
from surveys.questionnaire.aim import PEOPLE, Aim
from surveys.questionnaire.checks.looks import why_stored
from surveys.questionnaire.definition import definition_without_texts
from surveys.questionnaire.draft_reading import scratch_document
from surveys.questionnaire.kinds import MATRIX, MEDIUM_EPSILON, RATING, SLIDER, even_chances, stored_number
from surveys.questionnaire.plan import planned_document
from surveys.questionnaire.sensitive import default_title

# A first guess for a sensitive answer, as in protection.js; the researcher states a better one.
_RARE: Final = 2_000
_ALONE: Final = ("number", "place")
"""Kinds that have a part of their own."""


def decide_protection(question: Question, part: Part) -> None:
    """Decide whether a question is protected: as it is marked, else unless others can know the answer."""
    flags = question.flags & {"open", "protected"} or part.flags
    if {"open", "protected"} & flags:
        question.is_protected = "open" not in flags
    elif question.is_protected is None:
        reason = why_stored(question.kind, question.texts, [option.texts for option in question.options])
        question.is_protected, question.why = not reason, reason or question.why


def draft_of(survey: Questionnaire) -> dict[str, Any]:
    """Return the draft that a questionnaire makes."""
    languages = survey.languages
    document = scratch_document(title="", languages=languages)
    document["title"] |= survey.title
    for name, said in survey.about.items():
        document["about"][name] = document["about"].get(name, {}) | said
    taken = FreshKeys()
    runs = [(part, run) for part in survey.parts for run in _runs(part)]
    for number, (part, run) in enumerate(runs, start=1):
        wanted = part.key or proposed_key(part.texts.get(languages[0], "")) or f"part-{number}"
        questions = [_entry(question, survey, taken) for question in run]
        block = _block(taken.take(wanted), part, run, questions, survey=survey)
        document["blocks"].append(block)
    if survey.is_stated:
        return document
    whole = definition_without_texts(document)
    # An unfinished question is laid out with the others once it is complete: the builder lists the missing
    # parts.
    return document if whole is None else planned_document(whole, Aim(people=PEOPLE))


def _runs(part: Part) -> Iterator[list[Question]]:
    """Yield questions that make one block.

    They are all protected or none, wait for the same answers, and a number or a place is alone.
    """
    asked = [question for question in part.questions if question.is_asked]
    for _same, run in itertools.groupby(
        asked,
        key=lambda each: (
            each.is_protected,
            each.line if each.kind in _ALONE else 0,
            json.dumps(each.condition),
        ),
    ):
        yield list(run)


def _block(
    key: str,
    part: Part,
    run: Sequence[Question],
    questions: list[dict[str, Any]],
    *,
    survey: Questionnaire,
) -> dict[str, Any]:
    asked = default_title(questions)
    title = {tag: part.texts.get(tag) or asked.get(tag, "") for tag in survey.languages}
    block: dict[str, Any] = {
        "key": key,
        "protected": bool(run[0].is_protected),
        "title": title,
        "questions": questions,
    }
    block |= ({"help": part.help} if part.help else {}) | (
        {"asked_if": run[0].condition} if run[0].condition else {}
    )
    if survey.is_stated or not run[0].is_protected:
        return block
    if run[0].kind == "number":
        return block | {"refusal": True}
    design = _designed(key, questions)
    # The layout says how likely the truth is.
    skip = {"refusal": 1 if design is None else default_refusal(design)}
    return block | skip | {"truth_probability": 1}


def _designed(key: str, entries: Sequence[dict[str, Any]]) -> Block | None:
    """Return the part as a block still without probabilities; None if a question is incomplete."""
    try:
        questions = tuple(
            Designed(
                key=entry["key"],
                kind=entry["kind"],
                options=tuple(option["key"] for option in entry.get("options", ())),
                unrelated=entry["unrelated"],
            )
            for entry in entries
        )
        return Block(
            key=key, protected=True, truth_probability=1, refusal=None, asked_if=None, questions=questions
        )
    except PrivacyError:
        return None


def _entry(question: Question, survey: Questionnaire, taken: FreshKeys) -> dict[str, Any]:
    languages = survey.languages
    key = question.key or taken.take(
        proposed_key(question.texts.get("en", "")) or f"question-{len(taken) + 1}"
    )
    entry: dict[str, Any] = {
        "key": key,
        "kind": question.kind,
        "text": dict.fromkeys(languages, "") | question.texts,
    }
    if question.help:
        entry["help"] = question.help
    if question.kind in _ALONE:
        look = {"look": SLIDER} if "slider" in question.flags else {}
        own = dict(question.own)
        if not survey.is_stated:
            # The layout bounds all answers together.
            number = own["number"]
            own["number"] = (
                number | {"epsilon": MEDIUM_EPSILON} if question.is_protected else stored_number(number)
            )
        return entry | own | look
    count = len(question.options)
    if question.kind != "yes_no":
        entry["options"] = _options(question, languages)
    if question.kind == "single" and "rating" in question.flags:
        entry["look"] = RATING
    if question.kind in ("yes_no", "single") and "table" in question.flags:
        entry["look"] = MATRIX
    if question.is_protected:
        even = even_chances(question.kind, max(count, 1))
        entry["unrelated"] = even
        if not survey.is_stated:
            entry["prevalence"] = [_RARE] * len(even) if question.kind in ("yes_no", "multi") else even
    return entry | question.own


def _options(question: Question, languages: Sequence[str]) -> list[dict[str, Any]]:
    fresh = FreshKeys()
    return [
        {
            "key": option.key or fresh.take(proposed_key(option.texts.get("en", "")) or f"option-{position}"),
            "text": dict.fromkeys(languages, "") | option.texts,
        }
        for position, option in enumerate(question.options, start=1)
    ]
