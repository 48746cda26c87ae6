import re

import pytest
from django.test import Client
from django.urls import reverse

from surveys.accounts.roles import Role
from surveys.formats.page_pictures import figure_id, pictures_in
from surveys.models import Survey
from tests.fixtures.runs import answered_version, mined_run
from tests.fixtures.staff import browser_of, member

pytestmark = pytest.mark.django_db


def test_figures_need_page_permission_and_unknown_ones_are_ignored() -> None:
    owner = member("owner", Role.RESEARCHER)
    run = mined_run(answered_version())
    Survey.objects.filter(pk=run.survey_id).update(owner=owner)
    address = reverse("report:results", args=[run.pk])
    page = browser_of("owner", Role.RESEARCHER).get(address).content.decode()
    title, _drawing = next(pictures_in(page))
    asked = {"figure": f"{figure_id(title)}.svg"}
    assert (
        browser_of("owner", Role.RESEARCHER).get(address, asked)["Content-Type"].startswith("image/svg+xml")
    )
    assert browser_of("rosa", Role.RESEARCHER).get(address, asked).status_code == 404
    assert Client().get(address, asked).status_code == 302
    for wrong in (f"{figure_id('no title')}.svg", "../etc.svg", f"{figure_id(title)}.exe"):
        answer = browser_of("owner", Role.RESEARCHER).get(address, {"figure": wrong})
        # The page ignores names that no figure can have, like an unknown parameter.
        assert answer.status_code == (404 if re.fullmatch(r"[0-9a-f]{12}\.svg", wrong) else 200)
        assert answer["Content-Type"].startswith("text/html")
