"""Uploaded files are read in a child process within limits, and only some parts of a workbook."""

import ast
import io
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.utils.translation import override
from pyxform.section import Section

from privacy.tables.file_signs import OLD_OFFICE
from surveys.errors.error import SurveyError
from surveys.imports.files import reader_process
from surveys.imports.files import reader_process as bounds
from surveys.imports.files.child import MEGABYTES, MOST_ANSWER, NICENESS, SECONDS
from surveys.imports.files.reader_process import ROW, form_parse, read_in_child
from surveys.imports.forms import xlsform
from surveys.imports.forms.xlsform import xlsform_plain
from surveys.questionnaire.document import DefinitionError
from tests.architecture import nodes
from tests.fixtures.decompression_bombs import (
    GREEDY,
    abort_at_the_end,
    answer_without_end,
    answer_zeros,
    parquet_bomb,
    refuse,
    sleep,
    spin,
    surroundings,
    touch,
)
from tests.fixtures.memory import peak_megabytes
from tests.fixtures.workbooks import SURVEY, form, repacked, workbook, xlsform_read
from tests.reach import APPS

ROOT = Path(__file__).resolve().parents[4]

UNPACKS = {
    *("ParquetFile", "read_table", "read_parquet", "read_sav", "read_dta", "load_workbook"),
    *("ZipFile", "decompress"),
}
# Modules that unpack files, and why this never happens in a web process.
KNOWN = {
    "surveys/imports/files/reader_process.py": "by xlsform_plain, in a child",
    "surveys/imports/files/workbook_parts.py": "by xlsform_plain, in a child",
    "surveys/imports/files/form_layout.py": "by xlsform_plain, in a child",
    "privacy/tables/packed_file.py": "by table_read, in a child",
    "privacy/tables/columns.py": "written here, sealed or in a child",
    "surveys/runs/signed_archive.py": "an operator's command",
    "anonymisation/releases/sealed_documents.py": "sealed here",
    "anonymisation/microdata/deposit_reader.py": "made and sealed here",
    "surveys/watch/download.py": "bounded, on the computer of whoever watches",
    "surveys/report/export/board_documents.py": "written",
    "surveys/report/export/data_package.py": "written",
    "anonymisation/releases/jobs.py": "written",
    "anonymisation/releases/downloads.py": "made here; a member is added",
}


def test_a_child_that_waits_too_long_is_stopped_and_the_file_not_blamed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reader_process, "PATIENCE", 0.5)
    with pytest.raises(SurveyError, match=r"server is busy .* within 0\.5 seconds; try again") as caught:
        read_in_child(sleep, b"")
    assert (caught.value.status, caught.value.retry_after) == (503, 60)


def test_files_that_take_too_long_to_read_are_rejected() -> None:
    with pytest.raises(SurveyError, match=f"more than {SECONDS} seconds"):
        read_in_child(spin, b"")


def test_a_second_file_is_refused_with_a_retry_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_process, "PATIENCE", 0.1)
    with (
        reader_process._ONE_AT_A_TIME,
        pytest.raises(SurveyError, match="the server is reading another file") as caught,
    ):
        read_in_child(surroundings, b"")
    assert (caught.value.status, caught.value.retry_after) == (503, 60)
    monkeypatch.undo()
    read_in_child(surroundings, b"")


def test_errors_from_the_child_keep_their_case_and_value() -> None:
    with override("zh-hans"), pytest.raises(SurveyError) as caught:
        read_in_child(refuse, "年龄".encode(), "table_file.empty")
    assert (caught.value.case, caught.value.value) == ("table_file.empty", "年龄")


def test_child_process_failures_reveal_no_file_content() -> None:
    with pytest.raises(SurveyError, match="UnicodeDecodeError") as caught:
        read_in_child(refuse, b"\xff of somebody", "table_file.empty")
    assert "somebody" not in str(caught.value)


def test_results_survive_a_child_process_that_aborts_at_exit() -> None:
    """On two busy processors, Arrow aborted 2 of 60 children that exited while it started a thread."""
    assert read_in_child(abort_at_the_end, b"whole") == (5, [])


def test_an_answer_over_its_limit_is_refused_and_both_sizes_are_named() -> None:
    assert [len(piece) for piece in read_in_child(answer_zeros, b"", 2, 1_500_000, most=3_000_000)[1]] == [
        1_500_000,
        1_500_000,
    ]
    with pytest.raises(SurveyError, match="5 MB of values; at most 3 MB") as caught:
        read_in_child(answer_zeros, b"", 3, 1_500_000, most=3_000_000)
    assert caught.value.remedy


def test_a_child_that_never_stops_answering_is_stopped_at_the_limit() -> None:
    """A library that a file has taken over could send anything."""
    with peak_megabytes() as peak, pytest.raises(SurveyError, match="at most 4 MB"):
        read_in_child(answer_without_end, b"", most=3_000_000)
    assert peak() < 8


def test_both_processes_together_need_at_most_one_gigabyte() -> None:
    """Of 100 MB, the process for large requests has 60 before and 85 after its first page."""
    assert MEGABYTES + MOST_ANSWER / 1e6 + 100 <= 1_000


@pytest.mark.soak
def test_the_web_process_imports_no_file_readers(tmp_path: Path) -> None:
    (tmp_path / "people.parquet").write_bytes(parquet_bomb(2, says=2))
    (tmp_path / "form.xlsx").write_bytes(form())
    done = subprocess.run(
        [sys.executable, "-c", _TAKING, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["2", "5", "[]"], done.stderr


_TAKING = """
import sys
from pathlib import Path
import django
django.setup()
from surveys.imports.files.uploaded_tables import table_read
from surveys.imports.forms.xlsform import xlsform_read
where = Path(sys.argv[1])
print(len(table_read("people.parquet", (where / "people.parquet").read_bytes())))
print(len(xlsform_read((where / "form.xlsx").read_bytes()).questions))
print([name for name in ("pyarrow", "pyreadstat", "openpyxl", "pandas", "pyxform") if name in sys.modules])
"""


def test_all_code_that_unpacks_files_is_listed() -> None:
    """New code that reads files must be listed with its callers, and a web process must not call it."""
    paths = [path for part in (*APPS, "privacy") for path in (ROOT / part).rglob("*.py")]
    found = {
        path.relative_to(ROOT).as_posix()
        for path in paths
        if any(name in path.read_text(encoding="utf-8") for name in UNPACKS)
        for node in nodes(path)
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in UNPACKS
    }
    assert found == KNOWN.keys()


@pytest.mark.parametrize("read", GREEDY, ids=lambda read: str(read.__name__))
def test_children_over_the_memory_limit_are_stopped_with_an_error(
    read: Callable[..., tuple[Any, bytes]],
) -> None:
    with pytest.raises(SurveyError, match=f"more than {MEGABYTES:,} MB of memory") as caught:
        read_in_child(read, b"")
    assert caught.value.remedy


def test_the_child_gets_the_file_without_secrets_at_low_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOTTOVOCE_SECRET_KEY", "x" * 60)
    monkeypatch.setenv("DATABASE_URL", "postgres://somebody:secret@db/sottovoce")
    raw = b"a name,a value\n1,2\n" + bytes(range(256)) * 1000
    seen, sent_back = read_in_child(surroundings, raw)
    assert b"".join(sent_back) == raw
    assert not [name for name in seen["environment"] if name.startswith(("SOTTOVOCE", "DATABASE", "DJANGO"))]
    assert (seen["core"], seen["processor"], seen["niceness"]) == (0, SECONDS, max(NICENESS, os.nice(0)))
    assert "value" not in seen["arguments"]


def test_the_child_cannot_write_to_disk(tmp_path: Path) -> None:
    with pytest.raises(SurveyError, match="OSError"):
        read_in_child(touch, b"a value of somebody", str(tmp_path / "copy"))
    assert not (tmp_path / "copy").read_bytes()


def refusal(raw: bytes) -> str:
    with pytest.raises(DefinitionError) as caught:
        xlsform_read(raw)
    (problem,) = caught.value.problems
    assert problem.remedy
    return str(problem)


def zipped(**parts: bytes) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return content.getvalue()


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"type,name\ntext,a",
        b"PK\x03\x04 broken",
        zipped(text=b"a zip of something else"),
        form()[:-200],
        OLD_OFFICE + b"\x00" * 600,
    ],
)
def test_files_other_than_workbooks_are_refused(raw: bytes) -> None:
    assert "this workbook cannot be opened here: it may be damaged or incomplete" in refusal(raw)
    assert "save it as .xlsx" in refusal(raw)


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "[Content_Types].xml"])
def test_workbooks_with_a_corrupt_part_are_rejected(part: str) -> None:
    assert "workbook cannot be opened here" in refusal(
        repacked(form(), lambda parts: parts.update({part: b"<broken"}))
    )


def test_a_fault_of_the_reader_is_not_blamed_on_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*_arguments: object) -> None:
        raise IndexError

    monkeypatch.setattr(reader_process, "_parsed", faulty)
    with pytest.raises(DefinitionError, match=r"fault in Sottovoce \(IndexError\)"):
        reader_process.form_parse(form())


def test_zip_bombs_are_rejected_before_unpacking() -> None:
    bomb = repacked(form(), lambda parts: parts.update({"xl/media/bomb": b"\x00" * 20_000_001}))
    assert len(bomb) < 100_000
    assert "unpacks to" in refusal(bomb)


def test_zips_understating_their_size_are_rejected() -> None:
    # The archive's directory claims 10 bytes for a part that unpacks to ten thousand.
    raw = repacked(form(), lambda parts: parts.update({"xl/media/liar": b"\x00" * 10_000}))
    assert raw.count((10_000).to_bytes(4, "little")) >= 1
    assert "workbook cannot be opened here" in refusal(
        raw.replace((10_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    )


def test_zips_with_too_many_parts_are_rejected() -> None:
    raw = repacked(form(), lambda parts: parts.update({f"xl/{n}.txt": b"" for n in range(201)}))
    assert "unpacks to" in refusal(raw)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("part", ["xl/styles.xml", "xl/workbook.xml", "xl/worksheets/sheet1.xml"])
def test_xml_entities_are_rejected_in_every_part(part: str, encoding: str) -> None:
    laughs = (
        f'<?xml version="1.0" encoding="{encoding}"?>'
        '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><l>&b;</l>'
    ).encode(encoding)
    raw = repacked(form(), lambda parts: parts.update({part: laughs}))
    assert "workbook cannot be opened here" in refusal(raw)


def test_utf_16_archive_properties_are_accepted() -> None:
    properties = '<?xml version="1.0" encoding="utf-16"?><a>b</a>'.encode("utf-16")
    assert xlsform_read(repacked(form(), lambda parts: parts.update({"customXml/item1.xml": properties})))


def test_macros_are_rejected_but_a_macro_content_type_alone_is_not() -> None:
    raw = repacked(form(), lambda parts: parts.update({"xl/vbaProject.bin": b"macro"}))
    assert "contains macros" in refusal(raw)
    declared = repacked(
        form(),
        lambda parts: parts.update(
            {
                "[Content_Types].xml": parts["[Content_Types].xml"].replace(
                    b"vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml",
                    b"vnd.ms-excel.sheet.macroEnabled.main+xml",
                )
            }
        ),
    )
    assert xlsform_read(declared).questions


def test_rows_keep_their_numbers_and_quotation_marks() -> None:
    lines = [*SURVEY[:4], ["select_one yes_no", "quoted", "“Never”?", "“从不”？"], *SURVEY[4:]]
    questions = form_parse(form(survey=lines))["form"]["children"][0]["children"]
    assert [question[ROW] for question in questions] == ["3", "4", "5", "6"]
    assert questions[2]["label"]["English (en)"] == "“Never”?"


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (OLD_OFFICE + bounds._MACROS, "contains macros"),
        (b"PK" + b"\x00" * 2_000_000, "more than 2,000,000 bytes"),
    ],
)
def test_child_process_errors_keep_their_remedy(raw: bytes, said: str) -> None:
    with pytest.raises(DefinitionError, match=said) as caught:
        xlsform.xlsform_read(raw)
    assert all(problem.remedy for problem in caught.value.problems)


def test_pyxform_errors_are_passed_on() -> None:
    plain, pieces = xlsform_plain(form(survey=[["name", "label"], ["q", "Q?"]]))
    assert pieces == []
    assert "no sheet has columns with the names type" in plain["problems"][0]["message"]


def test_groups_within_a_repeated_one_are_not_written_out_to_compare_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """To write them out for each question would take time in the square of the number of questions."""
    monkeypatch.setattr(Section, "to_json_dict", lambda *_given: pytest.fail("written out"))
    rows = [
        ["begin_repeat", "child", "Child"],
        ["begin_group", "home", "Home"],
        *(["select_one yes_no", f"q{n}", f"Lied {n}?"] for n in range(3)),
        ["end_group"],
        ["end_repeat"],
    ]
    parsed = form_parse(form(survey=[["type", "name", "label"], *rows]))
    assert parsed["objection"] == ""


def test_the_language_of_a_form_is_recognised_in_a_child_process_that_can_write_no_file() -> None:
    survey = [["type", "name", "label"], ["text", "a", "Rauchen Sie manchmal im Haus?"]]
    assert xlsform.xlsform_read(workbook(survey=survey)).languages == ("de",)
