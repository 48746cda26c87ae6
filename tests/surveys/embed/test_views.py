"""Frames on a server are available only for open surveys and configured hosts."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from surveys.accounts.permissions import Role
from surveys.authoring.lifecycle import survey_close
from surveys.embed.frame import frame_digest
from surveys.embed.pages import adapter_text
from surveys.models import Survey
from surveys.questionnaire.definition import definition_parse
from surveys.respondent.client_documents import documents_of
from tests.fixtures.devices import published, shipped_definition
from tests.fixtures.embed_frames import three, worded
from tests.fixtures.staff import member

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


def test_frame_urls_keep_showing_their_version_after_rewording(hosts) -> None:
    roots = {words: root_of(worded(words)) for words in ("Did you ever drug?", "Did you ever give blood?")}
    assert len(set(roots.values())) == 2
    for words, root in roots.items():
        page = frames().get(f"/embed/{root}/").content.decode()
        assert [other for other in roots if other in page] == [words]


def test_folders_and_servers_give_a_frame_the_same_digest() -> None:
    for changes in ({}, {"slug": "for-real"}):
        document = {**three(), **changes}
        assert frame_digest(definition_parse(document)) == root_of(document)
    practice = {**three(), "practice": not three()["practice"]}
    assert frame_digest(definition_parse(practice)) != frame_digest(definition_parse(three()))


PAGE = "/en/staff/your-tool/"
HERE, ALSO = "http://testserver", "http://also.example"


@pytest.fixture
def ada(client: Client) -> Client:
    client.force_login(member("ada", Role.RESEARCHER))
    return client


@pytest.fixture
def two_names(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["testserver", "also.example"]
    settings.SOTTOVOCE_FRAME_HOSTS, settings.SOTTOVOCE_FRAME_ORIGIN = [HERE], ALSO


def test_researchers_see_only_frames_of_their_open_surveys(ada: Client, two_names: None) -> None:
    own = published(three(slug="own"))
    whole = published(shipped_definition("workplace", slug="whole"))
    text = ada.get(PAGE).content.decode()
    assert "You have no open survey with exactly one protected part." in text
    assert documents_of(own).root not in text
    Survey.objects.update(owner=member("ada", Role.RESEARCHER))
    text = ada.get(PAGE).content.decode()
    assert f"{ALSO}/embed/{documents_of(own).root}/" in text
    assert documents_of(whole).root not in text
    Survey.objects.update(state=Survey.State.CLOSED)
    assert documents_of(own).root not in ada.get(PAGE).content.decode()


def test_adapter_scripts_download_unchanged(ada: Client) -> None:
    for name in re.findall(rf'href="{PAGE}([^"]+)"', ada.get(PAGE).content.decode()):
        answer = ada.get(f"{PAGE}{name}")
        assert answer.content.decode() == adapter_text(name)
        assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    assert ada.get(f"{PAGE}__init__.py").status_code == 404
