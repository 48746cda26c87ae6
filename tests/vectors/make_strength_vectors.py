"""Generate the golden vectors of two strengths, for Python and JavaScript.

`python -m tests.vectors` writes strengths.json next to this file. Cases are as in disguise.json.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from privacy.survey.design import Block, Design
from tests.vectors.make_scale_vectors import edges, words_of
from tests.vectors.make_vectors import case, coin_cases, cut, with_sizes
from tests.vectors.strength_designs import COINS, SCALES
from tests.vectors.words import stream

RANDOM_CASES_PER_DESIGN = 40
LONG_ENOUGH = 400


def edges_of_both(block: Block) -> list[int]:
    """Return draws on both sides of every change of either group's rule."""
    total, found = block.scale_total, set()
    for direct in (False, True):
        mine = block.in_group(direct=direct)
        if mine is None:
            raise ValueError(f"{block.key} has one strength")
        found |= {total // mine.scale_total * draw for draw in edges(mine)}
    top = (1 << (total - 1).bit_length()) - 1
    found |= {draw - 1 for draw in found} | {total, top}
    return sorted(draw for draw in found if 0 <= draw <= top)


def scale_cases(name: str, design: Design) -> Iterator[dict[str, Any]]:
    """Yield cases with edge draws if the design has one disguise, and cases with arbitrary words."""
    if len(design.blocks) == 1:
        own = design.blocks[0].scale_total
        for number, draw in enumerate(edges_of_both(design.blocks[0])):
            for turn in range(2):
                label = f"{name}/edge/{number}/{turn}"
                words = words_of(own, draw, label)
                # A rejected draw is followed by a valid one.
                yield cut(case(name, design, label, words + words_of(own, own - 1, label + "/next")))
    for number in range(RANDOM_CASES_PER_DESIGN):
        label = f"{name}/random/{number}"
        yield cut(case(name, design, label, list(islice(stream(label + "/words"), LONG_ENOUGH))))


def strength_vectors() -> dict[str, Any]:
    """Return the content of strengths.json."""
    cases = [entry for name, design in COINS.items() for entry in coin_cases(name, design)]
    cases += [entry for name, design in SCALES.items() for entry in scale_cases(name, design)]
    return with_sizes(COINS | SCALES, cases)


FILES = {"strengths.json": strength_vectors}
