"""Composite questions of one block: what they may share, and which of them may name each other."""

import json
from dataclasses import replace
from typing import Any

import pytest

from privacy.errors import PrivacyError
from privacy.survey.block import Block
from privacy.survey.component import Component
from privacy.survey.composed_block import block_components, is_tied, partners, shared_filters
from privacy.survey.computed_answers import with_computed
from privacy.survey.design import Design
from tests.vectors.composite_designs import (
    AFTER_EVER,
    DESIGNS,
    EVER,
    TOGETHER,
    acts,
    design,
    followed,
    together,
    yes,
)
from tests.vectors.make_vectors import HERE


def block_of(name: str) -> Block:
    return TOGETHER[name].blocks[-1]


def test_a_shared_filter_is_one_component_of_the_block() -> None:
    block = block_of("two filters, one after the other")
    assert shared_filters(block) == {"ever": (0, 1, 2), "lately": (1, 2)}
    assert [each.key for each in block_components(block)] == [
        "ever",
        "one",
        "alone",
        "lately",
        "then",
        "also",
    ]
    assert shared_filters(block_of("three forms")) == {}


def test_partners_are_found_by_position() -> None:
    assert partners(block_of("index and placebo"), "placebo_of") == {1: 0}
    assert partners(block_of("two halves"), "other_half") == {1: 0}
    assert partners(block_of("two halves"), "placebo_of") == {}


@pytest.mark.parametrize("name", TOGETHER)
def test_a_design_survives_json_in_one_form(name: str) -> None:
    written = json.loads(json.dumps(TOGETHER[name].to_json()))
    assert Design.from_json(written) == TOGETHER[name]
    assert Design.from_json(written).to_json() == written


def test_only_shared_filters_have_a_format_number_of_their_own() -> None:
    numbers = {name: own.mechanism for name, own in TOGETHER.items()}
    assert numbers == dict.fromkeys(TOGETHER, 7) | {
        "two follow-ups of one filter": 8,
        "two filters, one after the other": 8,
    }
    # A page that does not know a shared filter would ask it twice, so the wrong number is refused.
    written = TOGETHER["two follow-ups of one filter"].to_json()
    with pytest.raises(PrivacyError, match="mechanism"):
        Design.from_json(written | {"mechanism": 7})


def test_designs_without_shared_filters_keep_their_digest() -> None:
    stored = json.loads((HERE / "composites.json").read_text(encoding="utf-8"))["ids"]
    for name, own in DESIGNS.items():
        assert own.design_id == stored[name]
        assert "shared" not in json.dumps(own.to_json())
        assert "placebo_of" not in json.dumps(own.to_json())
    # The digest of a published design of version 7, from before filters could be shared.
    assert DESIGNS["bribe"].design_id == BRIBE


BRIBE = "0efe49005c192f42c2a30de40235a45a0e0348b03478a00e474b0eb7d7404287"


def test_one_answer_to_the_filter_enters_every_question() -> None:
    own = TOGETHER["two follow-ups of one filter"]
    given = {"b": {"hit": {"ever": 1, "hit-often": 1}, "kicked": {"ever": 1, "kicked-often": 0}}}
    assert with_computed(own, given) == {"b": {"hit": 2, "kicked": 1}}
    given["b"]["kicked"]["ever"] = 0
    with pytest.raises(PrivacyError, match="answer it once") as caught:
        with_computed(own, given)
    assert caught.value.code == "computed"


TWO = (("a", followed("a1")), ("b", followed("b1")))


def changed(position: int, **fields: Any) -> Component:
    return replace((EVER, yes("other", asked_if=AFTER_EVER))[position], **fields)


@pytest.mark.parametrize(
    ("rules", "case"),
    [
        ([followed("a1"), replace(followed("b1"), components=acts("ever", "b1").components)], "shared"),
        (
            [
                followed("a1"),
                replace(
                    followed("b1"),
                    components=(changed(0, points=(-1, 1)), followed("b1").components[1]),
                ),
            ],
            "shared_differs",
        ),
        ([followed("a1"), acts("b1", "b2")], "shared_once"),
        ([acts("a1"), acts("b1", placebo_of="b")], "partner"),
        ([acts("a1"), acts("b1", placebo_of="nothing")], "partner"),
        ([acts("a1", placebo_of="b"), acts("b1", placebo_of="a")], "partner_chain"),
        ([acts("a1", "a2"), followed("b1")], "shared_once"),
        ([acts("a1", "a2"), acts("b1", "b2", "b3", "b4", other_half="a")], "halves_length"),
        ([acts("a1", other_half="b"), acts("b1", other_half="a")], "partner_chain"),
    ],
)
def test_questions_that_do_not_go_together_are_refused(rules: list[Any], case: str) -> None:
    with pytest.raises(PrivacyError) as caught:
        design(together("block", *zip("ab", rules, strict=True)))
    assert (caught.value.case, caught.value.code) == (f"computed.{case}", "computed")


def test_a_placebo_is_asked_together_with_its_index() -> None:
    own = (("index", acts("a1")), ("x", acts("x1")), ("calm", acts("c1", placebo_of="index")))
    for rotating in ({"questions_per_person": 1}, {"questions_per_person": 2, "booklets": ((0, 1), (1, 2))}):
        with pytest.raises(PrivacyError) as caught:
            design(together("block", *own, **rotating))
        assert caught.value.case == "computed.partner_apart"
    asked = design(together("block", *own, questions_per_person=2, booklets=((0, 1), (0, 2))))
    assert partners(asked.blocks[0], "placebo_of") == {2: 0}


def test_questions_that_belong_together_are_tied() -> None:
    tied = {name: is_tied(own.blocks[-1]) for name, own in TOGETHER.items()}
    assert tied == dict.fromkeys(TOGETHER, True) | {"three forms": False}


def test_a_shared_component_decides_in_each_question() -> None:
    with pytest.raises(PrivacyError) as caught:
        replace(acts("a", "b"), components=(EVER, yes("b")))
    assert caught.value.case == "computed.shared_unused"


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "several", "options": ("a", "b")},
        {"kind": "number", "low": 0, "high": 9},
        {"kind": "yes_no", "instructed": "no"},
    ],
)
def test_only_components_that_can_decide_are_shared(fields: dict[str, Any]) -> None:
    with pytest.raises(PrivacyError, match="cannot be shared"):
        Component(key="a", shared=True, **fields)


@pytest.mark.parametrize("value", [1, "yes", None])
def test_shared_is_true_or_false(value: Any) -> None:
    with pytest.raises(PrivacyError, match="shared of a"):
        Component(key="a", kind="yes_no", shared=value)


def test_keys_of_blocks_stay_distinct() -> None:
    first, second = together("one", *TWO), together("two", ("c", followed("c1")), ("d", followed("d1")))
    with pytest.raises(PrivacyError) as caught:
        design(first, second)
    assert caught.value.case == "computed.shared_elsewhere"
    plain = together("two", ("c", acts("ever")))
    with pytest.raises(PrivacyError) as caught:
        design(first, plain)
    assert caught.value.case == "twice"
