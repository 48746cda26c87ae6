"""Regression over a run's rows: counts compared with the rows themselves; minimum counts; refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mining.columns.bitmatrix import BitMatrix
from privacy.errors import PrivacyError
from privacy.estimation.margin_cells import Margin, margin_of
from privacy.survey.design import Block, Design, GroupPolicy, Question
from surveys.errors.error import SurveyError
from surveys.estimates.regression import Model, _counts, item_regression, latent_items, open_predictors
from surveys.rows.disclosure import Disclosure, disclosure
from surveys.rows.releasable_rows import ReleasableRows


def yes_no(key: str, *unrelated: int) -> Question:
    return Question(key=key, kind="yes_no", options=(), unrelated=unrelated)


def block(key: str, *questions: Question, p: int = 6000, refusal: int | None = None) -> Block:
    protected = bool(questions[0].unrelated)
    return Block(
        key=key,
        protected=protected,
        truth_probability=p if protected else 10_000,
        refusal=refusal,
        asked_if=None,
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


def table(
    n: int, *, seed: int = 3, rare: int = 0, nurses: int | None = None, light: float = 0.3
) -> tuple[BitMatrix, dict[str, np.ndarray], np.ndarray]:
    """Rows of a made-up survey, some open answers missing and some parts skipped, and what each shows.

    With `nurses` only of those who said whether they are one, each nurse so many times.
    """
    rng = np.random.default_rng(seed)
    direct = rng.random(n) < light
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
    if nurses is not None:
        taken = np.repeat(np.arange(n), np.where(said["nurse"], nurses, asked[:, NURSE]))
        said, answered = ({key: bits[taken] for key, bits in one.items()} for one in (said, answered))
        asked, direct = asked[taken], direct[taken]
    matrix = BitMatrix.from_booleans(
        DESIGN,
        np.column_stack([said[item.key] for item in DESIGN.items]),
        direct,
        is_asked=asked,
        answered=np.column_stack([asked[:, 0] & asked[:, NURSE], *answered.values()]),
    )
    return matrix, said | {f"{key} answered": bits for key, bits in answered.items()}, direct


def rows_of(matrix: BitMatrix, shown: Disclosure | None = None) -> ReleasableRows:
    version: Any = None
    return ReleasableRows(
        version=version,
        matrix=matrix,
        precomputed=None,
        shown=shown or disclosure(n=matrix.n, practice=False),
        sent=matrix,
    )


def reports_of(said: dict[str, np.ndarray], key: str, part: str) -> list[np.ndarray]:
    """Bits of "no", "yes" and, if the block can be skipped, "skipped"."""
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
def test_rows_are_counted_by_what_each_part_reported(model: Model, parts: list[tuple[str, str]]) -> None:
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
def test_two_items_of_one_part_are_counted_together(before: str, response: str) -> None:
    matrix, said, direct = table(900)
    model = Model(response=ITEM[response], disguised=ITEM[before], questions=())
    answers, reports = latent_items(DESIGN, model.response, model.disguised)
    z, y, own = said[before], said[response], said["work answered"]
    expected = [own & ~z & ~y, own & ~z & y, own & z & ~y, own & z & y, ~own]
    found = _counts(rows_of(matrix), reports, ())
    assert found.tolist() == [[(bits & direct).sum(), (bits & ~direct).sum()] for bits in expected]
    # Lightly disguised rows first: p0 + (1 - p0) times the decoys' no, no; 5% skip.
    q = (0.95 * 0.5 * 0.6) if before == "late" else (0.95 * 0.7 * 0.5)
    assert answers.channels[:, 0, 0] == pytest.approx([0.9 + 0.1 * q, 0.6 + 0.4 * q])


def test_an_open_answer_with_few_people_refuses_the_model() -> None:
    model = Model(response=ITEM["drink"], disguised=None, questions=(YOUNG,))
    matrix, _, _ = table(3_000, rare=9)
    with pytest.raises(SurveyError, match="Fewer than 10 people"):
        item_regression(rows_of(matrix), model)
    matrix, _, _ = table(3_000, rare=0)
    # No respondent is old: the answer is left out.
    found = item_regression(rows_of(matrix), model)
    assert found.predictors[0].answers == (ITEM["age=young"], ITEM["age=middle"])
    assert found.n == 3_000


def test_an_open_response_counts_among_the_open_questions_that_are_named_together() -> None:
    matrix, _, _ = table(3_000, rare=18)
    model = Model(response=ITEM["nurse"], disguised=ITEM["drink"], questions=(YOUNG,))
    with pytest.raises(SurveyError, match="Fewer than 10 people"):
        item_regression(rows_of(matrix), model)
    of_practice = rows_of(matrix, disclosure(n=3_000, practice=True))
    # A practice survey promises nothing and hides nothing.
    assert len(item_regression(of_practice, model).predictors[0].answers) == 3


def test_of_an_open_question_only_those_who_answered_it_are_counted() -> None:
    matrix, _, _ = table(3_000)
    found = item_regression(
        rows_of(matrix), Model(response=ITEM["drink"], disguised=None, questions=(NURSE,))
    )
    assert 2_800 < found.n < 2_900
    assert found.predictors[0].answers == (None, ITEM["nurse"])
    assert set(found.coefficients) == {ITEM["nurse"]}


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
def test_models_that_cannot_be_are_refused_in_words(model: Model, said: str) -> None:
    matrix, _, _ = table(600)
    with pytest.raises(SurveyError, match=said):
        item_regression(rows_of(matrix), model)


def test_too_few_rows_too_many_cells_and_odds_without_end_are_refused_in_words() -> None:
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


LATE_ON_AGE = Model(response=ITEM["drink"], disguised=None, questions=(YOUNG,))
WEIGHTED = {
    "a disguised response": LATE_ON_AGE,
    "a disguised predictor": Model(response=ITEM["drink"], disguised=ITEM["smoke"], questions=(YOUNG,)),
    "two answers of one part": Model(response=ITEM["cheat"], disguised=ITEM["late"], questions=(YOUNG,)),
}


def of_nurses(nurses: int, rows: dict[str, np.ndarray]) -> tuple[Margin]:
    """The margin with which a nurse counts so many times."""
    yes = nurses * int(rows["nurse"].sum())
    no = int((~rows["nurse"]).sum())
    return (margin_of("nurse", {"yes": yes / (yes + no), "no": no / (yes + no)}, DESIGN),)


@pytest.mark.parametrize("name", WEIGHTED)
def test_a_row_of_weight_three_counts_as_three_rows(name: str) -> None:
    model = WEIGHTED[name]
    matrix, said, _ = table(9_000, nurses=1)
    found = item_regression(rows_of(matrix), model, of_nurses(3, said))
    often = item_regression(rows_of(table(9_000, nurses=3)[0]), model)
    assert found.n == matrix.n < often.n
    for item, line in found.coefficients.items():
        assert line.value == pytest.approx(often.coefficients[item].value, abs=1e-7)
    for question, shares in found.shares.items():
        for mine, theirs in zip(shares, often.shares[question], strict=True):
            assert mine.value == pytest.approx(theirs.value, abs=1e-8)
    # Repeating a row adds no people: three copies of a row do not count as three.
    for item, line in found.coefficients.items():
        assert line.standard_error > often.coefficients[item].standard_error * 1.2
    assert found.effective_n is not None
    assert found.effective_n < found.n


def test_the_errors_of_weighted_rows_are_the_sandwich_row_by_row() -> None:
    matrix, said, direct = table(4_000, nurses=1)
    found = item_regression(rows_of(matrix), LATE_ON_AGE, of_nurses(3, said))
    w = np.where(said["nurse"], 3.0, 1.0)
    w *= len(w) / w.sum()
    x = np.column_stack([np.ones(len(w)), said["age=middle"]])
    b = np.array([found.constant.value, found.coefficients[ITEM["age=middle"]].value])
    c = np.where(direct, 0.9, 0.6)
    g = 1 / (1 + np.exp(-x @ b))
    score = (w * ((said["drink"] - (1 - c) * 0.5) / c - g))[:, None] * x
    assert score.sum(axis=0) == pytest.approx([0, 0], abs=1e-6)
    bread = np.linalg.inv(x.T @ ((w * g * (1 - g))[:, None] * x))
    errors = np.sqrt(np.diag(bread @ (score.T @ score) @ bread))
    lines = (found.constant, found.coefficients[ITEM["age=middle"]])
    assert errors == pytest.approx([line.standard_error for line in lines], rel=1e-9)


def test_weights_by_a_question_of_the_model_change_its_shares_only() -> None:
    matrix, said, _ = table(6_000, nurses=1)
    model = Model(response=ITEM["drink"], disguised=None, questions=(NURSE,))
    found, plain = (item_regression(rows_of(matrix), model, own) for own in (of_nurses(3, said), ()))
    assert plain.effective_n is None
    line, other = found.coefficients[ITEM["nurse"]], plain.coefficients[ITEM["nurse"]]
    assert (line.value, line.standard_error) == pytest.approx((other.value, other.standard_error), rel=1e-8)
    whole = item_regression(
        rows_of(matrix), model, (margin_of("nurse", {"yes|no": 1.0}, DESIGN),)
    ).coefficients[ITEM["nurse"]]
    assert whole.value == pytest.approx(other.value)


def test_weights_that_cannot_be_are_refused_in_words() -> None:
    model = Model(response=ITEM["drink"], disguised=None, questions=(NURSE,))
    margin = margin_of("age", {"young": 0.4, "middle": 0.4, "old": 0.2}, DESIGN)
    few = "too small|too few|fewer than 100"
    # Of 60 some are lightly disguised: fewer than ten of these are nurses, or did not say.
    for rare, light, said in (
        (0, 0.3, "no respondent"),
        (9, 0.3, "r than 10 p"),
        (60, 0.3, "r than 10 p"),
        (60, 0.0, few),
    ):
        with pytest.raises(PrivacyError, match=said):
            item_regression(rows_of(table(3_000, rare=rare, light=light)[0]), model, (margin,))


def test_open_questions_with_one_answer_may_predict() -> None:
    assert [one.question for one in open_predictors(DESIGN)] == [YOUNG, NURSE]
