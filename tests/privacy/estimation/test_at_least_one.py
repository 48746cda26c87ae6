"""Scores of "at least one of" are unbiased given every true answer, over all possible reports."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from privacy.coins import SCALE
from privacy.estimation.composed_parts import Factor, Part, Side, event_factors, factors_of
from privacy.survey.design import Block, Question
from tests.fixtures.refusals import refused
from tests.privacy.estimation.designs import yes_no
from tests.privacy.estimation.test_joined_rows import WAVE
from tests.vectors.designs import CHOICE, live, opened, shielded
from tests.vectors.scale_designs import scale_block

FORMS = shielded("forms", 5580, yes_no("a", 5000), yes_no("b", 2000), yes_no("c", 7000))
LEVELS = Question(key="level", kind="single", options=("no", "some", "much"), unrelated=(5000, 3000, 2000))
MIXED = shielded("mixed", 6000, LEVELS, yes_no("d", 4000))
"""Items: level=no, level=some, level=much, d."""
EVENTS = {
    "three forms": (FORMS, Side(), Side(at_least_one=(0, 1, 2))),
    "two of three forms": (FORMS, Side(), Side(at_least_one=(0, 2))),
    "by another form": (FORMS, Side(items=(1,)), Side(at_least_one=(0, 2))),
    "divided by it": (FORMS, Side(at_least_one=(0, 2)), Side(items=(1,))),
    "of those with another": (FORMS, Side(), Side(items=(1,), at_least_one=(0, 2))),
    "upper levels": (MIXED, Side(), Side(at_least_one=(1, 2))),
    "a level or another answer": (MIXED, Side(), Side(at_least_one=(2, 3))),
    "a level by upper levels": (MIXED, Side(items=(3,)), Side(at_least_one=(1, 2))),
    "with one level excluded": (MIXED, Side(items=(1,)), Side(at_least_one=(2, 3))),
}


def patterns(block: Block) -> list[tuple[tuple[int, ...], float]]:
    """Return each possible answer to a block as bits of its items, with its probability among decoys."""
    found: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    for question in block.questions:
        if question.kind == "single":
            one = [
                (tuple(int(at == option) for at in range(len(question.options))), share / SCALE)
                for option, share in enumerate(question.unrelated)
            ]
        else:
            one = [((0,), 1 - question.unrelated[0] / SCALE), ((1,), question.unrelated[0] / SCALE)]
        found = [(own + more, p * q) for (own, p), (more, q) in itertools.product(found, one)]
    return found


def holds(side: Side, answer: tuple[int, ...]) -> bool:
    return all(answer[item] for item in side.items) and (
        not side.at_least_one or any(answer[item] for item in side.at_least_one)
    )


def code(factor: Factor, answer: tuple[int, ...]) -> int:
    return sum(answer[item] << bit for bit, item in enumerate(factor.items))


@pytest.mark.parametrize("refusal", [None, 1580])
@pytest.mark.parametrize("name", EVENTS)
def test_the_mean_score_is_whether_the_true_answer_belongs_to_the_event(
    name: str, refusal: int | None
) -> None:
    block, by, outcome = EVENTS[name]
    block = replace(block, refusal=refusal, light=9000)
    design = live(block, group=CHOICE)
    (factor,) = factors_of(by, outcome, design) if by else event_factors(outcome, design)
    skip = (0,) * len(design.items)
    r = (refusal or 0) / SCALE
    reports = [(answer, share * (1 - r)) for answer, share in patterns(block)] + [(skip, r)]
    for truth, is_skip in [*((answer, False) for answer, _share in patterns(block)), (skip, True)]:
        if is_skip and refusal is None:
            continue
        event = [holds(side, truth) and not is_skip for side in (by, outcome)]
        wanted = [all(event), event[0], event[1]] if by else [event[1], event[1], True]
        for direct, p in ((False, block.truth_probability / SCALE), (True, 0.9)):
            scores = factor.scores[:, factor.split :] if direct else factor.scores[:, : factor.split]
            mean = p * scores[:, code(factor, truth)]
            for answer, share in reports:
                mean = mean + (1 - p) * share * scores[:, code(factor, answer)]
            np.testing.assert_allclose(mean, np.array(wanted, dtype=float), atol=1e-12)


def test_open_answers_score_as_they_are() -> None:
    design = live(opened("you", yes_no("x"), yes_no("y")), FORMS)
    (factor,) = event_factors(Side(at_least_one=(0, 1)), design)
    assert factor.scores[0].tolist() == [0, 1, 1, 1] * 2


def test_it_can_be_compared_by_other_answers_and_numbers() -> None:
    design = live(opened("you", yes_no("x")), FORMS, scale_block("scale", WAVE))
    number = len(design.questions) - 1
    event = Side(at_least_one=(1, 2))
    assert len(factors_of(Side(items=(0,)), event, design)) == 2
    assert len(factors_of(Side(parts=(Part(question=number, target=(0, 1)),)), event, design)) == 2


@pytest.mark.parametrize(
    ("by", "outcome", "code", "words"),
    [
        (Side(), Side(at_least_one=(0,)), "at_least_one", "names only 'a'"),
        (Side(), Side(at_least_one=(0, 3)), "at_least_one", "'a', 'e' were not sent under one coin"),
        (Side(items=(0,)), Side(at_least_one=(0, 1)), "at_least_one", "'a' is required already"),
        (Side(), Side(items=(1,), at_least_one=(0, 1)), "at_least_one", "'b' is required already"),
        (Side(items=(4,)), Side(at_least_one=(5, 6)), "excluded_options", "level"),
        (Side(), Side(at_least_one=(7, 8, 9)), "never_together", "no respondent is asked"),
        (Side(), Side(at_least_one=tuple(range(9))), "too_large", "covers 9 items"),
    ],
)
def test_events_without_a_figure_are_refused(by: Side, outcome: Side, code: str, words: str) -> None:
    drawn = replace(shielded("drawn", 5000, *(yes_no(key, 5000) for key in "uvw")), questions_per_person=2)
    design = live(FORMS, shielded("e", 5000, yes_no("e", 5000)), shielded("mixed", 6000, LEVELS), drawn)
    with refused(code, words):
        if by:
            factors_of(by, outcome, design)
        else:
            event_factors(outcome, design)


def test_of_drawn_questions_only_rows_that_were_asked_all_count() -> None:
    drawn = replace(shielded("drawn", 5000, *(yes_no(key, 5000) for key in "uvw")), questions_per_person=2)
    (factor,) = event_factors(Side(at_least_one=(0, 1)), live(drawn))
    assert factor.draws is None
    (alone,) = event_factors(Side(items=(0, 1)), live(drawn))
    assert alone.draws is not None
