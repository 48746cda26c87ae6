"""The search for a layout never changes the order of questions, whatever lies between them."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from privacy.planning.layout_search import best_layout
from privacy.planning.layouts import AskedQuestion, Layout, LayoutGoal
from privacy.planning.protection import Protection

MEDIUM = Protection(everything=Fraction(19), answer=Fraction(4), skip=Fraction(9))


def found(runs: tuple[int, ...], *stars: int, skips: bool = False, n: int = 400) -> Layout:
    count = sum(runs)
    layout = best_layout(
        (AskedQuestion(),) * count,
        target=LayoutGoal(n=n, questions=stars, shares=(0.5,) * count, pair_shares=(0.2, 0.2)[: len(stars)]
                          if len(stars) == 2 else ()),
        protection=MEDIUM,
        skips=skips,
        runs=runs,
    )  # fmt: skip
    assert layout is not None
    return layout


@settings(max_examples=80, deadline=None)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.data())
def test_blocks_consist_of_questions_that_follow_each_other(runs: list[int], data: st.DataObject) -> None:
    stars = data.draw(st.lists(st.integers(0, sum(runs) - 1), max_size=2, unique=True))
    layout = found(tuple(runs), *stars, skips=data.draw(st.booleans()), n=data.draw(st.integers(50, 5_000)))
    asked = [number for part in layout.parts for number in part.questions]
    assert asked == list(range(sum(runs)))
    ends = {sum(runs[:place]) for place in range(len(runs))}
    for part in layout.parts:
        # No block contains questions of two runs.
        assert not ends & set(part.questions[1:])


def test_questions_in_one_run_are_at_least_as_exact_as_in_two() -> None:
    for stars in ((), (0,), (0, 1)):
        one, two = found((6,), *stars), found((3, 3), *stars)
        assert one.rank <= two.rank
