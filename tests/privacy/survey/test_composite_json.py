"""Rules of composite questions survive JSON in one form; each other form is refused by name."""

import json
from random import Random
from typing import Any

import pytest

from privacy.errors import PrivacyError
from privacy.survey import composite_json
from privacy.survey.component import Band, Component, When, Whens
from privacy.survey.composite import Composite
from privacy.survey.composite_parts import Gaps, Level, Step, Use
from tests.fixtures.random_composites import random_composite
from tests.vectors.composite_designs import NONE_LEFT, at_least, yes

SIMPLE = Composite(components=(yes("a"),), missing=NONE_LEFT, levels=at_least(1))


@pytest.mark.soak
def test_a_rule_survives_json_in_one_form() -> None:
    dice = Random("json")
    for _number in range(100):
        rule = random_composite(dice)
        written = json.loads(json.dumps(composite_json.write(rule)))
        assert composite_json.read(written) == rule
        assert composite_json.write(composite_json.read(written)) == written


def test_every_member_has_its_place() -> None:
    """A list with two conditions, a number in bands, a yes/no question with one; points of sex; two steps."""
    sex = When(question="sex", options=("man", "woman"))
    rule = Composite(
        components=(
            Component(key="a", kind="yes_no", points=(0, 1), shared=True),
            Component(
                key="b", kind="single", options=("no", "often"), points=(0, 2),
                asked_if=Whens(joined="any", terms=(When(component="a", options=("yes",)), sex)),
            ),
            Component(
                key="c", kind="number", low=0, high=9,
                bands=(Band(low=0, high=4), Band(low=5, high=9)), points=(0, 3),
            ),
            Component(key="d", kind="yes_no", points=(0, 1), asked_if=Whens(terms=(sex,))),
            Component(key="e", kind="single", options=("x", "y"), points=(0, 0), instructed="y"),
        ),
        missing=Gaps(at_most=1, fill="mean"),
        uses=(Use(question="sex", points=(("man", 1), ("woman", -1))),),
        steps=(
            Step(key="s", of=("a", "b"), levels=(Level(points=0), Level(start=2, points=4)),
                 points=(("b", (0, 5)),), missing=Gaps(at_most=0, fill="no_points")),
            Step(key="t", of=("c", "s"), levels=(Level(points=1), Level(start=3, points=2))),
        ),
        levels=(Level(option="low"), Level(start=3, option="high")),
    )  # fmt: skip
    written = composite_json.write(rule)
    assert written == {
        "components": [
            {"key": "a", "kind": "yes_no", "points": [0, 1], "shared": True},
            {
                "key": "b", "kind": "single",
                "options": [{"key": "no", "points": 0}, {"key": "often", "points": 2}],
                "asked_if": {
                    "any": [
                        {"component": "a", "options": ["yes"]},
                        {"question": "sex", "options": ["man", "woman"]},
                    ]
                },
            },
            {
                "key": "c", "kind": "number", "number": {"low": 0, "high": 9},
                "bands": [{"from": 0, "to": 4, "points": 0}, {"from": 5, "to": 9, "points": 3}],
            },
            {
                "key": "d", "kind": "yes_no", "points": [0, 1],
                "asked_if": {"question": "sex", "options": ["man", "woman"]},
            },
            {
                "key": "e", "kind": "single", "instructed": "y",
                "options": [{"key": "x", "points": 0}, {"key": "y", "points": 0}],
            },
        ],
        "missing": {"at_most": 1, "as": "mean"},
        "uses": [{"question": "sex", "points": {"man": 1, "woman": -1}}],
        "steps": [
            {
                "key": "s", "of": ["a", "b"], "points": {"b": [0, 5]},
                "levels": [{"points": 0}, {"points": 4, "from": 2}],
                "missing": {"at_most": 0, "as": "no_points"},
            },
            {"key": "t", "of": ["c", "s"], "levels": [{"points": 1}, {"points": 2, "from": 3}]},
        ],
        "levels": [{"option": "low"}, {"option": "high", "from": 3}],
    }  # fmt: skip
    assert composite_json.read(json.loads(json.dumps(written))) == rule


@pytest.mark.parametrize(
    "change",
    [
        lambda rule: rule.pop("missing"),
        lambda rule: rule.update(extra=1),
        lambda rule: rule.update(uses=[]),
        lambda rule: rule.update(base=None),
        lambda rule: rule["components"][0].pop("points"),
        lambda rule: rule["components"][0].update(options=[]),
        lambda rule: rule["components"][0].update(asked_if={"all": [{"question": "x", "options": ["y"]}]}),
        lambda rule: rule["components"][0].update(asked_if={"component": 1, "options": ["y"]}),
        lambda rule: rule["levels"].append("high"),
        lambda rule: rule.update(components={"a": 1}),
    ],
)
def test_malformed_documents_are_refused(change: Any) -> None:
    document = composite_json.write(SIMPLE)
    change(document)
    with pytest.raises(PrivacyError):
        composite_json.read(document)


@pytest.mark.parametrize(
    ("read", "document", "case", "value"),
    [
        ("read_gaps", {"at_most": 1}, "computed.lacks", "as"),
        ("read_gaps", {"at_most": 1, "as": "mean", "of": 2}, "computed.unknown", "of"),
        ("read_gaps", [1], "computed.object", [1]),
        ("read_level", {"option": "low", "from": None}, "malformed.absent", None),
        ("read_use", {"question": "sex", "points": [1]}, "computed.mapping", [1]),
        ("read_step", {"key": "s", "of": ["a"], "levels": [], "points": {}}, "malformed.absent", {}),
        ("read_component", {"key": "a", "kind": "yes_no"}, "computed.lacks", "points"),
        (
            "read_component",
            {"key": "a", "kind": "yes_no", "points": [0, 1], "options": [{"key": "x", "points": 0}]},
            "computed.of_kind",
            "options",
        ),
        (
            "read_component",
            {"key": "a", "kind": "yes_no", "points": [0, 1], "shared": False},
            "malformed.absent",
            False,
        ),
        (
            "read_component",
            {"key": "a", "kind": "yes_no", "points": [0, 1], "instructed": 1},
            "instance",
            1,
        ),
        ("read_whens", {"all": [{"question": "x", "options": ["y"]}]}, "asked_if.few", 1),
        ("read_whens", {"question": "x"}, "computed.when", {"question": "x"}),
        ("read_whens", {"question": "x", "component": "z", "options": []}, "computed.when", None),
        ("read_whens", "x", "computed.when", "x"),
    ],
)
def test_each_fault_is_named(read: str, document: Any, case: str, value: Any) -> None:
    with pytest.raises(PrivacyError) as refused:
        getattr(composite_json, read)(document)
    assert refused.value.case == case
    assert refused.value.value == (document if value is None and case == "computed.when" else value)
