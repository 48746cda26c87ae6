"""One disguised column, or two together: shares, the odds ratio, and its interval."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq
from scipy.stats import chi2

from privacy.errors import PrivacyError
from privacy.estimation.empirical_likelihood import likelihood_ratio
from privacy.library import designs
from privacy.library.cross_table import crosstab
from privacy.library.designs import ResponseDesign, scores_of
from privacy.library.shares import distribution, prevalence
from tests.fixtures.refusals import refused
from tests.privacy.library.test_designs import ALL

FORCED = designs.forced_response(yes=1 / 6, no=1 / 6)
WARNER = designs.warner(p=0.8)
GROUPING = designs.grouping(p=0.5, theta=0.4)
HOME = designs.grouping(p=0.5, theta=0.4, block="home")
# P(no, no), P(no, yes), P(yes, no), P(yes, yes)
TRUTH = np.array([0.5, 0.2, 0.15, 0.15])


def frame_of(cells: list[int], names: tuple[str, str] = ("a", "b")) -> pd.DataFrame:
    """Return one row per person, from the counts of no/no, no/yes, yes/no, yes/yes."""
    pairs = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], cells, axis=0)
    return pd.DataFrame(pairs, columns=list(names))


def joint(law: ResponseDesign) -> np.ndarray:
    """Return the channel of two questions, with one coin for both or a Kronecker product."""
    if law.shared_coin:
        return law.row_of(2).matrix.as_array()
    return np.kron(law.channel.as_array(), law.channel.as_array())


def exact_cells(law: ResponseDesign, n: int) -> list[int]:
    """Return expected counts of reports, which must be integers."""
    expected = n * (joint(law) @ TRUTH)
    assert np.allclose(expected, expected.round(), atol=1e-6)
    return [int(count) for count in expected.round()]


@pytest.mark.parametrize("law", [designs.truthful(), WARNER, HOME], ids=repr)
def test_expected_reports_recover_the_true_table(law: ResponseDesign) -> None:
    found = crosstab(frame_of(exact_cells(law, 100_000)), "a", "b", designs=law)
    assert found.shares.to_numpy().ravel() == pytest.approx(TRUTH, abs=1e-9)
    assert found.odds_ratio.value == pytest.approx(0.5 * 0.15 / (0.2 * 0.15), abs=1e-7)
    low, high = found.odds_ratio.interval()
    assert low < 2.5 < high
    assert found.to_frame()["share"].to_numpy() == pytest.approx(TRUTH, abs=1e-9)
    assert found.summary(0.9).endswith("\n" + found.odds_ratio.summary(0.9))


def test_each_column_can_have_its_own_design() -> None:
    expected = 100_000 * np.kron(WARNER.channel.as_array(), np.eye(2)) @ TRUTH
    frame = frame_of([round(count) for count in expected])
    found = crosstab(frame, "a", "b", designs={"b": designs.truthful(), "a": WARNER})
    assert found.shares.to_numpy().ravel() == pytest.approx(TRUTH, abs=1e-9)
    assert "warner(p=0.8) and truthful()" in found.summary()


def test_two_designs_of_rows_are_both_corrected() -> None:
    laws = WARNER, designs.warner(p=0.7)
    frame = pd.concat([frame_of(exact_cells(law, 2_000)) for law in laws], ignore_index=True)
    by_row = [law for law in laws for _row in range(2_000)]
    found = crosstab(frame, "a", "b", designs={"a": by_row, "b": by_row})
    assert found.shares.to_numpy().ravel() == pytest.approx(TRUTH, abs=1e-9)


@pytest.mark.parametrize(
    "design",
    [GROUPING, designs.unrelated_question(p=0.5, theta=0.4), designs.unrelated_question(p=0.7, theta=0.2)],
    ids=repr,
)
def test_the_number_of_coins_must_be_stated(design: ResponseDesign) -> None:
    """A design that does not say so is refused, shared or repeated; the remedy says what to write."""
    for stated in (design, {"a": design, "b": design}):
        with pytest.raises(PrivacyError, match='block="home"') as caught:
            crosstab(frame_of([3, 3, 3, 3]), "a", "b", designs=stated)
        assert caught.value.code == "crosstab"


def test_a_crosstab_shows_reports_as_received() -> None:
    found = crosstab(frame_of([5, 2, 1, 3]), "a", "b", designs=FORCED)
    assert found.observed.loc["no", "yes"] == 2
    assert found.observed.loc["yes", "no"] == 1
    assert (found.observed.index.name, found.observed.columns.name, found.n) == ("a", "b", 11)
    assert repr(found) == "<crosstab of a and b: 2 x 2, n = 11>"


def test_the_odds_ratio_interval_inverts_the_likelihood_test() -> None:
    ratio = crosstab(frame_of([300, 250, 220, 230]), "a", "b", designs=FORCED).odds_ratio
    threshold = chi2.isf(0.05, 1)
    for end in ratio.interval():
        statistic = likelihood_ratio(ratio.counts, ratio.constant + end * ratio.slope)
        assert float(statistic) == pytest.approx(threshold, abs=1e-6)


@pytest.mark.parametrize("empty", range(4))
def test_an_odds_ratio_with_an_empty_cell_shows_only_one_end(empty: int) -> None:
    cells = [0 if cell == empty else 30 for cell in range(4)]
    ratio = crosstab(frame_of(cells), "a", "b", designs=designs.truthful()).odds_ratio
    low, high = ratio.interval()
    assert not ratio.has_point
    assert (low == 0, high == np.inf) == (empty in (0, 3), empty in (1, 2))
    # Without both cells of the numerator or of the denominator, nothing is known.
    opposite = [0 if cell in (empty, 3 - empty) else 30 for cell in range(4)]
    ratio = crosstab(frame_of(opposite), "a", "b", designs=designs.truthful()).odds_ratio
    assert ratio.interval() == (0, np.inf)


def test_an_implausible_odds_ratio_shows_no_point_estimate() -> None:
    ratio = crosstab(frame_of([400, 190, 190, 220]), "a", "b", designs=WARNER).odds_ratio
    assert ratio.shown()[0] == ratio.value
    both_below = crosstab(frame_of([420, 95, 100, 385]), "a", "b", designs=WARNER).odds_ratio
    assert both_below.interval() == (0, np.inf)
    assert "too few answers to say" in repr(both_below)
    outside = crosstab(frame_of([460, 120, 230, 190]), "a", "b", designs=WARNER).odds_ratio
    assert outside.interval() == (0, np.inf)
    ratio = crosstab(frame_of([500, 150, 170, 180]), "a", "b", designs=WARNER).odds_ratio
    assert not ratio.has_point
    low, high = ratio.interval()
    assert high == np.inf
    assert f"too few answers to say: at least {low:.4g}" in repr(ratio)
    assert np.isnan(ratio.shown()).all()


def test_an_unbounded_odds_ratio_is_labelled_as_such() -> None:
    ratio = crosstab(frame_of([9, 2, 1, 3]), "a", "b", designs=WARNER).odds_ratio
    assert ratio.interval()[1] == np.inf
    assert "few rows" in ratio.summary()


def test_only_ratios_with_a_denominator_near_0_are_labelled() -> None:
    """Without disguise, the denominator p10 p01 has a relative variance of 1/c + 1/d - 4/n."""
    for cells, labelled in (([20, 20, 20, 20], True), ([300, 300, 300, 300], False)):
        n, first, second = sum(cells), cells[1], cells[2]
        relative = (1 / first + 1 / second - 4 / n) ** 0.5
        assert (5 * relative >= 1) == labelled
        ratio = crosstab(frame_of(cells), "a", "b", designs=designs.truthful()).odds_ratio
        assert ratio.estimable()
        assert ("shown because estimable" in repr(ratio)) == labelled
        assert ("shown because estimable" in ratio.summary()) == labelled
    lost = crosstab(frame_of([420, 95, 100, 385]), "a", "b", designs=WARNER).odds_ratio
    assert "shown because estimable" not in repr(lost) + lost.summary()
    share = crosstab(frame_of([9, 1, 1, 1]), "a", "b", designs=designs.truthful()).share("yes", "yes")
    assert "shown because estimable" not in repr(share) + share.summary()


def test_more_than_two_answers_have_shares_but_no_odds_ratio() -> None:
    law = designs.generalised_rr(["never", "once", "often"], p=0.8)
    frame = pd.DataFrame({"a": ["never", "once", "often"] * 4, "b": [1, 0, 0, 1] * 3})
    found = crosstab(frame, "a", "b", designs={"a": law, "b": WARNER})
    assert found.shares.shape == (3, 2)
    # Twelve answers are too few for figures.
    assert found.shares.isna().all(axis=None)
    assert found.to_frame().unclipped.sum() == pytest.approx(1)
    with refused("crosstab", "3 x 2"):
        _ = found.odds_ratio
    with refused("designs", "'twice'"):
        found.share("twice", "yes")
    assert "odds ratio" not in found.summary()


def test_columns_and_designs_are_checked() -> None:
    frame = frame_of([3, 3, 3, 3])
    other = designs.grouping(p=0.6, theta=0.4, block="home")
    cases: list[tuple[str, str, pd.DataFrame, str, object]] = [
        ("crosstab", "'a'", frame, "a", FORCED),
        ("crosstab", "'b'", frame, "b", {"a": FORCED}),
        ("crosstab", "the block is not named", frame, "b", {"a": GROUPING, "b": FORCED}),
        ("crosstab", "0.5, 0.6", frame, "b", {"a": HOME, "b": other}),
        ("frame", "'c'", frame, "c", FORCED),
        ("frame", "2 columns", pd.concat([frame, frame], axis=1), "b", FORCED),
        ("answers", "column b", frame.assign(b=[1.0, None] * 6), "b", FORCED),
        ("answers", "all 12", frame.assign(b=1), "b", FORCED),
        ("frame", "no row", frame[:0], "b", FORCED),
    ]
    for code, named, table, second, design in cases:
        with refused(code, named):
            crosstab(table, "a", second, designs=design)  # type: ignore[arg-type]


def pair_shares(coins: dict[str, tuple[Fraction, list[Fraction]]], blocks: tuple[str, str]) -> list[Fraction]:
    """Return the probabilities of the four pairs of reports, by enumerating the coins.

    `coins` has each block's p, and the thetas of the first and second question.
    """
    chances = [Fraction(0)] * 4
    names = sorted(set(blocks))
    for faces in itertools.product((True, False), repeat=len(names)):
        is_true = dict(zip(names, faces, strict=True))
        chance = math.prod(coins[name][0] if is_true[name] else 1 - coins[name][0] for name in names)
        for pair, share in enumerate(TRUTH):
            truth = (pair >> 1, pair & 1)
            for reports in itertools.product((0, 1), repeat=2):
                sent = Fraction(1)
                for place, name in enumerate(blocks):
                    theta = coins[name][1][place]
                    decoy = theta if reports[place] else 1 - theta
                    sent *= int(reports[place] == truth[place]) if is_true[name] else decoy
                chances[2 * reports[0] + reports[1]] += chance * Fraction(str(share)) * sent
    return chances


@pytest.mark.parametrize("blocks", [("home", "home"), ("home", "work"), ("work", "home")])
@pytest.mark.parametrize("thetas", [("0.5", "0.5"), ("0.4", "0.7")])
def test_columns_share_a_coin_exactly_within_a_block(
    blocks: tuple[str, str], thetas: tuple[str, str]
) -> None:
    """Enumerates every outcome of every coin; the true table is recovered exactly."""
    decoys = [Fraction(theta) for theta in thetas]
    coins = {"home": (Fraction(1, 2), decoys), "work": (Fraction(3, 5), decoys)}
    chances = pair_shares(coins, blocks)
    assert sum(chances) == 1
    n = math.lcm(*(chance.denominator for chance in chances))
    frame = frame_of([int(chance * n) for chance in chances])
    stated = {
        column: designs.grouping(p=coins[name][0], theta=theta, block=name)
        for column, name, theta in zip("ab", blocks, decoys, strict=True)
    }
    found = crosstab(frame, "a", "b", designs=stated)
    assert found.shares.to_numpy().ravel() == pytest.approx(TRUTH, abs=1e-12)
    # With other blocks, the result is wrong.
    other = dict(stated, b=designs.grouping(p=coins[blocks[0]][0], theta=decoys[1], block=blocks[0]))
    if blocks[0] == blocks[1]:
        other["b"] = designs.grouping(p=coins["home"][0], theta=decoys[1], block="work")
    wrong = crosstab(frame, "a", "b", designs=other).shares.to_numpy().ravel()
    assert abs(wrong - TRUTH).max() > 0.01


def test_a_disguised_column_can_be_crossed_with_any_column() -> None:
    rng = np.random.default_rng(3)
    people = pd.DataFrame({"sex": rng.choice(["m", "f", "x"], 3000), "p": rng.choice([0.7, 0.9], 3000)})
    truth = rng.random(3000) < np.where(people.sex == "f", 0.5, 0.2)
    people["a"] = np.where(rng.random(3000) < people.p, truth, ~truth)
    people["school"] = rng.integers(0, 40, 3000)
    laws = {"a": people.p.map({p: designs.warner(p) for p in (0.7, 0.9)}), "sex": designs.truthful()}
    table = crosstab(people, "sex", "a", designs=laws, clusters="school")
    assert table.observed.index.tolist() == ["f", "m", "x"]
    among = table.shares.loc["f"] / table.shares.loc["f"].sum()
    assert abs(among["yes"] - 0.5) < 0.1
    women = people[people.sex == "f"]
    alone = prevalence(women.a, women.p.map(designs.warner))
    assert table.shares.loc["f", "yes"] == pytest.approx(alone.value * len(women) / 3000, abs=1e-12)
    assert table.share("f", "yes").clusters.count == 40
    ordered = people.assign(sex=pd.Categorical(people.sex, ["x", "m", "f"]))
    assert crosstab(ordered, "sex", "a", designs=laws).observed.index.tolist() == ["x", "m", "f"]
    by_hand = {**laws, "sex": designs.truthful("m", "f", "x")}
    assert crosstab(people, "sex", "a", designs=by_hand).observed.index.tolist() == ["m", "f", "x"]


def test_weights_count_a_row_several_times() -> None:
    rng = np.random.default_rng(4)
    people = pd.DataFrame(rng.integers(0, 2, (600, 2)), columns=["a", "b"]).assign(w=rng.integers(1, 4, 600))
    often = people.loc[people.index.repeat(people.w)]
    weighted = crosstab(people, "a", "b", designs=FORCED, weights="w")
    repeated = crosstab(often, "a", "b", designs=FORCED)
    assert weighted.shares.to_numpy() == pytest.approx(repeated.shares.to_numpy(), abs=1e-12)
    assert weighted.odds_ratio.value == pytest.approx(repeated.odds_ratio.value)
    assert weighted.odds_ratio.standard_error > repeated.odds_ratio.standard_error
    assert weighted.n == 600
    with refused("clusters", "w"):
        crosstab(people, "a", "b", designs=FORCED, clusters="w")


@pytest.mark.parametrize("design", ALL, ids=repr)
def test_the_mean_score_is_unbiased_for_each_share(design: ResponseDesign) -> None:
    assert (
        np.abs(scores_of(design.retention) @ design.channel.as_array() - np.eye(len(design.values))).max()
        < 1e-12
    )


def test_a_share_is_the_published_moment_estimate() -> None:
    found = prevalence({"yes": 60, "no": 40}, FORCED)
    assert found.value == pytest.approx((0.6 - 1 / 6) / (2 / 3), abs=1e-12)
    assert found.standard_error == pytest.approx(math.sqrt(0.6 * 0.4 / 100) / (2 / 3), abs=1e-12)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_the_interval_inverts_the_likelihood_ratio_of_reports(level: float) -> None:
    def ratio(share: float) -> float:
        return 2 * (60 * math.log(0.6 / share) + 40 * math.log(0.4 / (1 - share))) - chi2.isf(1 - level, 1)

    ends = [brentq(ratio, 1e-9, 0.6), brentq(ratio, 0.6, 1 - 1e-9)]
    wanted = [(end - 1 / 6) / (2 / 3) for end in ends]
    assert prevalence({"yes": 60, "no": 40}, FORCED).interval(level) == pytest.approx(wanted, abs=1e-8)


def test_an_impossible_estimate_is_replaced_by_what_its_interval_says() -> None:
    found = prevalence({"yes": 10, "no": 90}, FORCED)
    assert found.value == pytest.approx(-0.1)
    assert found.basis() == "at most"
    assert "too few answers to say: at most 0.003169" in found.summary()
    assert "only for combining studies: unclipped -0.1, standard error" in found.summary()
    assert "unclipped" not in prevalence({"yes": 60, "no": 40}, FORCED).summary()
    row = found.to_frame().iloc[0]
    assert np.isnan(row.estimate)
    assert (row.basis, row.unclipped, row.standard_error) == ("at most", found.value, found.standard_error)


def test_few_rows_and_too_few_rows_are_labelled() -> None:
    assert "few rows" in prevalence({"yes": 4, "no": 90}, FORCED).summary()
    assert "few rows" not in prevalence({"yes": 5, "no": 90}, FORCED).summary()
    few = prevalence({"yes": 2, "no": 2}, designs.warner(p=0.6)).summary()
    assert "too few answers to say: 95% interval 0 to 1" in few


def test_the_shares_of_levels_sum_to_one() -> None:
    law = designs.generalised_rr(["never", "once", "often"], p=1 / 2)
    table = distribution({"never": 500, "once": 300, "often": 200}, law)
    assert table["share"].tolist() == pytest.approx([(x - 1 / 6) / 0.5 for x in (0.5, 0.3, 0.2)])
    assert table["share"].sum() == pytest.approx(1)
    assert (table["low"] < table["share"]).all()
    assert (table["share"] < table["high"]).all()
    assert (
        table.loc["once", "share"]
        == prevalence({"never": 500, "once": 300, "often": 200}, law, value="once").value
    )


def test_arguments_of_prevalence_are_checked() -> None:
    with refused("designs", "'perhaps'", "forced_response"):
        prevalence({"yes": 6, "no": 4}, FORCED, value="perhaps")
    with refused("designs", "'yes'", "generalised_rr"):
        prevalence({"a": 6, "b": 4}, designs.generalised_rr(["a", "b"], p=0.7))
    with refused("designs"):
        prevalence({"yes": 6, "no": 4}, "forced_response")  # type: ignore[arg-type]
    for level in (0, 1, 95):
        with pytest.raises(PrivacyError, match="level"):
            prevalence({"yes": 6, "no": 4}, FORCED).interval(level)


def test_an_interval_containing_every_share_hides_the_estimate() -> None:
    """With p = .4999, Warner's design reveals almost nothing, and the estimate would be -200 or 888."""
    found = prevalence({"yes": 54, "no": 46}, designs.warner(p=0.4999))
    assert repr(found).endswith("too few answers to say: 0 to 1, n = 100>")
    assert "estimate" not in found.summary()
    assert found.to_frame()[["estimate", "standard_error"]].isna().all(axis=None)
    assert found.to_frame()["low"].iloc[0] < 0
    assert found.to_frame()["basis"].iloc[0] == "too few"
