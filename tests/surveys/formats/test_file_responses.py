"""Downloads: file names in any script, safe CSV cells, sorting, and pictures."""

import json

import pytest
from django.http import HttpResponse
from django.test import Client

from surveys.formats.file_responses import attachment, csv_file, json_file, picture_file, whole_file
from tests.fixtures.runs import published


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


pytestmark = pytest.mark.django_db


@pytest.mark.soak
def test_files_without_pictures_are_sent_whatever_figure_is_asked_for(client: Client) -> None:
    """The respondents' compressed program was decoded as text: an error, and a line in the log."""
    published("habits")
    address = f"/en/s/habits/?figure={'a' * 12}.svg"
    # The address is stripped of what others added to it, and then sends the page.
    sent = client.get(address, headers={"Accept-Encoding": "gzip"}, follow=True)
    assert (sent.status_code, sent.headers["Content-Encoding"]) == (200, "gzip")
