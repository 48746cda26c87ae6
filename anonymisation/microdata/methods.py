"""Methods paragraph of a deposit: what was done to the records, in sentences for a paper."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from anonymisation.microdata.made import Made

__all__ = ["methods_sentences", "methods_text"]

_ALGORITHMS: Final = {
    "tight": "neighbouring records form groups (k-member clustering with local search)",
    "bottom-up": "groups are merged in pairs, round by round (bottom-up)",
    "ilp": (
        "groups are merged in pairs within clusters of sensitive values, and some sensitive "
        "values are then changed (ILP)"
    ),
    "kacluk": "groups are merged at random within clusters of sensitive values (KACLUK)",
    "samarati": ("each column is generalised to the same level in all records (global recoding, Samarati)"),
}
_MODELS: Final = {
    "distinct_l": "has at least {asked:g} different values of {name} (l-diversity)",
    "entropy_l": "has an entropy of {name} of at least log {asked:g} (entropy l-diversity)",
    "c": "keeps recursive diversity of {name} with c = {asked:g}",
    "alpha": "has no value of {name} with a share above {asked:g} ((alpha, k)-anonymity)",
    "t": "differs from the whole table in {name} by at most {asked:g} (t-closeness)",
    "basic_beta": (
        "increases the share of no value of {name} by more than {asked:g} of its share (beta-likeness)"
    ),
    "enhanced_beta": "keeps enhanced beta-likeness of {name} with beta = {asked:g}",
    "delta": (
        "changes the likelihood of every value of {name} by less than {asked:g} (delta-disclosure privacy)"
    ),
    "rho2": "raises no belief about {name} above {asked:g} (rho1-rho2 privacy)",
}
_SOURCES: Final = {
    "k": "L. Sweeney, k-anonymity: a model for protecting privacy, 2002.",
    "samarati": "P. Samarati, Protecting respondents' identities in microdata release, 2001.",
    "distinct_l": "A. Machanavajjhala and others, l-diversity: privacy beyond k-anonymity, 2006.",
    "t": "N. Li, T. Li, S. Venkatasubramanian, t-closeness: privacy beyond k-anonymity and l-diversity, "
    "2007.",
    "rho2": "A. Evfimievski, J. Gehrke, R. Srikant, Limiting privacy breaches in privacy preserving data "
    "mining, 2003.",
    "ncp": "J. Xu and others, Utility-based anonymization using local recoding, 2006.",
}


def methods_text(made: Made) -> str:
    """Return the paragraph, and what it cites, in English as all files of a deposit."""
    cited = ["k", made.algorithm, *(verdict.model for verdict in made.verdicts), "ncp"]
    sources = [_SOURCES[name] for name in dict.fromkeys(cited) if name in _SOURCES]
    return " ".join(methods_sentences(made)) + "\n\n" + "".join(f"- {source}\n" for source in sources)


def methods_sentences(made: Made) -> Iterator[str]:
    """Yield what was done to the records of a release, sentence by sentence."""
    known = [column.name for column in made.released.quasi_identifiers]
    people = made.published_people
    n = f"{len(made.released)} records" + (f" of {people} people" if people is not None else "")
    least = next((verdict for verdict in made.verdicts if verdict.model == "k"), None)
    yield f"The release contains {n}."
    yield f"We generalised {', '.join(known)} with Sottovoce: {_ALGORITHMS[made.algorithm]}."
    yield "Each value was replaced by an interval or a group of values."
    if least is not None:
        whom = "records" if people is None else "people"
        yield (
            "Records with the same values in these columns form a group. Each group has at least "
            f"{least.asked:g} {whom} (k-anonymity; the smallest has {least.reached:g})."
        )
    bounds = [
        f"{words.format(name=verdict.sensitive, asked=verdict.asked)}, reached: {verdict.reached:.6g}"
        for verdict in made.verdicts
        if (words := _MODELS.get(verdict.model))
    ]
    if bounds:
        yield f"Each group also {'; '.join(bounds)}."
    if len(made.released.sensitive) > 1:
        yield (
            "These bounds also hold among records with the same values in all other sensitive columns."
            if made.config.multi_attribute
            else "These bounds apply to someone who knows none of the sensitive columns."
        )
    yield (
        f"Generalisation lost {made.loss.ncp:.3f} of the information in these columns (normalised certainty "
        "penalty, 0 to 1)."
    )
    for count, words in (
        (made.loss.suppressed, "were left out so that the others could stay detailed"),
        (made.source.dropped, "were left out because a value was missing"),
        (made.changed, "had a sensitive value changed"),
    ):
        if count:
            yield f"{count} records {words}."
    yield "The records are in random order. The table is not differentially private."
