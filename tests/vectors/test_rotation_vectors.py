"""The committed vectors of rotating parts are complete, and Python reproduces each case."""

import json

from privacy.coins import Coins, words_below
from privacy.survey.design import Design
from privacy.survey.drawn_questions import draw_questions
from privacy.survey.layout import Layout
from tests.vectors.make_rotation_vectors import sets_of, verdicts
from tests.vectors.make_vectors import HERE
from tests.vectors.reproduced import reproduced
from tests.vectors.rotation_designs import DESIGNS, SMALL

VECTORS = json.loads((HERE / "rotation.json").read_text("ascii"))


def test_python_reproduces_every_case_from_json_alone() -> None:
    designs = {name: Design.from_json(document) for name, document in VECTORS["designs"].items()}
    for case in VECTORS["cases"]:
        design, first = designs[case["design"]], Coins(case["drawing"])
        drawn = draw_questions(design, first)
        assert ([list(asked) for asked in drawn], first.words_read) == (case["drawn"], len(case["drawing"]))
        assert reproduced(design, case, drawn=drawn) == (case["body_hex"], case["words_used"], True)


def test_as_many_bodies_decode_as_there_are_records() -> None:
    read = {name: verdicts(design)["counts"]["read"] for name, design in SMALL.items()}
    assert read == {
        # Three booklets of two questions, with four rows each; then with a skip, in two groups.
        "two of three": 3 * 4,
        "two of three with skip": 2 * 3 * (4 + 1),
        # Either the skippable part of two questions, or the other part.
        "one of two parts": 5 + 2,
        # Two open answers lead past the first part, drawn or not: b, c or both are sent. Otherwise two of
        # three parts are sent, the first with two booklets of one question, or skipped.
        "a part that is routed": 2 * (3 + 2 + 3 * 2) + (6 * 3 + 6 * 2 + 3 * 2),
        "three of seven, listed": 7 * (8 + 1),
        # The part of two questions, skipped, or left out.
        "one part in three waves": 4 + 1 + 1,
        # Two open answers lead past the first part: b, c, both or none. Otherwise one or two of the three.
        "three parts in two waves, one routed": 2 * (1 + 2 + 2 + 4) + (3 + 2 + 2 + 6 + 6 + 4),
    }
    assert read == {name: found["counts"]["read"] for name, found in VECTORS["verdicts"].items()}


def test_vectors_draw_every_booklet_of_small_designs_and_discard_numbers() -> None:
    thrown = set()
    for name, design in DESIGNS.items():
        cases = [case for case in VECTORS["cases"] if case["design"] == name]
        least = sum(words_below(sets.count) for sets in sets_of(design))
        thrown |= {name for case in cases if len(case["drawing"]) > least}
        for number, block in enumerate(design.blocks):
            if block.is_rotating and block.n_booklets <= 10:
                found = {tuple(case["drawn"][number]) for case in cases} - {()}
                assert found == {block.booklet(place) for place in range(block.n_booklets)}, name
    # With two, four or eight sets, no number is rejected.
    assert len(thrown) >= 10


def test_cases_cover_skipped_undrawn_and_routed_parts_in_both_groups() -> None:
    seen = set()
    for case in VECTORS["cases"]:
        design = DESIGNS[case["design"]]
        record = Layout(design).unpack(bytes.fromhex(case["body_hex"]))
        assert record.drawn is not None
        for number, block in enumerate(design.blocks):
            given = case["answers"].get(block.key)
            if block.is_rotating and given is not None:
                seen.add(("asked", record.direct, given == "skipped", record.refused[number]))
            elif block.protected and given is None:
                seen.add(("led past" if case["drawn"][number] else "left out", record.direct))
    assert seen >= {
        ("asked", *each) for each in ((True, False, False), (True, True, True), (True, False, True))
    }
    assert seen >= {
        ("asked", False, *each) for each in ((False, False), (False, True), (True, False), (True, True))
    }
    assert seen >= {("led past", False), ("left out", False), ("left out", True)}
