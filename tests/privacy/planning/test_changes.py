"""Changes to a plan, on designs: what is proposed, what it reaches, and that nothing can be left out."""

from dataclasses import replace

import pytest

from privacy.planning.changes import MOST_PEOPLE, WholeLines, changes, costs, rounded_up, under_one_coin
from privacy.planning.design_forms import DesignDraft
from privacy.planning.use import Goal, times_half_width
from privacy.survey.block import Block
from privacy.survey.design import Design, Question
from privacy.survey.group_policy import GroupPolicy


def asked(*questions: Question) -> Design:
    block = Block(key="b", protected=True, truth_probability=5000, questions=questions)
    return Design(blocks=(block,), group=GroupPolicy(), use="live")


def yes_no(count: int) -> list[Question]:
    return [
        Question(key=f"q{number}", kind="yes_no", options=(), unrelated=(5000,)) for number in range(count)
    ]


@pytest.mark.parametrize(("people", "shown"), [(98, 98), (100, 100), (346, 350), (1_234, 1_300)])
def test_people_are_rounded_up_to_two_digits(people: int, shown: int) -> None:
    assert rounded_up(people) == shown


def test_questions_are_left_out_until_the_rest_can_be_published() -> None:
    """Ten questions with 110 people: p falls with each further one, and two are within 25 points."""
    draft = DesignDraft(questions=asked(*yes_no(10)), goal=Goal(people=110, strength="strong"))
    assert draft.plan is not None
    assert not draft.plan.is_useful
    (fewer,) = [change for change in changes(draft) if change.forms]
    assert {form.kind for form in fewer.forms} == {"leave_out"}
    assert fewer.plan.is_useful
    for form in fewer.forms:
        rest = draft.formed([each for each in fewer.forms if each is not form])
        assert rest is not None
        assert rest.plan is not None
        assert not rest.plan.is_useful


def test_a_question_costs_what_the_others_gain_without_it() -> None:
    draft = DesignDraft(questions=asked(*yes_no(6)), goal=Goal(people=400, wanted=("q0",)))
    found = costs(draft)
    assert [*found] == ["q1", "q2", "q3", "q4", "q5"]
    without = DesignDraft(questions=asked(*yes_no(5)), goal=Goal(people=400, wanted=("q0",)))
    assert without.plan is not None
    for use in found.values():
        assert [*use.half_widths.values()] == [*without.plan.use.half_widths.values()]


def two_times(*between: Block) -> DesignDraft:
    """Return q0 and q5, with questions between them: four protected ones, or an undisguised one."""
    first, *middle, last = yes_no(6)
    parts = [asked(first).blocks[0], *(between or asked(*middle).blocks), asked(last).blocks[0]]
    blocks = tuple(replace(part, key=f"b{number}") for number, part in enumerate(parts))
    design = Design(blocks=blocks, group=GroupPolicy(), use="live")
    return DesignDraft(questions=design, goal=Goal(people=300, wanted=() if between else ("q1",)))


def test_one_thing_for_two_times_gets_one_coin_and_moves_only_if_it_must() -> None:
    times = ("q0", "q5")
    draft = two_times()
    change = under_one_coin(draft, times)
    assert change is not None
    assert (change.times, change.forms, change.size) == (times, (), 1)
    assert draft.plan is not None
    before = times_half_width(draft.plan.design, draft.goal, times)
    assert change.plan.use.change is not None
    assert change.plan.use.change < before - 0.005
    # Both are in one part.
    (shared,) = [
        block for block in change.plan.design.blocks if {"q0", "q5"} <= {q.key for q in block.questions}
    ]
    assert shared.protected
    # A question that is stored as answered keeps them apart.
    age = Question(key="age", kind="yes_no", options=(), unrelated=())
    divided = two_times(Block(key="open", protected=False, truth_probability=10_000, questions=(age,)))
    moved = under_one_coin(divided, times)
    assert moved is not None
    assert [form.code for form in moved.forms] == ["after,q5,q0"]
    # If both are starred already, only the order is left to change.
    both = divided.of(wanted=times)
    again = under_one_coin(both, times)
    assert again is not None
    assert (again.times, [form.code for form in again.forms]) == (None, ["after,q5,q0"])


def test_nothing_is_proposed_for_two_times_that_have_one_coin() -> None:
    starred = two_times().of(wanted=("q0", "q5"))
    assert starred.plan is not None
    assert starred.plan.use.change is not None
    assert under_one_coin(starred, ("q0", "q5")) is None


def test_no_more_people_are_proposed_than_plans_accept() -> None:
    draft = DesignDraft(questions=asked(*yes_no(3)), goal=Goal(people=MOST_PEOPLE))
    assert all((change.people or 0) <= MOST_PEOPLE for change in changes(draft))


def test_a_list_that_stays_whole_counts_by_its_referring_line() -> None:
    """Without "other" the other lines can take turns, so it is left out first although it is the first."""

    class Listed(DesignDraft):
        @property
        def whole_lists(self) -> list[WholeLines]:
            lines = tuple(question.key for question in self.design.questions)
            return [WholeLines(stem="s", lines=lines, referring=("q0",))] if "q0" in lines else []

    draft = Listed(questions=asked(*yes_no(10)), goal=Goal(people=110, strength="strong"))
    (fewer,) = [change for change in changes(draft) if change.forms]
    assert "q0" in {form.key for form in fewer.forms}
    plain = DesignDraft(questions=asked(*yes_no(10)), goal=Goal(people=110, strength="strong"))
    (others,) = [change for change in changes(plain) if change.forms]
    assert "q0" not in {form.key for form in others.forms}
