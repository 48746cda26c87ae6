"""The page of what is shown of rare items, and what it is made of."""

import datetime

import numpy as np

from benchmarks.coverage.rare import rare_coverage_page, rare_coverage_records
from benchmarks.coverage.rules import coverage, rare_grid


def test_the_rare_grid_has_rare_items_and_few_people() -> None:
    surveys = list(rare_grid())
    assert len(surveys) == 48
    assert {survey.n for survey in surveys} == {100, 200, 500}
    assert {survey.protected[0] for survey in surveys} == {0.01, 0.02, 0.03, 0.04}
    assert all(survey.joint.min() >= 0 for survey in surveys)


def test_printed_lifts_of_rare_items_have_lower_coverage_than_all() -> None:
    """The planted target of the label: 2 % of 200 people at p = .7, 2,000 surveys.

    Of the printed ones .95 or more would be found with a chance below 1e-6 were they to hold in .90.
    """
    (survey,) = (
        survey
        for survey in rare_grid()
        if (survey.n, survey.protected[0], survey.p, survey.protected[2]) == (200, 0.02, 0.7, 1.0)
    )
    points = coverage(survey, repetitions=2_000, rng=np.random.default_rng(3))
    (lift,) = (point for point in points if point.measure == "lift")
    assert lift.not_estimable > 0.2
    assert lift.held > 0.93
    assert lift.held_estimable < lift.held
    page = rare_coverage_page(
        points, command="python -m benchmarks.coverage", date=datetime.date(2026, 11, 23)
    )
    assert f"| lift | {100 * (1 - lift.not_estimable):.1f} | {100 * lift.held:.1f} |" in page
    assert page.count("\n| 0.7 | ") == 3
    head, *records = rare_coverage_records(points)
    assert [dict(zip(head, record, strict=True))["measure"] for record in records] == [
        "support", "confidence", "lift",
    ]  # fmt: skip
    assert records[2][-2:] == [f"{lift.held:.3f}", f"{lift.held_estimable:.3f}"]
