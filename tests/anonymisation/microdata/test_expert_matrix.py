import numpy as np
import pytest

from anonymisation.microdata.expert_matrix import matrix_lines, matrix_of, matrix_read, matrix_text
from privacy.sdc.column_rule import ColumnRule
from privacy.sdc.table import Table
from tests.anonymisation.microdata.test_attackers import TEXT
from tests.fixtures.refusals import refused


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


def test_matrix_values_follow_the_tables_order_whatever_the_line_order():
    """The column's values are in alphabetical order; low is 0.4, very high 1."""
    assert read(TEXT) == [[0.8, 0.4], [1.0, 0.3]]
    assert read("\ufeffdisease;work;age\n\ncold;low;0.8\nflu;0.3;1\n") == read(TEXT)


def test_a_written_matrix_reads_back_even_with_formula_like_values():
    text = matrix_text("disease", ["age", "work"], {"=flu": ["1", "0"], "cold": ["0", "1"]})
    assert "'=flu" in text
    assert read(text, "=flu", "cold") == [[1.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("disease,age,work", "the matrix has 1 line"),
        ("disease\nflu", "the first line of the matrix is “disease”"),
        ("disease,age,age\nflu,1,1", "is “disease, age, age”"),
        ("disease,age,work\nflu,1", "line 2 of the matrix has the wrong number of cells: 2"),
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
def test_an_invalid_matrix_is_refused_by_its_value(text: str, said: str):
    with refused("matrix", said):
        read(text)


def test_values_no_longer_published_are_not_named():
    whole = table("flu", "cold", "cold")
    shown = matrix_lines(matrix_read(TEXT), whole, whole.take(np.array([1, 2])))
    assert shown == {"cold": {"age": 0.8, "work": 0.4}}
    assert set(matrix_lines(matrix_read(TEXT), whole)) == {"flu", "cold"}
    assert matrix_lines(None, whole) == {}
