"""Named designs: their channels, combinations of questions, and probabilities read from floats."""

import math
from fractions import Fraction

import numpy as np
import pytest

from privacy.channels import Channel, Retention
from privacy.library import designs
from privacy.library.designs import ResponseDesign, checked_design, grouping, unrelated_question
from privacy.survey.block_channel import block_channel
from privacy.survey.design import Block, Question
from tests.fixtures.refusals import refused

THIRD = Fraction(1, 3)

ALL = [
    designs.truthful(),
    designs.warner(p=0.7),
    designs.crosswise(p=1 / 4),
    designs.unrelated_question(p=0.6, theta=0.3),
    designs.forced_response(yes=1 / 6, no=1 / 6),
    designs.mangat(p=0.7),
    designs.kuk(yes=0.8, no=0.2),
    designs.generalised_rr(["never", "once", "often"], p=2 / 3),
    designs.grouping(p=0.3, theta=0.6),
]


@pytest.mark.parametrize("design", ALL, ids=repr)
def test_a_channel_has_a_column_per_answer_and_a_row_per_report(design: ResponseDesign) -> None:
    # The channel itself checks that columns sum to 1.
    assert (len(design.channel.matrix), design.channel.n_true) == (len(design.reports), len(design.values))


@pytest.mark.parametrize(
    ("design", "without", "with_it"),
    [
        (designs.warner(p=0.7), Fraction(3, 10), Fraction(7, 10)),
        (designs.forced_response(yes=1 / 6, no=1 / 6), Fraction(1, 6), Fraction(5, 6)),
        (designs.forced_response(yes=1 / 2, no=0), Fraction(1, 2), Fraction(1)),
        (designs.unrelated_question(p=2 / 3, theta=1 / 2), Fraction(1, 6), Fraction(5, 6)),
        (designs.mangat(p=0.7), Fraction(3, 10), Fraction(1)),
    ],
    ids=repr,
)
def test_probabilities_of_yes_match_the_source(
    design: ResponseDesign, without: Fraction, with_it: Fraction
) -> None:
    assert design.channel.row(1) == (without, with_it)


def test_forced_response_equals_an_unrelated_question() -> None:
    forced = designs.forced_response(yes=0.1, no=0.3)
    assert forced.channel == designs.unrelated_question(p=0.6, theta=0.25).channel


@pytest.mark.parametrize("questions", [1, 2, 3])
def test_grouping_has_the_same_channel_as_a_device_block(questions: int) -> None:
    block = Block(
        key="b",
        protected=True,
        truth_probability=3000,
        questions=tuple(
            Question(key=f"q{place}", kind="yes_no", options=(), unrelated=(6000,))
            for place in range(questions)
        ),
    )
    assert grouping(p=0.3, theta=0.6).row_of(questions).matrix == block_channel(block)


@pytest.mark.parametrize("design", [design for design in ALL if len(design.values) == 2], ids=repr)
@pytest.mark.parametrize("questions", [1, 2, 3])
def test_amplification_of_several_questions_matches_their_channel(
    design: ResponseDesign, questions: int
) -> None:
    if design.shared_coin:
        whole = design.row_of(questions).matrix
    else:
        one, size = design.channel.matrix, range(2**questions)
        bits = [[(number >> place) & 1 for place in range(questions)] for number in size]
        whole = Channel.of(
            [[math.prod(one[a][b] for a, b in zip(y, x, strict=True)) for x in bits] for y in bits]
        )
    assert design.amplification(questions) == whole.amplification()


def test_many_questions_are_bounded_without_building_their_channel() -> None:
    assert grouping(p=0.5, theta=0.5).amplification(10) == 1025
    with refused("too_large", 2**7, 7):
        grouping(p=0.5, theta=0.5).row_of(7)
    assert grouping(p=0.5, theta=0.5).row_of(6).matrix.as_array().shape == (64, 64)


@pytest.mark.parametrize("value", [-0.1, 1.5, math.nan, "4/3", "a third", "1/0", True, None])
def test_invalid_probabilities_are_rejected(value: object) -> None:
    with refused("chance", "p"):
        designs.warner(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "make",
    [
        lambda: designs.warner(p=0.5),
        lambda: designs.crosswise(p=1 / 2),
        lambda: unrelated_question(p=0, theta=0.5),
        lambda: grouping(p=0, theta=0.5),
        lambda: designs.kuk(yes=0.3, no=0.3),
        lambda: designs.generalised_rr(["a", "c"], p=0),
    ],
)
def test_uninformative_designs_are_rejected(make: object) -> None:
    with refused("designs", "the same whatever"):
        make()  # type: ignore[operator]


def test_forced_answers_must_leave_some_probability_for_the_truth() -> None:
    with refused("designs", "1"):
        designs.forced_response(yes=0.5, no=0.5)


@pytest.mark.parametrize("levels", [["a"], ["a", "a"], "ab", []])
def test_fewer_than_two_distinct_levels_are_refused(levels: object) -> None:
    with refused("designs", "level"):
        designs.generalised_rr(levels, p=0.5)  # type: ignore[arg-type]


def test_a_design_prints_its_own_definition() -> None:
    assert repr(designs.forced_response(yes=1 / 6, no=0.1)) == "forced_response(yes=1/6, no=0.1)"
    assert (
        repr(designs.grouping(p=0.5, theta=0.4, block="home")) == "grouping(p=0.5, theta=0.4, block='home')"
    )
    with refused("designs", "'warner'"):
        checked_design("warner")


def test_counts_of_a_flipping_design_name_the_probability_of_the_likelier_report() -> None:
    """Warner with .3 tells the truth with .3, so p = .7; an unrelated question keeps its own p."""
    for design, p in (
        (designs.warner(0.3), 0.7),
        (designs.warner(0.7), 0.7),
        (unrelated_question(0.6, 0.5), 0.6),
    ):
        assert design.counts_of("x", np.array([3, 4])).p == pytest.approx(p)


def test_a_truthful_design_reports_yes_and_no_or_the_answers_given() -> None:
    assert designs.truthful().values == ("no", "yes")
    assert designs.truthful("a", "b", "c").reports == ("a", "b", "c")
    assert designs.truthful("a", "b", "c").channel == Retention.truthful(3).matrix
