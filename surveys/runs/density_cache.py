"""A cache of large maps, which workers compute and pages read."""

from __future__ import annotations

import contextlib
import logging
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from django.core.cache import cache

from mining.columns.sent_counts import SentCounts
from privacy.errors import PrivacyError
from privacy.scales.em import Fit
from privacy.scales.planar_density_errors import Spread
from privacy.scales.planar_window import PlanarWindowChannel
from surveys.jobs.dispatch import Task, dispatch
from surveys.jobs.home_files import directory_of, keep_file
from surveys.models import Run
from surveys.runs.interim_or_final import is_exempt
from surveys.runs.map_tiles import is_exact_map
from surveys.runs.places import Density, drawn_density, made_density
from surveys.runs.scale_question import ScaleQuestion, seed_of, sent_in

logger = logging.getLogger(__name__)

LARGE: Final = 1_000
"""Errors of a map with more cells take seconds: a worker computes them, and no request waits for them."""

_FORMAT: Final = 3
"""Increase it when maps are computed differently, so that older files are ignored."""

_MOST_KEPT: Final = 8
"""Files kept for one question; maps of earlier snapshots are computed again on request."""

SECONDS_UNTIL_SENT_AGAIN: Final = 300
"""A worker needs half a minute for a large map. After this time, the next reader sends a lost task again."""


def density_of(scale: ScaleQuestion) -> Density:
    """Return the map of a place question; a large map has no errors until a worker has computed them."""
    windows = cast("PlanarWindowChannel", scale.question.disguise)
    path = _path(scale.run, scale.number)
    density = _read(path, windows)
    # A map with exact places is shown with its final cells or not at all.
    is_final_only = is_exact_map(scale.run.design, scale.number) and not is_exempt(scale.run.survey)
    if density is None and (windows.inputs <= LARGE or is_final_only):
        density = made_density(windows, scale.reports, seed=scale.seed)
        _write(path, density)
    if density is not None:
        return density
    _request_density(path, scale.run.pk, scale.number)
    return _map_density(windows, scale.reports)


def store_density(run_id: int, number: int) -> None:
    """Reconstruct a map with its errors and store it, unless it is stored already."""
    run = Run.objects.select_related("survey", "version").get(pk=run_id)
    question = run.version.to_design().questions[number]
    windows, counts = cast("PlanarWindowChannel", question.disguise), sent_in(run, number)
    path = _path(run, number)
    if _read(path, windows) is None:
        _write(path, made_density(windows, counts, seed=seed_of(run, question.key)))


def store_large_densities(job_id: int) -> None:
    """Reconstruct the large maps of a finished run before a page requests them."""
    run = Run.objects.select_related("version", "job").get(job=job_id)
    if run.job.state != run.job.State.FINISHED:
        return
    for number, question in enumerate(run.version.to_design().questions):
        if question.is_map and question.disguise is not None and question.disguise.inputs > LARGE:
            try:
                store_density(run.pk, number)
            except PrivacyError as error:
                # The page shows the reason.
                logger.warning("run %s has no map of %s: %s", run.pk, question.key, error)


@lru_cache(maxsize=8)
def _map_density(windows: PlanarWindowChannel, reports: SentCounts) -> Density:
    return drawn_density(windows, reports)


def _request_density(path: Path, run_id: int, number: int) -> None:
    if cache.add(str(path), True, SECONDS_UNTIL_SENT_AGAIN) and not dispatch(Task.KEEP_MAP, run_id, number):
        cache.delete(str(path))


def _path(run: Run, number: int) -> Path:
    name = f"map{_FORMAT}-{number}-{run.snapshot_digest[:32]}.npz"
    return directory_of(run.survey_id, run.version.to_design()) / name


def _read(path: Path, windows: PlanarWindowChannel) -> Density | None:
    try:
        with np.load(path) as archive:
            shares = archive["shares"]
            by_side = tuple(archive[f"side{position}"] for position in range(int(archive["sides"])))
            steps, replicates = (int(number) for number in archive["numbers"])
            fit = Fit(
                shares=shares,
                steps=steps,
                gain=float(archive["gain"]),
                reason="gain" if bool(archive["gained"]) else "steps",
            )
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, EOFError):
        return None
    if shares.shape != (windows.area.rows, windows.area.columns):
        return None
    return Density(fit=fit, spread=Spread(by_side=by_side, replicates=replicates))


def _write(path: Path, density: Density) -> None:
    document: dict[str, Any] = {
        "shares": density.fit.shares,
        "gain": density.fit.gain,
        "gained": density.fit.reason == "gain",
        "numbers": [density.fit.steps, density.spread.replicates],
        "sides": len(density.spread.by_side),
    }
    document |= {f"side{position}": table for position, table in enumerate(density.spread.by_side)}
    keep_file(path, lambda file: np.savez(file, **document))
    _delete_old(path)


def _delete_old(path: Path) -> None:
    """Delete all but the newest maps of the same question."""
    alike = path.parent.glob(path.name.rpartition("-")[0] + "-*.npz")
    with contextlib.suppress(OSError):
        for old in sorted(alike, key=lambda path: path.stat().st_mtime)[:-_MOST_KEPT]:
            old.unlink(missing_ok=True)
