"""Two runs side by side: what differs, and what a difference may be held against."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from django.test import Client

from mining.thresholds import Thresholds
from surveys.figures.compare import compare_runs, difference_error, relation_of
from surveys.models import Run, Version
from tests.cast.runs import alice, answer, mined, published

PAIRS = Thresholds(support=0.05, max_size=2)


@pytest.fixture
def version(db: None) -> Version:
    found = published("grown", light=True)
    # Of an open survey the newest batch is never read.
    answer(found, 600, n_direct=100, batches=2)
    answer(found, 50, batches=1, seed=5)
    return found


def refreshed(run: Run) -> Run:
    return Run.objects.select_related("survey", "version", "job").get(pk=run.pk)


def test_the_same_rows_leave_nothing_to_test_and_the_words_say_so(version: Version) -> None:
    first, second = mined(version, PAIRS), mined(version, replace(PAIRS, support=0.2))
    found = compare_runs(first, second)
    assert found.relation == "same"
    assert not found.tested
    assert [(one.first, one.second) for one in found.settings if one.name == "Support from"] == [
        ("0.05", "0.2")
    ]
    assert found.n_appeared == 0
    assert found.n_gone == first.rules.count() - second.rules.count() > 0
    # The estimates of the rules that both list are the same figures.
    assert found.moved == ()


def test_another_way_of_estimating_the_same_rows_shows_what_it_changes(version: Version) -> None:
    first, second = mined(version, PAIRS), mined(version, replace(PAIRS, estimator="pooled"))
    found, (n,) = compare_runs(first, second), {*first.rules.values_list("n", flat=True)}
    assert found.relation == "same"
    assert found.moved
    assert all(line.z is None for line in found.moved)
    # Everybody was asked everything.
    assert {line.n for line in found.moved} == {f"{n:,} → {n:,}"}


def test_more_rows_contain_the_earlier_ones_and_the_error_is_that_of_the_new_ones(version: Version) -> None:
    first = mined(version, PAIRS)
    answer(version, 600, n_direct=100, batches=1, seed=11)
    second = mined(version, PAIRS)
    found = compare_runs(first, second)
    assert (relation_of(first, second), found.tested) == ("nested", True)
    assert found.n_tested > 0
    assert found.n_beyond <= found.n_tested
    assert {"Snapshot", "Answers, n"} == {one.name for one in found.settings}
    assert found.n_common + found.n_gone == first.rules.count()


def test_the_error_of_a_nested_difference_is_that_of_means_of_a_part_and_the_whole() -> None:
    # Var(mean of n) - Var(mean of n + m) = s^2 (1/n - 1/(n+m)), as for the difference of both means.
    generator = np.random.default_rng(20261120)
    n, m, repetitions = 100, 300, 20_000
    draws = generator.normal(size=(repetitions, n + m))
    differences = draws.mean(axis=1) - draws[:, :n].mean(axis=1)
    error = difference_error(1 / np.sqrt(n), 1 / np.sqrt(n + m), "nested")
    assert error is not None
    # The chi-square of 20,000 squared differences: a false alarm once in a million, and an error that is
    # off by 4 % is noticed with a probability of .999.
    ratio = float((differences**2).sum() / error**2)
    assert abs(ratio - repetitions) < 4.9 * np.sqrt(2 * repetitions)


def test_different_designs_share_no_row() -> None:
    assert relation_of(Run(design_id="a", snapshot_digest="1"), Run(design_id="b")) == "separate"
    assert difference_error(3.0, 4.0, "separate") == 5.0
    assert difference_error(None, 4.0, "separate") is None


def test_about_these_respondents_differences_are_not_tested(version: Version) -> None:
    thresholds = replace(PAIRS, target="respondents")
    first = mined(version, thresholds)
    answer(version, 200, batches=1, seed=12)
    found = compare_runs(first, mined(version, thresholds))
    assert not found.tested
    assert "these respondents" in found.untested_because


def test_the_page_compares_the_newest_two_and_says_when_there_are_none(
    client: Client, version: Version
) -> None:
    client.force_login(alice())
    path = "/en/staff/surveys/grown/compare/"
    assert "There are no two runs with results" in client.get(path).content.decode()
    first, second = mined(version, PAIRS), mined(version, replace(PAIRS, support=0.2))
    page = client.get(path).content.decode()
    assert "two looks at the same answers confirm nothing" in page
    # The run that read fewer rows, or came earlier, stands first whatever the order of the address.
    turned = client.get(path, {"first": second.pk, "second": first.pk}).content.decode()
    assert turned.index(f">Run {first.pk}<") < turned.index(f">Run {second.pk}<")
    assert client.get(path, {"first": first.pk, "second": first.pk}).status_code == 422
    assert client.get(path, {"first": first.pk, "second": 99_999}).status_code == 422
