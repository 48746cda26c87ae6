from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from privacy.coins import Coins
from privacy.survey.design import Question
from tests.fixtures.refusals import refused
from tests.vectors.designs import choice
from tests.vectors.scale_designs import NUMBERS, scale_block


def _question(**changes: Any) -> Question:
    parts: dict[str, Any] = {"key": "q", "kind": "yes_no", "options": (), "unrelated": (5000,)}
    return Question(**(parts | changes))


@pytest.mark.parametrize("shares", [(5000, 4999), (5000, 5001), (1, 1)])
def test_decoy_shares_of_a_single_choice_must_sum_to_ten_thousand(shares: tuple[int, ...]) -> None:
    with refused("shares_sum", sum(shares)):
        _question(kind="single", options=("a", "b"), unrelated=shares)


def test_multi_select_decoy_probabilities_need_no_fixed_sum() -> None:
    assert _question(kind="multi", options=("a", "b"), unrelated=(9000, 9000)).n_draws == 2


@pytest.mark.parametrize("kind", ["single", "multi"])
@pytest.mark.parametrize("options", [(), ("only",)])
def test_a_choice_needs_two_options(kind: str, options: tuple[str, ...]) -> None:
    with refused("too_few_options", f"too few options: {len(options)}"):
        _question(kind=kind, options=options, unrelated=())


def test_a_yes_no_question_has_no_options() -> None:
    with refused("malformed", "('yes', 'no')"):
        _question(options=("yes", "no"))


def test_choices_convert_between_answers_items_and_tables() -> None:
    mood = choice("mood", 2000, 3000, 5000)
    assert mood.even_shares == (3334, 3333, 3333)
    assert mood.parts == ((0, 1, 2),)
    assert mood.tables([1, 2, 3]) == [[1, 2, 3]]
    assert mood.of_tables(iter([[1, 2, 3]])) == [1, 2, 3]
    assert (mood.of_items((0, 1, 0)), mood.ticks(1)) == (1, (0, 1, 0))
    assert (mood.rarest_decoy, mood.least_likely) == (Fraction(1, 5), 0)


def test_several_answers_convert_between_items_and_tables() -> None:
    drugs = choice("drugs", 2500, 7500, multi=True)
    assert drugs.of_tables(iter(drugs.tables([100, 200]))) == [100, 200]
    assert drugs.of_items((1, 0)) == drugs.of_parts((1, 0))
    assert (drugs.even_shares, drugs.parts) == ((5000, 5000), ((0,), (1,)))


def test_choices_cannot_have_their_own_disguise() -> None:
    disguise = scale_block("age", NUMBERS["square wave"].questions[0].disguise).questions[0].disguise
    with refused("disguise", "mood"):
        replace(choice("mood", 2000, 3000, 5000), disguise=disguise)


@pytest.mark.parametrize(
    ("question", "draws", "decoy"),
    [
        (_question(unrelated=(2500,)), [2499], 1),
        (_question(unrelated=(2500,)), [2500], 0),
        (choice("mood", 2000, 3000, 5000), [1999], 0),
        (choice("mood", 2000, 3000, 5000), [2000], 1),
        (choice("mood", 2000, 3000, 5000), [4999], 1),
        (choice("mood", 2000, 3000, 5000), [5000], 2),
        (choice("mood", 2000, 3000, 5000), [9999], 2),
        (choice("drugs", 2500, 7500, multi=True), [2499, 7499], (1, 1)),
        (choice("drugs", 2500, 7500, multi=True), [2500, 7500], (0, 0)),
    ],
)
def test_a_draw_below_the_share_of_a_decoy_chooses_it(
    question: Question, draws: list[int], decoy: Any
) -> None:
    coins = Coins(draws)
    assert (question.draw_decoy(coins), coins.words_read) == (decoy, len(draws))


def test_bits_and_parts_of_several_answers_begin_with_the_first_option() -> None:
    drugs = choice("drugs", 2500, 2500, 2500, multi=True)
    assert [drugs.unpack(bits) for bits in (0, 1, 4, 6)] == [(0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 1, 0)]
    assert drugs.answers[:3] == ((0, 0, 0), (0, 0, 1), (0, 1, 0))
    assert len(drugs.answers) == 8
    assert drugs.read([1, 0, 1]) == (1, 0, 1)
    for wrong in ([1, 0], [1, 0, 2], [1, 0, -1], "101", 5):
        with refused("answer"):
            drugs.read(wrong)


def test_uniform_decoy_shares_give_the_rest_to_the_first_options() -> None:
    mood = type(choice("mood", 5000, 5000))
    assert mood.uniform_shares(3) == (3334, 3333, 3333)
    assert mood.uniform_shares(4) == (2500, 2500, 2500, 2500)
    assert mood.uniform_shares(7) == (1429, 1429, 1429, 1429, 1428, 1428, 1428)
