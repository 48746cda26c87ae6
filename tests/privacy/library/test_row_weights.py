"""Rows with weights, clusters and individual designs."""

import numpy as np
import pandas as pd
import pytest

from privacy.library import designs
from privacy.library.careless import anchored_crosswise
from privacy.library.cross_table import crosstab
from privacy.library.one_sample import channel_shares
from privacy.library.shares import distribution, prevalence
from privacy.library.two_samples import list_experiment
from privacy.regression.formula_regression import logistic_regression
from tests.fixtures.refusals import refused

RNG = np.random.default_rng(6)
PEOPLE = pd.DataFrame({"p": RNG.choice([0.7, 0.8, 0.9], 900), "school": np.arange(900) % 30})
PEOPLE["w"] = RNG.integers(1, 4, 900)
PEOPLE["affair"] = (RNG.random(900) < np.where(RNG.random(900) < 0.4, PEOPLE.p, 1 - PEOPLE.p)).astype(int)


def test_row_specific_designs_are_unbiased_over_all_reports() -> None:
    """30% have the item; rows with p .6 and .9 give each report exactly as often as expected."""
    reports, laws, weights = [], [], []
    for p, part in ((0.6, 0.25), (0.9, 0.75)):
        yes = 0.3 * p + 0.7 * (1 - p)
        reports += [1, 0]
        laws += [designs.warner(p)] * 2
        weights += [part * yes, part * (1 - yes)]
    column = pd.Series(reports * 200, name="affair")
    found = prevalence(column, laws * 200, weights=np.array(weights * 200))
    assert found.value == pytest.approx(0.3, abs=1e-12)
    table = distribution(column, pd.Series(laws * 200), weights=np.array(weights * 200))
    assert table.share.tolist() == pytest.approx([0.7, 0.3], abs=1e-12)
    assert "warner(p=0.6) and 1 more design, n = 800" in found.summary()


def test_one_design_for_all_rows_equals_one_design_per_row() -> None:
    law = designs.warner(0.8)
    one, each = prevalence(PEOPLE.affair, law), prevalence(PEOPLE.affair, [law] * 900, weights=[2.0] * 900)
    assert each.value == pytest.approx(one.value, abs=1e-12)
    assert each.interval() == pytest.approx(one.interval(), abs=1e-9)
    assert (each.n, each.few_rows) == (one.n, one.few_rows)


def test_weights_repeat_rows_and_clustered_copies_count_once() -> None:
    laws = PEOPLE.p.map(designs.warner)
    often = PEOPLE.loc[PEOPLE.index.repeat(PEOPLE.w)]
    weighted = prevalence(PEOPLE.affair, laws, weights=PEOPLE.w)
    repeated = prevalence(often.affair, often.p.map(designs.warner))
    assert weighted.value == pytest.approx(repeated.value, abs=1e-12)
    assert weighted.standard_error > repeated.standard_error
    copies = prevalence(often.affair, often.p.map(designs.warner), clusters=often.index)
    assert copies.standard_error == pytest.approx(weighted.standard_error)
    assert prevalence(PEOPLE.affair, laws, clusters=PEOPLE.school).clusters.count == 30


def test_rows_of_different_lengths_are_refused() -> None:
    law = designs.warner(0.8)
    with refused("answers", "3 rows", "900"):
        prevalence(PEOPLE.affair, law, weights=[1, 2, 3])
    with refused("answers", "2 rows"):
        prevalence(PEOPLE.affair, [law, law])
    with refused("answers", "weights have 1 row, and"):
        prevalence(PEOPLE.affair, law, weights=2)
    with refused("answers", "counts"):
        prevalence({"yes": 3, "no": 4}, law, clusters=[1, 2])
    with refused("designs", "2 different"):
        prevalence(PEOPLE.affair, [law, designs.generalised_rr(["a", "b"], p=0.5)] * 450)
    with refused("designs", "0.8"):
        prevalence(PEOPLE.affair, [0.8] * 900)
    with refused("regression", "weights"):
        prevalence(PEOPLE.affair, law, weights=[0.0] * 900)
    with refused("clusters", "clusters"):
        prevalence(PEOPLE.affair, law, clusters=[1, 2] * 450)
    with refused("misfit", "affair"):
        prevalence(pd.Series([1] * 2 + [0] * 898, name="affair"), [law, designs.warner(0.9)] * 450)


def test_values_with_row_labels_belong_to_the_rows_with_these_labels() -> None:
    """A shuffled Series of weights, clusters or designs gave another estimate without a word."""
    laws = PEOPLE.p.map(designs.warner)
    ordered = prevalence(PEOPLE.affair, laws, weights=PEOPLE.w, clusters=PEOPLE.school)
    other = PEOPLE.sample(frac=1, random_state=2)
    for parts in ({"weights"}, {"clusters"}, {"laws"}, {"weights", "clusters", "laws"}):
        source = {name: other if name in parts else PEOPLE for name in ("weights", "clusters", "laws")}
        found = prevalence(
            PEOPLE.affair,
            source["laws"].p.map(designs.warner),
            weights=source["weights"].w,
            clusters=source["clusters"].school,
        )
        assert found.value == pytest.approx(ordered.value, abs=1e-12)
        assert found.interval() == pytest.approx(ordered.interval(), abs=1e-9)
    some = PEOPLE.school < 20
    part = prevalence(PEOPLE.affair[some], designs.warner(0.8), weights=other.w)
    assert part.value == prevalence(PEOPLE.affair[some], designs.warner(0.8), weights=PEOPLE.w[some]).value
    table = PEOPLE.assign(b=PEOPLE.affair[::-1].to_numpy())
    cells = [
        crosstab(table, "affair", "b", designs={"affair": own, "b": designs.warner(0.8)}).shares.to_numpy()
        for own in (laws, laws.loc[other.index])
    ]
    assert cells[0] == pytest.approx(cells[1], abs=1e-12)
    fits = [
        logistic_regression(PEOPLE, "affair ~ school", designs=own).params.to_numpy()
        for own in (laws, laws.loc[other.index])
    ]
    assert fits[0] == pytest.approx(fits[1], abs=1e-9)


def test_values_of_other_rows_or_no_rows_are_refused() -> None:
    law = designs.warner(0.8)
    relabelled = PEOPLE.w.set_axis(range(1, 901))
    with refused("answers", "weights", "row 0"):
        prevalence(PEOPLE.affair, law, weights=relabelled)
    with refused("answers", "designs", "row 0"):
        prevalence(PEOPLE.affair, relabelled.map(lambda _: law))
    with refused("answers", "clusters have two values for row 0"):
        prevalence(PEOPLE.affair, law, clusters=PEOPLE.school.set_axis([0] * 900))
    # A frame that repeats its labels has its own columns in its own order.
    twice = pd.concat([PEOPLE, PEOPLE])
    assert prevalence(twice.affair, law, weights=twice.w).n == 1800
    for given in (PEOPLE[["school"]], PEOPLE.school.to_dict(), set(range(900)), "s" * 900, np.ones((900, 1))):
        with refused("answers", "not one value for each row"):
            prevalence(PEOPLE.affair, law, clusters=given)
        with refused("answers", "not one value for each row"):
            prevalence(PEOPLE.affair, law, weights=given)
    table = PEOPLE.assign(b=PEOPLE.affair[::-1].to_numpy())
    for ask in (
        lambda: crosstab(table, "affair", "b", designs=law, weights=PEOPLE.w),
        lambda: crosstab(PEOPLE, PEOPLE.affair, "school", designs=law),
        lambda: logistic_regression(PEOPLE, "affair ~ w", designs=law, clusters=PEOPLE.school),
    ):
        with refused("frame", "a Series was given instead of the name of a column"):
            ask()


@pytest.mark.parametrize("weight", [1e300, 1e-300, np.inf, -1.0, 0.0])
def test_weights_whose_squares_are_no_numbers_are_refused_with_row_and_value(weight: float) -> None:
    """1e300 in each row gave "too few answers" for 900 people, or an OverflowError."""
    weights = PEOPLE.w.astype(float).where(PEOPLE.index != 7, weight)
    with refused("regression", "row 7", weight):
        prevalence(PEOPLE.affair, designs.warner(0.8), weights=weights)
    with refused("regression", "row 7", weight, "'heavy'"):
        logistic_regression(
            PEOPLE.assign(heavy=weights), "affair ~ school", designs=designs.warner(0.8), weights="heavy"
        )
    even = [
        prevalence(PEOPLE.affair, designs.warner(0.8), weights=PEOPLE.w * scale).interval()
        for scale in (1.0, 1e-11, 1e11)
    ]
    assert even[1] == pytest.approx(even[0], rel=1e-6)
    assert even[2] == pytest.approx(even[0], rel=1e-6)


def test_incomplete_rows_are_dropped_if_asked_and_counted() -> None:
    law = designs.warner(0.8)
    holes = PEOPLE.affair.where(PEOPLE.index >= 3), PEOPLE.w.where(PEOPLE.index < 898)
    found = prevalence(holes[0], law, weights=holes[1], missing="drop")
    kept = PEOPLE.iloc[3:898]
    assert found.value == prevalence(kept.affair, law, weights=kept.w).value
    assert "5 rows without an answer left out" in found.summary()
    plain = prevalence(holes[0], law, missing="drop")
    assert plain.interval() == prevalence(PEOPLE.affair[3:], law).interval()
    assert distribution(holes[0], law, missing="drop").attrs["dropped"] == 3
    laws = PEOPLE.p.map(designs.warner)
    assert prevalence(holes[0], laws, missing="drop").value == pytest.approx(
        prevalence(PEOPLE.affair[3:], laws[3:]).value, abs=1e-12
    )
    with refused("answers", "900 rows"):
        prevalence(PEOPLE.affair.where(PEOPLE.index < 0), law, missing="drop")
    with refused("reports", "'skip'"):
        prevalence(PEOPLE.affair, law, missing="skip")


def test_a_list_experiment_reads_counts_by_their_labels() -> None:
    """value_counts() sorts by frequency: read by position, these gave .42 instead of .24."""
    control = pd.Series([0] * 10 + [1] * 40 + [2] * 50)
    treated = pd.Series([0] * 12 + [1] * 30 + [2] * 40 + [3] * 18)
    share = list_experiment([10, 40, 50], [12, 30, 40, 18])["share"].value
    assert list_experiment(control.value_counts(), treated.value_counts())["share"].value == share
    assert (
        list_experiment({2: 50, 0: 10, 1: 40}, treated.astype(float).value_counts())["share"].value == share
    )
    for labels in (["a", "b", "c"], [-1, 0, 1], [0.5, 1, 2], [0, 1, 2000]):
        with refused("paper", "group"):
            list_experiment(pd.Series([10, 40, 50], index=labels), [12, 30, 40, 18])
    with refused("paper", "DataFrame"):
        list_experiment(pd.DataFrame([[10, 40, 50]]), [12, 30, 40, 18])
    with refused("paper", "'b'"):
        channel_shares(pd.Series([70, 30], index=["b", "a"]), [[1, 0], [0, 1]], ["a", "b"])
    with refused("paper", "DataFrame"):
        channel_shares([30, 70], pd.DataFrame([[1, 0], [0, 1]]), ["a", "b"])
    with refused("paper", "DataFrame"):
        anchored_crosswise(pd.DataFrame([[1, 2], [3, 4]]), p=0.2, anchor_p=0.2)
