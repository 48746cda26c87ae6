"""Maps are kept in files; damaged ones are made again, lost tasks sent again, and old files deleted."""

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pytest_django import Settings

from privacy.errors import PrivacyError
from privacy.scales.em import Fit
from privacy.scales.planar_density_errors import Spread
from surveys.celery import app as celery
from surveys.models import Run
from surveys.runs import density_cache
from surveys.runs.density_cache import density_of
from surveys.runs.places import Density
from surveys.runs.scale_question import ScaleQuestion, scale_of
from tests.fixtures.runs import SINGLES, mined_run
from tests.fixtures.scale_runs import scale_answered

pytestmark = pytest.mark.django_db


def asked_in(run: Run) -> ScaleQuestion:
    return scale_of(run, "care", "place")


def test_maps_are_cached_and_damaged_cache_files_are_rebuilt(settings: Settings, tmp_path: Path) -> None:
    asked = asked_in(mined_run(scale_answered(600), SINGLES))
    settings.SOTTOVOCE_HOME = tmp_path
    made = density_of(asked)
    (path,) = tmp_path.glob("columns/*/map*.npz")
    kept = density_of(asked)
    assert kept is not made
    assert np.array_equal(kept.fit.shares, made.fit.shares)
    assert (kept.fit.steps, kept.fit.reason) == (made.fit.steps, made.fit.reason)
    assert all(map(np.array_equal, kept.spread.by_side, made.spread.by_side))
    path.write_bytes(path.read_bytes()[:-100])
    assert np.array_equal(density_of(asked).fit.shares, made.fit.shares)


def test_a_lost_map_task_is_sent_again(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path
) -> None:
    asked = asked_in(mined_run(scale_answered(600, practice=True), SINGLES))
    settings.SOTTOVOCE_HOME = tmp_path
    monkeypatch.setattr(density_cache, "LARGE", 10)
    monkeypatch.setattr(density_cache, "SECONDS_UNTIL_SENT_AGAIN", 0)
    sent: list[tuple[int, int]] = []
    monkeypatch.setattr(celery, "send_task", lambda _name, arguments, **_: sent.append(arguments))
    for _ in range(2):
        density_of(asked)
    assert sent == [(asked.run.pk, asked.number)] * 2


def test_large_maps_are_stored_and_failures_are_tolerated(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run = mined_run(scale_answered(600), SINGLES)
    settings.SOTTOVOCE_HOME = tmp_path
    monkeypatch.setattr(density_cache, "LARGE", 10)
    density_cache.store_large_densities(run.job_id)
    (path,) = tmp_path.glob("columns/*/map*.npz")
    path.unlink()

    def refuses(*_given: object, **_named: object) -> None:
        raise PrivacyError("no_rows", 0)

    monkeypatch.setattr(density_cache, "made_density", refuses)
    density_cache.store_large_densities(run.job_id)
    assert not list(tmp_path.glob("columns/*/map*.npz"))
    assert f"run {run.pk} has no map of care: " in caplog.text


def density(shape: tuple[int, int], *, gained: bool) -> Density:
    shares = np.arange(shape[0] * shape[1], dtype=float).reshape(shape)
    fit = Fit(shares=shares, steps=7, gain=0.25, reason="gain" if gained else "steps")
    return Density(fit=fit, spread=Spread(by_side=(shares / 2, shares[:1]), replicates=9))


@pytest.mark.parametrize("gained", [False, True])
def test_a_map_survives_its_file(tmp_path: Path, gained: bool) -> None:
    class Windows:
        class area:  # stands for an attribute
            rows, columns = 2, 3

    path, made = tmp_path / "map3-1-abc.npz", density((2, 3), gained=gained)
    density_cache._write(path, made)
    kept = density_cache._read(path, Windows)  # type: ignore[arg-type]
    assert kept is not None
    assert (kept.fit.steps, kept.fit.gain, kept.fit.reason) == (7, 0.25, made.fit.reason)
    assert kept.spread.replicates == 9
    assert [table.tolist() for table in kept.spread.by_side] == [[[0, 0.5, 1], [1.5, 2, 2.5]], [[0, 1, 2]]]
    # A file of another map, and no file, are no maps of this question.
    density_cache._write(path, density((3, 2), gained=gained))
    assert density_cache._read(path, Windows) is None  # type: ignore[arg-type]
    assert density_cache._read(tmp_path / "none.npz", Windows) is None  # type: ignore[arg-type]


def test_the_eight_newest_maps_of_a_question_are_kept(tmp_path: Path) -> None:
    for age in range(10):
        for name in (f"map3-1-{age}.npz", f"map3-2-{age}.npz"):
            (tmp_path / name).write_bytes(b"")
            os.utime(tmp_path / name, (1_000 - age, 1_000 - age))
    density_cache._delete_old(tmp_path / "map3-1-new.npz")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *(f"map3-1-{age}.npz" for age in range(8)),
        *(f"map3-2-{age}.npz" for age in range(10)),
    ]


@pytest.mark.parametrize("sent", [False, True])
def test_a_map_is_requested_again_only_if_the_request_was_lost(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sent: bool
) -> None:
    requests: list[tuple[object, ...]] = []
    monkeypatch.setattr(density_cache, "dispatch", lambda *task: requests.append(task) or sent)
    for _ in range(2):
        density_cache._request_density(tmp_path / f"map-{sent}.npz", 4, 5)
    assert requests == [(density_cache.Task.KEEP_MAP, 4, 5)] * (1 if sent else 2)


def test_only_finished_runs_store_their_maps(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path
) -> None:
    run = mined_run(scale_answered(600), SINGLES)
    settings.SOTTOVOCE_HOME = tmp_path
    stored: list[tuple[int, int]] = []
    monkeypatch.setattr(density_cache, "store_density", lambda *task: stored.append(task))
    cells = asked_in(run).question.disguise.inputs  # type: ignore[union-attr]
    monkeypatch.setattr(density_cache, "LARGE", cells)
    density_cache.store_large_densities(run.job_id)
    assert stored == []
    monkeypatch.setattr(density_cache, "LARGE", cells - 1)
    density_cache.store_large_densities(run.job_id)
    assert stored == [(run.pk, asked_in(run).number)]
    type(run.job).objects.update(state=run.job.State.RUNNING)
    density_cache.store_large_densities(run.job_id)
    assert len(stored) == 1


@pytest.mark.parametrize(
    ("cells", "is_exact", "is_exempt", "kept", "found", "did"),
    [
        (1_000, False, False, None, "made", ["write made"]),
        (1_001, False, False, None, "drawn", ["request 4 5"]),
        # Exact places are shown with their final cells, unless the respondents are simulated.
        (1_001, True, False, None, "made", ["write made"]),
        (1_001, True, True, None, "drawn", ["request 4 5"]),
        (1_001, True, False, "kept", "kept", []),
    ],
)
def test_only_large_maps_are_left_to_a_worker(
    cells: int,
    is_exact: bool,
    is_exempt: bool,
    kept: str | None,
    found: str,
    did: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []
    for name, replacement in {
        "_path": lambda *_given: "path",
        "_read": lambda *_given: kept,
        "_write": lambda _path, made: done.append(f"write {made}"),
        "_request_density": lambda _path, run, number: done.append(f"request {run} {number}"),
        "_map_density": lambda *_given: "drawn",
        "made_density": lambda *_given, seed: "made" if seed == 3 else "",
        "is_exact_map": lambda _design, _number: is_exact,
        "is_exempt": lambda _survey: is_exempt,
    }.items():
        monkeypatch.setattr(density_cache, name, replacement)
    question = SimpleNamespace(disguise=SimpleNamespace(inputs=cells))
    run = SimpleNamespace(pk=4, design=None, survey=None)
    scale: Any = SimpleNamespace(run=run, number=5, question=question, reports=None, seed=3)
    assert density_of(scale) == found
    assert done == did


def test_writing_a_map_deletes_the_oldest_of_its_question(tmp_path: Path) -> None:
    for age in range(8):
        (tmp_path / f"map3-1-{age}.npz").write_bytes(b"")
        os.utime(tmp_path / f"map3-1-{age}.npz", (-1_000 - age, -1_000 - age))
    density_cache._write(tmp_path / "map3-1-new.npz", density((2, 3), gained=True))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *(f"map3-1-{age}.npz" for age in range(7)), "map3-1-new.npz",
    ]  # fmt: skip
