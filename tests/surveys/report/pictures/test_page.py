import re

import pytest
from django.test import Client

from surveys.models import Run
from tests.cast.runs import alice, answered, asked, mined

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(client: Client) -> Run:
    client.force_login(alice())
    return mined(answered())


@pytest.mark.soak
def test_all_three_pictures_follow_the_filter_and_have_their_tables(client: Client, run: Run) -> None:
    query = "?item=4&side=consequent"
    text = client.get(f"/en/staff/runs/{run.pk}/pictures/{query}").content.decode()
    matching = run.rules.filter(consequent__contains=",4,").count()
    assert f"{matching} of {run.rules.count()} rules" in text
    assert len(re.findall(r"<svg", text)) >= 3
    assert text.count("The same as a table") == 3
    kept = query.replace("&", "&amp;")
    for name in ("rules", "matrix", "network"):
        assert f'href="/en/staff/runs/{run.pk}/{name}.svg{kept}"' in text
    links = set(re.findall(rf'class="rule" href="/en/staff/runs/{run.pk}/rules/(\d+)/', text))
    strongest = run.rules.filter(consequent__contains=",4,").order_by("-lift").values_list("pk", flat=True)
    assert links == {str(pk) for pk in strongest[:20]}


@pytest.mark.parametrize("name", ["matrix", "network"])
def test_a_picture_is_saved_with_its_background(client: Client, run: Run, name: str) -> None:
    response = client.get(f"/en/staff/runs/{run.pk}/{name}.svg?lift_from=1")
    assert response["Content-Type"] == "image/svg+xml"
    assert response["Content-Disposition"] == f'attachment; filename="sotto-run-{run.pk}-{name}.svg"'
    assert response.content.startswith(b"<svg")
    assert b"<rect" in response.content


def test_without_a_matching_rule_the_filter_is_named(client: Client, run: Run) -> None:
    text = client.get(f"/en/staff/runs/{run.pk}/pictures/?lift_from=999").content.decode()
    assert "No rule at all: <strong>lift from 999</strong>" in text
    assert "<svg" not in text


def test_a_run_without_a_result_leads_to_its_own_page(client: Client, run: Run) -> None:
    waiting = asked(run.version)
    assert client.get(f"/en/staff/runs/{waiting.pk}/pictures/").status_code == 302
    assert client.get(f"/en/staff/runs/{waiting.pk}/matrix.svg").status_code == 404


def test_pages_of_staff_are_sent_compressed(client: Client, run: Run) -> None:
    address = f"/en/staff/runs/{run.pk}/pictures/"
    plain = client.get(address).content
    sent = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert sent.headers["Content-Encoding"] == "gzip"
    assert len(sent.content) < len(plain) / 3
