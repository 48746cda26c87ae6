"""Designs of the golden vectors: all question kinds, blocks, skips, routing and group policies."""

from privacy.survey.design import Block, Condition, Conditions, Design, GroupPolicy, Question, default_refusal

PROTECTED, CHOICE = GroupPolicy(policy="protected"), GroupPolicy(policy="choice")


def assigned(share: int) -> GroupPolicy:
    return GroupPolicy(policy="assigned", direct_share=share)


def yes_no(key: str, theta: int | None = None) -> Question:
    return Question(key=key, kind="yes_no", options=(), unrelated=() if theta is None else (theta,))


def choice(key: str, *unrelated: int, multi: bool = False, options: int = 0) -> Question:
    count = len(unrelated) or options
    return Question(
        key=key,
        kind="multi" if multi else "single",
        options=tuple(f"o{number}" for number in range(count)),
        unrelated=unrelated,
    )


def shielded(
    key: str, p: int, *questions: Question, refusal: int | None = None, asked_if: Condition | None = None
) -> Block:
    return Block(
        key=key, protected=True, truth_probability=p, refusal=refusal, asked_if=asked_if, questions=questions
    )


def opened(key: str, *questions: Question, asked_if: Condition | None = None) -> Block:
    return Block(key=key, protected=False, truth_probability=10_000, asked_if=asked_if, questions=questions)


def live(*blocks: Block, group: GroupPolicy = PROTECTED) -> Design:
    return Design(blocks=blocks, group=group, use="live")


def study(*blocks: Block, group: GroupPolicy = PROTECTED) -> Design:
    return Design(blocks=blocks, group=group, use="study")


_four = shielded("four", 5000, *(yes_no(f"q{number}", 5000) for number in range(4)))
_married = Condition(question="married", options=("yes",))
_older = Condition(question="age", options=("o1", "o2"))

DESIGNS: dict[str, Design] = {
    "one yes/no": live(shielded("a", 6000, yes_no("affair", 5000))),
    "one yes/no with skip": live(shielded("a", 5500, yes_no("affair", 5000), refusal=3333)),
    "rare decoys": live(shielded("a", 1, yes_no("x", 1), yes_no("y", 9999), refusal=1)),
    "single of two": live(shielded("a", 3000, choice("mood", 1, 9999))),
    "single of three": live(shielded("a", 4500, choice("mood", 2000, 3000, 5000))),
    "single of five with skip": live(
        shielded("a", 9999, choice("income", 1000, 1500, 2500, 4999, 1), refusal=1667)
    ),
    "single of nine": live(
        shielded("a", 5000, choice("month", 1111, 1111, 1111, 1111, 1111, 1111, 1111, 1111, 1112))
    ),
    "multi of two": live(shielded("a", 5000, choice("drugs", 2500, 7500, multi=True))),
    "multi of nine with skip": live(
        shielded(
            "a",
            4000,
            choice("drugs", 500, 1500, 2500, 3500, 4500, 5500, 6500, 7500, 8500, multi=True),
            refusal=20,
        )
    ),
    "four with skip": live(
        Block(
            key=_four.key,
            protected=True,
            truth_probability=5000,
            refusal=default_refusal(_four),
            questions=_four.questions,
        )
    ),
    "mixed block, choice": live(
        shielded(
            "a",
            3000,
            yes_no("affair", 6000),
            choice("mood", 2000, 3000, 5000),
            choice("drugs", 100, 9900, multi=True),
            refusal=1000,
        ),
        group=CHOICE,
    ),
    "three blocks, choice": live(
        shielded("a", 6000, yes_no("affair", 5000), yes_no("unhappy", 5000)),
        shielded("b", 4500, yes_no("religious", 5000), refusal=3333),
        shielded("c", 3000, choice("income", 2500, 2500, 2500, 2500)),
        group=CHOICE,
    ),
    "open between, assigned": live(
        opened("you", choice("age", options=3), yes_no("city"), choice("pets", options=3, multi=True)),
        shielded("a", 6000, yes_no("affair", 5000), refusal=2500),
        opened("more", choice("children", options=5)),
        shielded("b", 4500, choice("mood", 3333, 3333, 3334)),
        group=assigned(2700),
    ),
    "routed, choice": live(
        opened("you", yes_no("married"), choice("age", options=4)),
        shielded("a", 6000, yes_no("affair", 5000), yes_no("unhappy", 4000), refusal=2000, asked_if=_married),
        opened("later", choice("why", options=2), asked_if=_older),
        shielded("b", 4500, choice("drugs", 1000, 2000, 3000, multi=True), asked_if=_older),
        shielded("c", 5000, yes_no("vote", 5000)),
        group=CHOICE,
    ),
    "nobody direct": live(shielded("a", 6000, yes_no("affair", 5000)), group=assigned(0)),
    "everybody direct": live(shielded("a", 6000, yes_no("affair", 5000)), group=assigned(10_000)),
    "study without truth": study(
        shielded("a", 0, yes_no("x", 3000), choice("y", 4000, 6000), refusal=500), group=CHOICE
    ),
    "study without decoys": study(
        shielded("a", 10_000, yes_no("x", 3000), choice("y", 4000, 6000), refusal=500), group=assigned(5000)
    ),
    "study of both": study(
        shielded("a", 0, yes_no("x", 3000)),
        shielded("b", 10_000, choice("y", 4000, 6000, multi=True)),
        shielded("c", 3000, yes_no("z", 6000)),
        group=assigned(1),
    ),
    "open only": live(opened("you", yes_no("city"), choice("age", options=2))),
    "long": live(
        *(
            shielded(
                f"b{number}",
                500 * number + 500,
                yes_no(f"x{number}", 5000),
                choice(f"y{number}", *(2500,) * 4),
            )
            for number in range(12)
        ),
        group=assigned(5000),
    ),
}

_first, _second, _third = (Condition(question="way", options=(f"o{number}",)) for number in range(3))
_late = Condition(question="late", options=("yes",))
_old = Condition(question="old", options=("yes",))

ROUTED: dict[str, Design] = {
    "parts that exclude each other": live(
        opened("you", choice("way", options=3)),
        shielded("a", 6000, yes_no("affair", 5000), asked_if=_first),
        shielded("b", 7000, yes_no("drugs", 5000), asked_if=_second),
        shielded("c", 1000, yes_no("vote", 5000)),
    ),
    "two of three together": live(
        opened("you", choice("way", options=3)),
        shielded("a", 8000, yes_no("x", 5000), asked_if=_first),
        shielded("b", 5000, yes_no("y", 5000), asked_if=Condition(question="way", options=("o1", "o2"))),
        shielded("c", 5000, yes_no("z", 5000), refusal=400, asked_if=_third),
    ),
    "an open part between, and another question": live(
        opened("you", choice("way", options=3), yes_no("old")),
        opened("more", yes_no("late"), choice("pets", options=2, multi=True), asked_if=_first),
        shielded("a", 5000, yes_no("x", 5000), asked_if=_late),
        shielded("b", 5000, yes_no("y", 5000), asked_if=_second),
        shielded("c", 3000, yes_no("z", 5000), asked_if=Condition(question="old", options=("no",))),
        shielded("d", 2000, yes_no("w", 5000), asked_if=Condition(question="old", options=("yes",))),
    ),
    "two answers together": live(
        opened("you", choice("way", options=3), yes_no("old")),
        shielded("a", 5000, yes_no("x", 5000), asked_if=Conditions(joined="all", terms=(_first, _old))),
        shielded("b", 6000, yes_no("y", 5000), asked_if=Condition(question="old", options=("no",))),
    ),
    "either of two answers": live(
        opened("you", choice("way", options=3), yes_no("old")),
        shielded("a", 5000, yes_no("x", 5000), asked_if=Conditions(joined="any", terms=(_first, _old))),
        shielded("b", 6000, yes_no("y", 5000), asked_if=_second),
    ),
    "five wordings": live(*(shielded(f"b{n}", 5000, yes_no(f"q{n}", 5000)) for n in range(5))),
}
"""Designs in which a device is not asked every part, and one that asks the same in every part."""

EXCLUSIVE: dict[str, tuple[Design, dict[str, list[int]], list[list[str]]]] = {
    "one question in two": (
        live(shielded("b", 5000, yes_no("never", 5000), yes_no("week", 5000))),
        {"never": [3000], "week": [2000]},
        [["never", "week"]],
    ),
    # Two sets share an answer; one includes an option of a single choice; other answers are in no set.
    "two sets that share an answer": (
        live(
            shielded(
                "b",
                6000,
                yes_no("late", 4000),
                yes_no("cheat", 2500),
                choice("mood", 2000, 3000, 5000),
                choice("drugs", 1000, 3500, multi=True),
                yes_no("alone", 5000),
                refusal=300,
            )
        ),
        {"late": [3000], "cheat": [500], "mood": [2000, 5000, 3000], "drugs": [700, 2500], "alone": [1500]},
        [["late", "cheat", "mood=o0"], ["cheat", "drugs=o1"]],
    ),
}
"""Name -> design, stated prevalences, and answers that exclude each other."""
