"""Regression over a run's rows: counts agree with the rows; minimum counts; refusals."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from mining.columns.bitmatrix import BitMatrix
from privacy.estimation.withheld import NOTHING
from privacy.survey.design import Block, Design, GroupPolicy, Question
from surveys.errors.error import SurveyError
from surveys.runs import regression
from surveys.runs.disclosure import Disclosure, disclosure
from surveys.runs.regression import Model, _counts, item_regression, latent_items, open_predictors
from surveys.runs.releasable_rows import ReleasableRows


def yes_no(key: str, *unrelated: int) -> Question:
    return Question(key=key, kind="yes_no", options=(), unrelated=unrelated)


def block(key: str, *questions: Question, p: int = 6000, refusal: int | None = None) -> Block:
    protected = bool(questions[0].unrelated)
    return Block(
        key=key,
        protected=protected,
        truth_probability=p if protected else 10_000,
        refusal=refusal,
        questions=questions,
        light=9000 if protected else None,
    )


AGE = Question(key="age", kind="single", options=("young", "middle", "old"), unrelated=())
JOB = Question(key="job", kind="single", options=("none", "some"), unrelated=(7000, 3000))
DESIGN = Design(
    blocks=(
        block("you", AGE, yes_no("nurse")),
        block("work", yes_no("late", 5000), yes_no("cheat", 4000), JOB, refusal=500),
        block("life", yes_no("drink", 5000)),
        block("home", yes_no("smoke", 3000), p=7000, refusal=1000),
    ),
    group=GroupPolicy(policy="choice"),
    use="live",
)
ITEM = {item.key: item.index for item in DESIGN.items}
YOUNG, NURSE = DESIGN.question_number("age"), DESIGN.question_number("nurse")


def table(n: int, *, seed: int = 3, rare: int = 0) -> tuple[BitMatrix, dict[str, np.ndarray], np.ndarray]:
    """Return simulated rows with some open answers missing and some parts skipped, and their reports."""
    rng = np.random.default_rng(seed)
    direct = rng.random(n) < 0.3
    ages = rng.integers(0, 2, size=n)
    ages[:rare] = 2
    said = {f"age={name}": ages == place for place, name in enumerate(("young", "middle", "old"))}
    said["nurse"] = rng.random(n) < 0.4
    answered = {key: rng.random(n) < share for key, share in (("work", 0.9), ("life", 1.1), ("home", 0.8))}
    for key, of in (("late", "work"), ("cheat", "work"), ("drink", "life"), ("smoke", "home")):
        said[key] = (rng.random(n) < 0.4 + 0.2 * said["nurse"]) & answered[of]
    has_job = rng.random(n) < 0.5
    said["job=none"], said["job=some"] = ~has_job & answered["work"], has_job & answered["work"]
    asked = np.ones((n, len(DESIGN.questions)), dtype=bool)
    asked[:, NURSE] = rng.random(n) < 0.95
    said["nurse"] &= asked[:, NURSE]
    matrix = BitMatrix.from_booleans(
        DESIGN,
        np.column_stack([said[item.key] for item in DESIGN.items]),
        direct,
        is_asked=asked,
        has_answer=np.column_stack([asked[:, 0] & asked[:, NURSE], *answered.values()]),
    )
    return matrix, said | {f"{key} answered": bits for key, bits in answered.items()}, direct


def rows_of(matrix: BitMatrix, shown: Disclosure | None = None) -> ReleasableRows:
    version: Any = None
    return ReleasableRows(
        version=version,
        matrix=matrix,
        precomputed=None,
        disclosure=shown or disclosure(n=matrix.n, practice=False),
        reports=matrix,
        withheld=NOTHING,
    )


def reports_of(said: dict[str, np.ndarray], key: str, part: str) -> list[np.ndarray]:
    """Return masks of "no", "yes" and, for a skippable block, "skipped"."""
    answers = said[f"{part} answered"]
    return [answers & ~said[key], said[key]] + ([] if part == "life" else [~answers])


@pytest.mark.parametrize(
    ("model", "parts"),
    [
        (Model(response=ITEM["cheat"], disguised=None, questions=(YOUNG,)), [("cheat", "work")]),
        (
            Model(response=ITEM["drink"], disguised=ITEM["smoke"], questions=()),
            [("smoke", "home"), ("drink", "life")],
        ),
        (
            Model(response=ITEM["smoke"], disguised=ITEM["drink"], questions=()),
            [("drink", "life"), ("smoke", "home")],
        ),
    ],
)
def test_rows_are_counted_by_the_reports_of_each_part(model: Model, parts: list[tuple[str, str]]) -> None:
    matrix, said, direct = table(900)
    answers, reports = latent_items(DESIGN, model.response, model.disguised)
    found = _counts(rows_of(matrix), reports, ())
    expected = [np.ones(900, dtype=bool)]
    for key, part in parts:
        expected = [bits & own for bits in expected for own in reports_of(said, key, part)]
    assert answers.channels.shape[:2] == (2, len(expected))
    assert found.tolist() == [[(bits & direct).sum(), (bits & ~direct).sum()] for bits in expected]
    assert found.sum() == 900


@pytest.mark.parametrize(("before", "response"), [("late", "cheat"), ("job=some", "late")])
def test_two_items_of_one_part_are_counted_jointly(before: str, response: str) -> None:
    matrix, said, direct = table(900)
    model = Model(response=ITEM[response], disguised=ITEM[before], questions=())
    answers, reports = latent_items(DESIGN, model.response, model.disguised)
    z, y, own = said[before], said[response], said["work answered"]
    expected = [own & ~z & ~y, own & ~z & y, own & z & ~y, own & z & y, ~own]
    found = _counts(rows_of(matrix), reports, ())
    assert found.tolist() == [[(bits & direct).sum(), (bits & ~direct).sum()] for bits in expected]
    # Lightly disguised rows first: p0 + (1 - p0) q, where q is the decoys' "no, no"; 5% skip.
    q = (0.95 * 0.5 * 0.6) if before == "late" else (0.95 * 0.7 * 0.5)
    assert answers.channels[:, 0, 0] == pytest.approx([0.9 + 0.1 * q, 0.6 + 0.4 * q])


def test_an_open_answer_with_few_people_is_refused() -> None:
    model = Model(response=ITEM["drink"], disguised=None, questions=(YOUNG,))
    matrix, _, _ = table(3_000, rare=9)
    with pytest.raises(SurveyError, match="Fewer than 10 people"):
        item_regression(rows_of(matrix), model)
    matrix, _, _ = table(3_000, rare=0)
    # No respondent is old, so this answer is left out.
    found = item_regression(rows_of(matrix), model)
    assert found.predictors[0].answers == (ITEM["age=young"], ITEM["age=middle"])
    assert found.n == 3_000


def test_small_cells_are_checked_across_an_open_response_and_predictors() -> None:
    matrix, _, _ = table(3_000, rare=18)
    model = Model(response=ITEM["nurse"], disguised=ITEM["drink"], questions=(YOUNG,))
    with pytest.raises(SurveyError, match="Fewer than 10 people"):
        item_regression(rows_of(matrix), model)
    of_practice = rows_of(matrix, disclosure(n=3_000, practice=True))
    # A practice survey promises nothing and hides nothing.
    found = item_regression(of_practice, model)
    assert len(found.predictors[0].answers) == 3
    # Shares by age, and by the disguised answer: if all said no, if all said yes.
    assert {question: len(shares) for question, shares in found.shares.items()} == {YOUNG: 3, None: 2}


def test_only_respondents_who_answered_an_open_question_are_counted() -> None:
    matrix, _, _ = table(3_000)
    found = item_regression(
        rows_of(matrix), Model(response=ITEM["drink"], disguised=None, questions=(NURSE,))
    )
    assert 2_800 < found.n < 2_900
    assert found.predictors[0].answers == (None, ITEM["nurse"])
    assert set(found.coefficients) == {ITEM["nurse"]}
    assert set(found.shares) == {NURSE}


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (Model(response=ITEM["nurse"], disguised=None, questions=(YOUNG,)), "is disguised"),
        (Model(response=ITEM["drink"], disguised=ITEM["nurse"], questions=()), "is disguised"),
        (Model(response=ITEM["drink"], disguised=None, questions=()), "No predictor is chosen"),
        (Model(response=ITEM["drink"], disguised=ITEM["drink"], questions=()), "cannot predict itself"),
        (Model(response=ITEM["nurse"], disguised=ITEM["drink"], questions=(NURSE,)), "cannot predict itself"),
    ],
)  # fmt: skip
def test_invalid_models_are_refused_with_a_message(model: Model, said: str) -> None:
    matrix, _, _ = table(600)
    with pytest.raises(SurveyError, match=said):
        item_regression(rows_of(matrix), model)


def test_too_few_rows_too_many_cells_and_infinite_odds_are_refused() -> None:
    model = Model(response=ITEM["drink"], disguised=None, questions=(NURSE,))
    matrix, _, _ = table(90)
    with pytest.raises(SurveyError, match="Too few respondents were asked all of these"):
        item_regression(rows_of(matrix), model)
    many = tuple(
        Question(key=f"q{number}", kind="single", options=tuple("abcdefg"), unrelated=())
        for number in range(3)
    )
    design = Design(
        blocks=(block("you", *many), block("life", yes_no("drink", 5000))), group=DESIGN.group, use="live"
    )
    rows = np.zeros((500, len(design.items)), dtype=bool)
    wide = rows_of(BitMatrix.from_booleans(design, rows, np.zeros(500, dtype=bool)))
    last = design.item("drink").index
    with pytest.raises(SurveyError, match="343 combinations"):
        item_regression(wide, Model(response=last, disguised=None, questions=(0, 1, 2)))
    matrix, _, direct = table(3_000)
    items = np.zeros((3_000, len(DESIGN.items)), dtype=bool)
    items[::2, ITEM["nurse"]] = True
    nobody = rows_of(BitMatrix.from_booleans(DESIGN, items, direct))
    with pytest.raises(SurveyError, match="almost no one"):
        item_regression(nobody, model)


def test_single_choice_open_questions_can_be_predictors() -> None:
    assert [one.question for one in open_predictors(DESIGN)] == [YOUNG, NURSE]


def test_a_standardised_share_gives_everyone_one_answer_and_leaves_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(regression, "standardised_shares", lambda _fit, settings: settings)
    predictor: Any = SimpleNamespace(answers=(0, 1, 2))
    fit: Any = None
    covariates = np.array([[1.0, 1, 0, 1], [1, 0, 1, 0]])
    settings = regression._shares(fit, predictor, (1, 2, 7), covariates)
    found = [setting.covariates.tolist() for setting in settings]  # type: ignore[attr-defined]
    assert found == [
        [[1, 0, 0, 1], [1, 0, 0, 0]],
        [[1, 1, 0, 1], [1, 1, 0, 0]],
        [[1, 0, 1, 1], [1, 0, 1, 0]],
    ]
    assert covariates.tolist() == [[1, 1, 0, 1], [1, 0, 1, 0]]


def test_open_answers_may_have_the_largest_number_of_combinations(monkeypatch: pytest.MonkeyPatch) -> None:
    predictors = [
        regression.OpenPredictor(question=YOUNG, answers=(0, 1, 2)),
        regression.OpenPredictor(question=NURSE, answers=(None, ITEM["nurse"])),
    ]
    monkeypatch.setattr(regression, "MOST_OPEN_COMBINATIONS", 6)
    cells, _in_cell = regression._cells(predictors)
    assert cells == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]
    monkeypatch.setattr(regression, "MOST_OPEN_COMBINATIONS", 5)
    with pytest.raises(SurveyError) as refused:
        regression._cells(predictors)
    assert refused.value.case == "regression.cells"
