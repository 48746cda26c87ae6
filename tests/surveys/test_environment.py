import pytest
from django.core.exceptions import ImproperlyConfigured

from surveys.environment import env_frame_origin


@pytest.mark.parametrize(
    "named", ["https://tool.example", "https://page.example", "https://a.example,https://b.example"]
)
def test_a_frame_origin_shared_with_surveys_or_tools_stops_startup(
    named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOTTOVOCE_FRAME_ORIGIN", named)
    with pytest.raises(ImproperlyConfigured, match="no survey is answered and no survey tool runs"):
        env_frame_origin(["https://tool.example"], ["https://page.example"])
