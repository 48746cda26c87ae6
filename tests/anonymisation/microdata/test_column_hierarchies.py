"""Hierarchies of columns are built as a plan states."""

from anonymisation.microdata.column_hierarchies import hierarchies_read
from anonymisation.microdata.config import HierarchyRule, ReleaseConfig
from privacy.sdc.column_rule import ColumnRule
from privacy.sdc.requirements import Requirement
from privacy.sdc.table import Table
from surveys.imports.files.uploaded_tables import table_open

RULES = [ColumnRule(name="age", role="quasi_identifier"), ColumnRule(name="sex", role="quasi_identifier")]


def file(folder, content, name="t.csv"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def table_read(path, rules):
    read = table_open(path)
    return Table.from_codes(read.header, read.codes, rules)


def asked(hierarchies):
    return ReleaseConfig(rules=RULES, hierarchies=hierarchies, requirement=Requirement(k=1))


def test_every_hierarchy_builder_works(tmp_path):
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
