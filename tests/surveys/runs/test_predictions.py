"""A run's summary and files, and on request its page, show predictions next to estimates."""

import csv
import io
import json
import math
import re
from collections.abc import Iterable
from dataclasses import replace

import pytest
from django.template.loader import render_to_string

from privacy.printed import UNCHECKED
from privacy.survey.layout import Layout
from surveys.models import Run
from surveys.questionnaire.labels import labels_of
from surveys.questionnaire.packed_items import pack_items, unpack_items
from surveys.report.export.rule_columns import itemsets_as_csv, rules_as_json
from surveys.report.opened_run import with_results
from surveys.report.results import planned_question
from surveys.report.rules.itemset_query import ItemsetQuery, itemsets_matching
from surveys.report.rules.rule_query import RuleQuery
from surveys.report.rules.rule_rows import all_rules
from surveys.runs import predictions
from surveys.runs.predictions import MOST_STORED, PREDICTION_METHOD, predicted_of, predicted_records
from surveys.runs.releasable_rows import permitted_rows
from tests.fixtures.pages import report_page
from tests.fixtures.rotating_exports import (
    four_of_ten,
    parts_in_turn,
    rotating_version,
    three_of_eight,
    two_parts,
)
from tests.fixtures.rotating_survey import rotating
from tests.fixtures.runs import LOOSE, answered_version, mined_run

pytestmark = pytest.mark.django_db


def three_of_many() -> Run:
    """Return a run with three of eight questions each and 600 people, 64 of whom are asked each pair."""
    return mined_run(rotating_version(three_of_eight("many"), 600), LOOSE)


def test_a_run_stores_predictions_next_to_its_itemsets() -> None:
    run = three_of_many()
    predicted = predicted_of(run)
    assert 0 < len(predicted) <= MOST_STORED
    assert {own.method for own in predicted} == {"pooled", "completed"}
    assert [own.value for own in predicted] == sorted((own.value for own in predicted), reverse=True)
    for own in predicted:
        assert len(own.items) >= 2
        # A completed itemset is at most as frequent as its pairs.
        assert (own.low == 0) or own.method != "completed"
        assert own.low <= own.value <= own.high  # type: ignore[operator]


@pytest.mark.soak
@pytest.mark.parametrize("definition", [four_of_ten, parts_in_turn, three_of_eight, two_parts])
@pytest.mark.few("parts_in_turn", why="it has the most parts")
def test_all_kinds_of_designs_predict_shares(definition: object) -> None:
    """Designs have skips, two strengths, rotating and routed parts; open and routed items are left out.

    With two of four questions each, 200 people are asked each pair, so nothing is predicted.
    """
    run = mined_run(rotating_version(definition(), 1_200, n_direct=300 if "four" in str(definition) else 0))  # type: ignore[operator]
    predicted = predicted_of(run)
    assert bool(predicted) == (definition is not two_parts)
    for own in predicted:
        assert 0 <= own.value <= 1
        blocks = [run.design.blocks[run.design.items[item].block] for item in own.items]
        assert all(block.protected and block.asked_if is None for block in blocks)


def test_the_effective_n_of_a_prediction_is_the_n_of_the_answer_that_fewest_were_asked() -> None:
    """The same number for runs that stored none: it is the smallest n of the stored shares of its items."""
    run = mined_run(rotating_version(three_of_eight("many"), 600), LOOSE)
    design = run.design
    items = [design.item(f"q{number}").index for number in range(8)]
    layout = Layout(design)
    rows = [
        layout.unpack(batch[start : start + layout.n_bytes])
        for batch in permitted_rows(run, [])
        for start in range(0, len(batch), layout.n_bytes)
    ]
    asked = {item: sum(number in record.drawn[1] for record in rows) for number, item in enumerate(items)}
    wanted = [min(asked[item] for item in own.items) for own in predicted_of(run)]
    assert len(set(wanted)) > 1
    assert max(wanted) < 600
    labels = labels_of(run.version, design)
    for _state in ("as stored now", "as earlier versions stored it"):
        assert [own.effective_n for own in predicted_of(run)] == wanted
        assert [record["effective_n"] for record in predicted_records(run, labels)] == wanted
        assert not any(own.rare for own in predicted_of(run))
        for record in run.summary["predicted"]:
            record.pop("effective_n", None)
        run.save()
    # An even earlier version stored the shares of listed answers only.
    run.summary["results"].pop("unlisted")
    run.itemsets.filter(items=pack_items((predicted_of(run)[0].items[0],))).delete()
    run.save()
    assert math.isnan(predicted_of(run)[0].effective_n)
    assert predicted_of(run)[0].basis == "estimate"
    assert predicted_records(run, labels)[0]["effective_n"] is None


def test_files_contain_predictions_and_their_basis() -> None:
    """With three of five questions each, 300 of 3,000 people are asked a triple, which is also predicted."""
    run = mined_run(rotating(), LOOSE)
    labels = labels_of(run.version, run.design)
    predicted = {own.items: own for own in predicted_of(run)}
    document = json.loads("".join(rules_as_json(all_rules(run, RuleQuery()), labels, run)))
    assert [line["basis"] for line in document["predicted"]] == [own.method for own in predicted.values()]
    assert document["predicted"][0]["items"] == [labels.items[item].key for item in next(iter(predicted))]
    text = "".join(itemsets_as_csv(itemsets_matching(run, ItemsetQuery()), labels, run))
    lines = {line["items"]: line for line in csv.DictReader(io.StringIO(text, newline=""))}
    both = [row for row in run.itemsets.all() if unpack_items(row.items) in predicted]
    assert both
    for row in both:
        own, line = predicted[unpack_items(row.items)], lines[labels.keys(unpack_items(row.items))]
        assert float(line["predicted"]) == own.value
        assert line["predicted_basis"] == own.method
        assert float(line["support"]) == row.support
    alone = next(row for row in run.itemsets.all() if row.size == 1)
    assert lines[labels.keys(unpack_items(alone.items))]["predicted"] == ""


def test_the_page_shows_marked_predictions_only_on_request() -> None:
    run = three_of_many()
    without, shown = report_page(run), report_page(run, query="?predicted=yes")
    assert "Also show: predicted from pairs" in without
    marks = re.compile(r'about \d+ in 100 <span class="tag tag--quiet">(shrunk|pooled|completed)</span>')
    assert not marks.search(without)
    listed = {unpack_items(row.items) for row in run.itemsets.all()}
    rows = [own for own in predicted_of(run) if own.items not in listed]
    ruled = sum(
        tuple(sorted(unpack_items(rule.antecedent) + unpack_items(rule.consequent)))
        in {own.items for own in predicted_of(run)}
        for rule in run.rules.all()
    )
    assert len(marks.findall(shown)) == len(rows) + ruled > 0
    assert shown.count("Predicted from pairs, not measured.") == sum(
        own.method == "completed" for own in rows
    )
    assert "without this pair’s own answers" in shown
    assert re.search(r"No one was asked three|differs from its prediction by −?\d*\.\d points \(", shown)
    assert "rule-before" in without


def with_shares(run: Run, share: float, items: Iterable[int]) -> Run:
    """Give these items this share in a run's results."""
    for item in items:
        packed = pack_items((item,))
        run.itemsets.filter(items=packed).update(support=share)
        for record in run.summary["results"]["unlisted"]:
            if record["items"] == packed:
                record["support"] = share
    run.save()
    return run


def with_basis(run: Run, basis: str) -> Run:
    """Give the predictions of a run this basis."""
    for record in run.summary["predicted"]:
        record["basis"] = basis
    run.save()
    return run


def test_undetermined_predictions_show_their_interval_and_say_so() -> None:
    """A value that says little more than the shares do is not shown as a finding."""
    run = three_of_many()
    assert "not determined" not in report_page(run, query="?predicted=yes")
    run = with_basis(run, "not determined")
    page = report_page(run, query="?predicted=yes")
    pairs = [own for own in predicted_of(run) if own.low is not None]
    assert page.count('<span class="tag tag--warn">not determined</span>') >= len(predicted_of(run)) > 0
    shown = re.findall(r"from \d+ to \d+ in 100\s+<span", page)
    assert len(shown) == len(pairs) > 0
    assert page.count("The share can be anywhere in the interval.") == len(pairs)
    assert "so rely on the interval only" in page
    labels = labels_of(run.version, run.design)
    document = json.loads("".join(rules_as_json(all_rules(run, RuleQuery()), labels, run)))
    assert {line["basis"] for line in document["predicted"]} == {"not determined"}


def older(run: Run) -> Run:
    """Return a run as versions stored it whose upper ends were too low."""
    assert run.summary.pop("prediction_method") == PREDICTION_METHOD
    run.save()
    return run


def test_older_predictions_of_rare_answers_are_labelled_wherever_they_are_printed() -> None:
    """Fewer than 95% of such intervals hold; new analyses have no label."""
    run = three_of_many()
    everything = range(len(run.design.items))
    run = with_shares(run, 0.12, everything)
    assert not any(own.rare for own in predicted_of(run))
    assert "as few as 56 in 100" not in report_page(run, query="?predicted=yes")
    run = with_shares(older(run), 0.13, everything)
    assert not any(own.rare for own in predicted_of(run))
    page = report_page(run, query="?predicted=yes")
    assert ">rare<" not in page
    assert "In our worst simulation" in page
    assert "as few as 56 in 100" not in page
    item = predicted_of(run)[0].items[0]
    run = with_shares(run, 0.12, [item])
    predicted = predicted_of(run)
    assert [own.rare for own in predicted] == [item in own.items for own in predicted]
    assert all("rare" not in record for record in run.summary["predicted"])
    page = report_page(run, query="?predicted=yes")
    assert page.count(">rare<") >= sum(own.rare for own in predicted) > 0
    assert "as few as 56 in 100" in page
    assert "Analyse the answers again" in page
    labels = labels_of(run.version, run.design)
    document = json.loads("".join(rules_as_json(all_rules(run, RuleQuery()), labels, run)))
    assert [line["rare"] for line in document["predicted"]] == [own.rare for own in predicted]
    text = "".join(itemsets_as_csv(itemsets_matching(run, ItemsetQuery()), labels, run))
    lines = {line["items"]: line for line in csv.DictReader(io.StringIO(text, newline=""))}
    by_items = {labels.keys(own.items): own for own in predicted}
    for items, line in lines.items():
        own = by_items.get(items)
        assert line["predicted_rare"] == ("" if own is None else str(own.rare).lower())


def test_results_can_predict_a_pair_asked_of_too_few_people(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("surveys.runs.opening_figures", "surveys.report.results.planned_question"):
        monkeypatch.setattr(f"{module}.planned_pair", lambda _run: ("q0", "q2"))
    run = three_of_many()
    opened = with_results(run)
    predicted = {own.items: own for own in predicted_of(run)}
    yours = planned_question.your_question(opened)
    assert yours is not None
    assert yours.error is not None
    assert yours.predicted is not None
    assert yours.predicted.low is not None
    assert yours.predicted.high is not None
    assert yours.predicted == predicted[tuple(sorted(run.design.item(key).index for key in ("q0", "q2")))]
    text = render_to_string(
        "report/results/partials/your_question.html", {"yours": yours, "run": run, "shared": True}
    )
    share, low, high = (
        f"{100 * value:.0f}" for value in (yours.predicted.value, yours.predicted.low, yours.predicted.high)
    )
    assert f"About {share} in 100 have both answers ({low} to {high}), predicted from pairs" in text
    is_rare = "an earlier version computed this interval"
    assert (is_rare in text) == yours.predicted.rare
    yours = replace(yours, predicted=replace(yours.predicted, rare=not yours.predicted.rare))
    other = render_to_string(
        "report/results/partials/your_question.html", {"yours": yours, "run": run, "shared": True}
    )
    assert (is_rare in other) != (is_rare in text)
    yours = replace(yours, predicted=replace(yours.predicted, method="not determined"))
    other = render_to_string(
        "report/results/partials/your_question.html", {"yours": yours, "run": run, "shared": True}
    )
    assert f"From {low} to {high} in 100 have both answers. Too few answers show" in other
    assert f"About {share} in 100" not in other
    # A pair that enough people were asked is compared, not predicted.
    known = mined_run(rotating(), LOOSE)
    compared = planned_question.your_question(with_results(known))
    assert compared is not None
    assert compared.predicted is None
    assert compared.comparison is not None


def test_a_survey_that_asks_all_questions_predicts_nothing() -> None:
    run = mined_run(answered_version())
    assert run.summary["three_way"] is None
    assert predicted_of(run) == []
    text = report_page(run, query="?predicted=yes")
    assert 'id="predicted"' not in text
    assert "Also show" not in text


@pytest.mark.parametrize(("is_withheld", "shift"), [(True, 0.02), (False, 0.0)])
def test_forged_rows_shift_predictions_only_if_some_rows_are_withheld(
    is_withheld: bool, shift: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(predictions, "withheld_of", lambda _run: is_withheld)
    record = {
        "items": [1, 2], "support": 0.2, "low": None, "high": None, "asked": 90, "effective_n": 80.0,
        "basis": "completed", "shift": 0.02, "rare": False,
    }  # fmt: skip
    found = predictions._prediction(record, Run(), UNCHECKED)
    assert (found.shift, found.low, found.high, found.estimable) == (shift, 0.0, 1.0, False)
