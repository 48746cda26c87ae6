"""What is to be thought over where each person is asked some questions only."""

import itertools
from dataclasses import replace

import pytest

from privacy.risk.budget import block_budget, budget
from privacy.survey import Block, Condition, Design, GroupPolicy, Rotation
from privacy.survey.booklets import Booklet
from surveys.authoring.problem_places import place_of
from surveys.questionnaire.checks import Level, check_definition
from surveys.questionnaire.checks.ceilings import (
    asking_fewer,
    check_ceilings,
    fewest_left_out,
    largest_common_truth_probability,
    most_questions,
    most_together,
    with_questions,
)
from surveys.questionnaire.checks.content import check_content
from surveys.questionnaire.checks.drawn import check_drawn
from surveys.questionnaire.checks.finding import Finding
from surveys.questionnaire.checks.rotating import check_rotating
from surveys.questionnaire.definition import Definition, definition_parse
from surveys.questionnaire.recommended import margin_of, recommended
from tests.cast.checked_surveys import CEILINGS, protected, survey_of, unprotected, yes_no
from tests.cast.rotating_drafts import rotating_document
from tests.vectors.designs import opened, shielded
from tests.vectors.designs import yes_no as question

P = 5439  # e^3 with four questions: p / (1 - p) = (e^3 - 1) / 16


def part(
    total: int,
    asked: int | None,
    *,
    key: str = "b",
    p: int = P,
    theta: int = 5000,
    booklets: tuple[Booklet, ...] | None = None,
    asked_if: Condition | None = None,
) -> Block:
    block = shielded(key, p, *(question(f"{key}{n}", theta) for n in range(total)), asked_if=asked_if)
    return replace(block, questions_per_person=asked, booklets=booklets)


def design_of(*blocks: Block, rotations: tuple[Rotation, ...] = ()) -> Design:
    return Design(blocks=blocks, group=GroupPolicy(), use="live", rotations=rotations)


def found_in(*blocks: Block, rotations: tuple[Rotation, ...] = ()) -> dict[str, Finding]:
    findings = list(check_rotating(design_of(*blocks, rotations=rotations), {"b": "Lying"}))
    assert all(one.level is Level.WARN for one in findings)
    return {one.code: one for one in findings}


def test_a_design_that_asks_everybody_the_same_is_told_nothing_of_it() -> None:
    assert found_in(part(10, None)) == {}


def test_four_of_ten_questions_in_a_balanced_list_are_told_nothing() -> None:
    # Any two of ten in two of fifteen sets: of 1,000 people 133 are asked both.
    assert {one.code for one in found_in(part(10, 4)).values()} == set()


def test_sets_that_nobody_shares_are_told_with_how_many_pass() -> None:
    found = found_in(part(20, 5))["own_combination"]
    assert "of 1000 people about 938 would have" in found.message
    assert "up to 434 combinations" in found.remedy
    opened_too = found_in(opened("you", *(question(f"o{n}") for n in range(6))), part(10, 4))
    assert "of 1000 people about 928" in opened_too["own_combination"].message


def test_decoys_of_a_rotating_part_that_are_not_even_cost_epsilon() -> None:
    found = found_in(part(10, 4, theta=3000))["rotating_decoys"]
    assert "“Lying”" in found.message
    assert "up to ε 5.00, and else ε 3.00" in found.message
    assert "rotating_decoys" not in found_in(part(10, 4))


@pytest.mark.parametrize(
    ("total", "asked", "warned"), [(3, 2, True), (3, 1, True), (6, 3, False), (10, 4, False)]
)
def test_where_asking_everybody_all_is_as_exact_it_says_so(total: int, asked: int, warned: bool) -> None:
    """At epsilon 3 or a little above."""
    gamma_less_one = 20.0
    odds = gamma_less_one / 2**asked
    found = found_in(part(total, asked, p=round(10_000 * odds / (1 + odds))))
    assert ("rotating_no_gain" in found) is warned


def test_at_a_small_epsilon_two_of_three_questions_are_a_gain() -> None:
    # e^eps = 5: 3/2 instead of 9/4.
    assert "rotating_no_gain" not in found_in(part(3, 2, p=5000))


def test_sets_that_ask_some_questions_more_often_are_named() -> None:
    found = found_in(part(4, 2, booklets=((0, 1), (0, 2), (0, 3))))
    assert "b1 stands in 1 of 3, b0 in 3" in found["booklets_unbalanced"].message
    assert "3 of the 6 pairs" in found["never_together"].message
    assert "few_together" not in found


def test_itemsets_that_nobody_is_asked_are_named_the_shortest_first() -> None:
    assert "45 of the 45 pairs" in found_in(part(10, 1, p=9000))["never_together"].message
    pairs = found_in(part(4, 2))
    assert "4 of the 4 sets of three" in pairs["never_together"].message
    assert "never_together" not in found_in(part(6, 3))


def test_pairs_that_few_are_asked_are_told_with_how_many_people_are_needed() -> None:
    # 5 of 20: 20/380 of the people, 53 of 1,000; 100 of 1,900.
    found = found_in(part(20, 5, booklets=None))["few_together"]
    assert "of 1000 people only about 53" in found.message
    assert "1900 people" in found.remedy
    turns = (Rotation(blocks=("b", "c"), parts_per_person=1),)
    halved = found_in(part(10, 4), part(2, None, key="c"), rotations=turns)["few_together"]
    assert "only about 67" in halved.message


def test_parts_that_take_turns_and_are_not_asked_of_all_are_named() -> None:
    adults = Condition(question="adult", options=("yes",))
    blocks = (opened("you", question("adult")), part(4, 2), part(2, None, key="c", asked_if=adults))
    found = found_in(*blocks, rotations=(Rotation(blocks=("b", "c"), parts_per_person=1),))
    assert "“c” are asked of some people only" in found["rotation_routed"].message


def test_remedies_of_a_rotating_part_ask_each_person_fewer_questions_and_pass() -> None:
    block = part(10, 6, p=7000)
    assert most_questions(block, 6.0) == 6
    count = most_questions(block, 4.0)
    assert block_budget(asking_fewer(block, count)).epsilon <= 4.0
    assert block_budget(asking_fewer(block, count + 1)).epsilon > 4.0
    fewer = with_questions(block, block.questions[:4])
    assert (fewer.questions_per_person, len(fewer.questions)) == (None, 4)
    (finding, *_) = check_ceilings([("blocks[0]", replace(block, truth_probability=9900))], CEILINGS)
    assert "ask each person at most" in finding.remedy
    assert "of its questions, such as" not in finding.remedy


def test_of_a_rotation_the_parts_that_one_person_can_be_asked_are_summed() -> None:
    blocks = [part(1, None, key=key, p=p) for key, p in (("a", 5000), ("b", 8000), ("c", 9000), ("d", 2000))]
    rotations = (Rotation(blocks=("a", "b", "c"), parts_per_person=2),)
    design, placed = design_of(*blocks, rotations=rotations), [(block.key, block) for block in blocks]
    epsilons = {block.key: block_budget(block).epsilon for block in blocks}
    total = epsilons["b"] + epsilons["c"] + epsilons["d"]
    assert most_together(placed, rotations) == pytest.approx(total) == pytest.approx(budget(design).epsilon)
    found = {one.code: one for one in check_ceilings(placed, CEILINGS, rotations=rotations)}
    assert (
        "that one person can be asked together (“b” 2.20, “c” 2.94, “d” 0.41)"
        in found["survey_epsilon"].message
    )
    share = largest_common_truth_probability(placed, 3.0, rotations)
    capped = [
        (key, replace(block, truth_probability=min(share, block.truth_probability))) for key, block in placed
    ]
    assert most_together(capped, rotations) <= 3.0
    more = [
        (key, replace(block, truth_probability=min(share + 1, block.truth_probability)))
        for key, block in placed
    ]
    assert most_together(more, rotations) > 3.0
    out = fewest_left_out(placed, 3.0, rotations)
    assert most_together([one for one in placed if one[1] not in out], rotations) <= 3.0


def turned(**more: object) -> Definition:
    """A definition of ten questions of which each person is asked four."""
    asked_of = [yes_no(f"q{n}", prevalence=1000, **more) for n in range(10)]
    return survey_of(protected("b", *asked_of, p=P, questions_per_person=4))


def test_the_other_checks_look_at_what_one_person_is_asked() -> None:
    definition = turned(known=True)
    codes = [one.code for one in check_definition(definition, ceilings=CEILINGS)]
    assert codes == ["known_fact"] * 10
    known = next(iter(check_content(definition.document, definition.design)))
    # p / (p + (1 - p) / 2); the other nine questions, four a person, cost what four of ten do.
    assert "in up to 70 of 100 cases" in known.message
    assert "tells up to ε 3.00" in known.remedy
    far = list(check_drawn([("b", part(10, 4, p=8000))], {f"b{n}": [500] for n in range(10)}, CEILINGS.block))
    assert "ask each person at most" in far[0].remedy


def test_a_recommended_margin_counts_those_who_are_asked() -> None:
    definition = turned()
    whole = survey_of(protected("b", *(yes_no(f"q{n}", prevalence=1000) for n in range(10)), p=P))
    asked = margin_of(definition, definition.design.blocks[0])
    assert asked == pytest.approx(margin_of(whole, whole.design.blocks[0]) / 0.4**0.5)


def test_what_is_recommended_counts_the_parts_of_a_rotation_that_tell_most() -> None:
    definition = definition_parse(rotating_document())
    # ε 3.00 of the ten, and of three short parts two with ε .69 each.
    assert round(budget(definition.design).epsilon, 2) == 4.39
    (survey,) = [
        one for one in check_definition(definition, ceilings=CEILINGS) if one.code == "survey_epsilon"
    ]
    assert "(“ten” 3.00, “home” 0.69, “work” 0.69) tell up to ε 4.39" in survey.message
    found = recommended(definition, ceilings=CEILINGS)
    assert found is not None
    assert 2.9 < budget(found.design).epsilon <= 3
    assert [block.key for block in found.design.blocks if block not in definition.design.blocks] == ["ten"]


def test_findings_have_a_place_in_the_builders_words() -> None:
    document = rotating_document()
    document["blocks"].insert(
        0, unprotected("you", {"key": "city", "kind": "yes_no", "text": {"en": "City?"}})
    )
    document["blocks"][2]["asked_if"] = {"question": "city", "options": ["yes"]}
    found = {one.code: one.path for one in check_definition(definition_parse(document), ceilings=CEILINGS)}
    assert found["rotation_routed"] == "rotations[0]"
    assert place_of(found["rotation_routed"], document)


def test_balanced_pairs_need_no_more_sets_than_pass() -> None:
    """Planes of seven points: any two questions in one of seven sets, three asked of each person."""
    lines = tuple(sorted(tuple(sorted((start + step) % 7 for step in (0, 1, 3))) for start in range(7)))
    found = found_in(part(7, 3, booklets=lines))
    assert {"own_combination", "booklets_unbalanced", "few_together"}.isdisjoint(found)
    assert "28 of the 35 sets of three" in found["never_together"].message
    assert set(itertools.chain.from_iterable(lines)) == set(range(7))
