"""A file is saved under its name, whatever letters the name has."""

import json

from django.http import HttpResponse

from surveys.formats.attachments import attachment, csv_file, json_file, picture_file, whole_file


def test_a_name_of_plain_letters_is_written_as_it_is():
    response = attachment(HttpResponse(b"1"), "sottovoce-run-1.zip")
    assert response.headers["Content-Disposition"] == 'attachment; filename="sottovoce-run-1.zip"'
    assert response.content == b"1"


def test_a_name_cannot_end_the_header_and_keeps_letters_of_any_language():
    quoted = attachment(HttpResponse(), 'a"b.csv').headers["Content-Disposition"]
    assert quoted == 'attachment; filename="a\\"b.csv"'
    chinese = attachment(HttpResponse(), "问卷.csv").headers["Content-Disposition"]
    assert chinese == "attachment; filename*=utf-8''%E9%97%AE%E5%8D%B7.csv"


def test_each_kind_of_file_has_its_type():
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
