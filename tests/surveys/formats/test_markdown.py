"""Markdown files show the texts of people as they were written: a tag in one is never HTML."""

import io
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as XML

import pytest
from django.test import Client
from django.urls import reverse

from surveys.accounts.roles import Role
from surveys.authoring.drafts import survey_import
from surveys.formats.markdown import markdown_cell
from surveys.report.export.board_documents import OFFICERS
from tests.fixtures.devices import closed, published
from tests.fixtures.runs import LOOSE, answer, definition, mined_run
from tests.fixtures.staff import member
from tests.surveys.report.export.test_board_documents import PATH, PLAN

pytestmark = pytest.mark.django_db

TAG, WRITTEN = "<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"
TEMPLATES = Path(__file__).resolve().parents[3] / "templates"


def hostile(value: Any) -> Any:
    """Return a definition with a tag and a pipe in each of its texts."""
    if isinstance(value, dict):
        if value and set(value) <= {"en", "zh-hans"}:
            return {language: f"{text} {TAG} | it's" for language, text in value.items()}
        return {name: hostile(each) for name, each in value.items()}
    return [hostile(each) for each in value] if isinstance(value, list) else value


@pytest.fixture(autouse=True)
def _ada(client: Client) -> None:
    client.force_login(member("ada", Role.ADMINISTRATOR))


def zipped(response: Any) -> dict[str, str]:
    body = b"".join(response.streaming_content) if response.streaming else response.content
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return {name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}


@pytest.mark.soak
def test_no_document_for_boards_officers_or_registries_contains_html_of_texts(client: Client) -> None:
    survey_import(hostile(definition()), by="alice")
    files = zipped(client.post(PATH, {"kind": "ethics"}))
    files["plan.md"] = client.post(PATH, PLAN | {"expected": f"More {TAG}"}).content.decode()
    for name in OFFICERS:
        files[f"one-{name}.md"] = client.post(PATH, {"kind": name}).content.decode()
    markdown = {name: text for name, text in files.items() if name.endswith(".md")}
    assert len(markdown) >= 9
    for name, text in files.items():
        if not name.endswith(".json"):
            assert TAG not in text, name
    for name, text in markdown.items():
        assert "&#x27;" not in text, name
        assert "&quot;" not in text, name
    assert f"More {WRITTEN}" in files["plan.md"]
    assert files["questionnaire-en.md"].count(WRITTEN) >= 8
    assert f"{WRITTEN} | it's" in files["questionnaire-en.md"]
    # In a table, a pipe begins no cell.
    rows = [line for line in files["README.md"].splitlines() if line.startswith("| ") and WRITTEN in line]
    assert rows
    assert {row.replace("\\|", "").count("|") for row in rows} == {3}


@pytest.mark.soak
def test_the_readme_and_codebooks_of_exported_data_contain_no_html_of_texts(client: Client) -> None:
    document = hostile(definition(policy="protected"))
    version = published(document)
    answer(version, 200, n_direct=0)
    run = mined_run(closed(version), LOOSE)
    address = reverse("export:data", args=[run.survey.slug])
    files = zipped(client.post(address, {"run": run.pk, "kind": "zip"}, follow=True))
    assert TAG not in files["README.md"]
    assert WRITTEN in files["README.md"]
    assert TAG not in files["codebook.xml"]
    texts = [node.text or "" for node in XML.fromstring(files["codebook.xml"]).iter()]  # our own
    assert any(TAG in text for text in texts)
    # Tables hold texts, not markup.
    assert TAG in files["codebook.csv"]


def test_every_markdown_template_escapes() -> None:
    templates = sorted(TEMPLATES.rglob("*.md"))
    assert len(templates) >= 8
    for path in templates:
        text = path.read_text(encoding="utf-8")
        assert "autoescape off" not in text, path.name
        assert "|safe" not in text, path.name


def test_an_empty_cell_is_empty() -> None:
    assert (markdown_cell(None), markdown_cell("")) == ("", "")
