"""Differencing attack on a run's figures: find what subtraction reveals about single people.

The attacker reads the file of itemsets and every comparison of open answers that the role can see. The
attacker knows everyone's open answers, and who answered directly, except for one of these, and checks whether
only one value of it remains possible for any person (`tests.attack.feasible_tables`). From figures of
disguised rows, solving only finds disguised rows. `tests.attack.disguised_here` tests whether these were
disguised as promised.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import Final

import numpy as np

from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.estimation.composed_parts import Side
from privacy.survey.answer_probabilities import item_probability
from privacy.survey.design import Design
from privacy.survey.layout import Layout
from privacy.survey.question import Value
from surveys.models import Run
from surveys.questionnaire.labels import JOIN, labels_of
from surveys.report.export.rule_columns import itemsets_as_csv
from surveys.report.rules.itemset_query import ItemsetQuery, itemsets_matching
from surveys.report.run_facts import run_record
from surveys.runs.batch_rows import rows_of
from surveys.runs.comparisons import compare_sides
from surveys.runs.releasable_rows import releasable_design
from surveys.runs.snapshot import batches_of
from tests.attack.feasible_tables import MOST_CELLS, PublishedShare, Tables, certain_answers
from tests.attack.learnt import Learnt
from tests.attack.traces import split_rows

__all__ = ["Reading", "Subtracted", "direct_answers", "open_answers", "open_answers_in", "read"]

SECONDS = 5.0

_WAY: Final = -1
"""Pseudo-question for how a person answered: 1 strongly disguised, 2 lightly."""


@dataclass(frozen=True, kw_only=True)
class Variable:
    """A question with one answer, or one option of a multiple choice."""

    question: int
    option: int | None
    answers: int
    protected: bool

    def of(self, values: Sequence[Value | None]) -> int:
        """Return the number of an answer: 0 for none, "no" before "yes", options in their order."""
        value = values[self.question]
        if value is None:
            return 0
        if isinstance(value, tuple):
            return 1 + int(value[self.option or 0])
        return 1 + value


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The figures in a run's file of itemsets.

    Attributes
    ----------
    design : Design
        Design of the rows from which the figures are computed.
    variables : tuple of Variable
    direct : tuple of PublishedShare
        Shares of the direct rows.
    open : tuple of PublishedShare
        Shares of all respondents, and of the direct group, with certain open answers; and the share of that
        group.
    n, n_direct : int
    """

    design: Design
    variables: tuple[Variable, ...]
    direct: tuple[PublishedShare, ...]
    open: tuple[PublishedShare, ...]
    n: int
    n_direct: int


@dataclass(frozen=True, kw_only=True)
class Subtracted:
    """The result of the attack.

    Attributes
    ----------
    people : int
        Number of people attacked.
    certain : int
        People of whom at least one true answer is certain.
    answers : int
        Number of certain true answers.
    figures : int
        Number of figures used.
    """

    people: int
    certain: int
    answers: int
    figures: int

    def learnt(self, name: str, *, of: str, promised: bool) -> Learnt:
        """Report what the attack derived about these answers, compared with the promise."""
        return Learnt(
            attack=f"subtraction of figures: {name}",
            tried=f"{of}: {self.people:,} people, {self.figures:,} figures",
            learnt=f"{self.certain:,} people for certain, {self.answers:,} answers",
            chance="nobody for certain",
            beyond_chance=self.certain > 0 if promised else None,
        )


def read(run: Run) -> Reading:
    """Read a finished run as a reader of its report would."""
    design = releasable_design(run.version)
    labels = labels_of(run.version, design)
    lines = itemsets_as_csv(itemsets_matching(run, ItemsetQuery()), labels, run)
    variables = tuple(_variables(design))
    answers = _answers_by_item(design, variables)
    record = run_record(run)
    published: dict[frozenset[int], float] = {}
    open_shares = []
    for line in csv.DictReader("".join(lines).splitlines()):
        items = [design.item(key).index for key in line["items"].lstrip("'").split(JOIN)]
        # Estimates can be converted back to shares only if all are from the same rows.
        if line["direct"] and (int(line["n"]) == record["n"] or not design.has_two_strengths):
            published[frozenset(items)] = float(line["direct"])
        having = _having(items, answers)
        if having is not None and not any(variables[variable].protected for variable in having):
            open_shares.append(_share(having, float(line["support"])))
            if line["direct"] and int(line["n"]) == record["n"]:
                lightly = float(line["direct"]) * record["n_direct"] / record["n"]
                open_shares.append(_share_of_all(having | {len(variables): 2}, lightly))
    open_shares += _compared(run, design, answers, variables)
    # How a person answered is the last variable; everyone has a value.
    open_shares += [
        _share_of_all({len(variables): 0}, 0.0),
        _share_of_all({len(variables): 2}, record["n_direct"] / record["n"]),
    ]
    direct = [
        _share(having, share)
        for items in published
        if (having := _having(items, answers)) is not None
        and (share := _share_of_rows(design, items, published)) is not None
    ]
    return Reading(
        design=design,
        variables=variables,
        direct=tuple(direct),
        open=tuple(open_shares),
        n=record["n"],
        n_direct=record["n_direct"],
    )


def direct_answers(run: Run) -> Subtracted:
    """Count the people who sent their protected answers undisguised, and those whose answers are disclosed.

    Both are 0 if the figures are computed from rows that devices or the server disguised.
    """
    if run.version.holds_undisguised or not run.version.to_design().sends_undisguised:
        return Subtracted(people=0, certain=0, answers=0, figures=0)
    reading = read(run)
    rows = _answers(reading, reading.design, rows_of(batches_of(run)), direct_only=True)
    wanted = [number for number, variable in enumerate(reading.variables) if variable.protected]
    return _subtracted(reading, rows, wanted, reading.direct, reading.n_direct)


def open_answers(run: Run) -> Subtracted:
    """Count the people whose open answer is disclosed to an attacker who knows their other ones.

    Whether a person was lightly or strongly disguised counts as an open answer.
    """
    return open_answers_in(read(run), run)


def open_answers_in(reading: Reading, run: Run) -> Subtracted:
    """Do the same with figures that were already read."""
    way = Variable(question=_WAY, option=None, answers=3, protected=False)
    reading = replace(reading, variables=(*reading.variables, way))
    wanted = [number for number, variable in enumerate(reading.variables) if not variable.protected]
    rows = _answers(reading, run.version.to_design(), rows_of(batches_of(run)), direct_only=False)
    return _subtracted(reading, rows, wanted, reading.open, reading.n)


def _subtracted(
    reading: Reading, rows: Whole, wanted: Sequence[int], shares: Sequence[PublishedShare], n: int
) -> Subtracted:
    certain: set[int] = set()
    answers = 0
    for question in wanted if len(rows) else ():
        known = _known(reading, question)
        table = [*known, question]
        index_of = {number: at for at, number in enumerate(table)}
        tables = Tables(
            sizes=tuple(reading.variables[number].answers for number in table),
            shares=tuple(_within(shares, index_of)),
            least=n,
            most=n,
        )
        here = rows[:, table]
        for derived in certain_answers(
            tables, here, known=range(len(known)), question=len(known), seconds=SECONDS
        ):
            theirs = np.flatnonzero((here == (*derived.known, derived.answer)).all(axis=1)).tolist()
            certain.update(theirs)
            answers += len(theirs)
    return Subtracted(people=len(rows), certain=len(certain), answers=answers, figures=len(shares))


def _known(reading: Reading, question: int) -> list[int]:
    """Return the open questions that the attacker knows: as many as the solver can handle with `question`."""
    known: list[int] = []
    cells = reading.variables[question].answers
    for number, variable in enumerate(reading.variables):
        if not variable.protected and number != question and cells * variable.answers <= MOST_CELLS:
            known.append(number)
            cells *= variable.answers
    return known


def _within(shares: Sequence[PublishedShare], index_of: Mapping[int, int]) -> Iterator[PublishedShare]:
    for share in shares:
        if share.having.keys() <= index_of.keys():
            yield PublishedShare(
                having={index_of[variable]: answer for variable, answer in share.having.items()},
                among=frozenset(index_of[variable] for variable in share.among),
                share=share.share,
                half_width=share.half_width,
            )


def _answers(reading: Reading, design: Design, buffers: Iterator[bytes], *, direct_only: bool) -> Whole:
    """Return the answers in rows of a design, batch by batch."""
    layout = Layout(design)
    answers = [
        [
            1 + int(record.direct) if variable.question == _WAY else variable.of(values)
            for variable in reading.variables
        ]
        for packed in buffers
        for record in map(layout.unpack, split_rows(packed, layout.n_bytes))
        if record.direct or not direct_only
        for values in [[value for block in record.answers for value in block]]
    ]
    return np.array(answers, dtype=np.int64).reshape(-1, len(reading.variables))


def _variables(design: Design) -> Iterator[Variable]:
    for number, question in enumerate(design.questions):
        protected = design.blocks[design.block_of(number)].protected
        if question.is_scale:
            continue
        if question.kind == "multi":
            for option in range(len(question.options)):
                yield Variable(question=number, option=option, answers=3, protected=protected)
        else:
            answers = 1 + (len(question.options) or 2)
            yield Variable(question=number, option=None, answers=answers, protected=protected)


def _answers_by_item(design: Design, variables: Sequence[Variable]) -> dict[int, tuple[int, int]]:
    """Return each item's variable and answer; items of numbers and places have none."""
    return {
        item.index: (number, 1 + item.option if design.questions[item.question].kind == "single" else 2)
        for item in design.items
        for number, variable in enumerate(variables)
        if variable.question == item.question and variable.option in (None, item.option)
    }


def _having(
    items: Sequence[int] | frozenset[int], answers: Mapping[int, tuple[int, int]]
) -> dict[int, int] | None:
    return dict(answers[item] for item in items) if answers.keys() >= set(items) else None


def _share_of_rows(
    design: Design, items: frozenset[int], published: Mapping[frozenset[int], float]
) -> float | None:
    """Return the share of direct rows that show these items; None if the figures do not determine it.

    In each block a row shows its items as the truth or as a decoy; the function inverts the published
    estimate. For undisguised rows, the estimate is the share itself.
    """
    by_block: dict[int, list[int]] = {}
    for item in items:
        by_block.setdefault(design.items[item].block, []).append(item)
    drawn = [block for block in by_block if design.blocks[block].truth_in(direct=True) < 1]
    total = 0.0
    for truthful in product((True, False), repeat=len(drawn)):
        weight, left = 1.0, set(items)
        for block, as_it_is in zip(drawn, truthful, strict=True):
            truth = float(design.blocks[block].truth_in(direct=True))
            if as_it_is:
                weight *= truth
            else:
                weight *= (1 - truth) * float(item_probability(design, dict.fromkeys(by_block[block], True)))
                left -= set(by_block[block])
        if left and frozenset(left) not in published:
            return None
        total += weight * (published[frozenset(left)] if left else 1.0)
    return total


def _compared(
    run: Run, design: Design, answers: Mapping[int, tuple[int, int]], variables: Sequence[Variable]
) -> Iterator[PublishedShare]:
    """Yield the shares on the comparison page for two open answers, among people asked both."""
    open_items = [item for item, (variable, _) in answers.items() if not variables[variable].protected]
    for by, outcome in permutations(open_items, 2):
        (first, has_first), (second, has_second) = answers[by], answers[outcome]
        if first == second:
            continue
        try:
            comparison = compare_sides(run, Side(items=(by,)), Side(items=(outcome,)))
        except PrivacyError:
            continue
        among = frozenset((first, second))
        for having, share in (
            ({first: has_first}, comparison.share),
            ({second: has_second}, comparison.everybody),
            ({first: has_first, second: has_second}, comparison.both),
        ):
            yield PublishedShare(having=having, among=among, share=share)


def _share(having: dict[int, int], share: float) -> PublishedShare:
    return PublishedShare(having=having, among=frozenset(having), share=share)


def _share_of_all(having: dict[int, int], share: float) -> PublishedShare:
    return PublishedShare(having=having, among=frozenset(), share=share)
