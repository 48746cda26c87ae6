"""Test whether the server disguises directly sent answers with the stated probabilities.

The batches hold the true answers. The test compares them, part by part, with the rows behind a run's figures.
If the server draws as stated, the number of truthful rows has a known distribution, whatever the true answers
are. The test also checks that the figures are computed from these rows only.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.stats import binom

from privacy.survey.answer_probabilities import unrelated_probability
from privacy.survey.block import SKIPPED, Block, BlockAnswers
from privacy.survey.layout import Layout, Record
from privacy.survey.question import Value
from surveys.models import Run
from surveys.runs.batch_rows import rows_of
from surveys.runs.releasable_rows import packed_rows, releasable_design
from surveys.runs.snapshot import batches_of
from tests.attack.feasible_tables import PublishedShare
from tests.attack.learnt import Learnt
from tests.attack.linkage import FALSE_ALARM
from tests.attack.subtraction import read
from tests.attack.traces import split_rows

__all__ = ["DisguisedHere", "attack_disguised_here", "disguised_here"]

_ROUNDING: Final = 0.01
"""In people; figures have more digits than that."""


@dataclass(frozen=True, kw_only=True)
class DisguisedHere:
    """How often the rows behind the figures equal the rows sent.

    Attributes
    ----------
    people : int
        Respondents who sent their sensitive answers undisguised.
    answers, true : int
        Parts that they answered, and how many of them the rows show unchanged.
    expected : float
        Mean of `true` if the server disguises as stated.
    p_value : float
        Exact two-sided p-value of `true`.
    figures, other : int
        Shares of these people's rows that the figures reveal, and how many of them differ from the rows.
    """

    people: int
    answers: int
    true: int
    expected: float
    p_value: float
    figures: int
    other: int

    @property
    def is_beyond_chance(self) -> bool:
        """Whether the difference is significant."""
        return self.p_value <= FALSE_ALARM or self.other > 0


def disguised_here(run: Run) -> DisguisedHere:
    """Compare direct respondents' rows with the rows behind a run's figures, and these with the figures.

    Notes
    -----
    A part reports the truth x with probability p + (1 - p) q(x). The number of truthful parts is a sum of
    independent binomial variables, one for each probability, so their distributions are convolved.
    """
    reading, pairs = read(run), list(_pairs(run))
    trials: Counter[float] = Counter()
    true = 0
    for number, block in enumerate(reading.design.blocks):
        strength = block.in_group(direct=reading.design.has_two_strengths)
        if not block.protected or strength is None or strength.is_scale:
            continue
        for sent, shown in pairs:
            if (answers := _block_answers(sent, number)) is not None:
                trials[_chance_of_truth(strength, answers)] += 1
                true += _block_answers(shown, number) == answers
    rows = [[variable.of(_values(shown)) for variable in reading.variables] for _sent, shown in pairs]
    return DisguisedHere(
        people=len(pairs),
        answers=trials.total(),
        true=true,
        expected=math.fsum(chance * count for chance, count in trials.items()),
        p_value=_two_sided(trials, true),
        figures=len(reading.direct),
        other=sum(not _is_of(share, rows) for share in reading.direct),
    )


def attack_disguised_here(run: Run, *, of: str) -> Learnt:
    """Report how many undisguised answers a run shows unchanged, compared with the stated probabilities."""
    result = disguised_here(run)
    return Learnt(
        attack="share of true answers among those that the server disguises",
        tried=f"{of}: {result.people:,} people, {result.answers:,} answers, {result.figures:,} figures",
        learnt=(
            f"{result.true:,} answers as they were sent (p = {result.p_value:.2g}),"
            f" {result.other:,} figures of other rows"
        ),
        chance=f"{result.expected:,.1f} answers; p below {FALSE_ALARM:.0e} once in a million attacks",
        beyond_chance=result.is_beyond_chance,
    )


def _pairs(run: Run) -> Iterator[tuple[Record, Record]]:
    """Yield each direct row as sent and as shown; these rows are last in each batch, in order."""
    own, target = Layout(run.version.to_design()), Layout(releasable_design(run.version))
    batches = zip(rows_of(batches_of(run)), packed_rows(run.version, batches_of(run)), strict=True)
    for sent, shown in batches:
        records = [own.unpack(row) for row in split_rows(sent, own.n_bytes)]
        direct = [record for record in records if record.direct]
        last = split_rows(shown, target.n_bytes)[len(records) - len(direct) :]
        yield from zip(direct, map(target.unpack, last), strict=True)


def _block_answers(record: Record, block: int) -> BlockAnswers | None:
    """Return a row's answers to a part; None if the part was not asked."""
    if record.refused[block]:
        return SKIPPED
    values = tuple(value for value in record.answers[block] if value is not None)
    return values if len(values) == len(record.answers[block]) else None


def _chance_of_truth(block: Block, answers: BlockAnswers) -> float:
    return float(block.truth + (1 - block.truth) * unrelated_probability(block, answers))


def _values(record: Record) -> list[Value | None]:
    return [value for block in record.answers for value in block]


def _is_of(share: PublishedShare, rows: list[list[int]]) -> bool:
    """Return whether this share of the rows has these answers."""
    having = sum(all(row[number] == answer for number, answer in share.having.items()) for row in rows)
    return abs(share.share * len(rows) - having) < _ROUNDING


def _two_sided(trials: Mapping[float, int], true: int) -> float:
    """Return the exact two-sided p-value: twice the smaller tail."""
    chances = np.ones(1)
    for chance, count in trials.items():
        chances = np.convolve(chances, binom.pmf(np.arange(count + 1), count, chance))
    return float(min(1.0, 2 * min(chances[: true + 1].sum(), chances[true:].sum())))
