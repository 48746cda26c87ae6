"""Estimates read files and texts as the pages do, and say what was decided."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars
import pytest

import sottovoce
from privacy.errors import PrivacyError
from privacy.tables import estimation
from privacy.tables.columns import ReadTable
from privacy.tables.estimation import (
    _answers,
    _has_texts,
    _read,
    _sent_numbers,
    column_of,
    estimation_frame,
    weight_kinds,
)
from tests.fixtures.workbooks import workbook

DESIGN = sottovoce.forced_response(yes=1 / 6, no=1 / 6)
SURVEY = sottovoce.Survey(blocks={"work": ["cheat"]}, p=0.5, theta=0.5)


def clean() -> pd.DataFrame:
    """Answers that depend on sex, with a weight and pay."""
    rng = np.random.default_rng(5)
    sex = np.array(["f", "m"] * 300)
    return pd.DataFrame(
        {
            "cheat": np.where(rng.random(600) < np.where(sex == "f", 0.45, 0.6), "yes", "no"),
            "sex": sex,
            "pay": np.round(rng.uniform(1, 9, 600), 1),
            "w": np.round(rng.uniform(0.5, 2, 600), 2),
        }
    )


def as_written() -> pd.DataFrame:
    """The same table as people write it: yes in several writings, F for f, and decimal commas."""
    frame = clean()
    writings = {"yes": ["yes", "Ja", "Y"], "no": ["no", "nein", "N"]}
    return pd.DataFrame(
        {
            "cheat": [writings[text][row % 3] for row, text in enumerate(frame.cheat)],
            "sex": [text.upper() if row % 50 < 2 else text for row, text in enumerate(frame.sex)],
            "pay": [f"{number:.1f}".replace(".", ",") for number in frame.pay],
            "w": [f"{number:.2f}".replace(".", ",") for number in frame.w],
        }
    )


def in_a_sheet(frame: pd.DataFrame) -> io.BytesIO:
    file = io.BytesIO(workbook(data=[["Survey of 2024"], [], [*frame.columns], *frame.to_numpy().tolist()]))
    file.name = "people.xlsx"
    return file


def in_a_file(frame: pd.DataFrame) -> io.BytesIO:
    file = io.BytesIO(frame.to_csv(index=False).encode())
    file.name = "people.csv"
    return file


WAYS = {
    "pandas": lambda frame: frame,
    "polars": polars.from_pandas,
    "sheet": in_a_sheet,
    "read": lambda frame: sottovoce.read_table(frame),
}


@pytest.mark.parametrize("way", ["pandas", "polars", "sheet"])
def test_estimates_do_not_depend_on_how_a_table_is_written(way: str) -> None:
    table = WAYS[way]
    expected, reports = SURVEY.on(clean(), weights="w"), SURVEY.on(table(as_written()), weights="w")
    assert reports.share("cheat").value == expected.share("cheat").value
    fits = [each.regression("cheat ~ sex + pay") for each in (expected, reports)]
    np.testing.assert_allclose(fits[1].params, fits[0].params, rtol=1e-9)
    assert [*fits[1].params.index] == [*fits[0].params.index]
    said = str(reports.decisions)
    assert "“cheat”: “Ja” was read as “yes”" in said
    assert "“sex”: “F” was read as “f”" in said
    assert "“pay”:" in said
    assert "was read as the number" in said
    assert said in fits[1].summary()

    given = {"column": "cheat", "weights": "w"}
    figure = sottovoce.prevalence(table(as_written()), DESIGN, **given)
    assert figure.value == sottovoce.prevalence(clean().cheat, DESIGN, weights=clean().w).value
    assert "“Ja” was read as “yes”" in figure.summary()
    shares = sottovoce.distribution(table(as_written()), DESIGN, column="cheat")
    assert any("“Ja”" in text for text in shares.attrs["decisions"])


@pytest.mark.parametrize("way", WAYS)
def test_predictions_read_their_predictors_as_the_fit_did(way: str) -> None:
    fit = SURVEY.on(clean()).regression("cheat ~ sex + pay")
    new = pd.DataFrame({"sex": ["f", "m", "m"], "pay": [1.5, 2.5, 8.0]})
    texts = pd.DataFrame({"sex": ["f", "m", "m"], "pay": ["1,5", "2,5", "8,0"]})
    predicted = fit.predict(WAYS[way](texts))
    np.testing.assert_allclose(predicted, fit.predict(new))
    assert any("1,5" in text for text in predicted.attrs["decisions"])


def test_two_numbers_of_a_numeric_predictor_are_numbers() -> None:
    """Elsewhere, two numbers mean yes and no."""
    fit = SURVEY.on(clean()).regression("cheat ~ pay")
    np.testing.assert_allclose(
        fit.predict(pd.DataFrame({"pay": ["2", "7"]})), fit.predict(pd.DataFrame({"pay": [2, 7]}))
    )


@pytest.mark.parametrize(
    "terms", ["pay + np.log(pay)", "np.log(pay)", "I(pay**2)", "scale(pay)", "C(pay)", "sex + pay:sex"]
)
def test_new_rows_are_read_as_those_of_the_fit_also_inside_functions(terms: str) -> None:
    """Two texts with numbers, which elsewhere mean yes and no, and a file with them."""
    people = clean().assign(pay=np.tile([2, 7, 3, 5], 150))
    fit = SURVEY.on(people).regression(f"cheat ~ {terms}")
    new = pd.DataFrame({"sex": ["f", "m"], "pay": [2, 7]})
    wanted = fit.predict(new)
    for table in (new.astype(str), in_a_file(new), in_a_sheet(new)):
        np.testing.assert_allclose(fit.predict(table), wanted)


def test_new_dates_and_codes_are_read_as_those_of_the_fit() -> None:
    """The fit reads dates into one writing; two codes stay texts."""
    people = clean().assign(day=np.tile(["4.5.2021", "25.5.2021"], 300), code=np.repeat(["1", "2"], 300))
    new = people.head(2)
    for terms in ("day + code", "C(day) + C(code)"):
        fit = SURVEY.on(people).regression(f"cheat ~ {terms}")
        assert fit.predict(new).round(6).tolist() == fit.predict(people).head(2).round(6).tolist()
        assert fit.formula.kinds == {"day": "month", "code": "categorical"}


def test_missing_words_are_missing_answers_and_are_said() -> None:
    answers = pd.Series([*clean().cheat, "NA", "refused", "-9"], name="cheat")
    figure = sottovoce.prevalence(answers, DESIGN, missing="drop")
    assert figure.n == 600
    assert "“cheat”: NA, refused, -9 means a missing value (3 records)." in figure.summary()
    with pytest.raises(PrivacyError) as error:
        sottovoce.prevalence(answers, DESIGN)
    assert error.value.code == "answers"


def test_a_report_is_never_missing() -> None:
    """An option can be called NA, and a sent number can be 99."""
    design = sottovoce.generalised_rr(["NA", "often"], p=1 / 2)
    assert sottovoce.prevalence(pd.Series(["NA", "often"] * 20), design, value="NA").n == 40
    survey = sottovoce.Survey(blocks={"a": sottovoce.number(low=0, high=99, epsilon=2)}, p=0.5)
    frame = survey.disguise(pd.DataFrame({"a": [*range(90)] * 10}), seed=1)
    file = io.BytesIO(frame.to_csv(index=False).encode())
    assert survey.on(file).packed == survey.on(frame).packed


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        (["1", "99", "-9"], [1, 99, -9]),
        (["0", "99", "0"], [0, 99, 0]),
        (["7", "7"], [7, 7]),
        (["1", "", "2"], [1, None, 2]),
        (["1", "two", "3"], None),
    ],
)
@pytest.mark.parametrize("name", ["a", "code", "zip"])
def test_a_column_of_sent_numbers_is_not_guessed(
    texts: list[str], numbers: list[int | None] | None, name: str
) -> None:
    """Elsewhere two numbers mean yes and no, 99 and -9 "missing", and a code is no amount."""
    (column,) = ReadTable.of_rows([name], [[text] for text in texts]).columns
    assert _sent_numbers(column, "numeric") == numbers


def test_options_that_look_like_numbers_stay_texts() -> None:
    """A design may name its answers "01" and "02"; only the design knows that they are no numbers."""
    design = sottovoce.generalised_rr(["01", "02"], p=1 / 2)
    answers = pd.DataFrame({"size": ["01", "02", "02"] * 20})
    wanted = sottovoce.prevalence(answers["size"], design, value="01").value
    assert sottovoce.prevalence(in_a_file(answers), design, column="size", value="01").value == wanted


@pytest.mark.parametrize(("name", "epsilon"), [("a", 0.2), ("code", 2)])
def test_sent_numbers_are_read_however_the_table_is_written(name: str, epsilon: float) -> None:
    """With epsilon .2 devices send only two different numbers."""
    survey = sottovoce.Survey(blocks={name: sottovoce.number(low=0, high=99, epsilon=epsilon)}, p=0.5)
    sent = survey.disguise(pd.DataFrame({name: range(100)}), seed=1)
    assert (sent[name].nunique() == 2) == (epsilon == 0.2)
    texts = sent.astype(str)
    for table in (in_a_file(sent), texts, sottovoce.read_table(texts)):
        assert survey.on(table).packed == survey.on(sent).packed
    truth = pd.DataFrame({name: [0, 99] * 50})
    assert survey.disguise(in_a_file(truth), seed=1).equals(survey.disguise(truth, seed=1))


@pytest.mark.parametrize(
    "estimate",
    [
        lambda table: SURVEY.on(table, weights="w").share("cheat").value,
        lambda table: sottovoce.prevalence(table, DESIGN, column="cheat", weights="w").value,
        lambda table: sottovoce.distribution(table, DESIGN, column="cheat", weights="w").share.tolist(),
        lambda table: (
            sottovoce.crosstab(table, "cheat", "old", designs=DESIGN, weights="w").share("yes", "yes").value
        ),
        lambda table: sottovoce.logistic_regression(
            table, "cheat ~ sex", designs=DESIGN, weights="w"
        ).params.tolist(),
    ],
    ids=["survey", "prevalence", "distribution", "crosstab", "regression"],
)
def test_two_different_weights_are_numbers(estimate: Any) -> None:
    """Elsewhere two numbers mean yes and no, and weights that are no numbers are refused."""
    people = clean().assign(w=np.tile([0.5, 1.5], 300), old=np.tile(["yes", "no", "no"], 200))
    texts = people.astype(str)
    for table in (in_a_file(people), texts, sottovoce.read_table(texts)):
        assert estimate(table) == estimate(people)


def test_only_a_name_of_a_column_of_weights_has_a_kind() -> None:
    assert weight_kinds(("w", 1)) == {"('w', 1)": "numeric"}
    assert weight_kinds(pd.Series([0.5, 1.5])) == weight_kinds([0.5, 1.5]) == {}


def test_numbers_of_a_frame_stay_and_a_code_is_named() -> None:
    for code, said in ((-99, ["kept"]), (99, ["kept"]), (51, [])):
        frame, decisions = estimation_frame(pd.DataFrame({"age": [30, 40, 50, code]}))
        assert frame.age.tolist() == [30, 40, 50, code]
        assert [each.key for each in decisions] == said


@pytest.mark.parametrize(("most", "said"), [(4, []), (5, ["kept"]), (6, ["kept"])])
def test_numbers_are_searched_for_codes_unless_too_many_differ(
    most: int, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(estimation, "_KEPT", most)
    _frame, decisions = estimation_frame(pd.DataFrame({"age": [30, 40, 40, 50, 60, -99, np.nan]}))
    assert [each.key for each in decisions] == said


@pytest.mark.parametrize("path", ["people.csv", Path("people.csv")])
def test_a_path_is_refused_with_what_to_pass(path: Any) -> None:
    for call in (
        lambda: SURVEY.on(path),
        lambda: sottovoce.prevalence(path, DESIGN, column="cheat"),
        lambda: SURVEY.on(clean()).regression("cheat ~ sex").predict(path),
    ):
        with pytest.raises(PrivacyError, match="read_table"):
            call()


def test_true_answers_to_disguise_are_read_from_files_too() -> None:
    expected = SURVEY.disguise(clean(), seed=1)
    for way in WAYS.values():
        assert SURVEY.disguise(way(as_written()), seed=1).equals(expected)


@pytest.mark.parametrize(
    ("values", "are_texts"),
    [
        (pd.Series(["a", "b", None]), True),
        (pd.Series(["a", "b"], dtype="category"), False),
        (pd.Series([1, "b"], dtype=object), False),
        (pd.Series([1.0, 2.0]), False),
    ],
)
def test_only_columns_of_texts_are_read_as_texts(values: Any, are_texts: bool) -> None:
    assert _has_texts(values) is are_texts


def test_other_words_for_no_answer_are_missing() -> None:
    answers = pd.Series(["Yes", "n/a", "", "no", None])
    new, said = _answers("cheat", answers, lambda value: value in ("yes", "no"))
    assert new is not None
    assert [None if pd.isna(value) else value for value in new] == ["yes", None, None, "no", None]
    assert [each.key for each in said] == ["spelling", "missing"]


def test_dates_without_a_day_stay_empty() -> None:
    values, _ = _read(column_of("day", pd.Series(["2020-01-02", "", "2021-03-04"])), "date")
    assert values == ["2020-01-02", None, "2021-03-04"]
