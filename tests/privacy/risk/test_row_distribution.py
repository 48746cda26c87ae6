import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from privacy.risk import row_classes
from privacy.risk.prior import BlockPrior, independent, prior_of
from privacy.risk.reidentification import reidentification
from privacy.risk.row_classes import MOST_CLASSES, DecoyPart, Gathering
from privacy.risk.row_distribution import row_distribution
from privacy.survey.answer_probabilities import unrelated_probability
from privacy.survey.block_channel import block_rows
from privacy.survey.design import Block
from tests.fixtures.blocks import blocks, even, stated, written_out
from tests.fixtures.posteriors import answered_prior, truthful_posterior
from tests.fixtures.refusals import refused
from tests.vectors.designs import opened, shielded, yes_no


@settings(max_examples=60, deadline=None)
@given(blocks())
def test_classes_preserve_prior_and_decoy_probabilities_of_all_rows(
    made: tuple[Block, dict[str, list[int]]],
) -> None:
    block, prevalence = made
    law = row_distribution(independent(block, prevalence))
    rows, prior, _ = written_out(block, prevalence)
    decoy = np.array([float(unrelated_probability(block, row)) for row in rows])
    assert law.exact
    assert round(float(np.exp(law.log_rows).sum())) == len(rows)
    # Any function of prior and decoy probability has the same sum over classes and rows.
    for power in (1, 2, 3):
        classes = np.exp(law.log_rows) * np.exp(law.log_prior) ** power * np.exp(law.log_decoy)
        assert classes.sum() == pytest.approx(float((prior**power * decoy).sum()), rel=1e-9)


@settings(max_examples=40, deadline=None)
@given(blocks())
def test_class_posteriors_match_row_posteriors(made: tuple[Block, dict[str, list[int]]]) -> None:
    block, prevalence = made
    law = row_distribution(independent(block, prevalence))
    p = Fraction(block.truth_probability, 10_000)
    expected = Fraction(0)
    for row in written_out(block, prevalence)[0]:
        prior = answered_prior(block, prevalence, row)
        sent = p * prior + (1 - p) * unrelated_probability(block, row)
        expected += sent * truthful_posterior(block, row, prior) ** 2
    assert float((law.sent_mass * law.coin**2).sum()) == pytest.approx(float(expected), rel=1e-9)


@pytest.mark.parametrize("count", [1, 5, 40, 200])
def test_n_equal_questions_give_n_plus_one_classes(count: int) -> None:
    block = even(5000, count)
    law = row_distribution(independent(block, stated(block, 2000)))
    assert len(law.log_prior) == count + 1
    assert law.prior_mass.sum() == pytest.approx(1)
    assert law.decoy_mass.sum() == pytest.approx(1)


def test_blocks_with_too_many_classes_keep_masses_and_report_slack() -> None:
    block = even(5000, 30)
    prevalence = {question.key: [100 + 311 * place] for place, question in enumerate(block.questions)}
    law = row_distribution(independent(block, prevalence))
    assert not law.exact
    assert len(law.log_prior) <= MOST_CLASSES
    assert law.prior_mass.sum() == pytest.approx(1)
    assert law.decoy_mass.sum() == pytest.approx(1)
    # E ln P/q over decoys is a sum over questions; the classes may deviate by their slack.
    shares = np.array([part[0] for part in prevalence.values()]) / 10_000
    mean = float((np.log(2 * shares) / 2 + np.log(2 * (1 - shares)) / 2).sum())
    assert float((law.decoy_mass * (law.log_prior - law.log_decoy)).sum()) == pytest.approx(
        mean, abs=law.slack
    )
    assert (law.highest_truthful_posterior >= law.coin).all()
    found = reidentification(law)
    assert not found.exact
    assert 1 >= found.truthful[0] >= found.truthful[1] >= found.truthful[2] > 0


def test_zero_and_full_prevalence_leave_rows_only_decoys_can_show() -> None:
    block = shielded("b", 5000, yes_no("a", 5000), yes_no("b", 3000))
    law = row_distribution(independent(block, {"a": [0], "b": [10_000]}))
    assert sorted(law.coin.tolist())[:-1] == [0, 0]
    assert law.coin.max() == pytest.approx(0.5 / (0.5 + 0.5 * 0.5 * 0.3))


@pytest.mark.parametrize(("p", "coin"), [(0, 0.0), (10_000, 1.0)])
def test_the_coin_is_known_without_true_answers_or_without_decoys(p: int, coin: float) -> None:
    block = even(p, 2)
    assert set(row_distribution(independent(block, stated(block, 2000))).coin.tolist()) == {coin}


def test_open_blocks_and_missing_prevalences_are_rejected() -> None:
    with refused("open_block", "you"):
        row_distribution(BlockPrior(block=opened("you", yes_no("a")), prevalence={}, shares={}))
    with refused("prevalence", "q0"):
        row_distribution(independent(even(5000, 1), {}))
    assert math.isclose(row_distribution(independent(even(5000, 1), {"q0": [0]})).prior_mass.sum(), 1)


def test_rows_lie_within_the_reported_slack_of_their_class(monkeypatch: pytest.MonkeyPatch) -> None:
    """With two bins for ln P/q from 0 to 2, a rare row at .999 shares the bin of frequent rows at 0."""
    monkeypatch.setattr(row_classes, "MOST_PRODUCTS", 2)
    log_ratio = np.array([0.0, 0.999, 2.0])
    rows = np.array([1e9, 1.0, 1.0])
    decoy = np.full(3, 1e-10)
    classes = Gathering()
    classes.add(DecoyPart(key="q", prior=decoy * np.exp(log_ratio), decoy=decoy, rows=rows))
    log_prior, log_decoy, log_rows = classes.classes
    assert np.exp(log_rows).round().tolist() == [1e9 + 1, 1]
    distance = 0.999 - float((log_prior - log_decoy)[0])
    assert distance == pytest.approx(0.999, abs=1e-6)
    assert distance <= classes.slack
    assert classes.slack == pytest.approx(1.0)


def test_few_classes_are_exact() -> None:
    classes = Gathering()
    for key in "ab":
        classes.add(DecoyPart(key=key, prior=np.array([0.8, 0.2]), decoy=np.array([0.5, 0.5])))
    assert classes.slack == 0
    log_prior, _, log_rows = classes.classes
    found = sorted(
        zip(np.exp(log_prior).round(12).tolist(), np.exp(log_rows).round(12).tolist(), strict=True)
    )
    assert found == [(0.04, 1.0), (0.16, 2.0), (0.64, 1.0)]


@pytest.mark.parametrize("booklets", [None, ((0, 1), (0, 3), (1, 2))])
def test_rows_of_all_booklets_are_averaged(booklets: tuple[tuple[int, ...], ...] | None) -> None:
    questions = tuple(yes_no(f"q{number}", 1000 + 2000 * number) for number in range(4))
    block = replace(shielded("b", 5000, *questions, refusal=500), questions_per_person=2, booklets=booklets)
    prevalence = {question.key: [700 * (number + 1)] for number, question in enumerate(questions)}
    law = row_distribution(independent(block, prevalence))
    masses = np.exp(law.log_rows) * np.exp(law.log_decoy)
    answered = np.isfinite(law.log_prior)
    for power in (0, 1, 2):
        expected = 0.0
        for number in range(block.n_booklets):
            asked = block.of_booklet(block.booklet(number))
            for row in block_rows(asked):
                if row != "skipped":
                    decoy = float(unrelated_probability(asked, row))
                    expected += answered_prior(asked, prevalence, row) ** power * decoy / block.n_booklets
        found = (masses * np.where(answered, np.exp(law.log_prior), 0) ** power)[answered].sum()
        assert found == pytest.approx(float(expected))
    assert masses[~answered].sum() == pytest.approx(0.05)


def test_answers_that_exclude_each_other_have_no_joint_row() -> None:
    """Of "never" (30%) and "each week" (20%), both are never true; a third question is independent."""
    block = shielded("b", 5000, *(yes_no(key, 5000) for key in ("never", "week", "other")))
    prevalence = {"never": [3000], "week": [2000], "other": [1000]}
    law = row_distribution(prior_of(block, prevalence, [["never", "week"]]))
    rows = np.exp(law.log_rows)
    assert rows.sum() == pytest.approx(8)
    assert rows[np.isneginf(law.log_prior)].sum() == pytest.approx(2)
    assert law.prior_mass.sum() == pytest.approx(1)
    assert law.decoy_mass.sum() == pytest.approx(1)
    possible = sorted(np.repeat(np.exp(law.log_prior), rows.round().astype(int)).tolist())[2:]
    # The fitted weights are whole numbers of ten-thousandths, so shares are close to the stated ones.
    expected = sorted(a * b for a in (0.3, 0.2, 0.5) for b in (0.1, 0.9))
    assert possible == pytest.approx(expected, rel=1e-4)
