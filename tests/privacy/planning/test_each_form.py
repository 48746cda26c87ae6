"""Each form of a union as one answer: which unions have forms, and what each form sends."""

import itertools
from dataclasses import replace
from typing import Any

import pytest

from privacy.planning.changes import _each_form
from privacy.planning.design_forms import DesignDraft
from privacy.planning.each_form import _counts_nothing_else, form_rule, forms_of, is_union
from privacy.planning.forms import FormChange
from privacy.planning.use import Goal
from privacy.survey.block import Block
from privacy.survey.component import Component
from privacy.survey.composite import Composite
from privacy.survey.composite_parts import Gaps, Level, Step, Use
from privacy.survey.design import Design, Question
from privacy.survey.group_policy import GroupPolicy

ACTS = tuple(Component(key=key, kind="yes_no", points=(0, 1)) for key in "abcdefg")
LEVELS = (Level(option="no"), Level(start=1, option="yes"))
UNION = Composite(components=ACTS, missing=Gaps(at_most=1, fill="no_points"), levels=LEVELS)
STEMS = {**dict.fromkeys("ab", "one"), **dict.fromkeys("cd", "two"), **dict.fromkeys("efg", "three")}
OF_POINTS = replace(ACTS[0], points=(0, 2))


@pytest.mark.parametrize(
    "rule",
    [
        replace(UNION, levels=(LEVELS[0], Level(start=2, option="yes"))),
        replace(UNION, components=(OF_POINTS, *ACTS[1:])),
        replace(UNION, uses=(Use(question="sex", points=(("woman", 1),)),)),
        replace(UNION, missing=Gaps(at_most=1, fill="mean")),
        replace(UNION, placebo_of="other"),
        replace(UNION, other_half="other"),
        replace(UNION, steps=(Step(key="s", of=("a", "b"), levels=(Level(), Level(start=2, points=-2))),)),
    ],
    ids=["two", "points", "uses", "mean", "placebo", "half", "step"],
)
def test_other_rules_are_no_union(rule: Composite) -> None:
    assert not is_union(rule)
    assert forms_of(rule, STEMS) == {}


@pytest.mark.parametrize(
    ("changes", "is_so"),
    [
        ({}, True),
        ({"levels": (Level(points=0), Level(start=1, points=2), Level(start=2, points=0))}, True),
        # Points for nobody, points taken away, or from another number on.
        ({"levels": (Level(points=1), Level(start=1, points=2))}, False),
        ({"levels": (Level(points=0), Level(start=1, points=-1))}, False),
        ({"levels": (Level(points=0), Level(start=0, points=1))}, False),
        ({"missing": Gaps(at_most=0, fill="no_points")}, False),
        ({"points": (("a", (0, 1)),)}, False),
    ],
)
def test_steps_of_a_union_give_points_only_for_acts(changes: dict[str, Any], is_so: bool) -> None:
    step = Step(key="s", of=("a", "b"), levels=(Level(points=0), Level(start=1, points=3)))
    assert is_union(replace(UNION, steps=(step,)))
    assert _counts_nothing_else(replace(step, **changes)) == is_so


@pytest.mark.parametrize("lists", ["aabbccd", "aaaaaaa", "aabbcc ", "aabbccdd"[:7], "abcdabc"])
def test_a_union_of_one_list_of_many_or_with_an_act_outside_has_no_forms(lists: str) -> None:
    stems = {act.key: name.strip() for act, name in zip(ACTS, lists, strict=True)}
    assert forms_of(UNION, stems) == {}


def test_the_union_is_yes_exactly_if_a_form_is() -> None:
    forms = {name: form_rule(UNION, own) for name, own in forms_of(UNION, STEMS).items()}
    assert [*forms] == ["one", "two", "three"]
    for pattern in itertools.product((0, 1), repeat=len(ACTS)):
        answers = {act.key: answer for act, answer in zip(ACTS, pattern, strict=True)}
        found = [
            rule.evaluate({each.key: answers[each.key] for each in rule.components})
            for rule in forms.values()
        ]
        assert UNION.evaluate(answers) == ("yes" if "yes" in found else "no")


def _draft(*others: str, people: int = 300, wanted: tuple[str, ...] = ()) -> DesignDraft:
    union = Question(key="any", kind="yes_no", options=(), unrelated=(5000,), computed=UNION)
    rest = [Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in others]
    block = Block(key="b", protected=True, truth_probability=4500, questions=(union, *rest), refusal=1500)
    design = Design(blocks=(block,), group=GroupPolicy(), use="live")
    return DesignDraft(questions=design, goal=Goal(people=people, wanted=wanted), stems=STEMS)


def test_a_starred_union_is_only_divided_if_nothing_is_compared_with_it() -> None:
    def offered(**aim: tuple[str, ...]) -> bool:
        return "each_form,any" in [form.code for form in _draft("q", **aim).possible_forms()]

    assert offered()
    assert offered(wanted=("any",))
    assert offered(wanted=("q",))
    assert not offered(wanted=("any", "q"))


@pytest.mark.parametrize(
    ("others", "people", "is_offered"),
    [(0, 150, True), (1, 300, False), (1, 3_000, True), (2, 3_000, False), (4, 150, False)],
)
def test_forms_are_sent_if_no_figure_gets_half_a_point_wider(
    others: int, people: int, is_offered: bool
) -> None:
    """Among 3,000 people, two more answers widen one other interval from 3.2 to 3.6, two others by .8."""
    draft = _draft(*(f"q{number}" for number in range(others)), people=people)
    changes = [*_each_form(draft)]
    assert [change.forms for change in changes] == [(FormChange(kind="each_form", key="any"),)] * is_offered
    for change in changes:
        assert draft.plan is not None
        before, after = draft.plan.use.widths, change.plan.use.widths
        assert {*after} == {"one", "two", "three", *before} - {"any"}
        assert all(after[key] <= width + 0.005 for key, width in before.items() if key != "any")
        assert change.at_least_one is not None
        assert change.at_least_one <= before["any"] + 0.005
