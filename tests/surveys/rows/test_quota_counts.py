"""Open answers are counted in batches that are open to figures, as the layout reads them, and once."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.survey.layout import Layout
from surveys.authoring.deletion import survey_delete
from surveys.models import QuotaCount, Survey, Version
from surveys.rows.quota_counts import answer_counts, quotas_step
from tests.cast.devices import closed, published, sealed_body, shipped_definition, stored

pytestmark = pytest.mark.django_db


def with_quotas(quotas: dict[str, int] | None = None, **changes: Any) -> dict[str, Any]:
    """Return the example, which asks at once for how long somebody is there and whether they lead."""
    document = shipped_definition(**changes)
    years = next(one for one in document["blocks"][0]["questions"] if one["key"] == "years")
    years["quotas"] = {"to-1": 60} if quotas is None else quotas
    return document


def rows(version: Version, count: int, *, seed: int = 1) -> list[bytes]:
    rng = random.Random(seed)
    return [sealed_body(version.to_design(), rng) for _ in range(count)]


def counted(version: Version) -> dict[str, dict[str, int]]:
    return QuotaCount.objects.get(version=version).counts


def truly(version: Version, sent: list[bytes]) -> dict[str, dict[str, int]]:
    """Count by unpacking each row."""
    design = version.to_design()
    layout, number = Layout(design), design.question_number("years")
    block, place = design.block_of(number), number - design.first_questions[design.block_of(number)]
    values = Counter(layout.unpack(row).answers[block][place] for row in sent)
    return {"years": {key: values[value] for value, key in enumerate(design.questions[number].options)}}


def test_a_batch_is_counted_once_it_is_open_to_figures_and_never_twice() -> None:
    version = published(with_quotas())
    batches = [rows(version, 50, seed=seed) for seed in range(3)]
    for number, sent in enumerate(batches):
        stored(version, sent)
        quotas_step()
        quotas_step()
        opened = [row for batch in batches[:number] for row in batch]
        assert (counted(version) or {"years": {}})["years"] == (
            truly(version, opened)["years"] if opened else {}
        )
        assert QuotaCount.objects.get().n == len(opened)
    closed(version)
    quotas_step()
    assert counted(version) == truly(version, [row for batch in batches for row in batch])


def test_a_practice_survey_is_counted_at_once() -> None:
    version = published(with_quotas({"to-1": 1}, practice=True))
    sent = rows(version, 1)
    stored(version, sent)
    quotas_step()
    assert counted(version) == truly(version, sent)


def test_a_new_version_with_quotas_counts_all_answers_of_its_design_anew_and_one_without_none() -> None:
    version = published(with_quotas(practice=True, slug="again"))
    sent = rows(version, 3)
    stored(version, sent)
    quotas_step()
    later = published(with_quotas({"to-1": 70}, practice=True, slug="again"))
    assert (later.design_id, QuotaCount.objects.get().n) == (version.design_id, 0)
    quotas_step()
    assert counted(later) == truly(version, sent)
    published(with_quotas({}, practice=True, slug="again"))
    assert not QuotaCount.objects.exists()


def test_counts_go_with_their_survey() -> None:
    version = closed(published(with_quotas(slug="gone")))
    survey = Survey.objects.get(pk=version.survey_id)
    quotas_step()
    survey_delete(survey, by="alice")
    assert not QuotaCount.objects.exists()


@given(
    st.integers(1, 40),
    st.integers(1, 9),
    st.lists(st.integers(0, 2**64 - 1), max_size=30),
)
def test_counting_by_columns_of_bytes_reads_the_bits_of_each_row(
    presence: int, width: int, numbers: list[int]
) -> None:
    bits = [f"{number:064b}" for number in numbers]
    packed = b"".join(number.to_bytes(8, "big") for number in numbers)
    values = Counter(int(row[presence + 1 : presence + 1 + width], 2) for row in bits if row[presence] == "1")
    assert answer_counts(packed, 8, presence, width) == values
