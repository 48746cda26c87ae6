"""Designs of the golden vectors with composite questions: the worked examples of docs/definition.md."""

from dataclasses import replace
from typing import Any

from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import square_wave
from privacy.survey.component import Band, Component, When, Whens
from privacy.survey.composite import Composite
from privacy.survey.composite_parts import Gaps, Level, Step, Use
from privacy.survey.design import Block, Condition, Design, GroupPolicy, Question
from privacy.survey.question import Kind
from tests.vectors.designs import PROTECTED, opened
from tests.vectors.scale_designs import scale_block

NONE_LEFT = Gaps(at_most=0, fill="no_points")


def yes(key: str, points: int = 1, **fields: Any) -> Component:
    """Return a yes/no component."""
    return Component(key=key, kind="yes_no", points=(0, points), **fields)


def scored(key: str, *points: int, **fields: Any) -> Component:
    """Return a single-choice component with these points."""
    options = tuple(f"o{number}" for number in range(len(points)))
    return Component(key=key, kind="single", options=options, points=points, **fields)


def levels(*starts: tuple[str, int | None]) -> tuple[Level, ...]:
    """Return levels with these options and starts."""
    return tuple(Level(option=option, start=start) for option, start in starts)


def at_least(count: int) -> tuple[Level, ...]:
    """Return the levels of a yes/no question: yes from a sum on."""
    return levels(("no", None), ("yes", count))


def only_if(component: str, *options: str) -> Whens:
    """Return a condition on one component."""
    return Whens(terms=(When(component=component, options=options),))


def sent(key: str, rule: Composite, **fields: Any) -> Block:
    """Return a protected block that sends only the answer to a composite question."""
    options = tuple(dict.fromkeys(level.option for level in rule.levels))
    kind: Kind = "yes_no" if set(options) == {"no", "yes"} else "single"
    share = 10_000 // len(options)
    question = Question(
        key=key,
        kind=kind,
        options=() if kind == "yes_no" else options,
        unrelated=(5000,)
        if kind == "yes_no"
        else (10_000 - share * (len(options) - 1), *[share] * (len(options) - 1)),
        computed=rule,
    )
    return Block(key=f"{key}-part", protected=True, truth_probability=6000, questions=(question,), **fields)


def design(*blocks: Block, group: GroupPolicy = PROTECTED) -> Design:
    """Return a live design of these blocks."""
    return Design(blocks=blocks, group=group, use="live")


ACTS = tuple(f"act{number}" for number in range(1, 11))
AUDIT = tuple(scored(f"item{number}", *((0, 2, 4) if number > 8 else range(5))) for number in range(1, 11))
SEX = Question(key="sex", kind="single", options=("woman", "man"), unrelated=())
MOVED = Question(key="moved", kind="yes_no", options=(), unrelated=())
SYMPTOMS = tuple(
    scored(f"symptom{number}", 0, *((0, 1, 1) if number < 9 else (1, 1, 1))) for number in range(1, 10)
)
FEELINGS = tuple(scored(f"feel{number}", 0, 1, 2) for number in range(1, 6))
SUM = Composite(components=FEELINGS, missing=Gaps(at_most=1, fill="mean"))

EITHER = Whens(
    joined="any", terms=(When(component="ever", options=("yes",)), When(question="moved", options=("yes",)))
)
BOTH = Whens(
    joined="all",
    terms=(When(component="often", options=("o1", "o2")), When(question="sex", options=("man",))),
)
summed = scale_block("total", square_wave(NumberRange(low=0, high=11, bin=2), 2.0))
summed = replace(summed, questions=(replace(summed.questions[0], computed=SUM),))

DESIGNS: dict[str, Design] = {
    "at least one of ten": design(
        sent(
            "any",
            Composite(
                components=tuple(yes(act) for act in ACTS),
                missing=Gaps(at_most=2, fill="no_points"),
                levels=at_least(1),
            ),
            refusal=1580,
        )
    ),
    "AUDIT": design(
        sent(
            "risk",
            Composite(
                components=AUDIT,
                missing=Gaps(at_most=2, fill="mean"),
                levels=levels(("0-7", None), ("8-15", 8), ("16-19", 16), ("20-40", 20)),
            ),
            refusal=2000,
        )
    ),
    "AUDIT-C": design(
        opened("you", SEX),
        sent(
            "risky",
            Composite(
                components=tuple(scored(f"drink{number}", *range(5)) for number in range(1, 4)),
                uses=(Use(question="sex", points=(("woman", 1),)),),
                missing=NONE_LEFT,
                levels=at_least(4),
            ),
        ),
    ),
    "PHQ-9 algorithm": design(
        sent(
            "depression",
            Composite(
                components=SYMPTOMS,
                steps=(
                    Step(
                        key="core",
                        of=("symptom1", "symptom2"),
                        levels=(Level(points=0), Level(start=1, points=10)),
                    ),
                ),
                missing=NONE_LEFT,
                levels=levels(("none", None), ("other", 12), ("major", 15)),
            ),
            refusal=2500,
        )
    ),
    "five items, one gap": design(
        sent(
            "score",
            Composite(
                components=FEELINGS,
                missing=Gaps(at_most=1, fill="mean"),
                levels=levels(("low", None), ("middle", 4), ("high", 6)),
            ),
            refusal=2500,
        )
    ),
    "bribe": design(
        sent(
            "bribe",
            Composite(
                components=(
                    yes("contact"),
                    yes("asked", asked_if=only_if("contact", "yes")),
                    yes("paid", asked_if=only_if("contact", "yes")),
                ),
                missing=NONE_LEFT,
                levels=levels(("no-contact", None), ("contact", 1), ("bribe", 2)),
                base="contact",
            ),
            refusal=2500,
        )
    ),
    "a number": design(summed),
    "every member": design(
        opened("you", SEX, MOVED),
        sent(
            "index",
            Composite(
                components=(
                    yes("ever", 10),
                    Component(
                        key="which",
                        kind="several",
                        options=("a", "b", "c"),
                        points=(1, 2, -3),
                        asked_if=only_if("ever", "yes"),
                    ),
                    yes("check", 0, instructed="no"),
                    Component(
                        key="age",
                        kind="number",
                        low=10,
                        high=99,
                        points=(5, -5),
                        bands=(Band(low=10, high=17), Band(low=60, high=99)),
                    ),
                    scored("often", 0, 1, 4, asked_if=EITHER),
                    scored("since", 1, 2, asked_if=BOTH),
                ),
                uses=(Use(question="sex", points=(("man", -2), ("woman", 2))),),
                steps=(
                    Step(
                        key="young",
                        of=("age",),
                        points=(("age", (1, 0)),),
                        levels=(Level(points=0), Level(start=1, points=3)),
                    ),
                    Step(
                        key="both",
                        of=("ever", "often", "young"),
                        points=(("ever", (0, 1)),),
                        levels=(Level(points=-1), Level(start=2, points=0), Level(start=5, points=7)),
                        missing=Gaps(at_most=1, fill="mean"),
                    ),
                ),
                missing=Gaps(at_most=2, fill="mean"),
                levels=levels(("low", None), ("middle", 0), ("high", 7), ("low", 25)),
            ),
            refusal=2500,
            asked_if=Condition(question="moved", options=("yes", "no")),
        ),
        group=GroupPolicy(policy="choice"),
    ),
}


EVER = yes("ever", shared=True)
AFTER_EVER = only_if("ever", "yes")
THREE = ("never", "once", "often")


def together(key: str, *questions: tuple[str, Composite], **fields: Any) -> Block:
    """Return a protected block with these composite questions, at p = .5."""
    return Block(
        key=key,
        protected=True,
        truth_probability=5000,
        questions=tuple(sent(name, rule).questions[0] for name, rule in questions),
        **fields,
    )


def followed(key: str) -> Composite:
    """Return the rule of a follow-up in three levels of a filter that several questions share."""
    return Composite(
        components=(EVER, scored(key, 0, 1, asked_if=AFTER_EVER)),
        missing=NONE_LEFT,
        levels=levels(("never", None), ("once", 1), ("often", 2)),
    )


def acts(*keys: str, least: int = 1, gaps: int = 0, **fields: Any) -> Composite:
    """Return the rule *at least* `least` of these acts."""
    return Composite(
        components=tuple(yes(key) for key in keys),
        missing=Gaps(at_most=gaps, fill="no_points"),
        levels=at_least(least),
        **fields,
    )


NESTED = Component(
    key="lately",
    kind="single",
    options=("no", "yes"),
    points=(0, 2),
    asked_if=Whens(
        terms=(When(component="ever", options=("yes",)), When(question="sex", options=("woman",)))
    ),
    shared=True,
)

TOGETHER: dict[str, Design] = {
    "two follow-ups of one filter": design(
        together("b", ("hit", followed("hit-often")), ("kicked", followed("kicked-often")))
    ),
    "three forms": design(
        together(
            "b",
            *(
                (form, acts(*(f"{form}{number}" for number in range(1, 4)), gaps=1))
                for form in ("physical", "sexual", "psychological")
            ),
            refusal=1580,
        )
    ),
    "index and placebo": design(
        together(
            "b",
            ("index", acts(*(f"act{number}" for number in range(1, 5)))),
            ("placebo", acts(*(f"calm{number}" for number in range(1, 5)), placebo_of="index")),
            refusal=2500,
        )
    ),
    "two halves": design(
        together(
            "b",
            ("odd", acts("item1", "item3", "item5", least=2)),
            ("even", acts("item2", "item4", least=2, other_half="odd")),
            refusal=2500,
        )
    ),
    "two filters, one after the other": design(
        opened("you", SEX),
        together(
            "b",
            ("first", followed("one")),
            (
                "second",
                Composite(
                    components=(
                        yes("alone"),
                        EVER,
                        NESTED,
                        yes("then", asked_if=only_if("lately", "yes")),
                    ),
                    missing=Gaps(at_most=1, fill="no_points"),
                    levels=levels(("low", None), ("middle", 2), ("high", 4)),
                ),
            ),
            (
                "third",
                Composite(
                    components=(EVER, NESTED, yes("also", asked_if=only_if("lately", "yes"))),
                    missing=Gaps(at_most=1, fill="mean"),
                    uses=(Use(question="sex", points=(("man", -1),)),),
                    levels=at_least(3),
                ),
            ),
            refusal=2000,
            questions_per_person=2,
        ),
    ),
}
"""Designs with several composite questions in one block."""
