"""The run and the reader of most tests of the report."""

from tests.fixtures.report_readers import reader as reader
from tests.fixtures.report_readers import run as run
