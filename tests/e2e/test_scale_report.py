"""The report pages of numbers and places in a real browser: narrow and wide, light and dark."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from tests.e2e.judged import violations as axe
from tests.e2e.judged import width_of
from tests.e2e.test_report import PASSWORD, log_in
from tests.fixtures.runs import mined
from tests.fixtures.scale_runs import scale_answered
from tests.fixtures.staff import seen_by

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.soak
def test_numbers_and_places_are_read_narrow_and_wide_in_dark_and_light(
    live_server: Any, device: Any, no_broker: None
) -> None:
    seen_by(User.objects.create_user("dora", password=PASSWORD, is_staff=True, is_superuser=True))
    run = mined(scale_answered(600))
    page = device().new_page()
    complaints = log_in(page, live_server.url)
    page.goto(f"{live_server.url}/en/staff/runs/{run.pk}/")
    page.get_by_role("link", name="Details", exact=True).click()
    for tab, heading in (("Distribution: wage", "What were you paid?"), ("Map: care", "Where did you go")):
        page.get_by_role("link", name=tab).click()
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        page.get_by_text("Show as a table").click()
        for width, scheme in ((390, "dark"), (1280, "light")):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)
            assert width_of(page) == width
            assert axe(page) == "[]"
    page.get_by_role("link", name="With smoothing").click()
    expect(page.get_by_text("borders are blurred")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("link", name="GeoJSON").click()
    assert saved.value.suggested_filename == f"sottovoce-run-{run.pk}-care.geojson"
    assert not complaints
