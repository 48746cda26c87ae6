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
        "Choose one, or enter its tag: en, zh-hans, pt-br, ar. For translators, Export offers a"
        " file with all texts side by side."
    ),
    "language_wrong": _("This is not a language tag. Use one such as en, zh-hans or pt-br."),
    "practice_legend": _("Practice or live"),
    "practice_live": _("Live"),
    "practice_live_about": _("For real answers. Every promise to respondents applies."),
    "practice_practice": _("Practice"),
    "practice_practice_about": _(
        "For trying things out. Every page says “not private”, and answers never count. You "
        "cannot change this after publishing."
    ),
    "schedule": _("Opening and closing"),
    "schedule_hint": _("Leave both empty to open the survey when you publish it, and to close it by hand."),
    "opens_at": _("Opens"),
    "closes_at": _("Closes"),
    "time_zone": _("Time zone"),
    "delete_on": _("Deleted on"),
    "delete_on_hint": _(
        "On this day the survey is deleted, with all answers and results. Respondents see the "
        "date. After publishing, you can only move it earlier."
    ),
    "turns": _("Rotating parts"),
    "turns_hint": _(
        "Each person is asked some of these parts, chosen at random by the phone. With fewer "
        "parts, each person reveals less, but two parts can only be compared among people who "
        "were asked both."
    ),
    "turns_parts": _("Of these parts"),
    "turns_count": _("ask each person {number} of {count}."),
    "turns_add": _("Rotate parts"),
    "turns_remove": _("Ask everyone all of them"),
    "series": _("Series"),
    "series_hint": _(
        "If you ask the same people several times, give these surveys the same name: what "
        "people reveal adds up. Lower-case letters, digits and hyphens."
    ),
    "panel": _("Return to a panel"),
    "panel_hint": _(
        "Where people return after sending: an address, with {id} in place of the panel’s ID of"
        " the person. The panel invites people with your address, #id= and the ID, which never "
        "reaches this server. Or enter a code that is shown to everyone."
    ),
    "address": _("Address: /s/{slug}/"),
    "address_new": _("Another address"),
    "address_change": _("Change the address"),
    "address_hint": _("Lower-case letters, digits and hyphens. You cannot change it after publishing."),
    "address_fixed": _("Address: /s/{slug}/. You cannot change it, because respondents may know it."),
    # What respondents and readers of the report are told.
    "about_lede": _("Respondents see all of this before the first question. Every field is required."),
    "about_researcher": _("Researcher"),
    "about_researcher_hint": _("Name and institution of the researcher."),
    "about_purpose": _("Purpose"),
    "about_purpose_hint": _("How the answers will be used, in one or two sentences."),
    "about_ethics": _("Ethics reference"),
    "about_ethics_hint": _(
        "The board that approved the survey, with its reference number; or why there is none."
    ),
    "about_contact": _("Contact"),
    "about_contact_hint": _("Where respondents can ask questions."),
    "about_retention": _("How long answers are kept"),
    "about_retention_hint": _("How long the disguised answers are kept, and what happens after that."),
    "about_age_limit": _("Who may take part"),
    "about_age_limit_hint": _("The minimum age of respondents."),
    "about_help": _("Where to get help"),
    "about_help_hint": _(
        "Who respondents can talk to, with a phone number or address for speakers of this language."
    ),
    "about_undisguised": _("Why some answers are sent undisguised"),
    "about_undisguised_hint": _(
        "Shown to respondents before the first question, and in every report. Not needed if the"
        " others are lightly disguised."
    ),
    "surveyed_lede": _("Readers of the report need the next two texts to judge the results."),
    "about_population": _("Target population"),
    "about_population_hint": _("Who the results should describe: which people, where and when."),
    "about_frame": _("Frame"),
    "about_frame_hint": _("The list or place where you find respondents, and who is missing there."),
    # Who is disguised.
    "group_lede": _(
        "Protected parts are disguised on the respondent’s phone. Results are more precise if "
        "some people’s answers are disguised less."
    ),
    "group_legend": _("Whose protected parts are strongly disguised?"),
    "group_protected": _("Everyone's"),
    "group_protected_about": _("Right for most surveys."),
    "group_choice": _("Each respondent chooses"),
    "group_choice_about": _(
        "They choose before seeing the sensitive questions. People who choose differently may "
        "differ in other ways, and the choice itself is sent undisguised."
    ),
    "group_assigned": _("The phone chooses at random"),
    "group_assigned_about": _(
        "A random share of phones answers the other way, and says so first. The choice is not "
        "stored: reloading the page draws again, so the groups can differ in who reloaded."
    ),
    "direct_share": _("The others' share, k"),
    "direct_share_hint": _("Percentage of phones that are not strongly disguised."),
    "light_legend": _("How are the others' answers sent?"),
    "light_about": _("Every answer to a protected part is disguised before it leaves the phone."),
    "light_none": _("Undisguised"),
    "light_none_about": _(
        "Their true answers are stored, and people who work with the database can read them. A "
        "live survey must explain this to respondents."
    ),
    # A part.
    "part": pgettext_lazy("of a survey", "Part"),
    "block_number": _("Part {number} of {total}"),
    "block_title": _("Title of this part"),
    "block_help": _("Help for this part"),
    "exclusive": _("Which of these answers cannot be true together?"),
    "exclusive_hint": _(
        "Some answers contradict each other (never, last week). Tick them, and the check suggests what to do."
    ),
    "per_person": _("Ask each person {number} of these {count} questions."),
    "per_person_hint": _(
        "Leave empty to ask everyone all questions. With four or more questions, asking each "
        "person fewer gives the same protection with fewer people. The phone chooses the "
        "questions at random."
    ),
    "sets": _("Which sets of questions?"),
    "sets_all": _("All {count} sets"),
    "sets_any": _("All sets of that size"),
    "sets_together_2": _("Balanced for pairs: {count} sets, any two questions equally often together"),
    "sets_together_3": _("Balanced for triples: {count} sets, any three questions equally often together"),
    "sets_own": _("Your own list: {count} sets"),
    "sets_hint": _(
        "The set that someone was asked is sent undisguised. With fewer sets, more people share each one."
    ),
    "block_way": _("How answers are sent"),
    "block_protected": _("Protected"),
    "block_protected_about": _(
        "Disguised on the phone. Either all answers of this part are sent, or all are made up."
    ),
    "block_protected_number": _("The phone disguises the number before sending it."),
    "block_open": _("Stored as answered"),
    "block_open_about": _("Sent as they are, and marked as such. For harmless questions only."),
    "strength": _("How well this part protects"),
    "strength_strong": _("Strong"),
    "strength_medium": _("Medium"),
    "strength_light": _("Light"),
    "strength_answers": _("To estimate percentages within ±5 points, plan for {n} answers."),
    "strength_fewer": _("A part with fewer questions needs fewer answers."),
    "strength_own": _("Expert setting below: {share}% of the answers are sent as given"),
    "experts": _("For experts"),
    "truth": _("Truth probability, p (%)"),
    "truth_hint": _("How often the phone sends this part as answered. Otherwise, the whole part is random."),
    "light_truth": _("The same for lightly disguised respondents (%)"),
    "light_truth_hint": _("A higher percentage protects them less, and makes results more precise."),
    "light_take": _("Use proposed value"),
    "more_protection": _("more protection"),
    "more_precision": _("more precision"),
    "skip": _("Offer “Prefer not to say”"),
    "skip_hint": _(
        "It is disguised too. Without it, people who do not want to answer have to leave the survey."
    ),
    "no_skip": _("Why can respondents not choose “Prefer not to say”?"),
    "no_skip_hint": _("Needed for publishing. It is kept with the questionnaire."),
    "skip_share": _("Probability of a random skip (%)"),
    "skip_share_hint": _("Proposed: {share}%, about as likely as any one set of answers."),
    "skip_take": _("Use {share}%"),
    "condition": _("Who is asked this part"),
    "condition_hint": _("This can depend on open questions of earlier parts, but not on protected answers."),
    "condition_none": _(
        "Everyone is asked this part. To make it depend on an answer, put an open part before it."
    ),
    "condition_always": _("Everyone"),
    "condition_lost": _("{key}, which can no longer be used here"),
    "condition_options": _("Only for respondents who answer"),
    "condition_add": _("Add a condition"),
    "condition_further": _("Condition {number}"),
    "condition_drop": _("Remove condition"),
    "condition_joined": _("Which of these conditions must hold?"),
    "condition_all": _("All of them"),
    "condition_any": _("Any of them"),
    "block_questions": _("Questions: {count}"),
    "add_yes_no": _("Add yes or no"),
    "add_single": _("Add choose one"),
    "add_multi": _("Add tick several"),
    "no_free_text": _("There is no free text: text cannot be disguised, and can show who wrote it."),
    # A question.
    "question_number": _("Question {number} of {total}"),
    "question_text": _("Question"),
    "question_help": _("Help"),
    "known": _("Can others know the answer?"),
    "known_yes": _("Others know it, or can look it up"),
    "known_yes_about": _(
        "They could use it to recognise true rows. The checks before publishing report how surely."
    ),
    "known_no": _("Only the respondent knows it"),
    "add_anchors": _("Add two check questions with answers that everyone knows"),
    "add_experiment": _("Show half of the people a different explanation"),
    "add_ready": _("Ask whether people understood and trusted it"),
    "arm": _("Group “{key}”"),
    "arm_about": _(
        "Each phone randomly chooses which of these its user reads, and sends which one it was."
        " Respondents are not asked anything here."
    ),
    "arm_explanation_hint": _(
        "The text that each group reads before the first question. Include {odds} once in each:"
        " it is replaced by the sentence about the odds, which is the same for everyone."
    ),
    "arm_file_hint": _("To use more groups, or other question texts for a group, edit the definition file."),
    "arm_first": _("Your phone flips a coin. It sends your answer, or one that it makes up. {odds}"),
    "arm_invited": _("The invitation decides, not the phone"),
    "arm_invited_hint": _(
        "People who open the page again then see the same text, and the report shows how many "
        "of those invited to each group answered. This is the only thing that answers and "
        "invitations share. Only one assignment per survey can use it."
    ),
    "arm_name": _("Share of people"),
    "arm_share_hint": _("Of 100 people, at least 10."),
    "arm_title": _("Two explanations"),
    "kept_wordings": _("The text differs by {key}. Change it in the definition file."),
    "kind": _("Answered by"),
    "kind_yes_no": _("Yes or no"),
    "kind_single": _("Choosing one option"),
    "kind_multi": _("Ticking several options"),
    "look": _("Shown as"),
    "look_list": _("A list"),
    "look_rating": _("A rating"),
    "look_rating_about": _("From one end to the other, side by side if there is room."),
    "look_matrix": _("A row of a table"),
    "look_matrix_about": _(
        "Together with neighbouring questions that have the same options. Each row remains a "
        "separate question."
    ),
    "chances": _("Probabilities"),
    "decoy_yes": _("Made-up answers: percentage of “yes”"),
    "decoy_yes_hint": _(
        "How often a made-up answer is “yes”. Keep 50 unless you have a reason to change it."
    ),
    "expected_yes": _("Expected yes (%)"),
    "expected_yes_hint": _(
        "Your estimate of how common it is. We use it to compute the odds that respondents see."
    ),
    "options": _("Options"),
    "options_chances_hint": _(
        "θ is how often a made-up answer is this option. Expected is your estimate of how common it is."
    ),
    "option_number": _("Option {number}"),
    "option_key": _("Short name of option {name}"),
    "option_add": _("Add an option"),
    "option_removed": _("Deleted: {name}."),
    "options_paste": _("Paste a list"),
    "options_paste_label": _("One option per line"),
    "options_paste_hint": _(
        "From a document or a table. Text after a tab is for the next language. Bullets and "
        "numbers are removed."
    ),
    "options_paste_use": _("Use these lines"),
    "options_pasted": _("Options from the list: {count}."),
    "decoy_short": _("θ (%)"),
    "expected_short": _("Expected (%)"),
    "sum_right": _("{label}: the sum is {sum}%."),
    "sum_off": _("{label}: the sum is {sum}%, but must be 100.00%."),
    "sum_fit": _("Scale to 100"),
}
