"""Rows with a number that is stored as answered: their figures are those of the answers themselves."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from mining.columns.bitmatrix import BitMatrix
from mining.columns.counting import CountCache
from mining.columns.row_patterns import observe, sent_counts, with_open_numbers
from mining.columns.row_writer import RowWriter, impossible_rows
from mining.frames.plan import number
from mining.frames.survey import Survey
from mining.itemsets import large_crosses
from privacy.risk.data_audit import audit_rows
from privacy.scales.numeric_mechanisms import as_answered
from privacy.scales.window import NumberRange
from privacy.survey.design import Design
from tests.fixtures.refusals import refused
from tests.vectors.designs import CHOICE, live, opened, shielded, yes_no
from tests.vectors.scale_designs import open_number

HOURS = replace(as_answered(NumberRange(low=0, high=24)), spans=((0, 5), (9, 24)))
DESIGN = live(
    open_number("sleep", HOURS, "short", "long"),
    opened("you", yes_no("city")),
    shielded("a", 6000, yes_no("affair", 5000)),
)
SLEEP_RNG = np.random.default_rng(5)
N = 400
SLEEP = np.where(SLEEP_RNG.random(N) < 0.1, -1, SLEEP_RNG.binomial(24, 0.3, N))
CITY = SLEEP_RNG.integers(0, 2, N)


def packed(design: Design = DESIGN) -> bytes:
    cells = [SLEEP, CITY, SLEEP_RNG.integers(0, 2, N)]
    if design.group == CHOICE:
        cells.insert(0, SLEEP_RNG.integers(0, 2, N))
    return RowWriter(design).pack(np.stack(cells, axis=1))


def test_rows_accept_every_possible_value_and_none_out_of_range() -> None:
    rows = packed()
    assert impossible_rows(DESIGN, rows) is None
    with refused("cell"):
        RowWriter(DESIGN).pack(np.array([[25, 0, 0]]))


@pytest.mark.parametrize("design", [DESIGN, replace(DESIGN, group=CHOICE)])
def test_undisguised_values_and_ranges_are_counted_as_answered(design: Design) -> None:
    rows = packed(design)
    sent = sent_counts(design, 0, rows)
    assert (sent.direct + sent.protected).tolist() == np.bincount(SLEEP[SLEEP >= 0], minlength=25).tolist()
    cache = CountCache(BitMatrix.from_rows(design, rows))
    columns = [(0,), (1,), (design.asked_column(0),)]
    counts = cache.need(columns)
    wanted = [(SLEEP >= 0) & (SLEEP <= 5), SLEEP >= 9, SLEEP >= 0]
    assert [sum(counts[column]) for column in columns] == [int(own.sum()) for own in wanted]


@pytest.mark.parametrize("design", [DESIGN, replace(DESIGN, group=CHOICE)])
def test_people_with_a_unique_number_are_found(design: Design) -> None:
    rows = packed(design)
    observed = with_open_numbers(observe(BitMatrix.from_rows(design, rows)), design, rows)
    _pairs, people = np.unique(np.stack([SLEEP, CITY]), axis=1, return_counts=True)
    assert sorted(observed.open.sum(axis=1)) == sorted(people)
    audit = audit_rows(design, {"affair": [5000]}, observed)
    assert audit.open.unique == int((people == 1).sum()) > 0


def test_designs_without_open_numbers_are_left_unchanged() -> None:
    design = live(*DESIGN.blocks[1:])
    rows = RowWriter(design).pack(np.stack([CITY, CITY], axis=1))
    observed = observe(BitMatrix.from_rows(design, rows))
    assert with_open_numbers(observed, design, iter([])) is observed


def test_values_outside_all_ranges_count_as_one_more_answer() -> None:
    """Short and long sleepers are many in both groups; of those between, one lives in the city."""
    items = np.zeros((41, 4), dtype=bool)
    items[:20, 0] = items[20:40, 1] = True
    items[:10, 2] = items[20:30, 2] = True
    items[40, 2] = True
    for own, large in ((items, False), (items[:40], True)):
        matrix = BitMatrix.from_booleans(DESIGN, own, np.zeros(len(own), dtype=bool))
        assert large_crosses(CountCache(matrix), DESIGN, [(0, 2)], 10) == [large]


def test_means_and_shares_of_open_numbers_match_the_answers() -> None:
    survey = Survey(
        blocks={"a": ["affair"]},
        p=0.6,
        open={
            "sleep": number(low=0, high=24, items=[{"key": "short", "from": 0, "to": 5}]),
            "city": None,
            "grade": number(low=1, high=6),
        },
    )
    assert [block.key for block in survey.design.blocks] == ["sleep", "open", "grade", "a"]
    truth = pd.DataFrame(
        {"sleep": SLEEP, "city": CITY, "grade": SLEEP_RNG.integers(1, 7, N), "affair": CITY}
    ).replace({"sleep": {-1: None}})
    sent = survey.disguise(truth, seed=1)
    assert (sent.sleep.dropna() == SLEEP[SLEEP >= 0]).all()
    assert (sent.grade == truth.grade - 1).all()
    reports = survey.on(sent)
    assert reports.mean("sleep").value == pytest.approx(SLEEP[SLEEP >= 0].mean())
    assert reports.mean("grade").value == pytest.approx(truth.grade.mean())
    assert reports.share("sleep=short").value == pytest.approx((SLEEP[SLEEP >= 0] <= 5).mean())
    with refused("disguise", "sleep"):
        Survey(blocks={"sleep": number(low=0, high=24)})
    with refused("disguise", "sleep"):
        Survey(blocks={"a": ["b"]}, p=0.5, open={"sleep": number(low=0, high=24, epsilon=2)})
