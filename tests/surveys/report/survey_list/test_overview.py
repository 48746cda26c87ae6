import re

import pytest
from django.test import Client
from django.utils import timezone

from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from surveys.models import Survey
from surveys.report.survey_list.overview import newest_versions, survey_page
from surveys.runs.run_words import direct_share
from surveys.templatetags.design_facts import blocks_of, open_questions
from tests.fixtures.runs import (
    answered_version,
    definition,
    mined_run,
    open_version,
    published,
    requested_run,
)

pytestmark = pytest.mark.django_db


@pytest.mark.soak
def test_the_survey_page_shows_design_epsilon_and_groups() -> None:
    page = survey_page(answered_version(813, n_direct=163).survey)
    (design,) = page.designs
    groups, blocks = design.groups, blocks_of(design.newest)
    assert (groups.n, groups.n_direct, groups.n_protected, direct_share(groups)) == (813, 163, 650, ".200")
    assert [block.key for block in blocks] == ["you", "work", "life"]
    assert [block.epsilon for block in blocks] == ["", "2.14", "1.73"]
    assert [question.key for question in blocks[1].questions] == ["late", "cheat"]
    assert (blocks[1].title, blocks[1].questions[1].text) == ("Work", "Have you cheated?")
    assert (round(design.epsilon, 2), open_questions(design.design), page.can_mine) == (3.87, 1, True)


@pytest.mark.soak
def test_the_newest_batch_of_an_open_survey_is_excluded() -> None:
    (design,) = survey_page(open_version(613, n_direct=163, light=True).survey).designs
    groups = design.groups
    assert (groups.n, groups.n_direct, groups.n_protected, direct_share(groups)) == (613, 163, 450, ".266")


def test_open_surveys_with_undisguised_answers_cannot_be_mined() -> None:
    page = survey_page(open_version(613, n_direct=163).survey)
    assert (page.designs[0].groups.n, page.can_mine, page.waits_for_close) == (0, False, True)


def test_a_survey_without_enough_protected_answers_cannot_be_mined() -> None:
    assert survey_page(answered_version(99, n_direct=50).survey).can_mine is False
    assert survey_page(published("nothing").survey).can_mine is False


@pytest.mark.soak
def test_a_practice_survey_can_be_mined_from_its_first_answer() -> None:
    assert survey_page(answered_version(3, n_direct=1, practice=True).survey).can_mine is True


def test_a_draft_has_neither_designs_nor_answers() -> None:
    page = survey_page(survey_import(definition("draft"), by="alice"))
    assert (page.designs, page.can_mine, page.survey.state) == ((), False, "draft")


@pytest.mark.soak
def test_versions_of_one_design_are_grouped_under_the_newest() -> None:
    first = published()
    reworded = definition()
    reworded["blocks"][0]["title"] = {"en": "About you"}
    survey_import(reworded, by="alice")
    second = survey_publish(Survey.objects.get(), by="alice", now=timezone.now(), is_readable_seen=True)
    changed = definition()
    changed["blocks"][2]["truth_probability"] = 5000
    survey_import(changed, by="alice")
    third = survey_publish(Survey.objects.get(), by="alice", now=timezone.now(), is_readable_seen=True)
    assert newest_versions(first.survey) == [third, second]
    assert [part.numbers for part in survey_page(first.survey).designs] == [(3,), (1, 2)]


@pytest.mark.soak
def test_runs_are_listed_with_their_parameters_and_results(reader: Client) -> None:
    version = answered_version()
    run = mined_run(version)
    waiting = requested_run(version)
    assert survey_page(version.survey).runs == (waiting, run)
    page = reader.get(f"/en/staff/surveys/{version.survey.slug}/").content.decode()
    newest, oldest = re.findall(r"<tr>(.*?)</tr>", page[page.index('id="runs"') :], flags=re.DOTALL)[1:]
    assert "Queued" in newest or "queued" in newest
    assert "support from .020, longest itemset: 2" in oldest
    assert f'<td class="num">{run.rules.count()}</td>' in oldest
    assert newest.count('<td class="num"></td>') == 2
