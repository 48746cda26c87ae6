"""The committed vectors of near-truth parts are right, and Python answers each case."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from operator import ne

from privacy.coins import Coins
from privacy.survey import Design
from privacy.survey.grouping import disguise
from privacy.survey.rotation import draw_questions
from tests.vectors.make_near_vectors import verdicts
from tests.vectors.make_vectors import HERE
from tests.vectors.near_designs import SMALL
from tests.vectors.reproduced import reproduced

VECTORS = json.loads((HERE / "near.json").read_text("ascii"))


def test_python_answers_every_case_word_for_word_from_the_json_alone() -> None:
    designs = {name: Design.from_json(document) for name, document in VECTORS["designs"].items()}
    for case in VECTORS["cases"]:
        design, first = designs[case["design"]], Coins(case["drawing"])
        drawn = draw_questions(design, first)
        assert ([list(asked) for asked in drawn], first.used) == (case["drawn"], len(case["drawing"]))
        assert reproduced(design, case, drawn=drawn) == (case["body_hex"], case["words_used"], True)


def test_of_all_bodies_as_many_are_read_as_there_are_records() -> None:
    read = {name: verdicts(design)["counts"]["read"] for name, design in SMALL.items()}
    assert read == {
        "four, radius 1": 2**4,
        # Six booklets of two questions, in two groups.
        "two of four, radius 0": 2 * 6 * 4,
        "six, radius 2": 2**6,
    }
    assert read == {name: found["counts"]["read"] for name, found in VECTORS["verdicts"].items()}


def test_under_the_coin_that_says_the_truth_each_row_near_it_is_sent_and_no_other() -> None:
    design = SMALL["four, radius 1"]
    law = design.blocks[0].near
    assert law is not None
    for true in itertools.product((0, 1), repeat=4):
        answers = {"a": {f"a{place}": value for place, value in enumerate(true)}}
        sent = Counter(
            disguise(design, answers, direct=False, coins=Coins([4999, 0, 0, 0, 0, number])).answers[0]
            for number in range(law.ball)
        )
        rows = [row for row in itertools.product((0, 1), repeat=4) if sum(map(ne, row, true)) <= 1]
        assert sent == Counter(rows)
