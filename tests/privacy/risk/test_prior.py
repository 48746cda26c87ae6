import itertools
from dataclasses import replace
from fractions import Fraction

import pytest

from privacy.coins import SCALE
from privacy.risk import audit_design
from privacy.risk.prior import (
    MOST_PATTERNS,
    BlockPrior,
    exclusive_prior,
    independent,
    link_parts,
    sets_of_blocks,
)
from privacy.risk.reidentification import CERTAINTY_LEVELS
from privacy.survey.answer_probabilities import unrelated_probability
from privacy.survey.block import SKIPPED, BlockAnswers
from privacy.survey.block_channel import block_rows
from tests.fixtures.blocks import even, items_of, stated
from tests.fixtures.posteriors import (
    possible_prior,
    row_odds,
)
from tests.fixtures.refusals import refused
from tests.privacy.risk.test_prevalences import DESIGN, SETS, STATED_LINKED
from tests.vectors.designs import live, shielded, yes_no

MIXED = DESIGN.blocks[0]
MOODS = MIXED.questions[2].item_keys


def law_of() -> BlockPrior:
    found = exclusive_prior(MIXED, STATED_LINKED, SETS)
    assert found is not None
    # Of a respondent who never skips.
    return replace(found, block=replace(MIXED, refusal=None))


def contradicts(row: BlockAnswers) -> bool:
    return any(len(items_of(MIXED, row) & set(keys)) > 1 for keys in SETS)


def test_impossible_rows_have_zero_prior_and_items_keep_their_shares() -> None:
    law, rows = law_of(), list(block_rows(MIXED))
    priors = {row: possible_prior(law, row) for row in rows}
    assert sum(priors.values()) == 1
    assert all((prior == 0) == (row == "skipped" or contradicts(row)) for row, prior in priors.items())
    for question in MIXED.questions:
        for key, share in zip(question.item_keys, STATED_LINKED[question.key], strict=True):
            has = sum((prior for row, prior in priors.items() if key in items_of(MIXED, row)), Fraction(0))
            assert float(has) == pytest.approx(share / SCALE, abs=1e-4), key


def test_two_exclusive_answers_act_as_one_three_way_question() -> None:
    block = even(5000, 2)
    found = exclusive_prior(block, {"q0": [3000], "q1": [2000]}, [["q0", "q1"]])
    assert found is not None
    chances = [float(possible_prior(found, row)) for row in itertools.product((0, 1), repeat=2)]
    assert chances == pytest.approx([0.5, 0.2, 0.3, 0], abs=1e-4)


def test_block_audits_match_enumeration_of_all_rows() -> None:
    law = law_of()
    block = audit_design(DESIGN, STATED_LINKED, exclusive=SETS).blocks[0]
    p = Fraction(6, 10)
    rows = list(block_rows(MIXED))
    prior = {row: possible_prior(law, row) for row in rows}
    decoy = {row: unrelated_probability(MIXED, row) for row in rows}
    sent = {row: p * prior[row] + (1 - p) * decoy[row] for row in rows}
    coin = {row: p * prior[row] / sent[row] for row in rows}
    for place, level in enumerate(CERTAINTY_LEVELS):
        sure = [row for row in rows if coin[row] > Fraction(level)]
        assert block.unmixing.truthful[place] == pytest.approx(float(sum(prior[row] for row in sure)))
    assert block.unmixing.highest == pytest.approx(float(max(coin.values())))
    assert decoy[law.least_likely] == min(decoy[row] for row in rows if not contradicts(row))
    assert not contradicts(law.least_likely)
    least = decoy[law.least_likely_answer()]
    assert block.known == float(p / (p + (1 - p) * least))


def test_worst_item_posteriors_exclude_impossible_rows() -> None:
    law = law_of()
    audit = audit_design(DESIGN, STATED_LINKED, exclusive=SETS)
    p = Fraction(6, 10)
    for item in audit.items:
        best = Fraction(0)
        for row in block_rows(MIXED):
            if item.key in items_of(MIXED, row):
                kept, drawn = p * possible_prior(law, row), (1 - p) * unrelated_probability(MIXED, row)
                share = Fraction(item.prevalence).limit_denominator(SCALE)
                best = max(best, (kept + drawn * share) / (kept + drawn))
        assert item.worst == pytest.approx(float(best)), item.key


def test_row_odds_exclude_impossible_people() -> None:
    law = law_of()
    p = Fraction(6, 10)
    row = (0, 0, 1, (0, 1), 0)
    decoy, prior = unrelated_probability(MIXED, row), possible_prior(law, row)
    found = row_odds(DESIGN, STATED_LINKED, 0, row, prior=possible_prior(law, row))
    assert found.posterior == pytest.approx(
        float(prior * (p + (1 - p) * decoy) / (p * prior + (1 - p) * decoy)), abs=1e-14
    )
    assert found.even == row_odds(DESIGN, STATED_LINKED, 0, row).even
    impossible = (1, 1, 0, (0, 0), 0)
    assert (
        row_odds(DESIGN, STATED_LINKED, 0, impossible, prior=possible_prior(law, impossible)).posterior_of_100
        == 0
    )
    worst = row_odds(DESIGN, STATED_LINKED, 0, law.least_likely, prior=possible_prior(law, law.least_likely))
    assert not contradicts(worst.row)
    assert worst.even == max(
        row_odds(DESIGN, STATED_LINKED, 0, row).even
        for row in block_rows(MIXED)
        if not isinstance(row, str) and not contradicts(row)
    )


def test_the_audit_reports_whether_it_includes_exclusions() -> None:
    assert [one.counted_in for one in audit_design(DESIGN, STATED_LINKED, exclusive=SETS).impossible] == [
        True
    ]
    many = even(5000, 14)
    star = [["q0", f"q{number}"] for number in range(1, 14)]
    assert MOST_PATTERNS == 2**13
    assert len(link_parts(many, [[(0, 0), (number, 0)] for number in range(1, 13)], [2] * 14)) == 1
    assert link_parts(many, [[(0, 0), (number, 0)] for number in range(1, 14)], [2] * 14) == ()
    large = audit_design(live(many), stated(many, 500), exclusive=star)
    assert [one.counted_in for one in large.impossible] == [False]
    assert large.blocks == audit_design(live(many), stated(many, 500)).blocks
    # Devices never draw two options of a single choice, so these reveal nothing.
    moods = audit_design(DESIGN, STATED_LINKED, exclusive=[MOODS[:2]])
    assert [float(one.share) for one in moods.impossible] == [0]


def test_contradictory_shares_are_approximated_and_impossible_ones_ignored() -> None:
    block = even(5000, 2)
    assert exclusive_prior(block, stated(block, 10_000), [["q0", "q1"]]) is None
    near = exclusive_prior(block, stated(block, 6000), [["q0", "q1"]])
    assert near is not None
    assert [float(possible_prior(near, row)) for row in ((0, 1), (1, 0))] == pytest.approx(
        [0.5, 0.5], abs=1e-3
    )


def test_exclusions_reject_unknown_answers() -> None:
    with refused("unknown_item"):
        exclusive_prior(MIXED, STATED_LINKED, [["late", "early"]])


def test_sets_of_answers_belong_to_one_block() -> None:
    blocks = (
        shielded("b", 5000, yes_no("x", 5000), yes_no("y", 5000)),
        shielded("c", 5000, yes_no("z", 5000)),
    )
    design = live(*blocks)
    assert sets_of_blocks(design, [("x", "y")]) == {"b": [("x", "y")]}
    with refused("blocks", "b", "c"):
        sets_of_blocks(design, [("x", "z")])


def test_prevalences_outside_their_range_are_refused_by_every_prior() -> None:
    block = shielded("b", 5000, yes_no("x", 5000), yes_no("y", 5000))
    for prior in (independent, lambda *of: exclusive_prior(*of, [["x", "y"]])):
        with refused("prevalence"):
            prior(block, {"x": [10_001], "y": [5000]})


@pytest.mark.parametrize(("refusal", "skipped"), [(1999, True), (2000, False), (2001, False)])
def test_a_skip_is_the_least_likely_decoy_only_below_every_answer(refusal: int, skipped: bool) -> None:
    """With skips in a fifth of the decoys, each of four answers has a fifth, too."""
    block = replace(shielded("b", 5000, yes_no("x", 5000), yes_no("y", 5000)), refusal=refusal)
    prior = independent(block, {"x": [3000], "y": [3000]})
    assert (prior.least_likely == SKIPPED) == skipped
