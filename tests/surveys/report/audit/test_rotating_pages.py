"""What pages say of surveys that ask each person some questions only."""

from dataclasses import replace

import pytest
from django.test import Client
from django.utils import timezone

from privacy.risk.budget import block_budget, budget, question_odds
from privacy.survey import Rotation
from surveys.analysis.audit.audited_survey import AuditedSurvey, audited_survey
from surveys.analysis.audit.selectors import audit_before
from surveys.models import Version
from surveys.questionnaire.certainty import at_most
from surveys.questionnaire.design_summary import block_lines
from surveys.report.audit.page import audit_page
from surveys.report.audit.risk import part_lines, points_of
from tests.cast.checked_surveys import document_of, protected, unprotected, yes_no
from tests.cast.devices import published

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def rotating_version() -> Version:
    """Three of eight questions, and one of two short parts; both strengths."""
    you = unprotected("you", {"key": "city", "kind": "yes_no", "text": {"en": "Do you live in a city?"}})
    first = published(
        document_of(
            you,
            protected("eight", *(yes_no(f"q{n}") for n in range(8)), p=7000, light=8000),
            protected("short", yes_no("u"), yes_no("v"), p=5000, light=6000),
            protected("other", yes_no("w"), p=2000, light=3000),
            group={"policy": "choice", "light": True},
        )
    )
    design = first.to_design()
    blocks = tuple(
        replace(block, questions_per_person=3) if block.key == "eight" else block for block in design.blocks
    )
    rotations = (Rotation(blocks=("short", "other"), parts_per_person=1),)
    turned = replace(design, blocks=blocks, rotations=rotations, mechanism=0)
    version = Version(
        survey=first.survey,
        number=first.number + 1,
        design=turned.to_json(),
        design_id=turned.design_id,
        wording=first.wording,
        wording_id=first.wording_id,
        published_at=timezone.now(),
    )
    version.save()
    return version


def found_of(version: Version) -> AuditedSurvey:
    found = audited_survey(version.survey)
    assert found is not None
    return found


def test_risk_in_words_says_how_many_are_asked_and_what_one_answer_tells() -> None:
    one = found_of(rotating_version())
    _open, eight, short, other = part_lines(one)
    law = one.design.in_group(direct=False)
    assert law is not None
    whole, odds = block_budget(law.blocks[1]).amplification, question_odds(law.blocks[1])
    assert whole is not None
    assert odds is not None
    assert (eight.per_person, eight.strong) == (3, at_most(float(whole / (1 + whole))))
    assert eight.one == at_most(float(odds / (1 + odds)))
    assert eight.light_one > eight.one
    assert (short.per_person, other.per_person, other.one) == (None, None, "")
    colleague = " ".join(points_of(one)[1].sentences)
    # 56 sets, of two parts one, two open answers: of 1,000 people (1 - 1/224)^999 = 1.1 %.
    assert "about 11 would have a sheet that no other sheet is like in this" in colleague
    assert "Each sheet shows which ones these were." in colleague


def test_the_risk_page_and_the_audit_show_it(admin_client: Client) -> None:
    version = rotating_version()
    text = " ".join(admin_client.get("/en/staff/surveys/checked/risk/").content.decode().split())
    assert "3 of 8" in text
    assert "by one answer alone" in text
    page = audit_page(audit_before(version, n=1000))
    eight = page.blocks[0]
    assert (eight.per_person, eight.questions, eight.odds) == ("3", 8, "5.67")
    assert page.own == "1.14 %"
    said = " ".join(sentence for part in page.parts for sentence in part.sentences)
    assert "Part eight: each person is asked 3 of its 8 questions, drawn by the device." in said
    assert "Part short: chance decides that 50 % of the people are asked it." in said
    assert "with the same open answers and the same questions asked" in said
    assert "Part eight, lightly disguised: an answer that is sent to one question" in said


def test_the_sum_is_of_the_parts_that_one_person_is_asked() -> None:
    version = rotating_version()
    design = version.to_design()
    lines = block_lines(version, design)
    assert [line.is_counted for line in lines] == [False, True, True, False]
    assert [line.per_person for line in lines] == [None, 3, None, None]
    counted = sum(block_budget(block).epsilon for block in design.blocks[1:3])
    assert budget(design).epsilon == pytest.approx(counted)


def test_the_survey_page_says_how_many_each_person_is_asked(admin_client: Client) -> None:
    rotating_version()
    text = " ".join(admin_client.get("/en/staff/surveys/checked/").content.decode().split())
    assert "Each person is asked 3 of these 8 questions." in text
    assert "takes turns with other parts that tell more; not in the sum" in text
