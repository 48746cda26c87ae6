"""What a design is good for: guesses, widths, people and the order of two designs, by hand."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest

from privacy.planning.power import REACH
from privacy.planning.protection import PROTECTIONS
from privacy.planning.use import (
    Goal,
    Use,
    asked_item,
    number_error,
    pair_of,
    strong,
    times_half_width,
    use_of,
)
from privacy.policy import USEFUL_DIFFERENCE
from privacy.scales.decoded_numbers import expected_variance
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import as_answered, square_wave
from privacy.scales.window import WindowChannel
from privacy.survey.design import Block, Design, Question
from tests.privacy.planning.test_plan import HOURS, coin, design_of, number, yes_no
from tests.vectors.scale_designs import open_number

CHOICE = Question(key="mood", kind="single", options=("a", "b", "c"), unrelated=(3334, 3333, 3333))
SEVERAL = Question(key="drugs", kind="multi", options=("a", "b"), unrelated=(5000, 5000))


def a_use(**figures: object) -> Use:
    return Use(**({"aim": Goal(people=400), "half_widths": {}} | figures))  # type: ignore[arg-type]


def opened(key: str) -> Block:
    question = replace(yes_no(key), unrelated=())
    return Block(key=key, protected=False, truth_probability=10_000, questions=(question,))


def test_waves_share_the_limits_of_their_strength() -> None:
    assert Goal(people=9, strength="strong").protection == PROTECTIONS["strong"]
    assert Goal(people=9, waves=3).protection == PROTECTIONS["medium"].root(3)


def test_options_without_a_guess_share_what_is_left() -> None:
    keys = CHOICE.item_keys
    assert Goal(people=9, shares={keys[0]: 5000}).shares_of(CHOICE) == (0.5, 0.25, 0.25)
    assert Goal(people=9).shares_of(CHOICE) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    # Guesses of more than everybody leave nothing.
    assert Goal(people=9, shares={keys[0]: 7000, keys[1]: 4000}).shares_of(CHOICE) == (0.7, 0.4, 0.0)


def test_boxes_and_yes_without_a_guess_are_even() -> None:
    first, _second = SEVERAL.item_keys
    assert Goal(people=9, shares={first: 1000}).shares_of(SEVERAL) == (0.1, 0.5)
    assert Goal(people=9).shares_of(yes_no("x")) == (0.5,)


def test_power_assumes_20_percent_only_for_protected_answers_without_a_guess() -> None:
    goal = Goal(people=9, shares={"x": 4000})
    assert [goal.share_for_power(yes_no(key), 0, protected=True) for key in ("x", "y")] == [0.4, 0.2]
    assert [goal.share_for_power(yes_no(key), 0, protected=False) for key in ("x", "y")] == [0.4, 0.5]
    assert goal.share_for_power(CHOICE, 1, protected=True) == pytest.approx(1 / 3)
    assert goal.share_for_power(SEVERAL, 1, protected=True) == 0.2
    assert [goal.is_assumed(yes_no("y"), 0, protected=protected) for protected in (True, False)] == [
        True,
        False,
    ]


def test_only_starred_items_of_the_design_count() -> None:
    design = design_of(coin("a", "x"), number("hours", epsilon=1.0))
    assert Goal(people=9, wanted=("hours", "x")).wanted_items(design) == ("x",)


def test_the_width_of_one_coin_follows_from_its_variance() -> None:
    """p = .5, theta = .3: a yes is sent by .5 .5 + .5 .3 = .4; 1.96 sqrt(.4 .6 / 400) / .5."""
    use = use_of(design_of(coin("a", "x")), Goal(people=400))
    assert use.half_widths == {"x": pytest.approx(REACH * math.sqrt(0.24 / 400) / 0.5)}
    assert use.people_asked == {"x": 400}
    # Skips take a quarter of the decoys: .25 + .5 .3 .75.
    shown = 0.25 + 0.5 * 0.3 * 0.75
    skips = use_of(design_of(coin("a", "x", refusal=2500)), Goal(people=400)).half_widths["x"]
    assert skips == pytest.approx(REACH * math.sqrt(shown * (1 - shown) / 400) / 0.5)


def test_a_guess_changes_the_width_as_its_variance_does() -> None:
    use = use_of(design_of(coin("a", "x")), Goal(people=100, shares={"x": 1000}))
    assert use.half_widths["x"] == pytest.approx(REACH * math.sqrt(0.2 * 0.8 / 100) / 0.5)


def test_open_answers_have_a_width_only_if_starred() -> None:
    design = design_of(coin("a", "x"), opened("o"))
    assert set(use_of(design, Goal(people=100)).half_widths) == {"x"}
    use = use_of(design, Goal(people=100, wanted=("o",), shares={"o": 2000}))
    assert use.half_widths["o"] == pytest.approx(REACH * math.sqrt(0.16 / 100))
    assert set(use.people_asked) == {"x"}


def test_rotating_questions_reach_some_of_the_people() -> None:
    design = design_of(replace(coin("a", "x", "y", "z"), questions_per_person=2))
    use = use_of(design, Goal(people=300, wanted=("x", "y")))
    assert use.people_asked == {key: pytest.approx(200) for key in ("x", "y", "z")}
    assert use.asked_together == pytest.approx(1 / 3)
    whole = use_of(design_of(coin("a", "x", "y", "z")), Goal(people=200))
    assert use.half_widths["x"] == pytest.approx(whole.half_widths["x"])


def test_questions_that_are_never_asked_together_have_no_power() -> None:
    design = design_of(replace(coin("a", "x", "y"), questions_per_person=1))
    use = use_of(design, Goal(people=1000, wanted=("x", "y")))
    assert (use.power, use.asked_together, use.difference) == (0.0, 0.0, None)
    assert use.difference_sought == USEFUL_DIFFERENCE
    assert not use.is_useful


def test_the_error_of_a_number_adds_the_disguise_to_the_answers() -> None:
    """One person: the variance of k even answers is (k + 1) / (k - 1) / 12 of the squared range."""
    answers = (HOURS.bins + 1) / (HOURS.bins - 1) / 12
    assert number_error(number("hours", epsilon=None)) == pytest.approx(math.sqrt(answers))
    block = number("hours", epsilon=1.0)
    assert isinstance(block.disguise, WindowChannel)
    added = expected_variance(block.disguise) / (HOURS.high - HOURS.low) ** 2
    assert number_error(block) == pytest.approx(math.sqrt(answers + added))
    use = use_of(design_of(block), Goal(people=400))
    assert use.numbers["hours"] == pytest.approx(REACH * number_error(block) / 20)
    assert use.ranges == {"hours": HOURS.high - HOURS.low}


def test_an_item_is_asked_as_by_the_strong_strength() -> None:
    design = design_of(coin("a", "x", light=9000, refusal=2000), policy="choice")
    asked = asked_item(design, design.items[0], Goal(people=9, shares={"x": 700}))
    assert (asked.truth, asked.share, asked.share_asked) == (0.5, 0.07, Fraction(1))
    assert asked.decoy == pytest.approx(0.3 * 0.8)
    open_item = design_of(opened("o"))
    asked = asked_item(open_item, open_item.items[0], Goal(people=9))
    assert (asked.truth, asked.decoy, asked.share) == (1.0, 0.0, 0.5)
    assert strong(open_item) == open_item
    assert strong(design.blocks[0]) == replace(design.blocks[0], light=None)


def test_a_pair_of_one_part_shares_its_coin_and_skips() -> None:
    goal = Goal(people=9, wanted=("x", "y"))
    one = pair_of(design_of(coin("a", "x", "y", refusal=2000)), goal)
    assert (one.skipped, one.together, one.first.share) == (0.2, Fraction(1), 0.2)
    assert pair_of(design_of(coin("a", "x", "y")), goal).skipped == 0.0
    assert pair_of(design_of(coin("a", "x"), coin("b", "y")), goal).skipped is None
    both_open = design_of(replace(opened("o"), questions=(*opened("x").questions, *opened("y").questions)))
    assert pair_of(both_open, goal).skipped is None


def test_one_starred_share_is_the_wanted_width_else_the_widest() -> None:
    widths = {"x": 0.1, "y": 0.3}
    assert a_use(half_widths=widths).wanted_half_width == 0.3
    assert a_use(half_widths=widths, aim=Goal(people=400, wanted=("x",))).wanted_half_width == 0.1
    assert a_use(half_widths=widths, aim=Goal(people=400, wanted=("x", "y"))).wanted_half_width == 0.3
    assert a_use(half_widths=widths, aim=Goal(people=400, wanted=("hours",))).wanted_half_width == 0.3
    assert a_use().wanted_half_width is None


def test_people_needed_include_widths_questions_and_the_pair() -> None:
    """±25 points need (30/25)^2 times 400 people; a hundred people need 400 if a quarter is asked."""
    assert a_use(half_widths={"x": 0.3}).people_needed == 576
    assert a_use(numbers={"hours": 0.3}).people_needed == 576
    assert a_use(people_asked={"x": 100.0}).people_needed == 400
    assert a_use(asked_together=0.2, people_asked={"x": 400.0}).people_needed == 500
    assert a_use(for_power=700, half_widths={"x": 0.3}).people_needed == 700
    assert [a_use(for_power=people).is_useful for people in (400, 401)] == [True, False]


def test_designs_are_ordered_by_power_then_starred_figures_then_the_rest() -> None:
    aim = Goal(people=400, wanted=("x", "hours"))
    use = a_use(aim=aim, power=0.6, half_widths={"x": 0.1, "y": 0.4}, numbers={"hours": 0.2, "age": 0.3})
    assert use.order == (-0.6, 0.2, 0.4, 0.3)
    assert use.starred_order == (-0.6, 0.2)
    assert a_use().order == (0.0, 0.0, 0.0, 0.0)


def test_a_design_is_narrower_by_half_a_point_somewhere_and_nowhere_wider() -> None:
    def of(first: float, second: float) -> Use:
        return a_use(half_widths={"x": first}, numbers={"n": second})

    assert of(0.2, 0.2).narrower(of(0.206, 0.2))
    assert not of(0.2, 0.2).narrower(of(0.204, 0.2))
    assert not of(0.2, 0.2).narrower(of(0.3, 0.19))
    assert of(0.2, 0.2).narrower(of(0.3, 0.2))
    assert not of(0.2, 0.2).narrower(of(0.2, 0.2))


def test_a_starred_pair_of_one_part_has_the_width_of_its_change() -> None:
    together = use_of(design_of(coin("a", "x", "y")), Goal(people=400, wanted=("x", "y")))
    apart = use_of(design_of(coin("a", "x"), coin("b", "y")), Goal(people=400, wanted=("x", "y")))
    assert together.change is not None
    assert apart.change is None
    assert together.difference is not None
    assert (together.assumed, together.asked_together) == (("x", "y"), 1.0)
    lone: Design = design_of(coin("a", "x", "y"))
    alone = use_of(lone, Goal(people=400, wanted=("x",)))
    assert (alone.power, alone.change, alone.difference, alone.for_power) == (None, None, None, 0)


def test_an_undisguised_number_has_the_spread_of_its_bins() -> None:
    """The variance of 0 to 4 is 2, and the range between middles is 4."""
    block = open_number("h", as_answered(NumberRange(low=0, high=4)))
    assert number_error(block) == pytest.approx(math.sqrt(2) / 4)


def test_two_times_that_no_one_is_asked_together_have_the_errors_of_two_samples() -> None:
    """Half of 1,000 people are asked each, so each variance is that of 500 people."""
    goal = Goal(people=1000, shares={"x": 1000, "y": 800})
    design = design_of(replace(coin("a", "x", "y"), questions_per_person=1))
    # p = .5 and theta = .3: .5 s + .15 of the reports are yes.
    variances = [own * (1 - own) / 0.5**2 / 500 for own in (0.05 + 0.15, 0.04 + 0.15)]
    assert times_half_width(design, goal, ("x", "y")) == pytest.approx(REACH * math.sqrt(sum(variances)))


def test_a_range_is_between_the_middles_of_the_first_and_the_last_bin() -> None:
    """Bins of five from 10 to 49: the middles of 10 to 14 and of 45 to 49."""
    asked = number("age", epsilon=1.0)
    disguise = square_wave(NumberRange(low=10, high=49, bin=5), 1.0)
    block = replace(asked, questions=(replace(asked.questions[0], disguise=disguise),))
    assert use_of(design_of(coin("a", "x"), block), Goal(people=400)).ranges == {"age": 35}
