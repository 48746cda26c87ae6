"""Addresses that share a page: their tokens, and when they end."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from surveys.accounts.page_sharing import page_share
from surveys.accounts.shared_pages import shared_by
from surveys.accounts.tokens import TOKEN_BYTES
from surveys.models import Run, SharedPage
from tests.fixtures.runs import answered_version, mined_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    return mined_run(answered_version(800, n_direct=0, policy="protected"))


def shared(run: Run, *, days: int = 7) -> tuple[SharedPage, str]:
    return page_share(run.survey, SharedPage.Kind.RESULTS, run=run, days=days, by="alice", now=timezone.now())


def test_tokens_have_128_bits_and_only_their_digests_are_stored(run: Run) -> None:
    tokens = {shared(run)[1] for _ in range(20)}
    assert len(tokens) == 20
    # 22 base64 characters hold 132 bits, of which the last four are fixed.
    assert {len(token) for token in tokens} == {22}
    assert TOKEN_BYTES == 16
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT * FROM "{table}"')
            kept = repr(cursor.fetchall())
            assert not any(token in kept for token in tokens), table


def test_a_share_link_works_until_its_end(run: Run) -> None:
    made, token = shared(run, days=30)
    assert made.until - made.made_at == timedelta(days=30)
    assert shared_by(token, now=made.until - timedelta(seconds=1)) == made
    assert shared_by(token, now=made.until) is None
