"""The committed vectors of arm questions are complete, and Python reproduces each case."""

import hashlib
import json

from privacy.coins import Coins
from privacy.survey.arms import draw_arms, invited_draw
from privacy.survey.design import Design
from privacy.survey.drawn_questions import draw_questions
from tests.vectors.make_arm_vectors import SURVEY
from tests.vectors.make_vectors import HERE
from tests.vectors.reproduced import reproduced

VECTORS = json.loads((HERE / "arms.json").read_text("ascii"))


def test_python_reproduces_every_case_from_json_alone() -> None:
    designs = {name: Design.from_json(document) for name, document in VECTORS["designs"].items()}
    for case in VECTORS["cases"]:
        design, first = designs[case["design"]], Coins(case["arming"])
        arms = draw_arms(design, first, place=case.get("invited"))
        assert (list(arms), first.words_read) == (case["arms"], len(case["arming"]))
        drawn = draw_questions(design, Coins(case["drawing"]))
        assert [list(asked) for asked in drawn] == case["drawn"]
        assert reproduced(design, case, drawn=drawn) == (case["body_hex"], case["words_used"], True)


def test_vectors_draw_every_arm_and_discard_words() -> None:
    for name, document in VECTORS["designs"].items():
        design = Design.from_json(document)
        cases = [case for case in VECTORS["cases"] if case["design"] == name]
        for place, number in enumerate(design.arms):
            assert {case["arms"][place] for case in cases} == set(
                range(len(design.questions[number].options))
            )
        assert not design.arms or any(len(case["arming"]) > len(design.arms) for case in cases)


def test_the_invitation_number_is_a_hash_of_the_stored_code_digest() -> None:
    cases = [case for case in VECTORS["cases"] if "code" in case]
    for case in cases:
        kept = hashlib.sha256(f"sotto invitation\n{SURVEY}\n{case['code']}".encode()).digest()
        decided = VECTORS["designs"][case["design"]]["invited"]
        hashed = hashlib.sha256(f"sotto-arm-1\0{SURVEY}\0{decided}\0".encode() + kept).hexdigest()
        assert case["invited"] == int(hashed[:16], 16) % 10_000
        assert case["invited"] == invited_draw(kept, survey=SURVEY, decision=decided)
    assert len({case["invited"] for case in cases}) > 30
