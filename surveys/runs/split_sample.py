"""A run on a split sample: rules are found in one random half of the rows and tested in the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypedDict

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.inference import Families
from mining.open_crosses import disguised_rows
from mining.pipeline import MiningResult, mine
from mining.progress import ProgressListener
from mining.split_sample import families_listed, measured_again
from mining.thresholds import Thresholds
from surveys.errors.error import SurveyError
from surveys.policy import LEAST_PROTECTED
from surveys.rows.columns import split_sample, split_seed
from surveys.rows.disclosure import rounded_count


@dataclass(frozen=True, kw_only=True, eq=False)
class SplitSample:
    """Rules found in the exploration half, measured in the holdout half.

    Attributes
    ----------
    result : MiningResult
        Its figures are of the second half.
    count_cache : CountCache
        Of the second half.
    families : Families
        What the first half listed.
    record : dict
        Seed, rows of both halves, and how many rules the first listed.
    """

    result: MiningResult
    count_cache: CountCache
    families: Families
    record: dict[str, Any]


class Limits(TypedDict):
    """What counts, what is too few, and what is too much; as `mining.pipeline.mine` takes them."""

    engine: str
    least_protected: int
    least_cross: int
    max_candidates: int


def mine_split_sample(
    matrix: BitMatrix,
    thresholds: Thresholds,
    snapshot_digest: str,
    progress: ProgressListener,
    limits: Limits,
) -> SplitSample | None:
    """Find rules in the exploration half and measure them in the holdout; None for a run on all rows.

    Raises
    ------
    SurveyError
        ``too_few``: a half has too few protected rows for a result.
    """
    if not thresholds.halves:
        return None
    seed, least = split_seed(snapshot_digest), limits["least_protected"]
    first, second = split_sample(matrix, snapshot_digest)
    sizes = [disguised_rows(half.design, half.n_direct, half.n_protected) for half in (first, second)]
    if min(sizes) < least:
        raise SurveyError("too_few.half", rounded_count(sizes[0]), least=LEAST_PROTECTED)
    listing = mine(first, matrix.design, thresholds, progress, **limits)
    count_cache = CountCache(second, progress=progress)
    return SplitSample(
        result=measured_again(
            listing,
            count_cache,
            least_protected=least,
            least_cross=limits["least_cross"],
            progress=progress,
        ),
        count_cache=count_cache,
        families=families_listed(listing),
        record={
            "seed": str(seed),
            "n_listing": first.n,
            "n_testing": second.n,
            "rules_listed": len(listing.rules),
            "itemsets_listed": len(listing.itemsets),
        },
    )
