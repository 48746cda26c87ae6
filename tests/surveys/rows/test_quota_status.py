"""The page says which groups are full, by published batches only: in two worlds it is the same page."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from privacy.survey.layout import Layout
from surveys.access.roles import Role
from surveys.intake.inbox import rows_put
from surveys.intake.keys import current_key
from surveys.models import Survey, Version
from surveys.rows import quota_counts
from surveys.rows.quota_counts import quotas_step
from surveys.rows.quota_status import Quotas, quota_status, quotas_now
from tests.cast.devices import closed, published, stored
from tests.cast.staff import member
from tests.cast.waiting import waiting_rows
from tests.surveys.rows.test_quota_counts import rows, with_quotas

pytestmark = pytest.mark.django_db

TO_1, LONGER = 0, 2
QUOTA = 60


def of_group(version: Version, option: int | None, count: int) -> list[bytes]:
    """Return rows of people who give one answer to the question with quotas, the same rows each time."""
    layout = Layout(version.to_design())
    found = []
    for row in rows(version, count):
        record = layout.unpack(row)
        first, *others = record.answers
        found.append(layout.pack(replace(record, answers=((option, *first[1:]), *others))))
    return found


def page_of(version: Version) -> bytes:
    """Return all that says how the survey stands: the page, and the same for clients of others."""
    slug = version.survey.slug
    return b"".join(Client().get(path).content for path in (f"/en/s/{slug}/", f"/client/surveys/{slug}"))


def quotas_of(version: Version) -> Quotas:
    found = quotas_now(Version.objects.select_related("survey").get(pk=version.pk))
    assert found is not None
    return found


def wait(version: Version, waiting: list[bytes]) -> None:
    key = current_key(anew=True)
    assert key is not None
    rows_put(version, waiting, under=key)


class _Undo(Exception):
    pass


def in_world(version: Version, place: str, option: int | None, before: int) -> bytes:
    """Return the page where one person gave this answer, and their row is at this place.

    So many people of the first group are in the batch that is open already, and enough others.
    """
    [row] = of_group(version, option, 1)
    others = of_group(version, LONGER, 100 - before)
    page = b""
    try:
        with transaction.atomic():
            stored(version, [*of_group(version, TO_1, before), *others])
            if place == "waiting":
                stored(version, others[:50])
                wait(version, [row])
            elif place == "newest":
                stored(version, [*others[:49], row])
            else:
                stored(version, [*others[:49], row])
                stored(version, others[:50])
            quotas_step()
            page = page_of(version)
            raise _Undo
    except _Undo:
        return page


@pytest.mark.parametrize("place", ["waiting", "newest"])
def test_one_more_answer_moves_no_byte_of_the_page_until_its_batch_is_open(place: str) -> None:
    version = published(with_quotas({"to-1": QUOTA, "6-on": QUOTA}))
    # Below the edge, at it, and above.
    for before in (QUOTA - 2, QUOTA - 1, QUOTA):
        worlds = {in_world(version, place, option, before) for option in (TO_1, 1, LONGER, None)}
        assert len(worlds) == 1
    # Opened, it fills its group: then there is something to see.
    opened = {option: in_world(version, "opened", option, QUOTA - 1) for option in (TO_1, LONGER)}
    assert b'"years":[0,2]' in opened[TO_1]
    assert b'"years":[2]' in opened[LONGER]


@pytest.mark.parametrize("place", ["waiting", "newest"])
def test_a_server_that_counts_what_waits_is_found_out(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted naive target: the same two worlds differ on its page."""
    version = published(with_quotas({"to-1": QUOTA}))

    def naive(of: Version) -> Any:
        waiting = waiting_rows(of)
        if waiting:
            stored(of, waiting)
        return of.batches.order_by("pk")

    monkeypatch.setattr(quota_counts, "batches_open_to_mining", naive)
    pages = [in_world(version, place, option, QUOTA - 1) for option in (TO_1, LONGER)]
    assert pages[0] != pages[1]


def test_every_state_of_the_counts_says_full_from_the_quota_on_and_over_when_all_are() -> None:
    most = {"sex": {"woman": 2, "man": 1}, "age": {"old": 1}}
    options = {"sex": ("woman", "man"), "age": ("young", "old")}
    for women, men, old in itertools.product(range(4), repeat=3):
        counts = {"sex": {"woman": women, "man": men}, "age": {"young": 9, "old": old}}
        found = Quotas(most=most, options=options, counts=counts)
        assert found.full_options() == {
            "sex": [place for place, full in enumerate((women >= 2, men >= 1)) if full],
            "age": [1] if old >= 1 else [],
        }
        assert found.is_over == (women >= 2 and men >= 1)
    assert Quotas(most=most, options=options, counts=None).full_options() == {"sex": [], "age": []}


def test_no_count_is_told_before_a_hundred_answers_have_results() -> None:
    version = published(with_quotas({"to-1": 50}))
    stored(version, of_group(version, TO_1, 99))
    stored(version, of_group(version, TO_1, 50))
    quotas_step()
    assert quotas_of(version).counts is None
    assert quotas_of(version).full_options() == {"years": []}
    stored(version, of_group(version, TO_1, 50))
    quotas_step()
    assert quotas_of(version).full_options() == {"years": [0]}


def test_who_leaves_the_question_empty_is_of_no_group() -> None:
    version = published(with_quotas({"to-1": 1}, practice=True))
    stored(version, of_group(version, None, 20))
    quotas_step()
    assert quotas_of(version).counts == {"years": {"to-1": 0, "2-5": 0, "6-on": 0}}


def test_a_survey_of_which_all_groups_are_full_says_so_to_everybody_and_still_takes_what_was_sealed() -> None:
    version = published(with_quotas({"to-1": 1, "2-5": 1, "6-on": 1}, practice=True))
    for option in (0, 1, 2):
        assert b'"state":"open"' in page_of(version)
        stored(version, of_group(version, option, 1))
        quotas_step()
    state = Client().get(f"/client/surveys/{version.survey.slug}").json()
    assert (state["state"], state["title"]["en"]) == ("full", "Speaking up at work")
    assert "definition" not in state
    status = quota_status(Survey.objects.get())
    assert status is not None
    assert status.is_over
    assert status.takes_answers


def test_staff_read_how_full_groups_are_and_how_many_may_still_come() -> None:
    version = published(with_quotas({"to-1": QUOTA, "2-5": 70}))
    stored(version, of_group(version, TO_1, 100))
    stored(version, of_group(version, LONGER, 50))
    wait(version, of_group(version, LONGER, 42))
    quotas_step()
    client = Client()
    client.force_login(member("rita", Role.REVIEWER))
    said = client.get(reverse("report:survey", args=[version.survey.slug])).content.decode()
    words = " ".join(re.sub("<[^>]+>", " ", said).split())
    assert "Not counted yet: ≈ 90 answers, of any group." in words
    assert "Less than two years full 100 60" in words
    assert "Two to five years open 0 70" in words
    closed(version)
    status = quota_status(Survey.objects.get())
    assert status is not None
    assert not status.takes_answers


def test_without_quotas_a_page_and_its_wording_say_nothing_of_them() -> None:
    version = published(with_quotas({}))
    assert "quotas" not in str(version.wording)
    assert b'"full"' not in page_of(version)
    assert quota_status(version.survey) is None
