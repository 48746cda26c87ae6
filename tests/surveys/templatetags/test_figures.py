"""Figures on pages: estimate, margin and interval."""

from surveys.formats.figures import Figure
from surveys.templatetags.figures import figure

INTERVAL = '<span class="ends">[.116, .148]</span>'


def test_a_figure_shows_estimate_margin_and_interval() -> None:
    said = figure(Figure(value=".132", plus_minus=".016", low=".116", high=".148"))
    assert said == f'<span class="figure-value">.132 <span class="pm">± .016</span></span>{INTERVAL}'


def test_a_missing_value_is_a_dash_with_a_reason() -> None:
    said = figure(Figure(value="", remarks=("cannot be estimated",)))
    assert said == (
        '<span class="figure-value">–</span> <span class="tag tag--warn">cannot be estimated</span>'
    )


def test_the_true_value_follows_the_interval_and_is_labelled() -> None:
    said = figure(Figure(value=".1", low="0", high=".2"), ".15")
    assert '<span class="visually-hidden">true value</span>.15</span>' in said
    assert said.index("[0, .2]") < said.index(".15")


def test_figures_escape_markup_in_their_values() -> None:
    bad = "<b>&"
    said = figure(Figure(value=bad, plus_minus=bad, low=bad, high=bad, remarks=(bad,)), bad)
    assert said.count("&lt;b&gt;&amp;") == 6
    assert "<b>" not in said
