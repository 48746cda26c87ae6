"""The law of a record, given the components, is that of the computed answer, in every layout."""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from privacy.coins import Coins
from privacy.errors import PrivacyError
from privacy.survey.booklets import Drawn
from privacy.survey.composite import Composite
from privacy.survey.composite_parts import Gaps, Use
from privacy.survey.computed_answers import with_computed
from privacy.survey.design import Block, Design, GroupPolicy, Question
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout
from tests.fixtures.sent_distribution import all_drawn, coins_of
from tests.vectors.composite_designs import at_least, levels, only_if, scored, yes
from tests.vectors.designs import opened

ANY = Composite(
    components=(yes("a"), yes("b"), yes("c", asked_if=only_if("a", "yes"))),
    missing=Gaps(at_most=1, fill="no_points"),
    levels=at_least(1),
)
SCORE = Composite(
    components=(scored("d", 0, 1, 2), yes("e", 0, instructed="no"), scored("f", 0, 1, 2)),
    uses=(Use(question="sex", points=(("woman", 1),)),),
    missing=Gaps(at_most=1, fill="mean"),
    levels=levels(("low", None), ("middle", 2), ("high", 4)),
)
STEPS = {"two composites and a question": 7, "two strengths": 3}
"""Layouts with many coins, of which every third or seventh combination of components is enumerated."""
SEX = Question(key="sex", kind="single", options=("woman", "man"), unrelated=())
FIRST = Question(key="any", kind="yes_no", options=(), unrelated=(4000,), computed=ANY)
SECOND = Question(
    key="score",
    kind="single",
    options=("low", "middle", "high"),
    unrelated=(5000, 3000, 2000),
    computed=SCORE,
)
PLAIN = Question(key="plain", kind="yes_no", options=(), unrelated=(5000,))


def block(*questions: Question, key: str = "acts", **fields: Any) -> Block:
    return Block(key=key, protected=True, truth_probability=4500, questions=questions, **fields)


def design(*blocks: Block, group: GroupPolicy | None = None) -> Design:
    return Design(blocks=(opened("you", SEX), *blocks), group=group or GroupPolicy(), use="live")


LAYOUTS = {
    "alone": design(block(replace(FIRST, computed=replace(ANY, missing=Gaps(at_most=0, fill="no_points"))))),
    "with a skip": design(block(FIRST, refusal=1579)),
    "two composites and a question": design(block(FIRST, SECOND, PLAIN, refusal=1200)),
    "two strengths": design(
        block(FIRST, refusal=1579, light=7000),
        block(SECOND, key="scores", refusal=1111, light=8000),
        group=GroupPolicy(policy="choice"),
    ),
    "rotation": design(block(FIRST, SECOND, PLAIN, refusal=1579, questions_per_person=1)),
    "rotation of two": design(block(FIRST, SECOND, PLAIN, refusal=1579, questions_per_person=2)),
}


def components_of(design: Design) -> Iterator[dict[str, dict[str, Any]]]:
    """Yield every answer to the components, with gaps, by composite question."""
    rules = {question.key: question.computed for question in design.questions if question.computed}
    named = [(key, each) for key, rule in rules.items() for each in rule.components]
    # Three of the many combinations of gaps per question are enough: none, one, and all of them.
    for values in itertools.product(*([*range(len(each.choices))] for _key, each in named)):
        found: dict[str, dict[str, Any]] = {key: {} for key in rules}
        for (key, each), value in zip(named, values, strict=True):
            found[key][each.key] = value
        yield found
    for gap_in in itertools.product((0, 1, 3), repeat=len(rules)):
        yield {
            key: {each.key: 1 - bool(each.instructed) for each in rule.components[gaps:]}
            for (key, rule), gaps in zip(rules.items(), gap_in, strict=True)
        }


def expected_value(key: str, given: Mapping[str, int], sex: int) -> int | None:
    """Return the answer to one of the two rules, computed anew; None for a skip."""
    if key == "any":
        asked = ["a", "b", *(["c"] if given.get("a") == 1 else [])]
        answered = [given[each] for each in asked if each in given]
        return None if len(answered) < len(asked) - 1 or not answered else int(any(answered))
    if given.get("e") != 0 or ("d" not in given and "f" not in given):
        return None
    answered = [given[each] for each in ("d", "f") if each in given]
    total = sum(answered) * 2 // len(answered) + (sex == 0)
    return 0 if total < 2 else 1 if total < 4 else 2


def law(design: Design, answers_of: Any, *, direct: bool) -> dict[bytes, Fraction]:
    """Return the distribution of bodies; `answers_of` gives the answers for a set of drawn questions."""
    layout, found = Layout(design), dict[bytes, Fraction]()
    for drawn, share in all_drawn(design).items():
        answers = answers_of(drawn)
        for words, probability in coins_of(design, direct=direct):
            body = layout.pack(disguise(design, answers, direct=direct, coins=Coins(words), drawn=drawn))
            found[body] = found.get(body, Fraction(0)) + share * probability
    return found


Components = dict[str, dict[str, Any]]


def from_components(design: Design, drawn: Drawn, components: Components, sex: int) -> dict[str, Any]:
    """Return the answers of a device with these components, as `with_computed` needs them."""
    answers: dict[str, Any] = {"you": {"sex": sex}}
    for own, booklet in zip(design.blocks, drawn, strict=True):
        if own.protected:
            keys = [own.questions[position].key for position in booklet]
            answers[own.key] = {key: components.get(key, 1) for key in keys}
    return answers


def from_values(design: Design, drawn: Drawn, components: Components, sex: int) -> dict[str, Any]:
    """Return the same answers with the values that the rules give."""
    answers = from_components(design, drawn, components, sex)
    for own in design.blocks:
        if own.protected:
            values = {
                key: given if key == "plain" else expected_value(key, given, sex)
                for key, given in answers[own.key].items()
            }
            answers[own.key] = "skipped" if None in values.values() else values
    return answers


def without_rules(design: Design) -> Design:
    """Return the design with ordinary questions."""
    blocks = (
        replace(own, questions=tuple(replace(question, computed=None) for question in own.questions))
        for own in design.blocks
    )
    return replace(design, blocks=tuple(blocks), mechanism=0)


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.few("alone", "two composites and a question", why="the smallest and the largest part")
def test_the_law_given_the_components_is_that_of_the_computed_answer(name: str) -> None:
    design = LAYOUTS[name]
    plain, known = without_rules(design), dict[Any, dict[bytes, Fraction]]()
    groups = (False, True) if design.has_two_strengths else (False,)
    every = [own for own in components_of(design) if name != "alone" or len(own["any"]) == 3]
    for place, (components, sex, direct) in enumerate(itertools.product(every, (0, 1), groups)):
        if place % STEPS.get(name, 1):
            continue
        values = tuple(expected_value(key, given, sex) for key, given in components.items())
        if (values, sex, direct) not in known:
            known[values, sex, direct] = law(
                plain, partial(from_values, plain, components=components, sex=sex), direct=direct
            )
        answers = partial(from_components, design, components=components, sex=sex)
        sent = law(design, lambda drawn, make=answers: with_computed(design, make(drawn)), direct=direct)
        assert sent == known[values, sex, direct]
        assert sum(sent.values()) == 1
    assert len({values for values, _sex, _direct in known}) >= 2


def test_too_many_gaps_are_refused_without_a_skip() -> None:
    with pytest.raises(PrivacyError) as refusal:
        with_computed(LAYOUTS["alone"], {"you": {}, "acts": {"any": {"a": 1}}})
    assert refusal.value.case == "computed.gaps"


def test_an_open_answer_is_used_and_other_answers_stay() -> None:
    design = LAYOUTS["two composites and a question"]
    own = {"any": {"a": 0, "b": 0}, "score": {"d": 1, "e": 0, "f": 0}, "plain": 1}
    for sex, value in ((0, 1), (1, 0)):
        found = with_computed(design, {"you": {"sex": sex}, "acts": own})
        assert found == {"you": {"sex": sex}, "acts": {"any": 0, "score": value, "plain": 1}}
    assert with_computed(design, {"you": {}, "acts": "skipped"}) == {"you": {}, "acts": "skipped"}
