import re
from typing import Any

import pytest
from django.test import Client

from surveys.accounts.roles import Role
from surveys.embed.adapter_scripts import adapter_text
from surveys.models import Survey
from surveys.respondent.client_documents import documents_of
from tests.fixtures.devices import published, shipped_definition
from tests.fixtures.embed_frames import FRAMES, serve_frames, three, turning
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db


PAGE = "/en/staff/your-tool/"


@pytest.fixture
def ada(client: Client) -> Client:
    client.force_login(member("ada", Role.RESEARCHER))
    return client


@pytest.mark.soak
def test_researchers_see_only_frames_of_their_open_surveys(ada: Client, settings: Any) -> None:
    serve_frames(settings)
    own = published(three(slug="own"))
    whole = published(shipped_definition("workplace", slug="whole"))
    text = ada.get(PAGE).content.decode()
    assert "You have no open survey with exactly one protected part." in text
    assert documents_of(own).root not in text
    Survey.objects.update(owner=member("ada", Role.RESEARCHER))
    text = ada.get(PAGE).content.decode()
    assert f"http://{FRAMES}/embed/{documents_of(own).root}/" in text
    assert documents_of(whole).root not in text
    Survey.objects.update(state=Survey.State.CLOSED)
    assert documents_of(own).root not in ada.get(PAGE).content.decode()


def test_the_page_says_which_frames_need_the_persons_number(ada: Client, settings: Any) -> None:
    serve_frames(settings)
    said = "your page gives the frame each person’s number or code"
    published(three(slug="own"))
    Survey.objects.update(owner=member("ada", Role.RESEARCHER))
    assert said not in ada.get(PAGE).content.decode()
    published(turning(panel="https://panel.example/done?who={id}"))
    Survey.objects.update(owner=member("ada", Role.RESEARCHER))
    assert ada.get(PAGE).content.decode().count(said) == 1


@pytest.mark.soak
def test_adapter_scripts_download_unchanged(ada: Client) -> None:
    for name in re.findall(rf'href="{PAGE}([^"]+)"', ada.get(PAGE).content.decode()):
        answer = ada.get(f"{PAGE}{name}")
        assert answer.content.decode() == adapter_text(name)
        assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    assert ada.get(f"{PAGE}__init__.py").status_code == 404
