"""Every picture of a page goes out as a file, from behind the page's own door and as the page draws it."""

from __future__ import annotations

import re
from html import unescape
from itertools import combinations
from xml.etree.ElementTree import Element

import pytest
from django.test import Client
from django.urls import reverse

from surveys.accounts.permissions import Role
from surveys.charts import svg
from surveys.charts.page_figures import figure_id, journal_width, pictures_in
from tests.fixtures.drawn import Drawn
from tests.fixtures.made_releases import made_release
from tests.fixtures.runs import answered, mined
from tests.fixtures.scale_runs import scale_answered
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db


def browser(name: str, *roles: Role) -> Client:
    client = Client()
    client.force_login(member(name, *roles))
    return client


def addresses() -> dict[str, tuple[Client, str]]:
    """Pages with pictures, each with who may read it."""
    run, release = mined(answered()), made_release(member("owner", Role.RESEARCHER))
    scales = mined(scale_answered(1_500))
    ana, owner = browser("ana", Role.REVIEWER), browser("owner", Role.RESEARCHER)
    return {
        "results": (ana, reverse("report:results", args=[run.pk])),
        "comparison": (ana, reverse("report:compare", args=[run.pk]) + "?outcome=cheat&by=late"),
        "number": (ana, reverse("report:number", args=[scales.pk, "hours"])),
        "map": (ana, reverse("report:place", args=[scales.pk, "care"])),
        "smooth map": (ana, reverse("report:place", args=[scales.pk, "care"]) + "?smoothing=on"),
        "itemsets": (ana, reverse("report:itemsets", args=[run.pk])),
        "regression": (ana, reverse("report:regression", args=[run.pk]) + "?response=3&disguised=2"),
        "release": (owner, reverse("releases:release", args=[release.pk])),
    }


def test_each_picture_has_its_files_on_white_with_letters_that_can_be_read() -> None:
    seen, pages = set(), addresses()
    for name, (client, address) in pages.items():
        page = client.get(address).content.decode()
        links = re.findall(r'href="([^"]*figure=[0-9a-f]{12}\.svg)"', page)
        pictures = [(title, drawing) for title, drawing in pictures_in(page) if 'class="share' not in drawing]
        assert len({title for title, _drawing in pictures}) == len(pictures), f"{name}: two of one title"
        for title, drawing in pictures:
            own = [link.replace("&amp;", "&") for link in links if figure_id(title) in link]
            assert own, f"{name}: no file of {title}"
            sent = client.get(address.split("?")[0] + own[0])
            sheet = sent.content.decode()
            width = journal_width(drawing)
            assert sheet.startswith(f'<svg width="{width:g}mm"')
            assert re.search(r'<rect width="[\d.]+" height="[\d.]+" fill="#ffffff"></rect>', sheet)
            assert title in unescape(sheet)
            assert width in (84, 120)
            assert "attachment" in sent.headers["Content-Disposition"]
            seen.add(name)
    assert seen == set(pages)


def segment(line: Element) -> tuple[tuple[float, float], ...]:
    return tuple((float(line.attrib[f"x{end}"]), float(line.attrib[f"y{end}"])) for end in (1, 2))


def test_letters_of_a_picture_lie_on_the_sheet_and_on_no_other_letters_or_lines() -> None:
    for name, (client, address) in addresses().items():
        for title, drawing in pictures_in(client.get(address).content.decode()):
            drawn = Drawn(drawing)
            for text in drawn.texts:
                assert -2 <= text.left < text.right <= drawn.width + 2, (name, title, text)
                assert -1 <= text.top < text.bottom <= drawn.height + 1, (name, title, text)
            for text, other in combinations(drawn.texts, 2):
                assert not text.meets(other), (name, title, text, other)
            lines = [segment(line) for line in drawn.all("line") if line.get("class") != "grid"]
            for text in drawn.texts:
                assert not [line for line in lines if text.crossed_by(line)], (name, title, text)


def test_a_figure_is_behind_the_door_of_its_page_and_a_wrong_one_is_not_there() -> None:
    owner = member("owner", Role.RESEARCHER)
    address = reverse("releases:release", args=[made_release(owner).pk])
    page = browser("owner", Role.RESEARCHER).get(address).content.decode()
    title, _drawing = next(pictures_in(page))
    asked = {"figure": f"{figure_id(title)}.svg"}
    assert browser("owner", Role.RESEARCHER).get(address, asked)["Content-Type"].startswith("image/svg+xml")
    assert browser("rosa", Role.RESEARCHER).get(address, asked).status_code == 404
    assert Client().get(address, asked).status_code == 302
    for wrong in (f"{figure_id('no title')}.svg", "../etc.svg", f"{figure_id(title)}.exe"):
        answer = browser("owner", Role.RESEARCHER).get(address, {"figure": wrong})
        # What is no figure's name is left to the page, which knows no such field.
        assert answer.status_code == (404 if re.fullmatch(r"[0-9a-f]{12}\.svg", wrong) else 200)
        assert answer["Content-Type"].startswith("text/html")


def test_a_picture_of_its_own_sheet_gets_no_second_one() -> None:
    drawn = svg.rendered(svg.drawing(400, 200, title="t", paper=True))
    assert svg.in_millimetres(drawn, 84).count("<rect") == 1
    assert svg.in_millimetres(svg.rendered(svg.drawing(400, 200, title="t")), 84).count("<rect") == 1
