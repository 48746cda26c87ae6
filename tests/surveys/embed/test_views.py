"""The frame on a server: there for open surveys and the hosts that were set, and for nobody else."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from surveys.authoring.publish import survey_close
from tests.cast.devices import published
from tests.cast.frames import three

pytestmark = pytest.mark.django_db
HOST = "https://survey.uni.example"


@pytest.fixture
def hosts(settings):
    settings.SOTTO_FRAME_HOSTS = [HOST]


def test_a_frame_is_served_by_the_digest_of_its_design(hosts) -> None:
    version = published(three())
    page = Client().get(f"/embed/{version.design_id}/")
    assert page.status_code == 200
    assert page.headers["Content-Security-Policy"].endswith(f"frame-ancestors {HOST}")
    assert page.headers["Origin-Agent-Cluster"] == "?1"
    assert "X-Frame-Options" not in page.headers
    assert not page.cookies
    script = page.content.decode().split('type="module" src="')[1].split('"')[0]
    program = Client().get(f"/embed/{version.design_id}/{script}")
    assert program.headers["Content-Type"].startswith("text/javascript")
    assert Client().get(f"/embed/{version.design_id}/zh-hans/index.html").status_code == 200
    for wrong in ("nothing.js", "../settings.py", "zh-hans/nothing/"):
        assert Client().get(f"/embed/{version.design_id}/{wrong}").status_code == 404


def test_there_is_none_without_a_host_or_after_the_survey(settings) -> None:
    version = published(three())
    assert Client().get(f"/embed/{version.design_id}/").status_code == 404
    settings.SOTTO_FRAME_HOSTS = [HOST]
    assert Client().get(f"/embed/{version.design_id}/").status_code == 200
    survey_close(version.survey, by="test", now=timezone.now(), at_once=True)
    assert Client().get(f"/embed/{version.design_id}/").status_code == 404


def test_a_survey_of_several_parts_has_no_frame(hosts) -> None:
    from tests.cast.devices import shipped_definition

    version = published(shipped_definition("workplace"))
    assert Client().get(f"/embed/{version.design_id}/").status_code == 404
