"""The page on which an answer is regressed on others."""

import pytest
from django.test import Client

from mining.thresholds import Thresholds
from tests.fixtures.exports import skipping
from tests.fixtures.runs import SINGLES, answered_version, mined_run
from tests.fixtures.scale_runs import scale_answered

pytestmark = pytest.mark.django_db


@pytest.mark.soak
def test_standardised_shares_come_before_odds_ratios(reader: Client) -> None:
    run = mined_run(answered_version(2000, n_direct=300))
    items = {item.key: item.index for item in run.version.to_design().items}
    address = f"/en/staff/runs/{run.pk}/regression/"
    empty = reader.get(address)
    assert empty.status_code == 200
    assert 'aria-current="page">Regression' in empty.content.decode()
    assert "fitted" not in empty.context
    page = reader.get(address, {"response": items["drink"], "by": 0, "disguised": items["late"]})
    text = page.content.decode()
    fitted = page.context["fitted"]
    assert text.index("Standardised shares, %") < text.index("corrected score, robust errors")
    odds, shares = page.context["odds"], page.context["shares"]
    assert [one.name for one in odds] == ["age: 40 or older", "late", "constant"]
    assert [[name for name, _share in answers] for answers in shares] == [
        ["age: Below 40", "age: 40 or older"], ["late: no", "late"],
    ]  # fmt: skip
    assert fitted.n == 2000
    assert all(line.low < line.value < line.high for line in (one.line for one in odds))
    first, second = (share for _name, share in shares[0])
    assert second.difference.value == pytest.approx(second.share.value - first.share.value)
    assert f"{100 * second.difference.value:.1f}".lstrip("0") in text
    assert {one.share.origin.look for _name, one in shares[0]} == {"final"}


def test_a_second_disguised_predictor_is_refused_with_a_remedy(reader: Client) -> None:
    run = mined_run(answered_version(2000, n_direct=300))
    items = {item.key: item.index for item in run.version.to_design().items}
    given = {"response": items["drink"], "disguised": [items["late"], items["cheat"]]}
    page = reader.get(f"/en/staff/runs/{run.pk}/regression/", given)
    assert page.status_code == 422
    assert "at most one disguised predictor. Choose one." in page.content.decode()
    in_chinese = reader.get(f"/zh-hans/staff/runs/{run.pk}/regression/", given)
    assert in_chinese.status_code == 422
    assert "回归最多使用一个受保护的回答作预测" in in_chinese.content.decode()


def test_skips_of_a_disguised_predictor_have_a_separate_line(reader: Client) -> None:
    run = mined_run(skipping(), Thresholds(support=0.12, max_size=1))
    items = {item.key: item.index for item in run.version.to_design().items}
    address = f"/en/staff/runs/{run.pk}/regression/"
    page = reader.get(address, {"response": items["drink"], "by": 0, "disguised": items["late"]})
    names = [one.name for one in page.context["odds"]]
    assert names == ["age: 40 or older", "late", "late: skipped", "constant"]


def test_regression_errors_appear_in_the_page_language(reader: Client) -> None:
    run = mined_run(answered_version())
    items = {item.key: item.index for item in run.version.to_design().items}
    address = f"/en/staff/runs/{run.pk}/regression/"
    nothing = reader.get(address, {"response": items["drink"]})
    assert nothing.status_code == 422
    assert "No predictor is chosen. Choose at least one predictor." in nothing.content.decode()
    unknown = reader.get(address, {"response": 99, "by": 0})
    assert unknown.status_code == 422
    assert "fitted" not in unknown.context


def test_number_ranges_and_regions_cannot_enter_a_regression(reader: Client) -> None:
    run = mined_run(scale_answered(400), SINGLES)
    items = {item.key: item.index for item in run.design.items}
    address = f"/en/staff/runs/{run.pk}/regression/"
    scales = [index for key, index in items.items() if key.startswith(("hours", "care"))]
    assert scales
    form = reader.get(address).context["form"]
    for name in ("response", "disguised"):
        assert not {value for value, _label in form.fields[name].choices} & set(scales)
    for index in scales:
        given = {"response": items["late"], "disguised": [items["cheat"], index]}
        assert reader.get(address, given).status_code == 422
