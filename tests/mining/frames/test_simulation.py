"""Simulated surveys: the figures of an analysis, its power, and what cannot be simulated."""

import numpy as np
import pandas
import pytest

from mining.frames.answer_kinds import number, one_of
from mining.frames.comparisons import TwoShares
from mining.frames.reports import Reports
from mining.frames.simulation import _figures, guessed_people, simulate
from mining.frames.survey import Survey
from tests.fixtures.refusals import refused

SURVEY = Survey(blocks={"work": ["cheat", "drugs"]}, p=0.8)


def fixed() -> np.random.Generator:
    """Return a generator of its own for each call."""
    return np.random.default_rng(1)


def difference(reports: Reports) -> TwoShares:
    return reports.compare("drugs", by="cheat")


def related(rng: np.random.Generator) -> pandas.DataFrame:
    """Return 400 people, of whom 70% of those who cheat and 10% of the others take drugs."""
    cheat = rng.random(400) < 0.3
    return pandas.DataFrame({"cheat": cheat, "drugs": rng.random(400) < np.where(cheat, 0.7, 0.1)})


def test_a_planted_difference_is_found_and_none_is_not() -> None:
    """Both are certain here up to 1e-6: the difference is 60 points, its error about 6."""
    found = simulate(SURVEY, related, difference, n=400, surveys=20, rng=fixed())
    (row,) = found.itertuples()
    assert row.shows == 1
    assert row.too_few == 0
    assert row.low < 0.6 < row.high
    apart = pandas.DataFrame({"cheat": [1, 1, 0, 0], "drugs": [1, 0, 1, 0]})
    none = simulate(SURVEY, apart, difference, n=400, surveys=20, rng=fixed())
    assert none.shows.iloc[0] <= 0.5


def test_each_coefficient_has_a_row_and_the_seed_decides() -> None:
    runs = [
        simulate(SURVEY, related, lambda own: own.regression("drugs ~ cheat").to_frame(), n=400, surveys=3,
                 against=1, rng=np.random.default_rng(seed))
        for seed in (4, 4, 5)
    ]  # fmt: skip
    assert runs[0].index.tolist() == ["Intercept", "cheat"]
    assert runs[0].equals(runs[1])
    assert not runs[0].equals(runs[2])


def test_surveys_without_a_figure_are_counted() -> None:
    calls = iter(range(10))

    def sometimes(reports):  # type: ignore[no-untyped-def]
        return reports.share("cheat") if next(calls) % 2 else reports.share("nothing")

    found = simulate(SURVEY, related, sometimes, n=400, surveys=10, rng=fixed())
    assert found.too_few.tolist() == [0.5]
    few = simulate(
        SURVEY,
        related(np.random.default_rng(1)),
        lambda own: own.share("cheat"),
        n=20,
        surveys=3,
        rng=fixed(),
    )
    assert few.shows.tolist() == [0]


def test_progress_is_reported_after_each_survey() -> None:
    said: list[tuple[int, int]] = []
    simulate(
        SURVEY, related, lambda own: own.share("cheat"), n=400, surveys=3, rng=fixed(),
        progress=lambda done, total: said.append((done, total)),
    )  # fmt: skip
    assert said == [(1, 3), (2, 3), (3, 3)]


def test_a_plan_simulates_its_guesses() -> None:
    kinds = {"cheat": None, "job": one_of("a", "b", "c")}
    survey = Survey(blocks={"work": kinds, "pay": number(low=0, high=79, bin=10, epsilon=2)}, p=0.6)
    plan = survey.plan(500, guesses={"cheat": 0.1, "job": {"a": 0.5, "b": 0.3, "c": 0.2}})
    truth = guessed_people(plan)(np.random.default_rng(2))
    assert len(truth) == 500
    # Each is five standard errors of a share of 500 people wide.
    assert truth.cheat.mean() == pytest.approx(0.1, abs=0.07)
    assert (truth.job == "a").mean() == pytest.approx(0.5, abs=0.12)
    assert truth["pay"].between(0, 79).all()
    (row,) = plan.simulate(lambda reports: reports.share("cheat"), surveys=3, rng=fixed()).itertuples()
    assert row.half_width == pytest.approx(plan.to_frame().half_width["cheat"], rel=0.2)
    (mean,) = plan.simulate(lambda reports: reports.mean("pay"), surveys=2, rng=fixed()).itertuples()
    assert mean.low > 20


def test_what_cannot_be_simulated_is_refused() -> None:
    with refused("simulate", "n = 0"):
        simulate(SURVEY, related, lambda own: own.share("cheat"), n=0, rng=fixed())
    for given in ({"analysis": "share"}, {"people": 3}, {"people": pandas.DataFrame()}, {"rng": 1}):
        ((name, _),) = given.items()
        right = {"people": related, "analysis": lambda own: own.share("cheat"), "rng": fixed()}
        with refused("simulate", f"{name} is of type "):
            simulate(SURVEY, n=400, surveys=2, **right | given)  # type: ignore[arg-type]
    with refused("simulate", "surveys = 1"):
        simulate(SURVEY, related, lambda own: own.share("cheat"), n=5, surveys=1, rng=fixed())
    with refused("simulate", "int has no intervals"):
        simulate(SURVEY, related, lambda _own: 3, n=400, surveys=2, rng=fixed())
    with refused("simulate", "'nothing'"):
        simulate(SURVEY, related, lambda own: own.share("nothing"), n=400, surveys=2, rng=fixed())


def test_people_of_a_plan_have_every_whole_number_of_a_range() -> None:
    """4,000 draws of ten numbers miss one with probability (9/10)**4000."""
    survey = Survey({"pay": number(low=3, high=12, epsilon=2)})
    drawn = guessed_people(survey.plan(4000))(np.random.default_rng(2))
    assert sorted(drawn["pay"].unique()) == list(range(3, 13))


@pytest.mark.parametrize("columns", [["odds_ratio", "n", "low", "high"], ["n", "low", "high", "odds_ratio"]])
def test_a_table_with_an_odds_ratio_is_summarised_by_it_and_any_other_by_its_first_column(
    columns: list[str],
) -> None:
    table = pandas.DataFrame({"odds_ratio": [1.5], "n": [90.0], "low": [1.2], "high": [1.9]}, index=["x"])
    assert _figures(table[columns], 0.95) == {"x": (1.5, 1.2, 1.9)}
    assert _figures(table[["n", "low", "high"]], 0.95) == {"x": (90, 1.2, 1.9)}
