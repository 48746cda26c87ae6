"""What parts that send rows near the true one tell: every figure against enumeration of rows and coins."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from operator import ne

import numpy as np
import pytest

from privacy.coins import Coins
from privacy.errors import PrivacyError
from privacy.risk import audit_design
from privacy.risk.adversaries import attackers, known_answers, redraw_exposure
from privacy.risk.budget import block_budget, question_odds
from privacy.risk.constrained_prior import independent
from privacy.risk.items import item_audits
from privacy.risk.leakage import distortion
from privacy.risk.posterior import prior_probability, sent_row
from privacy.risk.promise import promise
from privacy.risk.reidentification import LEVELS, reidentification_rate
from privacy.risk.row_distribution import NearRowDistribution, near_rows, row_distribution
from privacy.survey import Block, Design, GroupPolicy
from privacy.survey.grouping import block_channel, block_rows
from tests.attack.dependence import believe_rows
from tests.cast.posteriors import item_posteriors, row_odds
from tests.cast.refusals import refused
from tests.vectors.designs import live
from tests.vectors.near_designs import near
from tests.vectors.rotation_designs import fair, rotating

FOUR = near(fair("a", 4, p=6000), 1)
PREVALENCE = {"a0": (1000,), "a1": (3000,), "a2": (5000,), "a3": (8000,)}
ROWS = list(block_rows(FOUR))
PRIOR = {row: prior_probability(FOUR, PREVALENCE, row) for row in ROWS}


def joint() -> Iterator[tuple[tuple[int, ...], tuple[int, ...], Fraction]]:
    """True row, sent row, and their chance together."""
    channel = block_channel(FOUR)
    for true, sent in itertools.product(range(16), repeat=2):
        yield ROWS[true], ROWS[sent], PRIOR[ROWS[true]] * channel[sent, true]


JOINT = list(joint())
SENT = {row: sum(chance for _true, sent, chance in JOINT if sent == row) for row in ROWS}


def test_the_chance_of_a_row_and_of_its_truth_are_those_of_bayes() -> None:
    for row in ROWS:
        one = sent_row(FOUR, row, PRIOR[row], PREVALENCE)
        assert one.sent == SENT[row]
        own = sum(chance for true, sent, chance in JOINT if sent == row == true)
        assert sent_row(FOUR, row, PRIOR[row], PREVALENCE).answer == own / SENT[row]
        for place, (key, found) in enumerate(item_posteriors(FOUR, PREVALENCE, row).items()):
            having = sum(chance for true, sent, chance in JOINT if sent == row and true[place])
            assert key == f"a{place}"
            assert found == having / SENT[row]
        assert one.amplification == block_budget(FOUR).amplification
        # Somebody who held the row for an even chance, the rest being far from it.
        channel, far = block_channel(FOUR), tuple(1 - value for value in row)
        own, other = (channel[ROWS.index(row), ROWS.index(each)] for each in (row, far))
        assert one.even == own / (own + other)


def test_the_odds_of_a_respondent_are_those_of_bayes_and_never_above_the_bound() -> None:
    design = Design(blocks=(FOUR,), group=GroupPolicy(), use="live")
    gamma = block_budget(FOUR).amplification
    assert gamma is not None
    for row in ROWS:
        odds = row_odds(design, PREVALENCE, 0, row)
        assert odds.even == pytest.approx(float(gamma / (1 + gamma)))
        own = sum(chance for true, sent, chance in JOINT if sent == row == true)
        assert odds.posterior == pytest.approx(float(own / SENT[row]))
    whole = promise(design)
    assert whole is not None
    assert whole.everything == gamma


def test_the_law_of_rows_is_that_of_enumeration() -> None:
    law = row_distribution(independent(FOUR, PREVALENCE))
    assert isinstance(law, NearRowDistribution)
    assert law.sent_mass == pytest.approx([float(SENT[row]) for row in ROWS])
    coins = [1 - Fraction(4, 10) / 16 / SENT[row] for row in ROWS]
    assert law.coin == pytest.approx([float(coin) for coin in coins])
    near_mass = {row: SENT[row] - Fraction(4, 10) / 16 for row in ROWS}
    for level, found in zip(LEVELS, reidentification_rate(law), strict=True):
        expected = sum(near_mass[row] for row, coin in zip(ROWS, coins, strict=True) if coin > level)
        assert found == pytest.approx(float(expected / Fraction(6, 10)))


def test_no_property_exceeds_what_is_said_and_one_of_rows_around_reaches_it() -> None:
    law = row_distribution(independent(FOUR, PREVALENCE))
    channel = block_channel(FOUR)
    for rho1 in (0.05, 0.2, 0.5):
        highest = 0.0
        for number, row in enumerate(ROWS):
            # The best property takes the rows that rise most, as long as its prior allows; in parts too.
            rise = [(channel[number, true] / SENT[row], PRIOR[ROWS[true]]) for true in range(16)]
            left, posterior = rho1, 0.0
            for factor, prior in sorted(rise, reverse=True):
                part = min(left, float(prior))
                left, posterior = left - part, posterior + part * float(factor)
            highest = max(highest, posterior)
        assert law.max_posterior(rho1) == pytest.approx(highest)


def test_a_known_answer_tells_as_much_as_enumeration_says() -> None:
    for count, known in enumerate(known_answers(independent(FOUR, PREVALENCE)), start=1):
        channel, row = block_channel(FOUR), (1, 1, 1, 1)
        true = ROWS.index(row)
        shown = sum(channel[sent, true] for sent, values in enumerate(ROWS) if values[:count] == row[:count])
        drawn = Fraction(4, 10) / 2**count
        assert known.coin == 1 - drawn / shown
    assert redraw_exposure(FOUR, (1,) * 4, 2) == block_channel(FOUR)[0, 0] ** 2


def test_items_and_the_share_of_changed_answers() -> None:
    changed = sum(chance * sum(map(ne, true, sent)) for true, sent, chance in JOINT) / 4
    assert distortion(FOUR, PREVALENCE) == changed
    for place, item in enumerate(item_audits(independent(FOUR, PREVALENCE))):
        yes = sum(chance for _true, sent, chance in JOINT if sent[place])
        having = sum(chance for true, sent, chance in JOINT if sent[place] and true[place])
        assert item.alone == pytest.approx(float(having / yes))
        worst = max(item_posteriors(FOUR, PREVALENCE, row)[item.key] for row in ROWS)
        assert float(worst) <= item.worst + 1e-12
    odds = question_odds(FOUR)
    channel = block_channel(FOUR)
    for place in range(4):
        yes = [sum(channel[sent, true] for sent, row in enumerate(ROWS) if row[place]) for true in range(16)]
        assert max(yes) / min(yes) == odds


def test_attackers_know_more_and_more() -> None:
    nothing, marginals, fact = attackers(
        independent(FOUR, PREVALENCE), row_distribution(independent(FOUR, PREVALENCE))
    )
    assert (nothing.name, marginals.name, fact.name) == ("nothing", "marginals", "one_fact")
    assert nothing.highest == pytest.approx(0.6)
    assert nothing.highest < marginals.highest < fact.highest
    # The fact is of the question nobody can guess; by enumeration:
    assert fact.knows == "a2"
    best = 0.0
    for value, row in itertools.product((0, 1), ROWS):
        given = {true: PRIOR[true] for true in ROWS if true[2] == value}
        total, channel = sum(given.values()), block_channel(FOUR)
        sent = sum(given[true] / total * channel[ROWS.index(row), ROWS.index(true)] for true in given)
        best = max(best, float(1 - Fraction(4, 10) / 16 / sent))
    assert fact.highest == pytest.approx(best)


def test_radius_0_is_audited_as_the_part_without_one() -> None:
    plain, close = fair("a", 4, p=6000), near(fair("a", 4, p=6000), 0)
    audits = [
        audit_design(Design(blocks=(block,), group=GroupPolicy(), use="live"), PREVALENCE)
        for block in (plain, close)
    ]
    for name in (
        "amplification",
        "epsilon",
        "rho2",
        "question_odds",
        "distortion",
        "known",
        "exposed",
        "rows",
    ):
        assert getattr(audits[0].blocks[0], name) == getattr(audits[1].blocks[0], name), name
    for before, after in zip(
        audits[0].blocks[0].unmixing.truthful, audits[1].blocks[0].unmixing.truthful, strict=True
    ):
        assert after == pytest.approx(before)


def test_a_rotating_part_is_audited_over_all_its_booklets() -> None:
    six = near(rotating(fair("a", 8, p=5000), 6), 1)
    prevalence = {f"a{place}": (1000 + 500 * place,) for place in range(8)}
    audit = audit_design(Design(blocks=(six,), group=GroupPolicy(), use="live"), prevalence)
    block = audit.blocks[0]
    assert block.amplification == pytest.approx(1 + 64 / 7)
    assert block.question_odds == pytest.approx(float((1 + Fraction(5, 14)) / (1 - Fraction(5, 14))))
    law = row_distribution(independent(six, prevalence))
    assert law.sent_mass.sum() == pytest.approx(1)
    assert law.exact
    assert block.unmixing.highest <= 1 - 0.5 / 64 / law.sent_mass.max() / 28 + 1


def test_of_many_booklets_some_are_looked_at_and_the_rest_is_bounded() -> None:
    ten = near(rotating(fair("a", 40, p=5000), 10), 1)
    law = near_rows(ten, [0.2] * 40)
    assert not law.exact
    assert law.slack == pytest.approx(math.log(11))
    assert law.sent_mass.sum() == pytest.approx(1)


def test_an_attacker_who_sees_devices_is_right_as_often_as_the_label_allows_and_a_weaker_label_breaks() -> (
    None
):
    # Two rows that differ in every answer: the test that is best by Neyman and Pearson, over real devices.
    design = Design(blocks=(near(fair("a", 6, p=6000), 1),), group=GroupPolicy(), use="live")
    whole = promise(design)
    assert whole is not None
    rng = np.random.default_rng(20261122)
    words = (int(word) for word in iter(lambda: rng.integers(1 << 32), None))
    found = believe_rows(design, Coins(words), devices=4000)
    law = design.blocks[0].near
    assert law is not None
    # By enumeration: surely right where the sent row is nearer to the true one; ties are no opinion.
    right = sum(math.comb(6, d) * float(law.chance(d)) for d in range(7) if law.chance(d) > law.chance(6 - d))
    # 5.3 standard errors: a false alarm in ten million; 2 points off are found with power above .999.
    assert abs(found.right / 4000 - right) < 5.3 * math.sqrt(0.25 / 4000)
    gamma = float(whole.everything)
    assert found.max_posterior <= gamma / (1 + gamma) + 1e-9
    # The planted target: a part that keeps its true row with the same coin breaks the label of the near one.
    target = Design(blocks=(fair("a", 6, p=6000),), group=GroupPolicy(), use="live")
    broken = believe_rows(target, Coins(words), devices=400)
    assert broken.max_posterior > gamma / (1 + gamma)


def test_more_rows_than_can_be_listed_are_refused_before_they_are_made() -> None:
    with refused("too_large", "block a asks 19 questions"):
        near_rows(near(fair("a", 19), 1), [0.5] * 19)
    with refused("too_large", "block a asks 40 questions"):
        audit_design(live(near(fair("a", 40, p=9000), 1)), {f"a{number}": (2000,) for number in range(40)})


def test_a_part_without_a_radius_has_no_such_law() -> None:
    with pytest.raises(PrivacyError) as caught:
        near_rows(fair("a", 3), [0.5] * 3)
    assert caught.value.code == "radius"
    assert isinstance(fair("a", 3), Block)
