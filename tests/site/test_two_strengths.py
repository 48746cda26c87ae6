"""A survey with two strengths: published, answered by devices, mined, read, and recomputed."""

import json
from pathlib import Path

import pytest

from mining.thresholds import Thresholds
from surveys.models import Run
from surveys.respondent.client_documents import documents_of
from tests.fixtures.exports import script, unpacked
from tests.fixtures.pages import report_page
from tests.fixtures.runs import answered_version, mined_run, open_version, published, true_rows

pytestmark = pytest.mark.django_db

N, N_LIGHT = 2_000, 600
THRESHOLDS = Thresholds(support=0.05, max_size=2)


def run_of_two_strengths(thresholds: Thresholds = THRESHOLDS) -> Run:
    return mined_run(answered_version(N, n_direct=N_LIGHT, policy="assigned", light=True), thresholds)


@pytest.mark.soak
def test_estimates_recover_supports_from_both_groups() -> None:
    """Within five standard errors, fewer than ten figures give about one false alarm in 200,000 runs."""
    run = run_of_two_strengths()
    design = run.version.to_design()
    assert design.has_two_strengths
    rows = list(true_rows(N))
    truth = {
        "late": sum(row["work"]["late"] for row in rows) / N,
        "cheat": sum(row["work"]["cheat"] for row in rows) / N,
        "drink": sum(row["life"]["drink"] for row in rows) / N,
    }
    found = {
        design.items[int(row.items.strip(","))].key: row
        for row in run.itemsets.filter(size=1)
        if row.items.strip(",").isdigit()
    }
    for key, share in truth.items():
        row = found[key]
        assert abs(row.support - share) < 5 * row.support_se
        assert abs(row.direct - share) < 5 * row.direct_se
        assert abs(row.protected - share) < 5 * row.protected_se
        # Both groups are disguised, and a lightly disguised row is more informative.
        assert row.direct_se * N_LIGHT**0.5 < row.protected_se * (N - N_LIGHT) ** 0.5


@pytest.mark.soak
def test_staff_pages_mention_two_strengths_and_no_direct_answers() -> None:
    run = run_of_two_strengths()
    for name in ("run", "itemsets", "about", "printed"):
        said = report_page(run, name)
        assert "lightly disguised" in said.lower()
        for word in ("Direct answers", "answered directly", "direct group", "direct, n0"):
            assert word not in said
    assert "P0 and P1 are the shares among those lightly and those strongly disguised." in report_page(
        run, "itemsets"
    )


@pytest.mark.parametrize("n_direct", [7, 60])
def test_an_open_survey_with_two_strengths_hides_and_rounds_nothing(n_direct: int) -> None:
    """With seven lightly disguised rows of 607, all counts and estimates stay unrounded."""
    run = mined_run(open_version(607, n_direct=n_direct, light=True), THRESHOLDS)
    assert (run.n, run.n_direct) == (607, n_direct)
    assert "≈" not in report_page(run)
    said = report_page(run, "about")
    assert "≈" not in said
    assert f"<dd>{n_direct}</dd>" in said
    assert "<dd>607</dd>" in said


@pytest.mark.soak
def test_the_scripts_reproduce_every_figure(tmp_path: Path) -> None:
    where = unpacked(run_of_two_strengths(Thresholds(support=0.05, confidence=0.1)), tmp_path)
    done = script(where)
    assert done.returncode == 0, done.stdout + done.stderr
    readme = (where / "README.md").read_text(encoding="utf-8")
    assert "are lightly disguised, those with `protected` strongly" in readme
    assert "true answers: these people" not in readme
    assert "light_truth_probability" in (where / "codebook.csv").read_text(encoding="utf-8").splitlines()[0]


@pytest.mark.soak
def test_respondents_see_the_odds_of_both_strengths() -> None:
    key = json.loads(documents_of(published(policy="choice", light=True)).definition)["key"]
    # 8.5 times 5.67 is 48.2. The largest light strength, e to the sixth, is above 99 in 100.
    assert key["whole"]["of_100"] == 98
    assert key["light"]["of_100"] is None


@pytest.mark.soak
def test_readers_learn_why_answers_are_sent_undisguised() -> None:
    run = mined_run(answered_version(300, n_direct=100), THRESHOLDS)
    assert "Made for a test." in report_page(run, "about")
    assert "Some people’s answers were sent undisguised" in report_page(run, "printed")
