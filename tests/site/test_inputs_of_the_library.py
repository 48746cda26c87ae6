"""The same answers give the same figures, however a table states them; what cannot be read is refused.

Each test is about one kind of input, with its siblings: columns in another order of rows, kinds of text, of
data frames and of counts, and groups that were never disguised.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
import pytest

import sottovoce
from sottovoce import sdc

N = 600
DIE = sottovoce.warner(0.8)


def people(seed: int = 1) -> pandas.DataFrame:
    """Return answers of people of two groups, disguised by a die, and unequal weights."""
    rng = np.random.default_rng(seed)
    group = rng.random(N) < 0.5
    truth = rng.random(N) < np.where(group, 0.8, 0.1)
    said = np.where(rng.random(N) < 0.8, truth, ~truth)
    return pandas.DataFrame(
        {
            "said": said.astype(int),
            "w": np.where(group, 5.0, 1.0),
            "sex": rng.choice(["f", "m"], N),
            "school": rng.choice(list("abcdefghijkl"), N),
            "age": rng.integers(18, 90, N),
            "ill": rng.choice(list("xyz"), N),
        }
    )


FRAME = people()
SHUFFLED = FRAME.sample(frac=1, random_state=2)
ALIGNED: dict[str, Callable[[pandas.DataFrame], Any]] = {
    "prevalence, weights": lambda other: sottovoce.prevalence(FRAME.said, DIE, weights=other.w).interval(),
    "clusters": lambda other: sottovoce.prevalence(FRAME.said, DIE, clusters=other.school).interval(),
    "distribution": lambda other: sottovoce.distribution(FRAME.said, DIE, weights=other.w).share.tolist(),
}


@pytest.mark.parametrize("kind", ALIGNED)
def test_a_series_in_another_order_of_rows_is_read_by_its_index(kind: str) -> None:
    assert ALIGNED[kind](SHUFFLED) == pytest.approx(ALIGNED[kind](FRAME))
    with pytest.raises(sottovoce.PrivacyError):
        ALIGNED[kind](SHUFFLED.set_axis(range(5, N + 5)))


def test_a_series_where_a_name_is_needed_is_refused_with_the_remedy() -> None:
    with pytest.raises(sottovoce.PrivacyError, match="pass the name"):
        sottovoce.logistic_regression(FRAME, "said ~ age", designs=DIE, weights=FRAME.w)


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["object", "string", "string[pyarrow]", "category"])
def test_every_kind_of_text_is_a_category_in_a_formula(kind: str) -> None:
    frame = FRAME.assign(sex=FRAME.sex.astype(kind))
    found = sottovoce.logistic_regression(frame, "said ~ sex + age", designs=DIE)
    usual = sottovoce.logistic_regression(FRAME, "said ~ sex + age", designs=DIE)
    assert found.params.index.tolist() == usual.params.index.tolist()
    assert found.params.tolist() == pytest.approx(usual.params.tolist())


@pytest.mark.parametrize("made", [polars.from_pandas, pyarrow.Table.from_pandas])
def test_every_kind_of_data_frame_is_read(made: Callable[[pandas.DataFrame], Any]) -> None:
    fit = sottovoce.logistic_regression(FRAME, "said ~ age", designs=DIE)
    assert fit.predict(made(FRAME)).tolist() == pytest.approx(fit.predict(FRAME).tolist())
    other = sottovoce.logistic_regression(made(FRAME), "said ~ age", designs=DIE)
    assert other.params.tolist() == pytest.approx(fit.params.tolist())
    published, _ = sdc.anonymise(made(FRAME), quasi_identifiers=["age"], sensitive=["ill"])
    assert len(published) == N


YES, NO = 391, 809
COUNTS = [
    {True: YES, False: NO}, {1: YES, 0: NO}, {1.0: YES, 0.0: NO}, {"1": YES, "0": NO},
    {"Yes": YES, "No": NO}, {"TRUE": YES, "FALSE": NO}, {False: NO, True: YES},
    {np.int64(1): YES, np.int64(0): NO}, pandas.Series({"no": NO, "yes": YES}),
    pandas.Series([1] * YES + [0] * NO).value_counts(), pandas.Series([0] * NO + [1] * YES).value_counts(),
]  # fmt: skip


@pytest.mark.parametrize("counts", COUNTS, ids=repr)
def test_every_spelling_of_counts_is_read(counts: Any) -> None:
    plain = sottovoce.prevalence({"yes": YES, "no": NO}, sottovoce.warner(0.3))
    found = sottovoce.prevalence(counts, sottovoce.warner(0.3))
    assert (found.value, found.n) == (plain.value, plain.n)


def test_what_no_one_has_is_refused_with_what_people_have() -> None:
    reports = sottovoce.Survey({"x": ["said"]}, p=0.5).on(FRAME[["said", "sex"]])
    for call in (
        lambda: reports.compare("said", by="sex", at="zz"),
        lambda: reports.compare("said", by="sex", at=1),
    ):
        with pytest.raises(sottovoce.PrivacyError, match="'f', 'm'"):
            call()
    with pytest.raises(sottovoce.PrivacyError, match="map terms to numbers"):
        reports.regression("said ~ sex").t_test("sex = 0")


def undisguised(seed: int, kind: str) -> pandas.DataFrame:
    """Return reports of two groups by one coin of 1/2, of which one was not disguised."""
    rng = np.random.default_rng(seed)
    group = rng.choice(["x", "y"], 1500)
    truth = rng.random(1500) < np.where(group == "x", 0.02, 0.6)
    coin = np.where(rng.random(1500) < 0.5, truth, rng.random(1500) < 0.5)
    is_plain = group == kind
    return pandas.DataFrame({"a": np.where(is_plain, truth, coin).astype(int), "g": group})


@pytest.mark.parametrize("seed", range(3))
def test_a_group_that_was_never_disguised_has_no_figure_anywhere(seed: int) -> None:
    survey = sottovoce.Survey({"q": ["a"]}, p=0.5)
    frame = undisguised(seed, "x")
    reports = survey.on(frame)
    for call in (
        lambda: reports.arms("g"),
        lambda: reports.compare("a", by="g", at="x"),
        lambda: reports.compare("a", by="g", at="y"),
        lambda: reports.regression("a ~ g"),
    ):
        with pytest.raises(sottovoce.PrivacyError, match="contradict the design") as caught:
            call()
        assert "g = " in str(caught.value), "the message names the group"
    # If both groups were disguised, each of these has a figure.
    plain = survey.on(undisguised(seed, "nobody"))
    assert len(plain.arms("g")) == 1
    assert 0 < plain.compare("a", by="g", at="y").value < 1


@pytest.mark.parametrize("share", [0.01, 0.03, 0.1])
@pytest.mark.soak
def test_no_table_has_a_point_outside_its_interval(share: float) -> None:
    rng = np.random.default_rng(3)
    hidden = 0
    for seed in range(15):
        truth = pandas.DataFrame(
            {"a": (rng.random(N) < share).astype(int), "b": (rng.random(N) < 0.2).astype(int)}
        )
        survey = sottovoce.Survey({"x": ["a"], "y": ["b"]}, p=0.5)
        reports = survey.on(survey.disguise(truth, seed=seed))
        for table, name in (
            (reports.compare("a", by="b").to_frame(), "estimate"),
            (reports.share("a", "b").to_frame(), "estimate"),
            (reports.supports(min=0.005), "support"),
        ):
            known = table[table[name].notna()]
            assert ((known.low - 1e-9 <= known[name]) & (known[name] <= known.high + 1e-9)).all()
            hidden += int((table.basis != "estimate").sum())
        rules = reports.rules(min=0.005)
        for measure in ("support", "confidence", "lift", "leverage"):
            known = rules[rules[measure].notna()]
            low, high = known[f"{measure}_low"], known[f"{measure}_high"]
            assert ((low - 1e-9 <= known[measure]) & (known[measure] <= high + 1e-9)).all()
    assert hidden or share == 0.1
