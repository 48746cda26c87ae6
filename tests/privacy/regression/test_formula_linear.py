"""A linear regression with a formula, from an undisguised number as from a disguised one."""

import numpy as np
import pandas
import pytest

from privacy.printed import METHODS
from privacy.regression.formula import Formula
from privacy.regression.formula_linear import fit_number
from privacy.regression.linear import NumberScores
from tests.fixtures.refusals import refused

RNG = np.random.default_rng(3)
N = 200
PEOPLE = pandas.DataFrame(
    {"age": RNG.integers(18, 80, N), "town": RNG.choice(["a", "b", "c"], N), "has": RNG.integers(0, 2, N)}
)
HOURS = 20 + 0.1 * PEOPLE.age + 4 * (PEOPLE.town == "b") + 6 * PEOPLE.has + RNG.normal(size=N)
NUMBER = NumberScores(total=HOURS.to_numpy(), answered=np.ones(N))


def fit(text: str, people: pandas.DataFrame = PEOPLE, **options):  # type: ignore[no-untyped-def]
    """Fit a formula to the undisguised hours, with `has` as the "disguised" predictor."""
    formula = Formula.of(text, [*people.columns, "hours"])
    latent = "has" if "has" in formula.names else None
    return fit_number(
        people, formula, NUMBER, latent=latent,
        has_latent=PEOPLE.has.to_numpy(float) if latent else None, is_complete=np.ones(N, dtype=bool),
        **options,
    )  # fmt: skip


def test_terms_and_coefficients_are_those_of_least_squares() -> None:
    found = fit("hours ~ age + town * has")
    terms = ["Intercept", "age", "town[T.b]", "town[T.c]", "has", "town[T.b]:has", "town[T.c]:has"]
    assert found.params.index.tolist() == terms
    b, c = PEOPLE.town == "b", PEOPLE.town == "c"
    x = np.column_stack([np.ones(N), PEOPLE.age, b, c, PEOPLE.has, b * PEOPLE.has, c * PEOPLE.has])
    assert found.params.to_numpy() == pytest.approx(np.linalg.lstsq(x.astype(float), HOURS, rcond=None)[0])
    assert found.nobs == N


def test_a_table_has_all_that_is_printed_next_to_a_figure() -> None:
    found = fit("hours ~ age + has")
    table = found.to_frame(0.9)
    assert table.columns.tolist() == [
        "coefficient", "standard_error", "low", "high", "n", "effective_n", "level", "basis", "unclipped",
        "p_value", "largest_row",
    ]  # fmt: skip
    assert table.attrs["about"]["method"] == [METHODS["linear"]]
    assert found.conf_int(0.1).to_numpy() == pytest.approx(table[["low", "high"]].to_numpy())
    assert found.bse.tolist() == pytest.approx(table.standard_error.tolist())
    text = found.summary()
    assert "hours, linear regression on scores, n = 200, 95% intervals" in text
    assert "few answers" not in text
    assert repr(found) == "<linear regression of hours on age + has: n = 200>"


def test_a_row_that_decides_a_coefficient_is_named() -> None:
    people = PEOPLE.assign(once=(PEOPLE.index == 0).astype(int))
    assert "one row: 100% of what is known about once" in fit("hours ~ once", people).summary()
    assert "one row" not in fit("hours ~ town").summary()


@pytest.mark.parametrize(("rows", "basis"), [(29, "too few"), (30, "estimate")])
def test_at_least_30_rows_have_a_figure_and_a_test(rows: int, basis: str) -> None:
    number = NumberScores(total=HOURS.to_numpy()[:rows], answered=np.ones(rows))
    found = fit_number(
        PEOPLE[:rows], Formula.of("hours ~ age", ["age", "hours"]), number, latent=None, has_latent=None,
        is_complete=np.ones(rows, dtype=bool),
    )  # fmt: skip
    table = found.to_frame()
    assert table.basis.tolist() == [basis] * 2
    assert table.p_value.isna().tolist() == [basis == "too few"] * 2


def test_few_rows_have_no_figure() -> None:
    assert set(fit("hours ~ age", mass=np.r_[np.full(20, 1e6), np.ones(N - 20)]).to_frame().basis) == {
        "too few"
    }


def test_combinations_are_tested() -> None:
    found = fit("hours ~ age + has")
    table = found.t_test({"age": 10, "has": 1})
    assert table.value.tolist() == pytest.approx([10 * found.params.age + found.params.has])
    assert table.p_value.between(0, 1e-6).all()
    alone = found.t_test([[0, 1, 0]])
    assert alone.p_value.tolist() == pytest.approx([found.pvalues.age])
    with refused("regression", "'pay'"):
        found.t_test({"pay": 1})


def test_predictions_are_in_the_unit_of_the_number() -> None:
    found = fit("hours ~ age + has")
    predicted = found.predict(pandas.DataFrame({"age": [30, 30], "has": ["no", "yes"]}))
    assert predicted.tolist() == pytest.approx(
        [found.params.Intercept + 30 * found.params.age + own * found.params.has for own in (0, 1)]
    )


def test_rows_with_empty_cells_are_refused_or_counted() -> None:
    holes = PEOPLE.assign(age=PEOPLE.age.where(PEOPLE.index > 9).astype(float))
    with refused("frame", "'age'"):
        fit("hours ~ age", holes)
    found = fit("hours ~ age", holes, drop=True)
    assert (found.dropped, found.nobs) == (10, N - 10)
    assert "10 rows with empty cells left out" in found.summary()


def test_equations_without_a_solution_are_refused() -> None:
    with refused("regression", "twice"):
        fit("hours ~ age + twice", PEOPLE.assign(twice=2 * PEOPLE.age))


def test_fewer_than_100_rows_are_called_few() -> None:
    number = NumberScores(total=HOURS.to_numpy()[:99], answered=np.ones(99))
    found = fit_number(
        PEOPLE[:99], Formula.of("hours ~ age", ["age", "hours"]), number, latent=None, has_latent=None,
        is_complete=np.ones(99, dtype=bool),
    )  # fmt: skip
    assert "few answers: 99; intervals may miss their level" in found.summary().splitlines()
