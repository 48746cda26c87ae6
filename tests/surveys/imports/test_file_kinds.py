"""A file shows what it holds by its bytes, whatever its name is."""

import io
import zipfile

import pytest

from surveys.imports.file_kinds import file_kind, file_text
from surveys.questionnaire.document import DefinitionError
from tests.fixtures.workbooks import form


def archive(*names: str, first: str = "") -> bytes:
    """Return a ZIP file with these members."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        if first:
            packed.writestr("mimetype", first)
        for name in names:
            packed.writestr(name, "<x/>")
    return content.getvalue()


@pytest.mark.parametrize(
    ("raw", "name", "kind"),
    [
        (b'{"sottovoce": 1}', "work", "definition"),
        (b'\xef\xbb\xbf \n{"sottovoce": 1}', "work.txt", "definition"),
        (b"[]", "work.json", "definition"),
        (b"[open] is a mark", "work.txt", "text"),
        ("1. 您睡得好吗？".encode(), "work.json.txt", "text"),
        (form(), "work.txt", "xlsform"),
        (archive("xl/workbook.xml"), "work", "xlsform"),
        (b"\xd0\xcf\x11\xe0" + b"\0" * 600, "work.xls", "xlsform"),
    ],
)
def test_the_bytes_of_a_file_show_its_kind(raw: bytes, name: str, kind: str) -> None:
    assert file_kind(raw, name) == kind


@pytest.mark.parametrize("ending", ["xlsx", "xls", "XLSX", "xlsm"])
def test_a_workbook_without_the_signs_of_its_kind_is_damaged(ending: str) -> None:
    for raw in (bytes(range(256)), form()[:200]):
        with pytest.raises(DefinitionError) as caught:
            file_kind(raw, f"work.{ending}")
        (problem,) = caught.value.problems
        assert (
            problem.message == f"this is not a readable .{ending.lower()} file: it is damaged or incomplete"
        )
        assert problem.remedy


@pytest.mark.parametrize(
    ("ending", "says"),
    [("lsa", "a survey of LimeSurvey (LSA)"), ("sas7bdat", "a statistics program"), ("zip", "a ZIP file")],
)
def test_the_ending_says_what_an_unknown_archive_or_binary_file_is(ending: str, says: str) -> None:
    for raw in (archive("survey_1.lss"), bytes(range(256))):
        with pytest.raises(DefinitionError) as caught:
            file_kind(raw, f"work.{ending}")
        assert says in caught.value.problems[0].message


@pytest.mark.parametrize(
    "raw",
    [bytes(range(256)), b"PK\x03\x04 cut off", b"\xd0\xcf\x11\xe0" + bytes(600)],
    ids=["no sign", "archive", "old office"],
)
@pytest.mark.parametrize(
    ("ending", "says"),
    [
        ("docx", "a document of Word"),
        ("DOC", "a document of Word"),
        ("odt", "a document of LibreOffice"),
        ("pages", "a Pages document"),
        ("pdf", "a PDF file"),
        ("pptx", "a presentation"),
        ("ppt", "a presentation"),
        ("epub", "an e-book"),
    ],
)
def test_a_damaged_document_is_refused_like_an_intact_one(raw: bytes, ending: str, says: str) -> None:
    """Saving it again would not help, because no such file is ever read."""
    with pytest.raises(DefinitionError) as caught:
        file_kind(raw, f"work.{ending}")
    (problem,) = caught.value.problems
    assert problem.message == f"this is {says}, which cannot be read here"
    assert problem.remedy == "open it, copy all of its text, and paste it into the box"


@pytest.mark.parametrize("ending", ["sav", "dta", "parquet", "zip", "ods", "numbers", "png"])
def test_refusals_of_other_damaged_files_do_not_say_to_save_them_again(ending: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        file_kind(bytes(range(256)), f"work.{ending}")
    assert "damaged" not in str(caught.value)


def test_the_ending_of_a_name_does_not_refuse_a_text() -> None:
    assert file_kind(b"1. Do you smoke?", "work.docx") == "text"


def test_a_file_with_a_password_says_so() -> None:
    raw = b"\xd0\xcf\x11\xe0" + bytes(508) + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(DefinitionError, match="protected by a password"):
        file_kind(raw, "work.xlsx")


@pytest.mark.parametrize(
    "raw",
    [
        archive("word/document.xml"),
        archive("content.xml", first="application/vnd.oasis.opendocument.text"),
        b"\xd0\xcf\x11\xe0" + "WordDocument".encode("utf-16-le"),
        b"%PDF-1.7",
        b"\xef\xbb\xbf\n<!DOCTYPE html><p>1. Do you smoke?</p>",
        b"{\\rtf1 hello}",
    ],
)
def test_documents_of_word_processors_are_refused_with_a_remedy(raw: bytes) -> None:
    with pytest.raises(DefinitionError) as refused:
        file_kind(raw, "work")
    assert "paste it into the box" in refused.value.problems[0].remedy


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_texts_are_read_in_unicode(encoding: str) -> None:
    assert file_text("Wie schläfst du?".encode(encoding)) == "Wie schläfst du?"


@pytest.mark.parametrize(
    "raw", [b"\x89PNG\r\n\x1a\n\0", "schläfst".encode("latin-1"), b"\xff\xfea", b"a\0b", b"", b"\n "]
)
def test_other_bytes_are_refused(raw: bytes) -> None:
    with pytest.raises(DefinitionError):
        file_text(raw)


def test_a_text_has_at_most_as_many_characters_as_are_read_and_a_definition_may_be_longer() -> None:
    assert file_kind(b"a" * 100_000, "work.txt") == "text"
    with pytest.raises(DefinitionError) as refused:
        file_kind(b"a" * 100_001, "work.txt")
    assert "100,000" in refused.value.problems[0].message
    assert file_kind(b"{" + b" " * 100_001, "work") == "definition"
