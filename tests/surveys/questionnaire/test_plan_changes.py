"""Suggested changes remove what stops publishing, keep their promises, and never store what is not plain."""

import copy
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.planning.changes import MOST_PEOPLE, Change, rounded_up
from privacy.planning.forms import FormChange
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.definition import Definition, definition_parse, definition_without_texts
from surveys.questionnaire.draft_plan import Plan, plan
from surveys.questionnaire.form_changes import possible_forms, with_forms
from surveys.questionnaire.multi_conversion import converted
from surveys.questionnaire.plan_changes import changes
from surveys.questionnaire.use_words import gap_sentences, item_names
from tests.conftest import ROOT
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.planned_drafts import (
    CHOICE,
    DRAFTS,
    EIGHT,
    JOB,
    composite,
    drafted,
    guessed_drafts,
    is_shown,
    keeps_everything,
    library_plan,
    number_part,
    options,
    planned,
    realistic,
    refusals_of,
    union,
    with_lists,
)


@pytest.mark.parametrize(("people", "needed"), [(250, 600), (400, 600)])
def test_rare_starred_answers_are_shown_as_a_fault_and_fixed(people: int, needed: int) -> None:
    """With guesses of 10% on both, the plan used to show no fault, and its changes removed no refusal."""
    aim = Aim(people=people, wanted=("q0", "q1"), shares={"q0": 1000, "q1": 1000})
    made = planned(DRAFTS["with a skip"], aim)
    (refusal,) = refusals_of(made)
    (shown,) = gap_sentences(made.use, item_names(made.definition))
    assert shown.casefold() == f"{refusal}.".casefold()
    more, alone = changes(DRAFTS["with a skip"], aim)
    assert (more.people, alone.star) == (needed, "q1")
    assert more.plan.use.power is not None
    assert more.plan.use.power >= 0.3
    assert alone.plan.use.power is None
    assert refusals_of(more.plan) == refusals_of(alone.plan) == []


@pytest.mark.parametrize("guess", [0, 10_000])
@pytest.mark.parametrize("people", [50, 100_000])
@pytest.mark.parametrize("name", DRAFTS)
@pytest.mark.few("eight-50-0", "a number alone-100000-10000", why="the ends of the ranges")
def test_guesses_that_rule_out_a_difference_have_a_sentence(name: str, people: int, guess: int) -> None:
    draft = DRAFTS[name]
    wanted = tuple(item.key for item in draft.design.items)[-2:]
    aim = Aim(people=people, wanted=wanted, shares=dict.fromkeys(wanted, guess))
    made = planned(draft, aim)
    sentences = gap_sentences(made.use, item_names(made.definition))
    if made.use.power is not None:
        assert any("there is nothing to find" in sentence for sentence in sentences)
    assert not any(refusals_of(change.plan) for change in changes(draft, aim))


@pytest.mark.soak
def test_a_realistic_questionnaire_gets_another_form_instead_of_ten_times_the_people() -> None:
    """Six yes/no questions, a list of five acts and a number of drinks: a link was found at 92 points."""
    draft = realistic()
    aim = Aim(people=250, wanted=("q0", "q1"), shares={"q0": 5000, "q1": 5000})
    made = planned(draft, aim)
    assert made.use.difference is not None
    assert round(100 * made.use.difference) == 92
    more, fewer, _plain = changes(draft, aim)
    assert ([form.code for form in more.forms], more.people) == (["one_answer,acts", "levels,hours"], 300)
    assert ([form.code for form in fewer.forms], fewer.people) == (
        ["one_answer,acts", "leave_out,hours"],
        None,
    )
    for change in (more, fewer):
        assert change.plan.use.difference is not None
        assert change.plan.use.difference < 0.4


def test_a_choice_asked_as_a_list_is_never_sent_as_one_answer() -> None:
    """Of three levels one is always true, so *at least one of these* said nothing, with ±25 points."""
    choice = {**CHOICE, "key": "often"}
    draft = drafted(protected("b", EIGHT[0], choice, refusal=1000), number_part())
    for people in (100, 193, 250, 400):
        for change in changes(draft, Aim(people=people, wanted=("q0",))):
            lists = {form.key for form in change.forms if form.kind == "lines"}
            assert not any(form.kind == "one_answer" and form.key in lists for form in change.forms)
    lines = FormChange(kind="lines", key="often")
    listed, aim = _formed(draft, Aim(people=100), [lines])
    offered = {form.code for form in possible_forms(listed.document, listed.design, aim)}
    assert "one_answer,often" in offered
    for people in (100, 250, 400):
        found = changes(listed, replace(aim, people=people), made=[lines])
        assert not any(form.kind == "one_answer" for change in found for form in change.forms)


@pytest.mark.parametrize("people", [250, 1_000])
@pytest.mark.parametrize("count", [2, 5, 8])
def test_a_question_to_tick_all_costs_no_more_than_its_answers(people: int, count: int) -> None:
    ticks = options({**CHOICE, "kind": "multi", "key": "ticks"}, count)
    listed = converted(document_of(protected("b", *EIGHT[:2], ticks, refusal=1000))).document
    definition = definition_without_texts(listed)
    assert definition is not None
    apart = drafted(
        protected("b", *EIGHT[:2], *(yes_no(f"t{number}") for number in range(count)), refusal=1000)
    )
    aim = Aim(people=people, wanted=("q0",))
    costs = [[*planned(each, aim).use.half_widths.values()] for each in (definition, apart)]
    assert costs[0] == costs[1]


@pytest.mark.soak
@pytest.mark.parametrize("people", [250, 1_000])
@pytest.mark.parametrize("count", [3, 5, 8, 14, 20])
@pytest.mark.few(
    "3-250",
    "8-250",
    "3-1000",
    "14-1000",
    "8-1000",
    "20-1000",
    "5-250",
    "5-1000",
    why="the others execute nothing more",
)
def test_a_choice_that_costs_more_than_its_answers_is_changed_first(people: int, count: int) -> None:
    draft = drafted(protected("b", *EIGHT[:4], options(CHOICE, count), refusal=1000))
    aim = Aim(people=people, wanted=("q0",))
    now = planned(draft, aim).use.half_widths["q0"]
    lines = FormChange(kind="lines", key="often")
    asked, formed_aim = _formed(draft, aim, [lines])
    apart = planned(asked, formed_aim)
    found = changes(draft, aim)
    forms = {form.kind for change in found for form in change.forms if form.key == "often"}
    # Eight lines beside four questions are too many for 250 people to publish.
    is_cheaper = apart.is_useful and apart.use.half_widths["q0"] < now - 0.005
    assert not is_cheaper or forms & {"lines", "merge"}
    assert is_cheaper == (count == 3 if people == 250 else count > 3)
    for change in found:
        if change.forms:
            assert change.plan.use.half_widths["q0"] <= now


def smallest_link(*blocks: dict[str, Any], **aim: Any) -> float:
    found = planned(drafted(*blocks), Aim(wanted=("q0", "q1"), **aim)).use.difference
    return math.inf if found is None else found


def test_no_form_of_the_example_finds_a_link_of_45_points_without_guesses() -> None:
    """Every subset of the other questions, as they are or in a cheaper form, costs the pair something."""
    pair, four = EIGHT[:2], EIGHT[2:6]
    acts = [yes_no(f"act{number}") for number in range(5)]
    number = copy.deepcopy(number_part()) | {"refusal": True}
    levels: dict[str, Any] = protected("n", CHOICE, refusal=1000)
    links = {
        (count, len(lines), part and part["key"]): smallest_link(
            protected("b", *pair, *four[:count], *lines, refusal=1000), *filter(None, [part]), people=250
        )
        for count in range(5)
        for lines in ([], acts[:1], acts)
        for part in (None, levels, number)
    }
    # Only the starred pair is left.
    assert min(links, key=links.__getitem__) == (0, 0, None)
    assert round(links[0, 0, None], 3) == 0.483
    even = {"q0": 5000, "q1": 5000}
    assert round(smallest_link(protected("b", *pair, refusal=1000), people=250, shares=even), 3) == 0.314
    # Without a skip, a little less.
    assert round(smallest_link(protected("b", *pair), people=250), 3) == 0.465


def test_documentation_states_the_links_that_can_be_found_beside_other_answers() -> None:
    """Composite questions and yes/no questions cost a link the same, so both count as one answer."""
    text = Path(ROOT, "docs/layouts.md").read_text(encoding="utf-8")
    head, _line, *rows = text[text.index("| other yes or no answers") :].partition("\n\n")[0].splitlines()
    people = [int(number) for number in re.findall(r"\b\d{3}\b", head)]
    assert people == [250, 300, 400]
    counts = []
    for line in rows:
        first, *stated = [cell.strip() for cell in line.strip("|").split("|")]
        least, _to, most = first.partition(" to ")
        for count in range(int(least), int(most or least) + 1):
            counts.append(count)
            others = [composite(f"k{n}", 2) if n % 2 else yes_no(f"k{n}") for n in range(count)]
            found = [
                smallest_link(protected("b", *EIGHT[:2], *others, refusal=1000), people=n) for n in people
            ]
            assert ["none" if math.isinf(link) else str(math.ceil(100 * link - 1e-6)) for link in found] == [
                cell.removesuffix(" points") for cell in stated
            ]
    assert counts == [*range(8)]


@pytest.mark.soak
def test_forty_questions_and_only_open_ones_have_a_plan_or_changes() -> None:
    forty = drafted(protected("b", *(yes_no(f"q{number}") for number in range(40))))
    more, alone = changes(forty, Aim(people=100, wanted=("q0", "q1"), shares={"q0": 1000, "q1": 1000}))
    assert (more.people, alone.people, alone.star) == (1900, 1200, "q1")

    assert refusals_of(more.plan) == refusals_of(alone.plan) == []
    (*_more, fewer) = changes(forty, Aim(people=300, wanted=("q0", "q1")))
    assert {form.kind for form in fewer.forms} == {"leave_out"}
    assert len(fewer.forms) == 32
    open_ones = drafted(unprotected("open", JOB))
    assert refusals_of(planned(open_ones, Aim(people=10))) == []


@settings(max_examples=60, deadline=None)
@given(guessed_drafts(), st.integers(0, 2).map(lambda number: number == 0))
@pytest.mark.soak
def test_every_draft_gets_a_plan_or_changes_that_remove_each_refusal_as_stated(
    drafted_aim: tuple[Definition, Aim], is_saved: bool
) -> None:
    draft, aim = drafted_aim
    saved = plan(draft, replace(aim, wanted=())) if is_saved else None
    aim = replace(aim, held=saved.layout_key) if saved is not None else aim
    made, found = plan(draft, aim), changes(draft, aim)
    if made is not None:
        assert made.is_useful == is_shown(made)
        keeps_everything(draft, made)
        _show_each_refusal(made)
    if made is not None and made.is_useful:
        # If the saved layout is kept, a better one is offered.
        figures = [
            (each.use.widths, each.use.power) for each in (planned(draft, replace(aim, held="")), made)
        ]
        assert any(change.is_anew for change in found) == (figures[0] != figures[1])
    else:
        _reach_a_useful_plan(draft, aim, found)
        assert not any(refusals_of(change.plan) for change in found)
    # No question of these drafts is plain background.
    assert not any(change.keys for change in found)
    for change in found:
        starred = _starred(draft, aim, change.star)
        chosen, formed_aim = _formed(draft, starred, change.forms)
        applied = replace(
            formed_aim,
            held="" if change.is_anew else aim.held,
            people=change.people or aim.people,
            strength=change.strength or aim.strength,
        )
        assert planned(chosen, applied).use == change.plan.use


def _figures(change: Change[Any]) -> tuple[Any, ...]:
    use = change.plan.use
    return (
        # The answer for a list has different keys.
        [form.kind for form in change.forms],
        change.people,
        change.strength,
        change.star,
        change.at_least_one,
        [*use.half_widths.values()],
        [*use.numbers.values()],
        use.power,
        use.difference,
        use.people_needed,
    )


@settings(max_examples=40, deadline=None)
@given(guessed_drafts(least_guess=1, most_guess=9999))
@pytest.mark.soak
def test_the_library_proposes_the_same_changes_with_the_same_figures(
    drafted_aim: tuple[Definition, Aim],
) -> None:
    """Places are an exception: the page first limits their odds, and the library plans around them."""
    draft, aim = with_lists(*drafted_aim)
    if any(question.is_map for question in draft.design.questions) or plan(draft, aim) is None:
        return
    found = library_plan(draft, aim).changes
    assert [_figures(each.change) for each in found] == [_figures(each) for each in changes(draft, aim)]
    for each in found:
        assert each.plan.use == each.change.plan.use
        assert each.plan.survey.design == each.change.plan.design


@pytest.mark.soak
@pytest.mark.parametrize("wanted", [(), ("q0",), ("q0", "q1")])
@pytest.mark.parametrize("people", [60, 250, 1_000])
@pytest.mark.few("60-wanted0", "1000-wanted2", why="the fewest and the most people")
def test_the_library_proposes_the_same_for_a_list_a_choice_and_a_number(
    people: int, wanted: tuple[str, ...]
) -> None:
    draft, aim = realistic(), Aim(people=people, wanted=wanted)
    found = library_plan(draft, aim).changes
    assert [_figures(each.change) for each in found] == [_figures(each) for each in changes(draft, aim)]
    assert found
    assert all(each.words and "\n" in each.summary() for each in found)


@pytest.mark.parametrize(("others", "counts"), [(0, (4, 3, 3)), (0, (2, 2)), (3, (4, 3, 3)), (0, (2,) * 4)])
@pytest.mark.parametrize("wanted", [(), ("any",), ("q0",), ("any", "q0")])
def test_each_form_is_proposed_where_it_costs_nothing_and_the_library_agrees(
    others: int, counts: tuple[int, ...], wanted: tuple[str, ...]
) -> None:
    """Three forms of violence alone with 300 people: ±10.1 points each, as the union was."""
    asked, kept = union("any", *counts)
    draft = drafted(protected("b", asked, *EIGHT[:others], refusal=1000), set_aside=[kept])
    if "q0" in wanted and not others:
        return
    aim = Aim(people=300, wanted=wanted)
    now, found = planned(draft, aim).use, changes(draft, aim)
    assert [_figures(each.change) for each in library_plan(draft, aim).changes] == [*map(_figures, found)]
    each = [change for change in found if [form.kind for form in change.forms] == ["each_form"]]
    assert bool(each) == (not others and len(counts) < 4)
    for change in each:
        half, use = change.at_least_one, change.plan.use
        assert half is not None
        assert half <= now.widths["any"] + 0.005
        assert len(use.widths) == len(counts)
        assert max(use.widths.values()) <= now.widths["any"] + 0.005
        assert round(max(use.widths.values()), 3) == 0.101
        assert 0.095 <= half <= 0.101
        assert change.plan.aim.wanted == ()


def _show_each_refusal(made: Plan) -> None:
    """Assert that the plan page shows why publishing would refuse, in the same words."""
    if not any(block.protected for block in made.design.blocks):
        return
    refusals = refusals_of(made)
    names = item_names(made.definition, made.aim.labels)
    shown = [sentence.rstrip(".").casefold() for sentence in gap_sentences(made.use, names)]
    assert shown == [message.casefold() for message in refusals]
    assert made.is_useful == (not refusals)


@pytest.mark.parametrize("people", [0, 1, MOST_PEOPLE])
@pytest.mark.parametrize("name", DRAFTS)
@pytest.mark.few(
    "eight-0", "one question-1", "in turn-1", "two strengths-10000000", why="the ends, and parts in turn"
)
def test_no_one_or_ten_million_people_have_a_plan_or_changes(name: str, people: int) -> None:
    draft = DRAFTS[name]
    stars = tuple(item.key for item in draft.design.items)[-2:]
    for wanted in ((), stars[:1], stars):
        aim = Aim(people=people, wanted=wanted)
        if people == 0:
            with pytest.raises(PrivacyError, match="n = 0 is outside"):
                plan(draft, aim)
            continue
        made, found = planned(draft, aim), changes(draft, aim)
        if people == 1:
            # 100 answers are the least, so each proposal expects more.
            assert refusals_of(made)
            assert found
            assert all(change.people is not None and change.people >= 100 for change in found)
            assert not any(refusals_of(change.plan) for change in found)
        else:
            assert not refusals_of(made)
            assert max(made.use.widths.values()) < 0.01


def _starred(draft: Definition, aim: Aim, star: str | None) -> Aim:
    """Return the aim after a press: only this star, and no guess that the page cannot show."""
    if star is None:
        return aim
    (lost,) = (item for item in aim.wanted if item != star)
    question = draft.design.questions[draft.design.item(lost).question]
    shares = {item: share for item, share in aim.shares.items() if item != lost or not question.is_exhaustive}
    return replace(aim, wanted=(star,), shares=shares)


def _formed(draft: Definition, aim: Aim, forms: Sequence[FormChange]) -> tuple[Definition, Aim]:
    document, aim = with_forms(draft.document, draft.design, aim, forms)
    definition = definition_without_texts(document)
    assert definition is not None
    return definition, aim


def _reach_a_useful_plan(draft: Definition, aim: Aim, reached: tuple[Change[Plan], ...]) -> None:
    assert reached
    for change in reached:
        assert is_shown(change.plan)
        assert change.size > 0
        assert (change.people is None) == (change.plan.aim.people == aim.people)
        if change.people is None:
            assert aim.people >= 100
        elif aim.people >= 100:
            assert change.people <= rounded_up(change.plan.use.people_needed)
        starred = _starred(draft, aim, change.star)
        formed, _aim = _formed(draft, starred, change.forms)
        keeps_everything(formed, change.plan)
        for fewer in _without_a_member(change):
            assert not _is_enough(draft, aim, fewer), fewer


def _without_a_member(change: Change[Plan]) -> Iterator[Change[Plan]]:
    """Yield a change without one of its members, once for each; none can be left out."""
    for form in change.forms:
        yield replace(change, forms=tuple(each for each in change.forms if each is not form))
    if change.people is not None:
        yield replace(change, people=None)
    if change.strength is not None:
        yield replace(change, strength=None)
    if change.star is not None:
        yield replace(change, star=None)


def _is_enough(draft: Definition, aim: Aim, change: Change[Plan]) -> bool:
    """Return whether nothing stops publishing after a change."""
    formed, formed_aim = _formed(draft, _starred(draft, aim, change.star), change.forms)
    pressed = replace(
        formed_aim,
        people=change.people or aim.people,
        strength=change.strength or aim.strength,
        held="" if change.is_anew else aim.held,
    )
    made = plan(formed, pressed)
    return made is not None and made.is_useful


@pytest.mark.soak
def test_an_order_that_only_a_dropped_change_needed_is_not_proposed() -> None:
    """With the number k1 as levels, the stars have to be neighbours; as a number, any order will do."""
    counts = {"k2": 8, "k3": 5, "k4": 15, "k5": 10, "k6": 16, "k7": 10, "k8": 2}
    choices = [options(CHOICE, count) | {"key": key} for key, count in counts.items()]
    several = options({**CHOICE, "kind": "multi"}, 5) | {"key": "k9"}
    numbers = []
    for key, high in {"k0": 40, "k1": 9}.items():
        part = copy.deepcopy(number_part()) | {"key": f"{key}_part", "refusal": False}
        part["questions"][0] |= {"key": key}
        part["questions"][0]["number"] |= {"high": high}
        numbers.append(part)
    draft = definition_without_texts(document_of(protected("coins", *choices, several), *numbers))
    assert draft is not None
    aim = Aim(people=1297, wanted=("k6=o3", "k2=o4"), strength="light", held="in_turn-1-0-0")
    found = changes(draft, aim)
    _reach_a_useful_plan(draft, aim, found)
    (kept,) = (change.forms for change in found if change.people is None and change.star is None)
    assert [form.code for form in kept] == [
        "one_option,k6,o3",
        "lines,k4",
        "one_option,k2,o4",
        "leave_out,k7",
        "leave_out,k5",
        "leave_out,k3",
    ]


def test_below_100_people_every_suggested_change_adds_people() -> None:
    for change in changes(DRAFTS["eight"], Aim(people=60)):
        assert change.people is not None
        assert change.people >= 100


def test_changes_to_a_useful_plan_keep_starred_questions() -> None:
    found = changes(DRAFTS["eight"], Aim(people=400, wanted=("q0", "q1")))
    assert found
    for change in found:
        assert change.size == 1
        assert not {"q0", "q1"} & set(change.keys)
        assert change.plan.is_useful


def test_a_layout_better_only_for_starred_answers_is_offered() -> None:
    """The saved layout was chosen without stars; another one asks fewer of the other questions."""
    draft = DRAFTS["exclusive answers"]
    first = planned(draft, Aim(people=400))
    starred = replace(first.aim, people=300, wanted=("q0", "q1"))
    now = planned(draft, starred)
    (anew,) = [change for change in changes(draft, starred) if change.is_anew]
    assert anew.plan.use.half_widths["q0"] < now.use.half_widths["q0"] - 0.005
    assert anew.plan.use.half_widths["q4"] > now.use.half_widths["q4"]
    assert not any(change.is_anew for change in changes(draft, anew.plan.aim))


def test_a_better_layout_blocked_by_the_saved_one_is_offered_without_stars() -> None:
    draft = DRAFTS["several ticks"]
    saved = planned(draft, Aim(people=150)).aim
    more = replace(saved, people=400)
    (anew,) = [change for change in changes(draft, more) if change.is_anew]
    assert anew.plan.use == planned(draft, Aim(people=400)).use
    assert anew.plan.use.half_widths["q0"] < planned(draft, more).use.half_widths["q0"]


@pytest.mark.parametrize("people", [100, 120])
def test_no_proposal_merges_answers_if_that_makes_their_shares_less_exact(people: int) -> None:
    """A proposal merged two answers, and the interval was wider than before: ±12.5 became ±13.5."""
    texts = ("Never", "Once", "Twice", "Often", "Daily")
    options = [{"key": f"o{place}", "text": {"en": each}} for place, each in enumerate(texts)]
    asked = {**CHOICE, "options": options, "unrelated": [2000] * 5, "prevalence": [2000] * 5}
    definition = definition_parse(document_of(protected("p", asked, *map(yes_no, ("a", "b", "c")))))
    aim = Aim(people=people, strength="light")

    def widest(made: Plan) -> float:
        return max(width for item, width in made.use.widths.items() if item.startswith("often"))

    now = plan(definition, aim)
    assert now is not None
    found = changes(definition, aim)
    assert found
    merging = [each for each in found if any(form.kind == "merge" for form in each.forms)]
    assert all(widest(each.plan) <= widest(now) + 0.0005 for each in merging)
