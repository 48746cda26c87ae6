import pytest

from anonymisation.microdata.config import HierarchyRule, ReleaseConfig
from anonymisation.microdata.reading import hierarchies_read, hierarchy_read
from privacy.errors import PrivacyError
from privacy.sdc import ColumnRule, Requirement, Table
from surveys.imports.table_reading import table_open

RULES = [ColumnRule(name="age", role="quasi_identifier"), ColumnRule(name="sex", role="quasi_identifier")]


def file(folder, content, name="t.csv"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def table_read(path, rules):
    read = table_open(path)
    return Table.from_codes(read.header, read.encoded, rules)


def test_a_missing_hierarchy_is_named(tmp_path):
    with pytest.raises(PrivacyError, match=r"hierarchy .* of column 'sex' cannot be read"):
        hierarchy_read("sex", tmp_path / "none.csv")


def asked(hierarchies):
    return ReleaseConfig(rules=RULES, hierarchies=hierarchies, requirement=Requirement(k=1))


def test_hierarchies_are_checked_for_coverage_before_any_work(tmp_path):
    table = table_read(file(tmp_path, "age,sex\n30,F\n31,M\n"), RULES)
    rule = HierarchyRule(column="sex", builder="file", file=file(tmp_path, "F;*\n", "h.csv"))
    with pytest.raises(PrivacyError, match=r"'sex' lacks 1 value\(s\) of the table: 'M'"):
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
