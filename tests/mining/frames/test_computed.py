"""Composite questions in the library: planned as ordinary questions, computed from true columns."""

import numpy as np
import pandas
import pytest

import sottovoce
from mining.frames.computed import _given, with_computed_columns
from privacy.errors import PrivacyError
from privacy.survey.composite_parts import Use
from tests.vectors.composite_designs import DESIGNS, TOGETHER

ACTS = [f"act{number}" for number in range(1, 11)]
ANY = sottovoce.at_least(1, ACTS)
ITEMS = {f"item{number}": (0, 1, 2, 3) for number in range(1, 8)}
LEVELS = sottovoce.score(ITEMS, {"low": None, "middle": 7, "high": 14})
ALONE = {"acts": {"any": ANY}}
SKIP = {"acts": 0.2}


def half_widths(survey: sottovoce.Survey, people: int, guesses: object, **wanted: object) -> list[float]:
    plan = survey.plan(people, guesses=guesses, **wanted)  # type: ignore[arg-type]
    return [round(100 * width, 1) for width in plan.to_frame().half_width]


@pytest.mark.parametrize(
    ("share", "without", "with_skip"), [(0.5, 9.4, 10.1), (0.3, 9.2, 9.7), (0.1, 8.3, 8.7)]
)
def test_at_least_one_of_ten_alone_has_the_width_of_one_question(
    share: float, without: float, with_skip: float
) -> None:
    assert half_widths(sottovoce.Survey(ALONE, p=0.5), 300, share) == [without]
    assert half_widths(sottovoce.Survey(ALONE, p=0.5, skip=SKIP), 300, share) == [with_skip]


@pytest.mark.parametrize("others", [2, 3, 4, 5])
def test_a_starred_composite_keeps_its_width_next_to_other_questions(others: int) -> None:
    questions = {"any": ANY, **dict.fromkeys(f"q{number}" for number in range(others))}
    for skip, width in (({}, 9.2), ({"acts": 0.2}, 9.7)):
        survey = sottovoce.Survey({"acts": questions}, p=0.5, skip=skip)
        assert half_widths(survey, 300, 0.3, wanted=("any",))[0] == width


def test_three_levels_alone() -> None:
    for skip, low, high in (({}, 10.7, 11.3), ({"scores": 0.2}, 11.2, 12.0)):
        survey = sottovoce.Survey({"scores": {"level": LEVELS}}, p=0.5, skip=skip)
        found = []
        for shares in ((1 / 3, 1 / 3, 1 / 3), (0.5, 0.3, 0.2), (0.7, 0.2, 0.1)):
            names = [f"level={option}" for option in LEVELS.options]
            found.append(max(half_widths(survey, 300, dict(zip(names, shares, strict=True)))))
        assert low <= min(found)
        assert max(found) <= high, found


def test_three_forms_with_a_skip() -> None:
    forms = {f"form{number}": sottovoce.at_least(1, [f"f{number}a", f"f{number}b"]) for number in range(3)}
    survey = sottovoce.Survey({"forms": forms}, p=0.5, skip={"forms": 0.2})
    assert half_widths(survey, 300, 0.5) == [10.1] * 3


def test_six_questions_and_eight_boxes_as_yes_or_no() -> None:
    questions = [f"q{number}" for number in range(14)]
    for skip, width in (({}, 17.3), ({"all": 0.2}, 18.4)):
        survey = sottovoce.Survey({"all": questions}, p=0.5, skip=skip)
        assert max(half_widths(survey, 400, 0.5)) == pytest.approx(width, abs=0.2)


def test_the_planned_design_keeps_the_rule_and_its_format() -> None:
    plan = sottovoce.Survey(ALONE, p=0.5, skip=SKIP).plan(300, guesses=0.3)
    (question,) = plan.survey.design.questions
    assert question.computed == ANY.computed
    assert plan.survey.design.mechanism == 7
    (block,) = plan.survey.design.blocks
    assert (block.truth_probability, block.refusal) == (5581, 1579)
    assert plan.promise.one_of_100 == 80


def test_disguise_computes_from_true_columns_and_marks_skips() -> None:
    rng = np.random.default_rng(84)
    truth = pandas.DataFrame({act: (rng.random(4000) < 0.05).astype(float) for act in ACTS})
    truth.loc[:99, ACTS[:3]] = np.nan  # Three gaps of ten are too many.
    truth.loc[100:199, ACTS[:2]] = np.nan
    survey = sottovoce.Survey(ALONE, p=0.5581, skip={"acts": 0.1579})
    computed = with_computed_columns(truth, survey.design, {})
    expected = truth.fillna(0).any(axis=1).astype(int)
    assert list(computed["any"][100:]) == list(expected[100:])
    assert list(computed["acts.skipped"]) == [1] * 100 + [0] * 3900
    reports = survey.disguise(truth, seed=1)
    assert not {*ACTS} & {*reports.columns}
    share = survey.on(reports).share("any")
    low, high = share.interval()
    assert low < expected[100:].sum() / 4000 < high


def test_a_frame_with_its_own_column_is_used_as_it_is() -> None:
    frame = pandas.DataFrame({"any": [1, 0, 1]})
    survey = sottovoce.Survey(ALONE, p=0.5)
    assert with_computed_columns(frame, survey.design, {}) is frame
    assert list(survey.disguise(frame, seed=3).columns) == ["any"]


def test_an_open_column_moves_the_cut_off() -> None:
    design = DESIGNS["AUDIT-C"]
    assert Use(question="sex", points=(("woman", 1),)) in design.questions[1].computed.uses  # type: ignore[union-attr]
    frame = pandas.DataFrame({"sex": ["woman", "man"], "drink1": [2, 2], "drink2": [1, 1], "drink3": [0, 0]})
    assert list(with_computed_columns(frame, design, {})["risky"]) == [1, 0]


def test_too_many_gaps_and_wrong_answers_are_refused() -> None:
    survey = sottovoce.Survey(ALONE, p=0.5)
    for value, case in ((np.nan, "computed.gaps"), (2.0, "answers.value"), (0.5, "answers.value")):
        frame = pandas.DataFrame({key: [value] for key in ACTS})
        with pytest.raises(PrivacyError) as refusal:
            survey.disguise(frame, seed=1)
        assert refusal.value.case == case
    with pytest.raises(PrivacyError):
        survey.disguise(pandas.DataFrame({"act1": [1]}), seed=1)


@pytest.mark.parametrize(
    ("make", "case"),
    [
        (lambda: sottovoce.at_least(11, ACTS), "whole.range"),
        (lambda: sottovoce.at_least(0, ACTS), "whole.range"),
        (lambda: sottovoce.at_least(1, "hit", "hit"), "twice"),
        (lambda: sottovoce.at_least(0, []), "computed.components"),
        (lambda: sottovoce.score(["a", "b"], 1), "blocks.points"),
        (lambda: sottovoce.score({"a": ("0", "1")}, 1), "whole.kind"),
        (lambda: sottovoce.score({"a": (0, 1)}, {"low": None, "high": None}), "computed.no_start"),
        (lambda: sottovoce.score({"a b": (0, 1)}, 1), "key"),
    ],
)
def test_invalid_rules_are_refused(make: object, case: str) -> None:
    with pytest.raises(PrivacyError) as refusal:
        make()  # type: ignore[operator]
    assert refusal.value.case == case


def test_yes_no_components_may_be_texts_and_booleans() -> None:
    survey = sottovoce.Survey({"acts": {"any": sottovoce.at_least(1, "hit", "kicked")}}, p=0.5)
    truth = pandas.DataFrame({"hit": ["no", "Yes", "no"], "kicked": [False, False, True]})
    assert with_computed_columns(truth, survey.design, {})["any"].tolist() == [0, 1, 1]
    with pytest.raises(PrivacyError, match="maybe"):
        survey.disguise(truth.assign(hit="maybe"), seed=1)


def test_a_shared_filter_is_one_column_for_all_questions_that_contain_it() -> None:
    own = TOGETHER["two follow-ups of one filter"]
    truth = pandas.DataFrame({"ever": [0, 1, 1], "hit-often": [1, 1, 0], "kicked-often": [1, 0, 1]})
    found = with_computed_columns(truth, own, {})
    assert found["hit"].tolist() == ["never", "often", "once"]
    assert found["kicked"].tolist() == ["never", "once", "often"]


def test_whole_numbers_are_given_as_integers() -> None:
    found = _given(pandas.Series([2.0, 1.5, None]), "number")
    assert found == [2, 1.5, None]
    assert [type(value) for value in found] == [int, float, type(None)]
