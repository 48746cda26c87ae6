from typing import Any

import pytest

from privacy.errors import PrivacyError
from privacy.scales.number_range import NumberRange
from privacy.scales.number_statement import stated_number
from privacy.scales.numeric_mechanisms import (
    BY_EPSILON,
    generalised_rr_below,
)
from privacy.survey.design import Block, Question
from tests.fixtures.refusals import refused
from tests.vectors.designs import live

AGE: dict[str, Any] = {"mechanism": "keep", "epsilon": 2, "low": 0, "high": 119, "bin": 5}


@pytest.mark.parametrize("mechanism", BY_EPSILON)
def test_number_specifications_become_questions_of_a_live_design(mechanism: str) -> None:
    found = stated_number({**AGE, "mechanism": mechanism})
    question = Question(
        key="age", kind="number", options=found.options, unrelated=(), disguise=found.disguise
    )
    block = Block(key="b", protected=True, truth_probability=0, questions=(question,))
    assert live(block).questions[0].disguise == BY_EPSILON[mechanism](NumberRange(low=0, high=119, bin=5), 2)


def test_decimals_are_read_exactly_from_numbers_and_strings() -> None:
    for low, high, size in ((0, 23.9, 0.5), ("0", "23.9", "0.5"), ("0.0", "23.90", "0.50")):
        found = stated_number({**AGE, "low": low, "high": high, "bin": size, "decimals": 1})
        assert found.disguise.range == NumberRange(low=0, high=239, decimals=1, bin=5)


def test_bands_become_items() -> None:
    items = [{"key": "young", "from": 0, "to": 19}, {"key": "old", "from": 65, "to": 119}]
    found = stated_number({**AGE, "items": items})
    assert (found.options, found.disguise.spans) == (("young", "old"), ((0, 3), (13, 23)))
    assert (
        found.disguise.retention_probability
        == generalised_rr_below(NumberRange(low=0, high=119, bin=5), 2).retention_probability
    )


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"mechanism": "laplace"}, "mechanism"),
        ({"low": "none"}, "range"),
        ({"low": float("nan")}, "range"),
        ({"low": True}, "range"),
        ({"low": "1e9"}, "range"),
        ({"low": "1/2"}, "range"),
        ({"high": 119.5}, "range"),
        ({"high": 118}, "range"),
        ({"bin": 0}, "range"),
        ({"decimals": 7}, "range"),
        ({"items": [{"key": "young", "from": 0, "to": 18}]}, "spans"),
        ({"items": [{"key": "young", "from": 1, "to": 19}]}, "spans"),
        ({"items": [{"key": "late", "from": 115, "to": 124}]}, "spans"),
        ({"items": [{"key": "young", "from": 0}]}, "malformed"),
        ({"items": [{"key": "a b", "from": 0, "to": 4}]}, "bad_key"),
        ({"items": "young"}, "malformed"),
        ({"more": 1}, "malformed"),
    ],
)
def test_invalid_number_specifications_are_rejected(changes: dict[str, Any], code: str) -> None:
    with refused(code):
        stated_number({**AGE, **changes})


def test_the_remedy_for_a_split_bin_suggests_valid_ends() -> None:
    with pytest.raises(PrivacyError) as caught:
        stated_number({**AGE, "items": [{"key": "young", "from": 3, "to": 17}]})
    assert caught.value.remedy == "make it run from 0 to 19"


@pytest.mark.parametrize("document", [None, [], {}, {"mechanism": "keep"}])
def test_malformed_number_statements_are_refused(document: object) -> None:
    with refused("malformed"):
        stated_number(document)


def test_bands_of_a_range_that_does_not_start_at_zero() -> None:
    """Bins of five from 10 on: 15 to 24 are the second and the third."""
    stated = stated_number(
        {
            "mechanism": "square_wave", "epsilon": 1, "low": 10, "high": 29, "bin": 5,
            "items": [{"key": "young", "from": 15, "to": 24}, {"key": "old", "from": 25, "to": 29}],
        }
    )  # fmt: skip
    assert stated.disguise.inputs == 4
    assert stated.disguise.spans == ((1, 2), (3, 3))


def test_bands_of_single_values_are_their_own_bins() -> None:
    items = [{"key": "few", "from": 0, "to": 2}, {"key": "five", "from": 5, "to": 5}]
    stated = stated_number(
        {"mechanism": "square_wave", "epsilon": 1, "low": 0, "high": 9, "bin": 1, "items": items}
    )
    assert stated.disguise.spans == ((0, 2), (5, 5))


def test_unknown_calendars_are_refused() -> None:
    with refused("range", "week"):
        stated_number({"calendar": "week", "low": "2020-01", "high": "2020-12", "bin": 1})
