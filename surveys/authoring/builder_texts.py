"""Every sentence that JavaScript shows on the builder's page, in the page's language.

The browser replaces names in braces.
"""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from surveys.authoring.one_answer_texts import ONE_ANSWER_TEXTS
from surveys.respondent.first_texts import label_texts

FORM_TEXTS: Final = {
    # The survey as a whole.
    "title": _("Title"),
    "title_hint": _("Respondents read it above every question."),
    "languages": _("Languages"),
    "language_first": _("default language"),
    "language_put_first": _("Move to the front"),
    "language_remove": _("Remove {name}"),
    "language_removed": _("Removed {name}, with every text in it."),
    "language_added": _("Added {name}. Choose it above the phone to write its texts."),
    "language_add": _("Add a language"),
    "language_hint": _(
        "Choose one, or enter its tag: en, zh-hans, pt-br, ar. For translators, Export offers a"
        " file with all texts side by side."
    ),
    "language_wrong": _("This is not a language tag. Use one such as en, zh-hans or pt-br."),
    "formality": _("Address people as"),
    "formality_formal": _("{word} (formal)"),
    "formality_informal": _("{word} (informal)"),
    "formality_own": _("Sentences that your team corrected stay as they are. Read them again."),
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
    "chapters": _("Chapters, for a survey that never closes"),
    "chapters_hint": _(
        "While a survey accepts answers, figures that combine unprotected answers are not shown. At the end "
        "of a chapter, the answers so far become a set that no answer joins later, and these figures are "
        "shown for it."
    ),
    "chapter_end": _("End of chapter {number}"),
    "chapter_published": _("Published: this time stays. You can add later ones."),
    "chapter_closed": _("Closed: no answer joins this chapter."),
    "chapter_add": _("Add a chapter"),
    "chapter_remove": _("Remove chapter {number}"),
    "chapter_removed": _("Removed the end of chapter {number}."),
    "chapters_preview": _("What the chapters contain"),
    "chapter_first": _("Chapter {number}: all answers that are mixed by {until}."),
    "chapter_next": _("Chapter {number}: the answers mixed from then until {until}."),
    "chapter_last": _(
        "Chapter {number}: later answers, until the survey closes and its last answers are mixed."
    ),
    "chapters_waiting": _(
        "Answers that wait to be mixed when a chapter ends belong to the next one. A chapter needs 100 "
        "answers for results. Figures of unprotected answers appear by chapter only, never for all chapters "
        "together."
    ),
    "chapters_zone": _("The time zone stays, because the ends of chapters are published in it."),
    "turns": _("Rotating parts"),
    "turns_hint": _(
        "Each person is asked some of these parts, chosen at random by the phone. With fewer "
        "parts, each person reveals less, but two parts can only be compared among people who "
        "were asked both."
    ),
    "turns_parts": _("From these parts"),
    "turns_count": _("ask each person {number} of {count}."),
    "turns_add": _("Rotate parts"),
    "turns_remove": _("Ask everyone all of them"),
    "series": _("Series"),
    "series_hint": _(
        "If you ask the same people several times, give these surveys the same name: what "
        "people reveal adds up. Lower-case letters, digits and hyphens."
    ),
    "waves": _("Number of surveys in the series"),
    "waves_hint": _("Stated when the first one is published: respondents read what all of them reveal."),
    "each_wave": _("Protection of each survey"),
    "each_wave_root": _("All of them share the limits of one survey"),
    "each_wave_whole": _("Each has the limits for itself, so all together reveal more"),
    "each_wave_rotate": _("Protected parts take turns: each person is asked each of them once"),
    "wave": _("Which of them this survey is"),
    "wave_hint": _(
        "Only if parts take turns: 1 for the first. Each person needs one code or number for all."
    ),
    "panel": _("Return to a panel"),
    "panel_hint": _(
        "Where people return after sending: an address, with {id} in place of the panel’s ID of"
        " the person. The panel invites people with your address, #id= and the ID, which never "
        "reaches this server. Or enter a code that is shown to everyone."
    ),
    "address": _("Address: /s/{slug}/"),
    "address_new": _("Use a different address"),
    "address_change": _("Change the address"),
    "address_hint": _("Lower-case letters, digits and hyphens. You cannot change it after publishing."),
    "address_fixed": _("Address: /s/{slug}/. You cannot change it, because respondents may know it."),
    # Texts for respondents and readers of the report.
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
    "about_age_limit": _("Who may answer"),
    "about_age_limit_hint": _("The minimum age of respondents."),
    "about_help": _("Where to get help"),
    "about_help_hint": _(
        "Who respondents can talk to, with a phone number or address for speakers of this language. "
        "docs/help-lines.md lists numbers by country; check them first."
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
    # Whose answers are strongly disguised.
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
    "group_no_screen": _("Respondents see no screen about this. Each protected question is marked:"),
    "group_one_of_two": _("Each respondent sees one of these two:"),
    "direct_share": _("Share of the other respondents, k"),
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
    "sets_together_2": _(
        "Balanced for pairs: {count} sets; every two questions occur together equally often"
    ),
    "sets_together_3": _(
        "Balanced for triples: {count} sets; every three questions occur together equally often"
    ),
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
    "skip": _("Offer “Prefer not to say”"),
    "skip_hint": _(
        "It is disguised too. Without it, people who do not want to answer have to leave the survey."
    ),
    "no_skip": _("Why can respondents not choose “Prefer not to say”?"),
    "no_skip_hint": _("Needed for publishing. It is kept with the questionnaire."),
    "skip_share": _("Probability of a random skip (%)"),
    "skip_share_hint": _("Proposed: {share}%, which gives the most precise results with this protection."),
    "condition": _("Who is asked this part"),
    "condition_hint": _(
        "This can depend on unprotected questions of earlier parts, but not on protected answers."
    ),
    "condition_none": _(
        "Everyone is asked this part. To make it depend on an answer, put an unprotected part before it."
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
    "add_list": _("Add a list"),
    "no_free_text": _("There is no free text: text cannot be disguised, and can show who wrote it."),
    # A question.
    "question_number": _("Question {number} of {total}"),
    "question_text": _("Question"),
    "question_help": _("Help"),
    "known": _("Can others know the answer?"),
    "known_yes": _("Others know it, or can look it up"),
    "known_yes_about": _(
        "They could use it to recognise true rows. The checks before publishing report how sure they "
        "could be."
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
    "neutral_about": _(
        "People who are not asked a follow-up see one of these instead, so that visits take about as long. "
        "Answers to them are never sent and count for nothing."
    ),
    "neutral_add": _("Fill in neutral questions"),
    "neutral_none": _(
        "Some questions here are asked only after certain answers, so the time that a visit takes can reveal "
        "these answers. Neutral questions for everyone else hide most of that."
    ),
    "neutral_number": _("Neutral question {number}"),
    "neutral_questions": _("Neutral questions"),
    "neutral_remove": _("Remove the neutral questions"),
    "neutral_removed": _("Neutral questions removed"),
    "kept_wordings": _("The text differs by {key}. Change it in the definition file."),
    "kind": _("Answered by"),
    "kind_yes_no": _("Yes or no"),
    "kind_single": _("Choosing one option"),
    "kind_list": _("Yes or no to each line of a list"),
    "line_add": _("Add a line"),
    "line_help": _("Help for this line"),
    "line_text": _("This line"),
    "lines_paste": _("Paste lines"),
    "lines_paste_label": _("One line of the list per line"),
    "lines_paste_use": _("Add these lines"),
    "lines_pasted": _("Lines added to the list: {count}."),
    "look": _("Shown as"),
    "look_boxes": _("Boxes to tick"),
    "look_boxes_about": _(
        "Quicker, but people tick less: an empty box can mean no or not read. Not possible if people are "
        "asked only some lines."
    ),
    "look_lines": _("Yes or no on each line"),
    "look_lines_about": _(
        "People affirm more, at no cost in precision. Recommended for protected questions."
    ),
    "look_list": _("A list"),
    "look_rating": _("A rating"),
    "look_rating_about": _("From one end of the scale to the other, side by side if there is room."),
    "look_matrix": _("A row of a table"),
    "look_matrix_about": _(
        "Together with neighbouring questions that have the same options. Each row remains a "
        "separate question."
    ),
    "stem": _("The list, shared by all of its lines"),
    "stem_text": _("Text above the lines"),
    "stem_text_hint": _("Such as: Have you ever used any of these? Each line is an answer of its own."),
    "stem_unnamed": _("List without a text"),
    "probabilities": _("Probabilities"),
    "decoy_yes": _("Made-up answers: percentage of “yes”"),
    "decoy_yes_hint": _(
        "How often a made-up answer is “yes”. Keep 50 unless you have a reason to change it."
    ),
    "expected_yes": _("Expected yes (%)"),
    "expected_yes_hint": _(
        "How common you expect it to be. Sottovoce fills it in until you change it. We use it to compute "
        "the odds that respondents see."
    ),
    "options": _("Options"),
    "options_probabilities_hint": _(
        "θ is how often a made-up answer is this option. Expected is how common you expect it to be; "
        "Sottovoce fills it in until you change it."
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


SCALE_TEXTS: Final = {
    # Numbers and places.
    "add_number": _("Add a number"),
    "add_place": _("Add a place"),
    "scale_block": _("A number or a place is always a separate part."),
    "scale_skip_cost": _(
        "To hide skips, {lost} of 100 answers are also sent as “skipped”. If no one skips, "
        "errors grow by a factor of {more}. ε does not change."
    ),
    "scale_epsilon": _("ε"),
    "scale_epsilon_hint": _(
        "From 0.01 to 20. Up to 2 protects well. From 5, a single answer is almost revealed."
    ),
    "privacy_apart": _("sensitive areas only"),
    "privacy_scale": _(
        "No answer makes any report more than {gamma} times as likely as another answer does."
    ),
    "privacy_scale_apart": _(
        "Exact outside the sensitive areas. Inside them, no place makes any report more than "
        "{gamma} times as likely as another place does. Not included in the sum."
    ),
    "privacy_scale_levels": _(
        "Places in no level are exact. A report from a level shows that the place is in no "
        "earlier level. Among the remaining places, none makes it more than {gamma} times as "
        "likely as another does. Not included in the sum."
    ),
    "covers": _("What to protect"),
    "covers_square": _("The whole map"),
    "covers_utility_square": _("Only certain areas"),
    # Their mechanisms.
    "mechanism": _("Mechanism"),
    "mechanism_name_square_wave": _("Square wave"),
    "mechanism_name_hybrid": _("Hybrid"),
    "mechanism_name_keep": _("Keep the bin or draw any"),
    "mechanism_name_utility_square": _("Square, sensitive areas"),
    "mechanism_name_utility_square_equal_area": _("Rectangles of one area, sensitive areas"),
    "mechanism_name_utility_grid": _("Tiles, sensitive areas"),
    "mechanism_name_levels": _("Several levels of sensitive areas"),
    "mechanism_name_square": _("Square, whole map"),
    "mechanism_name_grid": _("Tiles, whole map"),
    "mechanism_square_wave": _("Best for a distribution: values near the true one are more likely."),
    "mechanism_hybrid": _("Best for a mean: smallest worst-case error."),
    "mechanism_keep": _("For rules: ranges of the number become items."),
    "mechanism_utility_square": _("Protects the sensitive areas. Most places outside them are sent exactly."),
    "mechanism_utility_square_equal_area": _("The same, better for narrow areas."),
    "mechanism_utility_grid": _("The same, with fixed tiles inside the sensitive areas."),
    "mechanism_levels": _("To change the areas of a level and their ε, edit the definition file (Export)."),
    "mechanism_square": _("Protects every place on the map equally, but is less accurate."),
    "mechanism_grid": _("Protects every place on the map equally, with fixed tiles."),
    # Numbers.
    "number_hint": _("Ask for the age or year, not the date of birth: a full date identifies people."),
    "number_low": _("Smallest answer"),
    "number_high": _("Largest answer"),
    "number_bin": _("Width of a bin"),
    "number_bin_hint": _(
        "Answers in the same bin count as the same answer. Bins must divide the range evenly."
    ),
    "number_steps": _(
        "Answers are sent in steps of {step}: {first} and {next} cannot be told apart. To change this, write "
        "another bin width."
    ),
    "number_steps_to": _("{first} to {last}"),
    "number_decimals": _("Decimals"),
    "number_unit": _("Unit"),
    "calendar": _("Kind of answer"),
    "calendar_none": _("A number"),
    "calendar_month": _("A month"),
    "calendar_day": _("A date"),
    "date_low": _("Earliest answer"),
    "date_high": _("Latest answer"),
    "date_bin_month": _("Months in a bin"),
    "date_bin_day": _("Days in a bin"),
    "date_bin_month_hint": _(
        "Dates in the same bin count as the same answer. Bins must divide the range evenly."
    ),
    "date_bin_day_hint": _(
        "Dates in the same bin count as the same answer. Bins must divide the range evenly."
    ),
    "look_number": _("A field"),
    "look_slider": _("A slider"),
    "look_slider_about": _(
        "Next to a field. It starts without a number, so that no one sends one by accident."
    ),
    "purpose": _("What do you want to know?"),
    "purpose_distribution": _("The distribution"),
    "purpose_distribution_about": _("How many people are in each part of the range."),
    "purpose_average": _("The average"),
    "purpose_average_about": _("One number for all people, with the smallest error."),
    "purpose_together": _("How it relates to other answers"),
    "purpose_together_about": _(
        "Ranges of the number become items in rules with other answers. You define them below."
    ),
    "strength_of_number": _("How well this number is protected"),
    "strength_number_own": _("Expert setting below"),
    "bands": _("Ranges that can be part of rules"),
    "bands_hint": _("Each runs from the start of a bin to the end of a bin. Optional."),
    "band_number": _("Range {number}"),
    "band_from": _("From"),
    "band_to": _("To (included)"),
    "band_add": _("Add a range"),
    # Places.
    "area": _("Edges of the map, in degrees"),
    "edge_west": _("West"),
    "edge_south": _("South"),
    "edge_east": _("East"),
    "edge_north": _("North"),
    "cell": _("Size of a cell, metres"),
    "cell_hint": _(
        "Places are never sent more precisely than this. Use at least the accuracy of phones, "
        "10 to 50 metres."
    ),
    "outline_of_map": _("Outline of the map"),
    "outline_geojson": _("GeoJSON polygon, shown to respondents"),
    "outline_wrong": _("This is not JSON. Paste a GeoJSON polygon, or leave it empty."),
    "rectangles_overlap": _("Overlapping rectangles are merged into one area, and each cell counts once."),
    "sensitive": _("Sensitive areas"),
    "sensitive_hint": _(
        "Public kinds of places that are the same for everyone, such as the clinics of a town. "
        "Draw rectangles on the map, or enter their edges. Never mark places of individuals, "
        "because the map itself would reveal them."
    ),
    "place_told": _(
        "Respondents read that a place outside is sent exactly and shows that they were in none "
        "of these areas. A place inside makes it likely that they were in one."
    ),
    "map_draw": _("Map. Draw a rectangle on it, or add one below and enter its edges."),
    "map_keys": _(
        "Drag from corner to corner. With the keyboard: arrow keys move a mark, with Shift by "
        "ten steps. Enter sets one corner, then the other. Escape starts again."
    ),
    "map_at": _("{longitude}, {latitude}"),
    "map_to": _("Corner set. To {longitude}, {latitude}"),
    "map_needs_area": _("Type the four edges of the map above. Then you can draw rectangles here."),
    "rectangle_number": _("Rectangle {number}"),
    "rectangle_add": _("Add a rectangle"),
    "rectangle_item": _("Use it in rules"),
    "rectangle_name": _("Name in rules"),
    # Designs by p and θ.
    "design_other": _(
        "Other designs, such as Warner’s or Kuk’s, are also pairs of p and θ. Change them here "
        "or in the definition file. The values are in docs/other-designs.md."
    ),
}


PAGE_TEXTS: Final = {
    # The outline.
    "outline": _("Outline"),
    "outline_empty": _(
        "No questions yet. Put sensitive questions into a protected part, and harmless ones "
        "into an unprotected part."
    ),
    "outline_hint": _("To move a part, select it and press Alt with ↑ or ↓."),
    "part_head": _("Title, languages, times"),
    "part_about": _("Information for respondents"),
    "part_group": _("Who is disguised"),
    "part_explanations": _("Two explanations"),
    "block_unnamed": _("Part {number}"),
    "question_unnamed": _("Question {number}, no text yet"),
    "tag_protected": pgettext_lazy("a part of a survey", "Protected"),
    "tag_open": pgettext_lazy("a part of a survey", "Unprotected"),
    "add_protected_block": _("Add a protected part"),
    "add_open_block": _("Add an unprotected part"),
    "add_question": _("Add a question"),
    "add_question_to": _("Add a question to {name}"),
    "todo_unit": _("to do"),
    # Actions on every part and question.
    "tools": _("Actions"),
    "settings": _("Settings"),
    "languages_shown": _("Language of the texts"),
    "add_part": _("Add a part"),
    "todo_later": _("What else is left"),
    "up": _("Move up"),
    "down": _("Move down"),
    "duplicate": _("Duplicate"),
    "delete": _("Delete"),
    "add": _("Add"),
    "undo": _("Undo"),
    "undone": _("Undone."),
    "move_up": _("Move {name} up"),
    "move_down": _("Move {name} down"),
    "remove": _("Delete {name}"),
    "moved": _("{name} is now number {place} of {total}."),
    "moved_in": _("{name} is now number {place} of {total} in {owner}."),
    "duplicated": _("Duplicated {name}. This is the copy."),
    "removed": _("Deleted: {name}."),
    "optional": _("optional"),
    "yes": _("Yes"),
    "no": _("No"),
    "percent_wrong": _("Enter a percentage from {least} to {most}, with at most two decimals."),
    "names_in_data": _("Short names, for tables and files"),
    "key": _("Short name"),
    "key_hint": _(
        "Used in tables, charts and files, where there is no room for the whole text. "
        "Respondents never see it. Letters, digits and - _ . + only. After publishing, a new "
        "name starts a new count."
    ),
    # The privacy panel.
    "privacy": _("Privacy"),
    "privacy_caption": _("Protection of each part"),
    "privacy_none": _(
        "No protected part yet, so nothing is disguised. Every answer would be stored as given."
    ),
    "privacy_unready": _("Shown once this part has questions and all its probabilities are valid."),
    "privacy_no_prevalence": _("To show the odds, every question of this part needs an expected share."),
    "privacy_anchor": _("not included in the sum"),
    "privacy_anchor_why": _(
        "Everyone knows the true answers here, so this part reveals nothing and is not included"
        " in any sum. This applies to Sottovoce’s own texts only: if you change them, the part "
        "counts like any other."
    ),
    "privacy_sum": _("ε of all parts together"),
    "privacy_sum_partly": _("ε of the parts that are complete"),
    "gamma": _("amplification: how many times as likely a row is if it is true of the person who sends it"),
    "epsilon": _("epsilon, the natural logarithm of gamma"),
    "privacy_times": _(
        "γ = {gamma}: a row is at most this many times as likely if it is true of the person who sends it."
    ),
    "privacy_open": _("Questions that are not protected: {count}."),
    "privacy_direct": _("Direct answers are stored undisguised. No bound applies to the direct group."),
    "disguised": _("Strongly disguised"),
    "disguised_lightly": _("Lightly disguised"),
    # Saving.
    "state_saved": _("Saved"),
    "state_unsaved": _("Not saved yet"),
    "state_saving": _("Saving"),
    "state_away": _("Not saved: no connection to the server"),
    "state_conflict": _("Not saved: changed elsewhere"),
    "state_logged_out": _("Not saved: logged out"),
    "state_refused": _("Not saved"),
    "save_now": _("Save now"),
    "away_title": _("No connection to the server."),
    "away": _(
        "You can continue. Everything is kept in this tab and saved when the connection is "
        "back. Do not close the tab until then."
    ),
    "conflict_title": _("Another tab changed this survey."),
    "conflict": _(
        "{who} saved it in the meantime, and your changes since then are not saved. Whichever "
        "you choose, you can get the other back with Undo."
    ),
    "conflict_mine": _("Keep my version"),
    "conflict_theirs": _("Use their version"),
    "conflict_kept": _("Your version is kept. Use Undo to get the version of the other tab."),
    "conflict_taken": _("This is the version of the other tab. Use Undo to get yours back."),
    "logged_out_title": _("You are logged out."),
    "logged_out": _("Log in again in another tab, then come back and save. Your text is still here."),
    "log_in": _("Log in"),
    "refused_title": _("The server did not accept this."),
    "refused": _("Its message: {said}"),
    # Remaining work.
    "todo": _("Before publishing"),
    "todo_none": _("No problems left. You can publish, or continue editing."),
    "todo_warned": _("Nothing stops you from publishing, but read the warnings first."),
    "todo_live": _("Before real answers"),
    "todo_one": _("One problem is left."),
    "todo_many": _("{count} problems are left."),
    "unwritten": _("To be written."),
    "field_title": _("Title"),
    "field_text": pgettext_lazy("of a question or an option", "Text"),
    "field_help": _("Help"),
    "findings_refused": _("Needs a written reason"),
    "findings_warned": _("Please consider"),
    "todo_more": _("And {count} more."),
}
_LAID_OUT: Final = _("Current setting")
PLAIN_TEXTS: Final = {"strength_own": _LAID_OUT, "strength_number_own": _LAID_OUT}
"""Texts without probabilities, for accounts without expert mode."""


def builder_texts(*, expert: bool = True) -> dict[str, str]:
    """Return the translated sentences by key; those about odds are the same as for respondents."""
    texts = PAGE_TEXTS | FORM_TEXTS | SCALE_TEXTS | ONE_ANSWER_TEXTS | ({} if expert else PLAIN_TEXTS)
    return {key: str(text) for key, text in texts.items()} | label_texts()
