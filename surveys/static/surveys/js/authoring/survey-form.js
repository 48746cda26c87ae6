/** The forms of the whole survey: its head, information for respondents, and whose answers are disguised. */

import { button, el, fill } from "../dom.js";
import { invitedField } from "./arm-form.js";
import {
  folded, group, hint, idOf, labelled, lineField, numberField, pair, percentField, plainButton, radioField, remark, selectField,
  wordsField,
} from "./fields.js";
import { chaptersPart } from "./chapters-form.js";
import { withStrengths } from "./edits.js";
import { headed, inPlace, mark, phone, said, sentAs, surveyName } from "./phone.js";
import { turnsPart } from "./rotation-form.js";
import { addLanguage, addressedAs, putFirst, readTag, removeLanguage } from "./wording.js";

const ABOUT = ["researcher", "purpose", "ethics", "contact", "retention", "age_limit", "help"];
const SURVEYED = ["population", "frame"];

/** @param {import("./app.js").App} app */
export const headForm = (app) => ({
  phone: phone(app, inPlace(app, ["title"], "title", { look: "title" })),
  fields: [hint(app.texts.title_hint)],
  settings: headSettings(app),
});

const headSettings = (app) => [
  languagesPart(app),
  // A draft from a file may lack this. Then nothing is selected, and it is listed as missing.
  radioField(app, "practice", "practice_legend", [[false, "practice_live"], [true, "practice_practice"]], { disabled: app.isPublished }),
  schedulePart(app),
  turnsPart(app),
  seriesPart(app),
  el("div", { class: "for-experts" }, lineField(app, "panel", "panel", { attributes: { maxlength: 500 } })),
  addressPart(app),
];

/** The surveys of the same people: a common name, how many there will be, and how they share the limits. */
const seriesPart = (app) =>
  folded(
    app.texts.series,
    lineField(app, "series", "series", { attributes: { maxlength: 50 } }),
    numberField(app, ["waves"], "waves"),
    radioField(
      app,
      "each_wave",
      "each_wave",
      [["root", "each_wave_root"], ["whole", "each_wave_whole"], ["rotate", "each_wave_rotate"]],
      { value: app.document.each_wave ?? "root" },
    ),
    numberField(app, ["wave"], "wave"),
  );

/** How to address people in a language that has two forms; nothing for other languages. */
function formPart(app, tag) {
  const { texts, document } = app;
  const forms = app.formsOf(tag);
  if (!forms) {
    return null;
  }
  const chosen = document.formality?.[tag] ?? forms.first;
  const options = [forms.first, forms.other].map((form) =>
    el("option", { value: form, selected: form === chosen }, fill(texts[`formality_${form}`], { word: forms.words[form] })),
  );
  const change = ({ target }) => app.edit(addressedAs(app.document, tag, target.value), { redraw: true });
  const id = idOf(["formality", tag]);
  const hasOwn = Object.keys(document.sentences?.languages?.[tag]?.sentences ?? {}).length > 0;
  return el(
    "div",
    { class: "field" },
    el(
      "div",
      { class: "row" },
      el("label", { for: id }, texts.formality, el("span", { class: "visually-hidden" }, ` (${app.language(tag).name})`)),
      el("select", { id, autocomplete: "off", "data-field": `formality.${tag}`, change }, ...options),
    ),
    hasOwn && hint(texts.formality_own),
    remark(["formality", tag]),
  );
}

function languagesPart(app) {
  const { texts, languages } = app;
  const rows = languages.map((tag, place) =>
    el(
      "li",
      { class: "row" },
      el("span", { class: "grow", lang: tag, dir: app.language(tag).direction }, app.language(tag).name),
      el("code", { class: "soft" }, tag),
      place === 0
        ? el("span", { class: "tag tag--quiet" }, texts.language_first)
        : button(texts.language_put_first, () => app.edit(putFirst(app.document, tag), { redraw: true }), "link-button"),
      languages.length > 1 &&
        button(
          fill(texts.language_remove, { name: app.language(tag).name }),
          () =>
            app.edit(removeLanguage(app.document, tag), {
              redraw: true,
              undoable: fill(texts.language_removed, { name: app.language(tag).name }),
            }),
          "link-button",
        ),
      formPart(app, tag),
    ),
  );
  const input = el("input", { id: "language-to-add", list: "languages", autocomplete: "off", "aria-describedby": "language-hint" });
  const complaint = el("p", { class: "error", role: "alert", hidden: true });
  const add = () => {
    const tag = readTag(input.value);
    complaint.hidden = tag !== null;
    complaint.textContent = tag === null ? texts.language_wrong : "";
    if (tag !== null) {
      app.edit(addLanguage(app.document, tag), { redraw: true });
      app.announce(fill(texts.language_added, { name: app.language(tag).name }));
    }
  };
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      add();
    }
  });
  return group("languages", texts.languages, [
    el("ul", { class: "plain-list" }, ...rows),
    labelled(
      input.id,
      texts.language_add,
      el("div", { class: "row row--field" }, input, plainButton(texts.add, add)),
      el("p", { class: "hint", id: "language-hint" }, texts.language_hint),
      complaint,
    ),
    remark("languages"),
  ]);
}

function schedulePart(app) {
  const { texts } = app;
  const time = (name) =>
    lineField(app, name, name, { attributes: { type: "datetime-local", min: "2000-01-01T00:00", max: "2099-12-31T23:59" } });
  const hasFixedZone = app.publishedChapters.length > 0;
  const zones = app.timeZones.map((name) => [name, name.replaceAll("_", " ")]);
  return el(
    "fieldset",
    { class: "field" },
    el("legend", { class: "label" }, texts.schedule),
    hint(texts.schedule_hint),
    pair(time("opens_at"), time("closes_at")),
    folded(
      texts.time_zone,
      selectField(app, "time_zone", "time_zone", zones, { value: app.document.time_zone ?? "UTC", disabled: hasFixedZone }),
      hasFixedZone && hint(texts.chapters_zone),
    ),
    chaptersPart(app),
    lineField(app, "delete_on", "delete_on", { attributes: { type: "date", min: "2000-01-01", max: "2099-12-31" } }),
  );
}

function addressPart(app) {
  const { texts, document: survey } = app;
  if (app.isPublished) {
    return hint(fill(texts.address_fixed, { slug: survey.slug }));
  }
  const input = el("input", { maxlength: 50, autocomplete: "off", spellcheck: "false", id: idOf("slug"), "data-field": "slug" });
  input.value = survey.slug ?? "";
  const complaint = el("p", { class: "error", role: "alert", hidden: true });
  const rename = async () => {
    const refusal = await app.rename(input.value.trim());
    complaint.hidden = !refusal;
    complaint.textContent = refusal ?? "";
  };
  return folded(
    fill(texts.address, { slug: survey.slug }),
    labelled(
      input.id,
      texts.address_new,
      el("div", { class: "row row--field" }, input, plainButton(texts.address_change, rename)),
      hint(texts.address_hint),
      complaint,
      remark("slug"),
    ),
  );
}

/** The information before the first question on the phone, and beside it what only readers of the report need. */
export function aboutForm(app) {
  const { texts, document: survey } = app;
  const names = [...ABOUT, ...(sendsUndisguised(survey) ? ["undisguised"] : [])];
  const written = names.map((name) => headed(app, ["about", name], texts[`about_${name}`], texts[`about_${name}_hint`]));
  return {
    phone: phone(app, surveyName(app), ...written),
    fields: [
      el("p", { class: "soft" }, texts.about_lede),
      el("p", { class: "soft" }, texts.surveyed_lede),
      ...SURVEYED.map((name) => wordsField(app, ["about", name], `about_${name}`, { optional: true, lines: 2 })),
    ],
    settings: [],
  };
}

/** Whether a real (not practice) survey sends some people's answers to protected parts undisguised. */
const sendsUndisguised = ({ group: who = {}, practice }) =>
  practice === false && ["choice", "assigned"].includes(who.policy) && who.light !== true;

/** @param {import("./app.js").App} app */
export function groupForm(app) {
  const { texts } = app;
  const { policy, light } = app.document.group ?? {};
  const choose = (chosen) => {
    const share = chosen === "assigned" ? { direct_share: 2000 } : {};
    // By default, devices disguise everything.
    const isLight = chosen !== "protected" && (light ?? true);
    app.edit(withStrengths(app.set(["group"], { policy: chosen, ...share }), isLight), { redraw: true });
  };
  const policies = ["protected", "choice", "assigned"].map((value) => [value, `group_${value}`]);
  const ways = [[true, { said: texts.disguised_lightly, says: texts.light_about }], [false, "light_none"]];
  const fields = [
    el("p", { class: "soft" }, texts.group_lede),
    radioField(app, "group.policy", "group_legend", policies, { onChoose: choose }),
    policy === "assigned" && percentField(app, "group.direct_share", "direct_share"),
    policy === "assigned" && light === true && invitedField(app, "group"),
    (policy === "choice" || policy === "assigned") &&
      radioField(app, "group.light", "light_legend", ways, {
        value: light === true,
        onChoose: (value) => app.edit(withStrengths(app.document, value), { redraw: true }),
      }),
  ];
  return { phone: phone(app, surveyName(app), ...groupScreens(app, policy)), fields, settings: [] };
}

/** What respondents read about it: nothing, a choice, or what their device drew. */
function groupScreens(app, policy) {
  const { texts, document: survey } = app;
  const { light } = survey.group ?? {};
  const chosen = (words, key) => (light && ((survey.invited === "group" && words[`decided_${key}`]) || words[`light_${key}`])) || words[key];
  // Read anew at each change, because typing does not draw the form again.
  const share = () => (app.document.group?.direct_share ?? 0) / 100;
  const line = (tag, key, attributes = {}) =>
    said(app, tag, { lang: app.tongue, ...attributes }, (words) => fill(chosen(words, key) ?? "", { share: share() }));
  const reason =
    sendsUndisguised(survey) && headed(app, ["about", "undisguised"], texts.about_undisguised, texts.about_undisguised_hint);
  if (policy === "choice") {
    const way = (key) => el("li", {}, mark(), el("div", {}, line("strong", key), line("p", `${key}_hint`)));
    return [
      line("p", "group_title", { class: "phone-title" }),
      line("p", "group_text"),
      reason,
      el("ul", { class: "phone-choices" }, way("group_protected"), way("group_direct")),
    ];
  }
  if (policy === "assigned") {
    const drawn = (key) => el("div", { class: "phone-line stack" }, line("p", key, { class: "say" }), line("p", `${key}_text`));
    return [
      line("p", "assigned_title", { class: "phone-title" }),
      hint(texts.group_one_of_two),
      drawn("assigned_protected"),
      drawn("assigned_direct"),
      line("p", "assigned_text", { class: "soft" }),
      reason,
    ];
  }
  return [hint(texts.group_no_screen), sentAs(app, { protected: true })];
}
