from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mining.columns.bitmatrix import BitMatrix
from mining.columns.row_writer import MISSING, UNSAID, RowWriter
from privacy.errors import PrivacyError
from privacy.survey.column_names import asked_name, group_name, skipped_name
from privacy.survey.design import Design
from privacy.survey.layout import Layout
from surveys.authoring import row_tables
from surveys.authoring.publish import survey_import
from surveys.authoring.rows_import import rows_import
from surveys.errors.error import SurveyError
from surveys.export.rows import Released, tables
from surveys.models import AuditEvent, Batch, Survey, Version
from surveys.questionnaire.definition import definition_parse
from tests.cast.drawn_exports import body_of, parts_in_turn, three_of_eight
from tests.cast.everyday import everyday_definition
from tests.cast.runs import definition
from tests.cast.strategies import rotating_designs, sent_bodies
from tests.mining.columns.counted import count

pytestmark = pytest.mark.django_db

COLUMNS = ["direct", "age=young", "age=old", "late", "cheat", "drink"]


def table(n: int) -> pd.DataFrame:
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(rng.integers(2, size=(n, 6)), columns=COLUMNS)
    frame["age=old"] = 1 - frame["age=young"]
    return frame


def put(tmp_path: Path, frame: pd.DataFrame, kind: str = "csv") -> Path:
    path = tmp_path / f"rows.{kind}"
    if kind == "csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_parquet(path, index=False)
    return path


def imported(path: Path) -> Version:
    return rows_import(definition(), path, by="alice", now=timezone.now()).version


def refused(path: Path) -> SurveyError:
    with pytest.raises(SurveyError) as refusal:
        imported(path)
    # Nothing half-imported: not a batch, not a survey, not a line of the audit log.
    assert (Batch.objects.count(), Survey.objects.count(), AuditEvent.objects.count()) == (0, 0, 0)
    return refusal.value


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_every_row_arrives_whatever_the_order_of_columns(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_tables, "ROWS_AT_A_TIME", 70)
    frame = table(200)
    version = imported(put(tmp_path, frame[COLUMNS[::-1]], kind))
    design = version.to_design()
    batches = list(Batch.objects.filter(version=version))
    assert [batch.n for batch in batches] == [70, 70, 60]
    matrix = BitMatrix.from_rows(design, [bytes(batch.packed) for batch in batches])
    for one in COLUMNS[1:]:
        for other in COLUMNS[1:]:
            both = frame[(frame[one] == 1) & (frame[other] == 1)]
            expected = [int((both["direct"] == 1).sum()), int((both["direct"] == 0).sum())]
            assert count(matrix, [(design.item(one).index, design.item(other).index)]).tolist() == [expected]
    survey = Survey.objects.get()
    assert (survey.state, survey.settled) == ("closed", True)
    assert AuditEvent.objects.filter(action="rows_import").get().detail == {"rows": 200, "batches": 3}


def test_rows_leave_the_order_of_the_file_behind(tmp_path: Path) -> None:
    frame = table(400).sort_values(COLUMNS)
    version = imported(put(tmp_path, frame))
    (batch,) = Batch.objects.filter(version=version)
    rows = np.frombuffer(bytes(batch.packed), dtype=np.uint8).reshape(400, -1).tolist()
    assert rows != sorted(rows)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("late", 2, "column late: is neither 0 nor 1 (2"),
        ("late", 0.5, "column late: is neither 0 nor 1 (0.5"),
        ("late", "yes", "column late: is neither 0 nor 1 (yes)"),
        ("drink", None, "column drink: is empty; write 0 or 1"),
        ("age=old", 1, "column age=young: belongs to a single choice"),
    ],
)
def test_a_wrong_cell_is_named_by_file_row_and_column(
    kind: str, column: str, value: Any, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_tables, "ROWS_AT_A_TIME", 70)
    frame = table(200).astype(object if kind == "csv" else str if value == "yes" else float)
    frame.loc[150, ["age=young", "age=old"]] = ("1", "0") if kind == "parquet" and value == "yes" else (1, 0)
    frame.loc[150, column] = value
    # The header is line 1 of a CSV file; a Parquet file has rows only.
    place = "line 152" if kind == "csv" else "row 151"
    assert f"rows.{kind}, {place}, {said}" in str(refused(put(tmp_path, frame, kind)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "rows.csv is empty; give a CSV file with a header"),
        ("\n", "lacks the columns 'direct'"),
        (";".join(COLUMNS) + "\n1;1;0;1;1;1\n", "rows.csv has semicolons between its columns; put commas"),
        ("\t".join(COLUMNS) + "\n", "rows.csv has tabs between its columns; put commas"),
        (",".join(COLUMNS[1:]) + "\n0,1,1,1,1\n", "rows.csv lacks the columns 'direct'"),
        (",".join([*COLUMNS, "name"]) + "\n", "has columns that the design does not know: 'name'"),
        (",".join([*COLUMNS, "late"]) + "\n", "names columns twice: 'late'"),
        (",".join(COLUMNS) + "\n", "rows.csv holds no row"),
        (
            ",".join(COLUMNS) + "\n1,1,0,1,1,1\n1,1,0,1,1,1,1\n",
            "line 3: cells in the row: 7, in the header: 6;",
        ),
        (",".join(COLUMNS) + "\n1,1,0,1,1,1\n1,1,0\n", "line 3: cells in the row: 3"),
        (",".join(COLUMNS) + "\n\n1,1,0,1,1,1\n", "line 2: cells in the row: 1"),
        (",".join(COLUMNS) + "\n1,1,0,1,1\n1,1,0,1,1,1,1\n", "line 2: cells in the row: 5"),
        (",".join(COLUMNS) + "\n1,1,0,1,1,1\n1,1,0,1,1,", "line 3, column drink: is empty"),
    ],
)
def test_a_file_of_another_shape_is_refused(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(text)
    assert said in str(refused(path))


@pytest.mark.parametrize(
    ("begins", "said"),
    [
        (b"PK\x03\x04", "rows.csv is a workbook, not a CSV file; save the sheet"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "rows.csv is a workbook, not a CSV file; save the sheet"),
        (b"PAR1", "rows.csv is a Parquet file by another name; let its name end in .parquet"),
        (b"\xff\xfed\x00", "rows.csv is written in UTF-16; save the sheet"),
    ],
)
def test_a_file_that_is_no_text_is_named_by_what_it_is(begins: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes(begins + b"\x00" * 30)
    assert said in str(refused(path))


def test_rows_are_the_same_however_their_lines_end_and_cells_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_tables, "ROWS_AT_A_TIME", 70)
    text = table(200).to_csv(index=False, float_format="%d")
    writer = RowWriter(definition_parse(definition()).design)
    plain = list(row_tables.row_tables(written(tmp_path, text), writer))
    assert sum(map(len, plain)) == 200
    for other in (text.replace("\n", "\r\n"), text.rstrip("\n"), "\ufeff" + text.replace(",1", ", 1")):
        cells = list(row_tables.row_tables(written(tmp_path, other), writer))
        assert (np.concatenate(cells) == np.concatenate(plain)).all()


def written(folder: Path, text: str) -> Path:
    path = folder / "rows.csv"
    path.write_bytes(text.encode())
    return path


def everyday() -> tuple[dict[str, Any], RowWriter]:
    document = {**everyday_definition(), "slug": "elsewhere", "practice": True}
    return document, RowWriter(definition_parse(document).design)


def sent(writer: RowWriter, n: int) -> pd.DataFrame:
    """Answers of every kind, every third one without an answer to the block that may be skipped."""
    rng = np.random.default_rng(12)
    frame = pd.DataFrame({name: rng.integers(2, size=n) for name in writer.columns}, dtype="Int64")
    for name, highest in zip(writer.columns, writer.highest, strict=True):
        if highest > 1:
            frame[name] = rng.integers(highest + 1, size=n)
    for question in writer.design.questions:
        if question.kind == "single":
            chosen = rng.integers(len(question.options), size=n)
            for place, option in enumerate(question.options):
                frame[f"{question.key}={option}"] = (chosen == place).astype(int)
    for block in writer.design.blocks:
        name = f"skipped:{block.key}"
        if name in frame:
            keys = {question.key for question in block.questions}
            own = [column for column in frame if str(column).split("=")[0] in keys]
            frame.loc[frame[name] == 1, own] = None
    return frame


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_numbers_and_places_arrive_as_they_were_sent(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_tables, "ROWS_AT_A_TIME", 70)
    document, writer = everyday()
    frame = sent(writer, 150)
    path = put(tmp_path, frame[list(writer.columns)[::-1]], kind)
    version = rows_import(document, path, by="alice", now=timezone.now(), reason="a trial").version
    design, layout = version.to_design(), Layout(version.to_design())
    packed = b"".join(bytes(batch.packed) for batch in Batch.objects.filter(version=version))
    assert len(packed) == 150 * layout.n_bytes
    records = [
        layout.unpack(packed[start : start + layout.n_bytes])
        for start in range(0, len(packed), layout.n_bytes)
    ]
    scales = [number for number, block in enumerate(design.blocks) if block.is_scale]
    keys = [design.blocks[number].questions[0].key for number in scales]
    arrived = [tuple(record.answers[number][0] for number in scales) for record in records]
    # A row that skips one has nothing there.
    given = [
        tuple(None if pd.isna(value) else value for value in row)
        for row in frame[keys].itertuples(index=False, name=None)
    ]
    assert sorted(arrived, key=str) == sorted(given, key=str)
    assert any(None in row for row in given)


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("care", 2068, "line 102, column care: is no whole number from 0 to 2067 (2068"),
        ("hours", 1.5, "line 102, column hours: is no whole number from 0 to 7 (1.5"),
        ("wage", -1, "line 102, column wage: is no whole number from 0 to 49 (-1"),
        ("care", "here", "line 102, column care: is no whole number from 0 to 2067 (here)"),
        ("hours", None, "line 102, column hours: is empty; write the number of what was sent"),
    ],
)
def test_a_number_that_no_device_sends_is_named_and_nothing_is_kept(
    column: str, value: Any, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_tables, "ROWS_AT_A_TIME", 70)
    document, writer = everyday()
    frame = sent(writer, 120).astype(object)
    frame.loc[100, ["hours", "wage", "care", "skipped:time", "skipped:pay", "skipped:places"]] = 0
    frame.loc[100, column] = value
    with pytest.raises(SurveyError) as refusal:
        rows_import(document, put(tmp_path, frame), by="alice", now=timezone.now(), reason="a trial")
    assert f"rows.csv, {said}" in str(refusal.value)
    assert (Batch.objects.count(), Survey.objects.count(), AuditEvent.objects.count()) == (0, 0, 0)


def test_a_file_that_is_no_table_is_refused(tmp_path: Path) -> None:
    for name in ("rows.csv", "rows.parquet"):
        path = tmp_path / name
        path.write_bytes(b"\xff\xfe\x00PAR1")
        assert refused(path).code in {"file", "columns"}
    assert refused(tmp_path / "nothing.csv").code == "file"
    # Lines that end as on an old Mac, and a name longer than any.
    for text in (table(3).to_csv(index=False, lineterminator="\r"), "z" * 200_000 + "\n1\n"):
        assert refused(written(tmp_path, text)).code == "file"


def test_a_row_without_an_end_is_refused_and_not_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_tables, "ROWS_AT_A_TIME", 20)
    row = "1,1,0,1,1,1"
    text = f"{','.join(COLUMNS)}\n{row}{' ' * 300}\n{row}\n"
    assert "rows.csv has a row of more than 240 bytes" in str(refused(written(tmp_path, text)))


@pytest.mark.parametrize("value", [pd.Timestamp(0), pd.Timedelta(0), [1], {"yes": 1}, b"x"])
def test_a_parquet_column_of_something_else_is_refused(value: Any, tmp_path: Path) -> None:
    frame = table(2)
    frame["late"] = pd.Series([value, value])
    assert "row 1, column late: is neither 0 nor 1" in str(refused(put(tmp_path, frame, "parquet")))


def test_the_command_imports_once_and_refuses_a_slug_that_is_taken(tmp_path: Path) -> None:
    path, design = put(tmp_path, table(120)), tmp_path / "definition.json"
    design.write_text(json.dumps(definition()))
    out = io.StringIO()
    call_command("import_rows", str(design), str(path), "--json", stdout=out)
    version = Version.objects.get()
    assert json.loads(out.getvalue()) == {"survey": "habits", "design_id": version.design_id, "rows": 120}
    with pytest.raises(CommandError, match="habits"):
        call_command("import_rows", str(design), str(path), stdout=out)
    assert Batch.objects.count() == 1


def test_a_draft_of_the_same_name_is_left_alone(tmp_path: Path) -> None:
    draft = survey_import(definition(), by="bob")
    with pytest.raises(SurveyError, match="the survey habits exists already"):
        imported(put(tmp_path, table(120)))
    draft.refresh_from_db()
    assert (draft.state, draft.versions.count()) == (Survey.State.DRAFT, 0)


def drawn_elsewhere(n: int, slug: str = "elsewhere") -> tuple[dict[str, Any], pd.DataFrame]:
    """Three of eight questions each, a part that may be skipped: its definition, and a table of answers."""
    document = three_of_eight(slug)
    design = definition_parse(document).design
    rng = random.Random(7)
    return document, taken_in(left(sent_by(design, rng, n), design), design)


def sent_by(design: Design, rng: random.Random, n: int) -> bytes:
    bodies = [body_of(design, rng) for _ in range(n)]
    return b"".join(body for body in bodies if body is not None)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("asked:eight", "q0 q1", "column asked:eight: is no set of 3 questions that a device draws of eight"),
        ("asked:eight", "q0 q1 q1", "column asked:eight: is no set of 3 questions"),
        ("asked:eight", "q0 q1 age", "column asked:eight: is no set of 3 questions"),
        ("asked:eight", "q5 q6 q7", "column q0: answers a question that asked:eight does not name"),
        ("asked:eight", None, "column q0: answers a question that asked:eight does not name"),
        ("q1", None, "column q1: is empty, though asked:eight names its question"),
    ],
)
def test_a_draw_that_no_device_makes_is_named(
    kind: str, column: str, value: Any, said: str, tmp_path: Path
) -> None:
    document, frame = drawn_elsewhere(30)
    answers = {f"q{number}": 1 if number < 3 else None for number in range(8)}
    for name, cell in {**answers, "skipped:eight": 0, "asked:eight": "q2 q0 q1", column: value}.items():
        frame.loc[12, name] = cell
    with pytest.raises(SurveyError) as refusal:
        rows_import(document, put(tmp_path, frame, kind), by="alice", now=timezone.now())
    place = "line 14" if kind == "csv" else "row 13"
    assert f"rows.{kind}, {place}, {said}" in str(refusal.value)
    assert Batch.objects.count() == 0


def test_a_part_that_was_skipped_says_which_questions_were_asked_or_the_file_is_refused(
    tmp_path: Path,
) -> None:
    document, frame = drawn_elsewhere(120)
    assert frame["skipped:eight"].sum() > 10
    with pytest.raises(SurveyError) as refusal:
        rows_import(
            document, put(tmp_path, frame.drop(columns="asked:eight")), by="alice", now=timezone.now()
        )
    assert "lacks the columns 'asked:eight'" in refusal.value.message
    assert "with blanks between their keys" in refusal.value.remedy
    empty = frame.assign(**{"asked:eight": frame["asked:eight"].mask(frame["skipped:eight"] == 1)})
    with pytest.raises(SurveyError, match="asked:eight: is empty") as refusal:
        rows_import(document, put(tmp_path, empty), by="alice", now=timezone.now())


def test_rows_of_more_parts_than_a_device_draws_are_refused(tmp_path: Path) -> None:
    document = parts_in_turn("turns-elsewhere")
    design = definition_parse(document).design
    rng = random.Random(5)
    frame = taken_in(left(sent_by(design, rng, 60), design), design)
    row = frame["w0"].notna().to_numpy().nonzero()[0][0]
    for name in ("b0", "often=never", "often=some", "often=much", "what=never", "what=some"):
        frame.loc[row, name] = int(name == "often=some")
    with pytest.raises(
        SurveyError, match=f"line {row + 2}: 3 of the blocks some, both, kinds, work are sent"
    ):
        rows_import(document, put(tmp_path, frame), by="alice", now=timezone.now(), reason="a trial")


def taken_in(exported: pd.DataFrame, design: Design) -> pd.DataFrame:
    """The rows of a data export as a table to take in: every column by its other name, choices as items."""
    frame = pd.DataFrame(index=exported.index)
    if group_name(design) in exported:
        frame["direct"] = (exported[group_name(design)] == "direct").astype("Int64")
    for block in design.blocks:
        for question in block.questions:
            if question.kind == "single":
                chosen = exported[question.key]
                for option in question.options:
                    frame[f"{question.key}={option}"] = (
                        (chosen == option).astype("Int64").mask(chosen.isna(), pd.NA)
                    )
            else:
                own = [f"{question.key}={option}" for option in question.options]
                for name in own if question.kind == "multi" else [question.key]:
                    frame[name] = exported[name].astype("Int64")
        if block.refusal is not None:
            frame[f"skipped:{block.key}"] = exported[skipped_name(block.key, design)]
        if block.is_rotating:
            frame[f"asked:{block.key}"] = exported[asked_name(block.key, design)].replace("", None)
    return frame


def left(packed: bytes, design: Design) -> pd.DataFrame:
    """Rows as a data export has them, here in their own order."""
    rows = np.frombuffer(packed, dtype=np.uint8).reshape(-1, Layout(design).n_bytes)
    released = Released(packed=rows, with_group=design.group.policy != "protected")
    return pd.concat([table.to_pandas(types_mapper=pd.ArrowDtype) for table in tables(released, design)])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_what_devices_send_leaves_and_is_taken_in_as_the_same_rows(
    data: st.DataObject, tmp_path: Path
) -> None:
    design = data.draw(rotating_designs())
    sent = b"".join(data.draw(st.lists(sent_bodies(design), min_size=1, max_size=8)))
    kind = data.draw(st.sampled_from(["csv", "parquet"]))
    writer = RowWriter(design)
    frame = taken_in(left(sent, design), design)
    assert set(frame) == set(writer.columns)
    # Of a part that may not be skipped the cells say what was asked.
    lacking = data.draw(st.sets(st.sampled_from(sorted(writer.optional)))) if writer.optional else set()
    path = put(tmp_path, frame.drop(columns=list(lacking)), kind)
    packed = b"".join(writer.pack(cells) for cells in row_tables.row_tables(path, writer))
    assert packed == sent
    assert left(packed, design).equals(left(sent, design))


@given(data=st.data())
def test_whatever_is_taken_in_is_what_a_device_could_send(data: st.DataObject) -> None:
    design = data.draw(rotating_designs())
    writer, layout = RowWriter(design), Layout(design)
    sent = b"".join(data.draw(st.lists(sent_bodies(design), min_size=1, max_size=4)))
    cells = cells_of(writer, sent)
    wrong = st.tuples(
        st.integers(0, len(cells) - 1), st.integers(0, len(writer.columns) - 1), st.integers(-2, 2)
    )
    for row, column, value in data.draw(st.lists(wrong, max_size=4)):
        cells[row, column] = value
    try:
        packed = writer.pack(cells)
    except PrivacyError:
        return
    for start in range(0, len(packed), layout.n_bytes):
        layout.unpack(packed[start : start + layout.n_bytes])
    # Nothing is filled in: all that was said can be read again.
    said = cells != UNSAID
    assert (cells_of(writer, packed)[said] == cells[said]).all()


def cells_of(writer: RowWriter, packed: bytes) -> NDArray[np.int64]:
    """Cells of rows, by way of their export."""
    frame = taken_in(left(packed, writer.design), writer.design)
    cells = np.full((len(frame), len(writer.columns)), MISSING, dtype=np.int64)
    for position, name in enumerate(writer.columns):
        column = frame[name]
        if (block := writer.rotating.get(name)) is not None:
            places = {question.key: place for place, question in enumerate(block.questions)}
            column = column.map(
                lambda keys, block=block, places=places: (
                    MISSING if pd.isna(keys) else block.booklet_number(places[key] for key in keys.split())
                )
            )
        cells[:, position] = column.astype("Int64").fillna(MISSING)
    return cells
