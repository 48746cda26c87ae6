"""Generate the golden vectors of rotating parts, for Python and JavaScript.

`python -m tests.vectors` writes rotation.json next to this file. Cases are as in disguise.json. The words
under "drawing" come first, from a separate fill, and determine "drawn", the questions of each block that the
device asks. "verdicts" covers all bodies of a small design: how many are refused with which code, and a
digest of the codes in order.
"""

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import Any

from privacy.coins import Coins
from privacy.errors import PrivacyError
from privacy.risk.prior import exclusive_prior
from privacy.survey.block import BlockAnswers
from privacy.survey.block_channel import block_rows
from privacy.survey.booklets import Booklet, Booklets, Drawn
from privacy.survey.design import SKIPPED, Block, Design
from privacy.survey.drawn_questions import draw_questions
from privacy.survey.layout import Layout
from privacy.survey.turns import rotation_of_waves, turn_of
from tests.fixtures.posteriors import possible_prior, row_odds, worst_row_odds
from tests.fixtures.routed_answers import routed_answers
from tests.vectors import make_vectors
from tests.vectors.make_scale_vectors import words_of
from tests.vectors.make_vectors import odds_json, some_prevalence, some_value, thresholds, with_sizes
from tests.vectors.rotation_designs import DESIGNS, EXCLUSIVE, SMALL
from tests.vectors.words import stream, word_of

RANDOM_CASES_PER_DESIGN = 40
LONG_ENOUGH = 400
MOST_ROWS = 12


def sets_of(design: Design) -> list[Booklets]:
    """Return the families of sets from each of which a device draws one, in order of drawing."""
    return [rotation.sets for rotation in design.rotations] + [
        Booklets(key=block.key, total=len(block.questions), size=block.most_asked, listed=block.booklets)
        for block in design.blocks
        if block.is_rotating
    ]


def some_answers(
    design: Design, label: str, *, drawn: Drawn, told: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """Return true answers to drawn questions, chosen by the words of a label; every fourth part is skipped.

    `told` maps the keys of arm questions to the arms drawn.
    """
    words = stream(label)

    def values_of(block: Block, asked: Sequence[int]) -> list[Any]:
        values: list[Any] = [None] * len(block.questions)
        for position in asked:
            question = block.questions[position]
            if question.is_arm and told is not None:
                values[position] = told[question.key]
                continue
            value = some_value(question, words)
            values[position] = None if not block.protected and next(words) % 4 == 0 else value
        return values

    return routed_answers(design, values_of, skips=lambda: next(words) % 4 == 0, drawn=drawn)


def case(name: str, design: Design, label: str, drawing: list[int], words: list[int]) -> dict[str, Any]:
    """Return one case: the questions drawn from these words, and answers disguised with the others."""
    first = Coins(drawing)
    drawn = draw_questions(design, first)
    made = make_vectors.case(name, design, label, words, partial(some_answers, drawn=drawn), drawn=drawn)
    return {"design": name, "drawing": drawing[: first.words_read], "drawn": drawn} | make_vectors.cut(made)


def drawing_cases(name: str, design: Design) -> Iterator[dict[str, Any]]:
    """Yield cases with the first and last set of each draw, each after rejected numbers."""
    sets = sets_of(design)
    words = list(islice(stream(f"{name}/words"), LONG_ENOUGH))
    for place, each in enumerate(sets):
        for number in sorted({0, 1, each.count // 2, each.count - 2, each.count - 1}):
            label = f"{name}/set/{place}/{number}"
            drawing: list[int] = []
            for other, one in enumerate(sets):
                top = (1 << (one.count - 1).bit_length()) - 1
                for thrown in (one.count, top) if top >= one.count else ():
                    drawing += words_of(one.count, thrown, f"{label}/{other}/{thrown}")
                wanted = number if other == place else next(stream(f"{label}/{other}")) % one.count
                drawing += words_of(one.count, wanted, f"{label}/{other}/counts")
            yield case(name, design, label, drawing, words)


def coin_cases(name: str, design: Design) -> Iterator[dict[str, Any]]:
    """Yield cases with each draw of the disguise on and just below each of its thresholds."""
    draws = thresholds(design)
    for place, edges in enumerate(draws):
        for value in sorted({value for edge in edges for value in (edge - 1, edge) if 0 <= value < 10_000}):
            label = f"{name}/edge/{place}/{value}"
            words = [word_of(9999, f"{label}/{number}") for number in range(len(draws))]
            words[place] = value
            yield case(name, design, label, list(islice(stream(label + "/drawing"), LONG_ENOUGH)), words)


def random_cases(name: str, design: Design) -> Iterator[dict[str, Any]]:
    """Yield cases with arbitrary words."""
    for number in range(RANDOM_CASES_PER_DESIGN):
        label = f"{name}/random/{number}"
        drawing, words = (
            list(islice(stream(f"{label}/{kind}"), LONG_ENOUGH)) for kind in ("drawing", "words")
        )
        yield case(name, design, label, drawing, words)


def verdicts(design: Design) -> dict[str, Any]:
    """Return whether each body of a small design is read or refused."""
    layout, codes = Layout(design), []
    for number in range(256**layout.n_bytes):
        try:
            layout.unpack(number.to_bytes(layout.n_bytes, "big"))
            codes.append("read")
        except PrivacyError as error:
            codes.append(error.code)
    return {
        "counts": dict(sorted(Counter(codes).items())),
        "digest": hashlib.sha256("\n".join(codes).encode("ascii")).hexdigest(),
    }


def of_booklet(design: Design, number: int, booklet: Booklet) -> Design:
    """Return the design with this booklet as the whole block, for every respondent."""
    blocks = list(design.blocks)
    blocks[number] = blocks[number].of_booklet(booklet)
    return replace(design, blocks=tuple(blocks), mechanism=0)


def widened(block: Block, booklet: Booklet, row: BlockAnswers) -> BlockAnswers | list[Any]:
    """Return a booklet's row as a row of the whole block, with None for questions not asked."""
    if isinstance(row, str):
        return row
    values = dict(zip(booklet, row, strict=True))
    return [values.get(position) for position in range(len(block.questions))]


def odds_cases(name: str, design: Design) -> Iterator[dict[str, Any]]:
    """Yield odds for the rows of some booklets, and for the worst row of the worst booklet."""
    for number, block in enumerate(design.blocks):
        if not block.is_rotating:
            continue
        prevalence = some_prevalence(design, f"{name}/prevalence/{number}")
        rows = []
        for booklet in {block.booklet(0), block.booklet(block.n_booklets - 1), block.worst_booklet}:
            plan = of_booklet(design, number, booklet)
            found = list(islice(block_rows(plan.blocks[number]), MOST_ROWS))
            for row in [*found, *([SKIPPED] if block.refusal is not None else [])]:
                odds = odds_json(row_odds(plan, prevalence, number, row))
                rows.append({"row": widened(block, booklet, row), **odds})
        worst = worst_row_odds(of_booklet(design, number, block.worst_booklet), prevalence, number)
        yield {
            "design": name,
            "prevalence": prevalence,
            "block": number,
            "worst_booklet": block.worst_booklet,
            "worst": widened(block, block.worst_booklet, worst.row),
            "rows": sorted(rows, key=str),
        }


def exclusive_cases() -> Iterator[dict[str, Any]]:
    """Yield odds if answers exclude each other: a row's prior is summed over the questions not asked."""
    for name, (design, prevalence, exclusive) in EXCLUSIVE.items():
        block = design.blocks[0]
        law = exclusive_prior(block, prevalence, exclusive)
        if law is None:
            raise ValueError(f"nothing is excluded in {name}")
        whole = list(block_rows(replace(block, questions_per_person=None, refusal=None)))
        rows = []
        for booklet in itertools.combinations(range(len(block.questions)), block.most_asked):
            plan = of_booklet(design, 0, booklet)
            chances: dict[Any, Fraction] = {}
            for row in whole:
                part = tuple(row[position] for position in booklet)
                chances[part] = chances.get(part, Fraction(0)) + possible_prior(law, row)
            for part, prior in islice(chances.items(), MOST_ROWS):
                odds = odds_json(row_odds(plan, prevalence, 0, part, prior=prior))
                rows.append({"row": widened(block, booklet, part), **odds})
        yield {
            "design": name,
            "prevalence": prevalence,
            "together": law.to_json() | {"worst": None},
            "rows": rows,
        }


SERIES = ("diary", "school-2026")
"""Names of series."""

PERSONS = ("1111111111111111112B", "00000000000000000000", "4711", "ünı", "a&b=1 \U0001f642", "x" * 200)
"""Codes and panel numbers, also such as panels do not use."""


def turn_cases() -> Iterator[dict[str, Any]]:
    """Yield the turns of some persons in each wave of some series."""
    for waves, n_parts in itertools.product((2, 3, 24), (1, 2, 3, 5)):
        rotation = rotation_of_waves(tuple(f"part-{number}" for number in range(n_parts)), waves)
        for series, person, wave in itertools.product(SERIES, PERSONS, sorted({1, 2, waves})):
            yield {
                "rotation": {
                    "blocks": rotation.blocks,
                    "parts_per_person": rotation.parts_per_person,
                    **({"blanks": rotation.blanks} if rotation.blanks else {}),
                },
                "series": series,
                "person": person,
                "wave": wave,
                "turn": turn_of(rotation, person=person, series=series, wave=wave),
            }


def rotation_vectors() -> dict[str, Any]:
    """Return the content of rotation.json."""
    cases = []
    for name, design in DESIGNS.items():
        makers = [drawing_cases, random_cases]
        if not any(block.is_scale for block in design.blocks):
            makers.append(coin_cases)
        cases += [entry for make in makers for entry in make(name, design)]
    designs = DESIGNS | {f"exclusive: {name}": design for name, (design, *_) in EXCLUSIVE.items()}
    return with_sizes(designs, cases) | {
        "verdicts": {name: verdicts(design) for name, design in SMALL.items()},
        "odds": [entry for name, design in DESIGNS.items() for entry in odds_cases(name, design)],
        "turns": [*turn_cases()],
        "exclusive": [entry | {"design": f"exclusive: {entry['design']}"} for entry in exclusive_cases()],
    }


FILES = {"rotation.json": rotation_vectors}
