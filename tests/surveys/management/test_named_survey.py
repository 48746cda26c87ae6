"""Surveys that commands name."""

import pytest

from surveys.authoring.drafts import survey_import
from surveys.errors.error import SurveyError
from surveys.management.named_survey import survey_by_slug, version_of
from tests.fixtures.devices import shipped_definition
from tests.fixtures.runs import published

pytestmark = pytest.mark.django_db


def test_unknown_surveys_are_rejected_listing_existing_ones() -> None:
    with pytest.raises(SurveyError, match="import a definition first"):
        survey_by_slug("work")
    survey_import(shipped_definition(slug="work"), by="alice")
    with pytest.raises(SurveyError, match="unknown survey: 'home'; choose one of work"):
        survey_by_slug("home")
    assert survey_by_slug("work").slug == "work"


def test_a_version_is_selected_by_a_prefix_of_its_design_id() -> None:
    version = published()
    assert version_of("habits", version.design_id[:12]) == version_of("habits", None) == version
