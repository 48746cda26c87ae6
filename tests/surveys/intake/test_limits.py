"""The rate limits and the cap of a survey, and the order of waiting requests."""

import pytest

from surveys.errors.error import SurveyError
from surveys.intake import limits
from surveys.intake.limits import MOST_NETWORKS, Limit, Limiter
from surveys.intake.networks import network_digest
from tests.fixtures.threads import in_parallel


class Receipts:
    """Records how often receipts are counted."""

    def __init__(self, stored: int = 0) -> None:
        self.stored = stored
        self.asked = 0

    def __call__(self, survey_id: int, at_most: int) -> int:
        self.asked += 1
        return min(self.stored, at_most)


def limiter(*, per_second: float = 2, burst: int = 3, cap: int = 1000, stored: int = 0) -> Limiter:
    return Limiter(limit=Limit(per_second=per_second, burst=burst, cap=cap), count_receipts=Receipts(stored))


def admitted(bucket: Limiter, at: float, survey_id: int = 1, network: bytes = b"") -> bool:
    try:
        bucket.admit(survey_id, at=at, network=network)
    except SurveyError:
        return False
    return True


def test_a_burst_is_admitted_and_then_the_rate_applies() -> None:
    bucket = limiter(per_second=2, burst=3)
    assert [admitted(bucket, 100.0) for _ in range(5)] == [True, True, True, False, False]
    assert [admitted(bucket, 100.5) for _ in range(2)] == [True, False]
    assert [admitted(bucket, 101.5) for _ in range(3)] == [True, True, False]


def test_idle_time_refills_the_bucket_only_to_its_burst() -> None:
    bucket = limiter(per_second=2, burst=3)
    admitted(bucket, 0.0)
    assert [admitted(bucket, 10_000.0) for _ in range(4)] == [True, True, True, False]


def test_refusals_name_a_sufficient_retry_time() -> None:
    bucket = limiter(per_second=0.25, burst=1)
    assert admitted(bucket, 0.0)
    with pytest.raises(SurveyError) as caught:
        bucket.admit(1, at=0.0)
    assert (caught.value.status, caught.value.code) == (429, "too_many")
    assert caught.value.retry_after is not None
    assert caught.value.retry_after >= 4
    assert admitted(bucket, float(caught.value.retry_after))


def test_surveys_have_separate_token_buckets() -> None:
    bucket = limiter(burst=1)
    assert admitted(bucket, 0.0, survey_id=1)
    assert admitted(bucket, 0.0, survey_id=2)
    assert not admitted(bucket, 0.0, survey_id=1)


def test_turning_the_clock_back_does_not_block_a_survey() -> None:
    bucket = limiter(per_second=1, burst=1)
    assert admitted(bucket, 1_000_000.0)
    assert not admitted(bucket, 0.0)
    assert admitted(bucket, 1.0)


def test_full_surveys_reject_answers_and_are_recounted_every_minute() -> None:
    bucket = limiter(burst=100, cap=50, stored=50)
    with pytest.raises(SurveyError) as caught:
        bucket.admit(1, at=0.0)
    assert (caught.value.status, caught.value.code, caught.value.retry_after) == (429, "full", 3600)
    assert not any(admitted(bucket, at) for at in (1.0, 59.0))
    assert isinstance(bucket.count_receipts, Receipts)
    assert bucket.count_receipts.asked == 1
    bucket.count_receipts.stored = 49
    assert admitted(bucket, 61.0)


def test_the_cap_is_exact_in_one_process_despite_rare_counts() -> None:
    bucket = limiter(per_second=1, burst=100_000, cap=5000)
    assert isinstance(bucket.count_receipts, Receipts)
    passed = 0
    for _ in range(6000):
        if admitted(bucket, 0.0):
            passed += 1
            bucket.count_receipts.stored += 1
    assert passed == 5000
    assert bucket.count_receipts.asked < 100


def test_concurrent_threads_share_one_burst() -> None:
    bucket, passed = limiter(per_second=1, burst=50), []
    in_parallel([lambda: passed.extend(admitted(bucket, 0.0) for _ in range(25))] * 8)
    assert sum(passed) == 50


@pytest.mark.parametrize("values", [(0, 1, 1), (-1, 1, 1), (1, 0, 1), (1, 1, 0)])
def test_limits_must_be_above_zero(values: tuple[float, int, int]) -> None:
    per_second, burst, cap = values
    with pytest.raises(ValueError, match="must be above 0"):
        Limit(per_second=per_second, burst=burst, cap=cap)


FLOOD, HONEST = network_digest("127.0.3.1"), network_digest("127.0.2.1")


def test_a_flood_from_one_network_does_not_block_others() -> None:
    """With 445 requests a second for a minute, an honest answer every two seconds is never refused."""
    bucket = limiter(per_second=100, burst=1000, cap=10**6)
    flooded = refused = 0
    for step in range(60 * 445):
        at = step / 445
        flooded += admitted(bucket, at, network=FLOOD)
        if step % 890 == 0:
            refused += not admitted(bucket, at, network=HONEST)
    assert refused == 0
    # The flood gets half of the burst in two seconds, then a quarter of the rate: a million takes 11 hours.
    assert 500 + 25 * 60 - 2 <= flooded <= 500 + 25 * 60 + 2


def test_unknown_networks_use_only_the_survey_bucket() -> None:
    bucket = limiter(per_second=2, burst=4)
    assert [admitted(bucket, 1.0) for _ in range(5)] == [True] * 4 + [False]


def test_networks_are_forgotten_once_their_bucket_is_full() -> None:
    bucket = limiter(per_second=4, burst=8)
    for number in range(5):
        admitted(bucket, float(number), network=network_digest(f"10.0.{number}.1"))
    assert len(bucket._states[1].networks) <= 2
    admitted(bucket, 100.0, network=HONEST)
    assert len(bucket._states[1].networks) == 1


def test_remembered_networks_are_limited() -> None:
    bucket = limiter(per_second=10**6, burst=10**7)
    for number in range(MOST_NETWORKS + 500):
        for _ in range(2):
            admitted(bucket, 1.0, network=number.to_bytes(16, "big"))
    assert len(bucket._states[1].networks) <= MOST_NETWORKS


def test_network_limits_are_separate_for_each_survey() -> None:
    bucket = limiter(per_second=1, burst=2)
    assert admitted(bucket, 1.0, 1, FLOOD)
    assert not admitted(bucket, 1.0, 1, FLOOD)
    assert admitted(bucket, 1.0, 2, FLOOD)


def test_the_smallest_limits_admit_one_answer() -> None:
    bucket = limiter(per_second=0.001, burst=1, cap=1)
    assert [admitted(bucket, 0.0) for _ in range(2)] == [True, False]


def test_receipts_are_counted_after_each_tenth_of_the_room() -> None:
    bucket = limiter(burst=100, cap=100)
    assert isinstance(bucket.count_receipts, Receipts)
    asked = []
    for number in range(21):
        assert admitted(bucket, 0.0)
        asked.append(bucket.count_receipts.asked)
        bucket.count_receipts.stored = 50 if number == 9 else bucket.count_receipts.stored
    # A tenth of 100, then of the 50 that are left.
    assert asked == [1] * 10 + [2] * 5 + [3] * 5 + [4]


def test_a_full_survey_is_counted_again_after_a_minute_and_one_with_a_place_at_once() -> None:
    full = limiter(burst=100, cap=50, stored=50)
    assert isinstance(full.count_receipts, Receipts)
    for at, asked in ((0.0, 1), (59.9, 1), (60.0, 2), (119.9, 2), (120.0, 3)):
        assert not admitted(full, at)
        assert full.count_receipts.asked == asked, at
    nearly = limiter(burst=100, cap=50, stored=49)
    # The answer was refused after it was admitted, so the place is still there.
    assert [admitted(nearly, at) for at in (0.0, 1.0)] == [True, True]


def test_a_network_is_forgotten_when_its_bucket_has_refilled() -> None:
    """A network has half of the burst of 8, and a quarter of the rate of 2 a second."""
    for seconds, networks in ((1.9, {FLOOD, HONEST}), (2.0, {HONEST})):
        bucket = limiter(per_second=2, burst=8)
        assert admitted(bucket, 0.0, network=FLOOD)
        assert admitted(bucket, seconds, network=HONEST)
        assert set(bucket._states[1].networks) == networks


def test_the_oldest_network_is_forgotten_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_NETWORKS", 2)
    bucket = limiter(per_second=2, burst=8)
    kept = []
    for name in (b"a", b"b", b"c"):
        assert admitted(bucket, 0.0, network=name)
        kept.append(set(bucket._states[1].networks))
    assert kept == [{b"a"}, {b"a", b"b"}, {b"b", b"c"}]
