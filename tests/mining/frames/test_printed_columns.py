"""No table of the library has an estimate without its interval, level, n and basis next to it.

Each table of each kind is built from surveys in which points fall outside the possible values: a rare item, a
group of few people, unequal weights. Columns are recognised by their names, so a new table that leaves out a
companion fails here; a new column that is no estimate is listed in `OTHER`.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import get_args

import numpy as np
import pandas
import pytest

import sottovoce
from mining.frames.printed_columns import MEASURES, measure_columns, tested_columns
from mining.multiple_testing import Decisions
from privacy.library.lie_detector_regression import lie_detector_regression
from privacy.library.shown_tables import data_frame
from privacy.p_values import TESTS, Adjustment, PValues
from privacy.printed import CHECKED
from sottovoce import library

ESTIMATES = {"estimate", "share", "support", "difference", "odds_ratio", "value", "mean", *MEASURES}
ALONE = {"standard_error", "low", "high", "n", "effective_n", "level", "basis", "unclipped"}
OTHER = {
    "coefficient", "largest_row", "shown_because_estimable", "t",
    *("named_low", "named_high", "picked_low", "picked_high"),
    *(f"{name}_picked_{end}" for name in MEASURES for end in ("low", "high")),
}  # fmt: skip
"""Intervals that allow for selection, and companions of regressions; p-values come from `PValues`."""

RNG = np.random.default_rng(20)
N = 600
TRUTH = pandas.DataFrame(
    {
        "a": RNG.random(N) < 0.03, "b": RNG.random(N) < 0.2, "c": RNG.random(N) < 0.6,
        "sex": RNG.choice(["f", "m"], N),
        "drinks": RNG.integers(0, 9, N), "age": RNG.normal(40, 9, N), "w": RNG.lognormal(0, 0.7, N),
        "arm": np.where(np.arange(N) < 12, "tiny", RNG.choice(["one", "two"], N)),
    }
).astype({"a": int, "b": int, "c": int})  # fmt: skip
SURVEY = sottovoce.Survey(
    {"x": ["a"], "y": ["b", "c"], "number": {"drinks": sottovoce.number(low=0, high=8, epsilon=2)}}, p=0.5
)
SENT = SURVEY.disguise(TRUTH, seed=1).assign(**{name: TRUTH[name] for name in ("sex", "age", "w", "arm")})
PLAIN, WEIGHTED = SURVEY.on(SENT), SURVEY.on(SENT, weights="w")
RARE = SURVEY.on(SENT[SENT.arm != "tiny"])
LATER = SURVEY.on(SURVEY.disguise(TRUTH, seed=2))
PARTS = {"x": ["a"], "y": ["b", "c"]}
TWO = sottovoce.Survey(PARTS, p=0.5, light=0.8).on(
    pandas.concat(
        sottovoce.Survey(PARTS, p=p).disguise(TRUTH[first::2], seed=3).assign(group=group)
        for first, (p, group) in enumerate({0.8: "direct", 0.5: "protected"}.items())
    )
)
DIE = sottovoce.warner(0.8)
LIED = RNG.random((N, 2)) < 0.2
SAID = TRUTH[["a", "c"]].mask(LIED, 1 - TRUTH[["a", "c"]]).join(TRUTH[["age", "w"]])
LIES = {1: 2 / 12, 2: 10 / 12}
HALVES = SENT.assign(half=np.where(np.arange(N) % 2, SENT.w, 0), rest=np.where(np.arange(N) % 2, 0, SENT.w))
SAMPLES = pandas.DataFrame(
    {"yes": [1] * 373 + [0] * 191 + [1] * 398 + [0] * 294, "of": [1] * 564 + [2] * 692}
)

TABLES = {
    "share": lambda: PLAIN.share("a").to_frame(),
    "weighted share": lambda: WEIGHTED.share("a", "b").to_frame(),
    "mean": lambda: PLAIN.mean("drinks").to_frame(),
    "histogram": lambda: PLAIN.histogram("drinks"),
    "supports": lambda: PLAIN.supports(min=0.01),
    "weighted supports": lambda: WEIGHTED.supports(min=0.01),
    "no supports": lambda: PLAIN.supports(min=0.99),
    "rules": lambda: PLAIN.rules(min=0.01),
    "weighted rules": lambda: WEIGHTED.rules(min=0.01),
    "compare": lambda: PLAIN.compare("a", by="b").to_frame(),
    "weighted compare": lambda: WEIGHTED.compare("a", by="b").to_frame(),
    "compare with an open column": lambda: PLAIN.compare("a", by="sex", at="f").to_frame(),
    "compare means": lambda: PLAIN.compare("drinks", by="b").to_frame(),
    "arms": lambda: PLAIN.arms("arm"),
    "weighted arms": lambda: WEIGHTED.arms("arm"),
    "means": lambda: PLAIN.means("drinks", "sex"),
    "means of a protected answer": lambda: PLAIN.means("drinks", "a"),
    "weighted means": lambda: WEIGHTED.means("drinks", "arm"),
    "waves": lambda: PLAIN.compare(LATER, "a").to_frame(),
    "waves of means": lambda: PLAIN.compare(LATER, "drinks").to_frame(),
    "then and now": lambda: PLAIN.compare("b", by="c").then_and_now().to_frame(),
    "replicates": lambda: sottovoce.replicated(
        SURVEY, HALVES, lambda own: own.share("a"), weights="w", replicates=["half", "rest"], scale=1.0,
        possible=(0, 1),
    ),
    "denial that the weaker strength adds": TWO.added_denial,
    "linear regression": lambda: PLAIN.regression("drinks ~ c + age").to_frame(),
    "linear combinations": lambda: PLAIN.regression("drinks ~ c + age").t_test({"age": 10}),
    "regression": lambda: PLAIN.regression("c ~ sex").to_frame(),
    "regression of a column": lambda: sottovoce.logistic_regression(SAID, "c ~ age", designs=DIE).to_frame(),
    "combinations": lambda: PLAIN.regression("c ~ sex").t_test({"Intercept": 1}),
    "regression of a rare answer": lambda: RARE.regression("a ~ arm").to_frame(),
    "combinations of a rare answer": lambda: RARE.regression("a ~ arm").t_test(np.eye(2)),
    "prevalence": lambda: sottovoce.prevalence(SAID.a, DIE, weights=SAID.w).to_frame(),
    "distribution": lambda: sottovoce.distribution(SAID.a, DIE),
    "crosstab": lambda: sottovoce.crosstab(SENT, "a", "b", designs=SURVEY).to_frame(),
    "odds ratio": lambda: sottovoce.crosstab(SENT, "a", "b", designs=SURVEY).odds_ratio.to_frame(),
    "paper share": lambda: library.design_shares({"yes": 100, "no": 400}, DIE).to_frame(),
    "paper of few": lambda: library.design_shares({"yes": 8, "no": 12}, DIE).to_frame(),
    "cheaters": lambda: library.cheaters((175, 500), (300, 500), p1=0.2, p2=0.8).to_frame(),
    "list": lambda: library.list_experiment([50, 50], [40, 50, 10]).to_frame(),
    "item sum": lambda: library.item_sum([1, 3] * 20, [4, 6] * 20).to_frame(),
    "lie detector": lambda: lie_detector_regression(SAMPLES, "yes", [], sample="of", no=LIES).to_frame(),
}  # fmt: skip


@pytest.mark.parametrize("kind", TABLES)
def test_each_estimate_has_its_companions_and_lies_in_its_interval(kind: str) -> None:
    check(TABLES[kind]())


def check(table: pandas.DataFrame) -> None:
    """Check that a table leaves out nothing that is printed next to an estimate."""
    about = table.attrs["about"]
    assert {"method", "fit_check", "look", "shift"} <= about.keys()
    assert about["method"]
    assert about["look"] == "rows given"
    assert {"n", "effective_n", "level"} <= set(table.columns)
    assert (table.level == 0.95).all()
    tests = about.get("tests", {})
    for name, own in tests.items():
        assert own["test"] in TESTS.values()
        assert own["adjustment"] in get_args(Adjustment)
        assert (own["family"] == 1) == (own["adjustment"] == "none") or own["family"] == 1
        assert 0 <= own["n"][0] <= own["n"][1]
        if "basis" in table:
            # A figure of too few answers has no p-value either.
            assert table[name][table.basis == "too few"].isna().all()
    known = ALONE | OTHER | set(tests)
    for name in ESTIMATES & set(table.columns):
        prefix = f"{name}_" if f"{name}_low" in table else ""
        own = {part: table[f"{prefix}{part}"] for part in ("low", "high", "basis", "unclipped")}
        known |= {name, *(f"{prefix}{part}" for part in own)}
        is_point = own["basis"] == "estimate"
        # The points are those that may be printed, and they are the estimates.
        assert (table[name].notna() == is_point).all()
        assert (table[name][is_point] == own["unclipped"][is_point]).all()
        if "coefficient" in table and name != "coefficient":
            # The same estimate on another scale; it has no point where the ratio has none.
            assert (table.coefficient.notna() == is_point).all()
        inside = (own["low"] <= table[name] + 1e-9) & (table[name] <= own["high"] + 1e-9)
        assert inside[is_point].all()
    assert set(table.columns) <= known, (
        "an estimate needs its companions; list columns that are none in OTHER"
    )


def test_a_planted_estimate_without_a_companion_is_found() -> None:
    table = TABLES["share"]()
    check(table)
    for column in ("low", "high", "n", "level", "basis", "effective_n"):
        with pytest.raises((AssertionError, KeyError, AttributeError)):
            check(table.drop(columns=column))
    with pytest.raises(AssertionError, match="needs its companions"):
        check(table.assign(planted=0.2))
    for p_value in ("p_value", "adjusted", "q_value"):
        with pytest.raises(AssertionError, match="needs its companions"):
            check(table.assign(**{p_value: 0.2}))
    tested = PValues(
        value=np.array([0.2]), test="no difference", n=300, estimable=True, adjustment="none", family=1,
        origin=CHECKED,
    )  # fmt: skip
    columns = {name: table[name].to_numpy() for name in table}
    check(data_frame(columns | {"q_value": tested}, about=table.attrs["about"]))
    del table.attrs["about"]
    with pytest.raises(KeyError):
        check(table)


def test_predictions_say_how_often_their_intervals_hold() -> None:
    table = PLAIN.supports(min=0.01, borrow=True)
    assert {"low", "high", "asked", "basis", "level"} <= set(table.columns)
    assert "on average" in table.attrs["about"]["level"]


def test_the_tables_hold_the_cases_that_must_not_be_printed() -> None:
    """Without these, the test above could not fail."""
    found = {basis for kind in ("compare", "rules", "crosstab") for basis in _bases(TABLES[kind]())}
    assert {"estimate", "at most", "too few"} <= found
    tiny = TABLES["arms"]().xs("two", level="arm")
    assert set(tiny.basis) == {"estimate"}
    # The first group is "one"; that of twelve people has no figure.
    few = TABLES["arms"]().xs("tiny", level="arm")
    assert set(few.basis) == set(few.share_basis) == {"too few"}
    assert few[["difference", "p_value", "named_low"]].isna().all(axis=None)
    assert (few.low == -1).all()


def test_one_person_in_a_group_is_no_finding() -> None:
    """A difference from one person had an interval that excluded 0."""
    alone = SURVEY.on(SENT.assign(arm=["alone", *["rest"] * (N - 1)])).arms("arm")
    assert set(alone.basis) == {"too few"}
    assert alone.p_value.isna().all()


def test_measures_of_rules_know_their_ranges() -> None:
    ends = np.array([-0.3]), np.array([-0.26])
    assert measure_columns("leverage", np.array([-0.28]), *ends, 500)["leverage_basis"] == ["at most"]
    open_end = measure_columns("lift", np.array([3.0]), np.array([2.0]), np.array([np.inf]), 500)
    assert open_end["lift_basis"] == ["at least"]
    above = measure_columns("lift", np.array([3.0]), np.array([2.0]), np.array([9.0]), 500)
    assert above["lift"][0] == 3


ROOT = Path(sottovoce.__file__).parents[1]
NOT_OF_PEOPLE = {
    "privacy/library/cross_table.py": {
        "CrossTab.observed": "counts of reports",
        "CrossTab.shares": "cells of `to_frame`, as a square",
    },
    "privacy/library/shown_tables.py": {"Tabled.to_frame": "a protocol", "Shown.to_frame": "abstract"},
    "privacy/regression/formula_linear.py": {"LinearRegression.conf_int": "the ends of `to_frame`"},
    "privacy/regression/formula_regression.py": {
        "FormulaRegression.conf_int": "the ends of `to_frame`",
        "FormulaRegression.cov_params": "covariance of the coefficients",
    },
    "privacy/risk/design_risk.py": {"DesignRisk.to_frame": "probabilities of the design"},
    "privacy/sdc/anonymise.py": {"Report.to_frame": "counts of records", "anonymise": "records"},
    "privacy/sdc/table_attack.py": {"Attack.to_frame": "an attack"},
    "privacy/sdc/verification.py": {"Check.to_frame": "counts of records"},
    "mining/frames/computed.py": {"with_computed_columns": "answers"},
    "mining/frames/plan.py": {
        "Plan.to_frame": "guessed shares with their expected widths",
        "Plan.simulate": "simulated figures, with their number of surveys",
    },
    "mining/frames/simulation.py": {
        "Simulated.disguise": "reports",
        "simulate": "simulated figures, with their number of surveys",
        "guessed_people": "draws answers",
    },
    "mining/frames/survey.py": {"Survey.disguise": "reports", "Survey.to_frame": "the design"},
    "mining/frames/survey_audit.py": {"SurveyAudit.to_frame": "probabilities of the design"},
    "mining/frames/table_rows.py": {"frame_of": "reports"},
    "sottovoce/__init__.py": {"example_data": "answers"},
    "sottovoce/tables.py": {"anonymise": "records"},
}
"""Functions that return tables without estimates about people, and what they contain instead."""


def functions_that_return_tables() -> Iterator[tuple[str, str]]:
    """Yield the file and the name of each public function of the library that returns a DataFrame."""

    def returned(function: ast.FunctionDef) -> str:
        is_public = function.returns is not None and not function.name.startswith("_")
        return ast.unparse(function.returns) if is_public and function.returns else ""

    def within(node: ast.AST, prefix: str) -> Iterator[str]:
        for member in ast.iter_child_nodes(node):
            name = getattr(member, "name", "")
            if isinstance(member, ast.ClassDef) and not name.startswith("_"):
                yield from within(member, f"{prefix}{name}.")
            elif isinstance(member, ast.FunctionDef) and "DataFrame" in returned(member):
                yield f"{prefix}{name}"

    for package in ("privacy", "mining", "sottovoce"):
        for path in sorted((ROOT / package).rglob("*.py")):
            file = str(path.relative_to(ROOT))
            yield from ((file, name) for name in within(ast.parse(path.read_text(encoding="utf-8")), ""))


@pytest.mark.soak
def test_each_function_that_returns_a_table_is_among_the_checked_ones() -> None:
    """A new table that nobody adds to `TABLES` would be checked by no test."""
    called: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "return":
            called.add((frame.f_code.co_filename, frame.f_code.co_qualname))

    sys.setprofile(note)
    try:
        for build in TABLES.values():
            build()
    finally:
        sys.setprofile(None)
    unchecked = {own for own in functions_that_return_tables() if (str(ROOT / own[0]), own[1]) not in called}
    listed = {(file, name) for file, names in NOT_OF_PEOPLE.items() for name in names}
    assert unchecked - listed == set(), "add the table to TABLES"
    assert listed - unchecked == set(), "this function is checked, or exists no more"


def _bases(table: pandas.DataFrame) -> set[str]:
    return {basis for name in table.columns if name.endswith("basis") for basis in table[name]}


def test_thirty_effective_rows_are_a_test_and_a_ratio_is_no_score() -> None:
    halves = np.array([0.5, 0.5])
    tested = Decisions(p_values=halves / 10, adjusted=halves / 5, cut_off=halves)
    columns = tested_columns(tested, np.array([40, 40]), np.array([30.0, 29.9]), family=7)
    for name in ("p_value", "adjusted"):
        assert np.isnan(columns[name].printed).tolist() == [False, True]
    rows = np.array([100.0, 100.0])
    for name, own in (("support", halves), ("lift", 3 * halves)):
        found = measure_columns(name, own, own / 2, own * 1.5, rows)
        assert found[name].tolist() == own.tolist()
        assert (found[f"{name}_low"].tolist(), found[f"{name}_high"].tolist()) == (
            (own / 2).tolist(), (own * 1.5).tolist(),
        )  # fmt: skip
