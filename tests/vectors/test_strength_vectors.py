"""The committed vectors of two strengths are right, and cover both groups."""

import json

from privacy.coins import Coins
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout
from tests.vectors.make_strength_vectors import edges_of_both
from tests.vectors.make_vectors import HERE, thresholds
from tests.vectors.strength_designs import COINS, SCALES

VECTORS = json.loads((HERE / "strengths.json").read_text("ascii"))


def test_a_case_can_be_verified_by_hand() -> None:
    # 6000 is between 5000 and 8000, so a decoy in one group and the truth in the other.
    design, answers = COINS["one yes/no"], {"a": {"affair": 1}}
    sent = {
        direct: Layout(design).pack(disguise(design, answers, direct=direct, coins=Coins([6000, 5000]))).hex()
        for direct in (False, True)
    }
    assert sent == {False: "40", True: "e0"}  # 0 1 0 and 1 1 1


def test_both_groups_are_tested_at_and_below_each_threshold() -> None:
    for name, design in COINS.items():
        cases = [case for case in VECTORS["cases"] if case["design"] == name]
        for place, edges in enumerate(thresholds(design)):
            wanted = {value for edge in edges for value in (edge - 1, edge) if 0 <= value < 10_000}
            assert wanted <= {case["words"][place] % 10_000 for case in cases}, name
    for design in SCALES.values():
        if len(design.blocks) == 1:
            assert len(edges_of_both(design.blocks[0])) >= 12
    assert {int(case["body_hex"][:2], 16) >> 7 for case in VECTORS["cases"]} == {0, 1}


def test_discarded_draws_and_hidden_skips_occur_in_both_groups() -> None:
    thrown, hidden = set(), set()
    for case in VECTORS["cases"]:
        design = SCALES.get(case["design"])
        if design is None or len(design.blocks) != 1:
            continue
        record = Layout(design).unpack(bytes.fromhex(case["body_hex"]))
        thrown.add((record.direct, case["words_used"] > design.draws))
        if design.blocks[0].refusal is not None:
            hidden.add((record.direct, case["answers"][design.blocks[0].key] == "skipped", record.refused[0]))
    assert len(thrown) == 4
    assert len(hidden) == 8
