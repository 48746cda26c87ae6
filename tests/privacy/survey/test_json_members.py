from typing import Any

import pytest

from privacy.survey.json_members import JsonShape, members_of, weight_of
from tests.fixtures.refusals import refused

RANGE = JsonShape(("low", "high"), ("calendar",))


def test_members_are_returned_as_a_copy() -> None:
    document = {"low": 0, "high": 9, "calendar": "month"}
    members = members_of(document, "range", RANGE)
    assert members == document
    assert members is not document


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        {"low": 0},
        {"low": 0, "high": 9, "more": 1},
        *({"low": 0, "high": 9, "calendar": empty} for empty in (None, "", (), [])),
    ],
    ids=repr,
)
def test_missing_unknown_and_empty_optional_members_are_refused(document: Any) -> None:
    with refused("malformed"):
        members_of(document, "range", RANGE)


@pytest.mark.parametrize(
    "text", [1, "", "01", "-1", "1.0", "1e3", " 1", "1\n", "٣", "1" * 402, None], ids=repr
)
def test_weights_are_decimal_texts(text: object) -> None:
    with refused("malformed"):
        weight_of(text, "peak")


def test_the_longest_weight_stays_exact() -> None:
    assert weight_of("9" * 401, "peak") == 10**401 - 1
    assert weight_of("0", "peak") == 0
