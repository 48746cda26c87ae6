"""`manage.py optimise`: limits, frontier, picture, refusals."""

import json
import math
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from privacy.planning.efficiency import sampled_designs
from privacy.planning.frontier import design_points, frontier, optimise


def said(*words: object) -> str:
    out = StringIO()
    call_command("optimise", *map(str, words), stdout=out)
    return out.getvalue()


@pytest.mark.slow
def test_the_best_design_and_the_frontier_are_those_of_the_library(tmp_path: Path) -> None:
    picture = tmp_path / "frontier.svg"
    words = ("--questions", 2, "--distortion", ".3", "--leakage", "1", "--epsilon", "5", "--svg", picture)
    found = json.loads(said(*words, "--json"))
    points = design_points([2000, 2000])
    best = optimise(points, most_distortion=0.3, most_leakage=1.0, most_epsilon=5)
    assert found["best"]["truth_probability"] == best.truth_probability
    edge = frontier(point for point in points if point.epsilon <= 5)
    assert [point["leakage"] for point in found["frontier"]] == [point.leakage for point in edge]
    drawn = picture.read_text(encoding="utf-8")
    assert drawn.startswith("<svg")
    assert "best under the limits" in drawn
    assert said(*words).splitlines()[1].endswith("best")


def test_asking_each_person_some_is_printed_beside_the_best_split_and_the_bound() -> None:
    words = ("--rotating", "--questions", 10, "--epsilon", 3)
    found = json.loads(said(*words, "--json"))
    best = sampled_designs(10, 3.0, sizes=(1, 2), most_odds=math.inf)[0]
    first = found["designs"][0]
    assert first["asked"] == best.asked == 3
    assert sum(first["variances"]) / 2 == best.mean_variance((1, 2))
    assert found["split"] == [2] * 5
    assert found["bound"] < sum(first["variances"]) / 2 < found["split_variance"]
    lines = said(*words).splitlines()
    assert lines[1].split()[0] == "3"
    assert lines[-2:] == ["best split 2, 2, 2, 2, 2: 39.45", "no design has less than 1.393"]
    kept = json.loads(said("--rotating", "--questions", 10, "--epsilon", 4, "--odds", 3, "--json"))["designs"]
    assert all(one["odds"] <= 3 + 1e-9 and one["epsilon"] <= 4 for one in kept)


def test_where_nothing_is_saved_the_command_says_so() -> None:
    last = "asking each person fewer of the questions saves nothing here"
    for questions, nothing in ((3, True), (6, False)):
        lines = said("--rotating", "--questions", questions, "--epsilon", 3).splitlines()
        assert (lines[-1] == last) == nothing


@pytest.mark.parametrize("words", [("--questions", 10), ("--questions", 2, "--epsilon", 3, "--items", 3)])
def test_rotating_needs_an_epsilon_and_as_many_questions_as_items(words: tuple[object, ...]) -> None:
    with pytest.raises(CommandError, match="Give --epsilon"):
        said("--rotating", *words)


def test_without_limits_there_is_only_the_frontier() -> None:
    found = json.loads(said("--questions", 1, "--json"))
    assert found["best"] is None
    assert len(found["frontier"]) > 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--questions", 0), "--questions 0"),
        (("--questions", 61), "--questions 61"),
        (("--prevalence", "2"), "2 is not a probability"),
        (("--questions", 1, "--distortion", "-1"), "D0 = -1.0"),
        (("--questions", 1, "--leakage", "-1"), "L0 = -1.0"),
        (("--epsilon", "0"), "--epsilon 0"),
        (("--questions", 1, "--epsilon", "0.0001"), "No design keeps a ceiling"),
        (("--questions", 1, "--distortion", "0"), "Allow a distortion of at least"),
    ],
)
def test_every_argument_has_its_refusal(words: tuple[object, ...], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        said(*words)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be written"):
        said("--questions", 1, "--svg", tmp_path / "nowhere" / "frontier.svg")
