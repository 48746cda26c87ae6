"""Every page of the report in every state, as a browser requests it."""

import csv
import html
import io
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from mining.thresholds import Sides, Thresholds
from surveys.jobs import lease
from surveys.models import Job, RuleInference, Run, Version
from surveys.policy import LEAST_PROTECTED
from surveys.questionnaire.promise_words import promises_in_words
from surveys.report.rules.no_rules import advice_without_rules
from surveys.report.rules.rule_query import RULES_PER_PAGE
from surveys.report.survey_list.mine_form import MineForm
from tests.fixtures.runs import LOOSE, alice, answered_version, mined_run, published, requested_run, truth_of
from tests.fixtures.scale_runs import scale_answered

pytestmark = pytest.mark.django_db
FORM = {"support": "0.05", "confidence": "0", "max_size": "3"}
ONE_ITEM = Thresholds(support=0.02, max_size=1)


class Tags(HTMLParser):
    """Collects ids and references to them, to find broken ones."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.labelled: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("id"):
            self.ids.append(str(given["id"]))
        for name in ("for", "aria-labelledby", "aria-describedby"):
            self.labelled += (given.get(name) or "").split()


def page(client: Client, path: str, *, status: int = 200) -> str:
    response = client.get(path)
    assert response.status_code == status, response.headers
    text = response.content.decode()
    tags = Tags(text)
    assert len(set(tags.ids)) == len(tags.ids), "an id is given twice"
    assert set(tags.labelled) <= set(tags.ids), "a label points nowhere"
    return text


def set_job(run: Run, **changes: Any) -> None:
    Job.objects.filter(pk=run.job_id).update(**changes)


# ----------------------------------------------------------------- surveys


@pytest.mark.soak
def test_the_empty_survey_list_explains_what_to_do(reader: Client) -> None:
    assert "No rules to review" in page(reader, "/en/staff/")


@pytest.mark.soak
def test_a_survey_with_too_few_answers_explains_when_results_are_possible(reader: Client) -> None:
    published()
    text = page(reader, "/en/staff/surveys/habits/")
    assert "Not enough answers for results yet" in text
    assert 'action="/en/staff/surveys/habits/mine"' not in text


@pytest.mark.soak
def test_a_survey_with_answers_offers_mining(reader: Client) -> None:
    answered_version()
    text = page(reader, "/en/staff/surveys/habits/")
    assert 'action="/en/staff/surveys/habits/mine"' in text
    assert "3.87" in text
    # Titles are escaped.
    assert "<b>&</b>" not in text
    assert "&lt;b&gt;&amp;&lt;/b&gt;" in text


# -------------------------------------------------------------------- mine


@pytest.mark.django_db(transaction=True)
@pytest.mark.soak
def test_mining_redirects_to_the_run(reader: Client, broker: str) -> None:
    version = answered_version()
    response = reader.post("/en/staff/surveys/habits/mine", {**FORM, "version": version.pk})
    run = Run.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"/en/staff/runs/{run.pk}/")
    assert Job.objects.get(pk=run.job_id).requested_by == alice()
    assert Job.objects.get(pk=run.job_id).sends == 1


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_mining_without_a_broker_queues_the_job(reader: Client, no_broker: None) -> None:
    version = answered_version()
    response = reader.post("/en/staff/surveys/habits/mine", {**FORM, "version": version.pk}, follow=True)
    assert response.status_code == 200
    assert "Queued. The broker has not accepted the job yet." in response.content.decode()


@pytest.mark.soak
def test_invalid_thresholds_show_field_errors_and_start_no_run(reader: Client) -> None:
    given = {**FORM, "version": answered_version().pk}
    for wrong in ({"support": "7"}, {"max_size": ""}):
        response = reader.post("/en/staff/surveys/habits/mine", given | wrong)
        assert response.status_code == 422
        assert 'class="error"' in response.content.decode()
    assert Run.objects.count() == 0


def test_analysing_again_repeats_the_settings_of_the_newest_run(reader: Client) -> None:
    version = answered_version()
    requested_run(version)
    last = Thresholds(support=0.2, confidence=0.6, lift=1.5, max_size=2, sides=Sides(consequent=(2, 4)))
    requested_run(version, last)
    form = reader.get("/en/staff/surveys/habits/").context["form"]
    same = MineForm([version], {name: form[name].value() for name in form.fields})
    assert same.is_valid(), same.errors
    assert (same.chosen_version(), same.thresholds()) == (version, last)


def test_runs_with_too_few_answers_are_refused(reader: Client) -> None:
    version = answered_version(99, n_direct=60)
    response = reader.post("/en/staff/surveys/habits/mine", {**FORM, "version": version.pk})
    assert response.status_code == 422
    assert Run.objects.count() == 0


# ------------------------------------------------------------- a run at work


def test_a_run_shows_that_it_is_queued_and_then_its_progress(reader: Client) -> None:
    run = requested_run(answered_version())
    text = page(reader, f"/en/staff/runs/{run.pk}/")
    assert "Queued. The broker has not accepted the job yet." in text
    assert f'data-progress="/en/staff/runs/{run.pk}/progress"' in text
    assert f'action="/en/staff/runs/{run.pk}/cancel"' in text
    set_job(run, state="running", stage="counting", done=30, total=40, attempts=1, started_at=timezone.now())
    text = page(reader, f"/en/staff/runs/{run.pk}/")
    assert "Counting rows" in text
    assert 'value="75"' in text
    said = reader.get(f"/en/staff/runs/{run.pk}/progress").json()
    assert (said["over"], said["percent"], said["headline"]) == (False, 75, "Counting rows")


@pytest.mark.soak
def test_a_run_can_be_cancelled_once(reader: Client) -> None:
    run = requested_run(answered_version())
    reader.post(f"/en/staff/runs/{run.pk}/cancel")
    assert Job.objects.get(pk=run.job_id).state == "cancelled"
    text = page(reader, f"/en/staff/runs/{run.pk}/")
    assert "This run was cancelled. Nothing was stored." in text
    again = reader.post(f"/en/staff/runs/{run.pk}/cancel", follow=True).content.decode()
    assert "The run finished before it could be cancelled." in again


@pytest.mark.soak
def test_a_failed_run_shows_the_reason_and_remedy(reader: Client) -> None:
    run = requested_run(answered_version())
    for message in ("9 are too many. Raise the support.", lease.FAULT):
        set_job(run, state="failed", message=message, attempts=1)
        text = page(reader, f"/en/staff/runs/{run.pk}/")
        assert html.escape(message) in text
        assert 'role="alert"' in text


# ---------------------------------------------------------------- a finished run


@pytest.mark.soak
def test_a_finished_run_shows_rules_with_standard_errors(reader: Client) -> None:
    run = mined_run(answered_version())
    surveys = page(reader, "/en/staff/")
    assert "/en/staff/surveys/habits/" in surveys
    assert f"/en/staff/runs/{run.pk}/" in surveys
    assert reader.get(f"/en/staff/runs/{run.pk}/progress").json() == {"over": True}
    text = page(reader, f"/en/staff/runs/{run.pk}/")
    count = run.rules.count()
    assert f"{count} of {count} rules" in text
    assert "±" not in visible(text)
    every = page(reader, f"/en/staff/runs/{run.pk}/?measures=all")
    assert "±" in every
    assert "W is the expected error" in every
    made = page(reader, f"/en/staff/runs/{run.pk}/about/")
    for shown in (run.engine, "ε 2.14", run.snapshot_digest, run.design_id, run.code_version, "Do you drink"):
        assert shown in made


def visible(text: str) -> str:
    """Return a page's main text without folded sections, option lists, and markup."""
    main = text[text.index("<main") : text.index("</main>")]
    main = re.sub(r"</summary>.*?</details>", "", main, flags=re.DOTALL)
    main = re.sub(r"<select.*?</select>", "", main, flags=re.DOTALL)
    return html.unescape(main)


@pytest.mark.soak
@pytest.mark.parametrize("knows_the_truth", [True, False])
def test_the_rules_page_is_one_table_with_little_text(reader: Client, knows_the_truth: bool) -> None:
    version = answered_version()
    if knows_the_truth:
        truth_of(version, 800)
    run = mined_run(version)
    text = visible(page(reader, f"/en/staff/runs/{run.pk}/"))
    assert text.count("<table") == 1
    rows = re.findall(r"<tr>\s*<th scope=\"row\">.*?</tr>", text, re.DOTALL)
    assert len(rows) == min(run.rules.count(), RULES_PER_PAGE)
    for row in rows:
        name, figures = row.split("</th>", 1)
        assert name.count("rule-before") == name.count("rule-after") == 1
        numbers = re.findall(r"\d*\.\d+|\d+", re.sub(r"<[^>]+>", " ", figures))
        assert 4 <= len(numbers) <= 12
    around = re.sub(r"<table.*?</table>", "", text, flags=re.DOTALL)
    # One sentence of 20 words says which test the p-values are from.
    assert len(re.sub(r"<[^>]+>", " ", around).split()) <= 160


@pytest.mark.soak
def test_run_pages_have_five_tabs_with_others_below(reader: Client) -> None:
    run = mined_run(scale_answered(400))
    here = f"/en/staff/runs/{run.pk}/"
    for path in ("results/", "compare/", "", "about/"):
        (tabs,) = re.findall(r'<nav class="tabs.*?</nav>', page(reader, here + path), re.DOTALL)
        named = re.findall(r">([^<]+)</a>", tabs)
        assert named == ["Results", "Compare", "Rules", "Details", "How it was made"], path
        assert tabs.count('aria-current="page"') == 1
    behind = re.findall(r'<nav class="tabs.*?</nav>', page(reader, here + "itemsets/"), re.DOTALL)[1]
    ahead = dict(re.findall(r'<a href="([^"]+)"[^>]*>([^<]+)</a>', behind))
    assert len(ahead) == 8
    for address in ahead:
        tabs, more = re.findall(r'<nav class="tabs.*?</nav>', page(reader, address), re.DOTALL)
        assert 'aria-current="true">Details' in tabs
        assert more.count('aria-current="page"') == 1, address


def test_results_and_rules_repeat_the_promise_to_respondents(reader: Client) -> None:
    run = mined_run(answered_version(light=True))
    for path in ("results/", ""):
        text = " ".join(page(reader, f"/en/staff/runs/{run.pk}/{path}").split())
        assert all(sentence in text for sentence in promises_in_words(run.design))
        assert "Lightly disguised: " in text
        assert "sent undisguised answers" not in text


@pytest.mark.soak
def test_the_page_compares_results_with_the_known_truth(reader: Client) -> None:
    version = answered_version()
    truth_of(version, 800)
    run = mined_run(version, Thresholds(support=0.1))
    text = page(reader, f"/en/staff/runs/{run.pk}/")
    assert "Here the truth is known" in text
    assert "◇" in text
    assert "W is the distance of the support from the truth" in text
    assert "◇ marks" not in text
    assert "◇ marks the true value." in page(reader, f"/en/staff/runs/{run.pk}/?measures=all")
    known = run.summary["truth"]
    assert known["itemsets"] >= known["listed"] > 0
    assert f"<dd>{100 * known['coverage']:.1f}% <span" in " ".join(text.split())


@pytest.mark.soak
def test_filters_without_matches_can_be_cleared_and_invalid_ones_are_reported(reader: Client) -> None:
    run = mined_run(answered_version())
    here = f"/en/staff/runs/{run.pk}/"
    text = page(reader, f"{here}?lift_from=999&length=2")
    assert "No rule matches these filters" in text
    assert "Clear filters" in text
    assert f"0 of {run.rules.count()} rules" in text
    for query in ("sort=job__message", "page=-1", "item=%00", "lift_from=1e999", "item=9999999999999999999"):
        for table in ("", "itemsets/"):
            assert "was not understood and was left out" in page(reader, f"{here}{table}?{query}"), query


@pytest.mark.soak
def test_a_run_without_rules_suggests_what_to_try(reader: Client) -> None:
    run = mined_run(answered_version(), Thresholds(support=0.9))
    assert "No rule reaches these thresholds" in page(reader, f"/en/staff/runs/{run.pk}/")
    text = page(reader, f"/en/staff/runs/{run.pk}/itemsets/")
    assert "No itemset passes" in text
    assert ("Show all itemsets" in text, "Run again" in text) == (False, True)


@pytest.mark.soak
def test_lifts_selected_for_estimability_have_a_label(reader: Client) -> None:
    run = mined_run(answered_version())
    first, second = run.rules.order_by("-lift", "pk")[:2]
    run.rules.update(lift_low=1.0, lift_high=2.0, lift_se=0.2)
    label = '<span class="tag tag--warn">shown because estimable</span>'
    addresses = ("", f"rules/{first.pk}/", "tests/")
    assert all(label not in page(reader, f"/en/staff/runs/{run.pk}/{path}") for path in addresses)
    run.rules.filter(pk=first.pk).update(lift_se=None)
    # Without an interval, the point estimate is hidden too, or estimability would select it.
    run.rules.filter(pk=second.pk).update(lift_se=None, lift_low=None, lift_high=None)
    for path in addresses:
        assert page(reader, f"/en/staff/runs/{run.pk}/{path}").count(label) == 1
    assert label not in page(reader, f"/en/staff/runs/{run.pk}/rules/{second.pk}/")


@pytest.mark.soak
def test_impossible_and_missing_values_are_shown_and_labelled(reader: Client) -> None:
    run = mined_run(answered_version())
    first, second, third = run.rules.order_by("pk")[:3]
    run.rules.filter(pk=first.pk).update(confidence=1.234, lift=99)
    run.rules.filter(pk=second.pk).update(support=-0.0123, lift=98)
    run.rules.filter(pk=third.pk).update(few_rows=True, lift=97)
    RuleInference.objects.filter(rule=third).update(lift_low=None, lift_high=None)
    text = page(reader, f"/en/staff/runs/{run.pk}/?measures=all&sort=-lift")
    assert text.count("too few to say") >= 2
    for shown in ("cannot be estimated", "few rows"):
        assert shown in text
    for hidden in ("1.234", "−.012"):
        assert hidden not in text


@pytest.mark.soak
def test_pages_count_undisguised_respondents_and_itemsets_estimate_both_groups(reader: Client) -> None:
    run = mined_run(answered_version())
    for path in ("results/", "", "itemsets/"):
        address = f"/en/staff/runs/{run.pk}/{path}"
        text = page(reader, address)
        assert "160 of 800 sent undisguised answers." in " ".join(text.split())
    assert "If the two differ, use the robust one." in text
    assert ">P0</th>" in text
    # Staff pages are sent compressed.
    sent = reader.get(address, headers={"Accept-Encoding": "gzip"})
    assert sent.headers["Content-Encoding"] == "gzip"
    assert len(sent.content) < len(text.encode()) / 3


def test_results_are_hidden_below_100_protected_answers(reader: Client) -> None:
    run = mined_run(answered_version())
    Run.objects.filter(pk=run.pk).update(n=LEAST_PROTECTED - 1)
    for path in ("", "itemsets/"):
        text = reader.get(f"/en/staff/runs/{run.pk}/{path}", follow=True).content.decode()
        assert "There are too few protected answers to show a result" in text
        assert "<svg" not in text
    for file in ("rules.csv", "rules.json", "itemsets.csv"):
        assert reader.get(f"/en/staff/runs/{run.pk}/{file}").status_code == 409, file


@pytest.mark.soak
def test_pages_show_the_limits_on_rule_sides(reader: Client) -> None:
    run = mined_run(answered_version(), Thresholds(support=0.1, sides=Sides(longest_consequent=1)))
    for name in ("about", "report"):
        assert "at most 1 after the arrow" in page(reader, f"/en/staff/runs/{run.pk}/{name}/")


@pytest.mark.soak
def test_practice_is_marked_on_every_page(reader: Client) -> None:
    run = mined_run(answered_version(60, n_direct=20, practice=True), ONE_ITEM)
    for path in ("surveys/habits/", f"runs/{run.pk}/", f"runs/{run.pk}/itemsets/", f"runs/{run.pk}/about/"):
        assert "Practice, not private" in page(reader, f"/en/staff/{path}")


@pytest.mark.soak
def test_pages_warn_that_reloading_draws_the_group_again(reader: Client) -> None:
    run = mined_run(answered_version(policy="assigned"), ONE_ITEM)
    for path in ("surveys/habits/", f"runs/{run.pk}/about/", f"runs/{run.pk}/report/"):
        text = " ".join(page(reader, f"/en/staff/{path}").split())
        assert "reloading the page draws again, so the groups can differ in who reloaded" in text, path


@pytest.mark.soak
def test_pages_of_an_unfinished_run_redirect_to_progress_and_offer_no_files(reader: Client) -> None:
    here = f"/en/staff/runs/{requested_run(answered_version()).pk}/"
    pages = ("results", "report", "itemsets", "tests", "practice", "audit", "numbers/hours", "places/care")
    for name in pages:
        response = reader.get(f"{here}{name}/")
        assert (response.status_code, response["Location"]) == (302, here), name
    files = ("audit.json", "rules.csv", "rules.json", "itemsets.csv", "places/care/map.geojson")
    assert [reader.get(here + name).status_code for name in files] == [409] * len(files)


def taken(client: Client, run: Run, name: str) -> str:
    response = client.get(f"/en/staff/runs/{run.pk}/{name}")
    assert response.status_code == 200
    assert "attachment" in response["Content-Disposition"]
    assert response["Cache-Control"].find("no-store") >= 0
    content = b"".join(response.streaming_content) if response.streaming else response.content
    return content.decode()


@pytest.mark.soak
def test_downloads_contain_all_rules_and_itemsets(reader: Client) -> None:
    run = mined_run(answered_version(), LOOSE)
    read = list(csv.DictReader(io.StringIO(taken(reader, run, "rules.csv"), newline="")))
    assert len(read) == run.rules.count() > 50
    assert len(json.loads(taken(reader, run, "rules.json"))["rules"]) == len(read)
    assert len(taken(reader, run, "itemsets.csv").splitlines()) == 1 + run.itemsets.count()
    assert reader.get(f"/en/staff/runs/{run.pk}/rules.xls").status_code == 404


@pytest.mark.soak
def test_the_url_filter_applies_to_the_file_and_stays_in_every_table_link(reader: Client) -> None:
    run = mined_run(answered_version())
    text = page(reader, f"/en/staff/runs/{run.pk}/?item=4&side=consequent&lift_from=1")
    assert "?item=4&amp;side=consequent&amp;sort=-support&amp;lift_from=1#rules" in text
    for name in ("csv", "json"):
        assert f"rules.{name}?item=4&amp;side=consequent&amp;lift_from=1" in text
    read = json.loads(taken(reader, run, "rules.json?item=4&side=consequent&length=2"))["rules"]
    assert {tuple(rule["consequent"]) for rule in read} == {("drink",)}
    assert len(read) == run.rules.filter(consequent=",4,", antecedent_size=1).count()


ONE_SIDE = Sides(antecedent=(2,), consequent=(2,))


@pytest.fixture
def version() -> Version:
    return answered_version()


@pytest.mark.soak
def test_an_empty_run_suggests_remedies(reader: Client, version: Version) -> None:
    for thresholds, advice in (
        (Thresholds(support=0.02, max_size=1), ["Allow itemsets of at least 2 items"]),
        (Thresholds(support=0.02, sides=ONE_SIDE), ["Allow more questions before or after the arrow"]),
        (Thresholds(support=0.9), ["Lower the support, now from 0.9"]),
        (
            Thresholds(support=0.02, confidence=1, lift=50),
            ["confidence from 1, lift from 50", "Lower the support, now from 0.02"],
        ),
    ):
        run = mined_run(version, thresholds)
        assert not run.rules.exists()
        found = advice_without_rules(run, thresholds)
        assert len(found) == len(advice)
        text = reader.get(f"/en/staff/runs/{run.pk}/").content.decode()
        for said, expected in zip(found, advice, strict=True):
            assert expected in said
            assert said in text
            assert said in reader.get(f"/en/staff/runs/{run.pk}/tests/").content.decode()
        # The page of tests and the files of an empty run open without errors.
        for path in ("tests/", "rules.csv", "rules.json", "?lift_from=1"):
            assert reader.get(f"/en/staff/runs/{run.pk}/{path}").status_code == 200
