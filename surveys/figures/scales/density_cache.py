"""The reconstructed map of a snapshot: made once, and kept beside the columns of its rows.

A map and its errors follow from the rows and the design alone, so a file of them can be thrown away at any
time, and one that cannot be read counts as absent and is made again. The errors of a large map take a worker
half a minute: until then a reader sees the map, and that its errors are on their way.
"""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from django.core.cache import cache

from mining.columns.scale_counts import SentCounts
from privacy.errors import PrivacyError
from privacy.scales.density_bootstrap import Spread
from privacy.scales.em import Fit
from privacy.scales.planar_window import PlanarWindowChannel
from surveys.figures.scales.place_estimates import Density, drawn_density, made_density
from surveys.figures.scales.question import ScaleQuestion, seed_of, sent_in
from surveys.jobs.dispatch import Task, dispatch
from surveys.models import Run
from surveys.rows.directories import directory_of

__all__ = ["LARGE", "density_of", "store_density", "store_large_densities"]

logger = logging.getLogger(__name__)

LARGE: Final = 1_000
"""Cells of a map whose errors take seconds: a worker computes them, and no request waits for them."""

_FORMAT: Final = 2
"""Goes up when maps are made otherwise: older files are then not read."""

_MOST_KEPT: Final = 8
"""Files of one question; those of earlier snapshots are made again when somebody looks."""

_MOST_HELD: Final = 8
_held: dict[Path, Density] = {}
"""Maps as they were read from files, whose names say what is in them; one of a million cells takes 20 MB."""

SECONDS_UNTIL_SENT_AGAIN: Final = 300
"""A worker takes half a minute for a large map. A lost task is sent again at the next reading after this."""


def density_of(scale: ScaleQuestion, *, smooth: bool) -> Density:
    """Return the map of a place question; of a large one without errors while a worker makes them."""
    windows = cast("PlanarWindowChannel", scale.question.disguise)
    path = _path(scale.run, scale.number, smooth=smooth)
    density = _held.get(path) or _read(path, windows)
    if density is None and windows.inputs <= LARGE:
        density = made_density(windows, scale.sent, smooth=smooth, seed=scale.seed)
        _write(path, density)
    if density is not None:
        return _hold(path, density)
    _ask_for(path, scale.run.pk, scale.number, smooth=smooth)
    return _drawn(windows, scale.sent, smooth=smooth)


def store_density(run_id: int, number: int, *, smooth: bool) -> None:
    """Reconstruct a map with its errors and store it, unless it is there."""
    run = Run.objects.select_related("survey", "version").get(pk=run_id)
    question = run.version.to_design().questions[number]
    windows, sent = cast("PlanarWindowChannel", question.disguise), sent_in(run, number)
    path = _path(run, number, smooth=smooth)
    if _read(path, windows) is None:
        _write(path, made_density(windows, sent, smooth=smooth, seed=seed_of(run, question.key)))


def store_large_densities(job_id: int) -> None:
    """Reconstruct the large maps of a finished run before a page requests them."""
    run = Run.objects.select_related("version", "job").get(job=job_id)
    if run.job.state != run.job.State.FINISHED:
        return
    for number, question in enumerate(run.version.to_design().questions):
        if question.kind == "place" and question.disguise is not None and question.disguise.inputs > LARGE:
            try:
                store_density(run.pk, number, smooth=False)
            except PrivacyError as error:
                # The page says what is in the way.
                logger.warning("run %s has no map of %s: %s", run.pk, question.key, error)


@lru_cache(maxsize=8)
def _drawn(windows: PlanarWindowChannel, sent: SentCounts, *, smooth: bool) -> Density:
    return drawn_density(windows, sent, smooth=smooth)


def _hold(path: Path, density: Density) -> Density:
    if len(_held) >= _MOST_HELD and path not in _held:
        _held.pop(next(iter(_held)))
    _held[path] = density
    return density


def _ask_for(path: Path, run_id: int, number: int, *, smooth: bool) -> None:
    if cache.add(str(path), True, SECONDS_UNTIL_SENT_AGAIN) and not dispatch(
        Task.KEEP_MAP, run_id, number, smooth
    ):
        cache.delete(str(path))


def _path(run: Run, number: int, *, smooth: bool) -> Path:
    kind = "smooth" if smooth else "plain"
    name = f"map{_FORMAT}-{number}-{kind}-{run.snapshot_digest[:32]}.npz"
    return directory_of(run.survey_id, run.version.to_design()) / name


def _read(path: Path, windows: PlanarWindowChannel) -> Density | None:
    try:
        with np.load(path) as held:
            shares = held["shares"]
            by_side = tuple(held[f"side{position}"] for position in range(int(held["sides"])))
            steps, replicates = (int(number) for number in held["numbers"])
            fit = Fit(
                shares=shares,
                steps=steps,
                gain=float(held["gain"]),
                reason="gain" if bool(held["gained"]) else "steps",
            )
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, EOFError):
        return None
    if shares.shape != (windows.area.rows, windows.area.columns):
        return None
    return Density(fit=fit, spread=Spread(by_side=by_side, replicates=replicates))


def _write(path: Path, density: Density) -> None:
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    document: dict[str, Any] = {
        "shares": density.fit.shares,
        "gain": density.fit.gain,
        "gained": density.fit.reason == "gain",
        "numbers": [density.fit.steps, density.spread.replicates],
        "sides": len(density.spread.by_side),
    }
    document |= {f"side{position}": table for position, table in enumerate(density.spread.by_side)}
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(draft, "xb", opener=_owners_only) as file:
            np.savez(file, **document)
        draft.replace(path)
        _clear_out(path)
    except OSError as error:
        # A disk that is full or not ours only costs time later.
        logger.warning("a map cannot be kept in %s: %s", path.parent, error)
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def _clear_out(path: Path) -> None:
    """Remove maps of the same question that were made long before this one."""
    alike = path.parent.glob(path.name.rpartition("-")[0] + "-*.npz")
    for old in sorted(alike, key=lambda path: path.stat().st_mtime)[:-_MOST_KEPT]:
        old.unlink(missing_ok=True)


def _owners_only(path: str, flags: int) -> int:
    return os.open(path, flags, mode=0o600)
