"""The effect of each policy number of releases, with literal numbers, so that a change fails a test."""

from datetime import UTC, datetime, timedelta

import pytest

from anonymisation.models import Release, ReleaseTable
from anonymisation.releases.bounds_form import BoundsForm
from anonymisation.releases.new_release import release_begin
from anonymisation.releases.query_pages import OpenForm
from surveys.accounts.roles import Role
from surveys.errors.error import SurveyError
from tests.fixtures.staff import member

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
COLUMNS = [{"name": "age", "role": "quasi_identifier"}, {"name": "ill", "role": "sensitive"}]
BOUNDS = {"k": 5, "algorithm": "tight", "max_suppressed": 0, "l_0": 2, "weight_0": 1}


def begun(name: str) -> Release:
    """Begin a release of this researcher."""
    owner = member(name, Role.RESEARCHER)
    return release_begin(owner=owner, name="people.csv", columns=[], records=9, now=NOW)


def accepts(field: str, *values: object) -> list[bool]:
    """Return for each value whether the form of bounds accepts it in this field."""
    forms = [BoundsForm(COLUMNS, {}, {}, BOUNDS | {field: value}, with_matrix=False) for value in values]
    return [field not in form.errors for form in forms]


def test_questions_each__the_default_limit_is_a_hundred() -> None:
    assert OpenForm()["each"].value() == 100


def test_most_questions_each__the_limit_can_be_up_to_ten_thousand() -> None:
    assert [OpenForm({"each": each}).is_valid() for each in (10_000, 10_001)] == [True, False]


@pytest.mark.django_db
def test_lifetime__records_of_a_table_end_after_a_day() -> None:
    release = begun("rosa")
    assert ReleaseTable.objects.get(release=release).ends_at == NOW + timedelta(hours=24)


@pytest.mark.django_db
def test_most_under_way__a_person_can_prepare_five_releases() -> None:
    for _ in range(5):
        begun("rosa")
    with pytest.raises(SurveyError, match="5"):
        begun("rosa")
    begun("paul")
    assert Release.objects.count() == 6


def test_longest_text__beliefs_can_have_two_hundred_thousand_characters() -> None:
    assert accepts("beliefs_0", "x" * 200_000, "x" * 200_001) == [True, False]


def test_most_k__groups_can_need_ten_thousand_records() -> None:
    assert accepts("k", 10_000, 10_001) == [True, False]


def test_most_l__groups_can_need_a_thousand_values() -> None:
    assert accepts("l_0", 1000, 1001) == [True, False]


def test_most_weight__a_column_can_count_a_thousand_times() -> None:
    assert accepts("weight_0", 1000, 1000.5) == [True, False]


def test_most_suppressed__a_fifth_of_the_records_can_be_left_out() -> None:
    assert accepts("max_suppressed", 20, 20.5) == [True, False]
