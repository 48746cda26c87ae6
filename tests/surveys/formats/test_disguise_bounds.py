"""ε of a disguise has three decimals on every page, one figure per level."""

from surveys.authoring.disguise_facts import disguise_facts
from surveys.formats.disguise_bounds import epsilon_text, gamma_text
from tests.vectors.designs import live
from tests.vectors.scale_designs import PARTS, places, scale_block


def test_amplification_has_two_decimals_and_epsilon_three() -> None:
    disguise = places("usm", PARTS)
    # The weights are as 7 to 2, and ln 3.5 = 1.2528.
    assert (gamma_text(disguise), epsilon_text(disguise)) == ("3.50", "1.253")


def test_the_comparison_of_versions_prints_epsilon_as_the_results_do() -> None:
    design = live(scale_block("night", places("usm", PARTS)))
    question = design.to_json()["blocks"][0]["questions"][0]
    assert dict(disguise_facts(question))["ε"] == "1.253"
