"""People with an answer and all others have a bar each, or words where there are too few to say."""

from dataclasses import replace

from privacy.printed import CHECKED, Measured
from surveys.report.sentences.findings import phrase_of
from surveys.report.sentences.group_bars import GroupBar, bar_of, pair_bars

SMOKERS = phrase_of("smokers", is_named=True)
SHARE = Measured(
    value=0.4, low=0.3, high=0.5, standard_error=0.05, estimable=True, n=400, effective_n=400.0, level=0.95,
    possible=(0.0, 1.0), method="scores", shift=0.0, origin=CHECKED,
)  # fmt: skip


def test_both_groups_have_a_name_a_figure_and_a_picture() -> None:
    group, others = pair_bars(SMOKERS, SHARE, replace(SHARE, value=0.25, low=0.2, high=0.3))
    assert (group.name, group.figure) == ("smokers", "40 of 100 (30 to 50)")
    assert (others.name, others.figure) == ("all others", "25 of 100 (20 to 30)")
    for bar in (group, others):
        assert bar.picture is not None
        assert f"{bar.name}: {bar.figure}" in bar.picture


def test_without_others_there_is_one_bar() -> None:
    assert [bar.name for bar in pair_bars(SMOKERS, SHARE, None)] == ["smokers"]


def test_too_few_answers_have_a_range_and_no_picture() -> None:
    few = replace(SHARE, low=0.0, high=1.0, estimable=False)
    assert pair_bars(SMOKERS, few, None) == [GroupBar("smokers", "too few to say: 0 to 100", None)]
    assert bar_of("smokers", few, "a text") == GroupBar("smokers", "a text", None)
