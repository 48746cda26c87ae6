from typing import Any

import pytest

from privacy.errors import PrivacyError
from privacy.survey.condition import Condition, Conditions
from tests.cast.refusals import refused

MARRIED = Condition(question="married", options=("yes",))
ELDER = Condition(question="age", options=("o1", "o2"))


def test_one_condition_and_several_are_read_alike() -> None:
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
def test_several_conditions_are_two_or_more_on_questions_of_their_own(
    joined: Any, terms: tuple[Condition, ...], named: str
) -> None:
    with pytest.raises(PrivacyError) as caught:
        Conditions(joined=joined, terms=terms)
    assert named in str(caught.value)


def test_several_conditions_hold_conditions_alone() -> None:
    for terms in ((MARRIED, "age"), (MARRIED, Conditions(joined="any", terms=(MARRIED, ELDER)))):
        with refused("malformed", "Condition"):
            Conditions(joined="all", terms=terms)  # type: ignore[arg-type]
