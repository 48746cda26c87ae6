"""Changes to a plan, on designs: what is proposed, what it reaches, and that nothing can be left out."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import pytest

from privacy.planning.changes import (
    MOST_PEOPLE,
    Change,
    Draft,
    WholeLines,
    _needed_forms,
    changes,
    costs,
    rounded_up,
    under_one_coin,
)
from privacy.planning.design_forms import DesignDraft
from privacy.planning.forms import FormChange
from privacy.planning.use import Goal, Use, times_half_width
from privacy.policy import LEAST_COMPLETE_ROWS
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
    found = changes(draft)
    # No layout was saved, so no new one is proposed.
    assert not any(change.is_anew for change in found)
    (fewer,) = [change for change in found if change.forms]
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


def test_questions_that_cost_the_same_are_tried_once_and_others_by_themselves() -> None:
    age = Question(key="age", kind="single", options=("a", "b", "c"), unrelated=(3334, 3333, 3333))
    draft = DesignDraft(questions=asked(*yes_no(3), age), goal=Goal(people=400, wanted=("q0",)))
    widths = {key: use.half_widths["q0"] for key, use in costs(draft).items()}
    for key in ("q1", "q2", "age"):
        made = draft.formed([FormChange(kind="leave_out", key=key)])
        assert made is not None
        assert made.plan is not None
        assert widths[key] == made.plan.use.half_widths["q0"]
    assert widths["q1"] == widths["q2"] != widths["age"]


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


@dataclass(frozen=True, kw_only=True)
class Told(Use):
    """Results that a test states."""

    needed: int = 0

    @property
    def people_needed(self) -> int:
        return self.needed


@dataclass(frozen=True, kw_only=True)
class Scripted(Draft[Any]):
    """A draft whose plan a test states, so that what is proposed can be worked out by hand.

    Parameters
    ----------
    told : callable
        Returns the results of a draft, or None if it has no plan.
    made : tuple of FormChange
        Changes of form so far; the remaining ones of `offered` are possible.
    """

    told: Callable[["Scripted"], Told | None]
    goal: Goal
    questions: Design = asked(*yes_no(4))  # noqa: RUF009 - a design does not change
    offered: tuple[FormChange, ...] = ()
    made: tuple[FormChange, ...] = ()
    stored: tuple[str, ...] = ()
    background: tuple[str, ...] = ()
    held: bool = False

    @property
    def aim(self) -> Goal:
        return self.goal

    @property
    def design(self) -> Design:
        return self.questions

    @property
    def plan(self) -> Any:
        use = self.told(self)
        return use and SimpleNamespace(
            use=use, is_useful=use.is_useful, draft=self, design=self.design, aim=self.aim
        )

    def of(self, **aim: Any) -> "Scripted":
        return replace(self, goal=replace(self.goal, **aim))

    def formed(self, forms: Sequence[FormChange]) -> "Scripted":
        return replace(self, made=(*self.made, *forms))

    def possible_forms(self) -> Iterator[FormChange]:
        return iter([form for form in self.offered if form not in self.made])

    def released(self) -> "Scripted":
        return replace(self, held=False) if self.held else self

    @property
    def plain(self) -> tuple[str, ...]:
        return self.background

    def storing(self, keys: Collection[str]) -> "Scripted":
        return replace(self, stored=tuple(keys))


A, B, C, D = (
    FormChange(kind=kind, key="q0", options=("x",))
    for kind in ("levels", "lines", "one_answer", "one_option")
)
OUT = FormChange(kind="leave_out", key="q0")
LIGHT = Goal(people=150, strength="light")
"""No lighter protection can be proposed."""


def needing(needed: dict[str, int], **more: int) -> Callable[[Scripted], Told | None]:
    """Return what is told if drafts need so many people, by the kinds of their changes of form."""

    def told(state: Scripted) -> Told | None:
        kinds = " ".join(sorted(form.kind for form in state.made))
        count = needed.get(kinds, MOST_PEOPLE + 1)
        return Told(aim=state.aim, half_widths={"q0": 0.1}, needed=count, **more) if count else None

    return told


def shown(found: Sequence[Change[Any]]) -> list[dict[str, Any]]:
    """Return what each change changes, and check that its plan is of the draft with these changes."""
    for change in found:
        state = change.plan.draft
        assert state.made == change.forms
        assert change.people in (None, state.aim.people)
        assert change.strength in (None, state.aim.strength)
        assert change.star in (None, *state.aim.wanted)
    names = ("forms", "keys", "people", "strength", "is_anew", "star")
    return [{name: value for name in names if (value := getattr(each, name))} for each in found]


def test_the_size_of_a_change_counts_each_parameter() -> None:
    assert Change(plan=None).size == 0  # type: ignore[type-var] - any plan
    whole = Change(
        plan=None,  # type: ignore[type-var]
        forms=(A, B, C),
        keys=("a", "b"),
        people=3,
        strength="light",
        is_anew=True,
        star="x",
        times=("a", "b"),
    )
    assert whole.size == 10
    assert replace(whole, people=None, is_anew=False).size == 8


@pytest.mark.parametrize(
    ("least", "stated", "for_power", "people"),
    [(180, 346, 0, 350), (180, 346, 346, 180), (4_000, 9_990, 9_990, 4_100)],
)
def test_more_people_are_as_many_as_a_layout_needs(
    least: int, stated: int, for_power: int, people: int
) -> None:
    """For power, another layout may need fewer: 190, 140, 170 and 180 are tried, and 180 are enough.

    Of 10,000 people, 1,000, 3,200, 5,700, 4,300, 3,800 and 4,100 are tried; 4,100 is within a tenth of 3,800.
    """

    def told(state: Scripted) -> Told:
        enough = state.aim.people >= least
        needed = state.aim.people if enough else stated
        return Told(
            aim=state.aim, half_widths={"q0": 0.1}, needed=needed, for_power=0 if enough else for_power
        )

    draft = Scripted(told=told, goal=Goal(people=100, strength="light"))
    assert shown(changes(draft)) == [{"people": people}]


def test_exactly_the_most_people_can_be_proposed() -> None:
    told = needing({"": MOST_PEOPLE})
    assert shown(changes(Scripted(told=told, goal=LIGHT))) == [{"people": MOST_PEOPLE}]
    assert changes(Scripted(told=needing({}), goal=LIGHT)) == ()


@pytest.mark.parametrize(
    ("strength", "lighter"), [("strong", "medium"), ("medium", "light"), ("light", None)]
)
def test_the_next_lighter_protection_is_proposed(strength: str, lighter: str | None) -> None:
    def told(state: Scripted) -> Told:
        needed = 100 if state.aim.strength != strength else MOST_PEOPLE + 1
        return Told(aim=state.aim, half_widths={"q0": 0.1}, needed=needed)

    draft = Scripted(told=told, goal=Goal(people=150, strength=strength))
    assert shown(changes(draft)) == ([{"strength": lighter}] if lighter else [])


def test_forms_are_added_until_the_people_are_enough_and_others_are_taken_back() -> None:
    """The best single one, A, is not needed once B and C are there; B and C need exactly the people."""
    needed = {
        "": 400, "levels": 200, "lines": 210, "one_answer": 220, "levels lines": 160,
        "levels one_answer": 170, "levels lines one_answer": 140, "lines one_answer": 150,
    }  # fmt: skip
    draft = Scripted(told=needing(needed), goal=LIGHT, offered=(A, B, C))
    assert shown(changes(draft)) == [{"forms": (B, C)}, {"people": 400}]


def test_a_form_that_was_needed_is_tried_again_without_another_one() -> None:
    """Without B, the best layout no longer needs A: C alone is as good as A and C."""
    draft = Scripted(told=needing({}), goal=LIGHT)
    enough = {("levels", "lines", "one_answer"), ("levels", "one_answer"), ("one_answer",)}

    def is_enough(state: Draft[Any] | None) -> bool:
        assert isinstance(state, Scripted)
        return tuple(form.kind for form in state.made) in enough

    assert _needed_forms(draft, (A, B, C), is_enough) == (C,)


def test_forms_without_a_plan_are_passed_on_the_way_to_one() -> None:
    told = needing({"": 0, "levels": 0, "lines": 0, "levels lines": 120})
    draft = Scripted(told=told, goal=LIGHT, offered=(A, B))
    assert shown(changes(draft)) == [{"forms": (A, B)}]


@pytest.mark.parametrize(("needed", "people"), [(100, 100), (90, 100), (101, None)])
def test_below_100_people_a_change_of_form_comes_with_up_to_100(needed: int, people: int | None) -> None:
    told = needing({"": MOST_PEOPLE + 1, "levels": needed})
    draft = Scripted(told=told, goal=replace(LIGHT, people=60), offered=(A,))
    # 101 are not enough by other forms alone, but more people complete them, rounded up.
    assert shown(changes(draft)) == [{"forms": (A,), "people": people or 110}]


@pytest.mark.parametrize(("needed", "is_worth"), [(300, True), (319, True), (320, False), (330, False)])
def test_forms_are_proposed_with_more_people_if_these_are_a_fifth_fewer(needed: int, is_worth: bool) -> None:
    draft = Scripted(told=needing({"": 400, "levels": needed}), goal=LIGHT, offered=(A,))
    both = [{"forms": (A,), "people": rounded_up(needed)}] if is_worth else []
    assert shown(changes(draft)) == [*both, {"people": 400}]


def test_forms_come_with_as_few_people_as_the_layout_for_these_people_needs() -> None:
    """Planned for 150 people, 400 are needed; the layout for 400 needs 210, and that for 210 needs 200."""
    needed = {150: 400, 400: 210, 210: 200, 200: 200}

    def told(state: Scripted) -> Told:
        count = needed[state.aim.people] if state.made else 1_000
        return Told(aim=state.aim, half_widths={"q0": 0.1}, needed=count)

    draft = Scripted(told=told, goal=LIGHT, offered=(A,))
    assert shown(changes(draft)) == [{"forms": (A,), "people": 200}, {"people": 1_000}]


@pytest.mark.parametrize(
    ("kind", "keys", "tried"),
    [
        ("levels", ("q0", "q1"), {"q1"}),
        # What a move changes depends on its place, and of a list only the key is known.
        ("after", ("q0", "q1"), {"q0", "q1"}),
        ("one_answer", ("acts", "debts"), {"acts", "debts"}),
    ],
)
def test_of_changes_with_the_same_effect_only_the_last_is_tried(
    kind: str, keys: tuple[str, ...], tried: set[str]
) -> None:
    seen = set()

    def told(state: Scripted) -> Told:
        seen.update(form.key for form in state.made)
        return Told(aim=state.aim, half_widths={"q0": 0.1}, needed=1_000)

    offered = tuple(FormChange(kind=kind, key=key, options=("x",)) for key in keys)
    changes(Scripted(told=told, goal=LIGHT, offered=offered))
    assert seen == tried


def test_of_questions_that_are_alike_one_with_a_second_change_can_be_needed_alone() -> None:
    """With 300 people q1 as levels, and those as a list, are enough; q0 as levels was added on the way."""
    first, second = (replace(A, key=key) for key in ("q0", "q1"))
    lines = replace(B, key="q1")

    def told(state: Scripted) -> Told:
        made = {(form.kind, form.key) for form in state.made}
        needed = {0: 1_000, 1: 500, 2: 450, 3: 300}[len(made)]
        if made == {("levels", "q1"), ("lines", "q1")}:
            needed = 300 if state.aim.people >= 300 else 480
        elif made == {("lines", "q1")}:
            needed = 900
        elif made == {("levels", "q0"), ("lines", "q1")}:
            needed = 800
        return Told(aim=state.aim, half_widths={"q0": 0.1}, needed=needed)

    draft = Scripted(told=told, goal=LIGHT, offered=(first, second, lines))
    assert shown(changes(draft)) == [{"forms": (second, lines), "people": 300}, {"people": 1_000}]


def test_a_comparison_loses_its_first_star_and_the_guesses_that_no_page_can_state() -> None:
    age = Question(key="age", kind="single", options=("a", "b"), unrelated=(5000, 5000))
    shares = {"age=a": 1000, "q0": 500}

    def told(state: Scripted) -> Told:
        needed = 100 if len(state.aim.wanted) == 1 else MOST_PEOPLE + 1
        return Told(aim=state.aim, half_widths={"q0": 0.1, "age=a": 0.1}, needed=needed)

    for wanted, left in ((("age=a", "q0"), {"q0": 500}), (("q0", "age=a"), shares)):
        goal = replace(LIGHT, wanted=wanted, shares=shares)
        draft = Scripted(told=told, goal=goal, questions=asked(age, *yes_no(1)))
        (change,) = changes(draft)
        assert (change.star, change.plan.draft.aim.wanted) == (wanted[1], wanted[1:])
        assert change.plan.draft.aim.shares == left
    single = replace(draft, goal=replace(draft.goal, wanted=("q0",), people=90))
    assert [change.star for change in changes(single)] == [None]


def test_a_star_alone_may_need_another_form_but_loses_no_question() -> None:
    def told(state: Scripted) -> Told:
        kinds = {form.kind for form in state.made}
        needed = {frozenset({"levels"}): 120, frozenset({"leave_out"}): 130}.get(
            frozenset(kinds), MOST_PEOPLE + 1
        )
        needed = needed if len(state.aim.wanted) == 1 else MOST_PEOPLE + 1
        return Told(aim=state.aim, half_widths={"q0": 0.1, "q1": 0.1}, needed=needed)

    goal = replace(LIGHT, wanted=("q1", "q2"))
    draft = Scripted(told=lambda s: replace(told(s), half_widths=dict.fromkeys(("q1", "q2"), 0.1)), goal=goal)
    with_form = replace(draft, offered=(A, OUT))
    assert shown(changes(with_form)) == [{"forms": (A,), "star": "q2"}]
    assert changes(replace(draft, offered=(OUT,))) == ()


@pytest.mark.parametrize(("stars", "found"), [(2, {"is_anew": True}), (1, {"is_anew": True, "star": "q2"})])
def test_a_new_layout_loses_a_star_only_if_it_must(stars: int, found: dict[str, Any]) -> None:
    """Without its saved layout, a draft with up to so many stars can be published."""

    def told(state: Scripted) -> Told:
        enough = not state.held and len(state.aim.wanted) <= stars
        widths = dict.fromkeys(("q1", "q2"), 0.1)
        return Told(aim=state.aim, half_widths=widths, needed=120 if enough else MOST_PEOPLE + 1)

    draft = Scripted(told=told, goal=replace(LIGHT, wanted=("q1", "q2")), held=True)
    assert shown(changes(draft)) == [found]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_as_few_questions_as_possible_are_stored_as_answered(count: int) -> None:
    """The question with most answers costs most, so it is stored first."""
    age = Question(key="age", kind="single", options=("a", "b", "c"), unrelated=(3334, 3333, 3333))

    def told(state: Scripted) -> Told:
        needed = 150 if len(state.stored) >= count else MOST_PEOPLE + 1
        return Told(aim=state.aim, half_widths={"q0": 0.1}, needed=needed)

    background = ("q0", "q1", "q2", "q3", "age")
    draft = Scripted(told=told, goal=LIGHT, questions=asked(*yes_no(4), age), background=background)
    assert shown(changes(draft)) == [{"keys": ("age", "q0", "q1", "q2", "q3")[:count]}]


def improving(
    gains: dict[str, float], *, width: float = 0.2, goal: Goal = LIGHT, **members: Any
) -> list[dict[str, Any]]:
    """Return what is proposed if each change narrows the only width by its gain; power is equal."""

    def told(state: Scripted) -> Told:
        names = [form.kind for form in state.made]
        names += ["people"] * (state.aim.people != goal.people)
        names += ["strength"] * (state.aim.strength != goal.strength)
        names += ["anew"] * (not state.held)
        left = round(width - sum(gains.get(name, 0.0) for name in names), 9)
        needed = 10_000 if "useless" in gains and gains["useless"] == len(state.made) else 100
        return Told(aim=state.aim, half_widths={"q0": left}, power=0.5, needed=needed)

    draft = Scripted(told=told, goal=goal, **members)
    assert draft.is_useful
    return shown(changes(draft))


STARRED = replace(LIGHT, wanted=("q0",), people=401)
MORE = {"people": 610}
"""One and a half times 401, rounded up."""


def test_half_as_many_people_more_are_proposed_if_that_narrows_a_figure() -> None:
    assert improving({"people": 0.0051}, goal=STARRED) == [MORE]
    assert improving({"people": 0.0049}, goal=STARRED) == []
    assert improving({"people": 0.01}, goal=replace(STARRED, people=400)) == [{"people": 600}]


def test_of_protection_and_people_the_one_that_helps_more_comes_first() -> None:
    goal, light = replace(STARRED, strength="medium"), {"strength": "light"}
    assert improving({"people": 0.01, "strength": 0.02}, goal=goal) == [light, MORE]
    assert improving({"people": 0.02, "strength": 0.01}, goal=goal) == [MORE, light]


@pytest.mark.parametrize("wanted", [(), ("q0",)])
def test_forms_that_narrow_the_figure_come_first_the_best_also_alone(wanted: tuple[str, ...]) -> None:
    goal = replace(STARRED, wanted=wanted)
    gains = {"levels": 0.01, "lines": 0.03, "one_answer": 0.02, "one_option": 0.008, "leave_out": 0.1}
    offered = (A, B, C, D, OUT)
    found = improving({**gains, "people": 0.01}, goal=goal, offered=offered)
    assert found == [{"forms": (B, C, A)}, {"forms": (B,)}, MORE]
    assert improving({"levels": 0.006}, goal=goal, offered=(A, B)) == [{"forms": (A,)}]
    assert improving({"levels": 0.004}, goal=goal, offered=(A, B)) == []
    # Exactly half a point is not enough.
    assert improving({"levels": 0.005}, width=0.005, goal=goal, offered=(A,)) == []
    # A form with which the draft could not be published is no gain.
    assert improving({"levels": 0.1, "useless": 1}, goal=goal, offered=(A,)) == []


def test_a_new_layout_is_proposed_if_it_differs_and_counts_as_one_of_three() -> None:
    gains = {"levels": 0.01, "lines": 0.03, "people": 0.02}
    offered = (A, B)
    anew = {"is_anew": True}
    assert improving({**gains, "anew": -0.01}, goal=STARRED, offered=offered, held=True) == [
        anew, {"forms": (B, A)}, {"forms": (B,)}
    ]  # fmt: skip
    assert improving(gains, goal=STARRED, offered=offered, held=True) == [
        {"forms": (B, A)}, {"forms": (B,)}, MORE
    ]  # fmt: skip


def test_a_saved_layout_that_stops_publishing_is_given_up_first() -> None:
    def told(state: Scripted) -> Told:
        return Told(aim=state.aim, half_widths={"q0": 0.1}, needed=300 if state.held else 120)

    draft = Scripted(told=told, goal=LIGHT, held=True)
    assert shown(changes(draft)) == [{"is_anew": True}, {"people": 300}]


@pytest.mark.parametrize("needed", [100, 400])
def test_one_coin_for_two_times_is_not_proposed_without_a_layout(needed: int) -> None:
    def told(state: Scripted) -> Told | None:
        return None if state.aim.wanted else Told(aim=state.aim, half_widths={"q0": 0.1}, needed=needed)

    assert under_one_coin(Scripted(told=told, goal=LIGHT), ("q0", "q1")) is None


def test_a_survey_of_the_fewest_people_names_no_other_number_to_publish() -> None:
    """100 people are enough for complete rows, so a change without more people names none."""
    draft = DesignDraft(
        questions=asked(*yes_no(10)), goal=Goal(people=LEAST_COMPLETE_ROWS, strength="strong")
    )
    found = changes(draft)
    assert found
    assert all(change.people is None or change.people > LEAST_COMPLETE_ROWS for change in found)
