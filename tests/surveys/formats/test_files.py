"""Downloads: file names in any script, safe CSV cells, sorting, and pictures."""

import json
import re
from html import unescape
from itertools import combinations
from xml.etree.ElementTree import Element

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from surveys.accounts.permissions import Role
from surveys.formats.files import (
    attachment,
    cell_of,
    column,
    csv_file,
    figure_id,
    journal_width,
    json_file,
    pages,
    picture_file,
    pictures_in,
    records_as_csv,
    safe_text,
    whole_file,
)
from surveys.report.rules.rule_rows import RuleQuery
from tests.fixtures.made_releases import made_release
from tests.fixtures.runs import answered_version, mined_run, published
from tests.fixtures.scale_runs import scale_answered
from tests.fixtures.staff import browser_of, member
from tests.fixtures.svg_reading import Drawing


def test_ascii_file_names_are_unchanged():
    response = attachment(HttpResponse(b"1"), "sottovoce-run-1.zip")
    assert response.headers["Content-Disposition"] == 'attachment; filename="sottovoce-run-1.zip"'
    assert response.content == b"1"


def test_file_names_are_escaped_and_keep_letters_of_any_language():
    quoted = attachment(HttpResponse(), 'a"b.csv').headers["Content-Disposition"]
    assert quoted == 'attachment; filename="a\\"b.csv"'
    chinese = attachment(HttpResponse(), "问卷.csv").headers["Content-Disposition"]
    assert chinese == "attachment; filename*=utf-8''%E9%97%AE%E5%8D%B7.csv"


def test_each_kind_of_file_has_its_content_type():
    table = csv_file(iter(["a\n", "1\n"]), "a.csv")
    assert (table.headers["Content-Type"], table.getvalue()) == (
        "text/csv; charset=utf-8",
        b"\xef\xbb\xbfa\n1\n",
    )
    document = json_file({"title": "问卷"}, "a.json")
    assert "问卷" in document.content.decode()
    assert json.loads(document.content) == {"title": "问卷"}
    assert picture_file("<svg/>", "a.svg").headers["Content-Type"] == "image/svg+xml"
    assert whole_file("x", "text/markdown", "a.md").headers["Content-Type"] == "text/markdown"


# Texts that spreadsheets are known to run as formulas, and similar texts.
FORMULAS = [
    "=1+1",
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    '=HYPERLINK("http://example.org","x")',
    "=IMPORTXML(CONCAT(\"http://example.org?\",A1),\"//a\")",
]  # fmt: skip
HARMLESS = ["affair", "age=22 & late", "a-b", "1+1", "é=1", "affair, 'quoted' \"twice\""]


@pytest.mark.parametrize("text", FORMULAS)
def test_formula_cells_are_escaped(text: str) -> None:
    assert safe_text(text) == "'" + text


@pytest.mark.parametrize("text", HARMLESS)
def test_harmless_cells_are_unchanged(text: str) -> None:
    assert safe_text(text) == text


def test_csv_cells_are_escaped_and_follow_the_column_order() -> None:
    assert [cell_of(value) for value in (None, True, -0.5, "\r=1+1")] == ["", 1, -0.5, "'\r=1+1"]
    lines = list(records_as_csv(("b", "a"), [{"a": "=1", "b": None}]))
    assert lines == ["b,a\r\n", ",'=1\r\n"]


def test_columns_sort_descending_first_then_toggle() -> None:
    assert column(RuleQuery(), "lift", "lift").address == "?sort=-lift"
    turned = column(RuleQuery(sort="-lift"), "lift", "lift")
    assert (turned.address, turned.direction) == ("?sort=lift", "descending")
    assert column(RuleQuery(sort="lift"), "lift", "lift").direction == "ascending"


def test_p_values_sort_ascending_by_default() -> None:
    head = column(RuleQuery(sort="-lift"), "p_adjusted", "p, adjusted", rising_first=True)
    assert head.address == "?"
    head = column(RuleQuery(), "p_adjusted", "p, adjusted", rising_first=True)
    assert (head.address, head.direction) == ("?sort=-p_adjusted", "ascending")


def test_sorting_keeps_the_filter_and_returns_to_page_one() -> None:
    assert column(RuleQuery(item=3, page=5), "error", "W").address == "?item=3&sort=-error"


def test_pagination_stops_at_the_first_and_last_page() -> None:
    first, last, beyond = (pages(RuleQuery(page=page), count=101, size=50) for page in (1, 3, 9))
    assert (first.previous, first.next) == ("", "?page=2")
    assert (last.previous, last.next) == ("?page=2", "")
    assert beyond == last
    assert pages(RuleQuery(), count=0, size=50).pages == 1


pytestmark = pytest.mark.django_db


def addresses() -> dict[str, tuple[Client, str]]:
    """Return pages with pictures, each with a client that may read it."""
    run, release = mined_run(answered_version()), made_release(member("owner", Role.RESEARCHER))
    scales = mined_run(scale_answered(1_500))
    ana, owner = browser_of("ana", Role.REVIEWER), browser_of("owner", Role.RESEARCHER)
    return {
        "results": (ana, reverse("report:results", args=[run.pk])),
        "comparison": (ana, reverse("report:compare", args=[run.pk]) + "?outcome=cheat&by=late"),
        "number": (ana, reverse("report:number", args=[scales.pk, "hours"])),
        "map": (ana, reverse("report:place", args=[scales.pk, "care"])),
        "release": (owner, reverse("releases:release", args=[release.pk])),
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


def test_figures_need_page_permission_and_unknown_ones_are_ignored() -> None:
    owner = member("owner", Role.RESEARCHER)
    address = reverse("releases:release", args=[made_release(owner).pk])
    page = browser_of("owner", Role.RESEARCHER).get(address).content.decode()
    title, _drawing = next(pictures_in(page))
    asked = {"figure": f"{figure_id(title)}.svg"}
    assert (
        browser_of("owner", Role.RESEARCHER).get(address, asked)["Content-Type"].startswith("image/svg+xml")
    )
    assert browser_of("rosa", Role.RESEARCHER).get(address, asked).status_code == 404
    assert Client().get(address, asked).status_code == 302
    for wrong in (f"{figure_id('no title')}.svg", "../etc.svg", f"{figure_id(title)}.exe"):
        answer = browser_of("owner", Role.RESEARCHER).get(address, {"figure": wrong})
        # The page ignores names that no figure can have, like an unknown parameter.
        assert answer.status_code == (404 if re.fullmatch(r"[0-9a-f]{12}\.svg", wrong) else 200)
        assert answer["Content-Type"].startswith("text/html")


def test_language_links_keep_the_page_and_its_filter(client: Client) -> None:
    client.force_login(member("adam", Role.ADMINISTRATOR))
    published("habits")
    for here, there in (
        ("/en/staff/log/?actor=a&action=", "/zh-hans/staff/log/?actor=a&amp;action="),
        ("/zh-hans/staff/surveys/habits/", "/en/staff/surveys/habits/"),
        ("/zh-hans/staff/log-in/", "/en/staff/log-in/"),
        ("/en/", "/zh-hans/"),
    ):
        page = client.get(here, follow=True)
        assert f'href="{there}" lang=' in page.content.decode(), here


def test_form_errors_and_missing_pages_have_no_language_link(client: Client) -> None:
    client.force_login(member("adam", Role.ADMINISTRATOR))
    refused = client.post("/en/staff/people/invite", {"name": ""})
    missing = client.get("/en/staff/people/999/")
    assert (refused.status_code, missing.status_code) == (422, 404)
    assert "hreflang" not in refused.content.decode()
    assert "hreflang" not in client.get("/en/staff/nowhere").content.decode()


def test_files_without_pictures_are_sent_whatever_figure_is_asked_for(client: Client) -> None:
    """The respondents' compressed program was decoded as text: an error, and a line in the log."""
    published("habits")
    sent = client.get(f"/en/s/habits/?figure={'a' * 12}.svg", headers={"Accept-Encoding": "gzip"})
    assert (sent.status_code, sent.headers["Content-Encoding"]) == (200, "gzip")
