"""The ledger of disclosure: one decision for each run on what its figures may show of open answers.

Open answers are stored as given, so a figure must not describe only a few people, and neither must the
difference of two figures. As long as rows arrive, two runs of a survey differ by the rows in between. Until
the survey is settled, no run combines open answers, and a run names a single open question only if each of
its answers has enough people or none, both in the run and among the rows since every earlier run that named
it.
Once the survey is settled, all runs read the same rows. Then a cross is shown if each combination has enough
people or none, and numbers that are stored as answered have bars of enough people or none.

The decision is stored before the run has any figure, and stays when the run is deleted. Practice surveys hide
nothing, and surveys with a known truth, which only simulated respondents have, do not wait.

What several crosses give together by integer programming is not checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from itertools import combinations
from typing import Final

import numpy as np

from mining.columns.count_cache import CountCache
from mining.family import rule_family
from mining.open_floor import SHOW_ALL, OpenFloor, answer_counts, crossed_pairs, has_enough
from privacy.arrays import Whole
from privacy.survey.design import Design
from surveys.models import Job, LedgerEntry, Run
from surveys.policy import LEAST_PROFILE
from surveys.runs.interim_or_final import combines, is_exempt, standing_of
from surveys.runs.map_tiles import is_exact_map
from surveys.runs.open_bars import is_union, make_bars, open_numbers, span_of, stored_bars

_ENTRY: Final = "_ledger_entry"

OVER_WITHOUT_RESULT: Final = (Job.State.FAILED, Job.State.CANCELLED)


def entry_of(run: Run) -> LedgerEntry | None:
    """Return the ledger's entry of a run; None if it ended before there was a ledger, or has not begun."""
    entry: LedgerEntry | None = run.__dict__.get(_ENTRY)
    if entry is None:
        # An entry never changes, so the run of a page reads it once.
        entry = run.__dict__[_ENTRY] = LedgerEntry.objects.filter(run_number=run.pk).first()
    return entry


def crosses_of(run: Run) -> dict[tuple[int, int], bool] | None:
    """Return the pairs of open questions, by number, and whether the run may show both together.

    None if the run has no entry, hides nothing, or its entry is of a release that did not record them. At an
    interim look all pairs wait, and none is recorded.
    """
    entry = entry_of(run)
    if entry is None or "crossed" not in entry.decision:
        return None
    pairs = combinations(entry.decision["crossed"], 2)
    return {pair: shown == "1" for pair, shown in zip(pairs, entry.decision["shown"], strict=True)}


def is_of_the_ledger(run: Run) -> bool:
    """Whether all that a run stored may be shown: the ledger decided on it, or its people are simulated."""
    return is_exempt(run.survey) or entry_of(run) is not None


def floor_of(run: Run) -> OpenFloor:
    """Return what the figures of a run may show of open answers.

    Notes
    -----
    A run without an entry ended before there was a ledger. Its rows were not checked by the present rule, so
    it shows no cross and, unless it is final, no open question at all. A new run shows what can be shown.
    """
    if run.survey.practice:
        return SHOW_ALL
    entry = entry_of(run)
    if entry is None and run.survey.known_truth is not None:
        return OpenFloor(least=LEAST_PROFILE)
    if entry is None:
        questions = None if combines(run) else frozenset[int]()
        return replace(_interim(run.design, questions), withheld=frozenset(_exact_items(run.design)))
    if entry.final:
        return _final(run)
    return _interim(run.design, frozenset(int(number) for number in entry.decision["open"]))


def _final(run: Run) -> OpenFloor:
    return OpenFloor(least=LEAST_PROFILE, withheld=frozenset(_withheld(run)))


def _interim(design: Design, questions: frozenset[int] | None) -> OpenFloor:
    return OpenFloor(
        least=LEAST_PROFILE, crosses=False, questions=questions, withheld=frozenset(_exact_items(design))
    )


def _exact_items(design: Design) -> Iterator[int]:
    """Yield the items of open numbers and of maps with exact places."""
    numbers = {*open_numbers(design)}
    for item in design.items:
        if item.question in numbers or is_exact_map(design, item.question):
            yield item.index


def _withheld(run: Run) -> Iterator[int]:
    """Yield the declared ranges of open numbers that are not a union of bars."""
    design = run.design
    for number in open_numbers(design):
        bars = stored_bars(run, number)
        size = design.questions[number].disguise.inputs  # type: ignore[union-attr]  # it is a number
        for item in design.items:
            if item.question != number:
                continue
            if bars is None or not is_union(bars, span_of(design, item.index), size):
                yield item.index


def decide(
    run: Run,
    counts: CountCache,
    *,
    now: datetime,
    people_by_bin: Callable[[int], Whole],
    counts_of: Callable[[Run], CountCache],
) -> OpenFloor:
    """Decide what a run may show of open answers, and store the decision; return a stored one unchanged.

    Parameters
    ----------
    run : Run
    counts : CountCache
        Counts of the run's rows.
    now : datetime
    people_by_bin : callable
        Returns the number of people by bin for an open number of the run.
    counts_of : callable
        Returns the counts of an earlier run's rows. It is called for runs without an entry, because they may
        have shown every open question.
    """
    if entry_of(run) is None:
        final = combines(run)
        if final and not run.survey.practice:
            make_bars(run, people_by_bin, now=now)
        # Chapters have answers of their own; figures of all of them together name no open question.
        answer_rows = {} if final or standing_of(run).has_chapters else _shown(run, counts, counts_of)
        pairs = {} if run.survey.practice or not final else crossed_pairs(counts, run.design, _final(run))
        family = rule_family(run.design, run.thresholds.sides, run.thresholds.max_size, ordered=False)
        LedgerEntry.objects.get_or_create(
            run_number=run.pk,
            defaults={
                "survey": run.survey,
                "design_id": run.design_id,
                "snapshot_digest": run.snapshot_digest,
                "n": run.n or 0,
                "final": final,
                "decision": {
                    "family": family.total,
                    "open": {str(number): answer_rows[number].tolist() for number in answer_rows},
                    "crossed": sorted({number for pair in pairs for number in pair}),
                    "shown": "".join(str(int(pairs[pair])) for pair in sorted(pairs)),
                },
                "at": now,
            },
        )
    return floor_of(run)


def _open_questions(design: Design) -> list[int]:
    """Return the open questions that an interim run may name: not numbers, and asked of everyone."""
    return [
        number
        for number, question in enumerate(design.questions)
        if not design.blocks[design.block_of(number)].protected
        and not question.is_scale
        and design.blocks[design.block_of(number)].asked_if is None
    ]


def _shown(run: Run, counts: CountCache, counts_of: Callable[[Run], CountCache]) -> dict[int, Whole]:
    """Return the counts of the open questions that an interim run may show."""
    design = run.design
    answer_rows = {number: answer_counts(counts, design, number) for number in _open_questions(design)}
    answer_rows = {number: rows for number, rows in answer_rows.items() if has_enough(rows, LEAST_PROFILE)}
    for earlier in _earlier(run, counts_of):
        answer_rows = {
            number: rows
            for number, rows in answer_rows.items()
            if number not in earlier or has_enough(rows - earlier[number], LEAST_PROFILE)
        }
    return answer_rows


def _earlier(run: Run, counts_of: Callable[[Run], CountCache]) -> Iterator[dict[int, Whole]]:
    """Yield the counts that each earlier run on other rows of the design may have shown, by open question."""
    alike = {"survey": run.survey_id, "design_id": run.design_id}
    runs = Run.objects.filter(**alike, pk__lt=run.pk).exclude(snapshot_digest=run.snapshot_digest)
    over = set(runs.filter(job__state__in=OVER_WITHOUT_RESULT).values_list("pk", flat=True))
    entries = LedgerEntry.objects.filter(**alike, run_number__lt=run.pk)
    seen: set[int] = set()
    for entry in entries.exclude(snapshot_digest=run.snapshot_digest):
        seen.add(entry.run_number)
        if entry.run_number not in over:
            yield {int(number): np.array(rows) for number, rows in entry.decision["open"].items()}
    digests: set[str] = set()
    for earlier in runs.exclude(pk__in=seen | over).select_related("survey", "version"):
        if earlier.snapshot_digest not in digests:
            digests.add(earlier.snapshot_digest)
            cache = counts_of(earlier)
            yield {number: answer_counts(cache, run.design, number) for number in _open_questions(run.design)}
