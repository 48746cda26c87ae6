import pytest
from django.db import OperationalError, ProgrammingError
from django.test import Client

from surveys.server.outages import FaultsOnly

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("error", "status"),
    [(OperationalError("unable to open database file"), 503), (ProgrammingError("planted"), 500)],
    ids=["outage", "fault"],
)
def test_an_outage_gives_503_without_a_trace_and_an_error_500_with_one(
    error: Exception, status: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **_named: object) -> None:
        raise error

    monkeypatch.setattr("surveys.respondent.survey_state.client_state", fail)
    answer = Client(raise_request_exception=False).get("/client/surveys/everyday")
    assert answer.status_code == status
    written = [record for record in caplog.records if FaultsOnly().filter(record)]
    if status == 503:
        assert int(answer["Retry-After"]) > 0
        assert b"in a minute" in answer.content
        assert written == []
    else:
        assert [record.name for record in written] == ["django.request"]
