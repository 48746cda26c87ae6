from functools import cache

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.generalisation import Space
from privacy.sdc.joined_classes import Protected, join_until_all
from privacy.sdc.k_member import k_member
from privacy.sdc.requirements import Requirement, measure_models, verify
from privacy.sdc.table import Column
from tests.fixtures.tables import random_space, table_of


@cache
def start():
    space, table = random_space(1, 300)
    return space, table.column("disease"), k_member(space, 4)


def joined_until(wish, ground="equal"):
    space, disease, classes = start()
    return join_until_all(space, classes, [Protected(column=disease, requirement=wish, ground=ground)])


@pytest.mark.slow
@pytest.mark.parametrize(
    "asked",
    [
        {"t": 0.2},
        {"entropy_l": 2.2},
        {"alpha": 0.7},
        {"c": 2.0, "recursive_l": 2},
        {"basic_beta": 2.0},
        {"distinct_l": 3},
        {"delta": 1.2},
        {"k": 9},
        {"enhanced_beta": 1.0},
        {"rho1": 0.3, "rho2": 0.6},
    ],
)
@pytest.mark.parametrize("ground", ["equal", "ordered"])
def test_joining_stops_once_every_model_holds(asked, ground):
    _space, disease, _classes = start()
    wish = Requirement(**asked)
    joined = joined_until(wish, ground=ground)
    measured = measure_models(
        ClassMatrix.of(joined, disease),
        "disease",
        ground=ground,
        recursive_l=wish.recursive_l,
        rho1=wish.rho1,
    )
    assert all(verdict.holds for verdict in verify(measured, wish))


def test_joining_never_splits_a_class():
    space, disease, classes = start()
    joined = join_until_all(
        space, classes, [Protected(column=disease, requirement=Requirement(distinct_l=3))]
    )
    for number in range(classes.count):
        assert len(np.unique(joined.number[classes.number == number])) == 1


@pytest.mark.parametrize(
    ("age", "joined"), [(25, [[0, 1], [2], [3]]), (15, [[0, 2], [1], [3]])], ids=["the ten", "the near two"]
)
def test_a_class_joins_where_the_loss_rises_least(age, joined):
    """The two people at 0 have one illness. Joining the ten from 1 to 30 adds 12 * 30 - 10 * 29 = 70.

    The two at 25 add 4 * 25 = 100, those at 15 only 60, the two at 40 4 * 40 = 160. So neither the narrowest
    box nor the smallest class is always cheapest.
    """
    ages = [0, 0, 1, *range(5, 13), 30, age, age, 40, 40]
    number = np.array([0] * 2 + [1] * 10 + [2] * 2 + [3] * 2)
    rows = [(str(age), "flu" if at < 2 else ["cold", "flu"][at % 2]) for at, age in enumerate(ages)]
    table = table_of(["age", "ill"], rows, numeric=["age"], sensitive=["ill"])
    goal = Protected(column=table.column("ill"), requirement=Requirement(distinct_l=2))
    found = join_until_all(Space.of(table, {}), Classes.from_numbers(number), [goal])
    assert sorted(sorted({*number[found.number == each].tolist()}) for each in range(3)) == joined


def test_classes_that_meet_the_requirement_are_not_merged():
    _space, _disease, classes = start()
    assert joined_until(Requirement(k=4)).count == classes.count


def test_requirements_the_whole_table_fails_are_refused():
    with pytest.raises(PrivacyError, match="even the whole table"):
        joined_until(Requirement(distinct_l=5))


def test_joining_satisfies_the_bounds_of_all_columns_together():
    """Joining classes for the second column can break delta-disclosure of the first."""
    space, disease, classes = start()
    rng = np.random.default_rng(5)
    other = Column(
        name="other",
        role="sensitive",
        kind="categorical",
        values=("no", "yes"),
        codes=(rng.random(len(space)) < 0.2).astype(np.int32),
    )
    wanted = [
        Protected(column=disease, requirement=Requirement(k=4, delta=1.2, distinct_l=2)),
        Protected(column=other, requirement=Requirement(k=4, distinct_l=2, alpha=0.9)),
    ]
    joined = join_until_all(space, classes, wanted)
    for one in wanted:
        measured = measure_models(ClassMatrix.of(joined, one.column), one.column.name)
        assert all(verdict.holds for verdict in verify(measured, one.requirement))
    for number in range(classes.count):
        assert len(np.unique(joined.number[classes.number == number])) == 1


def test_errors_name_the_column_that_cannot_meet_its_bounds():
    space, disease, classes = start()
    constant = Column(
        name="constant",
        role="sensitive",
        kind="categorical",
        values=("same",),
        codes=np.zeros(len(space), dtype=np.int32),
    )
    wanted = [
        Protected(column=disease, requirement=Requirement(distinct_l=2)),
        Protected(column=constant, requirement=Requirement(distinct_l=2)),
    ]
    with pytest.raises(PrivacyError, match="of column 'constant'"):
        join_until_all(space, classes, wanted)


def test_a_single_class_can_be_joined_to_no_other():
    space, disease, _classes = start()
    everyone = Classes.from_numbers(np.zeros(len(space), dtype=np.int64))
    wish = Protected(column=disease, requirement=Requirement(distinct_l=99))
    with pytest.raises(PrivacyError, match="even the whole table as one class"):
        join_until_all(space, everyone, [wish])


def test_requirements_apply_within_equal_known_values():
    """Two classes of four both have l = 2, but all indebted people of the second have the flu."""
    flu = Column(
        name="flu", role="sensitive", kind="categorical", values=("no", "yes"),
        codes=np.array([0, 1, 0, 1, 1, 1, 0, 1], dtype=np.int32),
    )  # fmt: skip
    debt = Column(
        name="debt", role="sensitive", kind="categorical", values=("no", "yes"),
        codes=np.array([0, 0, 1, 1, 1, 1, 0, 0], dtype=np.int32),
    )  # fmt: skip
    classes, whole = Classes.from_numbers([0, 0, 0, 0, 1, 1, 1, 1]), Classes.from_numbers([0] * 8)
    wish = Requirement(k=4, distinct_l=2)
    found = {}
    for beside in ((), (debt,)):
        one = Protected(column=flu, requirement=wish, beside=beside)
        found[len(beside)] = one.excess(one.count(classes), one.count(whole)).tolist()
    assert found == {0: [0.0, 0.0], 1: [0.0, 1.0]}
    # One indebted person alone shows an illness, too.
    alone = Protected(column=flu, requirement=Requirement(distinct_l=2), beside=(debt,))
    lone, table = Classes.from_numbers([0, 0, 1, 0, 1, 1, 1, 1]), alone.count(whole)
    assert alone.excess(alone.count(lone), table).tolist() == [1.0, 0.0]
    # k applies to classes, not to people with equal known values; neither class has five people.
    more = Protected(column=flu, requirement=Requirement(k=5), beside=(debt,))
    assert more.excess(more.count(classes), more.count(whole)).tolist() == [1.0, 1.0]
