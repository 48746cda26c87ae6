"""No page, picture, link, paper text or file states an estimate that is impossible or outside its interval.

Such estimates are planted in the stored results of a run, with figures that nothing else has. The test reads
all pages that show them, in both languages, and fails on each trace. In files they are only in columns whose
name ends in ``unclipped``.
"""

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from mining.thresholds import Thresholds
from surveys.accounts.page_sharing import page_share
from surveys.models import Run, SharedPage
from surveys.questionnaire.aim import Aim
from surveys.report.rules.verdicts import verdict_give
from tests.fixtures.runs import alice, mined_run, planned_version

pytestmark = pytest.mark.django_db
AIM = Aim(
    people=900, wanted=("late", "cheat"), names={"late": {"en": "Often late"}, "cheat": {"en": "Cheated"}}
)

SINGLE = {"support": -0.09373, "support_low": -0.1537, "support_high": 0.0717}
PAIR = {"support": 1.04319, "support_low": 0.9037, "support_high": 1.1013}
RULE = {
    "support": 1.04319,
    "confidence": -0.26637,
    "lift": -1.73917,
    "leverage": 0.31777,
    "conviction": -4.41913,
}
HAVING, OTHERS, DIFFERENCE, LIFT = 1.35573, -0.17391, 1.52964, -3.19371
PLANTED = [SINGLE["support"], PAIR["support"], *RULE.values(), HAVING, OTHERS, DIFFERENCE, LIFT]
TRACES = re.compile(
    r"−\.094\b|−9\.4\b|−9 (?:of|have|answered|人)|1\.043|\b104(?:\.3)?\b"
    r"|−\.266|−27\b|−26\.6|−1\.74|(?<![\d\[])\.318\b|−4\.42|135\.6|\b136\b|1\.356|−17\b|−17\.4|−\.174|153\.0|−3\.19"
)
"""The planted estimates as pages would print them: shares, percent, people of 100, ratios."""


@pytest.fixture
def run() -> Run:
    found = mined_run(planned_version(AIM), Thresholds(support=0.2, max_size=2))
    found.itemsets.filter(size=1).update(**SINGLE)
    found.itemsets.filter(size=2).update(**PAIR)
    found.rules.update(**RULE)
    pair = found.summary["results"]["pair"]
    for name, value in (("having", HAVING), ("others", OTHERS), ("difference", DIFFERENCE), ("lift", LIFT)):
        pair[name] |= {"value": value, "low": 0.1, "high": 0.9, "estimable": True}
    found.save(update_fields=["summary"])
    return Run.objects.get(pk=found.pk)


def pages_of(client: Client, run: Run, language: str) -> Iterator[tuple[str, str]]:
    """Yield the pages that show figures of a run, with accepted rules in the printed ones."""
    who = alice()
    client.force_login(who)
    for rule in run.rules.order_by("pk")[:2]:
        verdict_give(rule=rule, opinion="accepted", note="", by=who, now=timezone.now())
    _shared, secret = page_share(
        run.survey, SharedPage.Kind.RESULTS, run=run, days=7, by=who.username, now=timezone.now()
    )
    staff = f"/{language}/staff/runs/{run.pk}/"
    first = run.rules.order_by("pk").values_list("pk", flat=True)[0]
    ends = (
        "",
        "?measures=all",
        "results/",
        "itemsets/",
        "tests/",
        "report/",
        "paper/",
        f"rules/{first}/",
        "practice/",
    )
    for address in (
        *(staff + end for end in ends),
        f"/{language}/shared/{secret}/",
        f"/{language}/shared/{secret}/report/",
    ):
        response = client.get(address)
        assert response.status_code == 200, address
        yield address, response.content.decode()


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.few("en", why="the figures are the same")
def test_no_page_states_an_impossible_point(client: Client, run: Run, language: str) -> None:
    said = 0
    for address, page in pages_of(client, run, language):
        # Coordinates of pictures are no figures.
        text = re.sub(r"<(?:rect|line|path|circle|polyline|svg|use)\b[^>]*>", "", page)
        assert not TRACES.search(text), (address, TRACES.search(text))
        said += len(re.findall("too few to say|人数太少，无法", text))
    assert said > 10


def test_the_traces_are_recognised() -> None:
    """The test above would find each planted figure."""
    for text in (
        "−.094",
        "−9.4%",
        "Of 100 people, −9 have",
        "1.043",
        "104 of 100",
        "−.266",
        "−27 of 100",
        "−1.74",
        ".318",
    ):
        assert TRACES.search(text)
    for text in ("−4.42", "136 of 100", "−17 of 100", "−17.4", "153.0 points", "−3.19 times"):
        assert TRACES.search(text)


@pytest.mark.soak
def test_files_have_impossible_points_only_as_unclipped(client: Client, run: Run) -> None:
    client.force_login(alice())
    here = f"/en/staff/runs/{run.pk}/"
    seen: set[str] = set()
    for name in ("rules.csv", "itemsets.csv"):
        body = b"".join(client.get(here + name).streaming_content).decode().removeprefix("\ufeff")
        for row in csv.DictReader(io.StringIO(body)):
            seen |= _columns_with_planted(row)
            assert row["support"] == ""
            assert row["support_basis"] in {"at most", "at least", "between"}
    body = b"".join(client.get(here + "rules.json").streaming_content).decode()
    for row in json.loads(body)["rules"]:
        seen |= _columns_with_planted(row)
    assert seen == {f"{name}_unclipped" for name in RULE}


def _columns_with_planted(row: dict[str, Any]) -> set[str]:
    found = set()
    for column, value in row.items():
        try:
            number = float(value)
        except (TypeError, ValueError):
            continue
        found |= {column} if any(abs(number - own) < 1e-9 for own in PLANTED) else set()
    return found
