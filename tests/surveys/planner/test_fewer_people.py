"""Fewer people for the same: sentences and table of a draft, and the button that takes the better design."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from privacy.planning.better_design import better_design
from privacy.planning.part_variance import AskedPart, variance_of_size
from privacy.risk.budget import budget
from privacy.risk.open_answers import expected_own
from privacy.risk.sentences import percent
from surveys.authoring.drafts import draft_create
from surveys.models import Survey
from surveys.planner.fewer_people import FewerPeople, draft_with_fewer_people, fewer_people, of_draft
from surveys.policy import MOST_OWN
from surveys.questionnaire.definition import definition_parse
from tests.cast.checked_surveys import CEILINGS, document_of, protected, several, unprotected, yes_no

# Five parts of two at a total epsilon of 3: p/(1 - p) = (e^.6 - 1)/4.
P = 1704


def five_parts(*others: dict[str, Any], **more: Any) -> dict[str, Any]:
    parts = [
        protected(
            f"part-{n}", yes_no(f"q{n}a", prevalence=2000), yes_no(f"q{n}b", prevalence=1000), p=P, **more
        )
        for n in range(5)
    ]
    return document_of(*parts, *others)


def said(
    document: dict[str, Any], *, n: int = 6366, largest: int = 2, most_odds: float = math.inf
) -> FewerPeople:
    found = of_draft(definition_parse(document), n=n, ceilings=CEILINGS, largest=largest, most_odds=most_odds)
    assert found is not None
    return found


def taken(
    document: dict[str, Any], *, n: int = 6366, largest: int = 2, most_odds: float = math.inf
) -> dict[str, Any]:
    found = draft_with_fewer_people(
        definition_parse(document), n=n, ceilings=CEILINGS, largest=largest, most_odds=most_odds
    )
    assert found is not None
    return found


def test_a_draft_is_told_how_many_people_or_how_much_epsilon_it_can_save() -> None:
    found = said(five_parts(), n=100_000)
    assert found.saves
    # Shares have 8.6 and would have 1.68; of the mean with pairs, 39.5 and 2.2, the bound is 1.39.
    assert found.sentences == (
        "The same precision with 19,513 people instead of 100,000: ask each 3 of these 10 questions.",
        "Or the same 100,000 people, and ε 1.25 instead of 3: ask each 2 of them.",
        "No design of this protection needs fewer than 3,530 people.",
    )
    assert [row.size for row in found.rows] == [1, 2, 3]
    # 3 of 10: shares 334, pairs 1,500 until a hundred were asked all of them.
    assert [row.complete for row in found.rows] == ["334", "1,500", ""]
    part = AskedPart(questions=10, truth=0.7046, per_person=3)
    wanted = [100 * math.sqrt(variance_of_size([part], size) / 100_000) for size in (1, 2)]
    assert [float(row.then) for row in found.rows[:2]] == pytest.approx(wanted, rel=5e-3)
    assert all(float(row.then) < float(row.now) for row in found.rows[:2])
    # What is promised of fewer people holds of each size.
    assert found.people == 19_513
    assert all(float(row.fewer) <= float(row.now) for row in found.rows[:2])


def test_answers_near_the_true_ones_are_offered_where_they_gain() -> None:
    found = said(five_parts(), n=100_000, most_odds=3.0)
    assert found.saves
    # 39.5 against 2.46: six of ten, at most one of them changed.
    assert found.sentences[0].endswith("ask each 6 of these 10 questions.")
    assert (
        "Answers near the true ones are sent: at most 1 of the 6 of a person are changed." in found.sentences
    )
    document = taken(five_parts(), n=100_000, most_odds=3.0)
    block = definition_parse(document).design.blocks[0]
    assert (block.questions_per_person, block.radius, block.refusal) == (6, 1, None)
    assert block.near is not None
    odds = (1 + block.near.factor(1)) / (1 - block.near.factor(1))
    assert 2.8 < odds <= 3
    assert budget(definition_parse(document).design).epsilon <= 3
    # Everybody is asked all: no set of questions is sent.
    whole = taken(five_parts(), n=150, most_odds=2.0)["blocks"][0]
    assert whole["mechanism"] == "near_truth"
    assert "questions_per_person" not in whole
    assert "booklets" not in whole
    # Where the true row is the best, that is said; where a part has a skip, that nothing else was tried.
    assert "Answers near the true ones would save no more here." in said(five_parts(), n=100_000).other_side
    skipped = said(five_parts(refusal=2001), n=100_000, most_odds=3.0)
    assert any(line.startswith("Answers near the true ones are not tried") for line in skipped.other_side)
    # A part that sends them already is joined with the others.
    again = said(document, n=100_000, most_odds=3.0)
    assert not again.saves


def test_titles_that_are_too_long_for_one_stand_together_as_far_as_they_fit() -> None:
    document = five_parts()
    for number, part in enumerate(document["blocks"]):
        part["title"] = {"en": f"{number}" * 2_000}
    (part,) = taken(document)["blocks"]
    assert part["title"] == {"en": f"{'0' * 2_000} · {'1' * 2_000}"}


def test_among_fewer_people_enough_must_have_been_asked_each_pair() -> None:
    # 356 would be as precise, and of them 24 would have been asked a given pair.
    assert (
        said(five_parts())
        .sentences[0]
        .startswith("The same precision with 1,500 people instead of 6,366: ask")
    )
    # Of 1,000 people a hundred are asked each pair from four of ten on.
    few = said(five_parts(), n=1000)
    assert few.sentences[0] == (
        "The same precision with 750 people instead of 1,000: ask each 4 of these 10 questions."
    )
    assert [row.complete for row in few.rows] == ["250", "750", ""]


def test_a_list_of_sets_that_leaves_triples_out_promises_none_of_them() -> None:
    """What the table says of three together is what the draft that is taken asks."""
    for largest, people in ((2, {""}), (3, {"3,000"})):
        found = said(five_parts(), n=4_000, largest=largest)
        (part,) = taken(five_parts(), n=4_000, largest=largest)["blocks"]
        listed = part.get("booklets") or itertools.combinations(range(10), part["questions_per_person"])
        triples = Counter(three for asked in listed for three in itertools.combinations(asked, 3))
        assert {found.rows[2].complete} == people
        assert (found.rows[2].then == "") == (len(triples) < 120)
        said_so = f"Nobody is asked all of {120 - len(triples)} of the 120 sets of 3 questions."
        assert any(side.startswith(said_so) for side in found.other_side) == (len(triples) < 120)


def test_open_answers_count_among_what_singles_people_out() -> None:
    places = several("place", *(f"o{n}" for n in range(8)))
    town = unprotected("town", places)
    alone, sides = 0.0, said(five_parts(town), n=1_000).other_side
    design = definition_parse(taken(five_parts(town), n=1_000)).design
    alone = expected_own(design, 1_000)
    assert alone > MOST_OWN
    assert any(f"other parts {percent(alone)} of the people" in side for side in sides)
    assert any(side.startswith("That is many") for side in sides)


def test_near_rows_that_one_of_two_proposals_sends_are_not_called_useless() -> None:
    """Of 1,000 people less epsilon is best spent on rows near the true one, the same epsilon on others."""
    found = said(five_parts(), n=1000)
    assert "at most 1 of the answers changed" in found.sentences[1]
    # Which of the two the button takes is said beside it.
    assert found.takes == "Taken, each person is asked 4 of them, and ε is 3."
    (part,) = taken(five_parts(), n=1000)["blocks"]
    assert (part["questions_per_person"], part.get("radius")) == (4, None)
    assert not any("would save no more" in side for side in found.other_side)


def test_the_other_side_is_told_too() -> None:
    sides = said(five_parts(), n=100_000).other_side
    # (1 + p)/(1 - p) of p = .704 and .1704.
    assert "up to 5.76 times likelier from somebody of whom it is true, now 1.41 times" in sides[0]
    assert sides[1].startswith("There are 30 sets of questions. With open answers and other parts 0 % of the")
    half = [protected(key, yes_no(f"{key}1"), yes_no(f"{key}2")) for key in ("a", "b", "c", "d", "e")]
    assert "8.05 in 5 parts, 6.93 in one" in said(document_of(*half)).other_side[-1]


@pytest.mark.soak
def test_sets_that_single_people_out_are_warned_of() -> None:
    questions = [yes_no(f"q{n}") for n in range(40)]
    parts = [protected(f"p{n}", *questions[2 * n : 2 * n + 2], p=400) for n in range(20)]
    sides = said(document_of(*parts), n=2000).other_side
    assert any(side.startswith("That is many") for side in sides)


@pytest.mark.parametrize("questions", [2, 3])
def test_where_nothing_is_saved_the_page_says_so(questions: int) -> None:
    part = protected("a", *(yes_no(f"q{n}") for n in range(questions)), p=7046)
    found = said(document_of(part))
    assert not found.saves
    assert (
        found.sentences[0] == f"Asking each person fewer of these {questions} questions saves nothing here."
    )
    assert found.rows == ()
    assert (
        draft_with_fewer_people(
            definition_parse(document_of(part)), n=6366, ceilings=CEILINGS, largest=2, most_odds=math.inf
        )
        is None
    )


def test_a_draft_with_one_yes_no_question_or_none_has_nothing_to_say() -> None:
    for document in (
        document_of(protected("a", yes_no("x"))),
        document_of(unprotected("a", yes_no_open("x"))),
    ):
        definition = definition_parse(document)
        assert of_draft(definition, n=100, ceilings=CEILINGS, largest=2, most_odds=math.inf) is None


def yes_no_open(key: str) -> dict[str, Any]:
    return {"key": key, "kind": "yes_no", "text": {"en": key}}


def test_the_draft_that_is_taken_asks_the_same_with_the_same_protection() -> None:
    before = five_parts(unprotected("open", yes_no_open("o")))
    document = taken(before, n=100_000)
    part, other = document["blocks"]
    assert other == before["blocks"][-1]
    assert [question["key"] for question in part["questions"]] == [
        f"q{n}{half}" for n in range(5) for half in "ab"
    ]
    assert (part["key"], part["questions_per_person"], len(part["booklets"])) == ("part-0", 3, 30)
    assert part["title"] == {"en": "part-0 · part-1 · part-2 · part-3 · part-4"}
    was, now = definition_parse(before).design, definition_parse(document).design
    assert budget(now).epsilon <= budget(was).epsilon
    # The next truth probability would tell more.
    part["truth_probability"] += 2
    assert budget(definition_parse(document).design).epsilon > budget(was).epsilon


def test_help_skips_and_answers_that_exclude_each_other_come_along() -> None:
    before = five_parts(refusal=2000, exclusive=[])
    before["blocks"][1]["help"] = {"en": "Take your time."}
    before["blocks"][2]["exclusive"] = [["q2a", "q2b"]]
    before["blocks"][3]["questions"][0]["unrelated"] = [4000]
    part = taken(before, largest=3)["blocks"][0]
    assert part["help"] == {"en": "Take your time."}
    assert part["exclusive"] == [["q2a", "q2b"]]
    # As likely as one of the 2^j patterns.
    assert part["refusal"] == math.ceil(10_000 / (1 + 2 ** part["questions_per_person"]))
    assert {share for question in part["questions"] for share in question["unrelated"]} == {5000}


def test_parts_of_some_people_stay_as_they_are() -> None:
    routed = protected("routed", yes_no("r"), asked_if={"question": "o", "options": ["yes"]})
    document = five_parts()
    document["blocks"] = [unprotected("open", yes_no_open("o")), *document["blocks"], routed]
    assert [block["key"] for block in taken(document)["blocks"]] == ["open", "part-0", "routed"]


def choice(key: str) -> dict[str, Any]:
    options = [{"key": name, "text": {"en": name}} for name in ("never", "once", "often")]
    return {
        "key": key, "kind": "single", "text": {"en": key}, "options": options,
        "unrelated": [5000, 3000, 2000], "prevalence": [8000, 1500, 500],
    }  # fmt: skip


def test_parts_of_several_kinds_are_joined_and_drawn_evenly() -> None:
    before = five_parts(
        protected("how", choice("cut"), p=3000, refusal=2500),
        protected(
            "ticks", several("which", "a", "b", unrelated=[4000, 6000], prevalence=[1000, 500]), p=2000
        ),
    )
    assert said(before, n=100_000).saves
    part = taken(before, n=100_000)["blocks"][0]
    assert [question["kind"] for question in part["questions"]] == ["yes_no"] * 10 + ["single", "multi"]
    drawn = {question["key"]: question["unrelated"] for question in part["questions"]}
    assert (drawn["cut"], drawn["which"], drawn["q0a"]) == ([3334, 3333, 3333], [5000, 5000], [5000])
    # A skip as likely as one pattern of those answers that have most of them: 4 ticks, 3 options, two each.
    most = math.prod([4, 3, *[2] * (part["questions_per_person"] - 2)])
    assert part["refusal"] == math.ceil(10_000 / (1 + most))
    design = definition_parse(taken(before, n=100_000)).design
    was = budget(definition_parse(before).design).epsilon
    assert was > 5
    assert 2.99 < budget(design).epsilon <= CEILINGS.block.warn


def test_a_light_strength_that_is_not_kept_is_said_and_parts_of_some_people_are_named() -> None:
    policy = {"policy": "choice", "light": True}
    lit = five_parts(light=3000) | {"group": policy}
    assert said(lit).other_side[-1].startswith("A light strength that a part states is not kept")
    assert "light" not in taken(lit)["blocks"][0]
    unlit = five_parts() | {"group": policy}
    assert not any("light strength" in side for side in said(unlit).other_side)
    routed = protected("routed", yes_no("r"), asked_if={"question": "o", "options": ["yes"]})
    document = five_parts()
    document["blocks"] = [unprotected("open", yes_no_open("o")), *document["blocks"], routed]
    assert "Parts that some people only are asked stay as they are: routed." in said(document).other_side


def test_no_more_is_proposed_than_the_site_recommends_and_the_odds_allow() -> None:
    loud = document_of(protected("a", *(yes_no(f"q{n}") for n in range(10)), p=2000))
    assert budget(definition_parse(loud).design).epsilon > 5
    assert said(loud).sentences[-1].startswith("No design with ε 3 needs fewer than")
    assert budget(definition_parse(taken(loud)).design).epsilon <= CEILINGS.block.warn
    kept = definition_parse(taken(five_parts(), most_odds=3)).design.blocks[0]
    assert kept.factor_in(direct=False) <= Fraction(1, 2)


def test_a_draft_that_tells_too_much_may_be_more_precise_than_what_is_recommended() -> None:
    loud = document_of(protected("a", *(yes_no(f"q{n}") for n in range(8)), p=9000))
    found = said(loud)
    assert not found.saves
    assert found.sentences[0].startswith("Within the ceiling of ε 3 nothing is as precise as this design")


def test_what_several_parts_cost_in_all_goes_by_their_rarest_decoys() -> None:
    parts = [AskedPart(questions=2, truth=0.5, unrelated=0.2)] * 2
    (said_of_it,) = fewer_people(better_design(parts, 6.5, n=1000), parts=parts).other_side[-1:]
    # 1 + 1/.04 in each of two parts, 1 + 1/.0016 in one.
    assert math.log(26) * 2 == pytest.approx(6.52, abs=0.005)
    assert math.log(626) == pytest.approx(6.44, abs=0.005)
    assert "6.52 in 2 parts, 6.44 in one" in said_of_it


def test_a_draft_that_rotates_already_is_compared_as_it_is() -> None:
    document = taken(five_parts(), n=100_000)
    assert not said(document, n=100_000).saves


@pytest.mark.soak
@pytest.mark.django_db
def test_the_button_takes_the_design_that_was_shown_once(admin_client: Client) -> None:
    document = five_parts() | {"slug": "five"}
    draft_create(document, slug="five", source="scratch", by="ana", now=timezone.now())
    page = admin_client.get("/en/staff/surveys/five/planner/", {"n": "100000"}).content.decode()
    assert "The same precision with 19,513 people instead of 100,000" in page
    fields = dict(re.findall(r'<input type="hidden" name="(revision|n|items|odds)" value="([^"]*)"', page))
    assert fields == {"revision": "1", "n": "100000", "items": "2", "odds": ""}
    answer = admin_client.post("/en/staff/surveys/five/planner/take", fields, follow=True)
    assert "Each person is asked some of the questions now." in answer.content.decode()
    survey = Survey.objects.get(slug="five")
    assert survey.definition["blocks"][0]["questions_per_person"] == 3
    again = admin_client.post("/en/staff/surveys/five/planner/take", fields, follow=True)
    assert "There is nothing to take" in again.content.decode()
    assert Survey.objects.get(slug="five").revision == survey.revision


@pytest.mark.django_db
def test_a_draft_that_somebody_else_saved_meanwhile_is_not_overwritten(admin_client: Client) -> None:
    draft_create(five_parts() | {"slug": "five"}, slug="five", source="scratch", by="ana", now=timezone.now())
    fields = {"revision": "0", "n": "6366", "items": "2", "odds": ""}
    admin_client.post("/en/staff/surveys/five/planner/take", fields)
    assert "questions_per_person" not in Survey.objects.get(slug="five").definition["blocks"][0]


@pytest.mark.django_db
def test_the_planner_says_the_same_of_what_is_only_planned(admin_client: Client) -> None:
    address = "/en/staff/planner/figures"
    plan = {"p": "17.05", "theta": "50", "blocks": "2, 2, 2, 2, 2", "n": "6366"}
    page = admin_client.get(address, plan).content.decode()
    gain = 0.1705 / 0.8295
    found = better_design([AskedPart(questions=2, truth=0.1705)] * 5, 5 * math.log1p(4 * gain), n=6366)
    assert f"with {found.people:,} people instead of 6,366" in page
    assert f"fewer than {found.least_people} people" in page
    assert admin_client.get(address, plan | {"odds": "1"}).status_code == 422
    assert admin_client.get(address, plan | {"items": "4"}).status_code == 422
    assert "saves nothing here" in admin_client.get(address, {"p": "70", "blocks": "3"}).content.decode()


@pytest.mark.django_db
def test_what_is_only_planned_gets_no_proposal_beyond_the_ceiling(admin_client: Client) -> None:
    """Five parts of two at a total epsilon of 3, and a part may have 2 or hardly anything."""
    plan = {"p": "17.05", "theta": "50", "blocks": "2, 2, 2, 2, 2", "n": "6366"}
    parts = [AskedPart(questions=2, truth=0.1705)] * 5
    found = better_design(parts, 5 * math.log1p(4 * 0.1705 / 0.8295), n=6366, most_epsilon=2)
    assert found.rotating_epsilon <= 2
    address = "/en/staff/planner/figures"
    page = admin_client.get(address, plan | {"ceiling": "2"}).content.decode()
    assert f"with {found.people:,} people instead of 6,366" in page
    assert "No design with ε 2 needs fewer than" in page
    page = admin_client.get(address, plan | {"ceiling": "0.1"}).content.decode()
    assert "Within the ceiling of ε 0.1 nothing is as precise as this design" in page
    assert "No design with ε 0.1 needs fewer than" in page
    assert "The same precision with" not in page
