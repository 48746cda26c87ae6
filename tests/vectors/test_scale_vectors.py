"""The committed vectors of numbers and places cover rejected draws, direct rows and skips."""

import json

from privacy.survey.layout import Layout
from tests.vectors.make_vectors import HERE
from tests.vectors.scale_designs import NUMBERS, PLACES, SKIPS


def test_vectors_contain_discarded_draws_and_direct_rows() -> None:
    for file, designs in (("numbers.json", NUMBERS), ("places.json", PLACES), ("skips.json", SKIPS)):
        vectors = json.loads((HERE / file).read_text("ascii"))
        alone = [case for case in vectors["cases"] if len(designs[case["design"]].blocks) == 1]
        used = [case["words_used"] / vectors["draws"][case["design"]] for case in alone]
        assert min(used) == 1
        assert max(used) > 1
        directs = {int(case["body_hex"][:2], 16) >> 7 for case in vectors["cases"]}
        assert directs == {0, 1}


def test_cases_cover_true_disguised_and_random_skips() -> None:
    vectors = json.loads((HERE / "skips.json").read_text("ascii"))
    seen = set()
    for case in vectors["cases"]:
        design = SKIPS[case["design"]]
        if len(design.blocks) == 1:
            record = Layout(design).unpack(bytes.fromhex(case["body_hex"]))
            seen.add((case["answers"][design.blocks[0].key] == "skipped", record.refused[0]))
    assert len(seen) == 4
