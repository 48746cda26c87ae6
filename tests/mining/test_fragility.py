import random
from itertools import combinations, product

import numpy as np
import pytest

from benchmarks.simulation import study_design, true_rows
from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.fragility import NEVER_CHANGED, fragility
from privacy.coins import Coins
from privacy.estimation.counts import SupportCounts
from privacy.estimation.required_counts import required_counts
from privacy.estimation.rule_tests import p_values
from privacy.survey.booklets import Drawn
from privacy.survey.design import Design
from privacy.survey.disguise import disguise
from privacy.survey.drawn_questions import draw_questions
from privacy.survey.layout import Layout, Record
from tests.fixtures.vectorised import disguise_rows, draw_coins

PAIR_DESIGN = study_design([2, 2], truth_probability=5000, unrelated=4000)
RULES = [((0,), (1,)), ((0,), (2,)), ((1, 3), (2,)), ((3,), (0, 1)), ((2,), (3,))]
CUT_OFF = 0.05


def pair_sent(n: int, seed: int, dependence: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = true_rows(n, [0.3, 0.4, 0.5, 0.6], dependence, rng)
    direct = rng.random(n) < 0.2
    return disguise_rows(PAIR_DESIGN, truth, direct, draw_coins(PAIR_DESIGN, n, rng)), direct


def counts_of(rows: np.ndarray, direct: np.ndarray):
    count_cache = CountCache(BitMatrix.from_booleans(PAIR_DESIGN, rows, direct))
    return count_cache.need(required_counts(RULES, PAIR_DESIGN))


def injected(rows: np.ndarray, direct: np.ndarray, number: int):
    false = np.ones((number, rows.shape[1]), dtype=bool)
    return counts_of(np.concatenate([rows, false]), np.concatenate([direct, np.zeros(number, dtype=bool)]))


def test_the_stated_number_of_false_rows_flips_a_failing_rule() -> None:
    rows, direct = pair_sent(900, seed=2, dependence=0.0)
    numbers = fragility(counts_of(rows, direct), RULES, PAIR_DESIGN, np.full(len(RULES), CUT_OFF))
    failing = np.flatnonzero(p_values(counts_of(rows, direct), RULES, PAIR_DESIGN) > CUT_OFF)
    assert len(failing) >= 4
    for place in failing:
        assert numbers[place] > 0
        for number, passes in ((numbers[place], True), (numbers[place] - 1, False)):
            found = p_values(injected(rows, direct, int(number)), RULES, PAIR_DESIGN)[place]
            assert (found <= CUT_OFF) == passes


def test_fragility_exposes_a_rule_made_by_false_rows() -> None:
    rows, direct = pair_sent(900, seed=2, dependence=0.0)
    counts, cut = counts_of(rows, direct), np.full(len(RULES), CUT_OFF)
    numbers = fragility(counts, RULES, PAIR_DESIGN, cut)
    for place in np.flatnonzero(p_values(counts, RULES, PAIR_DESIGN) > CUT_OFF).tolist():
        for more in (0, 7):
            made = injected(rows, direct, int(numbers[place]) + more)
            assert fragility(made, [RULES[place]], PAIR_DESIGN, cut[:1]).tolist() == [more + 1]


def test_false_rows_cannot_flip_a_rule_from_direct_answers_alone() -> None:
    rng = np.random.default_rng(1)
    a = rng.random(600) < 0.4
    rows = np.stack([a, a, rng.random(600) < 0.5, rng.random(600) < 0.5], axis=1)
    direct = np.ones(600, dtype=bool)
    found = fragility(counts_of(rows, direct), RULES[:1], PAIR_DESIGN, np.array([CUT_OFF]))
    assert found.tolist() == [NEVER_CHANGED]


PREVALENCES = (0.3, 0.4, 0.5, 0.3, 0.35, 0.45)
DRAWN_RULES = [((0,), (1,)), ((0,), (3,)), ((0,), (3, 4))]
"""Of one block, of two blocks, and of three items."""


def rotating_rows(asked: Design, n: int, seed: int, *, light: bool) -> list[bytes]:
    """Return the rows that devices send for independent answers, a quarter of them lightly disguised."""
    words, layout = random.Random(seed), Layout(asked)
    coins = Coins(iter(lambda: words.getrandbits(32), None))
    rows = []
    for truth in true_rows(n, PREVALENCES, 0.0, np.random.default_rng(seed)).astype(int).tolist():
        drawn = draw_questions(asked, coins)
        answers = {
            block.key: {block.questions[at].key: truth[3 * number + at] for at in positions}
            for number, (block, positions) in enumerate(zip(asked.blocks, drawn, strict=True))
        }
        direct = light and words.random() < 0.25
        rows.append(layout.pack(disguise(asked, answers, direct=direct, coins=coins, drawn=drawn)))
    return rows


def all_yes(asked: Design, drawn: Drawn) -> bytes:
    """Return the strongly disguised row with yes to every question of one draw."""
    answers = tuple(tuple(1 if at in positions else None for at in range(3)) for positions in drawn)
    return Layout(asked).pack(Record(direct=False, answers=answers, refused=(False, False), drawn=drawn))


@pytest.mark.parametrize("light", [None, 8500])
@pytest.mark.few("None", why="the others execute nothing more")
def test_the_stated_number_of_false_rows_flips_a_rule_of_rotating_questions(light: int | None) -> None:
    """With the draw that helps most, the stated number makes each rule pass; with one fewer, no draw does."""
    asked = study_design([3, 3], truth_probability=7000, unrelated=5000, light=light, questions_per_person=2)
    honest = rotating_rows(asked, 1200, 5, light=light is not None)
    draws = list(product(combinations(range(3), 2), repeat=2))

    def counts_with(draw: Drawn, number: int) -> SupportCounts:
        # The whole run sees the forged answers: its tests of the draws, and so which rows count.
        rows = b"".join(honest + [all_yes(asked, draw)] * number)
        return CountCache(BitMatrix.from_rows(asked, rows)).need(required_counts(DRAWN_RULES, asked))

    without, cut = counts_with(draws[0], 0), np.full(len(DRAWN_RULES), CUT_OFF)
    assert without.all_rows
    assert (p_values(without, DRAWN_RULES, asked) > CUT_OFF).all()
    for rule, number in zip(DRAWN_RULES, fragility(without, DRAWN_RULES, asked, cut).tolist(), strict=True):
        assert number > 0
        passing = [draw for draw in draws if p_values(counts_with(draw, number), [rule], asked)[0] <= CUT_OFF]
        assert passing
        fewer = [p_values(counts_with(draw, number - 1), [rule], asked)[0] for draw in draws]
        assert min(fewer) > CUT_OFF
        made = counts_with(passing[0], number)
        assert fragility(made, [rule], asked, cut[:1]).tolist() == [1]
