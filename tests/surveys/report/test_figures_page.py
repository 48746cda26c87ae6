"""Pictures to print, as wide as they say and on white, and a table as LaTeX: the figures of their pages."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from surveys.models import Run
from tests.cast.runs import alice, answered, mined
from tests.cast.scale_runs import scale_answered

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    return mined(answered(900))


def _pictures(run: Run) -> dict[str, str]:
    index = {item.key: item.index for item in run.design.items}
    return {
        "results": "",
        "comparison": "?outcome=cheat&by=late",
        "regression": f"?response={index['cheat']}&disguised={index['late']}",
    }


def test_pictures_are_in_millimetres_and_on_white_and_have_a_pdf(client: Client, run: Run) -> None:
    client.force_login(alice())
    for name, query in _pictures(run).items():
        here = f"/en/staff/runs/{run.pk}/figures/{name}"
        picture = client.get(f"{here}.svg{query}").content.decode()
        assert picture.startswith('<svg width="120mm" height="'), name
        assert 'fill="#ffffff"' in picture
        assert "#fffdf9" not in re.findall(r"<rect [^>]*>", picture)[0]
        file = client.get(f"{here}.pdf{query}")
        assert file.headers["Content-Type"] == "application/pdf"
        assert file.content.startswith(b"%PDF-1.4")
        assert client.get(f"{here}.bmp{query}").status_code == 404


def test_pages_lead_to_their_pictures(client: Client, run: Run) -> None:
    client.force_login(alice())
    pages = {"results": "results/", "comparison": "compare/", "regression": "regression/"}
    for name, query in _pictures(run).items():
        text = client.get(f"/en/staff/runs/{run.pk}/{pages[name]}{query}").content.decode()
        for address in re.findall(rf'href="([^"]+figures/{name}\.[^"]+)"', text):
            assert client.get(address.replace("&amp;", "&")).status_code == 200
        assert len(re.findall(rf'href="[^"]+figures/{name}\.', text)) == 3


def test_a_picture_of_nothing_is_none(client: Client, run: Run) -> None:
    client.force_login(alice())
    for name in ("comparison", "regression", "number-age", "something"):
        assert client.get(f"/en/staff/runs/{run.pk}/figures/{name}.svg").status_code == 404


def test_a_number_has_its_histogram(client: Client) -> None:
    run = mined(scale_answered(1_500))
    client.force_login(alice())
    here = f"/en/staff/runs/{run.pk}/figures/number-hours"
    assert "How many hours did you work?" in client.get(f"{here}.svg").content.decode()
    assert client.get(f"{here}.pdf").content.startswith(b"%PDF-1.4")


def test_a_place_has_its_map_smoothed_or_not(client: Client) -> None:
    run = mined(scale_answered(1_500))
    client.force_login(alice())
    (key,) = [question.key for question in run.design.questions if question.kind == "place"]
    files = {}
    for smoothing in ("on", "off"):
        page = client.get(f"/en/staff/runs/{run.pk}/places/{key}/?smoothing={smoothing}").content.decode()
        listed = re.findall(rf'href="([^"]+figures/place-{key}\.[^"]+)"', page)
        assert len(listed) == 3
        assert all(address.endswith(f"?smoothing={smoothing}") for address in listed)
        files[smoothing] = [client.get(address).content for address in listed[:2]]
        assert b'width="120mm"' in files[smoothing][0]
        assert files[smoothing][1].startswith(b"%PDF-1.4")
    assert files["on"] != files["off"]


def test_the_table_of_a_regression_is_latex_with_the_figures_of_the_page(client: Client, run: Run) -> None:
    client.force_login(alice())
    query = _pictures(run)["regression"]
    text = client.get(f"/en/staff/runs/{run.pk}/regression/{query}").content.decode()
    table = client.get(f"/en/staff/runs/{run.pk}/regression.tex{query}").content.decode()
    assert table.count("{") == table.count("}")
    rows = re.findall(r"^(\w+) & ([\d.]+) & \[([\d.]+), ([\d.]+)\] &", table, re.MULTILINE)
    assert [row[0] for row in rows] == ["late", "constant"]
    assert "regression.tex" in text
    assert f"late: {rows[0][1]} [{rows[0][2]}, {rows[0][3]}]" in text
    assert client.get(f"/en/staff/runs/{run.pk}/regression.tex").status_code == 404
