"""The results page shows a share for each answer, and associations, in the questionnaire's words."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from mining.interest import INTEREST
from mining.thresholds import Sides, Thresholds
from privacy.printed import CHECKED, Measured
from surveys.accounts.roles import Role
from surveys.models import AuditEvent, ItemsetInference, ItemsetRow, RuleInference, Run, Survey
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.packed_items import unpack_items
from surveys.report.opened_run import with_results
from surveys.report.results.results import MANY_ANSWERS, clearest_rules_of, results_context
from surveys.runs.opening_figures import MOST_RULES
from tests.fixtures.exports import everything
from tests.fixtures.pages import report_page
from tests.fixtures.rotating_exports import rotating_version, three_of_eight
from tests.fixtures.runs import (
    LOOSE,
    PAIRS,
    SINGLES,
    answer,
    answered_version,
    definition,
    mined_run,
    open_version,
    planned_version,
    requested_run,
    rule_row,
)  # fmt: skip
from tests.fixtures.scale_runs import scale_answered
from tests.fixtures.staff import member, seen_by

pytestmark = pytest.mark.django_db


def text_of(page: str) -> str:
    main = re.search(r"<main.*</main>", page, re.DOTALL)
    assert main
    return " ".join(re.sub(r"<[^>]*>", " ", re.sub(r"<svg.*?</svg>", " ", main[0], flags=re.DOTALL)).split())


@pytest.mark.soak
def test_every_protected_answer_has_its_share_listed_or_not() -> None:
    version = answered_version(3_000, n_direct=0, policy="protected")
    run = mined_run(version, Thresholds(support=0.3, max_size=2))
    questions = {one.question.key: one for one in results_context(with_results(run))["questions"]}
    assert [question.text for question in questions.values()] == [
        "How old are you?", "Are you often late?", "Have you cheated?", "Do you drink at work?",
    ]  # fmt: skip
    row = ItemsetRow.objects.get(run=run, items=",2,")
    ((item, listed_row),) = questions["late"].answers
    assert (item.answer, listed_row) == ("yes", row)
    assert row.support_low is not None
    assert row.support_high is not None
    ends = [f"{100 * share:.0f}" for share in (row.support, row.support_low, row.support_high)]
    page = text_of(report_page(run, "results"))
    assert "“" not in page.split("What goes together")[0]
    assert "{} of 100 ({} to {})".format(*ends) in page
    # If no answer reaches the run's support, shares and intervals are the same.
    rare = mined_run(version, Thresholds(support=0.9, max_size=1))
    assert not rare.itemsets.exists()
    questions = {one.question.key: one for one in results_context(with_results(rare))["questions"]}
    ((_item, unlisted),) = questions["late"].answers
    names = ("support", "support_se", "support_low", "support_high", "n", "few_rows")
    assert [getattr(unlisted, name) for name in names] == [getattr(row, name) for name in names]
    page = text_of(report_page(rare, "results"))
    assert "{} of 100 ({} to {})".format(*ends) in page
    # An unprotected question would reveal how many people gave a rare answer.
    assert {row for _item, row in questions["age"].answers} == {None}
    assert "fewer than 90 of 100" in page


@pytest.mark.soak
@pytest.mark.parametrize(("people", "is_few"), [(180, True), (400, False)])
def test_questions_asked_of_too_few_are_not_called_rare(people: int, is_few: bool) -> None:
    """With three of eight questions each, about 68 of 180 people, or 150 of 400, are asked each question."""
    run = mined_run(rotating_version(three_of_eight(), people), Thresholds(support=0.05, max_size=1))
    drawn_ones = [
        question for question in results_context(with_results(run))["questions"] if question.protected
    ]
    assert len(drawn_ones) == 8
    assert {question.few_asked for question in drawn_ones} == {is_few}
    page = text_of(report_page(run, "results"))
    assert ("Fewer than 100 people were asked this" in page) is is_few
    if is_few:
        assert "fewer than 5 of 100" not in page


@pytest.mark.soak
def test_a_practice_survey_shows_each_answer_of_an_open_question() -> None:
    """Of 20 people, those who did not give an answer are counted as well as those who gave it."""
    version = answered_version(20, n_direct=0, policy="protected", practice=True)
    run = mined_run(version, Thresholds(support=0.99, max_size=1))
    assert not run.itemsets.exists()
    questions = [each for each in results_context(with_results(run))["questions"] if not each.protected]
    assert questions
    for question in questions:
        rows = [row for _label, row in question.answers]
        assert all(row is not None and row.n == 20 for row in rows)
        assert sum(row.support for row in rows) == pytest.approx(1)


@pytest.mark.soak
def test_results_state_how_many_people_answered_if_not_all() -> None:
    run = mined_run(everything(), PAIRS)
    for items, words in ((",0,", "answered this"), (",6,", "were asked")):
        assert f"{run.itemsets.get(items=items).n:,} people {words}." in report_page(run, "results")


@pytest.mark.soak
def test_each_link_is_listed_once_if_its_test_passes() -> None:
    run = mined_run(answered_version(4_000, n_direct=0, policy="protected"), LOOSE)
    texts = list(clearest_rules_of(with_results(run)))
    together = [text.rule for text in texts]
    assert 1 <= len(together) <= MOST_RULES
    itemsets = []
    for rule in together:
        assert RuleInference.objects.get(rule=rule).passes
        assert rule.lift
        assert rule.lift > 1
        itemsets.append(frozenset(unpack_items(rule.antecedent) + unpack_items(rule.consequent)))
    assert not any(one <= other for one in itemsets for other in itemsets if one is not other)
    said = [text.sentence for text in texts]
    pair = next(sentence for sentence in said if "late" in sentence and "cheated" in sentence)
    assert pair.startswith("Of 100 people who answered “")
    page = text_of(report_page(run, "results"))
    assert re.search(r"; of 100 others, \d+ \(\d+ to \d+\)\.$", pair)
    assert pair in page
    assert len(page.split()) <= 400


@pytest.mark.soak
def test_the_rules_link_shows_their_number_and_missing_links() -> None:
    run = mined_run(
        answered_version(200, n_direct=0, policy="protected"), Thresholds(support=0.6, max_size=2)
    )
    assert not list(clearest_rules_of(with_results(run)))
    assert "No link was tested" in report_page(run, "results")
    for count, said in ((0, ""), (1, "Show 1 rule"), (2, "Show all 2 rules")):
        Run.objects.filter(pk=run.pk).update(summary={**run.summary, "rules": count})
        page = report_page(run, "results")
        # The tab leads to the rules, too, even if there are none.
        links = re.findall(rf'href="/en/staff/runs/{run.pk}/">([^<]*)</a>', page)
        assert [link for link in links if link not in ("Rules", f"Run {run.pk}")] == ([said] if said else [])
    rule_row(run, ",2,", ",3,")
    RuleInference.objects.update(passes=True)
    for page in (report_page(run, name) for name in ("results", "printed", "paper")):
        assert "The clear links rest on too few answers to state them here." in page
        assert not re.search("No (other )?link was|No (other )?association was statistically", page)


@pytest.mark.soak
def test_each_next_step_is_on_the_page_once(client: Client) -> None:
    client.force_login(seen_by(User.objects.create_superuser("dora")))
    run = mined_run(planned_version(Aim(people=900, wanted=("late", "cheat"))), SINGLES)
    page = client.get(reverse("report:results", args=[run.pk])).content.decode()
    steps = [
        "Print the report",
        "Share by link",
        "Texts for a paper and a letter",
        "Export data",
        "Documents",
    ]
    assert [page.count(f">{name}</a>") for name in steps] == [1] * len(steps)


@pytest.mark.soak
def test_numbers_and_places_link_to_their_pages() -> None:
    page = report_page(mined_run(scale_answered(400), SINGLES), "results")
    for name, question in (("number", "hours"), ("number", "wage"), ("place", "care")):
        assert page.count(f"/{name}s/{question}/") >= 1


@pytest.mark.soak
def test_looks_at_an_open_survey_use_always_valid_intervals() -> None:
    version = open_version(600, policy="protected")
    wanted = Thresholds(support=0.1, max_size=1)
    first, same_rows = mined_run(version, wanted), mined_run(version, Thresholds(support=0.12, max_size=1))
    answer(version, 100, batches=1, seed=4)
    second = mined_run(version, wanted)
    looks = ["This is interim look 1 (", "This is interim look 1 (", "This is interim look 2 ("]
    for run, look in zip((first, same_rows, second), looks, strict=True):
        assert look in text_of(report_page(run, "results"))
    row = ItemsetRow.objects.get(run=second, items=",2,")
    page = text_of(report_page(second, "results"))
    (said,) = re.findall(r"Are you often late\? yes [^?]*? (however often you look: \d+ to \d+)", page)
    assert row.support_low is not None
    assert row.support_high is not None
    low, high = (float(end) / 100 for end in re.findall(r"\d+", said))
    assert low < row.support_low < row.support_high < high
    paper = text_of(report_page(second, "printed"))
    assert looks[2] in paper
    assert said in paper


@pytest.mark.soak
def test_closed_surveys_mention_no_looks() -> None:
    version = answered_version(600, n_direct=0, policy="protected")
    assert "look" not in text_of(
        report_page(mined_run(version, Thresholds(support=0.1, max_size=1)), "results")
    )


@pytest.mark.parametrize("count", [MANY_ANSWERS, MANY_ANSWERS + 5])
@pytest.mark.few("20", why="the others execute nothing more")
def test_rare_answers_of_long_questions_are_collapsed(count: int) -> None:
    document = definition("long")
    document["blocks"][0]["questions"][0]["options"] += [
        {"key": f"age-{number}", "text": {"en": f"About {number}"}} for number in range(2, count)
    ]
    run = mined_run(planned_version(None, 600, document=document), SINGLES)
    age = next(each for each in results_context(with_results(run))["questions"] if each.question.key == "age")
    folded = count - 2 if count > MANY_ANSWERS else 0
    assert (len(age.lines), len(age.rare)) == (count - folded, folded)
    text = text_of(report_page(run, "results"))
    assert ("18 rarer answers: each estimated below 2 of 100 About 2 About 3" in text) == bool(folded)
    assert text.count("About 2") == 1


def share(value: float, low: float, high: float, *, estimable: bool = True) -> Measured:
    return Measured(
        value=value, low=low, high=high, standard_error=0.01, estimable=estimable, n=500, effective_n=500.0,
        level=0.95, possible=(0.0, 1.0), method="scores", shift=0.0, origin=CHECKED,
    )  # fmt: skip


@pytest.mark.soak
def test_every_listed_rule_and_itemset_has_inference_results() -> None:
    run = mined_run(answered_version(2000, n_direct=300))
    tests = RuleInference.objects.filter(rule__run=run)
    assert tests.count() == run.rules.count() > 0
    assert ItemsetInference.objects.filter(itemset__run=run).count() == run.itemsets.count()
    for row in tests.select_related("rule"):
        assert row.p_value <= row.p_adjusted <= 1
        assert row.passes == (row.p_adjusted <= 0.05)
        assert set(row.interest) == set(INTEREST)
        if row.lift_low is not None:
            assert row.lift_low <= row.rule.lift_low
        if row.redundant_by:
            shorter = unpack_items(row.redundant_by)
            assert set(shorter) < set(unpack_items(row.rule.antecedent))
    summary = run.summary["inference"]
    assert summary["passing"] == tests.filter(passes=True).count() > 0
    assert summary["redundant"] == tests.exclude(redundant_by="").count()
    # late and cheat are dependent by construction, age and cheat are not.
    late_cheat = tests.get(rule__antecedent=",2,", rule__consequent=",3,")
    assert late_cheat.passes
    assert not tests.get(rule__antecedent=",0,", rule__consequent=",3,").passes


@pytest.mark.soak
def test_the_test_family_is_fixed_when_a_run_is_requested() -> None:
    thresholds = Thresholds(
        support=0.02, confidence=0.2, sides=Sides(consequent=(2, 3, 4), longest_consequent=1)
    )
    version = answered_version(600, n_direct=0, policy="protected")
    # 2 ages and 3 items: pairs 2*3 + 3, triples (1 pair of items + 2*2 age and item) * 3 + ... as listed.
    requested_run(version, thresholds)
    event = AuditEvent.objects.filter(action="run_request").latest("pk")
    run = mined_run(version, thresholds)
    assert event.detail["family"] == run.summary["inference"]["family"]["lift"] == 9 + 3 * (1 + 2 * 2)
    assert run.summary["inference"]["passing_confidence"] is not None


@pytest.mark.soak
def test_the_page_states_which_rules_hold_are_redundant_or_could_change() -> None:
    run = mined_run(answered_version(2000, n_direct=300))
    text = report_page(run, "rule_tests")
    summary = run.summary["inference"]
    assert f"{summary['passing']} of {run.rules.count()} listed rules hold" in text
    assert f"possible associations, M</dt><dd>{summary['family']['lift']}</dd>" in text
    assert 'aria-current="page">Which rules hold' in text
    first = RuleInference.objects.filter(rule__run=run).order_by("p_adjusted", "p_value", "pk").first()
    assert first is not None
    assert f'<td class="num">{first.flips}</td>' in text
    assert text.index("holds</span>") < text.index("not shown</span>")


@pytest.mark.soak
def test_a_practice_survey_with_few_answers_explains_how_to_see_more(client: Client) -> None:
    too_few = "This practice survey has fewer than 100 answers. That is too few for most figures."
    ana = member("ana", Role.RESEARCHER, Role.REVIEWER)
    few, enough = (
        mined_run(answered_version(n, n_direct=0, policy="protected", practice=True, slug=f"of-{n}"), SINGLES)
        for n in (20, 120)
    )
    page = text_of(report_page(few, "results"))
    assert too_few in page
    assert "fewer than 2 of 100" not in page
    assert too_few not in text_of(report_page(enough, "results"))
    Survey.objects.update(owner=ana)
    client.force_login(ana)
    page = client.get(reverse("report:results", args=[few.pk])).content.decode()
    address = reverse("authoring:made_up", args=[few.survey.slug])
    assert f'To see what more answers would show, <a href="{address}">let made-up people answer</a>.' in page
    assert client.get(address).status_code == 200


def test_one_sentence_says_that_all_shares_are_too_wide() -> None:
    """With one answer, each of 13 rows had the labels "few rows" and "too wide to be useful"."""
    run = mined_run(answered_version(800, n_direct=0, policy="protected"))
    ItemsetRow.objects.filter(run=run).update(support_low=0.1, support_high=0.7, few_rows=True)
    page = report_page(run, "results")
    assert page.count("too wide to be useful") == 1
    assert "each share below is too wide to be useful" in page
    assert ">few rows<" not in page


@pytest.mark.soak
def test_shares_with_a_margin_that_no_plan_would_propose_are_labelled() -> None:
    run = mined_run(answered_version(800, n_direct=0, policy="protected"))
    assert "too wide to be useful" not in report_page(run, "results")
    ItemsetRow.objects.filter(run=run, items=",2,").update(support_low=0.1, support_high=0.61)
    assert report_page(run, "results").count("too wide to be useful") == 1
