import re
from html import unescape
from itertools import combinations
from xml.etree.ElementTree import Element

import pytest
from django.test import Client
from django.urls import reverse

from surveys.accounts.roles import Role
from surveys.formats.journal_width import journal_width
from surveys.formats.page_pictures import figure_id, pictures_in
from surveys.formats.pagination import pages
from surveys.report.rules.rule_query import RuleQuery
from tests.extensions import plugins
from tests.fixtures.runs import answered_version, mined_run
from tests.fixtures.scale_runs import scale_answered
from tests.fixtures.staff import browser_of, member
from tests.fixtures.svg_reading import Drawing


def test_pagination_stops_at_the_first_and_last_page() -> None:
    first, last, beyond = (pages(RuleQuery(page=page), count=101, size=50) for page in (1, 3, 9))
    assert (first.previous, first.next) == ("", "?page=2")
    assert (last.previous, last.next) == ("?page=2", "")
    assert beyond == last
    assert pages(RuleQuery(), count=0, size=50).pages == 1


def test_a_form_for_a_page_keeps_the_other_parameters() -> None:
    query = RuleQuery(page=7, text="a b", limits=(("lift_from", 1.1),))
    assert pages(query, count=1_000, size=50).fields == (("text", "a b"), ("lift_from", "1.1"))


pytestmark = pytest.mark.django_db


def addresses() -> dict[str, tuple[Client, str]]:
    """Return pages with pictures, each with a client that may read it."""
    run = mined_run(answered_version())
    scales = mined_run(scale_answered(1_500))
    ana, owner = browser_of("ana", Role.REVIEWER), member("owner", Role.RESEARCHER)
    client = browser_of("owner", Role.RESEARCHER)
    return {
        "results": (ana, reverse("report:results", args=[run.pk])),
        "comparison": (ana, reverse("report:compare", args=[run.pk]) + "?outcome=cheat&by=late"),
        "number": (ana, reverse("report:number", args=[scales.pk, "hours"])),
        "map": (ana, reverse("report:place", args=[scales.pk, "care"])),
        **{each: (client, each) for plugin in plugins() for each in plugin.pictures(owner)},
    }


def segment(line: Element) -> tuple[tuple[float, float], ...]:
    return tuple((float(line.attrib[f"x{end}"]), float(line.attrib[f"y{end}"])) for end in (1, 2))


def has_readable_letters(drawing: str, *where: str) -> None:
    """Assert that texts are inside the picture and overlap no other text or line."""
    drawn = Drawing(drawing)
    for text in drawn.texts:
        assert -2 <= text.left < text.right <= drawn.width + 2, (where, text)
        assert -1 <= text.top < text.bottom <= drawn.height + 1, (where, text)
    for text, other in combinations(drawn.texts, 2):
        assert not text.meets(other), (where, text, other)
    lines = [segment(line) for line in drawn.all("line") if line.get("class") != "grid"]
    for text in drawn.texts:
        assert not [line for line in lines if text.crossed_by(line)], (where, text)


@pytest.mark.soak
def test_downloaded_figures_are_white_with_readable_text() -> None:
    seen, pages = set(), addresses()
    for name, (client, address) in pages.items():
        page = client.get(address).content.decode()
        links = re.findall(r'href="([^"]*figure=[0-9a-f]{12}\.svg)"', page)
        pictures = list(pictures_in(page))
        for title, drawing in pictures:
            has_readable_letters(drawing, name, title)
        pictures = [(title, drawing) for title, drawing in pictures if 'class="share' not in drawing]
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
