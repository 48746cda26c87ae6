"""For answers sent undisguised, all published estimates and rows come from the server's own disguise."""

import hashlib
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from django.test import Client
from scipy.stats import binom

from mining.columns.bitmatrix import BitMatrix
from mining.columns.sent_counts import sent_counts
from mining.thresholds import Thresholds
from privacy.coins import Coins
from privacy.estimation.withheld import NOTHING
from privacy.survey.design import Design
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout, Record
from surveys.errors.error import SurveyError
from surveys.models import Batch, DrawingKey, Survey, Version
from surveys.runs import redisguise
from surveys.runs import redisguise as rows_module
from surveys.runs.batch_rows import rows_of
from surveys.runs.redisguise import disguised_design, drawing_of
from surveys.runs.releasable_rows import packed_rows, releasable_design, releasable_rows, rows_of_run
from surveys.runs.snapshot import batches_open_to_mining, snapshot_of
from tests.fixtures.devices import closed, published, records_of, stored, true_answers
from tests.fixtures.runs import alice, answered_version, mined_run, open_version, requested_run, true_rows
from tests.fixtures.runs import packed_rows as sent_rows
from tests.fixtures.runs import published as published_habits
from tests.fixtures.scale_runs import scale_definition
from tests.mining.columns.counted import count

pytestmark = pytest.mark.django_db

DRINK = 4


def raw(version: Version) -> list[Record]:
    return records_of(version.to_design(), rows_of(batches_open_to_mining(version)))


def released(version: Version) -> list[Record]:
    return records_of(releasable_design(version), packed_rows(version, batches_open_to_mining(version)))


def of_group(rows: list[Record], *, direct: bool) -> list[Record]:
    return [row for row in rows if row.direct is direct]


def test_redisguising_keeps_open_answers_and_changes_protected_ones() -> None:
    version = answered_version(400, n_direct=160)
    true, sent = (of_group(rows, direct=True) for rows in (raw(version), released(version)))
    assert len(true) == len(sent) == 160
    assert [row.answers[0] for row in sent] == [row.answers[0] for row in true]
    assert [row.answers[1:] for row in sent] != [row.answers[1:] for row in true]
    # Rows that devices disguised are unchanged.
    others = (of_group(rows, direct=False) for rows in (raw(version), released(version)))
    assert len({tuple(map(repr, rows)) for rows in others}) == 1


def test_light_rows_follow_the_proposed_mechanism() -> None:
    version = answered_version(2000, n_direct=1800)
    design = releasable_design(version)
    assert design.has_two_strengths
    life = design.blocks[2].in_group(direct=True)
    assert life is not None
    true, sent = (of_group(rows, direct=True) for rows in (raw(version), released(version)))
    # A yes/no answer with theta = 1/2 stays the same with probability p0 + (1 - p0) / 2.
    stays = life.truth + (1 - life.truth) * Fraction(1, 2)
    same = sum(one.answers[2] == other.answers[2] for one, other in zip(true, sent, strict=True))
    low, high = binom.interval(1 - 1e-6, len(true), float(stays))
    assert low <= same <= high
    # A server that publishes the received answers would fail here.
    assert len(true) > high


def test_redisguised_rows_do_not_depend_on_other_batches() -> None:
    version = answered_version(200, n_direct=80)
    batches = batches_open_to_mining(version)
    whole = b"".join(packed_rows(version, batches))
    assert whole.startswith(b"".join(packed_rows(version, batches[:1])))
    assert b"".join(packed_rows(version, batches)) == whole


def test_redisguised_rows_are_drawn_once_and_then_read_from_the_cache(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    version = answered_version(300, n_direct=130)
    batches = batches_open_to_mining(version)
    first = releasable_rows(version, batches, withheld=NOTHING).matrix
    monkeypatch.setattr(rows_module, "disguise_bodies", None)
    again = releasable_rows(version, batches, withheld=NOTHING).matrix
    assert (again.direct.words == first.direct.words).all()
    assert (again.protected.words == first.protected.words).all()


def test_cached_columns_and_counts_match_the_rows() -> None:
    version = answered_version(300, n_direct=130)
    found = releasable_rows(version, batches_open_to_mining(version), withheld=NOTHING)
    assert found.precomputed is not None
    rows = BitMatrix.from_rows(
        releasable_design(version), list(packed_rows(version, batches_open_to_mining(version)))
    )
    assert (found.matrix.n_direct, found.matrix.n_protected) == (130, 170)
    assert (found.precomputed.counts == count(found.matrix, found.precomputed.requests)).all()
    assert (found.precomputed.counts == count(rows, found.precomputed.requests)).all()


@pytest.mark.parametrize("changes", [{"practice": True}, {"light": True}, {"policy": "protected"}])
def test_other_surveys_are_computed_from_unmodified_rows(changes: dict[str, object]) -> None:
    version = answered_version(300, n_direct=0 if "policy" in changes else 100, **changes)
    assert releasable_design(version) == version.to_design()
    assert released(version) == raw(version)


def test_simulated_rows_with_a_known_truth_are_not_redisguised() -> None:
    version = answered_version(300, n_direct=100)
    Survey.objects.filter(pk=version.survey_id).update(known_truth={"drink": 0.3})
    version = Version.objects.select_related("survey").get(pk=version.pk)
    assert released(version) == raw(version)


def test_without_a_light_strength_direct_rows_get_the_strong_disguise() -> None:
    document = scale_definition("strong", policy="choice")
    version = published(document)
    design = version.to_design()
    assert not disguised_design(design).has_two_strengths
    rng = random.Random(5)
    coins = Coins(iter(lambda: rng.getrandbits(32), None))
    layout = Layout(design)
    stored(
        version,
        [
            layout.pack(disguise(design, true_answers(design, rng), direct=number < 60, coins=coins))
            for number in range(200)
        ],
    )
    version = closed(version)
    rows = released(version)
    assert len(rows) == 200
    assert not any(row.direct for row in rows)
    wage = sent_counts(releasable_design(version), 5, packed_rows(version, batches_open_to_mining(version)))
    assert (wage.direct.sum(), wage.protected.sum()) == (0, 200)


@pytest.mark.soak
def test_estimates_stay_unbiased_and_groups_unchanged(client: Client) -> None:
    run = mined_run(answered_version(1500, n_direct=600), Thresholds(support=0.02, max_size=2))
    rows = list(true_rows(1500))
    for items, holds in ((",4,", ("life", "drink")), (",2,", ("work", "late"))):
        row = run.itemsets.get(items=items)
        truth = np.mean([answers[holds[0]][holds[1]] for answers in rows])
        assert abs(row.support - truth) < 5 * row.support_se
        assert row.direct is not None
        assert row.direct_se is not None
    assert (run.n_direct, run.n_protected) == (600, 900)
    assert rows_of_run(run).matrix.n_direct == 600
    client.force_login(alice())
    for name in ("", "itemsets/", "practice/", "about/", "audit/"):
        page = client.get(f"/en/staff/runs/{run.pk}/{name}")
        assert page.status_code == 200, name
    assert "The server disguised them" in client.get(f"/en/staff/runs/{run.pk}/about/").content.decode()


def test_reported_shares_of_direct_rows_differ_from_the_true_ones() -> None:
    """Readers learn at most the disguised answers of 100 people."""
    version = answered_version(400, n_direct=100)
    run = mined_run(version, Thresholds(support=0.02, max_size=1))
    told = run.itemsets.get(items=f",{DRINK},").direct
    block = releasable_design(version).blocks[2]
    shown = sum(row.answers[2] == (1,) for row in of_group(released(version), direct=True))
    p0 = float(block.truth_in(direct=True))
    assert told == pytest.approx((shown / 100 - (1 - p0) / 2) / p0)


def test_open_surveys_are_not_mined_and_the_page_explains_why(client: Client) -> None:
    version = open_version(600, n_direct=200)
    with pytest.raises(SurveyError) as refused:
        requested_run(version)
    assert "wait for its last batch" in refused.value.remedy
    client.force_login(alice())
    page = client.get(f"/en/staff/surveys/{version.survey.slug}/").content.decode()
    assert "results appear only after the survey closes" in page
    assert 'name="support"' not in page
    assert snapshot_of(closed(version)).n == 650


@pytest.mark.parametrize("changes", [{"practice": True}, {"light": True}, {"policy": "protected"}])
def test_other_open_surveys_are_mined_as_before(changes: dict[str, object]) -> None:
    assert snapshot_of(open_version(600, **changes)).n >= 600


def test_equal_direct_answers_are_redisguised_independently() -> None:
    """With the same random words for all rows, equal people would get equal rows."""
    version = published_habits()
    (row,) = sent_rows(version.to_design(), 1, n_direct=1)
    stored(version, [row] * 200)
    drawn = Counter(repr(one.answers[1:]) for one in released(closed(version)))
    assert len(drawn) > 1


def alike(design: Design, n: int, *, more: int = 0, number: int = 1) -> Batch:
    """Return a batch with `n` equal direct rows, and `more` protected ones."""
    true, other = sent_rows(design, 2, n_direct=1)
    packed = true * n + other * more
    return Batch(pk=number, packed=packed, digest=hashlib.sha256(packed).hexdigest())


def drawn(design: Design, *batches: Batch) -> list[bytes]:
    size = 60 * Layout(disguised_design(design)).n_bytes
    return [rows[-size:] for rows in redisguise.disguise_batches(design, batches)]


def test_random_words_depend_on_the_batch_and_not_on_the_secret_key(settings: Any) -> None:
    design = published_habits().to_design()
    first, other = alike(design, 60), alike(design, 60, more=1)
    one, two, again = drawn(design, first, other, first)
    assert one == again
    assert one != two
    settings.SECRET_KEY = "another key of thirty-two and more characters"
    assert drawn(design, first) == [one]


def test_batches_with_equal_rows_use_different_random_words() -> None:
    design = published_habits().to_design()
    first, second = alike(design, 60), alike(design, 60, number=2)
    assert first.digest == second.digest
    one, two = drawn(design, first, second)
    assert one != two


def other_key(monkeypatch: pytest.MonkeyPatch, key: DrawingKey | None) -> None:
    monkeypatch.setattr(DrawingKey, "objects", type("Keys", (), {"first": lambda self: key})())


def test_another_key_draws_different_rows_under_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    design = published_habits().to_design()
    batch = alike(design, 60)
    rows, name = drawn(design, batch), redisguise.drawing_name()
    other_key(monkeypatch, DrawingKey(key=bytes(32), mark="66687aad"))
    assert drawn(design, batch) != rows
    assert redisguise.drawing_name() != name
    assert redisguise.drawing_name() == f"{redisguise.DRAWING}, key 66687aad"


def test_undisguised_answers_need_the_drawing_key(monkeypatch: pytest.MonkeyPatch) -> None:
    version = answered_version(300, n_direct=100)
    other_key(monkeypatch, None)
    with pytest.raises(SurveyError, match="the key that disguises undisguised answers is lost"):
        released(version)
    with pytest.raises(SurveyError, match="restore the database from a backup"):
        drawing_of(version)


def test_columns_of_equal_batches_are_distinct(monkeypatch: pytest.MonkeyPatch) -> None:
    other_key(monkeypatch, DrawingKey(key=bytes(32), mark="66687aad"))
    version = published_habits()
    rows = b"".join(sent_rows(version.to_design(), 120, n_direct=60))
    for _ in range(2):
        Batch(version=version, n=120, packed=rows, digest=hashlib.sha256(rows).hexdigest()).save()
    version = closed(version)
    batches = batches_open_to_mining(version)
    assert len({batch.digest for batch in batches}) == 1
    one, two = packed_rows(version, batches)
    assert one != two
    for some in ([0], [1], [0, 1], [1]):
        own = batches.filter(pk__in=[batches[place].pk for place in some])
        found = releasable_rows(version, own, withheld=NOTHING).matrix
        expected = BitMatrix.from_rows(releasable_design(version), list(packed_rows(version, own)))
        assert (found.direct.words == expected.direct.words).all()


def test_drawing_in_chunks_keeps_the_order_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    version = answered_version(300, n_direct=130)
    true = of_group(raw(version), direct=True)
    monkeypatch.setattr(redisguise, "_ROWS_AT_A_TIME", 7)
    sent = of_group(released(version), direct=True)
    assert [row.answers[0] for row in sent] == [row.answers[0] for row in true]
