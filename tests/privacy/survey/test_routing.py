from itertools import product
from typing import Any

import pytest

from privacy.survey.design import Block, Condition, Conditions
from privacy.survey.routing import is_asked, routes
from tests.fixtures.refusals import refused
from tests.vectors.designs import choice, live, opened, shielded, yes_no


def _asked_if(question: str, *options: str) -> Block:
    return shielded(
        "late", 6000, yes_no("affair", 5000), asked_if=Condition(question=question, options=options)
    )


YOU = opened("you", yes_no("married"), choice("age", options=3), choice("pets", options=2, multi=True))
SECRET = shielded("secret", 5000, yes_no("vote", 5000))


@pytest.mark.parametrize(
    ("block", "named", "value"),
    [
        (_asked_if("nobody", "yes"), "no such question", "nobody"),
        (_asked_if("vote", "yes"), "protected", "vote"),
        (_asked_if("affair", "yes"), "protected", "affair"),
        (_asked_if("pets", "o0"), "several options", "pets"),
        (_asked_if("age", "yes"), "unknown", "yes"),
        (_asked_if("married", "o0"), "unknown", "o0"),
    ],
)
def test_conditions_use_only_earlier_open_single_answers(block: Block, named: str, value: str) -> None:
    with refused("asked_if", "late", named, value):
        live(YOU, SECRET, block)


def test_conditions_cannot_use_later_questions_or_their_own_block() -> None:
    with refused("asked_if", "not asked earlier", "married"):
        live(_asked_if("married", "yes"), YOU)
    with refused("asked_if", "not asked earlier", "self"):
        live(opened("b", yes_no("self"), asked_if=Condition(question="self", options=("yes",))))


def test_routes_ask_only_respondents_with_a_listed_answer() -> None:
    everybody, elders, wives = routes(
        (
            YOU,
            opened("later", yes_no("x"), asked_if=Condition(question="age", options=("o2", "o1"))),
            opened("last", yes_no("y"), asked_if=Condition(question="married", options=("yes",))),
        )
    )
    assert is_asked(everybody, ())
    assert [is_asked(elders, ((None, age, None),)) for age in (None, 0, 1, 2)] == [False, False, True, True]
    assert [is_asked(wives, ((married, 2, None),)) for married in (None, 0, 1)] == [False, False, True]


def test_skipping_a_question_also_skips_its_dependants() -> None:
    design = live(
        YOU,
        opened("later", yes_no("children"), asked_if=Condition(question="married", options=("yes",))),
        _asked_if("children", "yes"),
    )
    assert not is_asked(design.routes[2], ((0, None, None), (None,)))


MARRIED = Condition(question="married", options=("yes",))
ELDER = Condition(question="age", options=("o1", "o2"))


def test_joined_conditions_route_on_all_or_any_answers() -> None:
    both = opened("both", yes_no("x"), asked_if=Conditions(joined="all", terms=(MARRIED, ELDER)))
    either = opened("either", yes_no("y"), asked_if=Conditions(joined="any", terms=(MARRIED, ELDER)))
    _, all_, any_ = routes((YOU, both, either))
    for married, age in product((None, 0, 1), (None, 0, 1, 2)):
        known = ((married, age, None),)
        assert is_asked(all_, known) == (married == 1 and age in (1, 2))
        assert is_asked(any_, known) == (married == 1 or age in (1, 2))


@pytest.mark.parametrize("joined", ["all", "any"])
@pytest.mark.parametrize("wrong", ["nobody", "vote", "pets"])
def test_joined_conditions_use_only_earlier_open_single_answers(joined: Any, wrong: str) -> None:
    terms = (MARRIED, Condition(question=wrong, options=("yes",)))
    late = shielded("late", 6000, yes_no("affair", 5000), asked_if=Conditions(joined=joined, terms=terms))
    with refused("asked_if", "late", wrong):
        live(YOU, SECRET, late)
