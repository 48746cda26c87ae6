import pytest

from anonymisation.microdata.config import plan_load
from privacy.errors import PrivacyError
from tests.fixtures.releases import CONFIG, config_write


def refusal(folder, text):
    with pytest.raises(PrivacyError) as caught:
        plan_load(config_write(folder, text))
    return str(caught.value)


def test_complete_configurations_are_read(tmp_path):
    config, description = plan_load(config_write(tmp_path))
    assert description is None
    assert (config.k, config.l_value, config.algorithm) == (4, 2, "tight")
    assert {rule.name: rule.role for rule in config.rules}["coin"] == "disguised"
    assert config.hierarchies["age"].widths == (5, 10, 40)
    assert config.hierarchies["work"].file == tmp_path / "work.csv"


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("k = 4", "kay = 4", "unknown key: release.kay"),
        ("k = 4", "", "release.k is missing"),
        ('role = "disguised"', "", "column 'coin' has no role"),
        ('role = "disguised"', 'role = "hidden"', "'hidden' is unknown"),
        ('role = "disguised"', 'roll = "disguised"', "unknown key: columns.coin.roll"),
        ("[columns.name]", "[extra]\n[columns.name]", "unknown key: extra"),
        ('hierarchy = "flat"', "hierarchy = 3", "columns.sex.hierarchy is 3"),
        ("l = 2", 'l = 2\nalgorithm = "magic"', "release.algorithm is 'magic'"),
        ("l = 2", 'l = 2\nalgorithm = "ilp"', "release.seed is None; use a whole number"),
        ("l = 2", "l = 2\nt = 3", "t = 3 is outside"),
        ("k = 4", 'k = "four"', "release.k is 'four'; use a whole number"),
        ("k = 4", "k = true", "release.k is True; use a whole number"),
        ("k = 4", "k = 4.5", "release.k is 4.5; use a whole number"),
        ("l = 2", "l = 2\nt = nan", "release.t is nan; use a number"),
        ("l = 2", 'l = 2\nseed = "x"', "release.seed is 'x'; use a whole number of 0 or more"),
        ("l = 2", "l = 2\nseed = -1", "release.seed is -1"),
        ("l = 2", 'l = 2\nmax_suppressed = "x"', "release.max_suppressed is 'x'; use 0 or more"),
        ("l = 2", "l = 2\nmax_suppressed = -1", "release.max_suppressed is -1"),
        ('respondent = "name"', "respondent = 4", "release.respondent is 4; use a text"),
        ("l = 2", 'l = 2\nground = "soft"', "release.ground is 'soft'"),
        ("l = 2", "l = 2\nutility_matrix = {low = 3}", "release.utility_matrix is {'low': 3}"),
        ('hierarchy = "flat"', 'hierarchy = "flat"\nweight = "heavy"', "columns.sex.weight is 'heavy'"),
        ('hierarchy = "flat"', 'hierarchy = "flat"\nweight = -1', "columns.sex.weight is -1"),
        ('hierarchy = "flat"', 'hierarchy = "flat"\ntop = "x"', "columns.sex.top is 'x'; use a number"),
        ('hierarchy = "flat"', 'hierarchy = "flat"\nmissing_texts = 5', "columns.sex.missing_texts is 5"),
        ('hierarchy = "flat"', "ends = [5]", "columns.sex.ends is [5]; use a list of ascending numbers"),
        ('hierarchy = "flat"', "ends = [[5, 5]]", "columns.sex.ends is [[5, 5]]"),
        ('hierarchy = "flat"', "ends = [[5, 9], [7]]", "columns.sex.ends contains 7, which is not an end"),
        (
            'hierarchy = "flat"',
            'hierarchy = "flat"\nends = [[5]]',
            "columns.sex.ends cannot be combined with a hierarchy",
        ),
        (
            'role = "disguised"',
            'role = "disguised"\nends = [[5]]',
            "columns.coin.ends cannot be combined with",
        ),
        ('hierarchy = "flat"', 'hierarchy = "flat"\nbeliefs = ["b.csv"]', "columns.sex.beliefs needs"),
        ("[columns.disease]", '[columns.disease]\nbeliefs = "b.csv"', "columns.disease.beliefs is 'b.csv'"),
        ("l = 2", "l = 2\nown_values = 1", "release.own_values is 1; use true or false"),
        ("l = 2", 'l = 2\nmulti_attribute = "yes"', "release.multi_attribute is 'yes'; use true or false"),
        ('role = "disguised"', 'role = ["disguised"]', "columns.coin.role is ['disguised']"),
        ('hierarchy = "flat"', 'hierarchy = "flat"\ntree = "F"', "columns.sex has a tree and a hierarchy"),
        ('hierarchy = "flat"', 'tree = "F\\n   M"', "line 2 of the groups of"),
    ],
)
def test_invalid_plan_entries_are_refused_with_their_location(tmp_path, before, after, message):
    assert message in refusal(tmp_path, CONFIG.replace(before, after))


@pytest.mark.parametrize("text", ["", "[]", '{"release": ', "k = 4"])
def test_files_that_are_not_plans_are_rejected(tmp_path, text):
    path = tmp_path / "plan.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PrivacyError, match="cannot be read as a plan"):
        plan_load(path)


def test_a_plan_without_a_release_section_is_refused(tmp_path):
    assert "the section release is missing" in refusal(tmp_path, "")


def test_a_plan_can_include_a_tree_and_a_study_description(tmp_path):
    text = CONFIG.replace('hierarchy = "work.csv"', 'tree = "public\\n  city\\n  state\\nown"')
    study = (
        'title = "Debts"\ncreators = ["Li, Na"]\nabstract = "x"\npublisher = "y"\ncontact = "l@example.org"'
    )
    config, description = plan_load(config_write(tmp_path, f"{text}[study]\n{study}\n"))
    tree = config.hierarchies["work"].tree
    assert tree is not None
    assert tree.for_values(["city", "own"]).rows() == [("city", "public", "*"), ("own", "own", "*")]
    assert description is not None
    assert description.creators[0].name == "Li, Na"
