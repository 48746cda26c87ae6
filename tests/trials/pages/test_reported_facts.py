from dataclasses import replace

import numpy as np
import pytest

from trials.pages.reported_facts import facts
from trials.pages.reproduction import experiment, points_csv, sample_table


@pytest.fixture(scope="module")
def points():
    table, trees = sample_table(np.random.default_rng(2), 600)
    return experiment(table, trees, seed=2, sizes=(2, 5, 20))


def test_the_facts_come_out_on_a_sample(points):
    assert [fact.name for fact in facts(points, 600) if not fact.holds] == []


@pytest.mark.parametrize(
    ("algorithm", "change", "word"),
    [
        ("kacluk", {"ilp": 0.0}, "ILP: bottom-up"),
        ("ilp", {"odd_classes": 10**3}, "discernibility: classes of one size"),
        ("bottom-up", {"one_value_share": 0.5}, "one-value classes below"),
        ("ilp after L", {"one_value_share": 0.1}, "no one-value class"),
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
    name = "discernibility equal within 0.5 % at the same class size"
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
    lines = points_csv(points).splitlines()
    assert lines[0].endswith(",seconds")
    assert len(lines) == 1 + len(points)
