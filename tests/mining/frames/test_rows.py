"""What analyses read from disguised rows."""

import numpy as np
import pandas
import pytest

from mining.frames.answer_kinds import number
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
