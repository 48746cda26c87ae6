"""The label over all parts holds for any dependence between answers, and some dependence attains it."""

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.posterior import posterior_bound
from privacy.risk.amplification import promise
from privacy.risk.budget import block_budget, budget, skip_odds
from privacy.risk.promise import Promise, Waves, percent
from privacy.survey.block_channel import block_channel
from privacy.survey.conditions import JOINS
from privacy.survey.design import SKIPPED, Block, Condition, Conditions, Design
from privacy.survey.layout import Layout
from privacy.survey.question import Anchor, Question
from privacy.survey.routing import is_asked
from tests.fixtures.posteriors import sent_row
from tests.fixtures.random_designs import random_design
from tests.fixtures.sent_distribution import Truth, largest_ratio, sent_distribution
from tests.vectors.designs import CHOICE, DESIGNS, PROTECTED, ROUTED, choice, live, opened, shielded, yes_no
from tests.vectors.scale_designs import NUMBERS, PLACES, SKIPS

FIVE = ROUTED["five wordings"]

SMALL = {
    "five wordings": FIVE,
    "parts unlike each other": live(
        shielded("a", 5000, yes_no("x", 3000)),
        shielded("b", 2000, choice("mood", 2000, 3000, 5000)),
        shielded("c", 7000, yes_no("y", 5000), refusal=1500),
    ),
    "one part of two questions, and one": live(
        shielded("a", 4000, yes_no("x", 3000), yes_no("y", 6000), refusal=800),
        shielded("b", 9000, yes_no("z", 500)),
    ),
    "numbers beside answers": live(*NUMBERS["hybrid"].blocks, shielded("a", 5000, yes_no("x", 5000))),
    "numbers that may be skipped": live(
        *SKIPS["wide or any"].blocks, shielded("a", 5000, yes_no("x", 4000), refusal=3000)
    ),
}


def joint_channel(design: Design) -> np.ndarray:
    """Return probabilities ``joint[observed, true]`` of whole rows, whose parts draw independently."""
    whole = np.ones((1, 1))
    for block in design.blocks:
        whole = np.kron(whole, block_channel(block).as_array())
    return whole


@pytest.mark.parametrize("name", SMALL)
def test_the_two_most_different_rows_attain_the_bound(name: str) -> None:
    """Checks all pairs of rows. A prior that gives a property probability 1/2 is a mixture of priors on one
    row with it and one without it, and a posterior is largest for such a pair. So pairs cover all priors."""
    odds = promise(SMALL[name])
    assert odds is not None
    channel = joint_channel(SMALL[name])
    largest = (channel.max(axis=1) / (channel.max(axis=1) + channel.min(axis=1))).max()
    bound = float(posterior_bound(odds.everything, Fraction(1, 2)))
    assert largest == pytest.approx(bound, rel=1e-12)
    if odds.of_100 is None:
        assert odds.once_in is not None
        assert 1 - largest >= 1 / odds.once_in * (1 - 1e-12)
        assert odds.once_in - 1 < float(odds.everything) + 1
    else:
        assert odds.of_100 - 1 < 100 * largest <= odds.of_100 * (1 + 1e-12)


def known(key: str, true_of: Anchor, *, refusal: int | None = None) -> Block:
    return shielded(key, 6000, replace(yes_no(key, 5000), anchor=true_of), refusal=refusal)


@pytest.mark.parametrize("refusal", [None, 400])
def test_truthfully_answered_anchors_add_no_privacy_loss(refusal: int | None) -> None:
    """Checks all pairs of rows. For people who answer anchors truthfully, probabilities differ by at most M,
    and M is attained. The label does not cover people who answer anchors untruthfully, and says so."""
    secret = shielded("a", 6000, yes_no("x", 5000), yes_no("y", 4000), refusal=refusal)
    anchors = (known("n", "nobody", refusal=refusal), known("e", "everybody", refusal=refusal))
    design = live(anchors[0], secret, anchors[1])
    odds, alone = promise(design), promise(live(secret))
    assert odds is not None
    assert replace(odds, anchors=0) == alone
    assert (odds.anchors, odds.not_composed) == (2, False)
    assert budget(design).epsilon == budget(live(secret)).epsilon
    channel = joint_channel(design)
    answers = [block_channel(block).as_array().shape[1] for block in design.blocks]
    rows = np.arange(channel.shape[1]).reshape(answers)
    as_is_true = channel[:, rows[0, :, 1]]
    largest = (as_is_true.max(axis=1) / as_is_true.min(axis=1)).max()
    assert largest == pytest.approx(float(odds.everything), rel=1e-12)
    assert (channel.max(axis=1) / channel.min(axis=1)).max() > 2 * odds.everything


def test_anchors_alone_have_no_promise() -> None:
    assert promise(live(known("n", "nobody"))) is None


@pytest.mark.parametrize(
    "block",
    [
        lambda anchor: shielded("b", 6000, anchor, yes_no("x", 5000)),
        lambda anchor: opened("b", replace(anchor, unrelated=())),
        lambda anchor: shielded("b", 6000, replace(choice("m", 5000, 5000), anchor="nobody")),
    ],
)
def test_an_anchor_must_be_a_lone_disguised_yes_no_question(block: Callable[[Question], Block]) -> None:
    with pytest.raises(PrivacyError, match="anchor in block"):
        block(replace(yes_no("anchor-nobody", 5000), anchor="nobody"))


def test_repeated_questions_exceed_block_bounds_but_not_the_label() -> None:
    """People with the item say yes five times. Each part alone raises 50% to 75% and 10% to 25%, but all five
    together raise them to 99.6% and 96.4%."""
    per_part = sent_row(FIVE.blocks[0], (1,), Fraction(1, 2)).even
    assert per_part == Fraction(3, 4)
    channel = joint_channel(FIVE)
    yes, no = -1, 0
    even = channel[yes, yes] / (channel[yes, yes] + channel[yes, no])
    assert even == pytest.approx(243 / 244)
    assert 0.1 * channel[yes, yes] / (0.1 * channel[yes, yes] + 0.9 * channel[yes, no]) == pytest.approx(
        27 / 28
    )
    odds = promise(FIVE)
    assert odds is not None
    assert (odds.of_100, odds.once_in) == (None, 244)
    assert budget(FIVE).epsilon == pytest.approx(math.log(odds.everything))


def asked_sets(design: Design) -> set[frozenset[int]]:
    """Return the sets of blocks that open answers can lead to, by enumerating all answers."""
    kinds = [
        [
            [None]
            if block.protected or question.kind == "multi"
            else [None, *range(len(question.options) or 2)]
            for question in block.questions
        ]
        for block in design.blocks
    ]
    found = set()
    for flat in itertools.product(*itertools.chain(*kinds)):
        given, known, asked = iter(flat), [], set()
        for number, (block, route) in enumerate(zip(design.blocks, design.routes, strict=True)):
            answers = [next(given) for _question in block.questions]
            if is_asked(route, known):
                asked.add(number)
            else:
                answers = [None] * len(answers)
            known.append(answers)
        found.add(frozenset(asked))
    return found


@pytest.mark.parametrize("name", [*ROUTED, "routed, choice", "open between, assigned"])
def test_blocks_asked_of_the_same_respondent_multiply(name: str) -> None:
    design = {**DESIGNS, **ROUTED}[name]
    products = [
        math.prod(
            (
                block_budget(block).amplification or 0
                for number, block in enumerate(design.blocks)
                if number in asked and block.protected
            ),
            start=Fraction(1),
        )
        for asked in asked_sets(design)
    ]
    odds = promise(design)
    assert odds is not None
    assert odds.everything == max(products)


def test_joined_conditions_never_understate_the_label() -> None:
    """Only one of a part's conditions is used, so the label is never below the true risk."""
    young, first = Condition(question="old", options=("no",)), Condition(question="way", options=("o0",))
    for joined in JOINS:
        design = live(
            opened("you", choice("way", options=2), yes_no("old")),
            shielded("a", 5000, yes_no("x", 5000), asked_if=Conditions(joined=joined, terms=(young, first))),
            shielded("b", 6000, yes_no("y", 5000), asked_if=Condition(question="old", options=("yes",))),
            shielded("c", 7000, yes_no("z", 5000), asked_if=Condition(question="way", options=("o1",))),
        )
        gammas = [block_budget(block).amplification or Fraction(1) for block in design.blocks[1:]]
        reached = max(
            math.prod((gammas[number - 1] for number in asked if number), start=Fraction(1))
            for asked in asked_sets(design)
        )
        odds = promise(design)
        assert odds is not None
        assert reached <= odds.everything <= math.prod(gammas)


def test_mutually_exclusive_blocks_do_not_multiply() -> None:
    # The greater of the two, 1 + .7 / (.3 .5) = 17/3, times 1 + .1 / (.9 .5) = 11/9.
    odds = promise(ROUTED["parts that exclude each other"])
    assert odds is not None
    assert odds.everything == Fraction(17, 3) * Fraction(11, 9)


def part(p: int) -> Block:
    return shielded(f"p{p}", p, yes_no(f"x{p}", 5000))


def test_exactly_reported_places_are_omitted_from_the_promise() -> None:
    for name in ("utility-optimised", "two levels"):
        assert promise(PLACES[name]) is None
        beside = promise(live(*PLACES[name].blocks, part(5000)))
        assert beside is not None
        assert (beside.of_100, beside.parts, beside.not_composed) == (75, 1, True)
    assert promise(PLACES["square mechanism"]) is not None


def test_unbounded_designs_have_no_promise() -> None:
    assert promise(DESIGNS["open only"]) is None
    assert promise(DESIGNS["study without decoys"]) is None
    assert promise(NUMBERS["shift, study"]) is None


def test_counts_of_100_are_rounded_up_and_never_reach_100() -> None:
    said = [
        Promise(everything=Fraction(gamma), answer=Fraction(gamma), skip=None, parts=1, not_composed=False)
        for gamma in ("1", "3", "3.01", "99", "99.1", "243")
    ]
    assert [odds.of_100 for odds in said] == [50, 75, 76, 99, None, None]
    assert [odds.once_in for odds in said] == [None, None, None, None, 101, 244]


def law_of_one_answer(
    law: Mapping[Truth, Mapping[bytes, Fraction]], layout: Layout, question: int
) -> dict[tuple[object, object], dict[Truth, Fraction]]:
    """Return the probabilities of one question's reports, including skips, by questions asked and truth."""
    shown: dict[tuple[object, object], dict[Truth, Fraction]] = {}
    for truth, bodies in law.items():
        for body, chance in bodies.items():
            record = layout.unpack(body)
            value = SKIPPED if record.refused[0] else record.answers[0][question]
            if value is not None:
                of_truth = shown.setdefault((record.drawn, value), {})
                of_truth[truth] = of_truth.get(truth, Fraction(0)) + chance
    return shown


def enumerated(block: Block, *, direct: bool) -> tuple[Fraction, Fraction, Fraction | None]:
    """Return a part's largest ratios for a whole report, one answer and a skip, by enumerating all coins."""
    alone = replace(block, asked_if=None)
    design = live(alone, group=CHOICE if block.light is not None else PROTECTED)
    law, layout = sent_distribution(design, direct=direct), Layout(design)
    answers, skips = [], []
    for number in range(len(block.questions)):
        for (_drawn, value), chances in law_of_one_answer(law, layout, number).items():
            (skips if value == SKIPPED else answers).append(max(chances.values()) / min(chances.values()))
    return largest_ratio(law), max(answers), max(skips, default=None)


def reached(design: Design, gammas: Mapping[int, Fraction]) -> Fraction:
    """Return the largest product over parts that one device can be asked."""
    turns = [
        {rotation.blocks[place] for place in places}
        for rotation in design.rotations
        for places in rotation.sets
    ]
    rotated = {key for rotation in design.rotations for key in rotation.blocks}
    return max(
        math.prod(
            (
                gamma
                for number, gamma in gammas.items()
                if number in asked
                and (design.blocks[number].key not in rotated or design.blocks[number].key in turn)
            ),
            start=Fraction(1),
        )
        for asked in asked_sets(design)
        for turn in turns or [set[str]()]
    )


@pytest.mark.slow
def test_the_promise_is_attained_exactly_in_random_designs() -> None:
    """With the real disguise, M, K and S are attained and never exceeded."""
    for seed in range(50):
        design = random_design(seed)
        for direct in (False, True) if design.has_two_strengths else (False,):
            law = design.in_group(direct=direct)
            assert law is not None
            found = promise(law)
            coins = [n for n, block in enumerate(design.blocks) if block.protected and not block.is_scale]
            told = {number: enumerated(design.blocks[number], direct=direct) for number in coins}
            scales = {
                number: bound
                for number, block in enumerate(law.blocks)
                if block.is_scale and not (bound := block_budget(block)).exact_outside
            }
            assert found is not None
            gammas = {number: whole for number, (whole, _one, _skip) in told.items()}
            gammas |= {number: bound.amplification or Fraction(0) for number, bound in scales.items()}
            assert found.everything == reached(design, gammas), seed
            ones = [one for _whole, one, _skip in told.values()]
            assert found.answer == max([*ones, *(gammas[number] for number in scales)]), seed
            skips = [skip for _whole, _one, skip in told.values() if skip is not None]
            skips += [odds for number in scales if (odds := skip_odds(law.blocks[number])) is not None]
            assert found.skip == max(skips, default=None), seed
            assert found.answer <= found.everything


@pytest.mark.parametrize("places", [1, 2, 3, 4, 6])
def test_percentages_are_exact_at_equality_and_rounded_up_above(places: int) -> None:
    for sure in range(51, 100):
        odds = Fraction(sure, 100 - sure)
        assert percent(odds) == sure
        above = odds + Fraction(1, 10**places)
        assert percent(above) == (sure + 1 if sure < 99 and places > 1 else percent(above))
        assert percent(odds + Fraction(1, 10**9)) == (None if sure == 99 else sure + 1)


@pytest.mark.parametrize(
    ("truth", "refusal", "questions", "one", "skip"),
    [
        # Without a skip, 1 + .6 / (.4 .5) = 4. r = .3334, .2, .1112: 84.6, 82.6, 81.4; S 84.6, 89.5, 93.5.
        (6000, None, 1, 80, None),
        (6000, 3334, 1, 85, 85),
        (6000, 2000, 2, 83, 90),
        (6000, 1112, 3, 82, 94),
        (4999, 3334, 1, 80, 80),
        (5454, 2000, 2, 80, 88),
        (5713, 1112, 3, 80, 93),
    ],
)
def test_single_answer_and_skip_promises_match_the_page(
    truth: int, refusal: int | None, questions: int, one: int, skip: int | None
) -> None:
    named = (yes_no(f"q{number}", 5000) for number in range(questions))
    found = promise(live(shielded("a", truth, *named, refusal=refusal)))
    assert found is not None
    assert (found.one_of_100, found.skip_of_100) == (one, skip)


def test_the_figures_of_waves_say_only_what_they_have() -> None:
    """Odds 24 to 1 are 96 of 100 and 3 to 1 are 75 of 100; 399 to 1 is wrong once in 400 times."""
    plain = Waves(count=2, everything=Fraction(24), answer=Fraction(3), skip=None)
    assert plain.to_json() == {
        "count": 2, "of_100": 96, "once_in": None, "one_of_100": 75, "one_once_in": None, "skip_of_100": None,
    }  # fmt: skip
    turns = replace(plain, everything=Fraction(399), skip=Fraction(9), takes_turns=True)
    assert turns.to_json() == {
        "count": 2, "of_100": None, "once_in": 400, "one_of_100": 75, "one_once_in": None, "skip_of_100": 90,
        "skip_once_in": None, "takes_turns": True,
    }  # fmt: skip


def test_odds_of_waves_multiply() -> None:
    one = Promise(
        everything=Fraction(19), answer=Fraction(4), skip=Fraction(3), shared=Fraction(5), not_composed=False
    )
    waves = one.in_waves(3).waves
    assert waves == Waves(
        count=3, everything=Fraction(6859), answer=Fraction(64), skip=Fraction(27), shared=Fraction(125)
    )
    assert one.in_waves(1) == one
