"""The example of the grouping model: its disguise, estimate, error and files."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom, hypergeom

from benchmarks.simulation import study_design
from examples import grouping
from examples.grouping import THETA, disguise, estimated_support, expected_error, main
from privacy.survey.block_channel import block_channel
from tests.fixtures.svg_reading import assert_readable, marks_of
from tests.statistics import chi_square, chi_square_limit


@pytest.mark.parametrize("direct", [True, False])
def test_simulated_rows_follow_the_device_channel(direct: bool) -> None:
    """The 8 possible reports of 100,000 rows (yes, no, yes) at p = .3 follow the product's channel."""
    n, rng = 100_000, np.random.default_rng(3)
    truth = np.tile([True, False, True], (n, 1))
    sent = disguise(truth, np.full(n, direct), 0.3, rng)
    counts = np.bincount(sent @ [4, 2, 1], minlength=8)
    if direct:
        assert counts[5] == n
        return
    design = study_design([3], truth_probability=3000, unrelated=6000)
    law = np.array(block_channel(design.blocks[0]).matrix, dtype=float)[:, 5]
    assert chi_square(counts, law) < chi_square_limit(8)


@pytest.mark.parametrize(("p", "k"), [(0.3, 0.2), (1.0, 0.0), (0.0, 0.5)])
def test_the_estimate_inverts_the_disguise_of_a_support(p: float, k: float) -> None:
    for support, size in itertools.product((0.0, 0.2, 0.7), (1, 2, 3)):
        observed = k * support + (1 - k) * (p * support + (1 - p) * THETA**size)
        assert estimated_support(observed, size, p, k) == pytest.approx(support, abs=1e-12)


def test_the_expected_error_matches_all_groupings_and_answers() -> None:
    """Six people, three with the item, two direct: enumerates every grouping and every answer."""
    n, n_direct, with_it, p = 6, 2, 3, 0.4
    k, share = n_direct / n, with_it / n
    yes, no = p + (1 - p) * THETA, (1 - p) * THETA
    mean = square = 0.0
    for among in range(n_direct + 1):
        grouped = hypergeom.pmf(among, n, with_it, n_direct)
        has, has_not = with_it - among, n - n_direct - with_it + among
        answers = np.convolve(
            binom.pmf(np.arange(has + 1), has, yes), binom.pmf(np.arange(has_not + 1), has_not, no)
        )
        for protected, chance in enumerate(answers):
            found = estimated_support((among + protected) / n, 1, p, k)
            mean, square = mean + grouped * chance * found, square + grouped * chance * found**2
    assert mean == pytest.approx(share)
    # The formula is for large n; exactly, the grouping's part is larger by n / (n - 1).
    grouping_part = k * (1 - k) * share * (1 - share) / (n * (n - 1))
    grouping_part *= ((1 - p) / (k + (1 - k) * p)) ** 2
    variance = expected_error(share, 1, p, k, n) ** 2 * math.pi / 2
    assert variance + grouping_part == pytest.approx(square - mean**2, rel=1e-12)


def test_the_older_model_reveals_true_rows_with_mixed_answers() -> None:
    rng = np.random.default_rng(2)
    truth = grouping.draw_truth(20_000, rng)
    mixed = float((truth.any(axis=1) & ~truth.all(axis=1)).mean())
    for p in (0.0, 0.3, 1.0):
        found = grouping.share_given_away(truth, p, rng)
        # Five standard errors.
        assert abs(found - p * mixed) <= 5 * math.sqrt(p * mixed * (1 - p * mixed) / len(truth))


def test_rules_from_disguised_rows_recover_the_true_lift() -> None:
    truth = grouping.draw_truth(200_000, np.random.default_rng(7))
    rules = grouping.rules_of_disguised_rows(20_000, np.random.default_rng(7))
    assert len(rules) == 6
    for (before, after), rule in rules.iterrows():
        a, b = (truth[:, "ABC".index(name)] for name in (before, after))
        lift = (a & b).mean() / (a.mean() * b.mean())
        width = rule.lift_high - rule.lift_low
        # Twice as wide as the interval, about 8 standard errors.
        assert rule.lift_low - width / 2 < lift < rule.lift_high + width / 2


@pytest.mark.soak
def test_files_depend_only_on_the_seed(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    for name, seed in (("a", "5"), ("b", "5"), ("c", "6")):
        main(["--seed", seed, "--rows", "500", "--repetitions", "2", "--out", str(tmp_path / name)])
    said = capsys.readouterr().out
    assert "p = 1.0" in said
    assert "antecedent" in said
    names = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert names == ["error-by-k.svg", "error-by-p.svg", "errors.csv"]
    for name in names:
        first, again, other = ((tmp_path / run / name).read_bytes() for run in "abc")
        assert first == again
        assert first != other
    for along in "pk":
        drawn = assert_readable((tmp_path / "a" / f"error-by-{along}.svg").read_text("utf-8"))
        assert [len(marks_of(group)) for group, _sample in drawn.series.values()] == [11, 11]
