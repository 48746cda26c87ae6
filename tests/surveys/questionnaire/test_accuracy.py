"""Predicted errors in the builder: every mechanism, the best first, and refusals in words."""

from __future__ import annotations

from typing import Any

import pytest

from privacy.errors import PrivacyError
from privacy.risk.design_audit import scale_audit
from privacy.scales.decoding import expected_variance
from privacy.scales.planar_error import mean_square_error
from surveys.authoring.draft_state import budget_state
from surveys.questionnaire.accuracy import accuracy_of
from surveys.questionnaire.definition import definition_read
from tests.cast.everyday import everyday_definition


def stated(block: int, **changes: Any) -> dict[str, Any]:
    question = everyday_definition()["blocks"][block]["questions"][0]
    return {**question[question["kind"]], **changes}


def test_a_map_gets_all_mechanisms_and_one_that_keeps_its_promise_is_proposed() -> None:
    found = accuracy_of("place", stated(5))
    errors = [line["map"] for line in found["lines"] if line["offered"]]
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


@pytest.mark.slow
def test_a_map_of_a_million_cells_gets_exact_figures_like_any_other() -> None:
    area = {"west": 118.70, "south": 32.00, "east": 118.90, "north": 32.18}
    few, many = (accuracy_of("place", stated(5, area=area, cell=cell)) for cell in (200, 19.5))
    assert few["cells"][0] * few["cells"][1] < 10_000
    assert 990_000 < many["cells"][0] * many["cells"][1] <= 1_000_000
    # Cells or smaller cells, the mechanisms are the same: what is left between them is less than a cell.
    errors = [{line["name"]: line["error"] for line in found["lines"]} for found in (few, many)]
    for name in ("square", "utility_square"):
        assert errors[1][name] == pytest.approx(errors[0][name], abs=200)
    assert many["off"] == pytest.approx(19.5 * 2**0.5, rel=0.01)


@pytest.mark.slow
def test_under_a_prior_errors_are_those_of_people_who_live_as_it_says() -> None:
    west, south = (stated(5)["area"][edge] for edge in ("west", "south"))
    prior = {"source": "a census", "rows": [[west, south, west + 0.001, south + 0.001, 1]]}
    errors = [
        {line["name"]: line["error"] for line in found["lines"]}
        for found in (accuracy_of("place", stated(5)), accuracy_of("place", stated(5, prior=prior)))
    ]
    assert accuracy_of("place", stated(5, prior=prior))["prior"] is True
    assert errors[1]["utility_square"] != pytest.approx(errors[0]["utility_square"], rel=0.01)
    # What only compares knows no prior.
    assert errors[1]["planar_laplace"] == errors[0]["planar_laplace"]


def test_a_number_gets_the_error_of_one_answer_and_of_a_mean() -> None:
    found = accuracy_of("number", stated(3))
    assert {line["name"] for line in found["lines"]} == {
        "square_wave", "hybrid", "keep", "piecewise", "duchi", "shift_or_any",
    }  # fmt: skip
    for line in found["lines"]:
        assert line["mean"] == pytest.approx(line["error"] / 1000**0.5)
        assert line["error"] <= line["worst"]


@pytest.mark.parametrize(("bins", "best"), [(3, "keep"), (30, "piecewise"), (100, "piecewise")])
def test_numbers_are_ranked_by_the_error_of_people_not_by_the_worst_answer(bins: int, best: str) -> None:
    statement = {"mechanism": "hybrid", "epsilon": 4, "low": 0, "high": bins - 1, "bin": 1}
    lines = {line["name"]: line for line in accuracy_of("number", statement)["lines"]}
    least = min(line["error"] for line in lines.values())
    assert next(iter(lines.values()))["error"] == least == pytest.approx(lines[best]["error"])
    # How many times the people the hybrid needs, numbers spread evenly; at worst it is the best from 30 on.
    assert (lines["hybrid"]["error"] / least) ** 2 == pytest.approx(
        {3: 1.59, 30: 1.57, 100: 1.57}[bins], abs=0.01
    )
    assert (min(lines.values(), key=lambda line: line["worst"])["name"] == "hybrid") is (bins > 3)


@pytest.mark.slow
@pytest.mark.parametrize("refusal", [True, 8_000])
@pytest.mark.parametrize("kind", ["number", "place"])
def test_where_a_question_may_be_skipped_the_errors_are_those_of_the_design_that_is_published(
    kind: str, refusal: int
) -> None:
    place = 3 if kind == "number" else 5
    document = everyday_definition()
    document["blocks"][place]["refusal"] = refusal
    reading = definition_read(document)
    _path, block = reading.blocks[place]
    skipping = block.skipping
    assert skipping is not None
    error = (
        expected_variance(block.disguise, skipping=skipping)
        if kind == "number"
        else mean_square_error(block.disguise, skipping=skipping)
    )
    name = stated(place)["mechanism"]
    found, without = (accuracy_of(kind, stated(place), each) for each in (refusal, False))
    lines, before = ({line["name"]: line["error"] for line in each["lines"]} for each in (found, without))
    assert lines[name] == pytest.approx(error**0.5)
    assert before[name] < lines[name]
    assert (found["skipped"], without["skipped"]) == (True, False)
    # What the audit and the budget say of the same block.
    lost = scale_audit(block).lost
    assert lost == pytest.approx(float(skipping.skip_probability))
    (entry,) = (
        each for each in budget_state(definition_read(document))["blocks"] if each["key"] == block.key
    )
    assert entry["lost"] == pytest.approx(lost)


@pytest.mark.parametrize("refusal", ["yes", 0.3, -5, 10_000])
def test_a_chance_of_a_skip_that_is_none_is_refused(refusal: object) -> None:
    with pytest.raises(PrivacyError) as caught:
        accuracy_of("number", stated(3), refusal)
    assert caught.value.code == "refusal"
    assert str(refusal) in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("number", {"bin": 7}),
        ("number", {"low": "x"}),
        ("place", {"area": {"west": 179, "south": 1, "east": -179, "north": 2}}),
        ("place", {"cell": 1}),
        ("place", {"epsilon": 30}),
        ("place", {"prior": {"source": "a census", "rows": [[0, 0, 1]]}}),
        ("place", {"mechanism": "levels", "sensitive": []}),
    ],
)
def test_what_cannot_be_is_refused_with_a_remedy(kind: str, changes: dict[str, Any]) -> None:
    with pytest.raises(PrivacyError) as caught:
        accuracy_of(kind, stated(3 if kind == "number" else 5, **changes))
    assert caught.value.remedy


def test_a_place_that_is_exact_outside_is_in_no_sum() -> None:
    state = budget_state(definition_read(everyday_definition()))
    apart = [block for block in state["blocks"] if block["exact_outside"]]
    assert [block["key"] for block in apart] == ["places"]
    summed = sum(block["epsilon"] for block in state["blocks"] if not block["exact_outside"])
    assert state["epsilon"] == pytest.approx(summed)
