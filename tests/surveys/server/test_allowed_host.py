import pytest
from pytest_django import Settings

from surveys.server.allowed_host import allowed_host


@pytest.mark.slow
@pytest.mark.parametrize(
    ("allowed", "header"),
    [(["localhost"], "localhost"), (["*"], "localhost"), ([".example.org"], "example.org")],
)
def test_requests_to_oneself_use_an_allowed_host_name(
    allowed: list[str], header: str, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = allowed
    assert allowed_host() == header
