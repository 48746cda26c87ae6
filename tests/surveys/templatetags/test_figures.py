"""A measured value as templates print it."""

from __future__ import annotations

from django.template import engines

from surveys.formats.figures import Figure
from surveys.templatetags.figures import figure

INTERVAL = '<span class="ends">[.116, .148]</span>'


def test_a_figure_says_estimate_half_width_and_interval() -> None:
    said = figure(Figure(value=".132", plus_minus=".016", low=".116", high=".148"))
    assert said == f'<span class="figure-value">.132 <span class="pm">± .016</span></span>{INTERVAL}'


def test_a_value_that_is_not_there_is_a_dash_and_says_why() -> None:
    said = figure(Figure(value="", remarks=("cannot be estimated",)))
    assert said == (
        '<span class="figure-value">–</span> <span class="tag tag--warn">cannot be estimated</span>'
    )


def test_the_true_value_stands_beside_the_interval_under_a_name_that_is_read_out() -> None:
    said = figure(Figure(value=".1", low="0", high=".2"), ".15")
    assert '<span class="visually-hidden">true value</span>.15</span>' in said
    assert said.index("[0, .2]") < said.index(".15")


def test_nothing_in_it_becomes_markup() -> None:
    bad = "<b>&"
    said = figure(Figure(value=bad, plus_minus=bad, low=bad, high=bad, remarks=(bad,)), bad)
    assert said.count("&lt;b&gt;&amp;") == 6
    assert "<b>" not in said


def test_a_template_prints_it_as_it_is() -> None:
    template = engines["django"].from_string("{% load figures %}{% figure one %}")
    assert template.render({"one": Figure(value=".7", exact=True)}) == (
        '<span class="figure-value">.7</span><span class="ends">exact</span>'
    )
