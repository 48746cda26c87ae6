"""Further interest measures agree with mlxtend, and with counts of rows."""

import numpy as np
import pandas as pd
import pytest
from mlxtend.frequent_patterns import apriori, association_rules

from mining.interest import INTEREST, interest

RNG = np.random.default_rng(11)
ROWS = RNG.random((400, 5)) < [0.2, 0.4, 0.5, 0.6, 0.3]
ROWS[:, 1] |= ROWS[:, 0] & (RNG.random(400) < 0.5)
IN_MLXTEND = {"coverage": "antecedent support", "zhang": "zhangs_metric", "jaccard": "jaccard",
              "certainty": "certainty", "kulczynski": "kulczynski"}  # fmt: skip


def test_each_measure_has_a_formula() -> None:
    assert list(interest(0.3, 0.4, 0.5)) == list(INTEREST)
    assert all(measure.words for measure in INTEREST.values())


def test_odds_with_a_negative_estimated_cell_are_omitted() -> None:
    found = interest([0.3, 0.3], [0.4, 0.29], [0.5, 0.5])
    for name in ("odds_ratio", "yule_q", "yule_y"):
        assert list(np.isnan(found[name])) == [False, True]


def test_interest_measures_match_mlxtend_on_undisguised_rows() -> None:
    table = apriori(pd.DataFrame(ROWS), min_support=0.005)
    rules = association_rules(table, metric="support", min_threshold=0.0)
    found = interest(rules["support"], rules["antecedent support"], rules["consequent support"])
    assert len(rules) > 100
    for ours, theirs in IN_MLXTEND.items():
        # For negative dependence we divide certainty by P(B), as arules does; mlxtend does not.
        same = np.ones(len(rules), dtype=bool) if ours != "certainty" else rules["leverage"] >= 0
        np.testing.assert_allclose(found[ours][same], rules[theirs][same], rtol=0, atol=1e-12, err_msg=ours)


def test_measures_match_counts_of_rows() -> None:
    for a, b in ((0, 1), (2, 3), (1, 4)):
        has_a, has_b = ROWS[:, a], ROWS[:, b]
        found = interest((has_a & has_b).mean(), has_a.mean(), has_b.mean())
        n11, n10 = (has_a & has_b).sum(), (has_a & ~has_b).sum()
        n01, n00 = (~has_a & has_b).sum(), (~has_a & ~has_b).sum()
        n = len(ROWS)
        odds = n11 * n00 / (n10 * n01)
        agreement, chance = (n11 + n00) / n, ((n11 + n10) * (n11 + n01) + (n01 + n00) * (n10 + n00)) / n**2
        given, without = n11 / (n11 + n10), n01 / (n01 + n00)
        spread = 1 - has_b.mean() ** 2 - (1 - has_b.mean()) ** 2
        parts = sum(
            mask.mean() * (1 - share**2 - (1 - share) ** 2)
            for mask, share in ((has_a, given), (~has_a, without))
        )
        expected = {
            "added_value": given - has_b.mean(),
            "cosine": n11 / np.sqrt((n11 + n10) * (n11 + n01)),
            "all_confidence": n11 / max(n11 + n10, n11 + n01),
            "max_confidence": n11 / min(n11 + n10, n11 + n01),
            "imbalance": abs(n10 - n01) / (n - n00),
            "phi": np.corrcoef(has_a, has_b)[0, 1],
            "kappa": (agreement - chance) / (1 - chance),
            "odds_ratio": odds,
            "yule_q": (odds - 1) / (odds + 1),
            "yule_y": (np.sqrt(odds) - 1) / (np.sqrt(odds) + 1),
            "j_measure": n11 / n * np.log(given / has_b.mean())
            + n10 / n * np.log((1 - given) / (1 - has_b.mean())),
            "rule_power": n11 / n * given,
            "relative_risk": given / without,
            "gini": spread - parts,
            "collective_strength": agreement / chance * (1 - chance) / (1 - agreement),
        }
        assert set(expected) | set(IN_MLXTEND) == set(INTEREST)
        for name, value in expected.items():
            np.testing.assert_allclose(found[name], value, rtol=1e-12, atol=1e-15, err_msg=name)


def test_estimates_outside_a_measures_domain_give_nan_without_warning() -> None:
    with np.errstate(all="raise"):
        found = interest([-0.01, 0.3, 0.0], [0.2, 0.3, 0.0], [0.1, 1.2, 0.4])
    assert np.isnan(found["phi"][1])
    assert np.isnan(found["j_measure"][0])
    assert np.isnan(found["max_confidence"][2])


def test_perfect_association_scores_1() -> None:
    found = interest(0.3, 0.3, 0.3)
    assert [float(found[name]) for name in ("yule_q", "yule_y", "phi")] == [1, 1, 1.0]


def test_a_consequent_in_no_row_has_no_certainty() -> None:
    """Gain 0, not 0/0."""
    assert interest([0.0], [0.4], [0.0])["certainty"].tolist() == [0]


def test_certainty_is_the_gain_relative_to_the_largest_possible_gain_or_loss() -> None:
    """25% have the consequent. It is certain, half as likely, in half of the rows, and excluded."""
    found = interest([0.4, 0.05, 0.2, 0.0], [0.4] * 4, [0.25] * 4)["certainty"]
    assert found.tolist() == pytest.approx([1, -0.5, 1 / 3, -1])
