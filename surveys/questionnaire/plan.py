"""Plan of a survey: its questions laid out for the people expected, its figures, and changes that help."""

from __future__ import annotations

import copy
import itertools
import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from privacy.errors import PrivacyError
from privacy.planning.layout_search import best_layout
from privacy.planning.layouts import (
    AskedNumber,
    AskedQuestion,
    LaidPart,
    Layout,
    Protection,
    Wanted,
)
from privacy.policy import EPSILON_LOWEST
from privacy.risk.posterior import even_shares
from privacy.risk.promise import Promise, promise
from privacy.survey.anchors import anchor_chances, anchor_of
from privacy.survey.design import Block, Design, GroupPolicy, Question
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition, definition_without_texts
from surveys.questionnaire.fixed_parts import fixed_parts_bounded
from surveys.questionnaire.node import MOST_CHARACTERS
from surveys.questionnaire.scale_definition import disguise_of, refusal_of
from surveys.questionnaire.sensitive import free_key
from surveys.questionnaire.series import WaveLine
from surveys.questionnaire.use import Use, number_error, strong, use_of

__all__ = ["Plan", "plan", "planned_document"]

_NUMBER_EPSILONS: Final = (0.3, 0.45, 0.65, 0.95, 1.35)
"""Epsilons at which a number is priced, beside the largest that one answer may have."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A draft laid out for an aim.

    Attributes
    ----------
    definition : Definition
        The draft as it would be saved.
    aim : Aim
    use : Use
        Its figures.
    promise : Promise or None
        The largest odds for people in the strongly disguised group; None where nothing is disguised.
    held : str
        `Layout.key` of its layout; empty where no question is laid out.
    per_person : int or None
        How many of the laid-out questions each person is asked; None where that is all of them.
    """

    definition: Definition
    aim: Aim
    use: Use
    promise: Promise | None
    held: str
    per_person: int | None

    @property
    def is_useful(self) -> bool:
        """Whether every disguised question can be shown, within 25 points."""
        return self.use.is_useful


def planned_document(definition: Definition, aim: Aim, *, waves: Sequence[WaveLine] = ()) -> dict[str, Any]:
    """Return the document of the plan; the draft as it is where no layout keeps the protection."""
    made = plan(definition, aim, waves=waves)
    return definition.document if made is None else made.definition.document


def plan(definition: Definition, aim: Aim, *, waves: Sequence[WaveLine] = (), held: str = "") -> Plan | None:
    """Return a draft laid out for an aim; None where no layout keeps its protection.

    Parameters
    ----------
    definition : Definition
        Its protected questions are disguised, all others stored as answered.
    aim : Aim
    waves : sequence of WaveLine
        The other surveys of its series, whose epsilon is spent.
    held : str, optional
        `Plan.held` so far: see `privacy.planning.layout_search.best_layout`.

    Notes
    -----
    Places, and blocks that only some people are asked, keep their positions: their odds are bounded and
    taken off what the others may spend. Light strengths stated by blocks are left out, and proposed anew.
    Skips, texts, titles and the order of questions stay.
    """
    aim = aim.within(definition.design)
    ceilings = aim.protection
    spent = math.fsum(wave.epsilon for wave in waves)
    document = copy.deepcopy(definition.document)
    for entry in document["blocks"]:
        entry.pop("light", None)
    coins, numbers = _movable(definition.design), _numbers(definition.design)
    fixed = [
        (entry, strong(block))
        for entry, block in zip(document["blocks"], definition.design.blocks, strict=True)
        if block.protected and (block.asked_if is not None or block.is_scale) and not block.is_anchor
        and block.key not in numbers
    ]  # fmt: skip
    everything = math.log(ceilings.everything) - spent
    shared = bool(coins or numbers)
    if everything <= 0 or not fixed_parts_bounded(fixed, ceilings, left=everything, shared=shared):
        return None
    if not shared:
        return _unmoved(document, aim)
    layout = _layout(document, coins, numbers, aim, spent=spent, held=held)
    return None if layout is None else _laid(document, coins, numbers, layout, aim)


def _movable(design: Design) -> list[Block]:
    """Return the blocks that are laid out, in their strong strength: disguised by a coin, and for everyone.

    Anchors are not: they have the probabilities of the block that they check.
    """
    return [
        strong(block)
        for block in design.blocks
        if block.protected and block.asked_if is None and not block.is_scale and not block.is_anchor
    ]


def _numbers(design: Design) -> dict[str, Question]:
    """Return by block the disguised numbers that everyone is asked."""
    rotating = {key for rotation in design.rotations for key in rotation.blocks}
    return {
        block.key: block.questions[0]
        for block in design.blocks
        if block.protected
        and block.asked_if is None
        and block.questions[0].kind == "number"
        and block.key not in rotating
    }


def _unmoved(document: dict[str, Any], aim: Aim) -> Plan | None:
    """Return a draft of which nothing is laid out, where it keeps the ceilings."""
    laid = definition_without_texts(document)
    if laid is None:
        return None
    made = promise(strong(laid.design))
    if made is not None and not _keeps(made, aim.protection):
        return None
    return Plan(
        definition=laid,
        aim=aim,
        use=use_of(laid.design, aim),
        promise=made,
        held="",
        per_person=None,
    )


def _layout(
    document: dict[str, Any],
    coins: Sequence[Block],
    numbers: Mapping[str, Question],
    aim: Aim,
    *,
    spent: float,
    held: str,
) -> Layout | None:
    """Return the layout of questions and numbers within what the other blocks leave."""
    questions = [question for block in coins for question in block.questions]
    moved = {*numbers, *(block.key for block in coins)}
    rest = [entry for entry in document["blocks"] if entry["key"] not in moved]
    others = definition_without_texts({**document, "blocks": rest, "rotations": []}) if rest else None
    made = None if others is None else promise(strong(others.design))
    left = aim.protection.everything / (made.everything if made else 1)
    if spent:
        left = min(left, left * Fraction(math.exp(-spent)))
    keys = [key for question in questions for key in question.item_keys]
    starred = [_position(questions, key) for key in aim.wanted if key in keys]
    priced = [_priced(entry, aim.protection) for entry in document["blocks"] if entry["key"] in numbers]
    if not all(priced):
        return None
    try:
        return best_layout(
            [AskedQuestion(items=each.n_items, exclusive=each.kind == "single") for each in questions],
            wanted=Wanted(
                n=aim.people,
                questions=tuple(dict.fromkeys(starred)),
                shares=tuple(_share(question, aim) for question in questions),
            ),
            protection=replace(aim.protection, everything=left),
            skips=any(block.refusal is not None for block in coins),
            numbers=[AskedNumber(levels=tuple(level[1:] for level in levels)) for levels in priced],
            held=held,
        )
    except PrivacyError:
        # The other blocks leave nothing.
        return None


def _priced(entry: Mapping[str, Any], protection: Protection) -> tuple[tuple[float, Fraction, float], ...]:
    """Return a number's levels: epsilon, and what `AskedNumber` needs of each."""
    stated = entry["questions"][0]
    spans = [{name: each[name] for name in ("key", "from", "to")} for each in stated.get("options") or []]
    core = {name: value for name, value in stated["number"].items() if name != "unit"}
    core |= {"items": spans} if spans else {}
    return _prices(json.dumps(core, sort_keys=True), entry.get("refusal") is not None, protection)


@lru_cache(maxsize=256)
def _prices(
    stated: str,
    may_skip: bool,
    protection: Protection,
) -> tuple[tuple[float, Fraction, float], ...]:
    largest = math.log(protection.answer)
    levels: dict[float, tuple[float, Fraction, float]] = {}
    for stated_epsilon in [*(each for each in _NUMBER_EPSILONS if each < largest), largest]:
        hundredths = math.floor(100 * stated_epsilon + 1e-9)
        # A skip can cost a little more than the number's own epsilon.
        for epsilon in (each / 100 for each in range(hundredths, 0, -1)):
            block = _number_block(json.loads(stated) | {"epsilon": epsilon}, may_skip=may_skip)
            made = promise(Design(blocks=(block,), group=GroupPolicy(), use="live")) if block else None
            if block is None or made is None or epsilon < EPSILON_LOWEST:
                break
            if _keeps(made, protection):
                levels[epsilon] = (epsilon, made.everything, number_error(block))
                break
    return tuple(levels[epsilon] for epsilon in sorted(levels))


def _number_block(stated: Mapping[str, Any], *, may_skip: bool) -> Block | None:
    """Return the block of a number; None where its disguise cannot be made, or a skip cannot hide."""
    try:
        disguise, keys = disguise_of("number", stated)
        question = Question(key="number", kind="number", options=keys, unrelated=(), disguise=disguise)
        return Block(
            key="number",
            protected=True,
            truth_probability=0,
            refusal=refusal_of(may_skip, question),
            asked_if=None,
            questions=(question,),
        )
    except PrivacyError:
        return None


def _position(questions: Sequence[Question], item: str) -> int:
    return next(number for number, question in enumerate(questions) if item in question.item_keys)


def _share(question: Question, aim: Aim) -> float:
    """Return the guess of a question's starred item, else of its first one."""
    keys = question.item_keys
    item = next((key for key in aim.wanted if key in keys), keys[0])
    return aim.share(item, len(keys) if question.kind == "single" else 2)


def _keeps(made: Promise, ceilings: Protection) -> bool:
    return made.everything <= ceilings.everything and made.answer <= ceilings.answer


def _laid(
    document: dict[str, Any],
    coins: Sequence[Block],
    numbers: Collection[str],
    layout: Layout,
    aim: Aim,
) -> Plan | None:
    """Return the plan of a layout; None where its draft cannot be read, or breaks a ceiling."""
    laid = definition_without_texts(_laid_out(document, coins, numbers, layout, aim.protection))
    if laid is None:
        return None
    made = promise(strong(laid.design))
    if made is None or not _keeps(made, aim.protection):
        return None
    return Plan(
        definition=laid,
        aim=aim,
        use=use_of(laid.design, aim),
        promise=made,
        held=layout.key,
        per_person=_per_person(layout),
    )


def _per_person(layout: Layout) -> int | None:
    asked = (
        layout.parts_per_person
        if layout.parts_per_person is not None
        else sum(len(part.booklets[0]) if part.booklets else len(part.questions) for part in layout.parts)
    )
    return asked if asked < len(layout.kinds) else None


def _laid_out(
    document: dict[str, Any],
    coins: Sequence[Block],
    numbers: Collection[str],
    layout: Layout,
    protection: Protection,
) -> dict[str, Any]:
    """Return a document with the blocks of a layout where the first of the replaced blocks was."""
    moved = {block.key for block in coins}
    entries = [entry for entry in document["blocks"] if entry["key"] in moved]
    placed = [(entry, question) for entry in entries for question in entry["questions"]]
    drawn = {question.key: list(even_shares(question)) for block in coins for question in block.questions}
    kept = [entry for entry in document["blocks"] if entry["key"] not in moved]
    taken = {entry["key"] for entry in kept}
    parts = []
    for part in layout.parts:
        part_entry = _part_entry(part, placed, drawn, taken)
        taken.add(part_entry["key"])
        parts.append(part_entry)
    laid = [
        _with_level(entry, layout.number_level, protection) if entry["key"] in numbers else entry
        for entry in kept
    ]
    if entries:
        index = document["blocks"].index(entries[0])
        before = sum(entry["key"] not in moved for entry in document["blocks"][:index])
        laid[before:before] = parts
    laid = [
        _checking(entry, laid, number) if anchor_of(entry) else entry for number, entry in enumerate(laid)
    ]
    rotations = [
        rotation for rotation in document.get("rotations") or [] if not moved & set(rotation["blocks"])
    ]
    if layout.parts_per_person is not None:
        keys = [part["key"] for part in parts]
        rotations.append({"blocks": keys, "parts_per_person": layout.parts_per_person})
    without = {name: value for name, value in document.items() if name != "rotations"}
    return {**without, "blocks": laid, **({"rotations": rotations} if rotations else {})}


def _with_level(entry: dict[str, Any], level: int, protection: Protection) -> dict[str, Any]:
    """Return the block of a number with the epsilon of a level."""
    levels = _priced(entry, protection)
    question = entry["questions"][0]
    epsilon = levels[min(level, len(levels) - 1)][0]
    return entry | {"questions": [question | {"number": question["number"] | {"epsilon": epsilon}}]}


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
