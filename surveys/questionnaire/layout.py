"""Layouts of a draft: its sensitive questions in parts, for the people who will answer and what is wanted."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from privacy.errors import PrivacyError
from privacy.planning.layouts import AskedQuestion, LaidPart, Layout, Protection, Wanted, best_layouts
from privacy.risk.posterior import even_shares
from privacy.risk.promise import Promise, promise
from privacy.survey.anchors import anchor_chances, anchor_of
from privacy.survey.design import Block, Design, Question
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition, definition_without_texts
from surveys.questionnaire.fixed_parts import fixed_parts_bounded
from surveys.questionnaire.node import MOST_CHARACTERS
from surveys.questionnaire.sensitive import free_key
from surveys.questionnaire.series import WaveLine
from surveys.questionnaire.use import Use, strong, use_of

__all__ = ["Proposal", "movable", "proposals", "proposed_document"]


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A draft laid out in one way, with what it gives and what a person then risks.

    Attributes
    ----------
    kind : str
        Of `privacy.planning.layouts.Layout`, or "kept" where no question is laid out.
    definition : Definition
    use : Use
    promise : Promise or None
        Of who is strongly disguised; None where nothing is disguised.
    per_person : int
        How many of the questions that are laid out each person is asked.
    """

    kind: str
    definition: Definition
    use: Use
    promise: Promise | None
    per_person: int


def movable(design: Design) -> list[Block]:
    """Return the parts that are laid out: protected, of yes/no questions and choices, and for everybody.

    Not anchors, which have the chances of what they check.

    Of two strengths the strong one.
    """
    return [
        strong(block)
        for block in design.blocks
        if block.protected and block.asked_if is None and not block.is_scale and not block.is_anchor
    ]


def proposed_document(definition: Definition, aim: Aim, *, waves: Sequence[WaveLine] = ()) -> dict[str, Any]:
    """Return the document of the best proposal; the draft as it is where nothing keeps the ceilings."""
    best = next(iter(proposals(definition, aim, waves=waves)), None)
    return definition.document if best is None else best.definition.document


def proposals(definition: Definition, aim: Aim, *, waves: Sequence[WaveLine] = ()) -> tuple[Proposal, ...]:
    """Return the draft laid out in each way, the best first; none where no way keeps the ceilings.

    Parameters
    ----------
    definition : Definition
    aim : Aim
    waves : sequence of WaveLine
        The other surveys of its series, whose epsilon is spent.

    Notes
    -----
    Numbers, places, near-truth parts and parts that some people only are asked keep their places; what they
    tell is bounded, and taken off what the others may tell. Light strengths that parts state are left out:
    then those that fit are proposed. Every proposal keeps both ceilings, compared as fractions.
    """
    aim = aim.within(definition.design)
    ceilings = aim.protection
    spent = math.fsum(wave.epsilon for wave in waves)
    blocks = movable(definition.design)
    document = copy.deepcopy(definition.document)
    for entry in document["blocks"]:
        entry.pop("light", None)
    fixed = [
        (entry, strong(block))
        for entry, block in zip(document["blocks"], definition.design.blocks, strict=True)
        if block.protected and (block.asked_if is not None or block.is_scale) and not block.is_anchor
    ]
    everything = math.log(ceilings.everything) - spent
    if everything <= 0 or not fixed_parts_bounded(fixed, ceilings, left=everything, shared=bool(blocks)):
        return ()
    if not blocks:
        return tuple(_unmoved(document, aim, ceilings))
    return tuple(
        proposal
        for layout in _layouts(document, blocks, aim, spent=spent)
        if (proposal := _proposal(document, blocks, layout, aim, ceilings)) is not None
    )


def _unmoved(document: dict[str, Any], aim: Aim, ceilings: Protection) -> Iterator[Proposal]:
    """Yield a draft of which nothing is laid out, where it keeps the ceilings."""
    laid = definition_without_texts(document)
    if laid is None:
        return
    made = promise(strong(laid.design))
    if made is None or _keeps(made, ceilings):
        yield Proposal(kind="kept", definition=laid, use=use_of(laid.design, aim), promise=made, per_person=0)


def _layouts(
    document: dict[str, Any], blocks: Sequence[Block], aim: Aim, *, spent: float
) -> tuple[Layout, ...]:
    """Return the layouts of the questions of parts, within what the other parts leave."""
    questions = [question for block in blocks for question in block.questions]
    without = {**document, "blocks": _others(document, blocks), "rotations": []}
    others = definition_without_texts(without) if without["blocks"] else None
    made = None if others is None else promise(strong(others.design))
    left = aim.protection.everything / (made.everything if made else 1)
    if spent:
        left = min(left, left * Fraction(math.exp(-spent)))
    keys = [key for question in questions for key in question.item_keys]
    wanted = [_position(questions, key) for key in aim.wanted if key in keys]
    try:
        return best_layouts(
            [
                AskedQuestion(items=question.n_items, exclusive=question.kind == "single")
                for question in questions
            ],
            wanted=Wanted(
                n=aim.people,
                questions=tuple(dict.fromkeys(wanted)),
                shares=tuple(_share(question, aim) for question in questions),
            ),
            protection=replace(aim.protection, everything=left),
            skips=any(block.refusal is not None for block in blocks),
        )
    except PrivacyError:
        # The other parts leave nothing.
        return ()


def _others(document: Mapping[str, Any], blocks: Sequence[Block]) -> list[dict[str, Any]]:
    keys = {block.key for block in blocks}
    return [entry for entry in document["blocks"] if entry["key"] not in keys]


def _position(questions: Sequence[Question], item: str) -> int:
    return next(number for number, question in enumerate(questions) if item in question.item_keys)


def _share(question: Question, aim: Aim) -> float:
    """Return the guess of the item that is wanted of a question, else of its first one."""
    keys = question.item_keys
    item = next((key for key in aim.wanted if key in keys), keys[0])
    return aim.share(item, len(keys) if question.kind == "single" else 2)


def _keeps(made: Promise, ceilings: Protection) -> bool:
    return made.everything <= ceilings.everything and made.answer <= ceilings.answer


def _proposal(
    document: dict[str, Any], blocks: Sequence[Block], layout: Layout, aim: Aim, ceilings: Protection
) -> Proposal | None:
    """Return a draft with a layout; None where it cannot be read, or what it tells is above a ceiling."""
    laid = definition_without_texts(_laid_out(document, blocks, layout))
    if laid is None:
        return None
    made = promise(strong(laid.design))
    if made is None or not _keeps(made, ceilings):
        return None
    return Proposal(
        kind=layout.kind,
        definition=laid,
        use=use_of(laid.design, aim),
        promise=made,
        per_person=_per_person(layout),
    )


def _per_person(layout: Layout) -> int:
    if layout.parts_per_person is not None:
        return layout.parts_per_person
    return sum(len(part.booklets[0]) if part.booklets else len(part.questions) for part in layout.parts)


def _laid_out(document: dict[str, Any], blocks: Sequence[Block], layout: Layout) -> dict[str, Any]:
    """Return a document with the parts of a layout where the first of the parts stood that it replaces."""
    entries = [entry for entry in document["blocks"] if entry["key"] in {block.key for block in blocks}]
    placed = [(entry, question) for entry in entries for question in entry["questions"]]
    drawn = {question.key: list(even_shares(question)) for block in blocks for question in block.questions}
    taken = {entry["key"] for entry in _others(document, blocks)}
    parts = []
    for part in layout.parts:
        part_entry = _part_entry(part, placed, drawn, taken)
        taken.add(part_entry["key"])
        parts.append(part_entry)
    index = document["blocks"].index(entries[0])
    laid = [entry for entry in document["blocks"] if entry not in entries]
    before = sum(entry not in entries for entry in document["blocks"][:index])
    laid[before:before] = parts
    laid = [
        _checking(entry, laid, number) if anchor_of(entry) else entry for number, entry in enumerate(laid)
    ]
    rotations = [
        rotation
        for rotation in document.get("rotations") or []
        if not {block.key for block in blocks} & set(rotation["blocks"])
    ]
    if layout.parts_per_person is not None:
        keys = [part["key"] for part in parts]
        rotations.append({"blocks": keys, "parts_per_person": layout.parts_per_person})
    without = {name: value for name, value in document.items() if name != "rotations"}
    return {**without, "blocks": laid, **({"rotations": rotations} if rotations else {})}


def _checking(anchor: dict[str, Any], blocks: Sequence[dict[str, Any]], number: int) -> dict[str, Any]:
    """Return an anchor with the chances of the part before it."""
    chances = anchor_chances(blocks, number)
    if chances is None:
        return anchor
    unrelated = chances.pop("unrelated", anchor["questions"][0]["unrelated"])
    others = {name: value for name, value in anchor.items() if name not in chances}
    stated = {name: value for name, value in chances.items() if value is not None}
    return others | stated | {"questions": [anchor["questions"][0] | {"unrelated": unrelated}]}


def _part_entry(
    part: LaidPart,
    placed: Sequence[tuple[dict[str, Any], dict[str, Any]]],
    drawn: Mapping[str, list[int]],
    taken: set[str],
) -> dict[str, Any]:
    origins = list({placed[number][0]["key"]: placed[number][0] for number in part.questions}.values())
    questions = [placed[number][1] for number in part.questions]
    entry: dict[str, Any] = {
        "key": free_key(origins[0]["key"], taken),
        "protected": True,
        "truth_probability": part.truth,
        "title": _texts_joined([origin["title"] for origin in origins], " · "),
        "questions": [question | {"unrelated": drawn[question["key"]]} for question in questions],
    }
    if part.refusal is not None:
        entry["refusal"] = part.refusal
    if part.booklets is not None:
        entry |= {
            "questions_per_person": len(part.booklets[0]),
            "booklets": [list(booklet) for booklet in part.booklets],
        }
    if helps := [origin["help"] for origin in origins if origin.get("help")]:
        entry["help"] = _texts_joined(helps, "\n")
    keys = {question["key"] for question in questions}
    exclusive = [each for origin in origins for each in origin.get("exclusive") or []]
    # Answers that exclude each other do so where they stand in one part.
    if within := [each for each in exclusive if {item.partition("=")[0] for item in each} <= keys]:
        entry["exclusive"] = within
    return entry


def _texts_joined(texts: Sequence[Mapping[str, str]], between: str) -> dict[str, str]:
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
