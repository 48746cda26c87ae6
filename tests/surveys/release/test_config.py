import pytest

from privacy.release import ReleaseError
from surveys.release.config import config_load
from tests.surveys.release.cast import CONFIG, config_write


def refusal(folder, text):
    with pytest.raises(ReleaseError) as caught:
        config_load(config_write(folder, text))
    return str(caught.value)


def test_a_whole_configuration_is_read(tmp_path):
    config = config_load(config_write(tmp_path))
    assert (config.k, config.l_value, config.algorithm) == (4, 2, "tight")
    assert {rule.name: rule.role for rule in config.rules}["coin"] == "disguised"
    assert config.hierarchies["age"].widths == (5, 10, 40)
    assert config.hierarchies["work"].file == tmp_path / "work.csv"


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("k = 4", "kay = 4", "release.kay is not understood"),
        ("k = 4", "", "release.k is missing"),
        ('role = "disguised"', "", "column 'coin' has no role"),
        ('role = "disguised"', 'role = "hidden"', "'hidden' is unknown"),
        ('role = "disguised"', 'roll = "disguised"', "columns.coin.roll is not understood"),
        ("[columns.name]", "[extra]\n[columns.name]", r"[extra] is not understood"),
        ('hierarchy = "flat"', "hierarchy = 3", "columns.sex.hierarchy is 3"),
        ("l = 2", 'l = 2\nalgorithm = "magic"', "release.algorithm is 'magic'"),
        ("l = 2", 'l = 2\nalgorithm = "ilp"', "give a seed"),
        ("l = 2", 'l = 2\nreading = "log"', "release.reading is 'log'"),
        ("l = 2", 'l = 2\npreferences = ["beauty"]', "release.preferences is 'beauty'"),
        ("l = 2", "l = 2\nt = 3", "t = 3 is outside"),
        ("[release]", "[release", "cannot be read"),
    ],
)
def test_what_is_not_understood_is_refused_by_its_place(tmp_path, before, after, message):
    assert message in refusal(tmp_path, CONFIG.replace(before, after))


def test_an_empty_file_is_refused(tmp_path):
    assert "[release] is missing" in refusal(tmp_path, "")
