"""Which pages may show a frame."""

import pytest

from surveys.embed.frame_hosts import Around
from surveys.errors.error import SurveyError


@pytest.mark.parametrize(
    "host",
    ["", "*", "survey.example", "https://survey.example/", "https://Survey.example", "https://*.example",
     "https://survey.example:443", "ftp://survey.example", "https://survey.example; script-src *"],
)  # fmt: skip
def test_hosts_must_be_single_origins(host: str) -> None:
    with pytest.raises(SurveyError, match="is not an origin"):
        Around(hosts=(host,))


def test_frames_need_at_least_one_host() -> None:
    with pytest.raises(SurveyError, match="no website is allowed to show"):
        Around(hosts=())


@pytest.mark.parametrize("site", ["example", "co.uk", "com.cn", "github.io", "uni.example/", "*.uni.example"])
def test_sites_without_a_single_owner_are_rejected(site: str) -> None:
    with pytest.raises(SurveyError, match="single owner"):
        Around(hosts=("https://a.uni.example",), site=site)
