"""The text for a paper: methods and results in both languages, references, and a checklist."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from privacy.counted_nouns import counted
from surveys.accounts.permissions import Visitor
from surveys.errors.error import in_sentences
from surveys.formats.joints import join_sentences, series_text
from surveys.formats.numbers import count_text
from surveys.formats.people_of_100 import share_with_interval
from surveys.formats.shown_counts import shown_count
from surveys.jobs.installed_version import installed_version
from surveys.models import Run
from surveys.questionnaire.about_texts import about_texts
from surveys.questionnaire.labels import labels_of
from surveys.questionnaire.languages import language_of
from surveys.questionnaire.rule_words import composites_of, rules_in_words
from surveys.questionnaire.turns import TURN
from surveys.report.opened_run import OpenedRun, results_page
from surveys.report.place_among_runs import place_among_runs
from surveys.report.results.answer_shares import answers_of
from surveys.report.results.planned_question import states_pair, your_question
from surveys.report.results.published_reliability import ReliabilityForm
from surveys.report.results.result_letter import result_letters
from surveys.report.results.results import (
    AT_FIRST,
    QuestionResult,
    clearest_rules_of,
    has_unclear_rules,
    questions_of,
)
from surveys.report.results.series_changes import changes_since_the_wave_before
from surveys.report.rules.rule_text import RuleText
from surveys.report.rules.selection_words import selection_words
from surveys.report.sentences import ledger_words
from surveys.report.sentences.absence import absence_of_links
from surveys.report.sentences.findings import item_phrase
from surveys.report.sentences.forged import is_explained_by_forged, shares_moved
from surveys.report.sentences.verdict import forged_words
from surveys.runs.look import look_of
from surveys.runs.look_words import look_finding, look_text, looks_sentence, paper_sentences
from surveys.runs.planned_pair import planned_pair
from surveys.runs.rule_levels import levels_of
from surveys.runs.shown_of_run import is_disguised_here

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
def paper(request: HttpRequest, open_run: OpenedRun) -> HttpResponse:
    """Show the text in both languages, its references, and a reporting checklist."""
    reliability = ReliabilityForm(request.GET, open_run.run)
    texts = []
    for language in LANGUAGES:
        with translation.override(language):
            translated_run = OpenedRun(open_run.run, labels_of(open_run.run.version, open_run.run.design))
            between = " " if language == "en" else ""
            given = ReliabilityForm(request.GET, open_run.run).sentences()
            paragraphs = [
                (heading, between.join(parts))
                for heading, parts in (
                    (_("Methods"), [*method_sentences(translated_run), *given]),
                    (_("Results"), result_sentences(translated_run)),
                    (_("Change since the earlier survey"), change_sentences(translated_run, request.user)),
                )
                if parts
            ]
            texts.append((language, language_of(language).name, paragraphs))
    context = {
        "run": open_run.run,
        "texts": texts,
        "letters": result_letters(open_run.run),
        "reliability": reliability if reliability.scales else None,
        "bibliography": bibliography_of(open_run.run),
        "checklist": checklist_of(open_run.run),
    }
    return render(request, "report/results/run_paper.html", context)


def change_sentences(open_run: OpenedRun, user: Visitor) -> list[str]:
    """Return method and results of the changes since the wave before; empty without one."""
    changes = changes_since_the_wave_before(open_run, user)
    if changes is None:
        return []
    return [*filter(None, [changes.method]), *changes.lines, *changes.notes]


def method_sentences(open_run: OpenedRun) -> list[str]:
    """Return the methods: design, respondents, estimator, intervals, tests, limits and software."""
    run, design = open_run.run, open_run.run.design
    protected_ones = [block for block in design.blocks if block.protected]
    has_coins = any(block.has_coin for block in protected_ones)
    n_questions = len(design.questions)
    words = {
        "questions": shown_count(n_questions),
        "protected": sum(len(block.questions) for block in protected_ones),
        "blocks": len(protected_ones),
        "n": shown_count(run.n or 0),
        "direct": shown_count(run.n_direct or 0),
        "strong": shown_count(run.n_protected or 0),
        "code": run.code_version,
        "version": installed_version(),
        "snapshot": run.snapshot_digest[:16],
        "run": run.pk,
    }
    templates = [
        (
            ngettext(
                "The questionnaire had one question. We asked it with randomised response (Warner 1965), "
                "using the improved grouping unrelated-question model of Kan and Cao.",
                "The questionnaire had %(questions)s questions. We asked %(protected)s of them with "
                "randomised response (Warner 1965), using the improved grouping unrelated-question model of "
                "Kan and Cao.",
                n_questions,
            )
            if design.protects
            else ngettext(
                "The questionnaire had one question. We stored the answers as they were given.",
                "The questionnaire had %(questions)s questions. We stored the answers as they were given.",
                n_questions,
            )
        ),
        ""
        if not has_coins
        else _(
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
        *_rule_sentences(run),
        _("Numbers and locations were randomised by mechanisms with the same privacy bounds.")
        if not all(block.has_coin for block in protected_ones)
        else "",
        _drawn_sentence(run),
        *paper_sentences(look_of(run)),
        _("The answers of %(direct)s respondents were lightly randomised, and those of %(strong)s strongly.")
        if design.has_two_strengths
        else "",
        *_direct_sentences(run),
        _(
            "We estimated shares of the people who were asked by inverting the known randomisation "
            "probabilities, and we did not truncate estimates to the range from 0 to 100%%."
        )
        if design.protects
        else "",
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
        )
        if design.protects
        else _(
            "We computed all figures with Sottovoce %(version)s (code %(code)s, run %(run)s, snapshot "
            "%(snapshot)s). A Python script reproduces shares, pairs and rules from the data."
        ),
    ]
    *sentences, software = [sentence % words for sentence in templates if sentence]
    return [*sentences, *ledger_words.paper_sentences(run), software]


def _drawn_sentence(run: Run) -> str:
    """State how devices chose the questions that they asked; empty if all asked the same."""
    if TURN in run.version.wording:
        return _(
            "Each respondent was asked each protected block in one survey of the series only. Their device "
            "computed in which from a hash of their code or number."
        )
    return _("Each device drew at random which of the questions it asked.") if run.design.rotates else ""


def _rule_sentences(run: Run) -> Iterator[str]:
    """State from what devices computed the answers to composite questions, and what that rules out."""
    rules = rules_in_words(run.design, run.version.wording)
    if rules:
        counts = {
            "count": count_text(len(rules)),
            "components": count_text(sum(len(rule.components) for rule in rules.values())),
        }
        yield (
            ngettext(
                "%(count)s of the protected questions was not asked itself: respondents answered "
                "%(components)s other questions, from which their device computed its answer before "
                "randomising it.",
                "%(count)s of the protected questions were not asked themselves: respondents answered "
                "%(components)s other questions, from which their device computed these answers before "
                "randomising them.",
                len(rules),
            )
            % counts
        )
    for rule in rules.values():
        asked = series_text(component.quoted for component in rule.components)
        text = _("“%(question)s”: %(summary)s They were: %(components)s. %(rule)s") % {
            "question": rule.text,
            "summary": rule.summary,
            "components": asked,
            "rule": join_sentences(rule.sentences),
        }
        yield text.replace("%", "%%")
    yield from dict.fromkeys(rule.losses for rule in rules.values())


def _direct_sentences(run: Run) -> Iterator[str]:
    """State how many respondents answered directly, and how their answers were used."""
    if not run.design.sends_undisguised:
        return
    yield ngettext(
        "%(direct)s respondent was in the direct group: the device sent the answers undisguised.",
        "%(direct)s respondents were in the direct group: their devices sent their answers undisguised.",
        run.n_direct or 0,
    )
    if is_disguised_here(run):
        yield _("Before any analysis, the server randomised these answers.")
    elif run.n_direct:
        yield _("We used these answers as they were given.")


def result_sentences(open_run: OpenedRun) -> list[str]:
    """Return the results in the words of all pages: the planned question, the shares, the clearest rules."""
    by_question, together = tuple(answers_of(open_run)), tuple(clearest_rules_of(open_run))[:AT_FIRST]
    yours = your_question(open_run, by_question)
    rows = (row for answers in by_question for _label, row in answers if row is not None)
    lines = look_finding(look_of(open_run.run))
    lines += shares_moved(rows, open_run.run)
    lines += [] if yours is None else yours.sentences
    said_intervals = yours is not None and yours.has_intervals
    if yours is not None and said_intervals:
        lines.append(yours.level_text)
    shares = [
        _("%(answer)s %(share)s")
        % {
            "answer": item_phrase(label).words,
            "share": share_with_interval(row.support, row.support_low, row.support_high),
        }
        for question, answers in zip(open_run.run.design.questions, by_question, strict=True)
        for label, row in answers
        if label.protected
        and not question.anchor
        and row is not None
        and row.support_low is not None
        and row.support_high is not None
    ]
    if shares:
        lines.append(
            _("The estimated shares, with 95%% confidence intervals, were: %(shares)s.")
            % {"shares": series_text(shares)}
        )
    starred = {part.words.key for part in yours.means} if yours is not None else set()
    questions = [each for each in questions_of(open_run, by_question) if each.protected and not each.error]
    slips = [each.rule.slips for each in questions if each.rule and each.rule.slips and not each.waits]
    if slips:
        lines += [*slips, _("The shares are not corrected for this.")]
    lines += [
        base_sentence(question)
        for question in questions
        if any(share.estimable for _answer, share in question.of_base)
    ]
    lines += dict.fromkeys(
        f"“{question.name}”: {sentence}" if question.name not in sentence else sentence
        for question in questions
        for sentence in question.related
    )
    lines += [
        _("“%(question)s” (ranges are 95%% confidence intervals): %(figures)s")
        % {"question": question.name, "figures": question.number.sentence}
        for question in questions
        if question.number is not None and question.question.key not in starred
    ]
    if together:
        lines += [
            _("These associations were statistically significant after correction for multiple testing."),
            *(_with_doubt(text) for text in together),
        ]
        if not (said_intervals and levels_of(open_run.run)[0] <= 0.95):
            lines.append(selection_words(open_run.run))
    elif has_unclear_rules(open_run.run):
        lines.append(_("The clear links rest on too few answers to state them here."))
    else:
        lines.append(absence_of_links(open_run.run, has_other=states_pair(yours)).sentence)
    return lines


def _with_doubt(text: RuleText) -> str:
    """State a rule, and whether forged answers could explain it."""
    doubt = forged_words() if is_explained_by_forged(text.rule, text.rule.run) else ""
    return join_sentences(filter(None, [text.sentence, doubt]))


def base_sentence(question: QuestionResult) -> str:
    """State the shares of a composite question's options among people at or above its base."""
    shares = [
        _("%(answer)s %(share)s")
        % {"answer": f"“{answer}”", "share": share_with_interval(share.value, share.low, share.high)}
        for answer, share in question.of_base
        if share.estimable
    ]
    return _("“%(question)s”, of the people at or above “%(base)s”: %(shares)s.") % {
        "question": question.name,
        "base": question.rule.base if question.rule else "",
        "shares": series_text(shares),
    }


def _probabilities(run: Run) -> str:
    """State the probability with which a protected block sends the truth, or the range of probabilities."""
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
    plan_note = _("One comparison was planned before data collection.") if planned_pair(run) else ""
    sentence = _(
        "We tested associations between answers one-sided against a lift of 1, and controlled the false "
        "discovery rate at 5%% over all %(family)s associations that the questionnaire permits "
        "(Benjamini–Yekutieli)."
    )
    between = "" if (get_language() or "").startswith("zh") else " "
    family = format(run.summary["inference"]["family"]["lift"], ",")
    return between.join(part for part in (plan_note, sentence.replace("%(family)s", family)) if part)


def bibliography_of(run: Run) -> str:
    """Return the references of the text in BibTeX format."""
    look = look_of(run)
    scope = ""
    if look is not None and not look.is_final:
        scope = f", interim look with {counted(run.n or 0, 'answer')}"
    elif look is not None and look.chapter is not None:
        scope = f", chapter {look.chapter.number}"
    software = (
        "@software{sottovoce,\n  title = {Sottovoce: surveys on sensitive questions by randomised "
        "response},\n"
        f"  version = {{{installed_version()}}},\n  note = {{Code {run.code_version}, run {run.pk}, snapshot "
        f"{run.snapshot_digest[:16]}{scope}}},\n  year = {{{timezone.now().year}}}\n}}"
    )
    of_disguise = (_WARNER, _KAN_CAO) if run.design.protects else ()
    return "\n\n".join((software, *of_disguise, _OWEN))


def checklist_of(run: Run) -> list[tuple[str, str]]:
    """Return what a paper must report and where to find it; empty if only the authors know."""
    about, place, look = about_texts(run.version), place_among_runs(run), look_of(run)
    responded = _("%(n)s responded") % {"n": shown_count(run.n or 0)}
    return [
        (
            _("Who was asked, and how they were recruited"),
            join_sentences(about.get(key, "") for key in ("population", "frame")),
        ),
        (
            _("How many people were invited, and how many responded"),
            series_text(part for part in (responded, look_text(look)) if part),
        ),
        (
            _("The wording of each question and of the introduction"),
            _("On the page Documents: codebook and questionnaire"),
        ),
        (_("The design: blocks, probabilities, random answers, rotation"), run.design_id),
        *(
            [
                (
                    _("How devices computed answers: questions, points, cut-offs, gaps, and slips"),
                    _("In the text above, and on the page Documents"),
                )
            ]
            if composites_of(run.design)
            else []
        ),
        (
            _("The privacy risk of one answer, and of everything a device sends"),
            _("On the page Privacy risk"),
        ),
        (_("Estimator, intervals, tests, and what was planned in advance"), _("On the page How it was made")),
        (
            _("How often the data were analysed"),
            in_sentences(_("Analysis %(number)s of %(runs)s of this survey.") % place, looks_sentence(look)),
        ),
        (_("Skipped blocks and non-response"), _("On the page Weights and non-response")),
        (_("Ethics reference"), about.get("ethics", "")),
        (_("Software, version, and how to reproduce the figures"), run.snapshot_digest),
    ]
