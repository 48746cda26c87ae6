"""Generate the golden vectors, which hold Python and JavaScript to the same results, word for word.

`python -m tests.vectors` writes disguise.json, odds.json and others next to this file. The tests regenerate
and compare them.

A case of disguise.json has its design (whose content is under "designs"), the true answers, the chosen group
(null if the policy leaves no choice), the words in order of drawing (under the policy "assigned", the group's
word comes first), and the result.
"""

import json
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

from privacy.coins import Coins
from privacy.planning.coin_choice import best_coin
from privacy.planning.protection import PROTECTIONS
from privacy.risk.budget import block_budget
from privacy.risk.prior import exclusive_prior
from privacy.survey.block_channel import block_rows
from privacy.survey.booklets import Drawn
from privacy.survey.design import Block, Design, Question
from privacy.survey.disguise import disguise
from privacy.survey.grouping import draw_group
from privacy.survey.layout import Layout
from privacy.survey.true_answers import Answers
from tests.fixtures.posteriors import RowOdds, possible_prior, row_odds, worst_row_odds
from tests.fixtures.routed_answers import routed_answers
from tests.vectors.designs import DESIGNS, EXCLUSIVE
from tests.vectors.words import stream, word_of

HERE = Path(__file__).parent
SKIPPED_WORDS = (4_294_960_000, 4_294_967_295)
RANDOM_CASES_PER_DESIGN = 12
MOST_EDGES_PER_DRAW = 32


def thresholds(design: Design) -> list[list[int]]:
    """Return the values with which each draw is compared, the draw of the group first."""
    share = design.group.direct_share
    result: list[list[int]] = [] if share is None else [[share]]
    for block in design.blocks:
        if block.protected:
            strengths = {block.truth_in(direct=direct) for direct in (False, True)} - {1} | {block.truth}
            result.append(sorted(int(10_000 * truth) for truth in strengths))
            result += [] if block.refusal is None else [[block.refusal]]
            for question in block.questions:
                result += _question_thresholds(question)
    return result


def _question_thresholds(question: Question) -> list[list[int]]:
    if question.kind == "multi":
        return [[theta] for theta in question.unrelated]
    return [list(question.cumulative)] if question.kind == "single" else [list(question.unrelated)]


def some_answers(design: Design, label: str) -> Answers:
    """Return true answers chosen by the words of a label; every fourth open question stays empty."""
    words = stream(label)

    def values_of(block: Block, _asked: Sequence[int]) -> list[Any]:
        values = [some_value(question, words) for question in block.questions]
        return values if block.protected else [None if next(words) % 4 == 0 else value for value in values]

    return routed_answers(design, values_of, skips=lambda: next(words) % 4 == 0)


def some_value(question: Question, words: Iterator[int]) -> int | list[int]:
    """Return a true answer chosen by words."""
    if question.kind == "multi":
        return [next(words) % 2 for _ in question.options]
    if question.is_scale:
        return next(words) % question.patterns
    return next(words) % (len(question.options) or 2)


def case(
    name: str,
    design: Design,
    label: str,
    words: list[int],
    answers_of: Callable[[Design, str], dict[str, Any]] = some_answers,
    *,
    drawn: Drawn | None = None,
    invited: int | None = None,
) -> dict[str, Any]:
    """Return one case: the design `name` with these words."""
    chosen: str | None = None
    coins = Coins(words)
    answers = answers_of(design, label)
    if design.group.policy == "assigned":
        direct = draw_group(design, coins, place=invited)
    else:
        direct = design.group.policy == "choice" and next(stream(label + "/group")) % 3 == 0
        chosen = ("direct" if direct else "protected") if design.group.policy == "choice" else None
    body = Layout(design).pack(disguise(design, answers, direct=direct, coins=coins, drawn=drawn))
    return {
        "design": name,
        "answers": answers,
        "choice": chosen,
        "words": words,
        "body_hex": body.hex(),
        "words_used": coins.words_read,
    }


def cut(entry: dict[str, Any]) -> dict[str, Any]:
    """Return a case without its unused words."""
    return entry | {"words": entry["words"][: entry["words_used"]]}


def edge_cases(name: str, design: Design) -> Iterator[dict[str, Any]]:
    """Yield cases with each draw on, just below and just above each of its thresholds.

    Earlier coins choose decoys, so that the draw matters.
    """
    draws = thresholds(design)
    for place, edges in enumerate(draws):
        values = sorted(
            {value for edge in edges for value in (edge - 1, edge) if 0 <= value < 10_000} | {0, 9999}
        )
        for value in values[:MOST_EDGES_PER_DRAW]:
            label = f"{name}/edge/{place}/{value}"
            words = [word_of(9999, f"{label}/{number}") for number in range(len(draws))]
            words[place] = value if value != 9999 else 4_294_959_999
            yield case(name, design, label, words)


def random_cases(name: str, design: Design) -> Iterator[dict[str, Any]]:
    """Yield cases with arbitrary words; every third case has rejected words."""
    count = len(thresholds(design)) + 16
    for number in range(RANDOM_CASES_PER_DESIGN):
        label = f"{name}/random/{number}"
        words = list(islice(stream(label + "/words"), count))
        if number % 3 == 0:
            places = [next(stream(f"{label}/skip/{skip}")) % (count - 15) for skip in range(6)]
            for skip, place in enumerate(places):
                words.insert(place, SKIPPED_WORDS[skip % 2])
        yield case(name, design, label, words)


def refill_cases(name: str, design: Design) -> Iterator[dict[str, Any]]:
    """Yield cases with so many rejected words that a device must refill once or twice."""
    draws = len(thresholds(design))
    for skips in (17, draws + 40):
        label = f"{name}/refill/{skips}"
        words = list(islice(stream(label + "/words"), draws + 1))
        middle = draws // 2
        words[middle:middle] = [SKIPPED_WORDS[number % 2] for number in range(skips)]
        yield case(name, design, label, words + list(islice(stream(label + "/rest"), 16)))


def coin_cases(name: str, design: Design) -> list[dict[str, Any]]:
    """Return the cases of a design without numbers and places."""
    makers = (edge_cases, random_cases, refill_cases)
    return [entry for cases_of in makers for entry in cases_of(name, design)]


def with_sizes(designs: dict[str, Design], cases: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the content of a file of cases, with each design's body length and number of draws."""
    return {
        "designs": {name: design.to_json() for name, design in designs.items()},
        "lengths": {name: Layout(design).n_bytes for name, design in designs.items()},
        "draws": {name: design.draws for name, design in designs.items()},
        "cases": cases,
    }


def disguise_vectors() -> dict[str, Any]:
    """Return the content of disguise.json."""
    return with_sizes(
        DESIGNS, [entry for name, design in DESIGNS.items() for entry in coin_cases(name, design)]
    )


def some_prevalence(design: Design, label: str) -> dict[str, list[int]]:
    """Return a prevalence for every protected question, chosen by the words of a label."""
    words = stream(label)
    result: dict[str, list[int]] = {}
    for block in design.blocks:
        for question in block.questions if block.protected else ():
            shares = [next(words) % 10_001 for _ in range(question.n_items)]
            if question.kind == "single":
                cuts = [0, *sorted(shares[1:]), 10_000]
                shares = [high - low for low, high in pairwise(cuts)]
            result[question.key] = shares
    return result


def odds_json(odds: RowOdds) -> dict[str, float]:
    """Return odds with JavaScript's names."""
    return {
        "posterior": odds.posterior,
        "posteriorOf100": odds.posterior_of_100,
        "priorOf100": odds.prior_of_100,
    }


def odds_vectors() -> dict[str, Any]:
    """Return the content of odds.json: up to 24 rows of each protected block, and the worst one."""
    cases: list[dict[str, Any]] = []
    for name, design in DESIGNS.items():
        for number, block in enumerate(design.blocks):
            if not block.protected:
                continue
            prevalence = some_prevalence(design, f"{name}/prevalence/{number}")
            worst = worst_row_odds(design, prevalence, number)
            rows = list(block_rows(block))
            cases.append(
                {
                    "design": name,
                    "prevalence": prevalence,
                    "block": number,
                    "worst": worst.row,
                    "rows": [
                        {"row": row, **odds_json(row_odds(design, prevalence, number, row))}
                        for row in [*rows[: 23 - (block.refusal is not None)], rows[-1]]
                    ],
                }
            )
    return {"designs": {name: design.to_json() for name, design in DESIGNS.items()}, "cases": cases}


def exclusive_vectors() -> dict[str, Any]:
    """Return the content of exclusive.json: odds of rows if some answers of a block exclude each other."""
    cases: list[dict[str, Any]] = []
    for name, (design, prevalence, exclusive) in EXCLUSIVE.items():
        block = design.blocks[0]
        law = exclusive_prior(block, prevalence, exclusive)
        if law is None:
            raise ValueError(f"nothing is excluded in {name}")
        rows = list(block_rows(block))
        cases.append(
            {
                "design": name,
                "prevalence": prevalence,
                "together": law.to_json(),
                "rows": [
                    {
                        "row": row,
                        **odds_json(row_odds(design, prevalence, 0, row, prior=possible_prior(law, row))),
                    }
                    for row in [*rows[:: max(1, len(rows) // 40)], rows[-1]]
                ],
            }
        )
    return {"designs": {name: design.to_json() for name, (design, *_) in EXCLUSIVE.items()}, "cases": cases}


def budget_vectors() -> dict[str, Any]:
    """Return the content of budget.json: amplification and epsilon of each protected block of odds.json.

    Numerators and denominators are strings, because they are too large for JavaScript's numbers.
    """
    cases = []
    for name, design in DESIGNS.items():
        for number, block in enumerate(design.blocks):
            if block.protected:
                bound = block_budget(block)
                gamma = bound.amplification
                cases.append(
                    {
                        "design": name,
                        "block": number,
                        "amplification": gamma and [str(gamma.numerator), str(gamma.denominator)],
                        "epsilon": None if gamma is None else round(bound.epsilon, 12),
                    }
                )
    return {"cases": cases}


def refusal_vectors() -> dict[str, Any]:
    """Return the best share of random skips for each protected block of odds.json, and p, by strength."""
    return {
        "cases": [
            {"design": name, "block": number, "best": {key: _best_coin(block, key) for key in PROTECTIONS}}
            for name, design in DESIGNS.items()
            for number, block in enumerate(design.blocks)
            if block.protected
        ]
    }


def _best_coin(block: Block, strength: str) -> list[int | None]:
    protection, worst = PROTECTIONS[strength], block.of_booklet(block.worst_booklet).questions
    return [
        *best_coin(
            protection,
            everything=protection.everything,
            row=math.prod((question.rarest_decoy for question in worst), start=Fraction(1)),
            one=min(question.rarest_decoy for question in block.questions),
            skips=True,
        )
    ]


def written(document: dict[str, Any]) -> str:
    """Return the text of a vector file: one line per design and per case."""
    parts = []
    for key, content in document.items():
        if isinstance(content, list):
            lines = ",\n".join(_line(entry) for entry in content)
            parts.append(f"{_line(key)}: [\n{lines}\n]")
        else:
            lines = ",\n".join(f"{_line(name)}: {_line(entry)}" for name, entry in content.items())
            parts.append(f"{_line(key)}: {{\n{lines}\n}}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _line(entry: object) -> str:
    return json.dumps(entry, separators=(",", ":"), ensure_ascii=True)


FILES = {
    "disguise.json": disguise_vectors,
    "odds.json": odds_vectors,
    "exclusive.json": exclusive_vectors,
    "budget.json": budget_vectors,
    "refusal.json": refusal_vectors,
}
