"""A rule over parts of numbers and places, measured in the rows of a run, and what of it may be told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final, cast

import numpy as np

from mining.columns.joined_counts import counted_rows
from mining.open_crosses import large_crosses
from privacy.channels.planar_window import Region, Windows
from privacy.estimation import asked, pattern_terms, patterns
from privacy.estimation.composed_parts import Side, factors_of
from privacy.estimation.composed_rules import measure_joined
from privacy.estimation.measures import RuleMeasures
from privacy.policy import LEAST_PROFILE, LEAST_PROTECTED
from privacy.survey.design import Design
from privacy.survey.layout import Layout
from surveys.analysis.run_summary import shown_of
from surveys.analysis.scales.place_estimates import is_exact_in
from surveys.disclosure.disclosure import Disclosure, disclosure
from surveys.disclosure.redisguise import disguised_here
from surveys.disclosure.releasable_rows import releasable_rows
from surveys.errors.error import SurveyError
from surveys.models import Run
from surveys.snapshots.columns import rows_of
from surveys.snapshots.snapshot import batches_of

__all__ = ["joined_measures"]

_DIRECT_BIT: Final = 0x80
_ROUNDING: Final = 1e-9


def joined_measures(run: Run, antecedent: Side, consequent: Side) -> tuple[RuleMeasures, Disclosure]:
    """Return the measures of a rule, and what may be shown of the rows that were asked all of it.

    Raises
    ------
    SurveyError
        ``too_few``: not enough rows, or too few people in one of the figures, direct or exact answers being
        among them; ``profile``: too few people share some of the open answers.
    PrivacyError
        What `privacy.estimation.composed_parts.factors_of` and
        `mining.columns.joined_counts.counted_rows` refuse.
    """
    found = _measured(run.pk, run.snapshot_digest, antecedent, consequent)
    design = run.version.to_design()
    shown = disclosure(
        sends_undisguised=design.sends_undisguised,
        n_direct=found.n_direct,
        n_protected=found.n_protected,
        practice=run.survey.practice,
        settled=run.survey.settled,
    )
    if not shown.results:
        raise SurveyError("too_few.base", least=LEAST_PROTECTED)
    if not run.survey.practice:
        _check_people(found, antecedent, consequent, design)
        _check_profiles(run, antecedent, consequent, design, shown)
    # Where the whole run hides its groups, figures of a part of its rows do not tell them apart either.
    return found, replace(shown, groups=shown.groups and shown_of(run).groups)


@lru_cache(maxsize=64)
def _measured(run_id: int, digest: str, antecedent: Side, consequent: Side) -> RuleMeasures:
    """Measure once: the digest names the rows, and no row of them ever changes."""
    run = Run.objects.select_related("survey", "version").get(pk=run_id, snapshot_digest=digest)
    design = run.version.to_design()
    return measure_joined(
        counted_rows(design, factors_of(antecedent, consequent, design), _rows(run, design))
    )


def _rows(run: Run, design: Design) -> Iterator[bytes]:
    """The rows of a run's snapshot; direct ones that are too few to be told apart are disguised."""
    batches = batches_of(run)
    together = not shown_of(run).groups
    for packed in rows_of(batches.iterator(chunk_size=100)):
        if not together:
            yield packed
            continue
        table = np.frombuffer(packed, dtype=np.uint8).reshape(-1, Layout(design).n_bytes)
        yield table[(table[:, 0] & _DIRECT_BIT) == 0].tobytes()
    if together:
        yield disguised_here(design, batches)


def _check_people(found: RuleMeasures, antecedent: Side, consequent: Side, design: Design) -> None:
    """Refuse to tell of few people where exact places or direct answers are among them."""
    exact = any(
        isinstance(disguise, Windows) and is_exact_in(disguise, cast("Region", part.wanted))
        for side in (antecedent, consequent)
        for part in side.parts
        for disguise in [design.questions[part.question].disguise]
    )
    if not exact and not (design.sends_undisguised and found.n_direct):
        return
    sides = []
    if found.confidence.value > 0:
        sides.append((antecedent, found.support.value / found.confidence.value))
    if found.lift.value > 0:
        sides.append((consequent, found.confidence.value / found.lift.value))
    if min([found.support.value, *(share for _side, share in sides)]) * found.n < LEAST_PROFILE:
        raise SurveyError("too_few.inside", least=LEAST_PROFILE)
    # A part that is nearly everything tells of what is left; one that is everything tells nothing.
    left = [1 - share for side, share in sides if side.parts]
    if any(abs(share) > _ROUNDING and share * found.n < LEAST_PROFILE for share in left):
        raise SurveyError("too_few.outside", least=LEAST_PROFILE)


def _check_profiles(run: Run, antecedent: Side, consequent: Side, design: Design, shown: Disclosure) -> None:
    """Refuse open items of which a combination is given by a few rows only."""
    items = sorted({*antecedent.items, *consequent.items})
    if shown.least_cross:
        tally = releasable_rows(run.version, batches_of(run)).tally()
        if not all(large_crosses(tally, design, [tuple(items)], shown.least_cross)):
            raise SurveyError("profile", least=shown.least_cross)
    own = tuple(item for item in items if not design.blocks[design.items[item].block].protected)
    if not shown.least_profile or not own:
        return
    within = asked(tuple(items), design)
    tally = releasable_rows(run.version, batches_of(run)).tally()
    rows = patterns(tally.need(pattern_terms(own, design, within=within)), own, design, within=within)
    counts = np.rint(rows.observed_share * rows.n)
    if ((counts > 0) & (counts < shown.least_profile)).any():
        raise SurveyError("profile", least=shown.least_profile)
