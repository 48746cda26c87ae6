"""Translating a draft in a file: exports import unchanged, and invalid files are refused completely."""

import copy
import io
from typing import Any

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from surveys.authoring.drafts import survey_import
from surveys.authoring.translations import texts_of, translations_file, translations_read
from surveys.formats.workbook import workbook_write
from surveys.models import Survey
from surveys.questionnaire.document import DefinitionError
from tests.fixtures.devices import shipped_definition
from tests.fixtures.everyday import everyday_definition
from tests.fixtures.scale_runs import scale_definition

pytestmark = pytest.mark.usefixtures("read_here")

PAGE = "/en/staff/surveys/town/build/texts.xlsx"


def rows_of(raw: bytes) -> list[dict[str, Any]]:
    head, *rows = openpyxl.load_workbook(io.BytesIO(raw))["texts"].iter_rows(values_only=True)
    return [dict(zip(map(str, head), row, strict=True)) for row in rows]


def every_text(document: object) -> list[str]:
    """Return all texts of a document, the values of keys that are languages."""
    if isinstance(document, list):
        return [text for entry in document for text in every_text(entry)]
    if not isinstance(document, dict):
        return []
    own = [value for name, value in document.items() if name in ("en", "zh-hans") and isinstance(value, str)]
    return own + [text for value in document.values() for text in every_text(value)]


@pytest.mark.parametrize("document", [scale_definition(), everyday_definition(), shipped_definition()])
def test_translation_files_export_every_text_and_import_unchanged(document: dict[str, Any]) -> None:
    raw = translations_file(document)
    left = [text for row in rows_of(raw) for name, text in row.items() if name != "where" and text]
    assert sorted(left) == sorted(every_text(document))
    assert translations_read(raw, document) == (document, 0)


def test_only_filled_in_translations_change_the_draft() -> None:
    document = everyday_definition()
    before = copy.deepcopy(document)
    where = next(where for where, _texts in texts_of(document) if where.endswith("questions[0].text"))
    found, changed = translations_read(
        workbook_write([{"where": where, "en": "", "zh-hans": "=1+1"}]), document
    )
    assert changed == 1
    assert document == before
    taken = dict(texts_of(found))
    assert taken[where]["zh-hans"] == "=1+1"
    assert taken.pop(where)["en"] == dict(texts_of(before))[where]["en"]
    assert taken == {other: texts for other, texts in texts_of(before) if other != where}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"where": "title", "fr": "Ville"}], 'not a language of this survey: "fr"'),
        (
            [{"where": "blocks[99].title", "en": "x"}],
            'texts, row 2: the draft has no text "blocks[99].title"',
        ),
        ([{"where": "slug", "en": "x"}], 'texts, row 2: the draft has no text "slug"'),
        ([{"place": "title", "en": "x"}], "sheet “texts” with column “where” not found"),
    ],
)
def test_foreign_translation_rows_are_refused(rows: list[dict[str, str]], said: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        translations_read(workbook_write(rows), scale_definition())
    assert said in str(refused.value)


@pytest.mark.django_db
def test_translation_files_can_be_downloaded_and_imported(admin_client: Client) -> None:
    survey = survey_import(scale_definition(), by="alice")
    answer = admin_client.get(PAGE)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="town-texts.xlsx"'
    rows = [{name: text or "" for name, text in row.items()} for row in rows_of(answer.content)]
    rows[0]["en"] = "Our town"

    def send(raw: bytes, revision: int) -> Any:
        file = SimpleUploadedFile("texts.xlsx", raw)
        return admin_client.post(PAGE, {"file": file, "revision": revision}, follow=True)

    first = survey.revision
    assert "One text was imported from the file." in send(workbook_write(rows), first).content.decode()
    survey.refresh_from_db()
    assert survey.definition["title"]["en"] == "Our town"
    rows[0]["en"] = "Their town"
    late = send(workbook_write(rows), first)
    assert late.status_code == 409
    wrong = send(b"not a workbook", survey.revision)
    assert wrong.status_code == 422
    assert "The file of texts was not imported" in wrong.content.decode()
    assert Survey.objects.get().definition["title"]["en"] == "Our town"
