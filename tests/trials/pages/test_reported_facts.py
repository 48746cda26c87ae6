"""Each fact of each paper comes out of its experiment, and does not when the figures say otherwise."""

import copy
from dataclasses import asdict, replace

import numpy as np
import pytest

from trials.pages.experiments import GROUPING
from trials.pages.location_experiment import LOCATION
from trials.pages.paper import Paper, Tables, table_csv
from trials.pages.reported_facts import release_facts
from trials.pages.reproduction import experiment, sample_table


def facts(points, n):
    return release_facts({"points": [asdict(point) for point in points]}, {"rows": n})


@pytest.fixture(scope="module")
def points():
    table, trees = sample_table(np.random.default_rng(2), 600)
    return experiment(table, trees, seed=2, sizes=(2, 5, 20))


def test_the_facts_come_out_on_a_sample(points):
    assert [fact.name for fact in facts(points, 600) if not fact.holds] == []


@pytest.mark.parametrize(
    ("algorithm", "change", "word"),
    [
        ("kacluk", {"ilp": 0.0}, "information loss: bottom-up"),
        ("ilp", {"odd_classes": 10**3}, "discernibility: classes of one size"),
        ("bottom-up", {"one_value_share": 0.5}, "fewer than 1 class in 200"),
        ("ilp after L", {"one_value_share": 0.1}, "no class with one value"),
        ("ilp", {"first_round_pairs": 10**9}, "saves pair"),
        ("ilp", {"information_bits": 0.0}, "tell more"),
    ],
)
def test_each_fact_fails_when_its_figures_say_otherwise(points, algorithm, change, word):
    altered = [replace(point, **change) if point.algorithm == algorithm else point for point in points]
    failed = [fact.name for fact in facts(altered, 600) if not fact.holds]
    assert any(word in name for name in failed)


def test_penalties_are_compared_where_the_table_is_as_large_as_adult(points):
    altered = [replace(one, discernibility=10**9) if one.algorithm == "ilp" else one for one in points]
    name = "discernibility equal within 1 part in 200 at the same class size"
    assert name in [fact.name for fact in facts(altered, 30162) if not fact.holds]
    assert name not in [fact.name for fact in facts(altered, 600)]


def test_a_share_of_changes_that_rises_is_noticed(points):
    altered = [
        replace(point, changed_share=point.k / 100) if point.algorithm == "ilp after L" else point
        for point in points
    ]
    assert "the share of changed records falls with k" in [
        fact.name for fact in facts(altered, 600) if not fact.holds
    ]


def test_points_are_written_with_times_last(points):
    lines = table_csv([asdict(point) for point in points]).splitlines()
    assert lines[0].endswith(",seconds")
    assert len(lines) == 1 + len(points)


def tables_of(paper: Paper) -> Tables:
    brief = {number.name: number.least for number in paper.numbers} | {"seed": 3, "n": 500}
    return paper.run(brief, lambda stage, done, total: None)


@pytest.fixture(scope="module")
def grouping() -> Tables:
    return tables_of(GROUPING)


@pytest.fixture(scope="module")
def location() -> Tables:
    return tables_of(LOCATION)


def failed(paper: Paper, tables: Tables) -> list[str]:
    return [fact.name for fact in paper.facts(tables, {}) if not fact.holds]


def test_the_facts_of_the_grouping_experiment_come_out(grouping: Tables) -> None:
    assert failed(GROUPING, grouping) == []
    assert len(GROUPING.facts(grouping, {})) == 6


@pytest.mark.parametrize(
    ("table", "place", "change", "word"),
    [
        ("sweep-p", {"p": 0.9, "reading": "disguised"}, {"error": 0.5}, "falls as p rises"),
        ("sweep-p", {"p": 1.0, "reading": "direct"}, {"error": 1e-4}, "close to 0"),
        ("leak", {"p": 0.4}, {"recognised": 0.0}, "gives rows away"),
        ("sweep-k", {"k": 0.0, "reading": "disguised"}, {"error": 0.5}, "falls with k as equations"),
        ("sweep-k", {"k": 0.5, "reading": "direct"}, {"expected": 0.5}, "formulas give the error"),
        (
            "mechanisms",
            {"mechanism": "mask", "n": 100_000, "size": 3},
            {"error": 0.0},
            "one coin for the row",
        ),
    ],
)
def test_each_fails_when_its_figures_say_otherwise(grouping, table, place, change, word) -> None:
    altered = copy.deepcopy(grouping)
    (row,) = [row for row in altered[table] if place.items() <= row.items()]
    row.update(change)
    assert any(word in name for name in failed(GROUPING, altered))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "mechanism", "word"),
    [
        ("central-clusters", "utility_square", "region in the centre"),
        ("corners-uniform", "utility_square", "region in a corner"),
        ("random-clusters", "utility_square", "regions at random"),
        ("central-uniform", "utility_square", "planar Laplace"),
        ("central-uniform", "grid", "response on tiles"),
        ("central-uniform", "utility_square_own_width", "width of its own"),
        ("width", None, "best width falls"),
    ],
)
def test_the_facts_on_places_come_out_and_fail_when_one_figure_says_otherwise(
    location, table, mechanism, word
) -> None:
    assert failed(LOCATION, location) == []
    altered = copy.deepcopy(location)
    row = [row for row in altered[table] if row.get("mechanism") == mechanism][-1]
    row["width" if mechanism is None else "error"] = 1e9
    assert any(word in name for name in failed(LOCATION, altered))
