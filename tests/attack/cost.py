"""What a figure costs: forged rows that remove it, and forged rows that overturn it, for each page.

Anyone with an open link can send rows. Enough rows that contradict the design *remove* the figures of a
question: they are withheld. Rows that a device could have sent *overturn* a figure: its estimate leaves the
95% interval that the honest rows alone give. The attack sends the most harmful rows, one more at a time, and
reads the figure as the page does.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.columns.scored_rows import group_sums, scored_rows
from mining.columns.sent_counts import sent_counts
from mining.itemsets import estimate_itemsets
from mining.predicted_itemsets import borrowed_itemsets
from mining.report_checks import find_withheld
from privacy.coins import Coins
from privacy.estimation.arm_effects import arm_effects
from privacy.estimation.comparison import compare, comparison_factors
from privacy.estimation.composed_parts import Part, Side
from privacy.estimation.withheld import NOTHING
from privacy.scales.decoded_numbers import MEAN, mean
from privacy.scales.window import WindowChannel
from privacy.survey.arms import draw_arms
from privacy.survey.design import Design
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout
from surveys.questionnaire.arm_groups import choices_of_arms
from surveys.questionnaire.definition import definition_parse
from surveys.report.results.stated_margins import margins_of
from surveys.runs.arm_results import _group_factors, _mean_factor
from surveys.runs.disclosure import disclosure
from surveys.runs.regression import Model, item_regression
from surveys.runs.releasable_rows import ReleasableRows
from surveys.runs.weighted_itemsets import weighted_itemsets
from tests.fixtures.forged_rows import town_definition, with_report
from tests.fixtures.rotating_exports import body_of, three_of_eight
from tests.fixtures.scale_runs import scale_rows
from tests.surveys.report.results.test_arm_effects import definition as experiment

__all__ = ["FIGURES", "NOT_OF_ANSWERS", "NO_FIGURES", "WORLDS", "Cost", "Figure", "World", "cost_of"]

MOST: Final = 16_384
"""Forged rows beyond which an attack is given up."""

Interval = tuple[float, float, float]
"""An estimate with its low and high end."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A figure of a page, and the rows that attack it.

    Attributes
    ----------
    pages : str
        Pages and files that show it.
    addresses : tuple of str
        Names of the addresses of these pages and files.
    questions : tuple of str
        Keys of the questions that it reads.
    forged : mapping of str to int
        What a forged row reports to each of them.
    read : callable
        Returns the figure from packed rows of a design.
    world : {"town", "turns", "arms"}
        The survey: see `WORLDS`.
    """

    pages: str
    addresses: tuple[str, ...]
    questions: tuple[str, ...]
    forged: dict[str, int]
    read: Callable[[Design, Sequence[bytes]], Interval]
    world: str = "town"


@dataclass(frozen=True, kw_only=True)
class World:
    """A survey, rows of honest devices, and rows whose other answers the forged rows keep.

    Attributes
    ----------
    design : callable
        Returns the design.
    rows : callable
        Returns so many rows of honest devices, from a seed.
    asked : callable
        Whether a forged row can be like this one: a device that asks the attacked questions.
    """

    design: Callable[[], Design]
    rows: Callable[[Design, int, int], Sequence[bytes]]
    asked: Callable[[Design, bytes], bool] = lambda design, row: True


@dataclass(frozen=True, kw_only=True)
class Cost:
    """Forged rows that remove or overturn a figure; None if `MOST` do not.

    Attributes
    ----------
    removed, overturned : int or None
    """

    removed: int | None
    overturned: int | None


def cost_of(figure: Figure, honest_rows: int) -> Cost:
    """Return the least numbers of forged rows that remove and that overturn a figure.

    Parameters
    ----------
    figure : Figure
    honest_rows : int
        Rows of honest devices next to the forged ones.
    """
    world = WORLDS[figure.world]
    design = world.design()
    honest = world.rows(design, honest_rows, 5)
    rows = [row for row in world.rows(design, honest_rows, 77) if world.asked(design, row)]
    for key, report in figure.forged.items():
        rows = [with_report(design, row, key, lambda _, report=report: report) for row in rows]

    def sent(number: int) -> list[bytes]:
        return [*honest, *(rows[at % len(rows)] for at in range(number))]

    numbers = [design.question_number(key) for key in figure.questions]
    _, low, high = figure.read(design, honest)
    return Cost(
        removed=_least(lambda number: not withheld_in(design, sent(number)).permits(numbers)),
        overturned=_least(lambda number: not low <= figure.read(design, sent(number))[0] <= high),
    )


def withheld_in(design: Design, rows: Sequence[bytes]) -> Any:
    """Return what a run of these rows withholds."""
    data = b"".join(rows)
    return find_withheld(
        CountCache(BitMatrix.from_rows(design, data)), lambda number: sent_counts(design, number, data)
    )


def _least(holds: Callable[[int], bool]) -> int | None:
    """Return the least number for which something holds that holds from some number on."""
    high = 1
    while not holds(high):
        high *= 2
        if high > MOST:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _share(key: str) -> Callable[[Design, Sequence[bytes]], Interval]:
    def read(design: Design, rows: Sequence[bytes]) -> Interval:
        cache = CountCache(BitMatrix.from_rows(design, b"".join(rows)))
        (row,) = estimate_itemsets(cache, design, [(design.item(key).index,)])
        return row.interval.value, row.interval.low, row.interval.high

    return read


def _mean(key: str) -> Callable[[Design, Sequence[bytes]], Interval]:
    def read(design: Design, rows: Sequence[bytes]) -> Interval:
        number = design.question_number(key)
        channel = cast("WindowChannel", design.questions[number].disguise)
        found = mean(channel, sent_counts(design, number, b"".join(rows)).groups(channel))
        return found.value, found.low, found.high

    return read


def _difference(outcome: Side | str, by: str) -> Callable[[Design, Sequence[bytes]], Interval]:
    def read(design: Design, rows: Sequence[bytes]) -> Interval:
        of = outcome if isinstance(outcome, Side) else Side(items=(design.item(outcome).index,))
        factors = comparison_factors(Side(items=(design.item(by).index,)), of, design)
        found = compare(
            scored_rows(design, factors, b"".join(rows)), mean=isinstance(outcome, Side)
        ).difference
        return found.value, found.low, found.high

    return read


def _released(design: Design, rows: Sequence[bytes]) -> ReleasableRows:
    matrix = BitMatrix.from_rows(design, b"".join(rows))
    return ReleasableRows(
        version=cast("Any", None),
        matrix=matrix,
        precomputed=None,
        disclosure=disclosure(n=len(rows), practice=False),
        reports=matrix,
        withheld=NOTHING,
    )


def _coefficient(response: str, question: str, answer: str) -> Callable[[Design, Sequence[bytes]], Interval]:
    def read(design: Design, rows: Sequence[bytes]) -> Interval:
        model = Model(
            response=design.item(response).index,
            disguised=None,
            questions=(design.question_number(question),),
        )
        fitted = item_regression(_released(design, rows), model)
        own = fitted.coefficients[design.item(answer).index].odds_ratio
        return own.value, own.low, own.high

    return read


def _weighted(key: str) -> Callable[[Design, Sequence[bytes]], Interval]:
    def read(design: Design, rows: Sequence[bytes]) -> Interval:
        margins = margins_of({"age": {"young": 0.4, "old": 0.6}}, design)
        (own,) = weighted_itemsets(_released(design, rows), [(design.item(key).index,)], margins)
        assert own.estimate is not None
        half = 1.96 * own.estimate.standard_error
        return own.estimate.value, own.estimate.value - half, own.estimate.value + half

    return read


def _predicted(first: str, second: str) -> Callable[[Design, Sequence[bytes]], Interval]:
    def read(design: Design, rows: Sequence[bytes]) -> Interval:
        pair = tuple(sorted((design.item(first).index, design.item(second).index)))
        cache = CountCache(BitMatrix.from_rows(design, b"".join(rows)))
        found = borrowed_itemsets(cache, least=0.0, size=2, also=[pair])
        own = next(own for own in found if own.items == pair)
        return own.value, own.low, own.high

    return read


def _arms(outcome: str) -> Callable[[Design, Sequence[bytes]], Interval]:
    def read(design: Design, rows: Sequence[bytes]) -> Interval:
        groups = choices_of_arms(design)["told"]
        factor = _mean_factor(Side(items=(design.item(outcome).index,)), design)
        sums = group_sums(design, [factor], _group_factors(_released(design, rows), groups, ()), rows)
        effects = arm_effects(sums, [[0]])
        low, high = effects.interval(1, 0)
        return float(effects.differences[0, 0]), low, high

    return read


def _turns(design: Design, number: int, seed: int) -> Sequence[bytes]:
    coins = random.Random(seed)
    rows = (body_of(design, coins) for _ in range(number))
    return [row for row in rows if row is not None]


def _asks_both(design: Design, row: bytes) -> bool:
    record = Layout(design).unpack(row)
    return record.drawn is not None and {0, 1} <= set(record.drawn[-1]) and not any(record.refused)


def _experiment(design: Design, number: int, seed: int) -> Sequence[bytes]:
    """Return rows of people of whom 6 in 10 copied, in either arm."""
    coins = random.Random(seed)
    words, layout, rows = iter(lambda: coins.getrandbits(32), None), Layout(design), []
    for _ in range(number):
        arm, *_rest = draw_arms(design, Coins(words), place=None)
        answers = {
            "told": {"told": arm},
            "b": {"copied": int(coins.random() < 0.6), "late": coins.getrandbits(1)},
        }
        rows.append(layout.pack(disguise(design, answers, direct=False, coins=Coins(words))))
    return rows


WORLDS: Final = {
    # `tests.fixtures.forged_rows`. A square wave of 100 bins with epsilon 1 has 150 reports.
    "town": World(
        design=lambda: definition_parse(town_definition()).design,
        rows=lambda design, number, seed: scale_rows(design, number, seed=seed),
    ),
    # Three of eight questions each.
    "turns": World(design=lambda: definition_parse(three_of_eight()).design, rows=_turns, asked=_asks_both),
    # Devices draw one of two introductions.
    "arms": World(design=lambda: definition_parse(experiment()).design, rows=_experiment),
}

FIGURES: Final = {
    "share": Figure(
        pages="results, itemsets, report to print, text for your paper, shared link, audit, files",
        addresses=(
            "report:results", "report:itemsets", "report:itemsets_csv", "report:printed", "report:paper",
            "shared:results", "shared:printed", "export:rows", "audit:run", "audit:run_json",
        ),
        questions=("drink",),
        forged={"drink": 1},
        read=_share("drink"),
    ),
    "number": Figure(
        pages="distribution of a number",
        addresses=("report:number", "report:number_file", "shared:picture"),
        questions=("wage",),
        forged={"wage": 149},
        read=_mean("wage"),
    ),
    "kept number": Figure(
        pages="range of a number (`keep`)",
        addresses=("report:number", "report:number_file"),
        questions=("hours",),
        forged={"hours": 7},
        read=_share("hours=50-up"),
    ),
    "map": Figure(
        pages="map, regions",
        addresses=("report:place", "report:place_file", "shared:picture"),
        questions=("care",),
        forged={"care": 9},
        read=_share("care=river"),
    ),
    "pair": Figure(
        pages="compare, your question, rules, a rule, which rules hold, review, their files",
        addresses=(
            "report:compare", "report:compare_file", "report:run", "report:rule", "report:rule_tests",
            "report:rules_file", "report:review",
        ),
        questions=("late", "drink"),
        forged={"late": 1, "drink": 1},
        read=_difference("late", "drink"),
    ),
    "mean by answer": Figure(
        pages="compare a mean",
        addresses=("report:compare", "report:compare_file"),
        questions=("hours", "late"),
        forged={"hours": 7, "late": 1},
        read=_difference(Side(parts=(Part(question=4, target=MEAN),)), "late"),
    ),
    "group": Figure(
        pages="compare by an open answer",
        addresses=("report:compare", "report:compare_file"),
        questions=("age", "drink"),
        forged={"age": 1, "drink": 1},
        read=_difference("drink", "age=old"),
    ),
    "arms": Figure(
        pages="compare by the groups of an experiment, `arms.csv`",
        addresses=("report:compare", "report:compare_file", "export:rows"),
        questions=("told", "copied"),
        forged={"told": 1, "copied": 1},
        read=_arms("copied"),
        world="arms",
    ),
    "regression": Figure(
        pages="regression",
        addresses=("report:regression",),
        questions=("age", "drink"),
        forged={"age": 1, "drink": 1},
        read=_coefficient("drink", "age", "age=old"),
    ),
    "weighted share": Figure(
        pages="weights and non-response, `weights.csv`",
        addresses=("report:practice", "report:weights_csv"),
        questions=("age", "drink"),
        forged={"age": 1, "drink": 1},
        read=_weighted("drink"),
    ),
    "predicted pair": Figure(
        pages="rules with *predicted from pairs*, your question, `predicted.csv`",
        addresses=("report:run", "report:results", "report:rules_file", "export:rows"),
        questions=("q0", "q1"),
        forged={"q0": 1, "q1": 1},
        read=_predicted("q0", "q1"),
        world="turns",
    ),
}  # fmt: skip
"""A figure of each page."""

NO_FIGURES: Final = {
    "report:surveys": "lists surveys",
    "report:surveys_json": "lists surveys",
    "report:runs_json": "lists runs",
    "report:survey": "number of answers; forged ones count",
    "report:share": "makes a link",
    "report:rule_verdicts": "verdicts of reviewers",
    "report:about": "design and numbers of rows",
    "report:progress": "progress of a job",
    "report:api_description": "describes addresses",
    "export:data": "offers files",
    "export:documents": "design, before anyone answers",
    "shared:preview": "questionnaire",
    "shared:risk": "design, before anyone answers",
    "audit:risk": "design, before anyone answers",
    "audit:draft": "design, before anyone answers",
    "embed:answers": "lists lines that no device sent",
    "embed:use": "explains the frame",
    "embed:script": "program of the frame",
}
"""Addresses that show no figure from answers, and what they show."""

NOT_OF_ANSWERS: Final = {
    "": "what visitors and respondents open, before they log in",
    "accounts": "people and log-ins",
    "authoring": "questionnaires and plans, and made-up answers",
    "client": "documents of the respondent's page",
    "invite": "invitations",
    "releases": "tables that researchers upload, which no link can add to",
    "respond": "the respondent's page",
}
"""Groups of addresses without figures from answers, and what they show."""
