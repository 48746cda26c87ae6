import pytest

from surveys.jobs.dispatch import Task
from surveys.runs import density_cache
from surveys.runs.density_task import keep_map


def test_the_task_stores_the_map_that_a_report_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    stored: list[tuple[int, int]] = []
    monkeypatch.setattr(density_cache, "store_density", lambda *given: stored.append(given))
    keep_map(4, 5)
    assert stored == [(4, 5)]
    assert keep_map.name == Task.KEEP_MAP.value
