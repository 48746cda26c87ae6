"""Make the golden vectors of parts that send rows near the true one, for both languages.

    python -m tests.vectors.make_near_vectors

writes near.json beside this file. A case is as in rotation.json. Under "verdicts" all bodies of a small
design are read, as there.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from privacy.coins import SCALE, words_below
from privacy.survey import Design
from privacy.survey.grouping import block_rows
from tests.cast.posteriors import row_odds
from tests.vectors.make_rotation_vectors import (
    LONG_ENOUGH,
    case,
    of_booklet,
    random_cases,
    verdicts,
    widened,
)
from tests.vectors.make_scale_vectors import words_of
from tests.vectors.make_vectors import HERE, odds_json, some_prevalence, with_sizes, written
from tests.vectors.near_designs import DESIGNS, SMALL
from tests.vectors.words import stream

MOST_NUMBERS = 12


def turned_cases(name: str, design: Design) -> Iterator[dict[str, Any]]:
    """Yield cases with the first and last sets of turned answers of each part, and coins beside each edge.

    All other coins say "decoy"; numbers that are thrown away come first.
    """
    for place, block in enumerate(design.blocks):
        if block.near is None:
            continue
        size = block.near.ball
        edges = {block.truth_in(direct=direct) for direct in (False, True)} - {1}
        coins = sorted({int(SCALE * edge) + step for edge in edges for step in (-1, 0)} - {SCALE})
        numbers = {0, 1, size // 3, size // 2, size - 2, size - 1, *range(min(size, MOST_NUMBERS))}
        for number in sorted(number for number in numbers if 0 <= number < size):
            for coin in coins:
                label = f"{name}/turned/{place}/{number}/{coin}"
                top = (1 << (size - 1).bit_length()) - 1
                words: list[int] = [next(stream(f"{label}/group"))] if design.group.direct_share else []
                for other, each in enumerate(design.blocks):
                    if not each.protected:
                        continue
                    words.append(coin if other == place else SCALE - 1)
                    decoys = each.n_draws - 1 - (words_below(each.near.ball) if each.near else 0)
                    words += [word % SCALE for word in islice(stream(f"{label}/decoys/{other}"), decoys)]
                    if each.near is None:
                        continue
                    for thrown in (each.near.ball, top) if other == place and top >= size else ():
                        words += _words(each.near.ball, thrown, f"{label}/{thrown}")
                    wanted = number if other == place else next(stream(f"{label}/{other}")) % each.near.ball
                    words += _words(each.near.ball, wanted, f"{label}/{other}/counts")
                drawing = list(islice(stream(label + "/drawing"), LONG_ENOUGH))
                yield case(name, design, label, drawing, [*words, *islice(stream(label), LONG_ENOUGH)])


def near_odds(name: str, design: Design) -> Iterator[dict[str, Any]]:
    """Yield odds of some rows of the near-truth parts of both strengths."""
    for direct in (True, False):
        law = design.in_group(direct=direct)
        if law is None or design.use == "study":
            continue
        for number, block in enumerate(law.blocks):
            if block.near is None:
                continue
            prevalence = some_prevalence(law, f"{name}/prevalence/{number}")
            rows = []
            for booklet in {block.booklet(0), block.booklet(block.n_booklets - 1)}:
                plan = of_booklet(law, number, booklet)
                found = list(islice(block_rows(plan.blocks[number]), MOST_NUMBERS))
                for row in [*found, (1,) * block.most_asked]:
                    odds = odds_json(row_odds(plan, prevalence, number, row))
                    rows.append({"row": widened(block, booklet, row), **odds})
            yield {
                "design": name,
                "direct": direct,
                "prevalence": prevalence,
                "block": number,
                "rows": sorted(rows, key=str),
            }


def _words(size: int, number: int, label: str) -> list[int]:
    return words_of(size, number, label) if size > 1 else []


def near_vectors() -> dict[str, Any]:
    """Return the content of near.json."""
    cases = [
        entry
        for name, design in DESIGNS.items()
        for make in (turned_cases, random_cases)
        for entry in make(name, design)
    ]
    odds = [entry for name, design in DESIGNS.items() for entry in near_odds(name, design)]
    return (
        with_sizes(DESIGNS, cases)
        | {"odds": odds}
        | {"verdicts": {name: verdicts(design) for name, design in SMALL.items()}}
    )


FILES = {"near.json": near_vectors}


def main() -> None:
    for file, make in FILES.items():
        (HERE / file).write_text(written(make()), encoding="ascii")


if __name__ == "__main__":
    main()
