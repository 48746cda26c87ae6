import json
import math
import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings

from mining.columns.bitmatrix import BitMatrix
from mining.columns.row_patterns import observe
from privacy.channels import retention_gamma
from privacy.library import designs
from privacy.library.designs import ResponseDesign, grouping
from privacy.posterior import posterior_bound
from privacy.risk import audit_design, audit_from_json, audit_rows, risk
from privacy.risk.amplification import promise
from privacy.risk.budget import block_budget, budget, question_odds
from privacy.risk.design_audit import _ratio, block_audit, heaviest_booklet, item_audits, light_audit
from privacy.risk.impossible_decoys import exclusive_decoys
from privacy.risk.prevalences import Prevalence
from privacy.risk.prior import independent
from privacy.risk.reidentification import CERTAINTY_LEVELS
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import square_wave
from privacy.survey.answer_probabilities import unrelated_probability
from privacy.survey.block import BlockAnswers
from privacy.survey.block_channel import block_channel, block_rows
from privacy.survey.booklets import Booklet
from privacy.survey.design import Block, Condition, Design, GroupPolicy, Question
from privacy.survey.layout import Layout
from privacy.survey.rotation import Rotation
from tests.fixtures.blocks import blocks, even, items_of, stated, written_out
from tests.fixtures.posteriors import answered_prior, prior_probability, row_odds, worst_row_odds
from tests.fixtures.refusals import refused
from tests.fixtures.sent_distribution import Truth, largest_ratio, sent_distribution, truths, whole
from tests.vectors.designs import CHOICE, assigned, choice, live, opened, shielded, study, yes_no
from tests.vectors.rotation_designs import rotating
from tests.vectors.scale_designs import NUMBERS, PLACES, SKIPS, TILES_OF_ANY_SIZE, may_skip
from tests.vectors.strength_designs import lightly

Made = tuple[Block, dict[str, list[int]]]

DEMO = live(
    opened("you", choice("age", options=4), choice("children", options=3)),
    shielded("marriage", 6000, yes_no("affair", 5000), yes_no("unhappy", 5000)),
    shielded("faith", 4500, yes_no("not_religious", 5000)),
    group=CHOICE,
)
DEMO_STATED = {"affair": [3000], "unhappy": [2000], "not_religious": [5000]}


def test_the_demonstration_audit_has_its_known_values() -> None:
    found = audit_design(DEMO, DEMO_STATED, n=6366)
    assert round(found.epsilon, 3) == 2.915
    assert [block.amplification for block in found.blocks] == [7, pytest.approx(29 / 11)]
    assert max(block.known for block in found.blocks) == float(Fraction(6, 7))
    assert max(block.unmixing.highest for block in found.blocks) <= 0.857
    assert (found.open.combinations, found.group.has_direct) == (12, True)


@settings(max_examples=40, deadline=None)
@given(blocks())
def test_audit_bounds_match_the_budget_and_hold_for_every_row(made: Made) -> None:
    block, prevalence = made
    audit = audit_design(live(block), prevalence)
    (found,) = audit.blocks
    gamma = block_budget(block).amplification
    assert gamma is not None
    assert found.amplification == pytest.approx(float(gamma))
    for rho1, rho2 in audit.rho2:
        assert rho2 == pytest.approx(float(posterior_bound(gamma, Fraction(rho1))))
    for row in block_rows(block):
        of_row = retention_gamma(block.truth, unrelated_probability(block, row))
        assert of_row is not None
        assert of_row <= gamma


@settings(max_examples=40, deadline=None)
@given(blocks())
def test_item_audits_find_the_highest_posterior_over_all_rows(made: Made) -> None:
    block, prevalence = made
    rows, prior, _ = written_out(block, prevalence)
    channel, refusal = block_channel(block).as_array(), (block.refusal or 0) / 10_000
    for skips in {0.0, refusal / 2, refusal}:
        # Each person has answers, whether or not she skips; her device sees the answers or a skip.
        reports = (1 - skips) * channel + skips * channel[:, -1:]
        for item in item_audits(independent(block, prevalence)):
            has = np.array([item.key in items_of(block, row) for row in rows])
            joint, sent = reports[:, has] @ prior[has], reports @ prior
            worst, alone = (joint[sent > 0] / sent[sent > 0]).max(), joint[has].sum() / sent[has].sum()
            assert min(item.worst - worst, item.alone - alone) >= -1e-9
            if not skips:
                assert [item.worst, item.alone] == pytest.approx([worst, alone], abs=1e-9)


def test_epsilon_adds_up_over_waves_and_other_designs() -> None:
    found = audit_design(DEMO, DEMO_STATED, waves=3, other_waves=(1.5,))
    assert found.waves == 4
    assert found.epsilon_of_waves == pytest.approx(3 * budget(DEMO).epsilon + 1.5)


def test_group_audits_report_direct_shares() -> None:
    block = even(5000, 1)
    shares = stated(block, 2000)
    everybody = audit_design(live(block), shares).group
    drawn = audit_design(live(block, group=assigned(2700)), shares, n=100).group
    chosen = audit_design(live(block, group=CHOICE), shares).group
    assert (everybody.has_direct, everybody.direct_share) == (False, 0)
    assert (drawn.has_direct, drawn.direct_share) == (True, 0.27)
    assert (chosen.has_direct, chosen.direct_share) == (True, None)


def test_audits_handle_unprotected_surveys_and_surveys_without_true_answers() -> None:
    naked = audit_design(live(opened("you", yes_no("a"))), {}, n=3)
    assert naked.blocks == ()
    assert naked.open.expected_unique == pytest.approx(3 / 4)
    silent = audit_design(study(even(0, 2)), stated(even(0, 2), 2000))
    assert silent.epsilon == 0


def test_a_study_without_decoys_is_unbounded_and_can_be_stored() -> None:
    block = even(10_000, 2)
    found = audit_design(study(block), stated(block, 2000))
    assert found.epsilon == math.inf
    document = json.loads(json.dumps(found.to_json()))
    assert document["epsilon"] is None
    assert audit_from_json(document).epsilon == math.inf
    assert dict(audit_from_json(document).rho2)[0.5] == 1


@settings(max_examples=25, deadline=None)
@given(blocks())
def test_audits_survive_a_json_round_trip(made: Made) -> None:
    block, prevalence = made
    found = audit_design(live(block, opened("you", yes_no("z")), group=CHOICE), prevalence, n=50)
    again = audit_from_json(json.loads(json.dumps(found.to_json())))
    assert again.to_json() == found.to_json()


@pytest.mark.parametrize("document", [None, {}, [], {"design_id": 3}, "audit"])
def test_invalid_stored_audits_are_rejected(document: object) -> None:
    with refused("stored_audit"):
        audit_from_json(document)


def test_malformed_stored_audits_are_rejected() -> None:
    document = audit_design(DEMO, DEMO_STATED).to_json()
    for path, value in (("when", "later"), ("blocks", 3), ("rho2", [[1]]), ("design_id", None)):
        with refused("stored_audit"):
            audit_from_json(document | {path: value})
    for path in document:
        with refused("stored_audit"):
            audit_from_json({other: value for other, value in document.items() if other != path})


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"n": 0}, "n"),
        ({"waves": 0}, "waves"),
        ({"waves": 1001}, "waves"),
        ({"other_waves": (-1.0,)}, "epsilon"),
    ],
)
def test_invalid_audit_arguments_are_rejected(arguments: dict[str, object], code: str) -> None:
    with refused(code):
        audit_design(DEMO, DEMO_STATED, **arguments)  # type: ignore[arg-type]  # wrong on purpose


def test_audits_handle_sixty_questions_and_gammas_beyond_float_range() -> None:
    block = even(5000, 60)
    found = audit_design(live(block), stated(block, 2000)).blocks[0]
    assert found.amplification == 2.0**60 + 1
    assert found.unmixing.truthful[-1] > 0.97
    rare = shielded("c", 5000, *(choice(f"d{place}", *([1] * 100), multi=True) for place in range(2)))
    long = audit_design(live(rare), {f"d{place}": [100] * 100 for place in range(2)}).blocks[0]
    assert long.epsilon == pytest.approx(200 * math.log(10_000))
    assert long.amplification == pytest.approx(1.7976931348623157e308)


def test_the_worked_example_in_the_docs_is_correct() -> None:
    block = even(6000, 2)
    audit = audit_design(live(block), stated(block, 2000))
    (found,) = audit.blocks
    assert found.amplification == 7
    assert round(dict(audit.rho2)[0.1], 3) == 0.438
    assert round(found.unmixing.highest, 3) == 0.793
    assert found.unmixing.truthful == pytest.approx((0.64, 0, 0))
    assert round(found.known, 3) == 0.857
    item = item_audits(independent(block, stated(block, 2000)))[0]
    assert (round(item.alone, 3), round(item.worst, 3)) == (0.5, 0.592)


def test_impossible_combinations_are_reported_with_what_they_reveal() -> None:
    found = audit_design(DEMO, DEMO_STATED, exclusive=[["affair", "unhappy"]])
    assert [(decoys.block, decoys.share) for decoys in found.impossible] == [("marriage", Fraction(1, 4))]
    assert audit_from_json(json.loads(json.dumps(found.to_json()))).impossible[0].share == Fraction(1, 4)


def test_exclusive_answers_must_belong_to_one_block() -> None:
    two = live(shielded("one", 5000, yes_no("a", 5000)), shielded("two", 5000, yes_no("b", 5000)))
    with refused("blocks", "one"):
        audit_design(two, {"a": [100], "b": [100]}, exclusive=[["a", "b"]])


HALF = Fraction(1, 2)


def known_to_all(block: Block) -> float:
    """Return the posterior that a row is true if it shows answers known beforehand."""
    prevalence = {question.key: question.even_shares for question in block.questions}
    return block_audit(independent(block, prevalence)).known


@pytest.mark.parametrize(("count", "sure"), [(3, 0.89), (5, 0.97)])
def test_matching_known_answers_are_almost_surely_true(count: int, sure: float) -> None:
    assert round(known_to_all(even(5000, count)), 2) == sure


def test_known_answers_use_the_rarest_decoy_and_skips_make_it_rarer() -> None:
    block = shielded("b", 5000, yes_no("a", 4000), choice("mood", 500, 4500, 5000), yes_no("c", 9000))
    rarest = Fraction(1, 20) * Fraction(1, 10) * Fraction(4, 10)
    assert known_to_all(block) == float(HALF / (HALF + HALF * rarest))
    assert known_to_all(even(5000, 2, refusal=2000)) == float(HALF / (HALF + HALF * Fraction(8, 10) / 4))


LISTED = ((0, 1, 3), (0, 2, 4), (1, 2, 3), (2, 3, 4))


def asking(size: int | None, booklets: tuple[Booklet, ...] | None = None) -> Block:
    return Block(
        key="b",
        protected=True,
        truth_probability=5000,
        questions=tuple(yes_no(f"q{number}", 5000) for number in range(5)),
        questions_per_person=size,
        booklets=booklets,
    )


@pytest.mark.parametrize("block", [asking(3), asking(1), asking(4), asking(3, LISTED), asking(None)])
@pytest.mark.parametrize("holding", [None, 0, 2, 4])
def test_the_heaviest_booklet_has_the_maximum_weight(block: Block, holding: int | None) -> None:
    rng = random.Random(7)
    for _ in range(50):
        weights = [rng.uniform(-1, 3) for _question in block.questions]
        found = heaviest_booklet(block, weights, holding=holding)
        assert block.booklet_number(found) is not None
        assert holding is None or holding in found
        offered = [block.booklet(number) for number in range(block.n_booklets)]
        assert sum(weights[place] for place in found) == max(
            sum(weights[place] for place in booklet)
            for booklet in offered
            if holding is None or holding in booklet
        )


AGE = Block(
    key="age",
    protected=True,
    truth_probability=0,
    questions=(
        Question(
            key="years",
            kind="number",
            options=(),
            unrelated=(),
            disguise=square_wave(NumberRange(low=0, high=9), 1.5),
        ),
    ),
)


def test_number_questions_have_own_bounds_and_count_in_the_total() -> None:
    block = even(5000, 2)
    found = audit_design(live(AGE, block), stated(block, 2000))
    (scale,) = found.lone
    assert (scale.key, scale.question, scale.apart) == ("age", "years", False)
    assert scale.epsilon == block_budget(AGE).epsilon
    assert found.epsilon == pytest.approx(scale.epsilon + found.blocks[0].epsilon)


def test_skips_leave_the_bounds_unchanged_and_are_reported() -> None:
    block = may_skip(AGE)
    assert block_budget(block) == block_budget(AGE)
    found = audit_design(live(block), {})
    (scale,) = found.lone
    assert scale.lost == float(block.skipping.skip_probability) > 0
    (apart,) = audit_design(SKIPS["utility-optimised"], {}).lone
    assert apart.apart
    assert apart.lost is not None


@pytest.mark.slow
@pytest.mark.parametrize(
    "design", [*NUMBERS.values(), *PLACES.values(), *SKIPS.values(), *TILES_OF_ANY_SIZE.values()]
)
def test_numbers_and_places_are_audited_by_design_and_data_and_stored(design: Design) -> None:
    shares = {
        question.key: [10_000 // question.n_items] * (question.n_items - 1)
        + [10_000 - (question.n_items - 1) * (10_000 // question.n_items)]
        if question.kind == "single"
        else [5000] * question.n_items
        for block in design.blocks
        if block.protected and not block.is_scale
        for question in block.questions
    }
    before = audit_design(design, shares, n=10)
    assert before.epsilon == budget(design).epsilon
    assert [part.key for part in before.lone] == [
        block.key for block in design.blocks if block.protected and block.is_scale
    ]
    after = audit_rows(design, shares, observe(BitMatrix.from_rows(design, b"")))
    for audit in (before, after):
        assert audit_from_json(json.loads(json.dumps(audit.to_json()))).to_json() == audit.to_json()


@pytest.mark.parametrize(
    ("law", "blocks"),
    [
        (designs.grouping(p=0.5, theta=0.5), [even(5000, 3)]),
        (
            designs.unrelated_question(p=0.5, theta=0.5),
            [shielded(key, 5000, yes_no(key, 5000)) for key in "abc"],
        ),
    ],
    ids=["one coin", "three coins"],
)
def test_risk_bounds_match_the_survey_audit(law: ResponseDesign, blocks: list[Block]) -> None:
    design = Design(blocks=tuple(blocks), group=GroupPolicy(), use="live")
    audit = audit_design(design, {question.key: [2000] for question in design.questions})
    found = risk(law, questions=3)
    assert found.epsilon == pytest.approx(audit.epsilon, abs=1e-12)
    for one, other in zip(found.rho2, audit.rho2, strict=True):
        assert one == pytest.approx(other, abs=1e-12)


def test_posteriors_of_yes_and_no_follow_bayes_rule() -> None:
    found = risk(designs.warner(p=0.7), prevalence=0.2)
    by_report = {one.report: one for one in found.posteriors}
    assert by_report["yes"].alone == Fraction(2 * 7, 2 * 7 + 8 * 3)
    assert by_report["no"].alone == Fraction(2 * 3, 2 * 3 + 8 * 7)
    assert all(one.most == one.alone for one in found.posteriors)


def test_answers_sharing_a_coin_raise_the_posterior_of_a_yes() -> None:
    """p = theta = 1/2, share 1/2: all three yes from .5 + .5/8 of people with all, .5/8 of others."""
    (no, yes) = risk(designs.grouping(p=0.5, theta=0.5), questions=3, prevalence=0.5).posteriors
    assert yes.alone == Fraction(3, 4)
    assert yes.most == (9 + 3 * 1) / Fraction(9 + 7 * 1)
    assert no.most == Fraction(1, 4)


def test_separate_coins_leave_the_posterior_of_a_yes_unchanged() -> None:
    (_, yes) = risk(designs.unrelated_question(p=0.5, theta=0.5), questions=3, prevalence=0.5).posteriors
    assert yes.alone == yes.most == Fraction(3, 4)


def test_reports_that_prove_the_answer_have_infinite_epsilon() -> None:
    found = risk(designs.mangat(p=0.7))
    assert found.amplification is None
    assert math.isinf(found.epsilon)
    assert found.rho2[0][1] == 1.0
    assert "∞" in found.summary()


def test_repr_and_summary_describe_the_risk() -> None:
    found = risk(designs.unrelated_question(p=0.5, theta=0.5), questions=3, prevalence=0.1)
    assert repr(found) == "<risk of unrelated_question(p=0.5, theta=0.5), 3 questions: epsilon 3.3>"
    assert "from a prior of 1%, 5%, 10%, 20%, 50%: 21.4%, 58.7%, 75%," in found.summary()
    assert "Report 'yes': 'yes' goes from 10% to 25% by itself" in found.summary()
    assert found.to_frame().loc[0.1, "rho2"] == pytest.approx(0.75)


def test_invalid_risk_arguments_are_rejected() -> None:
    with refused("questions", 0):
        risk(designs.warner(p=0.7), questions=0)
    with refused("rho1", 1.0):
        risk(designs.warner(p=0.7), rho1=[1.0])
    with refused("rho1", "'0.1'"):
        risk(designs.warner(p=0.7), rho1="0.1")  # type: ignore[arg-type]
    assert risk(designs.warner(p=0.7), rho1=0.1) == risk(designs.warner(p=0.7), rho1=[0.1])
    with refused("chance", "prevalence"):
        risk(designs.warner(p=0.7), prevalence=2)
    with refused("designs", "generalised_rr"):
        risk(designs.generalised_rr(list("abc"), p=0.7), prevalence=0.1)
    with refused("designs"):
        risk("warner")  # type: ignore[arg-type]


def design_of(
    *blocks: Block, group: GroupPolicy | None = None, rotations: tuple[Rotation, ...] = ()
) -> Design:
    return Design(blocks=blocks, group=group or GroupPolicy(), use="live", rotations=rotations)


THREE = shielded("a", 4000, yes_no("x", 3000), yes_no("y", 5000), yes_no("z", 6500))
SKIPPED_PART = shielded("a", 6000, yes_no("x", 3000), yes_no("y", 5000), yes_no("z", 6500), refusal=700)
MOODS = shielded(
    "a", 5500, choice("mood", 2000, 3000, 5000), yes_no("y", 4000), choice("drugs", 1000, 6000, multi=True)
)
TWO = shielded("a", 4000, yes_no("x", 3000), yes_no("y", 5000))
LAST = shielded("c", 2000, yes_no("v", 2500))
ONE, PAIR = shielded("b", 7000, yes_no("u", 4000)), shielded("c", 2000, yes_no("v", 5000), yes_no("w", 2500))
TURNING = {
    "two of three": design_of(rotating(THREE, 2)),
    "one of three, skipped": design_of(rotating(SKIPPED_PART, 1)),
    "two of three, skipped": design_of(rotating(SKIPPED_PART, 2)),
    "listed booklets": design_of(rotating(THREE, 2, ((0, 1), (1, 2)))),
    "kinds of questions": design_of(rotating(MOODS, 2)),
    "beside a part that all are asked": design_of(rotating(THREE, 2), ONE),
    "one part of two": design_of(ONE, PAIR, rotations=(Rotation(blocks=("b", "c"), parts_per_person=1),)),
    "two parts of three, one of them rotating": design_of(
        rotating(TWO, 1), ONE, LAST, rotations=(Rotation(blocks=("a", "b", "c"), parts_per_person=2),)
    ),
}
TWO_STRENGTHS = design_of(lightly(rotating(SKIPPED_PART, 2), 8000), lightly(ONE, 9000), group=CHOICE)


@cache
def law_of(name: str) -> dict[Truth, dict[bytes, Fraction]]:
    return sent_distribution(TURNING[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", TURNING)
def test_epsilon_and_the_label_equal_the_largest_report_ratio(name: str) -> None:
    design, largest = TURNING[name], largest_ratio(law_of(name))
    odds = promise(design)
    assert odds is not None
    assert odds.everything == largest
    assert budget(design).epsilon == pytest.approx(math.log(largest), rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("direct", [False, True])
def test_each_strength_has_the_largest_report_ratio(direct: bool) -> None:
    mine = TWO_STRENGTHS.in_group(direct=direct)
    assert mine is not None
    odds = promise(mine)
    assert odds is not None
    assert odds.everything == largest_ratio(sent_distribution(TWO_STRENGTHS, direct=direct))
    if direct:
        audit = light_audit(TWO_STRENGTHS, stated_parts(TWO_STRENGTHS))
        assert audit is not None
        assert audit.epsilon == pytest.approx(math.log(odds.everything))


@pytest.mark.parametrize(
    "name", ["two of three", "two of three, skipped", "listed booklets", "kinds of questions"]
)
def test_the_odds_of_one_question_match_its_answer_seen_alone(name: str) -> None:
    design, law, layout = TURNING[name], law_of(name), Layout(TURNING[name])
    largest = Fraction(0)
    for number in range(len(design.questions)):
        shown: dict[tuple[object, ...], dict[Truth, Fraction]] = {}
        for truth, bodies in law.items():
            for body, chance in bodies.items():
                record = layout.unpack(body)
                value = record.answers[0][number]
                if value is not None:
                    of_truth = shown.setdefault((record.drawn, value), {})
                    of_truth[truth] = of_truth.get(truth, Fraction(0)) + chance
        for (_drawn, value), chances in shown.items():
            has = [chances[truth] for truth in chances if truth[0][number] == value and truth[0] != "skipped"]
            others = [
                chances[truth] for truth in chances if truth[0][number] != value or truth[0] == "skipped"
            ]
            largest = max(largest, max(has) / min(others))
    assert question_odds(design.blocks[0]) == largest


def stated_parts(design: Design) -> dict[str, list[int]]:
    """Return prevalences that all differ."""
    found, share = {}, 700
    for question in design.questions:
        shares = [share + 900 * place for place in range(question.n_items)]
        if question.kind == "single":
            shares[-1] = 10_000 - sum(shares[:-1])
        found[question.key] = shares
        share += 1700
    return found


def asked_of(row: BlockAnswers, booklet: Booklet) -> BlockAnswers:
    return row if isinstance(row, str) else tuple(row[position] for position in booklet)


def posteriors(
    name: str, prior_of: Callable[[Block, Prevalence, BlockAnswers], Fraction]
) -> tuple[dict[Truth, Fraction], list[tuple[bytes, Booklet, BlockAnswers, Fraction]]]:
    """Return the prior of each truth, and for each body its questions, answers and probabilities."""
    design, law, layout = TURNING[name], law_of(name), Layout(TURNING[name])
    prior = {
        truth: prior_of(whole(design.blocks[0]), stated_parts(design), truth[0]) for truth in truths(design)
    }
    assert sum(prior.values()) == 1
    bodies: dict[bytes, Fraction] = {}
    for truth, chances in law.items():
        for body, chance in chances.items():
            bodies[body] = bodies.get(body, Fraction(0)) + prior[truth] * chance
    found = []
    for body, chance in bodies.items():
        record = layout.unpack(body)
        assert record.drawn is not None
        booklet = record.drawn[0]
        values = tuple(value for value in record.answers[0] if value is not None)
        found.append((body, booklet, "skipped" if record.refused[0] else values, chance))
    return prior, found


ONE_PART = [
    "two of three",
    "one of three, skipped",
    "two of three, skipped",
    "listed booklets",
    "kinds of questions",
]


@pytest.mark.parametrize("name", ONE_PART)
def test_row_odds_follow_bayes_rule_for_the_questions_asked(name: str) -> None:
    design, law = TURNING[name], law_of(name)
    prior, bodies = posteriors(name, prior_probability)
    evens = []
    for body, booklet, row, chance in bodies:
        right = sum(
            prior[truth] * chances.get(body, Fraction(0))
            for truth, chances in law.items()
            if asked_of(truth[0], booklet) == row
        )
        odds = row_odds(design, stated_parts(design), 0, row, booklet=booklet)
        assert odds.posterior == pytest.approx(float(right / chance), abs=1e-14)
        evens.append(odds.even)
    assert worst_row_odds(design, stated_parts(design), 0).even == max(evens)


@pytest.mark.parametrize("name", ONE_PART)
def test_recognised_shares_and_worst_posteriors_cover_all_booklets(name: str) -> None:
    design, law = TURNING[name], law_of(name)
    block, prevalence = design.blocks[0], stated_parts(design)
    prior, bodies = posteriors(name, answered_prior)
    truthful, highest = [Fraction(0)] * 3, Fraction(0)
    items: dict[str, Fraction] = {}
    for body, booklet, row, chance in bodies:
        share = block.share_asked(booklet) if block.booklets is None else Fraction(1, block.n_booklets)
        of_row = answered_prior(block.of_booklet(booklet), prevalence, row)
        coin = share * block.truth * of_row / chance
        highest = max(highest, coin)
        for place, level in enumerate(CERTAINTY_LEVELS):
            if coin > level:
                truthful[place] += share * of_row
        for number, question in enumerate(block.questions):
            for option, key in enumerate(question.item_keys):
                has = sum(
                    prior[truth] * chances.get(body, Fraction(0))
                    for truth, chances in law.items()
                    if truth[0] != "skipped" and _has(question.kind, truth[0][number], option)
                )
                items[key] = max(items.get(key, Fraction(0)), has / chance)
    found = block_audit(independent(block, prevalence))
    assert found.unmixing.exact
    assert found.unmixing.truthful == pytest.approx([float(share) for share in truthful])
    assert found.unmixing.highest == pytest.approx(float(highest))
    for item in item_audits(independent(block, prevalence)):
        assert item.worst == pytest.approx(float(items[item.key]))


def _has(kind: str, value: object, option: int) -> bool:
    if isinstance(value, tuple):
        return bool(value[option])
    return value == option if kind == "single" else value == 1


@pytest.mark.parametrize("booklets", [None, ((0, 1), (1, 2))])
def test_answers_contradict_only_when_both_questions_are_asked(booklets: tuple[Booklet, ...] | None) -> None:
    block = rotating(THREE, 2, booklets)
    pairs = [["x", "y"], ["x", "z"]]
    shares = [Fraction(30, 100) * Fraction(50, 100)]
    if booklets is None:
        shares.append(Fraction(30, 100) * Fraction(65, 100))
    (found,) = exclusive_decoys(live(block), pairs)
    assert found.share == max(shares)
    (alone,) = exclusive_decoys(live(rotating(THREE, 1)), pairs)
    assert alone.share == 0


def test_the_smaller_of_rotation_and_route_bounds_counts() -> None:
    adults, children = (Condition(question="adult", options=(answer,)) for answer in ("yes", "no"))
    you = opened("you", yes_no("adult"))
    parts = [
        shielded(key, p, yes_no(f"q{key}", 5000), asked_if=who)
        for key, p, who in (("a", 5000, adults), ("b", 6000, children), ("c", 2000, None), ("d", 1000, None))
    ]
    gammas = [block_budget(block).amplification or Fraction(0) for block in parts]
    free = design_of(*parts[2:], rotations=(Rotation(blocks=("c", "d"), parts_per_person=1),))
    assert promise(free).everything == gammas[2]  # type: ignore[union-attr]
    # a and b are never asked together, so the lesser of routing's and rotation's bounds counts.
    routed = design_of(you, *parts, rotations=(Rotation(blocks=("a", "b", "c"), parts_per_person=2),))
    found = promise(routed)
    assert found is not None
    assert found.everything == min(gammas[0] * gammas[1], gammas[1] * gammas[2]) * gammas[3]
    assert found.parts == 3


def test_audits_without_rotation_report_no_booklets() -> None:
    design = live(THREE, ONE)
    audit = audit_design(design, stated_parts(design), n=500)
    assert audit.own is None
    assert {block.booklet for block in audit.blocks} == {()}


def test_impossible_answers_are_reported_for_the_most_revealing_booklet() -> None:
    audit = audit_design(
        live(rotating(THREE, 2)), {key: [2000] for key in "xyz"}, exclusive=[["x", "y", "z"]]
    )
    (decoys,) = audit.impossible
    # The pair shown most often in a booklet is "yes" to y and z, with .5 * .65.
    assert (decoys.share, decoys.counted_in) == (Fraction(325, 1000), False)


def test_a_ratio_of_nothing_has_the_stated_value() -> None:
    assert _ratio(0.1, 0.4, 0.7) == pytest.approx(0.25)
    assert _ratio(0.0, 0.0, 0.7) == 0.7


def test_summaries_count_the_questions_of_a_design() -> None:
    coin = grouping(p=0.6, theta=0.4, block="b")
    assert "1 question:" in risk(coin).summary()
    assert "2 questions:" in risk(coin, questions=2).summary()
