"""Reading a page with quotas tells of nobody; a page that counts what waits is found out."""

from __future__ import annotations

import pytest

from surveys.models import Batch, Version
from surveys.rows.quota_counts import answer_counts
from tests.attack.quota_poller import PEOPLE, WOMEN, poll_quotas
from tests.cast.waiting import waiting_rows

pytestmark = pytest.mark.django_db(transaction=True)


def women_of_all(version: Version) -> int:
    """Count the women of all that came: waiting, in the newest batch, in others."""
    layout_bytes = version.row_bytes
    packed = b"".join(
        [*waiting_rows(version), *(bytes(b.packed) for b in Batch.objects.filter(version=version))]
    )
    return answer_counts(packed, layout_bytes, 1, 1)[0]


@pytest.mark.soak
def test_two_pages_differ_only_once_the_batch_with_the_other_answer_is_open() -> None:
    for victim in (PEOPLE - 1, 40):
        found = poll_quotas(victim, seed=1)
        assert (found.looks, found.too_early) == (PEOPLE + 1, 0)
        assert found.differ_at_end
    # The second one's row was opened while others still came.
    assert found.opened > 1


@pytest.mark.soak
def test_a_page_that_says_full_at_once_is_found_out() -> None:
    found = poll_quotas(PEOPLE - 1, seed=2, page=lambda version: women_of_all(version) >= WOMEN)
    assert found.too_early == 1
