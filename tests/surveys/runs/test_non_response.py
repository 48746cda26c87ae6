import random
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from privacy.coins import Coins
from privacy.survey.grouping import disguise
from privacy.survey.layout import Layout
from surveys.authoring.publish import survey_import, survey_publish
from surveys.errors.error import SurveyError
from surveys.models import Version
from surveys.runs import non_response
from surveys.runs.releasable_rows import rows_of_version
from tests.fixtures.checked_surveys import document_of, protected, yes_no
from tests.fixtures.devices import closed, published, stored
from tests.fixtures.rotating_survey import rotating
from tests.fixtures.runs import alice, answered_version, definition, mined_run

pytestmark = pytest.mark.django_db


def test_non_response_is_counted_only_where_skipping_is_possible() -> None:
    rows = rows_of_version(answered_version(800))
    found = non_response.responses(rows)
    assert [(one.block, one.n_asked, one.missing, one.skips) for one in found] == [
        (0, 800, 0, None), (1, 800, 0, None), (2, 800, 0, None),
    ]  # fmt: skip
    for effect in non_response.effects(rows, found, n_invited=1600):
        low = min(max(effect.answering, 0), 1)
        assert (effect.low, effect.high) == (pytest.approx(low), pytest.approx(low))
        assert effect.invited_low == pytest.approx(low / 2)
        assert effect.invited_high == pytest.approx(low / 2 + 0.5)
    with pytest.raises(
        SurveyError, match="799 people were invited, which is fewer than the number of answers"
    ):
        non_response.effects(rows, found, n_invited=799)


def anchored(*, attends: float = 0.8, n: int = 4000) -> Version:
    """Return a survey of an item, two anchors and a skippable block, answered by inattentive people."""
    document = definition("anchors", policy="protected")
    document["blocks"] = [
        {
            "key": f"b-{key}", "protected": True, "truth_probability": 6000, "title": {"en": "Part"},
            "refusal": 2000 if key == "free" else None,
            "questions": [
                {
                    "key": key, "kind": "yes_no", "unrelated": [5000], "prevalence": [stated],
                    "text": {"en": "?"},
                }
            ],
        }
        for key, stated in (("stole", 2000), ("moon", 0), ("breathes", 10_000), ("free", 3000))
    ]  # fmt: skip
    # Four parts, of which two only measure attention.
    version = survey_publish(
        survey_import(document, by="alice"),
        by="alice",
        now=timezone.now(),
        reason="two parts are anchors",
        is_readable_seen=True,
    )
    design, rng = version.to_design(), random.Random(5)
    coins = Coins(iter(lambda: rng.getrandbits(32), None))
    rows = []
    for _ in range(n):
        true = {"stole": rng.random() < 0.2, "moon": False, "breathes": True, "free": True}
        if rng.random() > attends:
            true = {key: rng.random() < 0.5 for key in true}
        answers: dict[str, Any] = {f"b-{key}": {key: int(value)} for key, value in true.items()}
        if rng.random() < 0.25:
            answers["b-free"] = "skipped"
        rows.append(Layout(design).pack(disguise(design, answers, direct=False, coins=coins)))
    stored(version, rows)
    return closed(version)


def test_the_share_of_skips_is_estimated_with_bounds_on_its_effect() -> None:
    rows = rows_of_version(anchored(attends=1.0))
    free = next(one for one in non_response.responses(rows) if one.skips is not None)
    assert free.skips is not None
    assert free.skips.value == free.missing
    assert free.skips.low < 0.25 < free.skips.high
    effect = next(
        one for one in non_response.effects(rows, [free]) if rows.design.items[one.item].key == "free"
    )
    assert effect.answering == pytest.approx(1.0, abs=0.1)
    assert effect.high - effect.low == pytest.approx(free.missing)


def test_respondents_asked_part_of_a_rotating_block_count_as_asked() -> None:
    rows = rows_of_version(rotating(600))
    (part,) = non_response.responses(rows)
    # With three of five questions each, an unasked question does not count as skipped.
    assert part.n_asked == 600
    for effect in non_response.effects(rows, [replace(part, missing=0.0)], n_invited=1200):
        low = min(max(effect.answering, 0), 1)
        assert (effect.invited_low, effect.invited_high) == (
            pytest.approx(low / 2),
            pytest.approx(low / 2 + 0.5),
        )


def in_turns(n: int, *, asked: int, practice: bool) -> Version:
    """Return a survey of an item and two anchors; each device asks one, the first devices the item."""
    keys = ("stole", "moon", "breathes")
    parts = [
        protected(f"b-{key}", yes_no(key, prevalence=stated))
        for key, stated in zip(keys, (2000, 0, 10_000), strict=True)
    ]
    rotations = [{"blocks": [f"b-{key}" for key in keys], "parts_per_person": 1}]
    version = published(document_of(*parts, rotations=rotations, practice=practice))
    design, rng = version.to_design(), random.Random(5)
    coins = Coins(iter(lambda: rng.getrandbits(32), None))
    rows = []
    for number in range(n):
        place = 0 if number < asked else rng.randrange(3)
        drawn = tuple((0,) if part == place else () for part in range(3))
        answers = {f"b-{keys[place]}": {keys[place]: 1}}
        rows.append(Layout(design).pack(disguise(design, answers, direct=False, coins=coins, drawn=drawn)))
    stored(version, rows)
    return closed(version)


def test_practice_surveys_omit_unasked_questions(client: Client) -> None:
    version = in_turns(3, asked=3, practice=True)
    (part,) = non_response.responses(rows_of_version(version))
    assert (part.block, part.n_asked) == (0, 3)
    visited(client, mined_run(version), {"invited": 5})


def visited(client: Client, run: Any, query: dict[str, Any] | None = None, status: int = 200) -> str:
    client.force_login(alice())
    response = client.get(f"/en/staff/runs/{run.pk}/practice/", query or {})
    assert response.status_code == status
    return response.content.decode()
