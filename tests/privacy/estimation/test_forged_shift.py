"""How far forged rows can have moved a share: every report, every number of rows, exactly."""

from fractions import Fraction

import pytest

from privacy.estimation.forged_shift import score_range, share_shift
from privacy.survey.design import Block, Design, GroupPolicy, Question
from tests.fixtures.refusals import refused
from tests.privacy.estimation.designs import design, protected, yes_no


def design_of(p: int = 6000, *, light: int | None = None, protected: bool = True) -> Design:
    def ask(key: str) -> Question:
        return Question(key=key, kind="yes_no", options=(), unrelated=(4000,) if protected else ())

    return Design(
        group=GroupPolicy(policy="assigned", direct_share=5000) if light else GroupPolicy(),
        use="live",
        blocks=tuple(
            Block(
                key=key,
                protected=protected,
                truth_probability=p if protected else 10_000,
                light=light,
                questions=(ask(key),),
            )
            for key in "ab"
        ),
    )


def score(report: int, p: Fraction) -> Fraction:
    """(report - (1 - p) theta)/p with theta = .4."""
    return (report - (1 - p) * Fraction(4, 10)) / p


def test_scores_of_one_item_and_of_two_in_different_parts() -> None:
    p = Fraction(6, 10)
    low, high = score(0, p), score(1, p)
    assert score_range(design_of(), (0,)) == pytest.approx((float(low), float(high)))
    products = [a * b for a in (low, high) for b in (low, high)]
    assert score_range(design_of(), (0, 1)) == pytest.approx((float(min(products)), float(max(products))))


def test_each_strength_has_its_own_scores() -> None:
    design = design_of(light=9000)
    strong, light = ([float(score(own, p)) for own in (0, 1)] for p in (Fraction(6, 10), Fraction(9, 10)))
    assert score_range(design, (0,), direct=False) == pytest.approx(strong)
    assert score_range(design, (0,), direct=True) == pytest.approx(light)
    assert score_range(design, (0,)) == pytest.approx(strong)


def test_an_open_answer_scores_zero_or_one() -> None:
    assert score_range(design_of(protected=False), (0,)) == (0.0, 1.0)


def test_a_part_that_carries_no_information_is_refused() -> None:
    blind = design(protected("b", 0, yes_no("a", 5000)))
    with refused("truth_probability"):
        score_range(blind, (0,))
    # Undisguised rows of such a study say what is true.
    assert score_range(blind, (0,), direct=True) == (0, 1)


@pytest.mark.parametrize("yes", range(0, 13, 3))
@pytest.mark.parametrize("rows", range(12))
def test_the_distance_is_the_largest_over_all_rows_that_could_be_left_out(yes: int, rows: int) -> None:
    """Of 12 reports, `yes` say yes. All ways to leave out equal reports are enumerated, as fractions."""
    p, n = Fraction(6, 10), 12
    total = yes * score(1, p) + (n - yes) * score(0, p)
    share = total / n
    distances = [abs((total - rows * score(own, p)) / (n - rows) - share) for own in (0, 1)]
    stated = share_shift(design_of(), (0,), value=float(share), n=n, rows=rows)
    assert stated == pytest.approx(float(max(distances)))


def test_no_rows_move_nothing_and_all_rows_leave_no_bound() -> None:
    design = design_of()
    assert share_shift(design, (0,), value=0.3, n=50, rows=0) == 0
    assert share_shift(design, (0,), value=0.3, n=50, rows=50) == float("inf")
    assert share_shift(design, (0,), value=0.3, n=0, rows=1) == float("inf")
