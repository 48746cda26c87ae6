"""Columns that devices send are recognised, so that a report is never read as missing."""

import pandas as pd

from mining.frames.answer_kinds import number, one_of
from mining.frames.report_columns import (
    number_columns,
    report_columns,
    values_by_line,
    with_levels,
    with_line_columns,
)
from mining.frames.survey import Survey
from tests.vectors.designs import live, shielded, yes_no


def test_yes_no_columns_know_their_reports_and_all_others_stay() -> None:
    survey = Survey(
        blocks={"work": ["cheat"], "pay": number(low=0, high=9, epsilon=2)}, p=0.5, skip={"work": 0.1}
    )
    found = report_columns(survey.design, survey.names)
    assert found["pay"] is found["group"] is None
    for name in ("cheat", "work.skipped"):
        is_report = found[name]
        assert is_report is not None
        assert [is_report(value) for value in ("Yes", 0, True, "NA", -9)] == [True, True, True, False, False]


def test_only_columns_of_numbers_are_known_to_be_numbers() -> None:
    """Options can look like numbers, too."""
    survey = Survey(
        blocks={"work": ["cheat"], "pay": number(low=0, high=9, epsilon=2)},
        p=0.5,
        open={"born": one_of("1990", "2000")},
    )
    assert number_columns(survey.design, {}) == {"pay": "numeric"}
    assert number_columns(survey.design, {"pay": "code"}) == {"code": "numeric"}


def test_options_of_open_questions_keep_the_order_of_the_design() -> None:
    survey = Survey(blocks={"work": ["cheat"]}, p=0.5, open={"place": one_of("work", "home", "away")})
    frame = pd.DataFrame({"place": ["home", "work"], "sex": ["f", "m"]})
    levels = with_levels(frame, ["place", "sex"], survey.design, survey.names)
    assert [*levels["place"].cat.categories] == ["work", "home", "away"]
    assert levels["sex"].tolist() == ["f", "m"]


def test_values_of_several_options_are_given_for_all_or_one_by_one() -> None:
    design = live(
        shielded("b", 5000, yes_no("perks_car", 5000), yes_no("perks_flat", 5000), yes_no("late", 5000))
    )
    keys = {"perks=car": "perks_car", "perks=flat": "perks_flat"}
    assert values_by_line({"perks": 0.2, "late": 0.5}, design, keys) == {
        "perks=car": 0.2, "perks=flat": 0.2, "late": 0.5
    }  # fmt: skip
    one_by_one = {"perks": {"car": 0.1, "boat": 0.3}}
    assert values_by_line(one_by_one, design, keys) == {"perks=car": 0.1, "perks=boat": 0.3}
    assert values_by_line({"other": 0.2}, design, keys) == {"other": 0.2}


def test_columns_of_options_are_renamed_if_the_design_has_only_their_keys() -> None:
    design = live(shielded("b", 5000, yes_no("perks_car", 5000), yes_no("late", 5000)))
    frame = pd.DataFrame({"perks=car": [1], "late": [0], "a=b": [3]})
    assert list(with_line_columns(frame, design, {}).columns) == ["perks_car", "late", "a=b"]
    assert with_line_columns(frame, design, {"perks_car": "perks=car"}) is frame
