import pytest

from privacy.sdc.label_conditions import Condition, label_fitter
from privacy.sdc.published_labels import Domain


@pytest.mark.parametrize("whole", [True, False])
def test_equality_and_between_agree_on_unbounded_labels(whole):
    age = Domain(name="age", numeric=True, whole=whole)
    alone = Condition(column="age", sign="=", values=("70",))
    between = Condition(column="age", sign="between", values=("70", "70"))
    assert label_fitter(age, [alone])("[65,inf)") == label_fitter(age, [between])("[65,inf)")
    assert label_fitter(age, [alone])("[65,inf)").share == 0


def test_open_ended_whole_number_labels_exclude_fractions():
    half = Condition(column="age", sign="between", values=("70.5", "70.5"))
    assert not label_fitter(Domain(name="age", numeric=True, whole=True), [half])("[65,inf)").possible
    assert label_fitter(Domain(name="age", numeric=True), [half])("[65,inf)").possible
