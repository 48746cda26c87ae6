"""A survey's name in addresses is short, plain and no other survey's."""

import pytest

from surveys.authoring.survey_address import MOST_SLUG, check_slug, free_slug, titled_slug
from surveys.errors.error import SurveyError
from surveys.models import Survey

pytestmark = pytest.mark.django_db


def taken(*slugs: str) -> None:
    for slug in slugs:
        Survey.objects.create(slug=slug, title={"en": slug}, definition={})


def test_a_name_that_is_taken_gets_the_first_free_number() -> None:
    taken("work", "work-2", "work-4")
    assert [free_slug(slug) for slug in ("sleep", "work")] == ["sleep", "work-3"]


def test_numbered_names_are_cut_to_the_longest() -> None:
    longest = "a" * (MOST_SLUG - 3) + "-bc"
    taken(longest)
    assert free_slug(longest) == "a" * (MOST_SLUG - 3) + "-2"


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ({"en": "Speaking up at work!"}, "speaking-up-at-work"),
        ({"en": "a" * 48 + " b cd"}, "a" * 48 + "-b"),
        ({"zh-hans": "安静"}, "survey"),
        ({"en": "  "}, "survey"),
        (None, "survey"),
    ],
)
def test_a_new_name_follows_the_english_title(title: object, slug: str) -> None:
    assert titled_slug(title) == slug


def test_names_of_other_surveys_and_other_signs_are_refused() -> None:
    taken("work")
    check_slug("work-2")
    for slug, code in (("work", "taken"), ("Work", "slug"), ("-work", "slug")):
        with pytest.raises(SurveyError) as refused:
            check_slug(slug)
        assert refused.value.code == code
