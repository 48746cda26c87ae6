"""The sentences of the builder's forms: of the survey as a whole, a part, a question. See `builder_texts`."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

FORM_TEXTS: Final = {
    # The survey as a whole.
    "title": _("Title"),
    "title_hint": _("Respondents read it above every question."),
    "languages": _("Languages"),
    "language_first": _("default language"),
    "language_put_first": _("Put first"),
    "language_remove": _("Remove {name}"),
    "language_removed": _("Removed {name}, with every text in it."),
    "language_added": _("Added {name}. Every text has a field for it now."),
    "language_add": _("Add a language"),
    "language_hint": _(
        "Choose one, or type its tag: en, zh-hans, pt-br, ar. Who translates can fill in a file with all "
        "texts side by side: it is under Export."
    ),
    "language_wrong": _("This is no language tag. Write one such as en, zh-hans or pt-br."),
    "practice_legend": _("Practice or live"),
    "practice_live": _("Live"),
    "practice_live_about": _("For real answers. Every promise to respondents holds."),
    "practice_practice": _("Practice"),
    "practice_practice_about": _(
        "For trying things out. Every page says “not private”, and its answers never count. Publishing fixes "
        "this choice for good."
    ),
    "schedule": _("Opening and closing"),
    "schedule_hint": _("Leave both empty to open at publishing, and to close by hand."),
    "opens_at": _("Opens"),
    "closes_at": _("Closes"),
    "time_zone": _("Time zone of these times"),
    "delete_on": _("Deleted on"),
    "delete_on_hint": _(
        "On this day the survey goes, with all answers and results. Respondents read it. Once published, it "
        "can only come earlier."
    ),
    "turns": _("Parts in turn"),
    "turns_hint": _(
        "Each person gets some of these parts, drawn by the device. Fewer parts for each person tell less of "
        "them; two parts are compared only among people who got both."
    ),
    "turns_parts": _("Of these parts"),
    "turns_count": _("each person gets {number} of {count}."),
    "turns_add": _("Let parts take turns"),
    "turns_remove": _("Ask everybody all of them"),
    "series": _("Series"),
    "series_hint": _(
        "If the same people are asked again and again, give these surveys one name: what they tell adds up. "
        "Small letters, digits and hyphens."
    ),
    "panel": _("Back to a panel"),
    "panel_hint": _(
        "Where people go back to once they have sent: an address, with {id} in place of the panel’s number "
        "of the person. The panel invites with your address, #id= and the number, which never reaches this "
        "server. Or a code that everybody is shown."
    ),
    "address": _("Address: /s/{slug}/"),
    "address_new": _("Another address"),
    "address_change": _("Change the address"),
    "address_hint": _("Small letters, digits and hyphens. It stays once the survey is published."),
    "address_fixed": _("Address: /s/{slug}/. It stays, since respondents may know it."),
    # What respondents and readers of the report are told.
    "about_lede": _("All of this is shown before the first question. None of it may be missing."),
    "about_researcher": _("Researcher"),
    "about_researcher_hint": _("Who asks: name and institution."),
    "about_purpose": _("Purpose"),
    "about_purpose_hint": _("What the answers are for, in a sentence or two."),
    "about_ethics": _("Ethics reference"),
    "about_ethics_hint": _("The board that approved the survey, and its reference; or why there is none."),
    "about_contact": _("Contact"),
    "about_contact_hint": _("Where respondents can ask."),
    "about_retention": _("How long answers are kept"),
    "about_retention_hint": _("Until when the disguised answers are kept, and what happens then."),
    "about_age_limit": _("Who may take part"),
    "about_age_limit_hint": _("The age from which people may answer."),
    "about_help": _("Where to get help"),
    "about_help_hint": _("People to talk to, with a number or an address that works in this language."),
    "about_undisguised": _("Why some answers are sent undisguised"),
    "about_undisguised_hint": _(
        "Respondents read it before the first question, and readers in every report. Not needed where the "
        "others are disguised lightly."
    ),
    "surveyed_lede": _("The next two are for readers of the report, who need them to judge the figures."),
    "about_population": _("Target population"),
    "about_population_hint": _("Whom the figures are to be about: who, where, when."),
    "about_frame": _("Frame"),
    "about_frame_hint": _(
        "From which list or at which place respondents are found, and whom that leaves out."
    ),
    # Who is disguised.
    "group_lede": _(
        "Protected parts are disguised on the respondent's device. Figures become more exact where some "
        "people's answers are disguised less."
    ),
    "group_legend": _("Whose protected parts are strongly disguised?"),
    "group_protected": _("Everyone's"),
    "group_protected_about": _("This is what most surveys need."),
    "group_choice": _("Each respondent chooses"),
    "group_choice_about": _(
        "Before seeing the sensitive questions. Those who choose the other way may differ, and which way "
        "somebody chooses is sent as it is."
    ),
    "group_assigned": _("The device draws"),
    "group_assigned_about": _(
        "A share of devices, drawn by chance, answers the other way, and is told so first. Nothing of the "
        "draw is kept: a page that is loaded again draws again, so the groups can differ by who did that."
    ),
    "direct_share": _("The others' share, k"),
    "direct_share_hint": _("The share of devices that are not strongly disguised, in percent."),
    "light_legend": _("How are the others' answers sent?"),
    "light_about": _("No answer to a protected part leaves a device undisguised."),
    "light_none": _("Undisguised"),
    "light_none_about": _(
        "Their real answers are stored, and people who work with the database can read them. A live survey "
        "has to tell respondents why."
    ),
    # A part.
    "part": pgettext_lazy("of a survey", "Part"),
    "block_number": _("Part {number} of {total}"),
    "block_title": _("Title of this part"),
    "block_help": _("Help for this part"),
    "exclusive": _("Which of these answers cannot be true together?"),
    "exclusive_hint": _(
        "Some answers cannot both be true (never, last week). Tick them, and the check says what to do."
    ),
    "per_person": _("Ask each person {number} of these {count} questions."),
    "per_person_hint": _(
        "Empty: everybody is asked all. From four questions on, fewer for each person can do with fewer "
        "people at the same protection. The device draws which; other people get others."
    ),
    "sets": _("Which sets of questions?"),
    "sets_all": _("All {count} sets"),
    "sets_any": _("All sets of that size"),
    "sets_together_2": _("Balanced for pairs: {count} sets, any two questions equally often together"),
    "sets_together_3": _("Balanced for triples: {count} sets, any three questions equally often together"),
    "sets_own": _("A list of your own: {count} sets"),
    "sets_hint": _(
        "Which set somebody was asked is sent as it is. The fewer sets there are, the more people share each."
    ),
    "block_way": _("How its answers are sent"),
    "block_protected": _("Protected"),
    "block_protected_about": _(
        "Disguised on the phone. Either all answers of this part are sent, or all are random."
    ),
    "block_protected_number": _("The phone disguises the number before it sends it."),
    "block_open": _("Stored as answered"),
    "block_open_about": _("Sent as they are, and marked so. For harmless questions only."),
    "strength": _("How well this part protects"),
    "strength_strong": _("Strong"),
    "strength_medium": _("Medium"),
    "strength_light": _("Light"),
    "strength_answers": _("For percentages within 5 points, plan {n} answers."),
    "strength_fewer": _("A part with fewer questions needs fewer answers."),
    "strength_own": _("As experts set it below: {share} % of the answers are sent as given"),
    "experts": _("For experts"),
    "truth": _("Truth probability, p (%)"),
    "truth_hint": _(
        "How often the device sends this part as it was answered; otherwise all of it is drawn by chance."
    ),
    "light_truth": _("The same of those lightly disguised (%)"),
    "light_truth_hint": _("A higher share is less safe for them, and more exact."),
    "light_take": _("Take what is proposed"),
    "more_protection": _("more protection"),
    "more_precision": _("more precision"),
    "skip": _("Offer “Prefer not to say”"),
    "skip_hint": _(
        "It is disguised too. Without it, people who do not want to answer have to leave the survey."
    ),
    "no_skip": _("Why can respondents not choose “Prefer not to say”?"),
    "no_skip_hint": _("Needed for publishing. It is kept with the questionnaire."),
    "skip_share": _("Chance of a drawn skip (%)"),
    "skip_share_hint": _("Proposed: {share} %, about as likely as any one set of answers."),
    "skip_take": _("Take {share} %"),
    "condition": _("Who is asked this part"),
    "condition_hint": _("It may depend on open questions of earlier parts, never on a protected answer."),
    "condition_none": _(
        "Everyone is asked this part. With an open part before it, that could depend on an answer there."
    ),
    "condition_always": _("Everyone"),
    "condition_lost": _("{key}, which cannot decide it any more"),
    "condition_options": _("Asked of those who answer"),
    "condition_add": _("Add a condition"),
    "condition_further": _("Condition {number}"),
    "condition_drop": _("No further condition"),
    "condition_joined": _("Which of these conditions must hold?"),
    "condition_all": _("All of them"),
    "condition_any": _("Any of them"),
    "block_questions": _("Questions: {count}"),
    "add_yes_no": _("Add yes or no"),
    "add_single": _("Add choose one"),
    "add_multi": _("Add tick several"),
    "no_free_text": _("Free text is not offered: words cannot be disguised, and can show who wrote them."),
    # A question.
    "question_number": _("Question {number} of {total}"),
    "question_text": _("Question"),
    "question_help": _("Help"),
    "known": _("Can others know the answer?"),
    "known_yes": _("Others know it, or can look it up"),
    "known_yes_about": _(
        "It can show them which rows are true; the checks before publishing say how surely."
    ),
    "known_no": _("Only the person asked knows it"),
    "add_anchors": _("Add two check questions that everybody knows the answers to"),
    "add_experiment": _("Show half of the people another explanation"),
    "add_ready": _("Ask whether people understood it, and trust it"),
    "arm": _("Group “{key}”"),
    "arm_about": _(
        "Each device draws which of these its person reads, and sends which one. Nobody is asked anything "
        "here."
    ),
    "arm_explanation_hint": _(
        "What each group reads before the first question. Write {odds} once in each: the sentence about the "
        "odds stands there, the same for everybody."
    ),
    "arm_file_hint": _(
        "More groups, and other words of a question for a group, are stated in the definition file."
    ),
    "arm_first": _("Your device throws a coin. It sends your answer, or one that it makes up. {odds}"),
    "arm_invited": _("The invitation decides, not the device"),
    "arm_invited_hint": _(
        "Who opens the page again then reads the same, and the report says how many of those invited to each "
        "group answered. Answers and invitations share this, and nothing else. One thing a survey."
    ),
    "arm_name": _("Drawn by the device"),
    "arm_share_hint": _("Of 100 people, at least 10."),
    "arm_title": _("Two explanations"),
    "kept_wordings": _("Other words by {key}, stated in the definition file; they stay as they are."),
    "kind": _("Answered by"),
    "kind_yes_no": _("Yes or no"),
    "kind_single": _("Choosing one option"),
    "kind_multi": _("Ticking several options"),
    "look": _("Shown as"),
    "look_list": _("A list"),
    "look_rating": _("A rating"),
    "look_rating_about": _("From one end to the other, side by side where there is room."),
    "look_matrix": _("A row of a table"),
    "look_matrix_about": _(
        "With its neighbours that have the same options. Each row stays a question of its own."
    ),
    "chances": _("Chances"),
    "decoy_yes": _("Made-up answers: share of yes (%)"),
    "decoy_yes_hint": _("When the phone makes up an answer: how often yes? Keep 50 unless you know why."),
    "expected_yes": _("Expected yes (%)"),
    "expected_yes_hint": _(
        "Your guess of how common it is. The odds shown to respondents are computed from it."
    ),
    "options": _("Options"),
    "options_chances_hint": _(
        "θ is how often an answer drawn by chance takes the option; expected is your guess of how common it "
        "is."
    ),
    "option_number": _("Option {number}"),
    "option_key": _("Short name of option {name}"),
    "option_add": _("Add an option"),
    "option_removed": _("Deleted: {name}."),
    "options_paste": _("Paste a list"),
    "options_paste_label": _("One option a line"),
    "options_paste_hint": _(
        "From a document or a table. A tab leads to the next language. Bullets and numbers are left out."
    ),
    "options_paste_use": _("Use these lines"),
    "options_pasted": _("Options from the list: {count}."),
    "decoy_short": _("θ (%)"),
    "expected_short": _("Expected (%)"),
    "sum_right": _("{label}: the sum is {sum} %."),
    "sum_off": _("{label}: the sum is {sum} %, and has to be 100.00 %."),
    "sum_fit": _("Scale to 100"),
}
