"""The stated number of forged rows changes a verdict, and one row fewer changes none, whatever it reports.

A page draws a conclusion from a difference, from the odds ratio of a regression, or from a difference between
the arms of an experiment: it is significant or not, and has a sign. Next to it stands how many forged rows
that report the same would change this. Here an attacker sends that many of each kind, and one fewer. Rows
that explain a significant result are taken away, and one fewer.
"""

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import pytest

from mining.columns.scored_rows import scored_rows
from privacy.estimation.comparison import Comparison, compare, comparison_factors
from privacy.estimation.composed_parts import Side
from privacy.estimation.forged_differences import difference_flips
from privacy.policy import SIGNIFICANCE_LEVEL
from privacy.survey.design import Design
from privacy.survey.layout import Layout, Record
from surveys.questionnaire.definition import definition_parse
from surveys.runs.regression import Model, item_regression
from tests.attack.test_shift import released
from tests.fixtures.forged_rows import town_definition, with_report
from tests.fixtures.rotating_exports import body_of, four_of_ten, three_of_eight
from tests.fixtures.scale_runs import scale_rows

HONEST, HONEST_IN_TURN = 400, 240

Conclude = Callable[[Design, Sequence[bytes]], int]
"""The sign of a significant result from packed rows, or 0."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """A verdict of a page.

    Attributes
    ----------
    conclude : Conclude
    flips : callable
        Returns the stated number of forged rows.
    kinds : tuple of dict of str to int
        Reports of forged rows, by question.
    """

    conclude: Conclude
    flips: Callable[[Design, Sequence[bytes]], int | None]
    kinds: tuple[dict[str, int], ...]


def compared(outcome: str, by: str) -> Callable[[Design, Sequence[bytes]], tuple[Comparison, int | None]]:
    def read(design: Design, rows: Sequence[bytes]) -> tuple[Comparison, int | None]:
        sides = (Side(items=(design.item(key).index,)) for key in (by, outcome))
        counted = scored_rows(
            design, comparison_factors(*sides, design), b"".join(rows), all_rows=design.rotates
        )
        return compare(counted), difference_flips(counted)

    return read


def of_difference(outcome: str, by: str, kinds: tuple[dict[str, int], ...]) -> Verdict:
    read = compared(outcome, by)

    def conclude(design: Design, rows: Sequence[bytes]) -> int:
        found, _ = read(design, rows)
        is_clear = found.p_value < SIGNIFICANCE_LEVEL
        return (found.difference.value > 0) - (found.difference.value < 0) if is_clear else 0

    return Verdict(conclude=conclude, flips=lambda design, rows: read(design, rows)[1], kinds=kinds)


def of_coefficient(response: str, answer: str) -> Verdict:
    def read(design: Design, rows: Sequence[bytes]) -> tuple[int, int | None]:
        model = Model(response=design.item(response).index, disguised=None, questions=(0,))
        fit = item_regression(released(design, rows, 0), model)
        line = fit.coefficients[design.item(answer).index]
        return int(line.low > 0) - int(line.high < 0), fit.flips[line.term]

    return Verdict(
        conclude=lambda design, rows: read(design, rows)[0],
        flips=lambda design, rows: read(design, rows)[1],
        kinds=every("age", response),
    )


def every(*keys: str) -> tuple[dict[str, int], ...]:
    """Return all combinations of reports to yes/no questions."""
    return tuple(dict(zip(keys, own, strict=True)) for own in itertools.product((0, 1), repeat=len(keys)))


VERDICTS: Final = {
    "difference of two protected answers": of_difference("late", "drink", every("late", "drink")),
    "difference by an open answer": of_difference("drink", "age=old", every("age", "drink")),
    "difference of a range of a number": of_difference(
        "hours=50-up", "late", tuple({"hours": hours, "late": late} for hours in range(8) for late in (0, 1))
    ),
    "odds ratio": of_coefficient("drink", "age=old"),
}


@cache
def design_of() -> Design:
    return definition_parse(town_definition()).design


def forged(kind: dict[str, int], number: int) -> list[bytes]:
    """Return rows like those of devices, with the same reports to some questions."""
    design = design_of()
    rows = list(scale_rows(design, max(number, 1), seed=77))[:number]
    for key, report in kind.items():
        rows = [with_report(design, row, key, lambda _, report=report: report) for row in rows]
    return rows


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.few("difference of two protected answers", why="the others differ in the figure alone")
def test_the_stated_number_of_forged_rows_makes_a_result_and_one_fewer_does_not(name: str) -> None:
    verdict, design = VERDICTS[name], design_of()
    honest = list(scale_rows(design, HONEST))
    assert verdict.conclude(design, honest) == 0
    stated = verdict.flips(design, honest)
    assert stated is not None
    made = [kind for kind in verdict.kinds if verdict.conclude(design, honest + forged(kind, stated))]
    assert made
    assert not any(verdict.conclude(design, honest + forged(kind, stated - 1)) for kind in verdict.kinds)
    # The result that they made says how many rows explain it: one, because one fewer makes none.
    for kind in made:
        assert verdict.flips(design, honest + forged(kind, stated)) == 1
        more = honest + forged(kind, stated + 9)
        explained = verdict.flips(design, more)
        assert explained is not None
        assert explained <= 10


def without(rows: Sequence[bytes], kind: dict[str, int], number: int) -> list[bytes]:
    """Return the rows without a number of those that report the same as a kind, as the figure reads it."""
    design = design_of()
    layout, left, taken = Layout(design), [], 0
    for row in rows:
        answers = [own for block in layout.unpack(row).answers for own in block]
        reports = {key: answers[design.question_number(key)] for key in kind}
        is_kind = all(
            # The range begins with the fifth of eight bins.
            (reports[key] >= 5) == (report >= 5) if key == "hours" else reports[key] == report
            for key, report in kind.items()
        )
        if is_kind and taken < number:
            taken += 1
        else:
            left.append(row)
    return left


@pytest.mark.parametrize("name", VERDICTS)
@pytest.mark.few("difference of two protected answers", why="the others differ in the figure alone")
def test_a_result_is_gone_without_the_stated_number_of_rows_and_stands_without_one_fewer(name: str) -> None:
    verdict, design = VERDICTS[name], design_of()
    honest = list(scale_rows(design, HONEST))
    results = []
    for kind in verdict.kinds:
        rows = honest + forged(kind, 120)
        sign, stated = verdict.conclude(design, rows), verdict.flips(design, rows)
        if not sign:
            continue
        assert stated is not None
        results.append(stated)
        assert any(verdict.conclude(design, without(rows, own, stated)) != sign for own in verdict.kinds)
        assert all(verdict.conclude(design, without(rows, own, stated - 1)) == sign for own in verdict.kinds)
    assert results


@dataclass(frozen=True, kw_only=True)
class Turn:
    """A forged row of a survey whose devices ask some of the questions: what it was asked, and reports.

    Attributes
    ----------
    direct : bool
    reports : dict of int to int
        By position of the question; None of them if it skips.
    """

    direct: bool
    reports: dict[int, int]


@cache
def rotating_design(name: str) -> Design:
    return definition_parse({"three of eight": three_of_eight, "four of ten": four_of_ten}[name]()).design


def turn_row(design: Design, turn: Turn) -> bytes:
    """Return the first possible row with these reports, and "no" to all else that it was asked."""
    block = design.blocks[-1]
    sets = block.booklets or itertools.combinations(range(len(block.questions)), block.most_asked)
    drawn = next(tuple(own) for own in sets if set(own) & {0, 1} == set(turn.reports))
    answers = tuple(turn.reports.get(at, 0) if at in drawn else None for at in range(len(block.questions)))
    others = [tuple(0 for _ in own.questions) for own in design.blocks[:-1]]
    return Layout(design).pack(
        Record(
            direct=turn.direct,
            answers=(*others, answers),
            refused=(False,) * len(design.blocks),
            drawn=(*(tuple(range(len(own))) for own in others), drawn),
        )
    )


@pytest.mark.parametrize(("name", "lights"), [("three of eight", 0), ("four of ten", 60)])
@pytest.mark.soak
def test_rows_of_rotating_questions_change_a_verdict_as_stated(name: str, lights: int) -> None:
    """Forged rows claim to be asked both questions or one, in either strength if there are two."""
    design, coins = rotating_design(name), random.Random(8)
    bodies = (body_of(design, coins, direct=number < lights) for number in range(HONEST_IN_TURN))
    honest = [own for own in bodies if own is not None]
    first, second = (item.index for item in design.items if item.key in ("q0", "q1"))
    factors = comparison_factors(Side(items=(first,)), Side(items=(second,)), design)

    def concluded(rows: Sequence[bytes]) -> tuple[int, int | None]:
        counted = scored_rows(design, factors, b"".join(rows), all_rows=True)
        assert counted.partial is not None
        found = compare(counted)
        value = found.difference.value
        sign = (value > 0) - (value < 0) if found.p_value < SIGNIFICANCE_LEVEL else 0
        return sign, difference_flips(counted)

    turns = [
        Turn(direct=direct, reports=dict(zip(asked, own, strict=True)))
        for direct in ((False, True) if lights else (False,))
        for asked in ((0, 1), (0,), (1,))
        for own in itertools.product((0, 1), repeat=len(asked))
    ]
    start, stated = concluded(honest)
    assert (start, stated is None) == (0, False)
    assert stated is not None
    kinds = [turn_row(design, turn) for turn in turns]
    made = [row for row in kinds if concluded([*honest, *[row] * stated])[0]]
    assert made
    assert not any(concluded([*honest, *[row] * (stated - 1)])[0] for row in kinds)
    before = compare(scored_rows(design, factors, b"".join(honest), all_rows=True)).difference.value
    for row in kinds:
        rows = b"".join([*honest, *[row] * stated])
        after = compare(scored_rows(design, factors, rows, all_rows=True), forged=stated)
        assert abs(after.difference.value - before) <= after.difference.shift + 1e-9
    for row in made:
        assert concluded([*honest, *[row] * stated])[1] == 1
        # Of more forged rows, as many explain the result as are more than one fewer than the stated number.
        sign, explained = concluded([*honest, *[row] * (stated + 6)])
        assert sign
        assert explained is not None
        assert 1 <= explained <= 7
        taken = [concluded([*honest, *[row] * (stated + 6 - number)])[0] for number in range(8)]
        assert all(own == sign for own in taken[:explained])
