"""Which cases of a test are left to ``./test --soak``."""

import pytest

from tests.few_cases import left_cases


def test_the_cases_that_are_not_named_are_left_to_the_soak() -> None:
    assert left_cases("t", ["none", "forty"], ["none", "one", "forty"]) == {"one"}


@pytest.mark.parametrize("named", [[], ["two"], ["one", "two"], ["none", "one", "forty"]])
def test_a_marker_must_name_some_cases_that_exist(named: list[str]) -> None:
    with pytest.raises(pytest.UsageError, match=r"^t: `few` names .*; the cases are .'forty', 'none', 'one'"):
        left_cases("t", named, ["none", "one", "forty"])


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.few("2", why="the collection of this test shows what the marker does")
def test_a_named_case_runs(number: int, request: pytest.FixtureRequest) -> None:
    assert (number == 2) == (request.node.get_closest_marker("soak") is None)
