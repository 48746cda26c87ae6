import logging

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path


def fail(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("planted fault")


def busy(request: HttpRequest) -> HttpResponse:
    return HttpResponse(status=503)


def wrong(request: HttpRequest) -> HttpResponse:
    return HttpResponse(status=400)


urlpatterns = [path("fail", fail), path("busy", busy), path("wrong", wrong)]


@pytest.mark.urls(__name__)
@pytest.mark.parametrize(("address", "status"), [("/busy", 503), ("/wrong", 400)])
def test_an_answer_given_on_purpose_leaves_no_line(
    address: str, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    assert Client().get(address).status_code == status
    assert caplog.records == []


@pytest.mark.django_db
def test_an_address_that_leads_nowhere_leaves_no_line(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    assert client.get("/en/nowhere").status_code == 404
    assert caplog.records == []


@pytest.mark.urls(__name__)
def test_a_fault_of_ours_is_logged_with_its_trace(caplog: pytest.LogCaptureFixture) -> None:
    assert Client(raise_request_exception=False).get("/fail").status_code == 500
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert record.exc_info is not None
