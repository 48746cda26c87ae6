"""Text for a paper: methods and results of a run in both languages, with references and a checklist."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from surveys.errors.error import sentences
from surveys.jobs.provenance import installed_version
from surveys.models import Run
from surveys.questionnaire.labels import about_texts, labels_of
from surveys.questionnaire.languages import language_of
from surveys.report.frequencies import item_phrase, share_said
from surveys.report.opened_run import OpenedRun, place_among_runs, results_page
from surveys.report.results import AT_FIRST, answers_of, together_of, your_question
from surveys.report.rule_rows import picked_level
from surveys.report.rule_words import selection_words
from surveys.runs.disclosure import shown_count
from surveys.runs.run_summary import is_disguised_here, misfit_of, planned_pair

LANGUAGES: Final = ("en", "zh-hans")

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
    """Show the text in both languages, its references, and a reporting checklist."""
    texts = []
    for language in LANGUAGES:
        with translation.override(language):
            in_it = OpenedRun(opened.run, labels_of(opened.run.version, opened.run.design))
            between = " " if language == "en" else ""
            paragraphs = [
                (heading, between.join(found))
                for heading, found in (
                    (_("Methods"), method_sentences(in_it)),
                    (_("Results"), result_sentences(in_it)),
                )
            ]
            texts.append((language, language_of(language).name, paragraphs))
    context = {
        "run": opened.run,
        "texts": texts,
        "bibliography": bibliography_of(opened.run),
        "checklist": checklist_of(opened.run),
    }
    return render(request, "report/run_paper.html", context)


def method_sentences(opened: OpenedRun) -> list[str]:
    """Return the methods: design, respondents, estimator, intervals, tests, limits and software."""
    run, design = opened.run, opened.run.design
    protected = [block for block in design.blocks if block.protected]
    words = {
        "questions": len(design.questions),
        "protected": sum(len(block.questions) for block in protected),
        "blocks": len(protected),
        "n": shown_count(run.n or 0),
        "direct": shown_count(run.n_direct or 0),
        "strong": shown_count(run.n_protected or 0),
        "code": run.code_version,
        "version": installed_version(),
        "snapshot": run.snapshot_digest[:16],
        "run": run.pk,
    }
    said = [
        _(
            "The questionnaire had %(questions)s questions. We asked %(protected)s of them with randomised "
            "response (Warner 1965), using the improved grouping unrelated-question model of Kan and Cao."
        ),
        _(
            "In the protected group, each respondent’s device randomised the answers of each protected block "
            "before it sent them. With a known probability it sent the true answers of the block, and "
            "otherwise random answers."
        )
        if design.sends_undisguised
        else _(
            "Each respondent’s device randomised the answers of each protected block before it sent them. "
            "With a known probability it sent the true answers of the block, and otherwise random answers."
        ),
        _probabilities(run),
        _("Numbers and locations were randomised by mechanisms with the same privacy bounds.")
        if not all(block.has_coin for block in protected)
        else "",
        _("Each device drew at random which of the questions it asked.") if design.rotates else "",
        _("In total, %(n)s people responded."),
        _("The answers of %(direct)s respondents were lightly randomised, and those of %(strong)s strongly.")
        if design.has_two_strengths
        else "",
        *_undisguised(run),
        _(
            "We estimated shares by inverting the known randomisation probabilities, and we did not truncate "
            "estimates to the range from 0 to 100%%."
        ),
        _(
            "Confidence intervals invert an empirical-likelihood ratio test (Owen 2001). They treat the "
            "respondents as an independent sample of the population."
        ),
        _tests(run),
        _(
            "Respondents who skipped a block were counted as not having given the answers in it. We did not "
            "correct for people who declined to take part or for untruthful answers."
        ),
        _(
            "We computed all figures with Sottovoce %(version)s (code %(code)s, run %(run)s, snapshot "
            "%(snapshot)s). A Python script reproduces shares, pairs and rules from the randomised data."
        ),
    ]
    return [sentence % words for sentence in said if sentence]


def _undisguised(run: Run) -> Iterator[str]:
    """Yield how many respondents answered directly, and how their answers were used."""
    if not run.design.sends_undisguised:
        return
    yield _("%(direct)s respondents were in the direct group: their devices sent their answers undisguised.")
    if is_disguised_here(run):
        yield _("Before any analysis, the server randomised these answers.")
    elif run.n_direct:
        yield _("We used these answers as they were given.")


def result_sentences(opened: OpenedRun) -> list[str]:
    """Return the results, as all pages state them: what was planned, the shares, and the clearest rules."""
    misfit = misfit_of(opened.run)
    if misfit is not None:
        return [sentences(misfit)]
    yours, together = your_question(opened), tuple(together_of(opened))[:AT_FIRST]
    said = [] if yours is None else [sentences(yours.error)] if yours.error else yours.sentences
    said_intervals = bool(said)
    if said_intervals:
        said.append(_("The numbers in brackets are 95% confidence intervals."))
    shares = [
        _("%(answer)s %(share)s")
        % {
            "answer": item_phrase(label).words,
            "share": share_said(row.support, row.support_low, row.support_high),
        }
        for answers in answers_of(opened)
        for label, row in answers
        if label.protected
        and row is not None
        and row.support_low is not None
        and row.support_high is not None
    ]
    if shares:
        said.append(
            _("The estimated shares, with 95%% confidence intervals, were: %(shares)s.")
            % {"shares": _("; ").join(shares)}
        )
    if together:
        said += [
            _("These associations were statistically significant after correction for multiple testing."),
            *(text.sentence for text in together),
        ]
        if not (said_intervals and picked_level(opened.run) <= 0.95):
            said.append(selection_words(opened.run))
    elif yours is None:
        said.append(_("No association was statistically significant after correction for multiple testing."))
    else:
        said.append(
            _("No other association was statistically significant after correction for multiple testing.")
        )
    return said


def _probabilities(run: Run) -> str:
    """Return how likely each protected block sends the truth, one text for equal probabilities."""
    shares = sorted({block.truth_probability for block in run.design.blocks if block.has_coin})
    if not shares:
        return ""
    low, high = f"{shares[0] / 100:g}", f"{shares[-1] / 100:g}"
    if low == high:
        return _("This probability was %(low)s%%.").replace("%(low)s", low)
    sentence = _("This probability ranged from %(low)s%% to %(high)s%% between blocks.")
    return sentence.replace("%(low)s", low).replace("%(high)s", high)


def _tests(run: Run) -> str:
    """Return how rules were tested."""
    planned = _("One comparison was planned before data collection.") if planned_pair(run) else ""
    sentence = _(
        "We tested associations between answers one-sided against a lift of 1, and controlled the false "
        "discovery rate at 5%% over all %(family)s associations that the questionnaire permits "
        "(Benjamini–Yekutieli)."
    )
    between = "" if (get_language() or "").startswith("zh") else " "
    family = format(run.summary["inference"]["family"]["lift"], ",")
    return between.join(part for part in (planned, sentence.replace("%(family)s", family)) if part)


def bibliography_of(run: Run) -> str:
    """Return the references of the text for BibTeX."""
    own = (
        "@software{sottovoce,\n  title = {Sottovoce: surveys on sensitive questions by randomised "
        "response},\n"
        f"  version = {{{installed_version()}}},\n  note = {{Code {run.code_version}, run {run.pk}, snapshot "
        f"{run.snapshot_digest[:16]}}},\n  year = {{{timezone.now().year}}}\n}}"
    )
    return "\n\n".join((own, _WARNER, _KAN_CAO, _OWEN))


def checklist_of(run: Run) -> list[tuple[str, str]]:
    """Return the contents that a report needs, and their places; empty where authors write them."""
    said, look = about_texts(run.version), place_among_runs(run)
    return [
        (
            _("Who was asked, and how they were recruited"),
            "; ".join(said[key] for key in ("population", "frame") if said.get(key)),
        ),
        (
            _("How many people were invited, and how many responded"),
            _("%(n)s responded") % {"n": shown_count(run.n or 0)},
        ),
        (
            _("The wording of each question and of the introduction"),
            _("On the page Documents: codebook and questionnaire"),
        ),
        (_("The design: blocks, probabilities, random answers, rotation"), run.design_id),
        (
            _("The privacy risk of one answer, and of everything a device sends"),
            _("On the page Privacy risk"),
        ),
        (
            _("Estimator, intervals, tests, and what was planned in advance"),
            _("On the page How it was made"),
        ),
        (
            _("How often the data were analysed"),
            _("This is run %(number)s of %(runs)s.") % look,
        ),
        (_("Skipped blocks and non-response"), _("On the page Weights and non-response")),
        (_("Ethics reference"), said.get("ethics", "")),
        (_("Software, version, and how to reproduce the figures"), run.snapshot_digest),
    ]
