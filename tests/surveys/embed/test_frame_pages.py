"""Frames on a server are available only for open surveys and configured hosts."""

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from surveys.authoring.lifecycle import survey_close
from surveys.embed.frame_promise import frame_digest
from surveys.questionnaire.definition import definition_parse
from surveys.respondent.client_documents import documents_of
from tests.fixtures.devices import published, shipped_definition
from tests.fixtures.embed_frames import three, turning, worded
from tests.fixtures.invitations import invited

pytestmark = pytest.mark.django_db
HOST, FRAMES = "https://survey.uni.example", "http://frames.uni.example"


def frames() -> Client:
    return Client(headers={"host": "frames.uni.example"})


def root_of(document) -> str:
    return documents_of(published(document)).root


@pytest.fixture
def hosts(settings):
    settings.ALLOWED_HOSTS = ["testserver", "frames.uni.example"]
    settings.SOTTOVOCE_FRAME_HOSTS, settings.SOTTOVOCE_FRAME_ORIGIN = [HOST], FRAMES


def test_frames_are_served_under_their_version_digest(hosts) -> None:
    root = root_of(three())
    page = frames().get(f"/embed/{root}/")
    assert page.status_code == 200
    assert page.headers["Content-Security-Policy"].endswith(f"frame-ancestors {HOST}")
    assert page.headers["Origin-Agent-Cluster"] == "?1"
    assert "X-Frame-Options" not in page.headers
    assert not page.cookies
    script = page.content.decode().split('type="module" src="')[1].split('"')[0]
    program = frames().get(f"/embed/{root}/{script}")
    assert program.headers["Content-Type"].startswith("text/javascript")
    assert frames().get(f"/embed/{root}/zh-hans/index.html").status_code == 200
    for wrong in ("nothing.js", "../settings.py", "zh-hans/nothing/"):
        assert frames().get(f"/embed/{root}/{wrong}").status_code == 404


@pytest.mark.soak
def test_no_frame_is_served_without_hosts_or_after_closing(settings) -> None:
    settings.ALLOWED_HOSTS = ["testserver", "frames.uni.example"]
    version = published(three())
    root = documents_of(version).root
    assert frames().get(f"/embed/{root}/").status_code == 404
    settings.SOTTOVOCE_FRAME_HOSTS, settings.SOTTOVOCE_FRAME_ORIGIN = [HOST], FRAMES
    assert frames().get(f"/embed/{root}/").status_code == 200
    survey_close(version.survey, by="test", now=timezone.now(), at_once=True)
    assert frames().get(f"/embed/{root}/").status_code == 404


def test_surveys_with_several_blocks_have_no_frame(hosts) -> None:
    root = root_of(shipped_definition("workplace"))
    assert frames().get(f"/embed/{root}/").status_code == 404


def test_frames_never_show_another_survey_of_the_same_design(hosts) -> None:
    """Another researcher's survey may differ in one word and be the design's newest one."""
    own = published(worded("Did you ever cheat?", slug="own"))
    other = published(worded("Did you NEVER cheat?", slug="other"))
    assert own.design_id == other.design_id
    page = frames().get(f"/embed/{documents_of(own).root}/").content.decode()
    assert "Did you ever cheat?" in page
    assert "NEVER" not in page
    # The design id alone is not the address of a frame.
    assert frames().get(f"/embed/{own.design_id}/").status_code == 404
    survey_close(own.survey, by="test", now=timezone.now(), at_once=True)
    assert frames().get(f"/embed/{documents_of(own).root}/").status_code == 404
    assert frames().get(f"/embed/{documents_of(other).root}/").status_code == 200


@pytest.mark.soak
def test_frame_urls_keep_showing_their_version_after_rewording(hosts) -> None:
    roots = {words: root_of(worded(words)) for words in ("Did you ever drug?", "Did you ever give blood?")}
    assert len(set(roots.values())) == 2
    for words, root in roots.items():
        page = frames().get(f"/embed/{root}/").content.decode()
        assert [other for other in roots if other in page] == [words]


@pytest.mark.soak
def test_the_served_frame_of_a_wave_knows_whether_people_have_numbers_or_codes(hosts) -> None:
    for slug, has_codes in (("panel", False), ("codes", True)):
        document = turning(slug=slug, series=slug, panel="https://panel.example/done?who={id}")
        version = invited(document) if has_codes else published(document)
        page = frames().get(f"/embed/{documents_of(version).root}/").content.decode()
        turn, code = re.findall(r'"turn":(\{[^{}]*\}),"code":(true|false)', page)[0]
        # PostgreSQL stores keys in another order.
        assert json.loads(turn) == {"series": slug, "wave": 1}
        assert json.loads(code) == has_codes
        script = page.split('type="module" src="')[1].split("embed.js")[0]
        program = frames().get(f"/embed/{documents_of(version).root}/{script}frame-turn.js")
        assert program.status_code == 200


def test_folders_and_servers_give_a_frame_the_same_digest() -> None:
    turns = turning(panel="https://panel.example/done?who={id}")
    for document in (three(), {**three(), "slug": "for-real"}, turns):
        assert frame_digest(definition_parse(document)) == root_of(document)
    practice = {**three(), "practice": not three()["practice"]}
    assert frame_digest(definition_parse(practice)) != frame_digest(definition_parse(three()))


def test_survey_pages_on_the_frame_host_redirect_to_the_main_host(hosts, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["127.0.0.1", "localhost"]
    settings.SOTTOVOCE_FRAME_ORIGIN = "http://127.0.0.1:8000"
    typed = Client(headers={"host": "127.0.0.1:8000"})
    assert typed.get("/en/s/work/?l=en")["Location"] == "http://localhost:8000/en/s/work/?l=en"
    assert typed.get("/live").status_code == 200
    settings.ALLOWED_HOSTS = ["127.0.0.1", ".example", "*"]
    assert typed.get("/en/s/work/").status_code == 404


@pytest.mark.soak
def test_without_a_frame_origin_no_frames_are_served(hosts, settings: Any) -> None:
    root = documents_of(published(three())).root
    settings.SOTTOVOCE_FRAME_ORIGIN = ""
    for host in ("testserver", "frames.uni.example"):
        assert Client(headers={"host": host}).get(f"/embed/{root}/").status_code == 404
        assert Client(headers={"host": host}).get("/en/").status_code == 200
