"""Tables of answers become the rows that devices send, and back; what no device sends is refused by row."""

import numpy as np
import pandas
import pytest

from mining.columns.row_writer import RowWriter
from mining.frames import table_rows as tables
from mining.frames.answer_kinds import number
from mining.frames.survey import Survey
from mining.frames.table_rows import frame_of
from privacy.survey.design import Design
from tests.fixtures.refusals import refused
from tests.mining.frames.surveys import RICH, WORK, rich_people

SENT = RICH.disguise(rich_people(400), seed=2)


def packed_reports(frame: pandas.DataFrame, design: Design) -> bytes:
    packed, lacking = tables.packed_reports(frame, design)
    assert not lacking.any()
    return packed


def test_rows_round_trip_bit_for_bit() -> None:
    packed = packed_reports(SENT, RICH.design)
    assert packed_reports(frame_of(packed, RICH.design), RICH.design) == packed
    assert SENT["money.asked"].str.split().map(len).eq(2).all()
    assert SENT.loc[SENT["work.skipped"] == 1, ["cheat", "perks=car", "job"]].isna().all(axis=None)


THREE = pandas.DataFrame({"cheat": [1, 0, 1], "drugs": [0, 0, 1], "debts": [1, 1, 0]})


@pytest.mark.parametrize(
    "written", [lambda v: "yes" if v else "no", lambda v: "Yes" if v else " NO", bool, float]
)
def test_yes_and_no_are_read_in_any_spelling(written: object) -> None:
    assert packed_reports(THREE.map(written), WORK.design) == packed_reports(THREE, WORK.design)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["category", "Int64", "boolean", "string", "object"])
def test_yes_and_no_are_read_from_every_pandas_type(kind: str) -> None:
    written = {"boolean": THREE.astype(bool), "string": THREE.replace({1: "Yes", 0: "no"})}
    frame = written.get(kind, THREE)
    assert packed_reports(frame.astype(kind), WORK.design) == packed_reports(THREE, WORK.design)


def lacking(cells: dict[str, object], survey: Survey = RICH) -> list[int]:
    """Return the rows that are left out if some cells are empty."""
    frame = survey.disguise(rich_people(400), seed=2) if survey is RICH else THREE
    for column, rows in cells.items():
        frame = frame.assign(**{column: frame[column].astype(object).where(~frame.index.isin(rows), None)})
    return np.flatnonzero(tables.packed_reports(frame, survey.design, drop=True)[1]).tolist()


def test_only_rows_missing_an_answer_are_omitted() -> None:
    answered = SENT.index[SENT["work.skipped"] == 0][:3].tolist()
    skipped = SENT.index[SENT["work.skipped"] == 1][:3].tolist()
    asked = SENT.index[SENT["money.asked"].str.contains("debts")][:3].tolist()
    assert lacking({}) == []
    assert lacking({"cheat": answered + skipped}) == answered
    assert lacking({"perks=car": answered[:1], "job": answered[1:]}) == answered
    assert lacking({"debts": asked}) == asked
    assert lacking({"pay": [5], "city": [6], "work.skipped": [7]}) == [5, 7]
    assert lacking({"cheat": [0], "debts": [0, 2]}, WORK) == [0, 2]


def test_an_option_is_identified_by_key_not_position() -> None:
    frame = SENT.assign(year=[1.0, 2.0] * 200)
    own = packed_reports(frame, RICH.design)
    assert packed_reports(frame.assign(year=["1", "2"] * 200), RICH.design) == own
    with refused("answers", "year", 0):
        packed_reports(frame.assign(year=[1, 0] * 200), RICH.design)
    assert "NA" in set(SENT.job)


def test_groups_are_read_by_name() -> None:
    survey = Survey(blocks={"b": ["a"]}, p=0.5, direct=True)
    frame = pandas.DataFrame({"a": [1, 0, 1, 0], "group": ["direct", "protected"] * 2})
    reports = survey.on(frame)
    assert (reports.matrix.n_direct, reports.matrix.n_protected) == (2, 2)
    assert survey.on(frame).share("a").value == pytest.approx(np.mean([1, -0.5, 1, -0.5]))
    with refused("frame", "group"):
        survey.on(frame.drop(columns="group"))
    with refused("answers", "both"):
        survey.on(frame.assign(group="both"))
    with refused("reports", 0):
        survey.on(frame.assign(group=None))


def test_impossible_reports_are_refused_by_row() -> None:
    table = SENT.set_index(pandas.Index([f"row{position}" for position in range(400)]))
    skipped = table.index[table["work.skipped"] == 1][0]
    for changed, named in (
        (table.assign(pay=None), "row0"),
        (table.assign(city=table.city.where(table.index != "row7")).assign(**{"work.skipped": 1}), "row"),
        (table.assign(**{"work.skipped": 0}), skipped),
    ):
        with refused("reports", named):
            packed_reports(changed, RICH.design)
    for column, value, code in (
        ("cheat", 2, "answers"),
        ("job", "boss", "answers"),
        ("pay", -1, "reports"),
        ("pay", "ten", "reports"),
        ("pay", 1.5, "reports"),
        ("pay", np.inf, "reports"),
        ("money.asked", "debts", "reports"),
        ("money.asked", "debts bribes", "answers"),
    ):
        with refused(code, value if column != "money.asked" else value.split()[-1]):
            packed_reports(table.assign(**{column: value}), RICH.design)
    with refused("frame", "cheat"):
        packed_reports(table.drop(columns="cheat"), RICH.design)
    with refused("frame"):
        packed_reports(table.iloc[:0], RICH.design)


def test_a_cell_that_no_device_sends_is_named_by_its_row_label() -> None:
    survey = Survey(blocks={"b": ["a"]}, p=0.5)
    frame = pandas.DataFrame({"a": [1, 0, 1]}, index=["first", "second", "third"])
    writer = RowWriter(survey.design)
    cells = np.array([[1], [0], [1]])
    assert tables.pack(cells, writer, frame) == writer.pack(cells)
    cells[1] = 2
    with refused("reports", "second"):
        tables.pack(cells, writer, frame)


def test_true_numbers_may_have_the_decimals_of_their_range() -> None:
    """Bins of half an hour: 2.5 hours are in the sixth, 3 and 3.4 in the seventh."""
    kind = number(low=0, high=9.9, bin=0.5, decimals=1, epsilon=20, mechanism="keep")
    survey = Survey(blocks={"hours": kind, "work": ["cheat"]}, p=0.5)
    sent = survey.disguise(pandas.DataFrame({"hours": [2.5, 3, 3.4], "cheat": 0}), seed=1)
    assert sent.hours.tolist() == [5, 6, 6]
