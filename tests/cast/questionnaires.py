"""Questionnaires that the tests of this room share, and rows for them."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mining.columns.counting import ENGINES
from privacy.coins import SCALE, Coins
from privacy.survey.design import Block, Condition, Design, GroupPolicy, Question
from privacy.survey.grouping import disguise
from privacy.survey.layout import Layout


def yes_no(key: str, theta: int | None = 5000) -> Question:
    return Question(key=key, kind="yes_no", options=(), unrelated=() if theta is None else (theta,))


def protected(key: str, *questions: Question, p: int = 6000, **more: Any) -> Block:
    options = {"refusal": None, "asked_if": None} | more
    return Block(key=key, protected=True, truth_probability=p, questions=questions, **options)


def opened(key: str, *questions: Question, asked_if: Condition | None = None) -> Block:
    return Block(
        key=key,
        protected=False,
        truth_probability=SCALE,
        refusal=None,
        asked_if=asked_if,
        questions=questions,
    )


def questionnaire(*blocks: Block, policy: str = "choice") -> Design:
    return Design(blocks=blocks, group=GroupPolicy(policy=policy), use="study")  # type: ignore[arg-type]  # text


def grouped(sizes: list[int], *, p: int = 6000, theta: int = 5000, policy: str = "choice") -> Design:
    """Protected blocks of so many yes/no questions each, named a, b, c, ..."""
    names = iter("abcdefghijklmnopqrstuvwxyz")
    blocks = [
        protected(f"block{number}", *(yes_no(next(names), theta) for _ in range(size)), p=p)
        for number, size in enumerate(sizes)
    ]
    return questionnaire(*blocks, policy=policy)


def undisguised(size: int) -> Design:
    """One open block of yes/no questions q0, q1, ..."""
    return questionnaire(opened("open", *(yes_no(f"q{number}", None) for number in range(size))))


ENGINES_HERE = tuple(name for name in ENGINES if name != "numba" or find_spec("numba"))
"""Engines of this installation: numba is optional."""

EVERYTHING = questionnaire(
    opened(
        "you",
        Question(key="age", kind="single", options=("22", "27", "32"), unrelated=()),
        yes_no("married", None),
        Question(key="reads", kind="multi", options=("news", "novels"), unrelated=()),
    ),
    protected("habits", yes_no("smokes"), yes_no("drinks", 3000), refusal=1000, p=5000),
    protected(
        "marriage",
        Question(key="mood", kind="single", options=("low", "fair", "high"), unrelated=(2000, 3000, 5000)),
        Question(key="did", kind="multi", options=("lied", "left"), unrelated=(4000, 6000)),
        asked_if=Condition(question="married", options=("yes",)),
    ),
)
"""Every kind of question, a block that may be skipped, one not asked of all, open questions."""


def true_rows(n: int, seed: int) -> list[dict[str, Any]]:
    """Answers to `EVERYTHING`, with holes wherever the design allows one."""
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(n):
        married = int(rng.integers(2))
        you = {"age": int(rng.integers(3)), "married": married, "reads": rng.integers(2, size=2).tolist()}
        if rng.random() < 0.3:
            del you[str(rng.choice(["age", "reads"]))]
        answers: dict[str, Any] = {"you": you, "habits": "skipped"}
        if rng.random() < 0.8:
            answers["habits"] = {"smokes": int(rng.integers(2)), "drinks": int(rng.random() < 0.3)}
        if married:
            answers["marriage"] = {"mood": int(rng.integers(3)), "did": rng.integers(2, size=2).tolist()}
        rows.append(answers)
    return rows


def bodies(design: Design, rows: list[dict[str, Any]], direct: NDArray[np.bool_], seed: int) -> bytes:
    """Disguise rows one by one, as devices do, and put what they send side by side."""
    rng = np.random.default_rng(seed)
    layout = Layout(design)
    sent = []
    for answers, is_direct in zip(rows, direct.tolist(), strict=True):
        coins = Coins(rng.integers(1 << 32, size=design.draws + 64).tolist())
        sent.append(layout.pack(disguise(design, answers, direct=is_direct, coins=coins)))
    return b"".join(sent)
