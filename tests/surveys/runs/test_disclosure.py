"""What may be shown of some rows, and how their groups are counted."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from surveys.runs.disclosure import disclosure, groups_of
from tests.fixtures.runs import answer, answered_version, published


@pytest.mark.parametrize(("n", "results"), [(0, False), (99, False), (100, True)])
def test_fewer_than_100_answers_show_no_results(n: int, results: bool) -> None:
    assert disclosure(n=n, practice=False).results is results


def test_practice_surveys_hide_nothing() -> None:
    shown = disclosure(n=1, practice=True)
    assert (shown.results, shown.least_direct, shown.least_protected, shown.least_cross) == (True, 1, 0, 0)


@pytest.mark.django_db
def test_groups_are_counted_from_the_group_bit_of_each_row() -> None:
    groups = groups_of(answered_version(300, n_direct=70))
    assert (groups.n, groups.n_direct, groups.n_protected) == (300, 70, 230)


@pytest.mark.django_db
def test_the_newest_batch_of_an_open_survey_is_not_counted() -> None:
    version = published(light=True)
    answer(version, 300, n_direct=70, batches=3)
    assert groups_of(version).n == 200


@pytest.mark.django_db
def test_groups_are_counted_without_reading_rows() -> None:
    version = answered_version(600, n_direct=150)
    with CaptureQueriesContext(connection) as asked:
        assert groups_of(version).n_direct == 150
    assert not any("packed" in query["sql"] for query in asked.captured_queries)
