"""Reachable sums equal those of all answers; bounds hold where they are too many."""

import itertools
from random import Random

import pytest

from privacy.survey import composite_json
from privacy.survey import reachable_sums as sums_module
from privacy.survey.composite import Composite
from privacy.survey.composite_parts import Gaps, Level, Step, Use
from privacy.survey.reachable_sums import ReachableSums, _bounds, reachable_sums
from tests.fixtures.random_composites import random_composite
from tests.vectors.composite_designs import scored
from tests.vectors.make_composite_vectors import values_of


def every_sum(rule: Composite) -> set[int]:
    """Return the reachable sums by trying every answer and gap."""
    chosen_options = {key: {None} for key in rule.open_questions}
    for key, options in rule.sources:
        chosen_options[key] |= set(options)
    found = set()
    values = [[*values_of(component), None] for component in rule.components]
    for combination in itertools.product(*chosen_options.values()):
        chosen = dict(zip(chosen_options, combination, strict=True))
        for given in itertools.product(*values):
            answers = {each.key: value for each, value in zip(rule.components, given, strict=True)}
            total = rule.total(answers, chosen)
            found |= set() if total is None else {total}
    return found


def test_reachable_sums_equal_those_of_all_answers() -> None:
    dice, tried = Random("reach"), 0
    while tried < 60:
        rule = random_composite(dice)
        size = 1
        for component in rule.components:
            size *= len(values_of(component)) + 1
        if size <= 400 and rule.reach.is_exact:
            assert set(rule.reach.sums) == every_sum(rule), composite_json.write(rule)
            tried += 1


def test_bounds_hold_for_a_rule_too_large_to_enumerate() -> None:
    items = tuple(scored(f"q{number}", 0, 1, 2) for number in range(20))
    steps = tuple(
        Step(
            key=f"s{scale}",
            of=tuple(f"q{4 * place + scale}" for place in range(5)),
            levels=tuple(Level(start=start or None, points=start) for start in range(11)),
            missing=Gaps(at_most=2, fill="mean"),
        )
        for scale in range(4)
    )
    rule = Composite(components=items, steps=steps, missing=Gaps(at_most=8, fill="no_points"))
    assert not rule.reach.is_exact
    assert rule.total({f"q{number}": 2 for number in range(20)}) == rule.reach.sums[-1] == 80
    assert rule.reach.between(79, None)
    assert not rule.reach.between(81, None)
    assert [rule.reach.between(*ends) for ends in ((80, 81), (81, 99), (-9, 0), (None, 0), (None, 1))] == [
        True, False, False, False, True
    ]  # fmt: skip


@pytest.mark.parametrize(("most", "is_exact"), [(26, True), (25, False)])
def test_the_sums_of_final_states_count_as_moves(
    most: int, is_exact: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six components take 1 + 6 + 12 moves, and their 64 different sums a tenth of a move each: 25.4."""
    monkeypatch.setattr(sums_module, "MOST_MOVES", most)
    items = tuple(scored(f"q{number}", 0, 2**number) for number in range(6))
    found = reachable_sums.__wrapped__(items, (), (), Gaps(at_most=0, fill="no_points"))
    assert found == ReachableSums(sums=tuple(range(64)) if is_exact else (0, 63), is_exact=is_exact)


@pytest.mark.soak
def test_levels_of_random_rules_cover_all_reachable_sums_and_no_level_is_empty() -> None:
    dice = Random("levels")
    for _number in range(100):
        rule = random_composite(dice)
        starts = [level.start for level in rule.levels]
        assert starts[0] is None
        for start, end in zip(starts, [*starts[1:], None], strict=True):
            assert rule.reach.between(start, end)


@pytest.mark.parametrize(("fill", "low", "high"), [("no_points", -1, 7), ("mean", -3, 15)])
def test_bounds_add_what_answers_open_questions_and_steps_can_give(fill: str, low: int, high: int) -> None:
    """Three components give -1 to 0, 0 to 2 and 0 to 5; with means for gaps, three times -1 to 5."""
    items = scored("a", -1, 0), scored("b", 0, 2), scored("c", 0, 5)
    step = Step(key="s", of=("a", "b"), levels=(Level(points=-4), Level(start=1, points=6)))
    rule = Composite(
        components=items, steps=(step,), missing=Gaps(at_most=1, fill=fill),
        uses=(
            Use(question="sex", points=(("woman", -2), ("man", 3))), Use(question="job", points=(("no", 1),))
        ),
    )  # fmt: skip
    # The step gives -4 to 6, sex -2 to 3 and the job 0 or 1.
    assert _bounds(rule) == (low - 6, high + 10)
