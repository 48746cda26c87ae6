"""Conditions name answers of earlier questions, alone or joined."""

from typing import Any

import pytest

from privacy.errors import PrivacyError
from privacy.survey.conditions import Conditions
from privacy.survey.design import Condition
from tests.fixtures.refusals import refused


def test_conditions_need_at_least_one_option_without_duplicates() -> None:
    with refused("asked_if", "married"):
        Condition(question="married", options=())
    with refused("duplicate_key", "yes"):
        Condition(question="married", options=("yes", "yes"))


MARRIED = Condition(question="married", options=("yes",))


ELDER = Condition(question="age", options=("o1", "o2"))


def test_single_and_joined_conditions_share_one_interface() -> None:
    assert (MARRIED.joined, MARRIED.terms) == ("all", (MARRIED,))
    either = Conditions(joined="any", terms=(MARRIED, ELDER))
    assert (either.joined, either.terms) == ("any", (MARRIED, ELDER))


@pytest.mark.parametrize(
    ("joined", "terms", "named"),
    [
        ("all", (MARRIED,), "two or more"),
        ("any", (), "two or more"),
        ("none", (MARRIED, ELDER), "'all', 'any'"),
        ("all", (ELDER, Condition(question="age", options=("o0",))), "twice"),
    ],
)
def test_joined_conditions_need_two_or_more_distinct_questions(
    joined: Any, terms: tuple[Condition, ...], named: str
) -> None:
    with pytest.raises(PrivacyError) as caught:
        Conditions(joined=joined, terms=terms)
    assert named in str(caught.value)


def test_joined_conditions_contain_only_simple_conditions() -> None:
    for terms in ((MARRIED, "age"), (MARRIED, Conditions(joined="any", terms=(MARRIED, ELDER)))):
        with refused("malformed", "Condition"):
            Conditions(joined="all", terms=terms)  # type: ignore[arg-type]


def test_a_condition_names_a_valid_key_and_keeps_its_options_in_order() -> None:
    with refused("bad_key", "a b"):
        Condition(question="a b", options=("yes",))
    listed: Any = ["yes", "no"]
    assert Condition(question="married", options=listed).options == ("yes", "no")


def test_a_list_of_conditions_is_stored_as_a_tuple() -> None:
    """Designs with equal conditions are equal, and can be keys."""
    listed = Conditions(joined="any", terms=[MARRIED, ELDER])  # type: ignore[arg-type]
    assert {listed: 1}[Conditions(joined="any", terms=(MARRIED, ELDER))] == 1
