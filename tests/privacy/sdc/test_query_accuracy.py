import numpy as np

from privacy.sdc.query_accuracy import query_error
from tests.fixtures.tables import random_table
from tests.privacy.sdc.test_queries import EXACT


def test_unchanged_tables_answer_queries_without_error():
    table, _ = random_table(1, 80)
    found = query_error(table, table, EXACT, rng=np.random.default_rng(0), queries=20)
    assert (found.median_relative, found.inside) == (0, 1)
