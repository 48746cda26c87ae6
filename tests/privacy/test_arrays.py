"""Arrays of floats, whole numbers and flags have one name each."""

import re

from tests.reach import LAYERS
from tests.test_architecture import modules, named

RAW = re.compile(r"NDArray\[(np\.float64|np\.int64|np\.bool_)\]")


def test_array_types_are_defined_in_one_module() -> None:
    where = {named(path) for path in modules(*LAYERS) if RAW.search(path.read_text(encoding="utf-8"))}
    assert where == {"privacy/arrays.py"}
