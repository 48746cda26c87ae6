"""An expert's matrix as lines: what it says, and what is refused by value and column."""

import numpy as np
import pytest

from anonymisation.microdata.config import plan_load
from anonymisation.microdata.expert_matrix import matrix_lines, matrix_of, matrix_read, matrix_text
from privacy.errors import PrivacyError
from privacy.sdc.table import ColumnRule, Table
from tests.fixtures.refusals import refused
from tests.fixtures.releases import CONFIG, config_write

TEXT = "disease,age,work\nflu,very high,0.3\ncold,0.8,Low\n"


def table(*diseases: str) -> Table:
    rules = [
        ColumnRule(name="age", role="quasi_identifier", kind="numeric"),
        ColumnRule(name="work", role="quasi_identifier"),
        ColumnRule(name="disease", role="sensitive"),
    ]
    rows = [[str(number), "own", disease] for number, disease in enumerate(diseases)]
    return Table.from_rows(["age", "work", "disease"], rows, rules)


def read(text: str, *diseases: str) -> list[list[float]]:
    column = table(*(diseases or ("flu", "cold"))).column("disease")
    return matrix_of(matrix_read(text), column, ["age", "work"]).tolist()


def test_numbers_and_levels_come_in_the_order_of_the_table_whatever_that_of_the_lines():
    """Values of the column are in the order of the alphabet; low is 0.4, very high 1."""
    assert read(TEXT) == [[0.8, 0.4], [1.0, 0.3]]
    assert read("\ufeffdisease;work;age\n\ncold;low;0.8\nflu;0.3;1\n") == read(TEXT)


def test_what_is_written_is_read_again_also_a_value_that_begins_like_a_formula():
    text = matrix_text("disease", ["age", "work"], {"=flu": ["1", "0"], "cold": ["0", "1"]})
    assert "'=flu" in text
    assert read(text, "=flu", "cold") == [[1.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("disease,age,work", "the matrix has 1 lines"),
        ("disease\nflu", "the first line of the matrix is “disease”"),
        ("disease,age,age\nflu,1,1", "is “disease, age, age”"),
        ("disease,age,work\nflu,1", "line 2 of the matrix has 2 cells"),
        ("disease,age,work\nflu,1,1\nflu,1,1", "line 3 of the matrix repeats “flu”"),
        (TEXT.replace("disease", "debt"), "the matrix is about “debt”"),
        (TEXT.replace("work", "wrok"), "names “wrok”"),
        ("disease,age\nflu,1\ncold,1", "how much “work” reveals about “flu”"),
        (TEXT + "gout,1,1", "a line for “gout”"),
        ("disease,age,work\nflu,1,1", "no line for the value “cold”"),
        (TEXT.replace("0.3", "1.01"), "at “flu” and “work” the matrix contains “1.01”"),
        (TEXT.replace("0.3", "nan"), "contains “nan”"),
        (TEXT.replace("0.3", ""), "contains “”"),
        (TEXT.replace("0.3", "much"), "contains “much”"),
        (TEXT.replace("very high,0.3", "0,0"), "the value “flu” of “disease” the matrix contains only 0"),
    ],
)
def test_a_matrix_that_does_not_fit_is_refused_by_its_value(text: str, said: str):
    with refused("matrix", said):
        read(text)


def test_a_value_that_is_not_published_any_more_is_not_named():
    whole = table("flu", "cold", "cold")
    shown = matrix_lines(matrix_read(TEXT), whole, whole.take(np.array([1, 2])))
    assert shown == {"cold": {"age": 0.8, "work": 0.4}}
    assert set(matrix_lines(matrix_read(TEXT), whole)) == {"flu", "cold"}
    assert matrix_lines(None, whole) == {}


def test_the_file_stands_beside_the_configuration_and_no_weight_beside_it(tmp_path):
    (tmp_path / "expert.csv").write_text(TEXT, encoding="utf-8")
    named = CONFIG.replace("l = 2", 'l = 2\nutility_matrix = "expert.csv"')
    found = plan_load(config_write(tmp_path, named))[0].matrix
    assert found is not None
    assert (found.sensitive, found.rows["flu"]) == ("disease", {"age": "very high", "work": "0.3"})
    weighed = named.replace('hierarchy = "flat"', 'hierarchy = "flat"\nweight = 2')
    with pytest.raises(PrivacyError, match="“sex” has a weight"):
        plan_load(config_write(tmp_path, weighed))
    both = weighed.replace("l = 2", "l = 2\nown_values = true")
    assert plan_load(config_write(tmp_path, both))[0].matrix is not None
    with pytest.raises(PrivacyError, match="cannot be read"):
        plan_load(config_write(tmp_path, named.replace("expert.csv", "nobody.csv")))
