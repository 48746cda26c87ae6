"""Designs for these tests: small enough to enumerate, one for each feature."""

from privacy.survey.design import Block, Condition, Conditions, Design, GroupPolicy, Question
from privacy.survey.rotation import Rotation
from tests.vectors.designs import opened, yes_no


def single(key: str, *shares: int, options: int = 3) -> Question:
    names = tuple(f"o{option}" for option in range(len(shares) or options))
    return Question(key=key, kind="single", options=names, unrelated=shares)


def multi(key: str, *thetas: int, options: int = 2) -> Question:
    names = tuple(f"o{option}" for option in range(len(thetas) or options))
    return Question(key=key, kind="multi", options=names, unrelated=thetas)


def protected(
    key: str,
    p: int,
    *questions: Question,
    refusal: int | None = None,
    asked_if: Condition | Conditions | None = None,
    light: int | None = None,
    asks: int | None = None,
    booklets: tuple[tuple[int, ...], ...] | None = None,
) -> Block:
    return Block(
        key=key,
        protected=True,
        truth_probability=p,
        refusal=refusal,
        asked_if=asked_if,
        questions=questions,
        light=light,
        questions_per_person=asks,
        booklets=booklets,
    )


def design(*blocks: Block, rotations: tuple[Rotation, ...] = ()) -> Design:
    return Design(blocks=blocks, group=GroupPolicy(policy="choice"), use="study", rotations=rotations)


ONE_BLOCK = design(protected("b", 3000, yes_no("a", 6000), yes_no("b", 6000), yes_no("c", 6000)))
ALL_KINDS = design(protected("b", 6000, yes_no("a", 4000), multi("m", 3000, 7000)))
CHOICES = design(protected("b", 4500, single("s", 2000, 3000, 5000), single("t", 2500, 7500)))
SKIPPABLE = design(protected("b", 5500, yes_no("a", 4000), single("s", 2000, 3000, 5000), refusal=1500))
TWO_BLOCKS = design(
    protected("b", 6000, yes_no("a", 5000), yes_no("b", 3000)), protected("c", 4500, yes_no("c", 5000))
)
THREE_BLOCKS = design(
    protected("b", 6000, yes_no("a", 5000), refusal=2000),
    protected("c", 4500, single("s", 2000, 3000, 5000)),
    protected("d", 7000, yes_no("d", 3000)),
)
MIXED = design(
    opened("o", yes_no("oa"), single("os", options=2)),
    protected("b", 6000, yes_no("a", 4000), refusal=1000),
    protected("c", 4500, multi("m", 5000, 3000)),
)
STRENGTHS = design(
    protected("b", 3000, yes_no("a", 6000), single("s", 2000, 3000, 5000), refusal=1500, light=8000)
)
"""The direct group is lightly disguised."""

STRENGTHS_OF_BLOCKS = design(
    opened("o", yes_no("oa")),
    protected("b", 6000, yes_no("a", 5000), yes_no("b", 3000), refusal=2000, light=9000),
    protected("c", 4500, yes_no("c", 4000), light=7500),
)
ENUMERATED = {
    "one block": ONE_BLOCK,
    "yes/no and multi-select": ALL_KINDS,
    "single choices": CHOICES,
    "a block that can be skipped": SKIPPABLE,
    "two blocks": TWO_BLOCKS,
    "three blocks": THREE_BLOCKS,
    "open questions and two blocks": MIXED,
    "two strengths": STRENGTHS,
    "two strengths of two blocks": STRENGTHS_OF_BLOCKS,
}
OPEN = design(opened("o", yes_no("a"), yes_no("b"), yes_no("c")))
ROUTED = design(
    opened("o", yes_no("married"), single("age", options=2)),
    protected(
        "b",
        6000,
        yes_no("affair", 5000),
        refusal=2000,
        asked_if=Condition(question="married", options=("yes",)),
    ),
    protected("c", 4500, yes_no("c", 5000)),
)

TWO_OF_THREE = design(protected("b", 5000, yes_no("a", 5000), yes_no("b", 5000), yes_no("c", 5000), asks=2))
ROTATING = {
    "two of three": TWO_OF_THREE,
    "with a skip": design(
        protected("b", 5000, yes_no("a", 2500), yes_no("b", 5000), yes_no("c", 5000), asks=2, refusal=2000)
    ),
    "choices": design(
        protected("b", 5000, yes_no("a", 5000), single("s", 2500, 7500), multi("m", 5000, 5000), asks=2)
    ),
    "two strengths": design(
        protected("b", 4000, yes_no("a", 5000), yes_no("b", 5000), yes_no("c", 5000), asks=2, light=8000)
    ),
    "listed booklets": design(
        protected(
            "b",
            5000,
            yes_no("a", 5000),
            yes_no("b", 5000),
            yes_no("c", 5000),
            yes_no("d", 5000),
            asks=2,
            booklets=((0, 1), (0, 2), (2, 3)),
        )
    ),
    "beside others": design(
        opened("o", yes_no("oa")),
        protected("b", 5000, yes_no("a", 5000), yes_no("b", 5000), asks=1),
        protected("c", 6000, yes_no("c", 5000), yes_no("d", 5000)),
    ),
    "two parts": design(
        protected("b", 5000, yes_no("a", 5000), yes_no("b", 5000), yes_no("c", 5000), asks=2),
        protected("c", 6000, yes_no("d", 5000), yes_no("e", 5000), asks=1),
    ),
    "parts": design(
        protected("b", 5000, yes_no("a", 5000), yes_no("b", 5000)),
        protected("c", 6000, yes_no("c", 5000)),
        protected("d", 7000, yes_no("d", 5000)),
        rotations=(Rotation(blocks=("b", "c", "d"), parts_per_person=2),),
    ),
    "questions and parts": design(
        protected("b", 5000, yes_no("a", 5000), yes_no("b", 5000), yes_no("c", 5000), asks=2),
        protected("c", 6000, yes_no("d", 5000)),
        rotations=(Rotation(blocks=("b", "c"), parts_per_person=1),),
    ),
}
"""Designs with rotating questions or parts."""


def routed(
    first: Question,
    condition: Condition | Conditions,
    *others: Question,
    refusal: int | None = None,
    in_turns: bool = False,
) -> Design:
    """Return a design with a conditional part that rotates its questions, or rotates with two others."""
    if in_turns:
        turns = Rotation(blocks=("b", "c", "d"), parts_per_person=2)
        return design(
            opened("o", first, *others),
            protected("b", 5000, yes_no("a", 5000), refusal=refusal, asked_if=condition),
            protected("c", 6000, yes_no("b", 5000)),
            protected("d", 7000, yes_no("c", 5000)),
            rotations=(turns,),
        )
    return design(
        opened("o", first, *others),
        protected(
            "b", 5000, yes_no("a", 5000), yes_no("b", 5000), yes_no("c", 5000), asks=2, refusal=refusal,
            asked_if=condition,
        ),
    )  # fmt: skip
