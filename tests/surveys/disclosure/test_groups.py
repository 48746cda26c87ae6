import pytest

from surveys.disclosure.groups import groups_of
from tests.cast.runs import answer, answered, published


@pytest.mark.django_db
def test_groups_are_counted_from_the_group_bit_of_each_row() -> None:
    groups = groups_of(answered(300, n_direct=70))
    assert (groups.n, groups.n_direct, groups.n_protected) == (300, 70, 230)


@pytest.mark.django_db
def test_the_newest_batch_of_an_open_survey_is_not_counted() -> None:
    version = published()
    answer(version, 300, n_direct=70, batches=3)
    assert groups_of(version).n == 200
