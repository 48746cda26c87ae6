"""What a reader of a run learns of single people by subtracting figures from each other.

He reads the file of itemsets as his role gets it, knows all open answers of everybody and who answered
directly, and looks whether one answer only is left for somebody (`privacy.risk.feasible_tables`).
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from privacy.policy import ROUNDED_TO, SIGNIFICANT_DIGITS
from privacy.risk.feasible_tables import MOST_CELLS, PublishedShare, Tables, certain_answers
from privacy.survey.design import Design
from privacy.survey.layout import Layout, Record
from privacy.survey.question import Value
from surveys.analysis.run_summary import run_page
from surveys.models import Run
from surveys.questionnaire.labels import JOIN, labels_of
from surveys.report.itemsets import ItemsetQuery, itemsets_matching
from surveys.report.tables import itemsets_as_csv, run_record
from surveys.snapshots.snapshot import batches_of

__all__ = ["Reading", "Subtracted", "direct_answers", "open_answers", "read"]

SECONDS = 5.0


@dataclass(frozen=True, kw_only=True)
class Variable:
    """A question with one answer, or one option of a question with several."""

    question: int
    option: int | None
    answers: int
    protected: bool

    def of(self, values: Sequence[Value | None]) -> int:
        """Return the number of somebody's answer: 0 for none, "no" before "yes", options in their order."""
        value = values[self.question]
        if value is None:
            return 0
        if isinstance(value, tuple):
            return 1 + int(value[self.option or 0])
        return 1 + value


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The figures of a run as its file of itemsets has them.

    Attributes
    ----------
    design : Design
    variables : tuple of Variable
    direct : tuple of PublishedShare
        Shares of the direct group.
    open : tuple of PublishedShare
        Shares of everybody who have some open answers.
    n, n_direct : (int, int) or None
        Between which numbers these lie; None where they are not published.
    """

    design: Design
    variables: tuple[Variable, ...]
    direct: tuple[PublishedShare, ...]
    open: tuple[PublishedShare, ...]
    n: tuple[int, int]
    n_direct: tuple[int, int] | None


@dataclass(frozen=True, kw_only=True)
class Subtracted:
    """What subtraction told.

    Attributes
    ----------
    people : int
        Whose answers were looked at.
    certain : int
        Of whom at least one answer follows, beyond doubt.
    answers : int
        How many answers follow of them all together.
    figures : int
        Read for it.
    """

    people: int
    certain: int
    answers: int
    figures: int


def read(run: Run) -> Reading:
    """Read a finished run as whoever may see its report does."""
    design = run.version.to_design()
    page, labels = run_page(run, design), labels_of(run.version, design)
    lines = itemsets_as_csv(itemsets_matching(run, ItemsetQuery()), labels, page)
    variables = tuple(_variables(design))
    places = {item.key: _place(design, variables, item.question, item.option) for item in design.items}
    direct, open_shares = [], []
    for line in csv.DictReader("".join(lines).splitlines()):
        having = _having(line["items"].lstrip("'").split(JOIN), places)
        if having is None:
            continue
        width = page.shown.rounded or not page.shown.groups
        if line["direct"]:
            direct.append(_share(having, float(line["direct"]), rounded=width))
        if not any(variables[one].protected for one in having):
            open_shares.append(_share(having, float(line["support"]), rounded=width))
    record = run_record(page, run)
    return Reading(
        design=design,
        variables=variables,
        direct=tuple(direct),
        open=tuple(open_shares),
        n=_between(record["n"], rounded=page.shown.rounded),
        n_direct=None
        if record["n_direct"] is None
        else _between(record["n_direct"], rounded=page.shown.rounded),
    )


def direct_answers(run: Run, *, seconds: float = SECONDS) -> Subtracted:
    """Count the people whose protected answers were sent as they are, and of whom one follows.

    Nobody of a design that sends none so: its figures are computed from what devices disguised.
    """
    reading = read(run)
    if not reading.design.sends_undisguised:
        return Subtracted(people=0, certain=0, answers=0, figures=0)
    people = _people(run, reading, direct_only=True)
    wanted = [number for number, one in enumerate(reading.variables) if one.protected]
    if reading.n_direct is None:
        return Subtracted(people=len(people), certain=0, answers=0, figures=0)
    return _subtracted(reading, people, wanted, reading.direct, reading.n_direct, seconds)


def open_answers(run: Run, *, seconds: float = SECONDS) -> Subtracted:
    """Count the people of whom an open answer follows for somebody who knows their other open answers."""
    reading = read(run)
    wanted = [number for number, one in enumerate(reading.variables) if not one.protected]
    people = _people(run, reading, direct_only=False)
    return _subtracted(reading, people, wanted, reading.open, reading.n, seconds)


def _subtracted(
    reading: Reading,
    people: NDArray[np.int64],
    wanted: Sequence[int],
    shares: Sequence[PublishedShare],
    n: tuple[int, int],
    seconds: float,
) -> Subtracted:
    concerned: set[int] = set()
    answers = 0
    for question in wanted:
        known = _known(reading, question)
        table = [*known, question]
        place = {number: at for at, number in enumerate(table)}
        tables = Tables(
            sizes=tuple(reading.variables[number].answers for number in table),
            shares=tuple(_within(shares, place)),
            least=n[0],
            most=n[1],
        )
        here = people[:, table]
        for found in certain_answers(
            tables, here, known=range(len(known)), question=len(known), seconds=seconds
        ):
            theirs = np.flatnonzero((here == (*found.known, found.answer)).all(axis=1))
            concerned.update(theirs.tolist())
            answers += len(theirs)
    return Subtracted(people=len(people), certain=len(concerned), answers=answers, figures=len(shares))


def _known(reading: Reading, question: int) -> list[int]:
    """Return the open questions that the attacker knows: as many as can be solved with one more."""
    known: list[int] = []
    cells = reading.variables[question].answers
    for number, one in enumerate(reading.variables):
        if not one.protected and number != question and cells * one.answers <= MOST_CELLS:
            known.append(number)
            cells *= one.answers
    return known


def _within(shares: Sequence[PublishedShare], place: Mapping[int, int]) -> Iterator[PublishedShare]:
    for share in shares:
        if share.having.keys() <= place.keys():
            yield PublishedShare(
                having={place[one]: answer for one, answer in share.having.items()},
                among=frozenset(place[one] for one in share.among),
                share=share.share,
                half_width=share.half_width,
            )


def _people(run: Run, reading: Reading, *, direct_only: bool) -> NDArray[np.int64]:
    """Return the true answers that stand in the rows: of people who answered directly all of them."""
    layout = Layout(reading.design)
    found = [
        [one.of(values) for one in reading.variables]
        for batch in batches_of(run)
        for record in _records(bytes(batch.packed), layout)
        if record.direct or not direct_only
        for values in [[value for block in record.answers for value in block]]
    ]
    return np.array(found, dtype=np.int64).reshape(-1, len(reading.variables))


def _records(packed: bytes, layout: Layout) -> Iterator[Record]:
    for start in range(0, len(packed), layout.n_bytes):
        yield layout.unpack(packed[start : start + layout.n_bytes])


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


def _place(
    design: Design, variables: Sequence[Variable], question: int, option: int
) -> tuple[int, int] | None:
    """Return variable and answer that an item stands for; None for an item of a number or a place."""
    for number, one in enumerate(variables):
        if one.question == question and one.option in (None, option):
            single = design.questions[question].kind == "single"
            return number, 1 + option if single else 2
    return None


def _having(keys: Sequence[str], places: Mapping[str, tuple[int, int] | None]) -> dict[int, int] | None:
    found = [places[key] for key in keys]
    return None if None in found else dict(place for place in found if place is not None)


def _share(having: dict[int, int], share: float, *, rounded: bool) -> PublishedShare:
    digits = math.floor(math.log10(abs(share))) - SIGNIFICANT_DIGITS + 1 if rounded and share else 0
    return PublishedShare(
        having=having,
        among=frozenset(having),
        share=share,
        half_width=10.0**digits / 2 if rounded and share else 0.0,
    )


def _between(count: int, *, rounded: bool) -> tuple[int, int]:
    """Return between which numbers a count lies: halves are rounded upwards."""
    half = ROUNDED_TO // 2
    return (max(0, count - half), count + half - 1) if rounded else (count, count)
