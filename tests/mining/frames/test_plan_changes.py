"""Changes that the library proposes: in words, with names, and each leads to a plan of its own."""

from collections.abc import Sequence

import pytest

from mining.frames.answer_kinds import any_of, number, one_of
from mining.frames.survey import Survey
from tests.fixtures.refusals import refused

SURVEY = Survey(
    blocks={
        "work": ["cheat", "drank at work"],
        "acts": {"used": any_of("beer at lunch", "wine", "spirits", "other")},
        "job": {"job": one_of("nurse", "cook", "driver", "clerk")},
        "hours": number(low=0, high=40, epsilon=2),
    },
    p=0.5,
    skip={"work": 0.1},
)


def test_changes_use_names_and_reach_what_they_say() -> None:
    plan = SURVEY.plan(150, wanted=("cheat", "drank at work"), guesses={"job": {"nurse": 0.3}})
    assert not plan.use.is_useful
    assert plan.changes
    for change in plan.changes:
        assert change.plan.use.is_useful
        assert change.plan.people_needed <= change.plan.planned.aim.people
        assert change.summary().startswith(", and ".join(change.words))
    said = [words for change in plan.changes for words in change.words]
    assert 'send "used" as one answer: at least one of these' in said
    first = plan.changes[0].plan
    assert "drank at work" in first.to_frame().index
    # A change can be changed again.
    assert first.survey.plan(2_000).use.is_useful
    assert all(change.plan.use.is_useful for change in first.changes)


def test_a_kept_design_has_no_changes_and_waves_keep_their_total() -> None:
    assert SURVEY.plan(150, protection=None).changes == ()
    for change in SURVEY.plan(300, waves=2).changes:
        assert change.plan.promise is not None
        assert change.plan.promise.waves is not None
        assert change.plan.promise.waves.count == 2


def test_guesses_by_answer_give_the_same_plan_as_guesses_by_item() -> None:
    by_answer = SURVEY.plan(400, guesses={"job": {"nurse": 0.3, "cook": 0.1}, "used": {"wine": 0.2}})
    by_item = SURVEY.plan(400, guesses={"job=nurse": 0.3, "job=cook": 0.1, "used=wine": 0.2})
    assert by_answer.use == by_item.use
    with refused("unknown_item", "used=vine"):
        SURVEY.plan(400, guesses={"used": {"vine": 0.2}})
    shares = by_answer.to_frame().share
    assert [round(float(shares[key]), 9) for key in ("job=nurse", "job=cook", "job=clerk", "used=wine")] == [
        0.3,
        0.1,
        0.3,
        0.2,
    ]


TWO_TIMES = Survey(blocks={"then": ["smoked"], "other": ["cheat", "drank at work"], "now": ["smokes"]}, p=0.5)
"""One thing for two times, in two blocks."""


def test_one_thing_for_two_times_is_proposed_under_one_coin_with_a_narrower_change() -> None:
    """The plan that asks both together is the one that is planned if both are wanted."""
    guesses = {"smoked": 0.1, "smokes": 0.08}
    plan = TWO_TIMES.plan(1_000, guesses=guesses, wanted="cheat", times=("smoked", "smokes"))
    first = plan.changes[0]
    assert first.words == ('ask "smoked" and "smokes" under one coin',)
    assert len(plan.changes) <= 3
    before, after = plan.change_half_width, first.plan.change_half_width
    assert before is not None
    assert after is not None
    assert after < before - 0.005
    wanted = TWO_TIMES.plan(1_000, guesses=guesses, wanted=("smoked", "smokes"))
    assert after == wanted.change_half_width
    assert "Net change of the same people" in first.summary()
    # Nothing is left to propose.
    assert not any("under one coin" in words for each in first.plan.changes for words in each.words)
    # Only people know that two questions ask one thing.
    silent = TWO_TIMES.plan(1_000, guesses=guesses, wanted="cheat")
    assert not any("under one coin" in words for each in silent.changes for words in each.words)


@pytest.mark.parametrize(
    "times",
    [("smoked",), ("smoked", "smoked"), ("smoked", "smokes", "cheat"), "smoked", ("smoked", "age=old")],
)
def test_times_are_two_disguised_yes_no_questions(times: Sequence[str]) -> None:
    asked = Survey(blocks={"all": ["smoked", "smokes", "cheat"]}, open={"age": one_of("young", "old")}, p=0.5)
    with refused("plan"):
        asked.plan(400, times=times)
