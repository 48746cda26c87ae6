"""The page that tests rules from elsewhere."""

from __future__ import annotations

import random
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from mining.thresholds import Thresholds
from privacy.coins import Coins
from privacy.survey.grouping import disguise
from privacy.survey.layout import Layout
from surveys.figures.brought_rules import rules_tested
from surveys.models import RuleRow, Run
from tests.cast.devices import closed, stored
from tests.cast.everyday import everyday, people
from tests.cast.runs import alice, answered, mined

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def run(client: Client) -> Run:
    client.force_login(alice())
    return mined(answered())


def test_the_rules_of_a_file_are_tested_here_and_nothing_is_kept(client: Client, run: Run) -> None:
    page = reverse("report:brought_rules", args=[run.pk])
    empty = client.get(page).content.decode()
    assert 'aria-current="page">Rules from elsewhere' in empty
    assert "rules hold here" not in empty
    file = SimpleUploadedFile(
        "rules.csv",
        b'"rules","support"\n"{late} => {cheat}",0.2\n"{late} => {drink}",0.1\n"{x} => {y}",0.1\n',
    )
    answer = client.post(page, {"file": file})
    text = re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", answer.content.decode()))
    assert answer.status_code == 200
    assert "1 of 2 rules holds here" in text
    assert "corrected for 2 rules" in text
    assert "Line 4: This survey has no answer “x”." in text
    first, second = answer.context["table"]["lines"]
    assert (first.holds, second.holds, second.measures is None) == (True, False, False)
    assert re.search(r"late → cheat .*late → drink", text)
    assert "Each interval is of 97.50 %" in text
    assert "Each list is another look at the same answers" in text
    assert "suggested these rules" not in text


def test_a_rule_that_is_shown_because_it_is_estimable_says_so(client: Client, run: Run) -> None:
    page = reverse("report:brought_rules", args=[run.pk])
    answer = client.post(page, {"rules": "late & drink => cheat\nlate => cheat"})
    said = {line.rule[0]: line.measures.shown_because_estimable for line in answer.context["table"]["lines"]}
    assert sorted(said.items()) == [((2,), False), ((2, 4), True)]
    assert answer.content.decode().count("shown because estimable") == 1


def test_what_this_survey_suggested_it_cannot_confirm(client: Client, run: Run) -> None:
    file = b"".join(client.get(reverse("report:rules_file", args=[run.pk, "csv"])).streaming_content)
    page = reverse("report:brought_rules", args=[run.pk])
    answer = client.post(page, {"file": SimpleUploadedFile("rules.csv", file)})
    assert answer.context["table"]["from_here"]
    assert len(answer.context["table"]["lines"]) == RuleRow.objects.filter(run=run).count()
    assert not answer.context["table"]["others"]
    assert "cannot confirm it" in answer.content.decode()


def test_a_list_without_rules_is_refused_with_a_remedy(client: Client, run: Run) -> None:
    page = reverse("report:brought_rules", args=[run.pk])
    for given, said in (
        ({}, "The list has no rule."),
        (
            {"rules": "\nlate => nothing known\nlate"},
            "<li>Line 2: This survey has no answer “nothing known”.",
        ),
        ({"rules": "\nlate => nothing known\nlate"}, "Line 3: This line has no two sides."),
        ({"file": b"\xff\xfe"}, "The file is no text in UTF-8."),
        ({"file": b"a" * 4_000_001}, "The list is too long."),
    ):
        sent = {
            name: SimpleUploadedFile("rules.csv", value) if isinstance(value, bytes) else value
            for name, value in given.items()
        }
        answer = client.post(page, sent)
        assert answer.status_code == 422
        assert said in answer.content.decode()


def test_of_rules_with_too_few_people_nothing_is_told_and_they_count_as_failed(client: Client) -> None:
    """Two open questions whose answers fewer than ten people share are told of together with nothing."""
    version = everyday()
    common = [{**one, "way": {"travel": 0, "shifts": number % 2}} for number, one in enumerate(people(110))]
    rare = [{**one, "way": {"travel": 1, "shifts": number % 2}} for number, one in enumerate(people(12))]
    rng = random.Random(5)
    design, words = version.to_design(), iter(lambda: rng.getrandbits(32), None)
    layout = Layout(design)
    sent = [disguise(design, one, direct=False, coins=Coins(words)) for one in (*common, *rare)]
    stored(version, [layout.pack(record) for record in sent])
    run = mined(closed(version), Thresholds(support=0.5, max_size=1))
    client.force_login(alice())
    rules = "travel=bus & shifts => unpaid\nshifts => unpaid"
    answer = client.post(reverse("report:brought_rules", args=[run.pk]), {"rules": rules})
    text = re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", answer.content.decode()))
    assert text.count("Too few people were asked all of it, or share its open answers.") == 1
    shown, refused = answer.context["table"]["lines"]
    assert (refused.holds, refused.measures) == (False, None)
    assert "travel: By bus or train, shifts → unpaid" in text
    assert shown.measures is not None
    # What is not told is a hypothesis of the list all the same.
    assert answer.context["table"]["family"] == 2
    keys = {item.key: item.index for item in design.items}
    sides = (tuple(sorted((keys["travel=bus"], keys["shifts"]))), (keys["unpaid"],))
    (one,) = rules_tested(run, [sides]).rules
    assert (one.measures, one.p_value, one.p_adjusted) == (None, 1.0, 1.0)
