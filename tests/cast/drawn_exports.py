"""Closed surveys of which devices draw the questions, in every way that a design can make them draw."""

from __future__ import annotations

import random
from typing import Any

from privacy.coins import Coins
from privacy.survey.block import Block
from privacy.survey.booklets import balanced_booklets
from privacy.survey.design import Design
from privacy.survey.grouping import disguise
from privacy.survey.layout import Layout
from privacy.survey.rotation import draw_questions
from privacy.survey.routing import is_asked
from surveys.models import Version
from tests.cast.devices import closed, published, stored
from tests.cast.runs import definition


def _yes_no(key: str, *, theta: int = 5_000) -> dict[str, Any]:
    return {
        "key": key, "kind": "yes_no", "unrelated": [theta], "prevalence": [3_000], "text": {"en": f"{key}?"},
    }  # fmt: skip


def _part(key: str, questions: list[dict[str, Any]], p: int = 7_500, **more: Any) -> dict[str, Any]:
    return {
        "key": key, "protected": True, "truth_probability": p, "title": {"en": key}, "questions": questions,
    } | more  # fmt: skip


def _you() -> dict[str, Any]:
    options = [{"key": key, "text": {"en": key}} for key in ("young", "old")]
    return {
        "key": "you", "protected": False, "title": {"en": "You"},
        "questions": [
            {"key": "age", "kind": "single", "text": {"en": "Age?"}, "options": options},
            {"key": "works", "kind": "yes_no", "text": {"en": "Working?"}},
        ],
    }  # fmt: skip


def three_of_eight(slug: str = "eight") -> dict[str, Any]:
    """Three of eight questions each, which may be skipped, decoys of unlike shares, and open questions."""
    document = definition(slug, policy="protected")
    asked = [_yes_no(f"q{number}", theta=5_000 if number else 3_000) for number in range(8)]
    document["blocks"] = [_you(), _part("eight", asked, refusal=1_200, questions_per_person=3)]
    return document


def four_of_ten(slug: str = "ten") -> dict[str, Any]:
    """Four of ten questions each from a balanced list, in two strengths."""
    document = definition(slug, policy="assigned", light=True)
    booklets = balanced_booklets(10, 4, together=3)
    assert booklets is not None
    document["blocks"] = [
        _part(
            "ten",
            [_yes_no(f"q{number}") for number in range(10)],
            questions_per_person=4,
            booklets=[list(booklet) for booklet in booklets],
            light=9_000,
        )
    ]
    return document


def two_parts(slug: str = "pair") -> dict[str, Any]:
    """Two parts of some questions each; the second may be skipped, and is asked of the young and the idle."""
    document = definition(slug, policy="choice")
    some = {"any": [{"question": "age", "options": ["young"]}, {"question": "works", "options": ["no"]}]}
    document["blocks"] = [
        _you(),
        _part("money", [_yes_no(f"m{number}") for number in range(4)], questions_per_person=2),
        _part(
            "free",
            [_yes_no(f"f{number}") for number in range(3)],
            questions_per_person=2,
            refusal=1_200,
            asked_if=some,
        ),
        _part("home", [_yes_no("calm")]),
    ]
    return document


def parts_in_turn(slug: str = "turn") -> dict[str, Any]:
    """Two of four parts each: one of some questions, one that may be skipped, one that is routed."""
    document = definition(slug, policy="assigned", light=True)
    options = [{"key": key, "text": {"en": key}} for key in ("never", "some", "much")]
    choice = {
        "key": "often", "kind": "single", "unrelated": [2_000, 3_000, 5_000],
        "prevalence": [3_000, 3_000, 4_000], "text": {"en": "How often?"}, "options": options,
    }  # fmt: skip
    several = {
        "key": "what", "kind": "multi", "unrelated": [4_000, 5_000], "prevalence": [3_000, 3_000],
        "text": {"en": "What?"}, "options": options[:2],
    }  # fmt: skip
    working = {"question": "works", "options": ["yes"]}
    parts = [
        _part("some", [_yes_no(f"s{number}") for number in range(3)], questions_per_person=2, light=9_000),
        _part("both", [_yes_no("b0"), choice], refusal=1_500, light=9_000),
        _part("kinds", [several], light=9_500),
        _part("work", [_yes_no("w0")], asked_if=working, light=9_000),
    ]
    document["blocks"] = [_you(), *parts]
    document["rotations"] = [{"blocks": [part["key"] for part in parts], "parts_per_person": 2}]
    return document


def drawn(
    document: dict[str, Any], n: int, *, n_direct: int = 0, avoided: str | None = None, seed: int = 3
) -> Version:
    """Return a closed survey with `n` answers; of those who draw the avoided question seven in ten leave."""
    version = published(document)
    design, rng = version.to_design(), random.Random(seed)
    rows: list[bytes] = []
    while len(rows) < n:
        body = body_of(design, rng, direct=len(rows) < n_direct, avoided=avoided)
        if body is not None:
            rows.append(body)
    rng.shuffle(rows)
    stored(version, rows)
    return closed(version)


def body_of(
    design: Design, rng: random.Random, *, direct: bool = False, avoided: str | None = None
) -> bytes | None:
    """Return what one device sends; None for one who draws the avoided question and leaves."""
    words = iter(lambda: rng.getrandbits(32), None)
    asked = draw_questions(design, Coins(words))
    booklets = dict(zip((block.key for block in design.blocks), asked, strict=True))
    keys = {block.questions[at].key for block in design.blocks for at in booklets[block.key]}
    if avoided in keys and rng.random() < 0.7:
        return None
    answers, mood = dict[str, Any](), rng.random()
    for block, route in zip(design.blocks, design.routes, strict=True):
        if not block.protected:
            answers[block.key] = {
                question.key: int(rng.random() < 0.55) for question in block.questions if rng.random() < 0.92
            }
        elif booklets[block.key] and is_asked(route, _given(design, answers)):
            answers[block.key] = _answered(block, booklets[block.key], mood, rng)
    record = disguise(design, answers, direct=direct, coins=Coins(words), drawn=asked)
    return Layout(design).pack(record)


def _given(design: Design, answers: dict[str, Any]) -> list[list[Any]]:
    """Answers by block and question; None where there is none, or where one is not to be looked at."""
    return [
        [None if block.protected else answers.get(block.key, {}).get(one.key) for one in block.questions]
        for block in design.blocks
    ]


def _answered(block: Block, booklet: tuple[int, ...], mood: float, rng: random.Random) -> Any:
    """Return the true answers to the questions drawn: those of one mood say yes to more of them."""
    if block.refusal is not None and rng.random() < 0.1:
        return "skipped"
    found: dict[str, Any] = {}
    for at in booklet:
        question = block.questions[at]
        yes = int(rng.random() < 0.1 + 0.6 * mood)
        if question.kind == "yes_no":
            found[question.key] = yes
        elif question.kind == "multi":
            found[question.key] = [yes, *(rng.randrange(2) for _ in question.options[1:])]
        else:
            found[question.key] = 2 * yes or rng.randrange(2)
    return found
