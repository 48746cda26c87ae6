import io

from anonymisation.microdata.progress import ProgressBar


def test_a_bar_fills_as_work_is_done_and_ends_its_line():
    stream = io.StringIO()
    bar = ProgressBar(stream, shown=True)
    bar("grouping", 0, 4)
    bar("grouping", 2, 4)
    bar("grouping", 2, 4)
    bar("done", 1, 1)
    lines = stream.getvalue().split("\r")[1:]
    assert [line.count("#") for line in lines] == [0, 15, 30]
    assert lines[-1].endswith("\n")


def test_nothing_is_drawn_where_nobody_looks():
    stream = io.StringIO()
    bar = ProgressBar(stream)
    bar("grouping", 1, 2)
    bar.close()
    assert stream.getvalue() == ""


def test_a_refusal_leaves_the_line():
    stream = io.StringIO()
    bar = ProgressBar(stream, shown=True)
    bar("reading", 0, 1)
    bar.close()
    assert stream.getvalue().endswith("\n")
