"""Text for a paper: how a survey was made and estimated, with citations and a checklist."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from surveys.figures.run_summary import command_line
from surveys.jobs.provenance import installed_version
from surveys.models import Run
from surveys.questionnaire.labels import about_texts, labels_of
from surveys.questionnaire.languages import language_of
from surveys.report.results_page import questions_of, together_of, wanted_of, your_question
from surveys.report.run_page import OpenedRun, place_among_runs, results_page
from surveys.rows.disclosure import shown_count

__all__ = ["LANGUAGES", "bibliography_of", "checklist_of", "paper", "paper_sentences"]

LANGUAGES: Final = ("en", "zh-hans")
MOST_WORDS: Final = 250

_KAN_CAO: Final = """@misc{kancao,
  author = {Kan and Cao},
  title = {Privacy-preserving algorithm based on grouping unrelated-question model}
}"""
_WARNER: Final = """@article{warner1965,
  author = {Warner, Stanley L.},
  title = {Randomized response: a survey technique for eliminating evasive answer bias},
  journal = {Journal of the American Statistical Association},
  volume = {60},
  year = {1965},
  doi = {10.1080/01621459.1965.10480775}
}"""
_OWEN: Final = """@book{owen2001,
  author = {Owen, Art B.},
  title = {Empirical likelihood},
  publisher = {Chapman and Hall},
  year = {2001}
}"""


@results_page
def paper(request: HttpRequest, opened: OpenedRun) -> HttpResponse:
    """Show the text in both languages, what it cites, and what a report should say."""
    texts = []
    for language in LANGUAGES:
        with translation.override(language):
            in_it = OpenedRun(opened.run, labels_of(opened.run.version, opened.run.design))
            between = " " if language == "en" else ""
            texts.append((language, language_of(language).name, between.join(paper_sentences(in_it))))
    context = {
        "run": opened.run,
        "texts": texts,
        "bibliography": bibliography_of(opened.run),
        "checklist": checklist_of(opened.run),
    }
    return render(request, "report/run_paper.html", context)


def paper_sentences(opened: OpenedRun) -> list[str]:
    """Return method, design, n, estimator, interval, test, result and software in sentences."""
    run, design = opened.run, opened.run.design
    protected = [block for block in design.blocks if block.protected]
    words = {
        "questions": len(design.questions),
        "protected": sum(len(block.questions) for block in protected),
        "parts": len(protected),
        "n": shown_count(run.n or 0),
        "direct": shown_count(run.n_direct or 0),
        "code": run.code_version,
        "version": installed_version(),
        "snapshot": run.snapshot_digest[:16],
        "run": run.pk,
    }
    said = [
        _(
            "We asked %(questions)s questions, %(protected)s of them under randomised response (Warner "
            "1965), by the improved grouping unrelated-question model of Kan and Cao."
        ),
        _(
            "The respondent’s own device disguised each of the %(parts)s protected parts before anything was "
            "sent: with a known probability it sent the true answers, otherwise answers drawn at random."
        ),
        _probabilities(run),
        _("Numbers and places were disguised by mechanisms of their own, within the same bounds.")
        if any(block.is_scale for block in protected)
        else "",
        _("%(n)s people answered."),
    ]
    if design.has_two_strengths:
        said.append(_("Of them %(direct)s were lightly disguised, the others strongly."))
    if design.rotates:
        said.append(_("Each device drew which of the questions it asked; who was asked some of them counts."))
    said += [
        _("Shares are estimated by inverting the known channel, each group by itself, and are not clipped."),
        _(
            "Intervals are of 95 %% and invert an empirical-likelihood test (Owen 2001); they take the "
            "respondents as an independent sample of the population."
        )
        if run.thresholds.target == "population"
        else _("Intervals are of 95 %%, about these respondents, and invert a score test."),
        _tests(run),
    ]
    yours = your_question(opened, tuple(together_of(run)), tuple(questions_of(opened)), wanted_of(run))
    result = yours.comparison if yours is not None else None
    sentences = [sentence % words for sentence in said if sentence]
    ending = [
        _(
            "Whoever skipped a part counts as not having given its answers. Refusals to take part and untrue "
            "answers are not corrected."
        ),
        _(
            "Figures were computed by Sotto %(version)s (code %(code)s) as run %(run)s of snapshot "
            "%(snapshot)s. A Python script that comes with its disguised rows computes shares, pairs and "
            "rules again."
        )
        % words,
    ]
    results = [] if result is None else [result.sentence, result.verdict]
    # Long questions stand in the report; a paper has no room for them.
    whole = [*sentences, *results, *ending]
    return whole if len(" ".join(whole).split()) <= MOST_WORDS else [*sentences, *ending]


def _probabilities(run: Run) -> str:
    """Say how likely each protected part sends the truth, as one text for parts that are alike."""
    shares = sorted(
        {block.truth_probability for block in run.design.blocks if block.protected and not block.is_scale}
    )
    if not shares:
        return ""
    low, high = f"{shares[0] / 100:g}", f"{shares[-1] / 100:g}"
    if low == high:
        return _("The truth was sent with a probability of %(low)s %%.").replace("%(low)s", low)
    sentence = _("The truth was sent with a probability of %(low)s to %(high)s %%, by part.")
    return sentence.replace("%(low)s", low).replace("%(high)s", high)


def _tests(run: Run) -> str:
    """Say how rules were tested."""
    tests = run.summary.get("inference")
    if tests is None:
        return _("Associations were not tested.")
    sentence = _(
        "Associations were tested one-sided against a lift of 1, in the family of all %(family)s rules that "
        "the questionnaire permits (Benjamini–Yekutieli, level .05)."
    )
    return sentence % {"family": tests["family"]["lift"]}


def bibliography_of(run: Run) -> str:
    """Return what the text cites, for BibTeX."""
    own = (
        "@software{sotto,\n  title = {Sotto: surveys on sensitive questions by randomised response},\n"
        f"  version = {{{installed_version()}}},\n  note = {{Code {run.code_version}, run {run.pk}, snapshot "
        f"{run.snapshot_digest[:16]}}},\n  year = {{{timezone.now().year}}}\n}}"
    )
    return "\n\n".join((own, _WARNER, _KAN_CAO, _OWEN))


def checklist_of(run: Run) -> list[tuple[str, str]]:
    """Return what a report of randomised response should say, and where it is; empty where people have to."""
    said, look = about_texts(run.version), place_among_runs(run)
    return [
        (
            _("Who was asked, and how they were found"),
            "; ".join(said[key] for key in ("population", "frame") if said.get(key)),
        ),
        (
            _("How many were invited, and how many answered"),
            _("%(n)s answered") % {"n": shown_count(run.n or 0)},
        ),
        (
            _("The wording of each question, and of what respondents read first"),
            _("Documents: codebook and pictures of the label"),
        ),
        (_("The design: parts, probabilities, decoys, who was asked what"), run.design_id),
        (_("What one answer, and all that a device sends, can tell"), _("Risk in words")),
        (
            _("Estimator, intervals, tests, and what was named in advance"),
            command_line(run) or _("How it was made"),
        ),
        (_("How often the data were looked at"), _("run %(number)s of %(runs)s") % look),
        (_("Skips and people who did not take part"), _("Details: weights and non-response")),
        (_("Ethics reference"), said.get("ethics", "")),
        (_("Software, version, and how to compute the figures again"), run.snapshot_digest),
    ]
