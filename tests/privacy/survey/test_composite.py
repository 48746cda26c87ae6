"""The rule of composite questions: worked examples, order of evaluation, refusals."""

import itertools
import json
from dataclasses import replace
from typing import Any

import pytest

from privacy.errors import PrivacyError
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import square_wave
from privacy.survey import composite_json
from privacy.survey.component import Band, Component, When, Whens
from privacy.survey.composite import Composite
from privacy.survey.composite_parts import Gaps, Level, Step, Use
from privacy.survey.design import Block, Design, GroupPolicy, Question
from tests.vectors.composite_designs import DESIGNS, NONE_LEFT, at_least, levels, only_if, scored, sent, yes
from tests.vectors.make_composite_vectors import composite_of
from tests.vectors.make_vectors import HERE


def rule_of(name: str) -> Composite:
    return composite_of(DESIGNS[name])[1]


def test_an_audit_score_of_9_is_8_to_15() -> None:
    assert rule_of("AUDIT").evaluate({f"item{number}": int(number < 10) for number in range(1, 11)}) == "8-15"


@pytest.mark.parametrize(("sex", "answer"), [("woman", "yes"), ("man", "no"), (None, "no")])
def test_an_open_answer_moves_the_cut_off(sex: str | None, answer: str) -> None:
    given = {"drink1": 2, "drink2": 1, "drink3": 0}
    assert rule_of("AUDIT-C").evaluate(given, {"sex": sex}) == answer


@pytest.mark.soak
def test_the_diagnostic_algorithm_equals_the_published_rule_on_all_262_144_patterns() -> None:
    rule = rule_of("PHQ-9 algorithm")
    seen = 0
    for pattern in itertools.product(range(4), repeat=9):
        # Symptoms count on more than half the days; thoughts of death count whenever they occur.
        present = [value >= 2 for value in pattern[:8]] + [pattern[8] >= 1]
        is_core, count = present[0] or present[1], sum(present)
        expected = "major" if is_core and count >= 5 else "other" if is_core and count >= 2 else "none"
        assert rule.evaluate({f"symptom{at + 1}": value for at, value in enumerate(pattern)}) == expected
        seen += 1
    assert seen == 262_144


def test_a_gap_is_filled_with_the_mean_and_two_gaps_are_a_skip() -> None:
    rule = rule_of("five items, one gap")
    assert rule.total({"feel1": 2, "feel2": 1, "feel3": 1, "feel4": 1}) == 6
    assert rule.evaluate({"feel1": 2, "feel2": 1, "feel3": 1}) is None


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"contact": 0, "asked": 1, "paid": 1}, "no-contact"),
        ({"contact": 1, "asked": 0, "paid": 0}, "contact"),
        ({"contact": 1, "asked": 1, "paid": 0}, "bribe"),
        ({"contact": 1, "asked": 1}, None),
        ({}, None),
    ],
)
def test_a_follower_counts_only_if_it_is_asked(answers: dict[str, int], expected: str | None) -> None:
    assert rule_of("bribe").evaluate(answers) == expected


def test_an_instructed_component_makes_a_skip_and_is_not_counted() -> None:
    rule = Composite(
        components=(scored("a", 0, 3), yes("check", 0, instructed="no"), scored("b", 0, 3)),
        missing=Gaps(at_most=1, fill="mean"),
        levels=at_least(5),
    )
    assert rule.total({"a": 1, "check": 0}) == 6, "two asked, one answered"
    assert rule.evaluate({"a": 1, "check": 1, "b": 1}) is None
    assert rule.evaluate({"a": 1, "b": 1}) is None


def test_a_step_inside_another_counts_only_there() -> None:
    inner = Step(key="inner", of=("a",), levels=(Level(points=0), Level(start=1, points=5)))
    outer = Step(key="outer", of=("inner", "b"), levels=(Level(points=0), Level(start=6, points=100)))
    rule = Composite(components=(yes("a"), yes("b")), missing=NONE_LEFT, steps=(inner, outer))
    assert [rule.total({"a": a, "b": b}) for a, b in itertools.product((0, 1), repeat=2)] == [0, 1, 1, 102]


@pytest.mark.parametrize("fill", ["no_points", "mean"])
def test_without_any_answer_it_is_a_skip_whatever_the_gaps_allow(fill: str) -> None:
    rule = Composite(components=(yes("a"), yes("b")), missing=Gaps(at_most=2, fill=fill), levels=at_least(1))
    assert rule.evaluate({}) is None
    assert rule.evaluate({"a": 0}) == "no"
    followers = (yes("a", asked_if=Whens(terms=(When(question="sex", options=("man",)),))), yes("b"))
    nobody = replace(rule, components=(followers[0], replace(followers[1], asked_if=followers[0].asked_if)))
    assert nobody.evaluate({}, {"sex": "woman"}) == "no", "nothing was asked, so nothing is missing"


def test_negative_sums_are_rounded_half_up_too() -> None:
    # -3 * 2 / 1 = -6; -1 * 3 / 2 = -1.5, rounded up to -1.
    gaps = Gaps(at_most=2, fill="mean")
    assert gaps.filled(-3, asked=2, answered=1) == -6
    assert gaps.filled(-1, asked=3, answered=2) == -1
    assert gaps.filled(1, asked=3, answered=2) == 2


def test_a_number_is_the_sum_in_its_bin() -> None:
    question, rule = composite_of(DESIGNS["a number"])
    assert rule.evaluate({f"feel{number}": 1 for number in range(1, 6)}) == 5
    assert question.computed_value(5) == 2


A, B = yes("a"), yes("b")
ONE = Level(points=1)


@pytest.mark.parametrize(
    ("case", "make"),
    [
        ("computed.components", lambda: Composite(components=(), missing=NONE_LEFT)),
        (
            "computed.components",
            lambda: Composite(components=tuple(yes(f"c{at}") for at in range(41)), missing=NONE_LEFT),
        ),
        ("twice", lambda: Composite(components=(A, A), missing=NONE_LEFT)),
        ("computed.no_points", lambda: Composite(components=(yes("a", 0),), missing=NONE_LEFT)),
        ("whole.kind", lambda: yes("a", "1")),
        ("whole.kind", lambda: yes("a", 1.0)),
        ("whole.kind", lambda: yes("a", True)),
        ("whole.range", lambda: yes("a", 1000)),
        ("computed.points", lambda: Component(key="a", kind="yes_no", points=(1,))),
        ("one_of", lambda: Component(key="a", kind="place")),
        ("too_few_options", lambda: Component(key="a", kind="single", options=("x",))),
        ("computed.options", lambda: Component(key="a", kind="yes_no", options=("x", "y"))),
        ("computed.range", lambda: Component(key="a", kind="yes_no", low=1)),
        ("whole.kind", lambda: Component(key="a", kind="number")),
        ("range.ends", lambda: Component(key="a", kind="number", low=1, high=1)),
        (
            "computed.band",
            lambda: Component(key="a", kind="number", low=0, high=9, bands=(Band(low=5, high=4),)),
        ),
        (
            "computed.bands",
            lambda: Component(
                key="a", kind="number", low=0, high=9, bands=(Band(low=0, high=4), Band(low=4, high=5))
            ),
        ),
        ("computed.instructed_points", lambda: yes("a", instructed="no")),
        (
            "computed.instructed_kind",
            lambda: Component(key="a", kind="number", low=0, high=9, instructed="no"),
        ),
        ("one_of", lambda: yes("a", 0, instructed="maybe")),
        ("computed.when", lambda: When(options=("yes",))),
        ("computed.when", lambda: When(component="a", question="b", options=("yes",))),
        ("computed.when_empty", lambda: When(component="a", options=())),
        (
            "computed.later",
            lambda: Composite(components=(yes("a", asked_if=only_if("a", "yes")),), missing=NONE_LEFT),
        ),
        (
            "computed.later",
            lambda: Composite(components=(yes("a", asked_if=only_if("b", "yes")), B), missing=NONE_LEFT),
        ),
        (
            "computed.option",
            lambda: Composite(components=(A, yes("b", asked_if=only_if("a", "maybe"))), missing=NONE_LEFT),
        ),
        (
            "computed.deciding",
            lambda: Composite(
                components=(yes("a", 0, instructed="no"), yes("b", asked_if=only_if("a", "yes"))),
                missing=NONE_LEFT,
            ),
        ),
        (
            "computed.deciders",
            lambda: Composite(
                components=(
                    *(yes(f"d{at}") for at in range(7)),
                    *(yes(f"f{at}", asked_if=only_if(f"d{at}", "yes")) for at in range(7)),
                ),
                missing=NONE_LEFT,
            ),
        ),
        (
            "computed.steps",
            lambda: Composite(
                components=(A,),
                missing=NONE_LEFT,
                steps=tuple(Step(key=f"s{at}", of=("a",), levels=(ONE,)) for at in range(9)),
            ),
        ),
        ("computed.step_empty", lambda: Step(key="s", of=(), levels=(ONE,))),
        ("computed.no_levels", lambda: Step(key="s", of=("a",), levels=())),
        (
            "computed.step_of",
            lambda: Composite(
                components=(A,), missing=NONE_LEFT, steps=(Step(key="s", of=("s",), levels=(ONE,)),)
            ),
        ),
        (
            "computed.step_of",
            lambda: Composite(
                components=(A,),
                missing=NONE_LEFT,
                steps=(Step(key="s", of=("t",), levels=(ONE,)), Step(key="t", of=("a",), levels=(ONE,))),
            ),
        ),
        ("computed.step_points", lambda: Step(key="s", of=("a",), points=(("b", (0, 1)),), levels=(ONE,))),
        (
            "computed.first_start",
            lambda: Composite(components=(A,), missing=NONE_LEFT, levels=levels(("no", 0), ("yes", 1))),
        ),
        (
            "computed.same_start",
            lambda: Composite(
                components=(A, B), missing=NONE_LEFT, levels=levels(("x", None), ("y", 1), ("z", 1))
            ),
        ),
        (
            "computed.descending",
            lambda: Composite(
                components=(A, B), missing=NONE_LEFT, levels=levels(("x", None), ("y", 2), ("z", 1))
            ),
        ),
        ("computed.unreached", lambda: Composite(components=(A,), missing=NONE_LEFT, levels=at_least(2))),
        (
            "computed.unreached_first",
            lambda: Composite(components=(A,), missing=NONE_LEFT, levels=at_least(0)),
        ),
        (
            "computed.unreached",
            lambda: Composite(
                components=(yes("a", 5),), missing=NONE_LEFT, levels=levels(("x", None), ("y", 2), ("z", 6))
            ),
        ),
        (
            "computed.base",
            lambda: Composite(components=(A,), missing=NONE_LEFT, levels=at_least(1), base="yes"),
        ),
        ("whole.range", lambda: Gaps(at_most=-1, fill="mean")),
        ("one_of", lambda: Gaps(at_most=0, fill="median")),
    ],
)
def test_invalid_rules_are_refused(case: str, make: Any) -> None:
    with pytest.raises(PrivacyError) as refusal:
        make()
    assert refusal.value.case == case
    assert refusal.value.message
    assert refusal.value.remedy


SIMPLE = Composite(components=(A,), missing=NONE_LEFT, levels=at_least(1))


def design_of(*blocks: Block) -> Design:
    return Design(blocks=blocks, group=GroupPolicy(), use="live")


def test_designs_refuse_composites_that_do_not_fit() -> None:
    part = sent("x", SIMPLE)
    question = part.questions[0]
    sex = Question(key="sex", kind="single", options=("woman", "man"), unrelated=())
    you = Block(key="you", protected=False, truth_probability=10_000, questions=(sex,))
    several = Question(key="m", kind="multi", options=("p", "q"), unrelated=())
    using = replace(SIMPLE, uses=(Use(question="sex", points=(("woman", 1),)),))
    cases: dict[str, Any] = {
        "computed.open": lambda: Block(
            key="o", protected=False, truth_probability=10_000, questions=(replace(question, unrelated=()),)
        ),
        "computed.kind": lambda: Question(
            key="m", kind="multi", options=("p", "q"), unrelated=(5000, 5000), computed=SIMPLE
        ),
        "computed.level_option": lambda: replace(
            question, computed=replace(SIMPLE, levels=levels(("no", None), ("maybe", 1)))
        ),
        "computed.no_level": lambda: Question(
            key="s",
            kind="single",
            options=("p", "q"),
            unrelated=(5000, 5000),
            computed=replace(SIMPLE, levels=levels(("p", None), ("p", 1))),
        ),
        "computed.shared": lambda: design_of(replace(part, questions=(question, replace(question, key="y")))),
        "twice": lambda: design_of(
            part, sent("a", Composite(components=(B,), missing=NONE_LEFT, levels=at_least(1)))
        ),
        "computed.source": lambda: design_of(sent("x", using), you),
        "computed.source_protected": lambda: design_of(
            Block(
                key="q",
                protected=True,
                truth_probability=5000,
                questions=(replace(sex, unrelated=(5000, 5000)),),
            ),
            sent("x", using),
        ),
        "computed.source_option": lambda: design_of(
            you, sent("x", replace(using, uses=(Use(question="sex", points=(("child", 1),)),)))
        ),
        "computed.instructed_skip": lambda: replace(
            part,
            questions=(
                replace(question, computed=replace(SIMPLE, components=(A, yes("b", 0, instructed="no")))),
            ),
        ),
        "computed.source_kind": lambda: design_of(
            replace(you, questions=(several,)),
            sent("x", replace(using, uses=(Use(question="m", points=(("p", 1),)),))),
        ),
    }
    for case, make in cases.items():
        with pytest.raises(PrivacyError) as refusal:
            make()
        assert refusal.value.case == case


@pytest.mark.parametrize(
    ("changes", "case"),
    [
        ({"low": 1, "high": 10, "bin": 1}, "computed.number_range"),
        ({"low": 0, "high": 99, "decimals": 1, "bin": 1}, "computed.number_whole"),
    ],
)
def test_a_number_must_hold_all_sums(changes: dict[str, int], case: str) -> None:
    question, _rule = composite_of(DESIGNS["a number"])
    with pytest.raises(PrivacyError) as refusal:
        replace(question, disguise=square_wave(NumberRange(**changes), 2.0))
    assert refusal.value.case == case


def test_a_number_has_no_levels() -> None:
    question, rule = composite_of(DESIGNS["a number"])
    with pytest.raises(PrivacyError) as refusal:
        replace(question, computed=replace(rule, levels=(Level(option="few"), Level(option="many", start=1))))
    assert refusal.value.case == "computed.number_levels"


def test_points_starts_steps_conditions_and_gaps_change_the_digest() -> None:
    design = DESIGNS["every member"]
    block = design.blocks[1]
    question, rule = composite_of(design)
    changed = [
        replace(rule, missing=replace(rule.missing, at_most=1)),
        replace(rule, missing=replace(rule.missing, fill="no_points")),
        replace(rule, uses=()),
        replace(rule, steps=rule.steps[:1]),
        replace(rule, levels=(*rule.levels[:-1], replace(rule.levels[-1], start=24))),
        replace(rule, components=(*rule.components[:-1], replace(rule.components[-1], asked_if=None))),
        replace(rule, components=(replace(rule.components[0], points=(0, 11)), *rule.components[1:])),
    ]
    digests = {design.design_id}
    for other in changed:
        digests.add(
            replace(
                design,
                blocks=(design.blocks[0], replace(block, questions=(replace(question, computed=other),))),
                mechanism=0,
            ).design_id
        )
    assert len(digests) == 1 + len(changed)


def test_python_reproduces_every_vector_from_json_alone() -> None:
    vectors = json.loads((HERE / "composites.json").read_text("ascii"))
    designs = {name: Design.from_json(document) for name, document in vectors["designs"].items()}
    assert {name: design.design_id for name, design in designs.items()} == vectors["ids"]
    assert len(vectors["cases"]) > 1000
    for entry in vectors["cases"]:
        question, rule = composite_of(designs[entry["design"]])
        assert question.key == entry["question"]
        answer = rule.evaluate(entry["answers"], entry["open"])
        value = None if answer is None else question.computed_value(answer)
        got = (
            rule.asked(entry["answers"], entry["open"]),
            rule.total(entry["answers"], entry["open"]),
            value,
        )
        assert got == (entry["asked"], entry["sum"], entry["value"])


@pytest.mark.soak
def test_random_vectors_hold_skips_every_member_and_python_reproduces_them() -> None:
    vectors = json.loads((HERE / "random-composites.json").read_text("ascii"))
    rules = [composite_json.read(document) for document in vectors["rules"]]
    assert len(rules) == 500
    for entry in vectors["cases"]:
        rule = rules[entry["rule"]]
        assert rule.evaluate(entry["answers"], entry["open"]) == entry["answer"]
        assert rule.total(entry["answers"], entry["open"]) == entry["sum"]
        assert rule.asked(entry["answers"], entry["open"]) == entry["asked"]
    assert 150 < sum(entry["answer"] is None for entry in vectors["cases"]) < 750
    members = {name for document in vectors["rules"] for name in document}
    assert members == {"components", "missing", "uses", "steps", "levels", "base"}


def test_answers_of_the_wrong_kind_are_refused() -> None:
    rule = rule_of("every member")
    chosen = {"sex": "man", "moved": "no"}
    for answers in ({"ever": 2}, {"ever": "yes"}, {"ever": 1, "which": [1, 0]}, {"ever": 0, "age": 100}):
        with pytest.raises(PrivacyError) as refusal:
            rule.evaluate(answers, chosen)
        assert refusal.value.code == "answer"
    with pytest.raises(PrivacyError):
        Whens(terms=())


def test_fixed_answers_leave_only_the_options_of_sums_that_others_can_make() -> None:
    """Three yes/no components count 1 each; "low" is 0 or 1, "middle" 2, "high" 3."""
    rule = Composite(
        components=(yes("a"), yes("b"), yes("c")),
        missing=NONE_LEFT,
        levels=levels(("low", None), ("middle", 2), ("high", 3)),
    )
    assert rule.reachable_options({}) == ("low", "middle", "high")
    assert rule.reachable_options({"a": 1, "b": 1}) == ("middle", "high")
    assert rule.reachable_options({"a": 0, "other": 1}) == ("low", "middle")
    assert rule.reachable_options({"a": 1, "b": 1, "c": 1}) == ("high",)
    assert rule.reachable_options({"a": None}) == (), "a gap makes it a skip"


def test_lists_of_a_rule_are_stored_as_tuples() -> None:
    acts: Any = [Component(key=key, kind="yes_no", points=(0, 1)) for key in "abc"]
    listed: Any = [Level(option="no"), Level(start=2, option="yes")]
    rule = Composite(components=acts, missing=Gaps(at_most=1, fill="no_points"), levels=listed)
    assert (type(rule.components), type(rule.levels)) == (tuple, tuple)
    assert hash(rule) == hash(replace(rule, components=tuple(acts), levels=tuple(listed)))


def test_as_many_steps_and_deciding_components_as_allowed_make_a_rule() -> None:
    steps = tuple(Step(key=f"s{at}", of=("a",), levels=(ONE,)) for at in range(8))
    assert len(Composite(components=(A,), missing=NONE_LEFT, steps=steps).steps) == 8
    deciding = [yes(f"d{at}") for at in range(6)]
    followed = [yes(f"f{at}", asked_if=only_if(f"d{at}", "yes")) for at in range(6)]
    assert len(Composite(components=(*deciding, *followed), missing=NONE_LEFT).components) == 12
