"""Which sides a rule can have."""

import pytest

from privacy.estimation.design_index import index_of
from privacy.estimation.rule_sides import Rule, check_rules
from tests.fixtures.refusals import refused
from tests.privacy.estimation.designs import CHOICES, ONE_BLOCK


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (((), (1,)), ("rule", "empty side")),
        (((0,), ()), ("rule", "empty side")),
        (((0, 1), (1,)), ("rule", "both sides")),
    ],
)
def test_rules_with_impossible_sides_are_refused(rule: Rule, words: tuple[str, ...]) -> None:
    index = index_of(ONE_BLOCK)
    check_rules([((0,), (1,))], index)
    with refused(*words):
        check_rules([((0,), (1,)), rule], index)


def test_two_options_of_one_choice_are_refused_even_on_two_sides() -> None:
    with refused("excluded_options", "s=o0", "s=o1"):
        check_rules([((0,), (1,))], index_of(CHOICES))
