"""Join parts into one of which each person is asked some questions."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from privacy.coins import SCALE
from privacy.planning.parts_in_turn import asked_part
from privacy.risk.posterior import even_shares
from privacy.survey.balanced_booklets import MOST_TOGETHER, balanced_booklets
from privacy.survey.design import Block, Design
from privacy.survey.design_json import NEAR_TRUTH
from surveys.questionnaire.checks.ceilings import largest_truth_probability
from surveys.questionnaire.definition import Definition, definition_read
from surveys.questionnaire.texts import MOST_CHARACTERS

__all__ = ["joinable", "texts_joined", "with_joined_part"]


def joinable(design: Design) -> list[Block]:
    """Return the parts whose questions could stand in one: protected, with a coin, and for everybody.

    Of two strengths the strong one.
    """
    return [
        block.in_group(direct=False) or block
        for block in design.blocks
        if block.protected
        and block.asked_if is None
        and not design.in_rotation(block.key)
        and not block.is_scale
    ]


def with_joined_part(
    definition: Definition,
    keys: Sequence[str],
    *,
    per_person: int,
    epsilon: float,
    largest: int,
    radius: int | None = None,
) -> Definition:
    """Return a definition in which some parts are one, each person being asked some of its questions.

    Parameters
    ----------
    definition : Definition
    keys : sequence of str
        Of `joinable`; the part stands where the first of them stood.
    per_person : int
        Questions that each person is asked, all of them where there are no more.
    epsilon : float
        Of the part, at most: its truth probability is the largest that keeps it.
    largest : int
        Itemsets of so many questions are to be asked equally often, where there is such a list of sets.
    radius : int, optional
        So many answers at most are changed in a row near the true one, which is sent then; None sends the
        true row. Goes with yes/no questions, none of which excludes another, and no skip.

    Notes
    -----
    All answers are drawn equally often; a skip is offered where a part offered one, as likely as one pattern
    of the questions that have most of them. A light strength that a part states is left out: that of the
    joined part is the one that is proposed.
    """
    document = copy.deepcopy(definition.document)
    entries = [entry for entry in document["blocks"] if entry["key"] in keys]
    first = entries[0]
    drawn = {question.key: list(even_shares(question)) for question in definition.design.questions}
    questions = [
        question | {"unrelated": drawn[question["key"]]}
        for entry in entries
        for question in entry["questions"]
    ]
    part = {
        "key": first["key"],
        "protected": True,
        "truth_probability": 1,
        "title": texts_joined([entry["title"] for entry in entries], " · "),
        "questions": questions,
    }
    if per_person < len(questions):
        part["questions_per_person"] = per_person
    if radius:
        part |= {"mechanism": NEAR_TRUTH, "radius": radius}
    together = min(largest, per_person, MOST_TOGETHER)
    listed = balanced_booklets(len(questions), per_person, together=together)
    if listed and per_person < len(questions):
        part["booklets"] = [list(booklet) for booklet in listed]
    if helps := [entry["help"] for entry in entries if entry.get("help")]:
        part["help"] = texts_joined(helps, "\n")
    if exclusive := [keys for entry in entries for keys in entry.get("exclusive") or []]:
        part["exclusive"] = exclusive
    index = document["blocks"].index(first)
    others = [entry for entry in document["blocks"] if entry is first or entry["key"] not in keys]
    others[index - sum(entry["key"] in keys for entry in document["blocks"][:index])] = part
    document["blocks"] = others
    if any(entry.get("refusal") for entry in entries):
        part["refusal"] = -(-SCALE // (asked_part(_block(document, part["key"])).patterns + 1))
    block = _block(document, part["key"])
    alone = block.of_booklet(block.worst_booklet)
    part["truth_probability"] = max(1, largest_truth_probability(alone, epsilon))
    definition_joined = definition_read(document).definition
    if definition_joined is None:
        raise AssertionError("a part that was joined cannot be read")
    return definition_joined


def _block(document: dict[str, Any], key: str) -> Block:
    blocks = [block for _path, block in definition_read(document).blocks]
    return next(block for block in blocks if block.key == key)


def texts_joined(texts: Sequence[Mapping[str, str]], between: str) -> dict[str, str]:
    """Return texts as one, in every language, each text once; of many the first that a text has room for."""
    languages = dict.fromkeys(tag for text in texts for tag in text)
    return {
        tag: _as_one(dict.fromkeys(text[tag] for text in texts if text.get(tag)), between)
        for tag in languages
    }


def _as_one(texts: Iterable[str], between: str) -> str:
    longer = itertools.accumulate(texts, lambda longest, text: f"{longest}{between}{text}")
    fitting = list(itertools.takewhile(lambda text: len(text) <= MOST_CHARACTERS, longer))
    # A draft may have no text in this language yet.
    return fitting[-1] if fitting else ""
