import pytest

from anonymisation.models import Release
from anonymisation.releases.release_background import release_background

pytestmark = pytest.mark.django_db


def test_an_uploaded_table_is_titled_by_its_file_name_alone() -> None:
    """`test_of_survey.py` tests releases of surveys."""
    found = release_background(Release(name="ward.2026.sav"))
    assert (found.title, found.columns, found.description) == ("ward.2026", {}, None)
