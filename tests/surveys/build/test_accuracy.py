"""Predicted errors in the builder: every mechanism, the best first, and refusals in words."""

from __future__ import annotations

from typing import Any

import pytest

from privacy.errors import PrivacyError
from surveys.build.accuracy import accuracy_of
from surveys.build.definition import definition_read
from surveys.build.draft_state import budget_state
from tests.surveys.devices import shipped_definition


def stated(block: int, **changes: Any) -> dict[str, Any]:
    question = shipped_definition("everyday")["blocks"][block]["questions"][0]
    return {**question[question["kind"]], **changes}


def test_a_map_gets_all_mechanisms_and_one_that_keeps_its_promise_is_proposed() -> None:
    found = accuracy_of("place", stated(5))
    errors = [line["error"] for line in found["lines"] if line["offered"]]
    assert errors == sorted(errors)
    assert len(found["lines"]) == 7
    chosen = next(line for line in found["lines"] if line["name"] == found["proposed"])
    assert (chosen["offered"], chosen["everywhere"]) == (True, False)
    assert found["cells"] == [47, 44]
    assert 0 <= found["worse"] < 1


def test_without_sensitive_areas_one_is_proposed_that_protects_the_whole_map() -> None:
    found = accuracy_of("place", stated(5, sensitive=[]))
    assert found["proposed"] in ("square", "grid")
    assert found["worse"] is None


def test_a_number_gets_the_error_of_one_answer_and_of_a_mean() -> None:
    found = accuracy_of("number", stated(3))
    assert {line["name"] for line in found["lines"]} == {
        "square_wave", "hybrid", "keep", "piecewise", "duchi",
    }  # fmt: skip
    best = found["lines"][0]
    assert best["name"] == "hybrid"
    assert best["mean"] == pytest.approx(best["error"] / 1000**0.5)


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("number", {"bin": 7}),
        ("number", {"low": "x"}),
        ("place", {"area": {"west": 179, "south": 1, "east": -179, "north": 2}}),
        ("place", {"cell": 1}),
        ("place", {"epsilon": 30}),
    ],
)
def test_what_cannot_be_is_refused_with_a_remedy(kind: str, changes: dict[str, Any]) -> None:
    with pytest.raises(PrivacyError) as caught:
        accuracy_of(kind, stated(3 if kind == "number" else 5, **changes))
    assert caught.value.remedy


def test_a_place_that_is_exact_outside_is_in_no_sum() -> None:
    state = budget_state(definition_read(shipped_definition("everyday")))
    apart = [block for block in state["blocks"] if block["exact_outside"]]
    assert [block["key"] for block in apart] == ["places"]
    summed = sum(block["epsilon"] for block in state["blocks"] if not block["exact_outside"])
    assert state["epsilon"] == pytest.approx(summed)
