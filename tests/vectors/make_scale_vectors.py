"""Generate the golden vectors of numbers and places, for Python and JavaScript.

`python -m tests.vectors` writes numbers.json, places.json, skips.json, tiles.json and open-numbers.json next
to this file. Cases are as in disguise.json.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from privacy.coins import words_below
from privacy.risk.budget import block_budget
from privacy.risk.promise import percent
from privacy.scales.skips import Disguise
from privacy.scales.window import WindowChannel
from privacy.survey.design import SKIPPED, Block, Design
from tests.vectors.make_vectors import case, cut, with_sizes
from tests.vectors.scale_designs import NUMBERS, OPEN_NUMBERS, PLACES, SKIPS, TILES_OF_ANY_SIZE
from tests.vectors.words import stream

RANDOM_CASES_PER_DESIGN = 60
LONG_ENOUGH = 400


def words_of(total: int, draw: int, label: str) -> list[int]:
    """Return words that give `draw`; the label chooses the unused bits."""
    bits, count = (total - 1).bit_length(), words_below(total)
    words = [draw >> 32 * place & 0xFFFFFFFF for place in reversed(range(count))]
    spare = 32 * count - bits
    words[0] |= (next(stream(label)) & ((1 << spare) - 1)) << (32 - spare) if spare else 0
    return words


def _marks(disguise: Disguise) -> list[int]:
    if isinstance(disguise, WindowChannel):
        flat = disguise.floor * disguise.grid_outputs
        near = flat + disguise.peak * disguise.window
        marks = [0, disguise.floor, flat, flat + disguise.peak, near, near + disguise.lean]
        marks += [near + disguise.lean + disguise.step * x for x in (1, disguise.inputs - 1)]
    else:
        marks, size = [0], 1
        for level in disguise.levels:
            inside = level.numerator - level.denominator
            for mark in (inside, level.near, level.near + level.denominator, level.total):
                marks.append(size * mark)
            size *= level.total
    return marks


def edges(block: Block) -> list[int]:
    """Return draws on both sides of every change of the rule; draws from the total on are rejected."""
    marks, total = _marks(block.disguise), block.scale_total
    if block.refusal is not None:
        marks = [(10_000 - block.refusal) * mark for mark in [*marks, block.disguise.total]]
    top = (1 << (total - 1).bit_length()) - 1
    found = {mark + off for mark in [*marks, total, top] for off in (-1, 0)}
    return sorted(draw for draw in found if 0 <= draw <= top)


def some_answers(design: Design, label: str) -> dict[str, Any]:
    """Return true answers chosen by the words of a label."""
    words = stream(label)
    answers: dict[str, Any] = {}
    for block in design.blocks:
        if block.refusal is not None and next(words) % 4 == 0:
            answers[block.key] = SKIPPED
        else:
            answers[block.key] = {
                question.key: next(words) % question.patterns for question in block.questions
            }
    return answers


def cases(name: str, design: Design) -> Iterator[dict[str, Any]]:
    """Yield cases with edge draws if the design has one disguise, and cases with arbitrary words."""
    if len(design.blocks) == 1:
        own = design.blocks[0].scale_total
        for number, draw in enumerate(edges(design.blocks[0])):
            for turn in range(3):
                label = f"{name}/edge/{number}/{turn}"
                words = words_of(own, draw, label)
                # A rejected draw is followed by a valid one.
                words += words_of(own, own - 1, label + "/next")
                yield cut(case(name, design, label, words, some_answers))
    for number in range(RANDOM_CASES_PER_DESIGN):
        label = f"{name}/random/{number}"
        words = list(islice(stream(label + "/words"), LONG_ENOUGH))
        yield cut(case(name, design, label, words, some_answers))


def even_of_100(design: Design) -> list[int]:
    """Return M of 100 for each number or place of a design, in order: gamma / (1 + gamma), rounded up."""
    gammas = [
        block_budget(block).amplification if block.protected else None
        for block in design.blocks
        if block.questions[0].kind == "place"
    ]
    return [100 if gamma is None else percent(gamma) or 100 for gamma in gammas]


def open_cases(name: str, design: Design) -> Iterator[dict[str, Any]]:
    """Yield cases with arbitrary words, in which every fourth open question stays empty."""
    for number in range(RANDOM_CASES_PER_DESIGN):
        label = f"{name}/open/{number}"
        words = list(islice(stream(label + "/words"), LONG_ENOUGH))
        yield cut(case(name, design, label, words))


def _vectors(
    designs: dict[str, Design], cases_of: Callable[[str, Design], Iterator[dict[str, Any]]] = cases
) -> dict[str, Any]:
    made = with_sizes(
        designs, [entry for name, design in designs.items() for entry in cases_of(name, design)]
    )
    entries = made.pop("cases")
    return made | {"even": {name: even_of_100(design) for name, design in designs.items()}, "cases": entries}


def number_vectors() -> dict[str, Any]:
    """Return the content of numbers.json."""
    return _vectors(NUMBERS)


def place_vectors() -> dict[str, Any]:
    """Return the content of places.json."""
    return _vectors(PLACES)


def skip_vectors() -> dict[str, Any]:
    """Return the content of skips.json, including how many in 100 answers are sent as "skipped"."""
    lost = {
        name: [
            int(1_000_000 * block.skipping.skip_probability) / 10_000
            for block in design.blocks
            if block.skipping is not None
        ]
        for name, design in SKIPS.items()
    }
    return {**_vectors(SKIPS), "lost": lost}


def tile_vectors() -> dict[str, Any]:
    """Return the content of tiles.json."""
    return _vectors(TILES_OF_ANY_SIZE)


def open_number_vectors() -> dict[str, Any]:
    """Return the content of open-numbers.json."""
    return _vectors(OPEN_NUMBERS, open_cases)


FILES = {
    "open-numbers.json": open_number_vectors,
    "numbers.json": number_vectors,
    "places.json": place_vectors,
    "skips.json": skip_vectors,
    "tiles.json": tile_vectors,
}
