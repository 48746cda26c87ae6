"""Files for SPSS and Stata, read back by other programs if available."""

import io
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest
from django.utils import timezone
from pandas.io.stata import StataReader

from mining.thresholds import Thresholds
from privacy.arrays import Codes
from surveys.errors.error import SurveyError
from surveys.models import AuditEvent, Run
from surveys.report.export import labelled_files
from surveys.report.export.data_package import data_export
from surveys.report.export.labelled_files import FILE_LABEL, FileKind, labelled_file
from surveys.report.export.variables import NOT_ANSWERED, NOT_ASKED, SKIPPED_CODE, Variable
from tests.fixtures.exports import everything, records, unpacked
from tests.fixtures.runs import alice, mined_run

LONG = "你有没有在上班的时候喝过酒？" * 30
CHINESE = Variable(
    name="drink", column="drink", label=LONG, values={0: "否", 1: "是" * 100}, keys={0: "0", 1: "1"},
    missing={NOT_ASKED: "未问到", SKIPPED_CODE: "已跳过", NOT_ANSWERED: "未作答"}, stored_as="disguised",
)  # fmt: skip
CODES = np.array([1, 0, NOT_ASKED, SKIPPED_CODE, NOT_ANSWERED, 1], dtype=np.int32)
NOTES = ("打乱过的回答" * 40, "A second paragraph.")


def written(where: Path, kind: FileKind, codes: Codes = CODES) -> Path:
    path = where / f"rows.{kind}"
    labelled_file(path, kind, {"drink": codes}, (CHINESE,), NOTES)
    return path


def exported(run: Run, where: Path, kind: FileKind) -> Path:
    out = io.BytesIO()
    data_export(run, out, by=alice(), now=timezone.now(), kind=kind)
    path = where / f"export.{kind}"
    path.write_bytes(out.getvalue())
    return path


def test_spss_reads_chinese_labels_and_missing_value_codes(tmp_path: Path) -> None:
    path = written(tmp_path, "sav")
    rows, about = pyreadstat.read_sav(path, user_missing=True)
    assert rows["drink"].tolist() == CODES.tolist()
    assert about.column_names_to_labels["drink"] == f"Disguised: {LONG[:80]}…"
    labels = about.variable_value_labels["drink"]
    assert labels == {
        0: "否",
        1: "是" * 39 + "…",
        NOT_ASKED: "未问到",
        SKIPPED_CODE: "已跳过",
        NOT_ANSWERED: "未作答",
    }
    assert [(limits["lo"], limits["hi"]) for limits in about.missing_ranges["drink"]] == [
        (code, code) for code in (NOT_ASKED, SKIPPED_CODE, NOT_ANSWERED)
    ]
    assert "".join(about.notes) == "".join(NOTES)
    assert about.file_label == FILE_LABEL
    # Without reasons for missing answers, the cells are empty.
    plain, _about = pyreadstat.read_sav(path)
    assert plain["drink"].isna().tolist() == [False, False, True, True, True, False]


@pytest.mark.parametrize("rest", [[], [1], [0, 1]])
def test_stata_reads_a_mostly_unasked_question_as_numeric(tmp_path: Path, rest: list[int]) -> None:
    codes = np.array([NOT_ASKED] * 300 + rest, dtype=np.int32)
    rows = pd.read_stata(written(tmp_path, "dta", codes), convert_categoricals=False, convert_missing=True)
    assert [str(value).removesuffix(".0") for value in rows["drink"]] == [".a"] * 300 + list(map(str, rest))


def test_stata_reads_chinese_labels_and_extended_missing_values(tmp_path: Path) -> None:
    path = written(tmp_path, "dta")
    # pandas has its own reader for Stata files.
    rows = pd.read_stata(path, convert_categoricals=False, convert_missing=True)
    assert [str(value) for value in rows["drink"]] == ["1", "0", ".a", ".b", ".c", "1"]
    with StataReader(path) as reader:
        assert reader.data_label == FILE_LABEL
        assert reader.variable_labels() == {"drink": f"Disguised: {LONG[:68]}…"}
        (labels,) = reader.value_labels().values()
    assert {int(code): text for code, text in labels.items() if code < 2_147_483_621} == {
        0: "否",
        1: "是" * 100,
    }
    assert set(labels.values()) == {"否", "是" * 100, "未问到", "已跳过", "未作答"}


@pytest.mark.parametrize(("kind", "most"), [("sav", 256), ("dta", 80)])
@pytest.mark.parametrize("stem", ["Which of these have you ever used without a prescription? " * 6, LONG])
def test_lines_of_a_list_differ_in_labels_that_are_cut(
    tmp_path: Path, kind: FileKind, most: int, stem: str
) -> None:
    """All lines began with the same stem, and Stata keeps 80 characters, so they had the same label."""
    lines = {"used_heroin": "Heroin", "used_cannabis": "Cannabis or hashish", "used_other": "其他" * 90}
    variables = tuple(
        Variable(name=name, column=name, label=f"{stem} – {line}", line=line, values={0: "no", 1: "yes"})
        for name, line in lines.items()
    )
    path = tmp_path / f"rows.{kind}"
    labelled_file(path, kind, {name: np.array([1, 0]) for name in lines}, variables, ())
    _rows, about = (pyreadstat.read_sav if kind == "sav" else pyreadstat.read_dta)(path)
    labels = {name: str(label) for name, label in about.column_names_to_labels.items()}
    assert labels["used_heroin"].endswith("… – Heroin")
    assert labels["used_cannabis"].endswith("… – Cannabis or hashish")
    assert len(set(labels.values())) == 3
    for label in labels.values():
        assert label.startswith(stem[:10])
        assert len(label.encode() if kind == "sav" else label) <= most


@pytest.mark.r
def test_the_r_package_foreign_reads_the_spss_file(tmp_path: Path) -> None:
    """The reader shares no code with the writer; it gives reasons for missing answers as codes or NA."""
    path = written(tmp_path, "sav")
    script = f"""
        if (!requireNamespace("foreign", quietly = TRUE)) quit(status = 3)
        invisible(Sys.setlocale("LC_CTYPE", "C.UTF-8"))
        rows <- foreign::read.spss("{path}", use.value.labels = FALSE, reencode = "UTF-8")
        values <- sort(as.numeric(attr(rows$drink, "value.labels")))
        cat(rows$drink, attr(rows, "variable.labels")[[1]], values, sep = "\n")
    """
    command = ["Rscript", "--vanilla", "-e", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 3:
        pytest.skip("this R has no foreign: Debian has it as r-cran-foreign")
    assert done.returncode == 0, done.stderr
    found = done.stdout.splitlines()
    codes, label, values = found[: CODES.size], found[CODES.size], found[CODES.size + 1 :]
    assert [CODES[place] if code == "NA" else int(code) for place, code in enumerate(codes)] == CODES.tolist()
    assert codes[:2] == ["1", "0"]
    assert label.startswith(f"Disguised: {LONG[:40]}")
    assert values == ["-9", "-8", "-7", "0", "1"]


def test_files_with_too_many_cells_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labelled_files, "MOST_FILE_CELLS", 5)
    with pytest.raises(SurveyError) as refusal:
        written(tmp_path, "sav")
    assert refusal.value.code == "too_large"


@pytest.mark.soak
@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["sav", "dta"])
def test_files_of_a_run_contain_the_rows_and_names_of_the_zip_file(tmp_path: Path, kind: FileKind) -> None:
    run = mined_run(everything(), Thresholds(support=0.1, max_size=1))
    path = exported(run, tmp_path, kind)
    where = unpacked(run, tmp_path)
    rows, about = (pyreadstat.read_sav if kind == "sav" else pyreadstat.read_dta)(path)
    codebook = records(where / "codebook.csv")
    names = {line["column"]: line["spss_stata_name"] for line in codebook}
    codes = {
        (line["column"], line["value"]): float(line["spss_stata_code"])
        for line in codebook
        if line["spss_stata_code"]
    }
    whole = pd.read_csv(where / "rows.csv", dtype=str)
    assert [names[column] for column in whole] == list(rows)
    # Each file has another random order, so compare counts of distinct rows.
    for column in whole:
        whole[column] = [
            np.nan if pd.isna(value) else codes[column, value] if (column, value) in codes else float(value)
            for value in whole[column]
        ]
    assert counted(whole) == counted(rows)
    notes = " ".join(about.notes)
    for said in (
        "A share, mean or table", run.design_id, run.version.wording_id, run.snapshot_digest,
        "60 times in 100, the device sends", "not asked", "skipped", "not answered",
    ):  # fmt: skip
        assert (said in notes) == (kind == "sav")
    assert about.file_label == FILE_LABEL
    assert about.column_names_to_labels["what_never"] == "Disguised: What? – never"
    event = AuditEvent.objects.filter(action="data_export").order_by("pk")[0]
    assert event.detail["file"] == kind


def counted(rows: pd.DataFrame) -> dict[tuple[float, ...], int]:
    lines = [tuple(line) for line in rows.astype(float).fillna(-1).to_numpy().tolist()]
    return {line: lines.count(line) for line in set(lines)}
