"""Staff request, read and filter a run in a real browser; nothing is cut off, and axe finds nothing."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from surveys.accounts.page_sharing import page_share
from surveys.jobs import lease
from surveys.models import Job, Run, SharedPage
from surveys.questionnaire.aim import Aim
from surveys.report.rules.rows_or_counts import CountedListing, listing_of
from surveys.report.rules.rule_query import RULES_PER_PAGE, RuleQuery
from surveys.runs.mining_job import mine_snapshot
from tests.e2e.judged import violations_light_and_dark, width_of
from tests.extensions import plugins
from tests.fixtures.runs import (
    answered_version,
    done,
    find_run,
    long_work,
    mined_run,
    planned_version,
    requested_run,
    truth_of,
)
from tests.fixtures.staff import seen_by
from tests.site.test_look_everywhere import analysed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]

PASSWORD = "a-long-password"


def log_in(page: Page, address: str) -> list[str]:
    """Log in through the form, and collect the browser's errors from then on."""
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.goto(f"{address}/en/staff/")
    page.get_by_label("Name").fill("dora")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Surveys", exact=True)).to_be_visible()
    return complaints


def test_a_reviewer_requests_watches_and_reads_a_run(live_server: Any, device: Any, no_broker: None) -> None:
    seen_by(User.objects.create_user("dora", password=PASSWORD, is_staff=True, is_superuser=True))
    answered_version()
    page = device().new_page()
    complaints = log_in(page, live_server.url)
    page.get_by_role("link", name="Habits").click()
    page.get_by_label("Longest itemset").fill("2")
    page.get_by_role("button", name="Show results").click()
    expect(page.get_by_role("heading", level=2)).to_contain_text("The broker has not accepted the job yet")

    job = Job.objects.get()
    Job.objects.update(state="running", stage="counting", done=1, total=4, started_at=job.created_at)
    expect(page.get_by_role("heading", level=2)).to_have_text("Counting rows")
    expect(page.get_by_role("progressbar")).to_have_attribute("value", "25")
    Job.objects.update(state="queued")
    assert lease.perform(job.pk, mine_snapshot)
    # The page notices the end of the run by itself.
    expect(page.get_by_role("heading", name="What goes together")).to_be_visible()
    page.get_by_role("link", name=re.compile(r"^Show all \d+ rules$")).click()
    expect(page.get_by_role("heading", name="rules")).to_be_visible()

    page.get_by_label("Item", exact=True).select_option(label="drink")
    page.get_by_role("button", name="Filter").click()
    expect(page).to_have_url(re.compile("item=4"))
    page.get_by_role("link", name="support").click()
    expect(page).to_have_url(re.compile(r"item=4.*sort=-support|sort=-support.*item=4"))
    rules = Run.objects.get().rules
    expect(page.locator("table.figures tbody tr")).to_have_count(
        rules.filter(consequent=",4,").count() + rules.filter(antecedent=",4,").count()
    )
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").first.click()
    assert download.value.suggested_filename.endswith("-rules.csv")
    assert complaints == []


def test_results_open_with_a_chart_and_reports_print_completely(
    live_server: Any, device: Any, no_broker: None
) -> None:
    User.objects.create_user("dora", password=PASSWORD, is_staff=True, is_superuser=True)
    run = requested_run(answered_version())
    assert lease.perform(run.job_id, mine_snapshot)
    page = device(viewport={"width": 1280, "height": 800}).new_page()
    complaints = log_in(page, live_server.url)
    page.goto(f"{live_server.url}/en/staff/runs/{run.pk}/results/")
    box = page.locator("main svg").first.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 800
    assert len(page.locator("main").inner_text().split()) <= 400
    page.goto(f"{live_server.url}/en/staff/runs/{run.pk}/report/")
    expect(page.get_by_text("Report · not reviewed")).to_be_visible()
    page.emulate_media(media="print")
    for selector in (".tabs", ".masthead", "footer"):
        assert page.locator(f"{selector}:visible").count() == 0, selector
    assert page.locator(".paper .card").evaluate_all(
        "cards => cards.every(card => getComputedStyle(card).breakInside === 'avoid')"
    )
    # Nothing follows the last element, so no empty page is printed.
    below = page.evaluate(
        "document.documentElement.scrollHeight - scrollY"
        " - document.querySelector('.paper').getBoundingClientRect().bottom"
    )
    assert below < 60
    page.emulate_media(media="screen")
    page.goto(f"{live_server.url}/en/staff/runs/{run.pk}/compare/?outcome=cheat&by=late")
    page.get_by_text("Picture to print").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="PNG").click()
    assert download.value.suggested_filename == "sottovoce-cheat-by-late.png"
    saved = download.value.path().read_bytes()
    assert saved.startswith(b"\x89PNG")
    assert int.from_bytes(saved[16:20], "big") == round(84 * 300 / 25.4)
    assert saved[37:41] == b"pHYs"
    assert complaints == []


def test_report_pages_are_accessible_and_nothing_is_cut_off(
    live_server: Any, device: Any, no_broker: None
) -> None:
    User.objects.create_user("dora", password=PASSWORD, is_staff=True, is_superuser=True)
    version = answered_version()
    truth_of(version, 800)
    finished, waiting, failed = requested_run(version), requested_run(version), requested_run(version)
    assert lease.perform(finished.job_id, mine_snapshot)
    Job.objects.filter(pk=failed.job_id).update(state="failed", message="Too many. Raise the support.")
    page = device(reduced_motion="reduce").new_page()
    complaints = log_in(page, live_server.url)
    _shared, token = page_share(
        finished.survey, SharedPage.Kind.RESULTS, run=finished, days=7, by="dora", now=timezone.now()
    )
    _shared, board = page_share(finished.survey, SharedPage.Kind.RISK, days=7, by="dora", now=timezone.now())
    for path in (
        "",
        *(each for plugin in plugins() for each in plugin.pages(User.objects.get())),
        "surveys/habits/risk/",
        f"../shared/{board}/risk/",
        f"runs/{finished.pk}/share/",
        f"../shared/{token}/",
        f"../shared/{token}/report/",
        "surveys/habits/",
        f"runs/{finished.pk}/",
        f"runs/{finished.pk}/results/",
        f"runs/{finished.pk}/report/",
        f"runs/{finished.pk}/compare/?outcome=cheat&by=late",
        f"runs/{finished.pk}/regression/?response=3&disguised=2",
        f"runs/{finished.pk}/paper/",
        f"runs/{finished.pk}/itemsets/",
        f"runs/{finished.pk}/about/",
        f"runs/{finished.pk}/?lift_to=0.5&lift_from=x",
        f"runs/{finished.pk}/rules/{finished.rules.first().pk}/",
        f"runs/{finished.pk}/tests/",
        f"runs/{finished.pk}/practice/?margins=age%3Ayoung%3D0.5,old%3D0.5",
        f"runs/{waiting.pk}/",
        f"runs/{failed.pk}/",
    ):
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(f"{live_server.url}/en/staff/{path}")
        assert violations_light_and_dark(page) == {}, path
        page.set_viewport_size({"width": 390, "height": 844})
        width = width_of(page)
        assert width <= 390, f"{path} is {width} px wide on a phone"
    assert complaints == []


def test_page_50_of_a_list_computed_from_counts_is_sorted_and_filtered(
    live_server: Any, device: Any, no_broker: None
) -> None:
    User.objects.create_user("dora", password=PASSWORD, is_staff=True, is_superuser=True)
    version, thresholds = long_work()
    run = find_run(done(requested_run(version, thresholds)).pk)
    listing = listing_of(run)
    assert isinstance(listing, CountedListing)
    page = device(viewport={"width": 1280, "height": 800}).new_page()
    complaints = log_in(page, live_server.url)
    page.goto(f"{live_server.url}/en/staff/runs/{run.pk}/?page=50")
    lines = page.locator("table.figures tbody tr")
    expect(page.get_by_text(re.compile(r"^Page 50 of \d+$"))).to_be_visible()
    expect(lines).to_have_count(RULES_PER_PAGE)
    expect(lines.first.locator("a").first).to_have_attribute("href", rule_address(run, RuleQuery(), 50))
    assert violations_light_and_dark(page) == {}

    page.get_by_role("link", name="lift").click()
    expect(page).to_have_url(re.compile("sort=-lift"))
    page.get_by_label("Item", exact=True).select_option(index=3)
    page.get_by_role("button", name="Filter").first.click()
    expect(page).to_have_url(re.compile("item="))
    page.goto(page.url.replace("#rules", "") + "&page=2")
    query = RuleQuery(sort="-lift", item=2)
    expect(lines.first.locator("a").first).to_have_attribute("href", rule_address(run, query, 2))
    page.set_viewport_size({"width": 360, "height": 740})
    assert width_of(page) <= 360
    assert violations_light_and_dark(page) == {}
    assert complaints == []


def rule_address(run: Run, query: RuleQuery, page: int) -> re.Pattern[str]:
    """Return the address of the first rule of a page, as links begin it."""
    (key,) = listing_of(run).keys(query, (page - 1) * RULES_PER_PAGE, (page - 1) * RULES_PER_PAGE + 1)
    return re.compile(rf"^/en/staff/runs/{run.pk}/rules/{key}/")


@pytest.mark.parametrize("width", [360, 1280])
def test_weights_and_a_planned_share_fit_into_the_window(researcher: Any, width: int) -> None:
    """A sentence below a weighted figure was on one line: 1,386 pixels. A planned share's bar was as wide as
    its card, so it was three times as high as those of the other answers."""
    weighted, planned = analysed(), mined_run(planned_version(Aim(people=400, wanted=("late",))))
    page = researcher(f"runs/{weighted.pk}/practice/", viewport={"width": width, "height": 900})
    margins = "question,option,share\nshifts,yes,0.03\nshifts,no,0.97"
    page.get_by_label("Shares in the population").fill(margins)
    page.get_by_role("button", name="Apply weights").click()
    expect(page.get_by_text("forged answers, 10 for each combination").first).to_be_visible()
    page.evaluate("document.querySelectorAll('details').forEach((own) => { own.open = true; })")
    assert width_of(page) <= width
    page = researcher(f"runs/{planned.pk}/results/")
    bars = page.locator(".share-bar")
    expect(bars.first).to_be_visible()
    assert bars.count() > 3
    assert max(box["height"] for box in (bar.bounding_box() for bar in bars.all()) if box) <= 24
    assert violations_light_and_dark(page) == {}
