import pytest
from hypothesis import given, settings

from privacy.risk.constrained_prior import independent
from privacy.risk.leakage import LEVELS, reidentification
from privacy.risk.row_distribution import row_distribution
from privacy.survey.design import Block
from privacy.survey.grouping import block_rows
from tests.fixtures.blocks import blocks, even, stated, written_out


@pytest.mark.parametrize(
    ("prevalence", "share"), [(500, 0.914), (1000, 0.736), (2000, 0.376), (3000, 0.028), (5000, 0)]
)
def test_ten_rare_items_give_most_truthful_rows_away(prevalence: int, share: float) -> None:
    block = even(5000, 10)
    distribution = row_distribution(independent(block, stated(block, prevalence)))
    assert round(reidentification(distribution).truthful[2], 3) == share


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(blocks())
def test_shares_are_those_of_all_rows_written_out(made: tuple[Block, dict[str, list[int]]]) -> None:
    block, prevalence = made
    found = reidentification(row_distribution(independent(block, prevalence)))
    rows, prior, joint = written_out(block, prevalence)
    p = block.truth_probability / 10_000
    sent = joint.sum(axis=1)
    coin = p * prior / sent
    assert list(block_rows(block)) == rows
    for place, level in enumerate(LEVELS):
        # A row at the very level may fall to either side by rounding.
        if (abs(coin - level) > 1e-9).all():
            assert found.truthful[place] == pytest.approx(prior[coin > level].sum(), abs=1e-9)
            assert found.sent[place] == pytest.approx(sent[coin > level].sum(), abs=1e-9)
    assert found.highest == pytest.approx(coin.max(), abs=1e-9)


def test_a_rough_law_gives_upper_bounds() -> None:
    block = even(5000, 30)
    prevalence = {question.key: [100 + 311 * place] for place, question in enumerate(block.questions)}
    found = reidentification(row_distribution(independent(block, prevalence)))
    assert not found.exact
    assert all(0 < share <= 1 for share in found.truthful)
    assert found.truthful[0] >= found.truthful[1] >= found.truthful[2]
