"""What analyses read from disguised rows."""

import numpy as np
import pandas
import pytest

from mining.columns.sent_values import read_sent_values
from mining.frames.answer_kinds import number
from mining.frames.rows import DisguisedRows
from mining.frames.survey import Survey
from tests.fixtures.refusals import refused

SURVEY = Survey(
    blocks={"pay": number(low=0, high=29, bin=10, epsilon=2), "work": ["cheat", "drugs"]}, p=0.5,
    skip={"pay": 0.4},
)  # fmt: skip
TRUTH = pandas.DataFrame({"pay": [0, 10, 20, None] * 50, "cheat": [0, 1] * 100, "drugs": 0})
TRUTH["pay.skipped"] = TRUTH.pay.isna()
ROWS = SURVEY.on(
    SURVEY.disguise(TRUTH, seed=1).assign(w=1.5, town=[*"ab"] * 100, member=["yes", "no"] * 100), weights="w"
)


def test_scores_of_a_number_are_in_its_unit() -> None:
    scores, asked = ROWS.number_scores("pay")
    assert asked.all()
    assert scores.may_be_skipped
    assert ROWS.range_of("pay") == (4.5, 24.5)
    # Hybrid sends three bins and both ends; "skipped" is the sixth output.
    assert len(np.unique(np.stack([scores.total, scores.answered]).round(9), axis=1).T) == 6


def test_scores_of_an_item_are_unbiased_for_it() -> None:
    scores, _ = ROWS.item_scores("cheat")
    assert sorted({float(own) for own in scores}) == pytest.approx([-0.5, 1.5])


def test_an_undisguised_column_is_read_as_yes_and_no() -> None:
    member, known = ROWS.yes_no_column("member", None)
    assert member.tolist() == [1, 0] * 100
    assert known.all()
    town, _ = ROWS.yes_no_column("town", "b")
    assert town.tolist() == [0, 1] * 100


def test_names_are_read_or_refused() -> None:
    assert ROWS.items_of(["drugs", "cheat"]) == tuple(sorted(ROWS.items_of(["cheat", "drugs"])))
    with refused("itemset", "cheat & cheat"):
        ROWS.items_of(["cheat", "cheat"])
    with refused("reports", "int"):
        ROWS.key_of(3)  # type: ignore[arg-type]
    with refused("reports", "'cheat'"):
        ROWS.number_scores("cheat")
    assert ROWS.mass is not None
    assert ROWS.mass.tolist() == [1.5] * 200
    assert ROWS.units is None


def test_scores_of_a_number_average_to_its_bin_and_those_of_a_skip_to_0() -> None:
    """Weighted with the probabilities of the reports, for each of three bins and for a skip."""
    skipping = SURVEY.design.blocks[0].skipping
    assert skipping is not None
    channel = skipping.channel.as_array()
    sent, _ = read_sent_values(
        SURVEY.design, 0, np.frombuffer(ROWS.packed, dtype=np.uint8).reshape(ROWS.n, -1)
    )
    scores, _ = ROWS.number_scores("pay")
    first = [np.flatnonzero(sent == report)[0] for report in range(len(channel))]
    assert scores.total[first] @ channel == pytest.approx([4.5, 14.5, 24.5, 0], abs=1e-9)
    assert scores.answered[first] @ channel == pytest.approx([1, 1, 1, 0], abs=1e-9)


def test_rows_of_the_direct_group_are_flagged() -> None:
    survey = Survey(blocks={"b": ["took"]}, p=0.5, light=0.8)
    sent = pandas.DataFrame({"took": [0, 1, 1, 0], "group": ["direct", "direct", "protected", "protected"]})
    assert survey.on(sent).direct.tolist() == [True, True, False, False]


def test_reports_that_contradict_the_design_are_refused_at_once() -> None:
    """With p = .5, at most 3 in 4 of 1,000 rows say yes."""
    with refused("misfit", "1,000 of 1,000", "25 and 75 of 100"):
        Survey(blocks={"b": ["took"]}, p=0.5).on(pandas.DataFrame({"took": [1] * 1000}))


def test_a_direct_row_without_any_answer_is_flagged() -> None:
    """The first bit of a body is that of the group, whatever the others say."""
    survey = Survey(blocks={"b": ["took"]}, p=0.5, light=0.8)
    sent = pandas.DataFrame({"took": [0, 1, 1, 0], "group": ["direct", "direct", "protected", "protected"]})
    rows = DisguisedRows(design=survey.design, packed=bytes([0x80, 0x7F, 0xFF, 0x00]), frame=sent)
    assert rows.direct.tolist() == [True, False, True, False]
