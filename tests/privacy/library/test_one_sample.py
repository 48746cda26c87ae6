"""Shares from one sample: the figures of R's packages, and refusals."""

from typing import Any

import numpy as np
import pytest

from privacy.library import PaperStudy, Quantity, channel_shares, design_shares, designs, repeated_kuk
from privacy.library.designs import ResponseDesign
from privacy.library.probabilities import probability, two_probabilities
from privacy.library.sample_share import sample_share
from tests.fixtures.refusals import refused

# From RRreg: design, number of "yes" reports in 1,000, estimate, standard error.
PUBLISHED: list[tuple[ResponseDesign, int, float, float]] = [
    (designs.warner(p=0.7), 340, 0.1, 0.037469),
    (designs.crosswise(p=0.15), 713, 0.195714, 0.020446),
    (designs.triangular(p=0.25), 400, 0.2, 0.020666),
    (designs.unrelated_question(p=0.7, theta=1 / 12), 200, 0.25, 0.018079),
    (designs.mangat(p=0.6), 500, 0.166667, 0.026365),
    (designs.kuk(yes=0.8, no=0.2), 350, 0.25, 0.025151),
]


@pytest.mark.parametrize(("design", "yes", "value", "error"), PUBLISHED, ids=lambda one: repr(one))
def test_a_share_matches_the_published_value(
    design: ResponseDesign, yes: int, value: float, error: float
) -> None:
    no_report, yes_report = design.reports
    found = design_shares({no_report: 1_000 - yes, yes_report: yes}, design)
    share = found["share"]
    assert (round(share.value, 6), round(share.standard_error, 6)) == (value, error)
    assert found.n == 1_000
    assert [one.name for one in found.quantities] == ["share"]


def test_repeated_card_draws_match_the_published_values() -> None:
    for draws, error in ((1, 0.025151), (5, 0.01663)):
        share = repeated_kuk(350 * draws, 1_000, yes=0.8, no=0.2, draws=draws)["share"]
        assert (round(share.value, 6), round(share.standard_error, 6)) == (0.25, error)


def test_the_nigeria_study_matches_with_n_minus_one() -> None:
    found = design_shares({"yes": 831, "no": 1_604}, designs.forced_response(yes=1 / 6, no=1 / 6))["share"]
    assert (round(found.value, 10), round(found.standard_error, 10)) == (0.2619096509, 0.0144156656)


def test_several_categories_are_unbiased_with_multinomial_errors() -> None:
    die = designs.forced_levels({"never": 1 / 6, "once": 1 / 6, "often": 1 / 6})
    found = design_shares({"never": 500, "once": 300, "often": 200}, die)
    # (share - 1/6) / (1/2), and the error of a share divided by 1/2.
    assert [round(one.value, 6) for one in found.quantities] == [0.666667, 0.266667, 0.066667]
    assert found["once"].standard_error == pytest.approx(np.sqrt(0.3 * 0.7 / 999) / 0.5)
    assert sum(one.value for one in found.quantities) == pytest.approx(1)


def test_uneven_forcing_is_corrected_exactly() -> None:
    forced = {"a": 0.05, "b": 0.2, "c": 0.15}
    die = designs.forced_levels(forced)
    truth = np.array([0.5, 0.3, 0.2])
    reported = 0.6 * truth + np.array(list(forced.values()))
    counts = dict(zip(forced, np.round(10_000 * reported).astype(int).tolist(), strict=True))
    found = design_shares(counts, die)
    assert [one.value for one in found.quantities] == pytest.approx(truth.tolist())


def test_any_channel_recovers_its_truth_and_matches_the_named_design() -> None:
    channel = [[0.8, 0.1, 0.2], [0.1, 0.7, 0.3], [0.1, 0.2, 0.5]]
    reported = np.array(channel) @ [0.2, 0.5, 0.3]
    found = channel_shares((10_000 * reported).round().astype(int).tolist(), channel, ["x", "y", "z"])
    assert [one.value for one in found.quantities] == pytest.approx([0.2, 0.5, 0.3])
    warner = channel_shares([660, 340], [[0.7, 0.3], [0.3, 0.7]], ["no", "yes"])["yes"]
    by_name = design_shares({"no": 660, "yes": 340}, designs.warner(p=0.7))["share"]
    assert (warner.value, warner.standard_error) == pytest.approx((by_name.value, by_name.standard_error))


def test_extra_report_values_are_fitted_by_least_squares() -> None:
    channel = [[0.7, 0.2], [0.2, 0.2], [0.1, 0.6]]
    reported = np.array(channel) @ [0.4, 0.6]
    found = channel_shares((1_000 * reported).round().astype(int).tolist(), channel, ["", "yes"])
    assert [found[name].value for name in ("", "yes")] == pytest.approx([0.4, 0.6])


def test_estimates_outside_the_possible_range_are_not_clipped() -> None:
    found = design_shares({"no": 95, "yes": 5}, designs.forced_response(yes=1 / 6, no=1 / 6))["share"]
    assert found.value == pytest.approx((0.05 - 1 / 6) / (2 / 3))
    assert found.outside


def test_impossible_channels_and_counts_are_refused() -> None:
    same = [[1, 0], [0, 1]]
    cases: list[tuple[str, list[int], list[list[Any]]]] = [
        ("shape", [1, 2, 3], same),
        ("add up", [1, 2], [[0.8, 0.5], [0.1, 0.5]]),
        ("probability = 1.2", [1, 2], [[1.2, 0.5], [-0.2, 0.5]]),
        ("probability = nan", [1, 2], [[float("nan"), 0.5], [0.2, 0.5]]),
        ("probability = 'a'", [1, 2], [["a", 0], ["b", 1]]),
        ("2 x 1 or 2", [1, 2], [[1], [0, 1]]),
        ("distinguish", [1, 2], [[0.5, 0.5], [0.5, 0.5]]),
        ("count", [1, -2], same),
        ("rows", [1, 0], same),
    ]
    for named, counts, channel in cases:
        with refused("paper", named):
            channel_shares(counts, channel, ["a", "b"])
    with refused("paper", "red cards"):
        repeated_kuk(11, 5, yes=0.8, no=0.2, draws=2)
    with refused("paper", "both"):
        repeated_kuk(5, 5, yes=0.8, no=0.8)
    with refused("designs", "there is 1 level"):
        designs.forced_levels({"a": 0.1})
    with refused("designs", "1"):
        designs.forced_levels({"a": 0.5, "b": 0.5})


def test_an_interval_is_symmetric_and_not_clipped() -> None:
    found = Quantity(name="share", value=-0.01, standard_error=0.02)
    low, high = found.interval()
    assert (low, high) == pytest.approx((-0.01 - 1.959964 * 0.02, -0.01 + 1.959964 * 0.02), abs=1e-7)
    assert found.outside
    with refused("level"):
        found.interval(1)


def test_studies_flag_impossible_estimates_and_find_quantities_by_name() -> None:
    study = PaperStudy(
        method="m", n=1_200, quantities=(Quantity(name="share", value=1.2, standard_error=0.1),)
    )
    assert study.summary().endswith("share: too few answers to say: at least 1, 95% interval 1.004 to 1.396")
    row = study.to_frame().loc["share"]
    assert np.isnan(row.estimate)
    assert (row.low, row.high) == (pytest.approx(1.004, abs=1e-3), pytest.approx(1.396, abs=1e-3))
    assert (row.n, row.level, row.basis, row.unclipped) == (1_200, 0.95, "at least", 1.2)
    assert repr(study) == "<m: 1 quantity, n = 1,200>"
    with pytest.raises(KeyError):
        study["honesty"]


def test_impossible_probabilities_and_counts_are_refused_by_name() -> None:
    for wrong in (0, 1):
        with refused("paper", "p1 is"):
            probability(wrong, "p1")
    with refused("chance"):
        probability(1.2, "p")
    with refused("paper", "both 0.3"):
        two_probabilities(0.3, 3 / 10, ("p1", "p2"))
    for yes, n in ((6, 5), (-1, 5), (1, 1), (1.5, 5), (True, 5)):
        with refused("paper", "sample 1"):
            sample_share(yes, n, "sample 1")


@pytest.mark.parametrize(("letters", "is_refused"), [(64, False), (65, True)])
def test_a_channel_has_at_most_64_letters(letters: int, is_refused: bool) -> None:
    names = [f"a{number}" for number in range(letters)]
    counts = list(range(1, letters + 1))
    if is_refused:
        with refused("paper", "65 x 65"):
            channel_shares(counts, np.eye(letters).tolist(), names)
    else:
        shares = channel_shares(counts, np.eye(letters).tolist(), names)
        assert shares["a3"].value == pytest.approx(4 / sum(counts))
