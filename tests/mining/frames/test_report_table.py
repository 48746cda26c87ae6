"""A table of reports becomes the rows that devices sent, and they become the table again."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

from mining.frames.report_table import frame_of, packed_reports
from mining.frames.survey import Survey
from tests.fixtures.refusals import refused
from tests.mining.frames.surveys import RICH, WORK, rich_people

SENT = RICH.disguise(rich_people(400), seed=2)


def test_rows_come_back_bit_for_bit() -> None:
    packed = packed_reports(SENT, RICH.design)
    assert packed_reports(frame_of(packed, RICH.design), RICH.design) == packed
    assert SENT["money.asked"].str.split().map(len).eq(2).all()
    assert SENT.loc[SENT["work.skipped"] == 1, ["cheat", "perks=car", "job"]].isna().all(axis=None)


@pytest.mark.parametrize("written", [lambda v: "yes" if v else "no", bool, float])
def test_yes_and_no_are_read_however_they_are_written(written: object) -> None:
    frame = pandas.DataFrame({"cheat": [1, 0, 1], "drugs": [0, 0, 1], "debts": [1, 1, 0]})
    assert packed_reports(frame.map(written), WORK.design) == packed_reports(frame, WORK.design)  # type: ignore[arg-type]


def test_an_option_is_its_key_and_never_its_position() -> None:
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


def test_what_no_device_sends_is_refused_by_its_row() -> None:
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
        ("money.asked", "debts", "reports"),
        ("money.asked", "debts bribes", "answers"),
    ):
        with refused(code, value if column != "money.asked" else value.split()[-1]):
            packed_reports(table.assign(**{column: value}), RICH.design)
    with refused("frame", "cheat"):
        packed_reports(table.drop(columns="cheat"), RICH.design)
    with refused("frame"):
        packed_reports(table.iloc[:0], RICH.design)
