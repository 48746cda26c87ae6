import pytest

from privacy.sdc.label_conditions import Condition, label_fits, label_fitter
from privacy.sdc.published_labels import Domain, label_column
from tests.fixtures.refusals import refused


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


ZIP = Domain(name="zip", numeric=False, leaves={"south": ("7501", "7502")})
ZIPS = label_column("zip", "quasi_identifier", ["7501"] * 3 + ["7502", "7601", "75**", "77**"])


def zip_fits(sign, *values, more=()):
    conditions = [Condition(column="zip", sign=sign, values=values), *more]
    found = label_fits(ZIP, ZIPS, conditions)
    return {label: fit[:3] for label, fit in zip(ZIPS.values, found, strict=True)}


NO, YES = (False, False, 0), (True, True, 1)


@pytest.mark.parametrize(
    ("sign", "values", "share"),
    [
        # Of the four records whose text begins with 75, three have 7501.
        ("=", ("7501",), 3 / 4),
        ("!=", ("7501",), 1 / 4),
        ("in", ("7502", "7601"), 1 / 4),
        ("=", ("south",), 1),
        ("!=", ("south",), 0),
    ],
)
def test_a_star_fits_like_the_labels_with_the_same_beginning(sign, values, share):
    assert zip_fits(sign, *values)["75**"] == (False, True, pytest.approx(share))


def test_a_star_fits_certainly_or_never_what_its_beginning_decides():
    """No other label begins with 77, so a text that may fit counts one half."""
    assert zip_fits("!=", "7601")["75**"] == YES
    assert zip_fits("=", "7601")["75**"] == NO
    assert zip_fits("in", "7601", "7701")["77**"] == (False, True, 0.5)
    assert zip_fits("!=", "7701")["77**"] == (False, True, 0.5)
    other = Condition(column="zip", sign="!=", values=("7701",))
    assert zip_fits("=", "7701", more=[other])["77**"] == NO
    assert zip_fits("in", "7701", "7702", more=[other])["77**"] == (False, True, 0.5)
    both = Condition(column="zip", sign="in", values=("7702", "7703"))
    assert zip_fits("in", "7701", "7702", more=[both])["77**"] == (False, True, 0.5)
    assert zip_fits("=", "7701", more=[both])["77**"] == NO
    assert label_fits(ZIP, ZIPS, [])[ZIPS.values.index("75**")][:3] == YES


def test_texts_are_equal_or_not_and_never_smaller():
    assert zip_fits("=", "7501")["7501"] == YES
    assert zip_fits("!=", "7501")["7501"] == NO
    assert zip_fits("!=", "7501")["7601"] == YES
    assert zip_fits("in", "south", "7601")["7502"] == YES
    column = label_column("zip", "quasi_identifier", ["south"])
    half = label_fits(ZIP, column, [Condition(column="zip", sign="!=", values=("7501",))])
    assert half[0][:3] == (False, True, 0.5)
    for labels in (ZIPS, label_column("zip", "quasi_identifier", ["77**"])):
        with refused("query", "<"):
            label_fits(ZIP, labels, [Condition(column="zip", sign="<", values=("7501",))])


@pytest.mark.parametrize(
    ("sign", "values", "fitting"),
    [
        ("=", ("31",), [31]),
        ("!=", ("31",), [30, 32, 33, 34]),
        ("in", ("31", "34", "40"), [31, 34]),
        ("<", ("32",), [30, 31]),
        ("<=", ("32",), [30, 31, 32]),
        (">", ("32",), [33, 34]),
        (">=", ("32",), [32, 33, 34]),
        ("between", ("31", "33"), [31, 32, 33]),
    ],
)
@pytest.mark.parametrize("label", ["[30,34]", "(29,35)", "[30,35)", "young"])
def test_whole_numbers_of_a_label_are_tested_one_by_one(label, sign, values, fitting):
    leaves = {"young": ("30", "31", "32", "33", "34")}
    age = Domain(name="age", numeric=True, whole=True, leaves=leaves)
    fit = label_fitter(age, [Condition(column="age", sign=sign, values=values)])(label)
    assert (fit.certain, fit.possible, fit.low, fit.high) == (False, True, fitting[0], fitting[-1])
    assert fit.share == pytest.approx(len(fitting) / 5)
    assert fit.middle == pytest.approx(sum(fitting) / len(fitting))


def test_lengths_weigh_other_numbers():
    age = Domain(name="age", numeric=True)
    fit = label_fitter(age, [Condition(column="age", sign="<", values=("32.5",))])("[30,40)")
    assert fit == (False, True, pytest.approx(0.25), 30, 32.5, pytest.approx(31.25))
    with refused("query", "old"):
        label_fitter(age, [Condition(column="age", sign="<", values=("old",))])("[30,40)")
