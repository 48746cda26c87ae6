"""A rule over parts of numbers and places: its releasable measures in the rows of a run."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, cast

from mining.columns.joined_counts import counted_rows
from mining.open_crosses import large_crosses
from privacy.estimation.composed_parts import Side, factors_of
from privacy.estimation.composed_rules import measure_joined
from privacy.estimation.measures import RuleMeasures
from privacy.scales.planar_window import PlanarWindowChannel, Region
from privacy.survey.design import Design
from surveys.errors.error import SurveyError
from surveys.figures.scales.place_estimates import is_exact_in
from surveys.models import Run
from surveys.policy import LEAST_PROFILE, LEAST_PROTECTED
from surveys.rows.releasable_rows import packed_rows, releasable_design, releasable_rows
from surveys.rows.snapshot import batches_of

__all__ = ["joined_measures"]

_ROUNDING: Final = 1e-9


def joined_measures(run: Run, antecedent: Side, consequent: Side) -> RuleMeasures:
    """Return the measures of a rule.

    Raises
    ------
    SurveyError
        ``too_few``: not enough rows, or too few people in one of the figures, exact places being among them;
        ``profile``: too few people share some of the open answers.
    PrivacyError
        What `privacy.estimation.composed_parts.factors_of` and
        `mining.columns.joined_counts.counted_rows` refuse.
    """
    measures = _measured(run.pk, run.snapshot_digest, antecedent, consequent)
    if run.survey.practice:
        return measures
    if measures.n < LEAST_PROTECTED:
        raise SurveyError("too_few.base", least=LEAST_PROTECTED)
    _check_people(measures, antecedent, consequent, run.version.to_design())
    items = tuple(sorted({*antecedent.items, *consequent.items}))
    rows = releasable_rows(run.version, batches_of(run))
    least = rows.shown.least_cross
    parts = [part.question for side in (antecedent, consequent) for part in side.parts]
    if not all(large_crosses(rows.count_cache(), rows.matrix.design, [items], least, beside=parts)):
        raise SurveyError("profile", least=least)
    return measures


@lru_cache(maxsize=64)
def _measured(run_id: int, digest: str, antecedent: Side, consequent: Side) -> RuleMeasures:
    """Measure once: the digest names the rows, and no row of them ever changes."""
    run = Run.objects.select_related("survey", "version").get(pk=run_id, snapshot_digest=digest)
    design = releasable_design(run.version)
    batches = batches_of(run)
    all_rows = design.rotates and releasable_rows(run.version, batches).count_cache().all_rows
    factors = factors_of(antecedent, consequent, design)
    return measure_joined(counted_rows(design, factors, packed_rows(run.version, batches), all_rows=all_rows))


def _check_people(measures: RuleMeasures, antecedent: Side, consequent: Side, design: Design) -> None:
    """Refuse small counts where exact places are among them."""
    exact = any(
        isinstance(disguise, PlanarWindowChannel) and is_exact_in(disguise, cast("Region", part.wanted))
        for side in (antecedent, consequent)
        for part in side.parts
        for disguise in [design.questions[part.question].disguise]
    )
    if not exact:
        return
    sides = []
    if measures.confidence.value > 0:
        sides.append((antecedent, measures.support.value / measures.confidence.value))
    if measures.lift.value > 0:
        sides.append((consequent, measures.confidence.value / measures.lift.value))
    if min([measures.support.value, *(share for _side, share in sides)]) * measures.n < LEAST_PROFILE:
        raise SurveyError("too_few.inside", least=LEAST_PROFILE)
    # A part that is nearly everything tells of what is left; one that is everything tells nothing.
    left = [1 - share for side, share in sides if side.parts]
    if any(abs(share) > _ROUNDING and share * measures.n < LEAST_PROFILE for share in left):
        raise SurveyError("too_few.outside", least=LEAST_PROFILE)
