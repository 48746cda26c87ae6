"""Known margins."""

import pytest

from privacy.errors import PrivacyError
from privacy.estimation.margins import margin_of
from tests.privacy.estimation.designs import MIXED
from tests.privacy.estimation.test_margin_cells import THREE


@pytest.mark.parametrize(
    ("question", "shares", "code", "said"),
    [
        ("os", {"o0": 0.7, "o1": 0.2}, "shares", r"question os add up to 0\.9"),
        ("os", {"o0": 1.2, "o1": -0.2}, "shares", r"share of os=o0 = 1\.2"),
        ("os", {"o0": 1.0}, "margin_option", "option 'o1' of question os has no population share"),
        ("os", {"o0": 0.5, "o9": 0.5}, "margin_option", "os has no option 'o9'.*options are o0, o1"),
        ("os", {"o0": 0.5, "o1|o0": 0.5}, "margin_option", "option 'o0' of question os has two shares"),
        ("nobody", {"yes": 1.0}, "margin_question", "question 'nobody' is unknown.*oa, os"),
        ("a", {"yes": 0.5, "no": 0.5}, "margin_question", "question 'a' is protected"),
        ("m", {"o0": 0.5, "o1": 0.5}, "margin_question", "question 'm' is protected"),
    ],
)
def test_invalid_margins_are_rejected_by_name(question, shares, code, said) -> None:
    with pytest.raises(PrivacyError, match=said) as refusal:
        margin_of(question, shares, MIXED)
    assert refusal.value.code == code


def test_rounded_shares_are_normalised() -> None:
    margin = margin_of("age", {"o0": 0.333, "o1": 0.333, "o2": 0.333}, THREE)
    assert [category.share for category in margin.categories] == [pytest.approx(1 / 3)] * 3
