"""Columns that devices send are recognised, so that a report is never read as missing."""

import pandas as pd

from mining.frames.answer_kinds import number, one_of
from mining.frames.report_columns import report_columns, with_levels
from mining.frames.survey import Survey


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


def test_options_of_open_questions_keep_the_order_of_the_design() -> None:
    survey = Survey(blocks={"work": ["cheat"]}, p=0.5, open={"place": one_of("work", "home", "away")})
    frame = pd.DataFrame({"place": ["home", "work"], "sex": ["f", "m"]})
    levels = with_levels(frame, ["place", "sex"], survey.design, survey.names)
    assert [*levels["place"].cat.categories] == ["work", "home", "away"]
    assert levels["sex"].tolist() == ["f", "m"]
