"""Statements about rotating designs agree with an enumeration of every booklet and coin.

The distribution is of the bodies that devices send, which show the questions asked.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache

import pytest

from privacy.risk import audit_design
from privacy.risk.adversaries import exclusive_decoys
from privacy.risk.beliefs import Prevalence, independent
from privacy.risk.budget import block_budget, budget, promise, question_odds
from privacy.risk.design_audit import block_audit, item_audits, light_audit
from privacy.risk.row_distribution import LEVELS
from privacy.survey.block import BlockAnswers
from privacy.survey.booklets import Booklet, Rotation
from privacy.survey.design import Block, Condition, Design, GroupPolicy
from privacy.survey.layout import Layout
from tests.fixtures.posteriors import answered_prior, prior_probability, row_odds, worst_row_odds
from tests.fixtures.sent_distribution import Truth, largest_ratio, sent_distribution, truths, whole
from tests.vectors.designs import CHOICE, choice, live, opened, shielded, yes_no
from tests.vectors.rotation_designs import rotating
from tests.vectors.strength_designs import lightly


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
        audit = light_audit(TWO_STRENGTHS, stated(TWO_STRENGTHS))
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


def stated(design: Design) -> dict[str, list[int]]:
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
    prior = {truth: prior_of(whole(design.blocks[0]), stated(design), truth[0]) for truth in truths(design)}
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
        odds = row_odds(design, stated(design), 0, row, booklet=booklet)
        assert odds.posterior == pytest.approx(float(right / chance), abs=1e-14)
        evens.append(odds.even)
    assert worst_row_odds(design, stated(design), 0).even == max(evens)


@pytest.mark.parametrize("name", ONE_PART)
def test_recognised_shares_and_worst_posteriors_cover_all_booklets(name: str) -> None:
    design, law = TURNING[name], law_of(name)
    block, prevalence = design.blocks[0], stated(design)
    prior, bodies = posteriors(name, answered_prior)
    truthful, highest = [Fraction(0)] * 3, Fraction(0)
    items: dict[str, Fraction] = {}
    for body, booklet, row, chance in bodies:
        share = block.share_asked(booklet) if block.booklets is None else Fraction(1, block.n_booklets)
        of_row = answered_prior(block.of_booklet(booklet), prevalence, row)
        coin = share * block.truth * of_row / chance
        highest = max(highest, coin)
        for place, level in enumerate(LEVELS):
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
    audit = audit_design(design, stated(design), n=500)
    assert audit.own is None
    assert {block.booklet for block in audit.blocks} == {()}


def test_impossible_answers_are_reported_for_the_most_revealing_booklet() -> None:
    audit = audit_design(
        live(rotating(THREE, 2)), {key: [2000] for key in "xyz"}, exclusive=[["x", "y", "z"]]
    )
    (decoys,) = audit.impossible
    # The pair shown most often in a booklet is "yes" to y and z, with .5 * .65.
    assert (decoys.share, decoys.counted_in) == (Fraction(325, 1000), False)
