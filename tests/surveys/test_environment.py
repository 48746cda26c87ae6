from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from surveys.environment import env_frame_origin

pytestmark = pytest.mark.django_db


HERE, FRAMES = "testserver", "frames.example"


@pytest.fixture(autouse=True)
def two_names(settings: Any) -> None:
    settings.ALLOWED_HOSTS = [HERE, FRAMES]
    settings.SOTTOVOCE_FRAME_HOSTS, settings.SOTTOVOCE_FRAME_ORIGIN = [f"http://{HERE}"], f"http://{FRAMES}"


@pytest.mark.parametrize(
    "named", ["https://tool.example", "https://page.example", "https://a.example,https://b.example"]
)
def test_a_frame_origin_shared_with_surveys_or_tools_stops_startup(
    named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOTTOVOCE_FRAME_ORIGIN", named)
    with pytest.raises(ImproperlyConfigured, match="no survey is answered and no survey tool runs"):
        env_frame_origin(["https://tool.example"], ["https://page.example"])
