/** The forms of the survey as a whole: head, what respondents are told, who is disguised. */

import { button, el, fill } from "../dom.js";
import { invitedField } from "./arm-form.js";
import { idOf, lineField, percentField, put, radioField, selectField, wordsField } from "./fields.js";
import { withStrengths } from "./edits.js";
import { setAt } from "./paths.js";
import { turnsPart } from "./rotation-form.js";
import { addLanguage, putFirst, readTag, removeLanguage } from "./wording.js";

const ABOUT = ["researcher", "purpose", "ethics", "contact", "retention", "age_limit", "help"];
const SURVEYED = ["population", "frame"];

/** @param {import("./app.js").App} app */
export function headForm(app) {
  const { texts, document: survey } = app;
  return [
    wordsField(app, { path: ["title"], label: texts.title, hint: texts.title_hint }),
    languagesPart(app),
    radioField({
      field: "practice",
      legend: texts.practice_legend,
      // A file need not say it: then nothing is chosen, and what is missing is listed until somebody chooses.
      value: survey.practice,
      disabled: app.isPublished,
      choices: [
        { value: false, text: texts.practice_live, about: texts.practice_live_about },
        { value: true, text: texts.practice_practice, about: texts.practice_practice_about },
      ],
      onChoose: (value) => put(app, ["practice"], value),
    }),
    schedulePart(app),
    turnsPart(app),
    lineField({
      field: "series",
      label: texts.series,
      hint: texts.series_hint,
      value: survey.series ?? "",
      attributes: { maxlength: 50 },
      onWrite: (value, tag) => put(app, ["series"], value.trim(), { tag }),
    }),
    el(
      "div",
      { class: "for-experts" },
      lineField({
        field: "panel",
        label: texts.panel,
        hint: texts.panel_hint,
        value: survey.panel ?? "",
        attributes: { maxlength: 500, spellcheck: "false" },
        onWrite: (value, tag) => put(app, ["panel"], value.trim(), { tag }),
      }),
    ),
    addressPart(app),
  ].filter(Boolean);
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
  return el(
    "fieldset",
    { class: "field", id: idOf("languages"), "data-field": "languages", tabindex: "-1" },
    el("legend", { class: "label" }, texts.languages),
    el("ul", { class: "plain-list" }, ...rows),
    el(
      "div",
      { class: "field" },
      el("label", { for: "language-to-add" }, texts.language_add),
      el("div", { class: "row row--field" }, input, button(texts.add, add, "button button--plain")),
      el("p", { class: "hint", id: "language-hint" }, texts.language_hint),
      complaint,
    ),
    el("p", { class: "remark", hidden: true, "data-remark": "languages" }),
  );
}

function schedulePart(app) {
  const { texts, document: survey } = app;
  const stated = (name, label, attributes, hint) =>
    lineField({
      field: name,
      label,
      hint,
      value: survey[name] ?? "",
      attributes,
      onWrite: (value, tag) => put(app, [name], value, { tag }),
    });
  const time = (name, label) =>
    stated(name, label, { type: "datetime-local", min: "2000-01-01T00:00", max: "2099-12-31T23:59" });
  return el(
    "fieldset",
    { class: "field" },
    el("legend", { class: "label" }, texts.schedule),
    el("p", { class: "hint" }, texts.schedule_hint),
    el("div", { class: "pair" }, time("opens_at", texts.opens_at), time("closes_at", texts.closes_at)),
    selectField({
      field: "time_zone",
      label: texts.time_zone,
      value: survey.time_zone ?? "UTC",
      options: app.timeZones.map((name) => [name, name.replaceAll("_", " ")]),
      onChoose: (value) => put(app, ["time_zone"], value),
    }),
    stated(
      "delete_on",
      texts.delete_on,
      { type: "date", min: "2000-01-01", max: "2099-12-31" },
      texts.delete_on_hint,
    ),
  );
}

function addressPart(app) {
  const { texts, document: survey } = app;
  if (app.isPublished) {
    return el("p", { class: "hint" }, fill(texts.address_fixed, { slug: survey.slug }));
  }
  const input = el("input", { maxlength: 50, autocomplete: "off", spellcheck: "false", id: idOf("slug"), "data-field": "slug" });
  input.value = survey.slug ?? "";
  const complaint = el("p", { class: "error", role: "alert", hidden: true });
  const rename = async () => {
    const refusal = await app.rename(input.value.trim());
    complaint.hidden = !refusal;
    complaint.textContent = refusal ?? "";
  };
  return el(
    "details",
    {},
    el("summary", {}, fill(texts.address, { slug: survey.slug })),
    el(
      "div",
      { class: "field details-body" },
      el("label", { for: idOf("slug") }, texts.address_new),
      el("div", { class: "row row--field" }, input, button(texts.address_change, rename, "button button--plain")),
      el("p", { class: "hint" }, texts.address_hint),
      complaint,
      el("p", { class: "remark", hidden: true, "data-remark": "slug" }),
    ),
  );
}

/** @param {import("./app.js").App} app */
export function aboutForm(app) {
  const { texts } = app;
  return [
    el("p", { class: "soft" }, texts.about_lede),
    ...ABOUT.map((name) =>
      wordsField(app, { path: ["about", name], label: texts[`about_${name}`], hint: texts[`about_${name}_hint`], lines: 2 }),
    ),
    el("p", { class: "soft" }, texts.surveyed_lede),
    ...SURVEYED.map((name) =>
      wordsField(app, {
        path: ["about", name],
        label: texts[`about_${name}`],
        hint: texts[`about_${name}_hint`],
        optional: true,
        lines: 2,
      }),
    ),
    sendsUndisguised(app.document) &&
      wordsField(app, {
        path: ["about", "undisguised"],
        label: texts.about_undisguised,
        hint: texts.about_undisguised_hint,
        lines: 2,
      }),
  ].filter(Boolean);
}

/** Whether somebody's answers to protected parts are sent as they are, in a survey that is not for practice. */
const sendsUndisguised = ({ group = {}, practice }) =>
  practice === false && ["choice", "assigned"].includes(group.policy) && group.light !== true;

/** @param {import("./app.js").App} app */
export function groupForm(app) {
  const { texts } = app;
  const group = app.document.group ?? {};
  const choose = (policy) => {
    const share = policy === "assigned" ? { direct_share: 2000 } : {};
    const next = setAt(app.document, ["group"], { policy, ...share });
    // Nothing leaves a device undisguised unless somebody says so.
    app.edit(withStrengths(next, policy !== "protected" && (group.light ?? true)), { redraw: true });
  };
  return [
    el("p", { class: "soft" }, texts.group_lede),
    radioField({
      field: "group.policy",
      legend: texts.group_legend,
      value: group.policy,
      choices: ["protected", "choice", "assigned"].map((value) => ({
        value,
        text: texts[`group_${value}`],
        about: texts[`group_${value}_about`],
      })),
      onChoose: choose,
    }),
    group.policy === "assigned" &&
      percentField(app, {
        field: "group.direct_share",
        label: texts.direct_share,
        hint: texts.direct_share_hint,
        share: group.direct_share,
        onShare: (share, tag) => put(app, ["group", "direct_share"], share, { tag }),
      }),
    group.policy === "assigned" && group.light === true && invitedField(app, "group"),
    (group.policy === "choice" || group.policy === "assigned") &&
      radioField({
        field: "group.light",
        legend: texts.light_legend,
        value: group.light === true,
        choices: [
          { value: true, text: texts.disguised_lightly, about: texts.light_about },
          { value: false, text: texts.light_none, about: texts.light_none_about },
        ],
        onChoose: (value) => app.edit(withStrengths(app.document, value), { redraw: true }),
      }),
  ].filter(Boolean);
}
