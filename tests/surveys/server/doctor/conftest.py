from dataclasses import replace

import pytest
from django.utils import timezone

from surveys.server import clock_problem
from surveys.server.doctor.diagnosis import Check, CheckContext, Diagnosis, Severity


class Doctor:
    """Runs one check at a time."""

    def __init__(self) -> None:
        self.context = CheckContext(address="http://127.0.0.1:1", client_digest=None, now=timezone.now())

    def finds(self, check: Check, **changes: object) -> list[Diagnosis]:
        """Return the check's findings; assert that each problem has a remedy."""
        context = replace(self.context, **changes)  # type: ignore[arg-type] - names of its fields
        found = list(check(context))
        assert found
        for finding in found:
            assert bool(finding.remedy) == (finding.level is not Severity.OK), finding
            assert finding.promise
            assert finding.seen
        return found

    def level(self, check: Check, **changes: object) -> Severity:
        """Return the worst level of the check's findings."""
        return max(finding.level for finding in self.finds(check, **changes))

    def seen(self, check: Check, **changes: object) -> str:
        """Return what the check observed in its findings with problems."""
        return "; ".join(f.seen for f in self.finds(check, **changes) if f.level is not Severity.OK)


@pytest.fixture(autouse=True)
def _wait_for_no_sweeper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for another round of a sweeper that seems late."""
    monkeypatch.setattr(clock_problem, "SECONDS_TO_MOVE", 0.0)


@pytest.fixture
def doctor() -> Doctor:
    return Doctor()
