from dataclasses import replace

import pytest
from django.test import Client

from privacy.estimation.withheld import Evidence, Withheld
from privacy.printed import cut_ends
from surveys.errors.error import SurveyError
from surveys.runs import non_response
from surveys.runs.releasable_rows import rows_of_version
from tests.fixtures.anchored_surveys import anchored, in_turns
from tests.fixtures.rotating_survey import rotating
from tests.fixtures.runs import answered_version, mined_run
from tests.fixtures.survey_quality_page import visited

pytestmark = pytest.mark.django_db


def test_non_response_is_counted_only_where_skipping_is_possible() -> None:
    rows = rows_of_version(answered_version(800))
    found = non_response.responses(rows)
    assert [(one.block, one.n_asked, one.missing, one.skips) for one in found] == [
        (0, 800, 0, None), (1, 800, 0, None), (2, 800, 0, None),
    ]  # fmt: skip
    for effect in non_response.effects(rows, found, n_invited=1600):
        low, high = cut_ends((effect.share.low, effect.share.high), (0, 1))
        assert (effect.low, effect.high) == (pytest.approx(low), pytest.approx(high))
        assert effect.invited_low == pytest.approx(low / 2)
        assert effect.invited_high == pytest.approx(high / 2 + 0.5)
    with pytest.raises(
        SurveyError, match="799 people were invited, which is fewer than the number of answers"
    ):
        non_response.effects(rows, found, n_invited=799)


def test_the_share_of_skips_is_estimated_with_bounds_on_its_effect() -> None:
    rows = rows_of_version(anchored(attends=1.0))
    free = next(one for one in non_response.responses(rows) if one.skips is not None)
    assert free.skips is not None
    assert free.skips.value == free.missing
    assert free.skips.low < 0.25 < free.skips.high
    effect = next(
        one for one in non_response.effects(rows, [free]) if rows.design.items[one.item].key == "free"
    )
    # Three quarters answer, all of them "yes".
    assert effect.share.low < 0.75 < effect.share.high
    assert effect.low == effect.share.low
    assert effect.high == pytest.approx(min(effect.share.high + free.skips.high, 1))


def test_respondents_asked_part_of_a_rotating_block_count_as_asked() -> None:
    rows = rows_of_version(rotating(600))
    (part,) = non_response.responses(rows)
    # With three of five questions each, an unasked question does not count as skipped.
    assert part.n_asked == 600
    for effect in non_response.effects(rows, [replace(part, missing=0.0, skips=None)], n_invited=1200):
        low, high = cut_ends((effect.share.low, effect.share.high), (0, 1))
        assert (effect.invited_low, effect.invited_high) == (
            pytest.approx(low / 2),
            pytest.approx(high / 2 + 0.5),
        )


def test_an_estimate_below_zero_leaves_the_shares_that_it_does_not_exclude() -> None:
    """Bounds without sampling error printed [.000, .000] for it, as if nobody had the item."""
    rows = rows_of_version(answered_version(800))
    found = non_response.responses(rows)
    shares = [effect.share for effect in non_response.effects(rows, found)]
    below = replace(shares[-1], value=-0.01, low=-0.05, high=0.03)
    assert non_response.bounds_among_asked(below, found[-1]) == (0.0, pytest.approx(0.03))


def test_practice_surveys_omit_unasked_questions(client: Client) -> None:
    version = in_turns(3, asked=3, practice=True)
    (part,) = non_response.responses(rows_of_version(version))
    assert (part.block, part.n_asked) == (0, 3)
    visited(client, mined_run(version), {"invited": 5})


def test_effects_are_of_the_questions_that_someone_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_of_version(answered_version(800))
    found = non_response.responses(rows)
    keys = [rows.design.items[effect.item].key for effect in non_response.effects(rows, [found[1]])]
    assert keys == ["late", "cheat"]
    assert non_response.effects(rows, [replace(found[1], missing=1.0)]) == ()
    assert len(non_response.effects(rows, [replace(found[1], missing=0.99)], n_invited=800)) == 2
    # Half of 3,200 devices draw the part, so 800 are half of those that could have answered.
    monkeypatch.setattr(non_response, "_probability_of_block", lambda _design, _block: 0.5)
    for effect in non_response.effects(rows, found, n_invited=3_200):
        assert effect.invited_low == pytest.approx(effect.low / 2)


def test_people_who_gave_no_open_answer_could_have_given_any() -> None:
    """A quarter is missing: the share lies between three quarters of it, and that plus a quarter."""
    rows = rows_of_version(answered_version(800))
    response = replace(non_response.responses(rows)[0], missing=0.25, skips=None)
    share = replace(non_response.effects(rows, [response])[0].share, low=0.2, high=0.4)
    assert non_response.bounds_among_asked(share, response) == pytest.approx((0.15, 0.55))


def test_forged_rows_could_have_moved_a_share() -> None:
    rows = rows_of_version(answered_version(800))
    assert non_response._share(rows, 0).shift == 0
    withheld = Withheld(questions={3: Evidence(rows=8, n=800)}, keys=("age", "late", "cheat", "drink"))
    forged = replace(rows, withheld=withheld)
    assert (non_response._share(forged, 0).shift or 0) > 0
