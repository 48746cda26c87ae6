import os

import pytest

from privacy.errors import PrivacyError
from privacy.sdc import ColumnRule, Requirement, Table
from releases.microdata.config import HierarchyRule, ReleaseConfig
from releases.microdata.reading import csv_rows, hierarchies_read, hierarchy_read

RULES = [ColumnRule(name="age", role="quasi_identifier"), ColumnRule(name="sex", role="quasi_identifier")]


def file(folder, content, name="t.csv"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def table_read(path, rules):
    with csv_rows(path) as (header, rows):
        return Table.from_rows(header, rows, rules)


@pytest.mark.parametrize(
    "text", ["age,sex\n30,F\n", "age;sex\n30;F\n", "\ufeffage,sex\n30,F\n\n", ' age , sex \n 30,"F"\n']
)
def test_commas_semicolons_marks_and_blanks_are_read_alike(tmp_path, text):
    table = table_read(file(tmp_path, text), RULES)
    assert [column.texts for column in table.columns] == [["30"], ["F"]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"age,sex\n30\n", "cells in record 1: 1, in the header: 2"),
        (b'age,sex\n30,"F\n', "line 2"),
        (b"age,sex\n30,\xff\n", "is not UTF-8"),
        (b"age,sex\n30," + b"x" * 10_001 + b"\n", "10000 characters"),
    ],
)
def test_what_is_no_table_is_refused_with_its_place(tmp_path, content, message):
    with pytest.raises(PrivacyError, match=message):
        table_read(file(tmp_path, content), RULES)


def test_a_file_of_two_gigabytes_is_refused_without_being_read(tmp_path):
    path = tmp_path / "large.csv"
    with path.open("wb") as large:
        os.truncate(large.fileno(), 2 * 10**9)
    with pytest.raises(PrivacyError, match="2000000000 bytes"), csv_rows(path):
        pass


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(PrivacyError, match=r"none\.csv"):
        table_read(tmp_path / "none.csv", RULES)
    with pytest.raises(PrivacyError, match=r"hierarchy .* of column 'sex' cannot be read"):
        hierarchy_read("sex", tmp_path / "none.csv")


def asked(hierarchies):
    return ReleaseConfig(rules=RULES, hierarchies=hierarchies, requirement=Requirement(k=1))


def test_hierarchies_are_checked_for_coverage_before_any_work(tmp_path):
    table = table_read(file(tmp_path, "age,sex\n30,F\n31,M\n"), RULES)
    rule = HierarchyRule(column="sex", builder="file", file=file(tmp_path, "F;*\n", "h.csv"))
    with pytest.raises(PrivacyError, match=r"'sex' does not cover 1 value\(s\) of the table: 'M'"):
        hierarchies_read(table, asked({"sex": rule}))


def test_every_builder_builds(tmp_path):
    table = table_read(file(tmp_path, "age,sex\n30,F\n31,M\n"), RULES)
    rules = {
        "age": HierarchyRule(column="age", builder="intervals", widths=(10.0,)),
        "sex": HierarchyRule(column="sex", builder="flat"),
    }
    built = hierarchies_read(table, asked(rules))
    assert built["age"].rows() == [("30", "[30,40)", "*"), ("31", "[30,40)", "*")]
    assert built["sex"].height == 1
    prefix = hierarchies_read(table, asked({"age": HierarchyRule(column="age", builder="prefix")}))
    assert prefix["age"].rows()[0] == ("30", "3*", "**")
