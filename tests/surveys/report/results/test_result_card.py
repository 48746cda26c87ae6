"""The result card: three findings, the states before them, and the picture."""

import copy
import html
import math
import random
import re
from dataclasses import replace
from typing import Any, NoReturn
from unittest import mock

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone, translation

from mining.open_floor import OpenFloor
from privacy.errors import PrivacyError
from surveys.accounts.page_sharing import page_share
from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from surveys.errors.error import SurveyError
from surveys.formats.page_pictures import files_of
from surveys.models import Run, SharedPage, Version
from surveys.questionnaire.aim import Aim
from surveys.report.opened_run import OpenedRun, with_results
from surveys.report.results import planned_question
from surveys.report.results.planned_question import YourQuestion, your_question
from surveys.report.results.result_card import ResultCard, card_of
from surveys.report.sentences.verdict import Finding, VerdictKind
from tests.fixtures.devices import closed
from tests.fixtures.runs import (
    SINGLES,
    answer,
    answered_version,
    definition,
    mined_run,
    planned_version,
)
from tests.fixtures.scale_runs import scale_answer, scale_definition
from tests.fixtures.staff import seen_by

pytestmark = pytest.mark.django_db

EFFECT, NONE = ("late", "cheat"), ("late", "drink")
"""Answers that go together in the planted population, and answers that are independent."""


def yours_of(run: Run) -> tuple[OpenedRun, YourQuestion]:
    opened = with_results(run)
    yours = your_question(opened)
    assert yours is not None
    return opened, yours


def card(run: Run) -> ResultCard:
    opened = with_results(run)
    return card_of(opened, your_question(opened))


def planned(*wanted: str, n: int = 900, document: dict[str, Any] | None = None) -> Run:
    document = document or definition(f"planned-{'-'.join(wanted)}-{n}".replace("=", "-"))
    return mined_run(planned_version(Aim(people=n, wanted=wanted), n, document=document), SINGLES)


def all_protected(*wanted: str, n: int, document: dict[str, Any]) -> Run:
    """Return a run of a survey in which no one answers directly."""
    survey = survey_import(document, by="alice")
    survey.aim = Aim(people=n, wanted=wanted).to_json()
    survey.save(update_fields=["aim"])
    version = survey_publish(survey, by="alice", now=timezone.now(), is_readable_seen=True)
    answer(version, n, n_direct=0)
    return mined_run(closed(version), SINGLES)


@pytest.fixture
def reader(client: Client) -> Client:
    client.force_login(seen_by(User.objects.create_superuser("dora")))
    return client


def page(reader: Client, run: Run, name: str = "results") -> str:
    return html.unescape(reader.get(f"/en/staff/runs/{run.pk}/{name}/").content.decode())


def test_a_planted_effect_is_clear_and_none_is_ruled_out_or_uncertain() -> None:
    effect = card(planned(*EFFECT))
    assert (effect.kind, effect.heading) == (VerdictKind.CLEAR, "Clear")
    assert effect.sentences[0].startswith("Of 100 people who answered “Are you often late?” yes, ")
    none = card(planned(*NONE))
    assert (none.kind, none.heading) == (VerdictKind.RULED_OUT, "Nothing this large")
    (largest,) = re.findall(r"A difference of more than (\d+) points is ruled out", none.sentences[1])
    assert int(largest) < 30
    few = card(planned(*NONE, n=250))
    assert (few.kind, few.heading) == (VerdictKind.UNCERTAIN, "Too uncertain to say")
    (more,) = re.findall(r"About ([\d,]+) more people would be enough", few.sentences[1])
    # As many people are enough.
    enough = card(planned(*NONE, n=250 + int(more.replace(",", ""))))
    assert enough.kind in (VerdictKind.CLEAR, VerdictKind.RULED_OUT)
    for each in (effect, none, few):
        assert not re.search("No link|No difference", " ".join(each.sentences))


def test_the_picture_of_a_comparison_says_the_figures_of_its_sentence() -> None:
    found = card(planned(*EFFECT))
    figures = r"yes, (\d+) answered .* yes \((\d+) to (\d+)\); of 100 others, (\d+) \((\d+) to (\d+)\)"
    said = re.search(figures, found.sentences[0])
    assert said
    drawn = [row.text for row in found.rows]
    assert drawn == ["{} of 100 ({} to {})".format(*said.groups()[at : at + 3]) for at in (0, 3)]
    assert {row.ruler.unit for row in found.rows} == {"people of 100"}
    assert "59 of 100" in found.drawing
    assert "Lines show 95% confidence intervals." in found.foot


@pytest.mark.soak
def test_a_starred_share_is_clear_uncertain_or_ruled_out() -> None:
    opened, yours = yours_of(planned("drink"))
    assert card_of(opened, yours).kind == VerdictKind.CLEAR
    few = card(all_protected("drink", n=120, document=definition("few", policy="protected")))
    assert few.kind == VerdictKind.UNCERTAIN
    assert "more people would be enough to know it within ±10 points." in few.sentences[1]


def starred_number(*wanted: str, n: int = 1_500) -> Run:
    """Return a run of a survey with a starred number of hours from 0 to 79; the planted mean is 38.5."""
    survey = survey_import(scale_definition(), by="alice")
    survey.aim = Aim(people=n, wanted=wanted).to_json()
    survey.save(update_fields=["aim"])
    version = survey_publish(
        survey, by="alice", now=timezone.now(), is_readable_seen=True, reason="A test of the card."
    )
    scale_answer(version, n)
    return mined_run(closed(version), SINGLES)


@pytest.mark.soak
def test_a_starred_number_is_drawn_in_its_own_unit() -> None:
    """38.5 of 79 hours; in percent of the range from 4.5 to 74.5 the same mean would be at 49."""
    (row,) = card(starred_number("hours")).rows
    assert row.ruler.ends == ("0", "79 hours a week")
    (mean,) = re.findall(r"^([\d.]+) hours a week, between [\d.]+ and [\d.]+$", row.text)
    assert row.value == pytest.approx(float(mean), abs=0.5)
    assert row.low < 38.5 < row.high


def test_a_starred_share_and_a_starred_number_have_an_axis_each() -> None:
    found = card(starred_number("drink", "hours"))
    assert [row.ruler.unit for row in found.rows] == ["people of 100", "hours a week"]
    assert ">100 of 100 people<" in found.drawing
    assert ">79 hours a week<" in found.drawing


@pytest.mark.soak
def test_two_stars_can_compare_an_open_answer() -> None:
    found = card(planned("age=old", "drink"))
    assert (found.kind, len(found.rows)) == (VerdictKind.CLEAR, 2)
    assert found.sentences[0].startswith("Of 100 people who answered “How old are you?” 40 or older, ")


@pytest.mark.soak
def test_a_survey_without_protected_questions_has_a_card() -> None:
    document = definition("open-only", policy="protected")
    for block in document["blocks"][1:]:
        kept = {name: block[name] for name in ("key", "title", "questions")}
        block.clear()
        block.update(kept, protected=False)
        for question in block["questions"]:
            for name in ("unrelated", "prevalence"):
                question.pop(name, None)
    found = card(all_protected("age=old", n=400, document=document))
    assert found.kind == VerdictKind.CLEAR
    assert found.states == ("No question is protected: all answers are stored as given.",)
    assert found.states[0] in found.drawing
    assert "disguised" not in found.foot


@pytest.mark.soak
def test_without_a_star_the_card_asks_for_one(reader: Client) -> None:
    run = mined_run(answered_version(400, policy="protected", n_direct=0), SINGLES)
    found = card(run)
    assert (found.kind, found.asks_for_star) == (None, True)
    said = page(reader, run)
    assert "Star the one or two answers that matter most on the plan page, before you publish." in said
    # The survey is closed, so its plan cannot change.
    assert f'href="/en/staff/surveys/{run.survey.slug}/plan"' not in said
    assert "Picture to send" not in said


def test_a_finding_that_forged_rows_explain_is_never_clear() -> None:
    """As many rows that do not fit as flip the verdict; the planted effect was clear without them."""
    opened, yours = yours_of(planned(*EFFECT))
    assert yours.comparison is not None
    flips = yours.comparison.comparison.flips
    assert flips is not None
    assert flips > 1
    for rows, kind in (
        (0, VerdictKind.CLEAR),
        (flips - 1, VerdictKind.CLEAR),
        (flips, VerdictKind.UNCERTAIN),
        (flips + 9, VerdictKind.UNCERTAIN),
    ):
        other = replace(yours, comparison=replace(yours.comparison, forged=rows))
        assert card_of(opened, other).kind == kind, rows
    # Even without flips: rows that could have moved the difference to 0.
    moved = replace(yours.comparison.comparison.difference, shift=0.9)
    far = replace(
        yours.comparison, forged=1, comparison=replace(yours.comparison.comparison, difference=moved)
    )
    found = card_of(opened, replace(yours, comparison=far))
    assert found.kind == VerdictKind.UNCERTAIN
    assert "forged answers could explain it" in found.sentences[1]


@pytest.mark.parametrize(
    ("error", "heading"),
    [
        (SurveyError("waits", least=100), "Waits until the survey is settled"),
        (
            PrivacyError("forged.question", 0, first="Late?", second="", rows=3, n=9),
            "Withheld: forged answers",
        ),
        (SurveyError("too_few.patterns", least=100), "Too uncertain to say"),
    ],
)
def test_a_refused_figure_names_its_state(error: PrivacyError, heading: str) -> None:
    opened, yours = yours_of(planned(*EFFECT))
    found = card_of(opened, replace(yours, comparison=None, error=error))
    assert (found.kind, found.heading) == (None, heading)
    assert found.rows == ()
    assert found.sentences
    assert "Lines show" not in found.foot


def test_a_refused_figure_names_its_question(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_stated: Any) -> NoReturn:
        raise SurveyError("too_few.answer")

    monkeypatch.setattr(planned_question, "stored_pair", refuse)
    _opened, pair = yours_of(planned(*EFFECT))
    assert len(pair.refused) == 2
    assert pair.sentences[0].startswith(f"“{pair.refused[0]}”, “{pair.refused[1]}”: ")
    lone = YourQuestion(error=SurveyError("too_few.answer"), refused=("Are you often late? Yes",))
    assert lone.sentences[0].startswith("“Are you often late? Yes”: ")


@pytest.mark.parametrize("wanted", [EFFECT, ("age=old", "drink"), ("drink",), ("late",)])
@pytest.mark.few("wanted0", why="the others differ in the starred answer alone")
def test_an_interim_look_has_no_finding_whatever_it_shows(reader: Client, wanted: tuple[str, ...]) -> None:
    """The planted effect is clear at the ordinary level, which holds for one look only."""
    document = definition("final", policy="protected")
    assert card(all_protected(*wanted, n=2_000, document=document)).kind == VerdictKind.CLEAR
    run = mined_run(still_open(*wanted, n=2_000), SINGLES)
    found = card(run)
    assert (found.kind, found.heading) == (VerdictKind.INTERIM, "An interim look")
    state, *_rest = found.states
    assert state.startswith("This is interim look 1")
    assert state.split(",")[0] in found.drawing
    said = " ".join([*found.sentences, page(reader, run), page(reader, run, "paper")])
    assert "More answers can still change this." in said
    assert not re.search(r"is clear|ruled out|>Clear<|The difference stays", said)
    pair = f"compare/?outcome={EFFECT[1]}&by={EFFECT[0]}"
    compared = html.unescape(reader.get(f"/en/staff/runs/{run.pk}/{pair}").content.decode())
    assert "So far, the difference is" in compared
    assert "The difference is clear" not in compared


def still_open(*wanted: str, n: int) -> Version:
    """Return a version that still accepts answers, with those of the planned one and a newest batch."""
    survey = survey_import(definition("open", policy="protected"), by="alice")
    survey.aim = Aim(people=n, wanted=wanted).to_json()
    survey.save(update_fields=["aim"])
    version = survey_publish(survey, by="alice", now=timezone.now(), is_readable_seen=True)
    answer(version, n)
    answer(version, 50, batches=1, seed=99)
    return version


def test_an_interim_look_may_say_that_a_figure_is_too_uncertain() -> None:
    found = card(mined_run(still_open(*NONE, n=250), SINGLES))
    assert (found.kind, found.heading) == (VerdictKind.INTERIM, "An interim look")
    assert found.sentences[1].startswith("Too uncertain to say")


@pytest.mark.soak
def test_false_findings_at_one_of_many_looks_are_as_rare_as_at_the_last_one() -> None:
    """No effect is planted. Someone looks at each of 40 growing samples and stops at the first finding."""
    rng, looks, surveys = random.Random(4), range(100, 900, 20), 300
    ordinary = at_looks = at_the_end = 0
    for _ in range(surveys):
        hits = [rng.random() < 0.3 for _row in range(900)]
        others = [rng.random() < 0.3 for _row in range(900)]
        clear = [is_clear(hits[:n], others[:n], is_interim=False) for n in (*looks, 900)]
        ordinary += any(clear)
        at_the_end += clear[-1]
        at_looks += clear[-1] or any(is_clear(hits[:n], others[:n], is_interim=True) for n in looks)
    assert at_looks == at_the_end
    # At 5%, at most 34 of 300 surveys have a false finding, except with probability 1e-6.
    assert at_looks <= 34
    assert ordinary > 60, "the ordinary test at each look finds what is not there"


def is_clear(first: list[bool], second: list[bool], *, is_interim: bool) -> bool:
    """Return whether the card calls the difference of two shares clear."""
    n, (one, two) = len(first), (sum(first) / len(first), sum(second) / len(second))
    error = math.sqrt((one * (1 - one) + two * (1 - two)) / n)
    differs = abs(one - two) > 1.959964 * error
    finding = Finding(kind=VerdictKind.CLEAR if differs else VerdictKind.UNCERTAIN, sentence="")
    return finding.at_look(is_interim=is_interim).kind == VerdictKind.CLEAR


def test_a_star_without_a_figure_does_not_count_as_no_star(reader: Client) -> None:
    """An open answer that no one gave has no figure, and others wait; both were starred all the same."""
    document = definition("rare", policy="protected")
    document["blocks"][0]["questions"][0]["options"].append({"key": "oldest", "text": {"en": "Above 90"}})
    survey = survey_import(document, by="alice")
    survey.aim = Aim(people=400, wanted=("age=oldest",)).to_json()
    survey.save(update_fields=["aim"])
    version = survey_publish(survey, by="alice", now=timezone.now(), is_readable_seen=True)
    answer(version, 400)
    answer(version, 50, batches=1, seed=99)
    run = mined_run(version, SINGLES)
    found = card(run)
    assert (found.asks_for_star, found.kind) == (False, None)
    reason = "This answer has no figure: too few people were asked about it"
    assert found.sentences[0].startswith(f"“How old are you? Above 90”: {reason}")
    assert "No answer is starred" not in page(reader, run)
    floor = OpenFloor(least=10, withheld=frozenset({2}))
    with mock.patch("surveys.report.results.planned_question.floor_of", return_value=floor):
        waiting = card(run)
    assert waiting.heading == "Waits until the survey is settled"
    assert "”: This answer has no figure until no more answers can arrive." in waiting.sentences[0]


@pytest.mark.soak
def test_a_star_that_waits_comes_before_what_the_other_one_says() -> None:
    opened, yours = yours_of(planned("drink"))
    assert card_of(opened, yours).kind == VerdictKind.CLEAR
    found = card_of(opened, replace(yours, error=SurveyError("waits", least=10)))
    assert (found.kind, found.heading) == (None, "Waits until the survey is settled")
    assert found.sentences[0].startswith("Figures that combine unprotected answers wait")
    assert len(found.rows) == 1


def test_no_sentence_denies_a_link_or_difference_that_its_interval_allows(reader: Client) -> None:
    few = planned(*NONE, n=250)
    for language, denials in (
        ("en", r"[Nn]o (other )?(link|difference|association) (between|was found)|significant"),
        ("zh-hans", "没有发现|没有差别|没有差异|显著"),
    ):
        for name in ("results/", "report/", f"compare/?outcome={NONE[1]}&by={NONE[0]}"):
            said = html.unescape(reader.get(f"/{language}/staff/runs/{few.pk}/{name}").content.decode())
            assert not re.search(denials, said), (language, name)


@pytest.mark.soak
def test_results_begin_with_the_card_everywhere_and_the_picture_has_its_size(reader: Client) -> None:
    run = planned(*EFFECT)
    found = card(run)
    staff = page(reader, run)
    assert staff.index("Your question") < staff.index("900 people answered. Each bar")
    _link, secret = page_share(
        run.survey, SharedPage.Kind.RESULTS, run=run, days=7, by="dora", now=timezone.now()
    )
    shared = html.unescape(reader.get(f"/en/shared/{secret}/").content.decode())
    assert "js/png.js" in shared
    for said in (staff, shared, page(reader, run, "report")):
        for sentence in found.sentences:
            assert sentence in said
        assert ">Clear</span>" in said
    files = files_of(reader.get(f"/en/staff/runs/{run.pk}/results/").content.decode())
    (name,) = [name for name in files if name.endswith("-clear.svg")]
    picture = files[name].decode()
    assert picture.startswith('<svg width="1200" height="630" ')
    assert not re.search(r"(href|src|url\(|@font-face|https?://(?!www\.w3\.org/2000/svg))", picture)


@pytest.mark.soak
def test_long_labels_and_chinese_fit_the_picture() -> None:
    document = copy.deepcopy(definition("planned"))
    document["blocks"][1]["questions"][0]["text"] = {
        "en": "Have you ever been late, in the last twelve months? " * 8
    }
    run = planned(*EFFECT, document=document)
    for language in ("en", "zh-hans"):
        with translation.override(language):
            found = card(run)
            picture = str(found.drawing)
        assert found.heading == ("Clear" if language == "en" else "明确")
        texts = [
            (float(y), float(size))
            for y, size in re.findall(r'<text x="[^"]*" y="([\d.]+)"[^>]*font-size="(\d+)"', picture)
        ]
        assert texts
        assert max(y for y, _size in texts) <= 630
        assert min(size for _y, size in texts) >= 18
