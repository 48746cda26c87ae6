import pytest

from surveys.jobs import queue


@pytest.fixture
def dispatched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the job numbers that would be sent to the broker."""
    numbers: list[int] = []

    def record(job_id: int) -> bool:
        numbers.append(job_id)
        return True

    monkeypatch.setattr(queue, "dispatch_job", record)
    return numbers
