"""Turn the questionnaire of a source into a draft."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from privacy.coins import SCALE
from surveys.imports.drafts.fresh_keys import FreshKeys, proposed_key
from surveys.imports.drafts.one_answer_drafts import with_filter, with_score
from surveys.imports.drafts.protection import followers
from surveys.imports.drafts.questionnaire import (
    IMPORTED_KINDS,
    ONE_ANSWER,
    SEVERAL,
    Option,
    Part,
    Question,
    Questionnaire,
    Texts,
    name_question,
    points_of,
    ticked_options,
)
from surveys.imports.drafts.score_items import missing_rule
from surveys.questionnaire.aim import DEFAULT_PEOPLE, Aim
from surveys.questionnaire.definition import definition_without_texts
from surveys.questionnaire.draft_plan import planned_document
from surveys.questionnaire.kinds import MATRIX, RATING, SLIDER
from surveys.questionnaire.part_names import titled
from surveys.questionnaire.sensitive import starting_disguise, without_questions
from surveys.questionnaire.stated_number import MEDIUM_EPSILON, stored_number
from surveys.questionnaire.stems import BOXES, LOOK, STEM, STEMS
from surveys.questionnaire.templates import scratch_document

# First guess of a sensitive answer's share, as in protection.js, until the researcher states one.
_RARE: Final = 2_000
_BEGINS: Final = re.compile(r"[?？؟:：,，…]\W{0,2}$|\.\.\.$")
"""The end of a heading that is the beginning of its questions; it may be in quotation marks or brackets."""
_ENDED: Final = re.compile(r"[.。!！]\W{0,2}$")
_SENTENCE: Final = 5
"""Smallest number of words of a heading that counts as a sentence, above items with the same answers."""


def draft_of(survey: Questionnaire) -> dict[str, Any]:
    """Turn a questionnaire into a draft."""
    return draft_and_keys(survey)[0]


def draft_and_keys(survey: Questionnaire) -> tuple[dict[str, Any], dict[int, str]]:
    """Turn a questionnaire into a draft; also return the keys of its questions by line.

    For a question whose answers became a list, this is the key of the first line. A question that is part of
    one answer is in the rule of that answer.
    """
    languages = survey.languages
    document = scratch_document(title="", languages=languages)
    document["title"] |= survey.title
    for name, wording in survey.about.items():
        document["about"][name] = document["about"].get(name, {}) | wording
    fresh_keys = FreshKeys(survey.by_key)
    for place, question in enumerate(survey.questions, start=1):
        name_question(question, fresh_keys, place)
    # Who is asked a question reveals the answer that decides it, so no part depends on a protected question.
    hidden = {key for key, question in survey.by_key.items() if question.is_protected}
    added = {line for score in survey.scores if score.is_used for line in score.questions}
    runs = [(part, run) for part in survey.parts for run in _runs(part, hidden, added)]
    keys: dict[int, str] = {}
    for number, (part, run) in enumerate(runs, start=1):
        base_key = part.key or proposed_key(part.texts.get(languages[0], "")) or f"part-{number}"
        questions = []
        above = [texts for texts in (part.texts, part.help) if _is_stem(texts, part.questions)]
        for question in run:
            is_kept = without_questions(question.condition, hidden) == question.condition
            texts = question.texts if question.condition and is_kept else question.whole_texts
            asked = replace(question, texts=texts, help=_joined_help(*above, question.help))
            entries = _entries(asked, survey, document.setdefault(STEMS, []))
            keys[question.line] = entries[0]["key"] if entries else ""
            questions += entries
        condition = without_questions(run[0].condition, hidden)
        block = _block(
            fresh_keys.take(base_key),
            part,
            run,
            questions,
            condition,
            languages=languages,
        )
        document["blocks"].append(block)
    if not document.get(STEMS):
        document.pop(STEMS, None)
    whole = definition_without_texts(document := _with_one_answers(document, survey, keys))
    # An unfinished draft is laid out when it is complete; until then the builder lists what is missing.
    return document if whole is None else planned_document(whole, Aim(people=DEFAULT_PEOPLE)), keys


def _with_one_answers(
    document: dict[str, Any], survey: Questionnaire, keys: Mapping[int, str]
) -> dict[str, Any]:
    """Return a draft with the answers that devices compute: filters with their follow-ups, and scores."""
    following = followers(survey)
    for question in survey.questions:
        if ONE_ANSWER in question.flags and question.is_protected:
            conditions = {each.key: each.condition for each in following[question.key]}
            asked_after = {key: condition["options"] for key, condition in conditions.items() if condition}
            document = with_filter(document, question.key, asked_after)
    for score in survey.scores:
        chosen = [question for question in survey.questions if question.line in score.questions]
        if score.is_used and len(chosen) == len(score.questions):
            used = [_points_by_key(each) for each in chosen if each.line in keys]
            points = {key: own for each in used for key, own in each.items()}
            rule = {"points": points} | score.rule | {"missing": missing_rule(survey, score)}
            document = with_score(document, rule, score.levels, survey.texts_of(score))
    return document


def _points_by_key(question: Question) -> dict[str, list[int]]:
    """Return the points of the answers of a question by its key; of a list, those of each of its lines."""
    if question.kind != SEVERAL:
        return {question.key: points_of(question)}
    ticked = (option for _number, option in ticked_options(question))
    return {question.lines[option.key]: [0, option.points or 0] for option in ticked}


def _is_stem(texts: Texts, questions: Sequence[Question]) -> bool:
    """Return whether questions are incomplete without the words above them.

    The words begin each question: they ask, or end with a colon, a comma or three dots;
    above questions with the same answers, they are any sentence. The heading of a part would be lost, because
    plans join parts, ask some of their questions, and send others as one answer.
    """
    stated = [text.strip() for text in texts.values() if text.strip()]
    answers = {tuple(tuple(option.texts.items()) for option in each.options) for each in questions}
    is_scale = len(questions) > 1 and len(answers) == 1 and answers != {()}
    is_begun = any(_BEGINS.search(text) for text in stated)
    is_sentence = any(len(text.split()) >= _SENTENCE or _ENDED.search(text) for text in stated)
    return is_begun or (is_scale and is_sentence)


def _joined_help(*found: Texts) -> Texts:
    """Join, in each language, the texts that people read with a question."""
    tags = dict.fromkeys(tag for texts in found for tag in texts)
    return {tag: "\n".join(dict.fromkeys(texts[tag] for texts in found if texts.get(tag))) for tag in tags}


def _runs(part: Part, hidden: Collection[str], added: Collection[int]) -> Iterator[list[Question]]:
    """Yield runs of questions that form one block.

    A block's questions have the same protection and the same condition. A number or a place is alone, unless
    it is added to a score, which is one answer then.
    """
    active = [question for question in part.questions if question.is_asked]
    for _same, run in itertools.groupby(
        active,
        key=lambda each: (
            each.is_protected,
            each.line if IMPORTED_KINDS[each.kind].is_scale and each.line not in added else 0,
            json.dumps(without_questions(each.condition, hidden)),
        ),
    ):
        yield list(run)


def _block(
    key: str,
    part: Part,
    run: Sequence[Question],
    questions: list[dict[str, Any]],
    condition: dict[str, Any] | None,
    *,
    languages: Sequence[str],
) -> dict[str, Any]:
    # If a part becomes several blocks, each keeps the heading: a device may be asked only some of them.
    title = {tag: part.texts[tag] for tag in languages if part.texts.get(tag)}
    block = titled({"key": key, "protected": bool(run[0].is_protected), "questions": questions}, title)
    is_own = part.help and not _is_stem(part.help, part.questions)
    block |= ({"help": part.help} if is_own else {}) | ({"asked_if": condition} if condition else {})
    if not run[0].is_protected:
        return block
    return block | starting_disguise(block, skips=True)


def _entries(question: Question, survey: Questionnaire, stems: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the entries of a question: one, or the lines of its list, whose stem is added to `stems`."""
    entry = _entry(question, survey.languages)
    if question.kind != SEVERAL:
        return [entry]
    lines = [option for option in question.options if option.key in question.lines]
    stem: dict[str, Any] = {name: entry[name] for name in ("key", "text", "help") if name in entry}
    stems.append(stem if question.is_protected else stem | {LOOK: BOXES})
    shares = {"unrelated": [SCALE // 2], "prevalence": [_RARE]} if question.is_protected else {}
    return [
        {
            "key": question.lines[option["key"]],
            "kind": "yes_no",
            "text": option["text"],
            STEM: entry["key"],
            **shares,
        }
        for option in _options(lines, survey.languages)
    ]


def _entry(question: Question, languages: Sequence[str]) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "key": question.key,
        "kind": question.kind,
        "text": dict.fromkeys(languages, "") | question.texts,
    }
    if question.help:
        entry["help"] = question.help
    kind = IMPORTED_KINDS[question.kind]
    if kind.is_scale:
        look = {"look": SLIDER} if "slider" in question.flags else {}
        scale = question.own[kind.name]
        # The layout later bounds all answers together.
        scale = scale | {"epsilon": MEDIUM_EPSILON} if question.is_protected else stored_number(scale)
        return entry | question.own | {kind.name: scale} | look
    if question.kind == SEVERAL:
        return entry
    if question.options:
        entry["options"] = _options(question.options, languages)
    for flag, appearance in (("rating", RATING), ("table", MATRIX)):
        if flag in question.flags and appearance in kind.looks:
            entry["look"] = appearance
    if question.is_protected:
        even = kind.uniform_shares(len(entry.get("options", ())))
        entry["unrelated"] = even
        entry["prevalence"] = even if kind.is_exhaustive else [_RARE] * len(even)
    return entry | question.own


def _options(options: Sequence[Option], languages: Sequence[str]) -> list[dict[str, Any]]:
    return [{"key": option.key, "text": dict.fromkeys(languages, "") | option.texts} for option in options]
