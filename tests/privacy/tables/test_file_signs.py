"""The bytes of a file show its kind, whatever its name."""

import pytest

from privacy.tables.file_signs import LOCKED, file_sign, is_whole

OLD = b"\xd0\xcf\x11\xe0" + bytes(508)


@pytest.mark.parametrize(
    ("raw", "sign"),
    [
        (b"", ""),
        (b"age,ill\n", ""),
        (b"\xff\xfea\0", ""),
        (b"PAR1,PAR2\n", ""),
        (b"GIF8,GIF9\n", ""),
        (b"PAR1\x15...", "parquet"),
        (b"$FL2@(#)", "sav"),
        (b"$FL3@(#)", "zsav"),
        (b"<stata_dta><header>", "dta"),
        (b"%PDF-1.7\n", "pdf"),
        (b"\x89PNG\r\n", "png"),
        (b"PK\x03\x04... xl/workbook.xml", "xlsx"),
        (b"PK\x03\x04... xl/workbook.bin", "xlsb"),
        (b"PK\x03\x04... word/document.xml", "docx"),
        (b"PK\x03\x04... word/document.xml... xl/workbook.xml", "docx"),
        (b"PK\x03\x04... xl/worksheets... word/document.xml", "xlsx"),
        (b"PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "ods"),
        (b"PK\x03\x04... table.csv", "zip"),
        (OLD + "Workbook".encode("utf-16-le"), "xls"),
        (OLD + "WordDocument".encode("utf-16-le"), "doc"),
        (OLD + "EncryptedPackage".encode("utf-16-le"), LOCKED),
        (OLD, "office"),
    ],
)
def test_the_first_bytes_and_the_names_inside_decide(raw: bytes, sign: str) -> None:
    assert file_sign(raw) == sign


def test_a_stata_file_ends_with_its_last_tag() -> None:
    assert is_whole(b"<stata_dta></stata_dta>\n", "dta")
    assert not is_whole(b"<stata_dta></stata", "dta")
    assert is_whole(b"age", "")


def test_an_archive_ends_with_its_directory() -> None:
    assert is_whole(b"PK\x03\x04... PK\x05\x06" + bytes(18) + b"a comment", "zip")
    assert not is_whole(b"PK\x03\x04... PK\x01\x02", "zip")
