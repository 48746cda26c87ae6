"""Pages on surveys with rotating questions."""

import json
from collections import Counter
from typing import Any

import numpy as np
import pytest
from django.template.loader import render_to_string
from django.test import Client

from mining.columns.random_words import words
from privacy.coins import Coins
from privacy.risk import audit_from_json
from privacy.risk.budget import block_budget, budget
from privacy.survey.disguise import disguise
from privacy.survey.drawn_questions import draw_questions
from privacy.survey.layout import Layout
from surveys.models import Batch, Version
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.protection_words import block_lines
from surveys.report.risk_page.adversaries import points_of
from surveys.report.risk_page.compared_figures import compared_figures
from surveys.runs.audit import audit_answers, audit_before
from surveys.runs.batch_rows import rows_of
from surveys.templatetags.figures import number_or_unbounded as written
from surveys.templatetags.figures import percent_three_digits as percent
from tests.fixtures.checked_surveys import document_of, protected, unprotected, yes_no
from tests.fixtures.devices import closed, published, records_of, stored
from tests.surveys.report.risk_page.test_risk_view import draft

pytestmark = pytest.mark.django_db


def rotating_document() -> dict[str, Any]:
    """Ask three of eight questions, and one of two short parts, with two strengths."""
    you = unprotected("you", {"key": "city", "kind": "yes_no", "text": {"en": "Do you live in a city?"}})
    eight = [yes_no(f"q{n}") for n in range(8)]
    return document_of(
        you,
        protected("eight", *eight, p=7000, light=8000, refusal=1200, questions_per_person=3),
        protected("short", yes_no("u"), yes_no("v"), p=5000, light=6000),
        protected("other", yes_no("w"), p=2000, light=3000),
        group={"policy": "choice", "light": True},
        rotations=[{"blocks": ["short", "other"], "parts_per_person": 1}],
    )


def rotating_version() -> Version:
    return published(rotating_document())


def answer(version: Version, count: int) -> None:
    """Let devices answer: 80% yes to a block's first question, 30% to the others, 10% skips."""
    design, layout = version.to_design(), Layout(version.to_design())
    rng = np.random.default_rng(11)
    coins, rows = Coins(words(rng)), []
    for device in range(count):
        drawn = draw_questions(design, coins)
        answers: dict[str, object] = {"you": {"city": int(rng.integers(2))}}
        for block, booklet in list(zip(design.blocks, drawn, strict=True))[1:]:
            asked = {
                block.questions[place].key: int(rng.random() < (0.8 if place == 0 else 0.3))
                for place in booklet
            }
            if asked:
                skips = block.refusal is not None and rng.random() < 0.1
                answers[block.key] = "skipped" if skips else asked
        record = disguise(design, answers, direct=device % 4 == 0, coins=coins, drawn=drawn)
        rows.append(layout.pack(record))
    stored(version, rows)


@pytest.mark.soak
def test_the_risk_text_counts_people_who_share_a_set_of_questions() -> None:
    one = draft(rotating_document(), Aim(people=1000))
    colleague = " ".join(points_of(one)[1][1])
    # 56 sets, one of two parts: 112 sets. Two open answers, 1,000 people: (1 - 1/224)^999 = 1.1%.
    assert "There are 112 sets of questions. Of 1,000 people, about 9 share each set." in colleague
    assert (
        "If all these answers were equally common, about 11 of 1,000 people would have a unique combination "
        # A city, none, or no answer: 336 combinations, of which 1/e can be unique.
        "of unprotected answers and questions asked. Whatever people answer, at most 124 of them "
        "would have one, on average."
    ) in colleague
    # The table has the same figure, which includes the questions asked.
    rows = {row.name: row for row in compared_figures(one)}
    unique = rows["People with a unique combination of unprotected answers and questions asked"]
    assert (unique.planned, unique.observed, unique.exceeds) == ("on average at most 124", "", False)
    assert not any("unique unprotected" in name for name in rows)
    assert "Each sheet shows which ones." in colleague
    # Without a plan, no number of people is assumed.
    unstated = draft(rotating_document() | {"slug": "unstated"})
    colleague = " ".join(points_of(unstated)[1][1])
    assert "There are 112 sets of questions." in colleague
    assert "we cannot work out how many would have unique answers" in colleague
    rows = {row.name: row for row in compared_figures(unstated)}
    assert rows[unique.name].planned == "not stated"


def test_the_risk_page_and_the_audit_show_rotation(admin_client: Client) -> None:
    version = rotating_version()
    text = " ".join(admin_client.get("/en/staff/surveys/checked/risk/").content.decode().split())
    assert "Each person is asked 3 of these 8 questions." in text
    audit = audit_before(version, n=1000)
    page = render_to_string("audit/partials/blocks.html", {"audit": audit})
    eight, own = audit.blocks[0], audit.own
    assert ">3 of 8</span>" in page
    assert f'<td class="num">{written(eight.question_odds)}</td>' in page
    assert written(eight.question_odds) == "6.3"
    assert own is not None
    assert percent(own.share) == "1.14%"
    assert "1.14%" in render_to_string("audit/partials/facts.html", {"audit": audit})
    assert audit.light is not None
    assert f'<td class="num">{written(audit.light.blocks[0].question_odds)}</td>' in page


@pytest.mark.soak
def test_the_sum_counts_only_parts_that_one_person_is_asked() -> None:
    version = rotating_version()
    design = version.to_design()
    lines = block_lines(version, design)
    assert [line.is_counted for line in lines] == [False, True, True, False]
    assert [line.per_person for line in lines] == [None, 3, None, None]
    counted = sum(block_budget(block).epsilon for block in design.blocks[1:3])
    assert budget(design).epsilon == pytest.approx(counted)


@pytest.mark.soak
def test_the_survey_page_shows_how_many_questions_each_person_is_asked(admin_client: Client) -> None:
    rotating_version()
    text = " ".join(admin_client.get("/en/staff/surveys/checked/").content.decode().split())
    assert "Each person is asked 3 of these 8 questions." in text
    assert "rotates with other parts that reveal as much or more; not included in the sum" in text


@pytest.mark.soak
def test_rows_with_different_rotating_questions_are_audited() -> None:
    version = rotating_version()
    answer(version, 4_000)
    found = audit_answers(closed(version))
    assert found.light is not None
    shares = {item.key: item.prevalence for item in found.items}
    # 1,125 of 3,000 were asked each question, and about 1,000 answered; six standard errors of .0226.
    assert shares["q0"] == pytest.approx(0.8, abs=0.14)
    assert shares["q7"] == pytest.approx(0.3, abs=0.14)
    eight, short, _other = found.blocks
    assert (eight.prior, eight.n, len(eight.booklet)) == ("marginals", 3_000, 3)
    assert 1_350 < (short.n or 0) < 1_650
    assert found.own is not None
    assert found.own.counted
    assert found.own.n == 4_000
    records = records_of(version.to_design(), rows_of(Batch.objects.filter(version=version)))
    alone = Counter((record.drawn, record.answers[0]) for record in records)
    assert found.own.share == sum(count == 1 for count in alone.values()) / 4_000
    assert len(alone) > 200
    assert found.light.n == 1_000
    assert audit_from_json(json.loads(json.dumps(found.to_json()))).blocks[0].booklet == eight.booklet
