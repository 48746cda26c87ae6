"""The page of data collected elsewhere: figures, files, refusals, and that nothing of a file stays."""

from __future__ import annotations

import base64
import csv
import io
import json
import logging
import re
from typing import Any

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile, TemporaryUploadedFile
from django.core.files.uploadhandler import MemoryFileUploadHandler
from django.test import Client
from django.urls import reverse

from surveys.access.roles import Role
from tests.cast.staff import member

pytestmark = pytest.mark.django_db

SECRET = "Q7-unlikely-cell"


@pytest.fixture
def reviewer(client: Client) -> Client:
    client.force_login(member("reviewer", Role.REVIEWER))
    return client


def sent(client: Client, model: str, text: str, **fields: Any) -> Any:
    file = SimpleUploadedFile("study.csv", text.encode(), content_type="text/csv")
    return client.post(f"{reverse('elsewhere:elsewhere')}?model={model}", {"file": file, **fields})


WARNER = "a,n\nyes,340\nno,660\n"


def test_the_page_says_shares_first_then_figures_with_error_n_method_and_assumption(reviewer: Client) -> None:
    found = sent(reviewer, "warner", WARNER, column_answers="a", column_count="n", chance_p="0.7")
    page = found.content.decode()
    assert found.status_code == 200
    first = page.index("Of 100 people 10.0 have it [2.8, 17.5].")
    assert first < page.index(".0375") < page.index("n = 1000") < page.index("warner(p=0.7)")
    assert "everybody follows the chance device" in page


def test_its_files_hold_the_raw_figures(reviewer: Client) -> None:
    found = sent(reviewer, "warner", WARNER, column_answers="a", column_count="n", chance_p="0.7")
    files = re.findall(r'href="data:([\w/]+);base64,([^"]+)" download="([\w.-]+)"', found.content.decode())
    assert [(kind, name) for kind, _, name in files] == [
        ("text/csv", "warner.csv"),
        ("application/json", "warner.json"),
    ]
    table, record = (base64.b64decode(text).decode() for _, text, _ in files)
    (row,) = csv.DictReader(io.StringIO(table))
    assert (row["quantity"], round(float(row["standard_error"]), 6), row["n"]) == ("share", 0.037469, "1000")
    read = json.loads(record)
    assert read["estimates"][0]["estimate"] == pytest.approx(0.1)
    assert read["intervals"] == "95 %, by the inverted test, of the population"


def test_an_impossible_share_is_shown_as_it_is(reviewer: Client) -> None:
    found = sent(
        reviewer, "warner", "a,n\nyes,100\nno,900\n", column_answers="a", column_count="n", chance_p="0.7"
    )
    page = found.content.decode()
    assert "Of 100 people −50.0 have it" in page
    assert "outside of what is possible" in page


def test_every_design_has_its_form_and_an_unknown_one_the_first(reviewer: Client) -> None:
    for model, label in (
        ("list", "Harmless items"),
        ("channel", "its chance by true answer"),
        ("", "Warner"),
    ):
        page = reviewer.get(reverse("elsewhere:elsewhere"), {"model": model}).content.decode()
        assert label in page
        assert "Nothing is estimated yet" in page


def test_refusals_name_the_value_and_the_remedy(reviewer: Client) -> None:
    for fields, said in (
        ({"column_answers": "b", "chance_p": ".7"}, "There is no column “b”"),
        ({"column_answers": "a", "chance_p": "7"}, "“7” is no chance"),
        ({"column_answers": "a", "chance_p": ".5"}, "sends the same whatever the answer is"),
        ({"column_answers": "n", "chance_p": ".7"}, "holds “340” in line 2"),
    ):
        found = sent(reviewer, "warner", WARNER, **fields)
        assert (found.status_code, said in found.content.decode()) == (422, True), said
    assert sent(reviewer, "warner", "", column_answers="a", chance_p=".7").status_code == 422


def test_a_refusal_of_the_core_is_said_in_chinese_too(reviewer: Client) -> None:
    address = reverse("elsewhere:elsewhere").replace("/en/", "/zh-hans/")
    file = SimpleUploadedFile("s.csv", b"a,g\n1,1\n0,2\n1,2\n0,1\n")
    given = {"file": file, "column_answers": "a", "column_group": "g", "chance_p1": ".3", "chance_p2": ".3"}
    page = reviewer.post(f"{address}?model=cheaters", given)
    assert page.status_code == 422
    assert "both" not in page.content.decode().split('role="alert"')[1].split("</div>")[0]


def test_a_cell_of_the_file_is_text_on_the_page_and_no_formula_in_a_file(reviewer: Client) -> None:
    text = "a,n\n=1+1,50\n<b>,50\n"
    lines = "=1+1: .7 .3\n<b>: .3 .7"
    found = sent(reviewer, "channel", text, column_answers="a", column_count="n", lines=lines)
    # The first sign of a line parts name and chances; an answer that begins with one has no name.
    assert found.status_code == 422
    lines = "+1: .7 .3\n<b>: .3 .7"
    found = sent(
        reviewer, "channel", "a,n\n+1,50\n<b>,50\n", column_answers="a", column_count="n", lines=lines
    )
    page = found.content.decode()
    assert found.status_code == 200
    assert "<b>" not in page.split("<main")[1]
    file = base64.b64decode(re.findall(r"data:text/csv;base64,([^\"]+)", page)[0]).decode()
    assert "'+1" in file


def test_nothing_of_a_file_is_stored_logged_or_written_to_a_disk(
    reviewer: Client, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def counts() -> dict[str, int]:
        kept = {"sessions.Session"}
        return {m._meta.label: m.objects.count() for m in apps.get_models() if m._meta.label not in kept}

    def on_disk(*_: object, **__: object) -> None:
        raise AssertionError("an upload was written to a file")

    monkeypatch.setattr(TemporaryUploadedFile, "__init__", on_disk)
    reviewer.get(reverse("elsewhere:elsewhere"))
    before = counts()
    with caplog.at_level(logging.DEBUG):
        for filler in ("", "no,1\n" * 600_000):
            text = f"a,n\n{SECRET},340\n{filler}"
            found = sent(reviewer, "warner", text, column_answers="a", column_count="n", chance_p=".7")
            assert found.status_code == 422
        sent(reviewer, "warner", WARNER, column_answers="a", column_count="n", chance_p=".7")
    assert counts() == before
    assert SECRET not in caplog.text
    for value in reviewer.session.values():
        assert SECRET not in str(value)


def test_uploads_have_one_handler_that_keeps_them_in_memory(settings: Any) -> None:
    name = f"{MemoryFileUploadHandler.__module__}.{MemoryFileUploadHandler.__qualname__}"
    assert list(settings.FILE_UPLOAD_HANDLERS) == [name]


def test_whoever_has_a_role_finds_the_page_in_the_masthead(client: Client) -> None:
    address = reverse("elsewhere:elsewhere")
    client.force_login(member("ana", Role.RESEARCHER))
    assert f'href="{address}"' in client.get(reverse("accounts:account")).content.decode()
    client.force_login(member("nobody"))
    assert f'href="{address}"' not in client.get(reverse("accounts:account")).content.decode()
