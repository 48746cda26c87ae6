"""The sheet of sentences: what it lists, what is refused by name, and what an upload changes."""

import csv
import io
import random
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from surveys.accounts.roles import Role
from surveys.authoring.drafts import draft_create
from surveys.authoring.sentence_sheet import ENGLISH, SENTENCE, sheet_read, sheet_rows
from surveys.errors.error import SurveyError
from surveys.formats.workbook import workbook_write
from surveys.models import Survey
from tests.fixtures.staff import browser_of
from tests.surveys.respondent.test_speaking import in_languages

pytestmark = pytest.mark.usefixtures("read_here")

Row = dict[str, str]
SUSPECTS = "Suppose someone knows your answers that are not disguised, and suspects you"


def csv_of(rows: list[Row]) -> bytes:
    file = io.StringIO()
    table = csv.DictWriter(file, list(rows[0]))
    table.writeheader()
    table.writerows(rows)
    return file.getvalue().encode()


def row_of(rows: list[Row], english: str) -> Row:
    return next(row for row in rows if row[ENGLISH].startswith(english))


@pytest.mark.soak
def test_an_unchanged_sheet_corrects_nothing_as_a_workbook_or_as_csv() -> None:
    rows = sheet_rows({}, "de")
    for name, raw in (("sheet.xlsx", workbook_write(rows)), ("sheet.csv", csv_of(rows))):
        assert sheet_read(name, raw, "de")["sentences"] == {}


@pytest.mark.soak
def test_rows_may_be_sorted_and_only_changes_are_kept() -> None:
    rows = sheet_rows({}, "de")
    row = row_of(rows, "Prefer not to say")
    row["de"] = "Dazu sage ich nichts"
    random.Random(3).shuffle(rows)
    own = sheet_read("sheet.csv", csv_of(rows), "de")
    assert own["sentences"] == {row[SENTENCE]: "Dazu sage ich nichts"}
    assert own["texts"] == {"skip": "Dazu sage ich nichts"}


def change(english: str, to: Callable[[str], str]) -> Callable[[list[Row]], list[Row]]:
    def changed(rows: list[Row]) -> list[Row]:
        row = row_of(rows, english)
        row["de"] = to(row["de"])
        return rows

    return changed


def swapped(rows: list[Row]) -> list[Row]:
    return [{**row, ENGLISH: row["de"], "de": row[ENGLISH]} for row in rows]


@pytest.mark.parametrize(
    ("fault", "code", "named"),
    [
        (lambda rows: rows[: len(rows) // 2], "sheet.half", "sentences are missing"),
        (
            lambda rows: [{SENTENCE: row[SENTENCE], "de": row["de"]} for row in rows],
            "sheet.columns",
            "English",
        ),
        (lambda rows: [*rows, {**rows[0], SENTENCE: "ffffffffffff"}], "sheet.unknown", "ffffffffffff"),
        (swapped, "sheet.english", "the English text"),
        (change(SUSPECTS, lambda _text: ""), None, ""),
        (
            change("You are invited", lambda text: text.replace("%(title)s", "")),
            "sheet.placeholder",
            "%(title)s",
        ),
        (change("You are invited", lambda text: text + " {n}"), "sheet.extra", "{n}"),
        (change("Prefer not to say", lambda text: f"<b>{text}</b>"), "sheet.markup", "<b>"),
        (
            change("Prefer not to say", lambda _text: "Prefer not to say"),
            "sheet.direction",
            "Prefer not to say",
        ),
        (change("Prefer not to say", lambda text: text * 200), "sheet.long", "Prefer not to say"),
    ],
)
def test_each_fault_of_a_sheet_is_refused_by_name(
    fault: Callable[[list[Row]], list[Row]], code: str | None, named: str
) -> None:
    rows = fault(sheet_rows({}, "de"))
    if code is None:
        assert sheet_read("sheet.csv", csv_of(rows), "de")["sentences"] == {}
        return
    with pytest.raises(SurveyError) as refused:
        sheet_read("sheet.csv", csv_of(rows), "de")
    assert refused.value.code == code.partition(".")[0] or refused.value.case == code
    assert named in str(refused.value)


@pytest.mark.django_db
def test_an_upload_changes_the_draft_and_a_later_change_must_be_read_again() -> None:
    draft_create(in_languages("de", "ha"), slug="own", source="scratch", by="ana", now=timezone.now())
    browser = browser_of("adam", *Role)
    address = "/en/staff/surveys/own/build/sentences/de/"
    revision = Survey.objects.get(slug="own").revision
    page = browser.get(address).content.decode()
    assert "Keine Angabe" in page
    assert "☐" in page
    browser.post(address, {"readers": 2, "passed": 10, "revision": revision})
    survey = Survey.objects.get(slug="own")
    assert survey.definition["sentences"]["checks"] == {"de": {"readers": 2, "passed": 10}}
    publish = "/en/staff/surveys/own/publish"
    assert "Deutsch is supported: 2 people have read all sentences" in browser.get(publish).content.decode()
    rows = sheet_rows({}, "de")
    row_of(rows, "Prefer not to say")["de"] = "Dazu sage ich nichts"
    file = SimpleUploadedFile("sheet.csv", csv_of(rows))
    kept = {"readers": 2, "passed": 10}
    answer = browser.post(address, {"file": file, "revision": survey.revision, **kept}, follow=True)
    assert "1 sentence is this survey’s own." in answer.content.decode()
    survey.refresh_from_db()
    assert survey.definition["sentences"]["checks"] == {}
    assert "It is a draft translation until two people have read it" in browser.get(publish).content.decode()
    raw = browser.get("/en/staff/surveys/own/build/sentences/de.xlsx").content
    assert sheet_read("sheet.xlsx", raw, "de")["texts"] == {"skip": "Dazu sage ich nichts"}


@pytest.mark.django_db
def test_one_press_saves_a_sheet_and_the_numbers_of_its_readers() -> None:
    """*Save* used to drop a chosen file, and *Upload the sheet* the numbers."""
    draft_create(in_languages("de"), slug="own", source="scratch", by="ana", now=timezone.now())
    browser = browser_of("adam", *Role)
    address = "/en/staff/surveys/own/build/sentences/de/"
    assert browser.get(address).content.decode().count('<form class="card') == 1
    rows = sheet_rows({}, "de")
    row_of(rows, "Prefer not to say")["de"] = "Dazu sage ich nichts"
    sent = {"readers": 2, "passed": 10, "revision": Survey.objects.get(slug="own").revision}
    broken = SimpleUploadedFile("sheet.csv", csv_of(rows[:9]))
    assert 'name="passed" value="10"' in browser.post(address, {**sent, "file": broken}).content.decode()
    browser.post(address, {**sent, "file": SimpleUploadedFile("sheet.csv", csv_of(rows))})
    saved = Survey.objects.get(slug="own").definition["sentences"]
    assert saved["languages"]["de"]["texts"] == {"skip": "Dazu sage ich nichts"}
    assert saved["checks"] == {"de": {"readers": 2, "passed": 10}}


@pytest.mark.django_db
def test_a_refused_sheet_changes_nothing_and_unknown_languages_have_no_page() -> None:
    draft_create(in_languages("de"), slug="own", source="scratch", by="ana", now=timezone.now())
    browser = browser_of("adam", *Role)
    address = "/en/staff/surveys/own/build/sentences/de/"
    survey = Survey.objects.get(slug="own")
    file = SimpleUploadedFile("sheet.csv", csv_of(sheet_rows({}, "de")[:9]))
    none = {"readers": 0, "passed": 0}
    answer = browser.post(address, {"file": file, "revision": survey.revision, **none})
    assert answer.status_code == 422
    assert "sentences are missing" in answer.content.decode()
    assert "sentences" not in Survey.objects.get(slug="own").definition
    file = SimpleUploadedFile("sheet.csv", csv_of(sheet_rows({}, "de")))
    assert browser.post(address, {"file": file, "revision": survey.revision - 1, **none}).status_code == 409
    assert browser.post(address, {"readers": -1, "passed": 0, "revision": survey.revision}).status_code == 422
    assert browser.get("/en/staff/surveys/own/build/sentences/ha/").status_code == 404


@pytest.mark.django_db
def test_publishing_refuses_a_language_without_the_promise() -> None:
    draft_create(in_languages("ha"), slug="own", source="scratch", by="ana", now=timezone.now())
    page = browser_of("adam", *Role).get("/en/staff/surveys/own/publish").content.decode()
    assert "Bring all sentences by a sheet" in page
    assert "find the promise, the skips or the last button in English" in page
