"""Hypothesis strategies: designs of all shapes, answers that fit them, streams of words."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from privacy.coins import LIMIT, WORDS, Coins
from privacy.survey import SKIPPED, Block, Condition, Conditions, Design, GroupPolicy, Question
from privacy.survey.booklets import Rotation
from privacy.survey.condition import JOINS
from privacy.survey.grouping import disguise
from privacy.survey.layout import Layout
from privacy.survey.rotation import draw_questions
from privacy.survey.routing import is_asked

inner = st.integers(1, 9999)


@st.composite
def _shares(draw: st.DrawFn, count: int) -> tuple[int, ...]:
    cuts = draw(st.lists(st.integers(1, 9999), min_size=count - 1, max_size=count - 1, unique=True))
    edges = [0, *sorted(cuts), 10_000]
    return tuple(edges[place + 1] - edges[place] for place in range(count))


@st.composite
def questions(draw: st.DrawFn, key: str, protected: bool) -> Question:
    kind = draw(st.sampled_from(["yes_no", "single", "multi"]))
    count = 0 if kind == "yes_no" else draw(st.integers(2, 6))
    unrelated: tuple[int, ...] = ()
    if protected:
        unrelated = (
            draw(_shares(count))
            if kind == "single"
            else tuple(draw(st.lists(inner, min_size=count or 1, max_size=count or 1)))
        )
    return Question(
        key=key, kind=kind, options=tuple(f"o{option}" for option in range(count)), unrelated=unrelated
    )


@st.composite
def _condition(draw: st.DrawFn, source: Question) -> Condition:
    options = draw(st.lists(st.sampled_from(source.options or ("yes", "no")), min_size=1, unique=True))
    return Condition(question=source.key, options=tuple(options))


@st.composite
def designs(draw: st.DrawFn, most_blocks: int = 4) -> Design:
    blocks: list[Block] = []
    sources: list[Question] = []
    for number in range(draw(st.integers(1, most_blocks))):
        protected = draw(st.booleans())
        condition: Condition | Conditions | None = None
        if sources and draw(st.booleans()):
            named = draw(
                st.lists(st.sampled_from(sources), min_size=1, max_size=3, unique_by=lambda one: one.key)
            )
            terms = [draw(_condition(source)) for source in named]
            joined = draw(st.sampled_from(JOINS))
            condition = Conditions(joined=joined, terms=tuple(terms)) if len(terms) > 1 else terms[0]
        asked = tuple(
            draw(questions(f"q{number}.{place}", protected)) for place in range(draw(st.integers(1, 3)))
        )
        blocks.append(
            Block(
                key=f"b{number}",
                protected=protected,
                truth_probability=draw(inner) if protected else 10_000,
                refusal=draw(st.none() | inner) if protected else None,
                asked_if=condition,
                questions=asked,
            )
        )
        if not protected:
            sources += [question for question in asked if question.kind != "multi"]
    policy = draw(st.sampled_from(["protected", "choice", "assigned"]))
    share = draw(st.integers(1, 9999)) if policy == "assigned" else None
    return Design(blocks=tuple(blocks), group=GroupPolicy(policy=policy, direct_share=share), use="live")


@st.composite
def answers_of(draw: st.DrawFn, design: Design) -> dict[str, Any]:
    answers: dict[str, Any] = {}
    known: list[tuple[Any, ...]] = []
    for block, route in zip(design.blocks, design.routes, strict=True):
        values: list[Any] = [None] * len(block.questions)
        if is_asked(route, known):
            if block.refusal is not None and draw(st.booleans()):
                answers[block.key] = SKIPPED
            else:
                values = [
                    None if not block.protected and draw(st.booleans()) else draw(_value(question))
                    for question in block.questions
                ]
                answers[block.key] = {
                    question.key: value
                    for question, value in zip(block.questions, values, strict=True)
                    if value is not None
                }
        known.append(tuple(values))
    return answers


def _value(question: Question) -> st.SearchStrategy[Any]:
    if question.kind == "multi":
        return st.lists(st.integers(0, 1), min_size=len(question.options), max_size=len(question.options))
    return st.integers(0, question.patterns - 1)


def words(count: int) -> st.SearchStrategy[list[int]]:
    """At least `count` words that count, with words that are skipped in between."""
    good = st.lists(st.integers(0, LIMIT - 1), min_size=count, max_size=count)
    bad = st.lists(st.tuples(st.integers(0, max(count - 1, 0)), st.integers(LIMIT, WORDS - 1)), max_size=4)

    def mixed(parts: tuple[list[int], list[tuple[int, int]]]) -> list[int]:
        result = list(parts[0])
        for place, word in parts[1]:
            result.insert(place, word)
        return result

    return st.tuples(good, bad).map(mixed)


@st.composite
def rotating_designs(draw: st.DrawFn) -> Design:
    """Designs of which devices ask some questions of a part, or some of the parts, wherever they can."""
    design = draw(designs())
    blocks = []
    for block in design.blocks:
        total = len(block.questions)
        if block.protected and total > 1 and draw(st.booleans()):
            block = replace(block, questions_per_person=draw(st.integers(1, total - 1)))
            sets = list(block.sets)
            listed = draw(st.sets(st.sampled_from(sets), min_size=2)) if len(sets) > 1 else set()
            if {at for booklet in listed for at in booklet} == set(range(total)) and draw(st.booleans()):
                block = replace(block, booklets=tuple(sorted(listed)))
        blocks.append(block)
    protected = [block.key for block in blocks if block.protected]
    rotations: tuple[Rotation, ...] = ()
    if len(protected) > 1 and draw(st.booleans()):
        asked = draw(st.integers(1, len(protected) - 1))
        rotations = (Rotation(blocks=tuple(protected), parts_per_person=asked),)
    return Design(blocks=tuple(blocks), group=design.group, use="live", rotations=rotations)


@st.composite
def sent_bodies(draw: st.DrawFn, design: Design) -> bytes:
    """Bodies of one device: what it draws, what is answered, and what its coins make of that."""
    layout, rng = Layout(design), random.Random(draw(st.integers(0, 2**32)))
    bits = iter(lambda: rng.getrandbits(32), None)
    asked = draw_questions(design, Coins(bits))
    answers: dict[str, Any] = {}
    known: list[tuple[Any, ...]] = []
    for block, route, booklet in zip(design.blocks, design.routes, asked, strict=True):
        values: list[Any] = [None] * len(block.questions)
        if booklet and is_asked(route, known):
            if block.refusal is not None and rng.random() < 0.5:
                answers[block.key] = SKIPPED
            else:
                for at in booklet:
                    if block.protected or rng.random() < 0.8:
                        values[at] = _any_value(block.questions[at], rng)
                answers[block.key] = {
                    question.key: value
                    for question, value in zip(block.questions, values, strict=True)
                    if value is not None
                }
        known.append((None,) * len(values) if block.protected else tuple(values))
    direct = design.group.policy != "protected" and rng.random() < 0.5
    return layout.pack(disguise(design, answers, direct=direct, coins=Coins(bits), drawn=asked))


def _any_value(question: Question, rng: random.Random) -> Any:
    if question.kind == "multi":
        return [rng.getrandbits(1) for _ in question.options]
    return rng.randrange(question.patterns)
