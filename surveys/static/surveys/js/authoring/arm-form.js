/** The forms of an experiment: shares of its arms, and the explanation of each. */

import { el, fill } from "../dom.js";
import { withInvited, withShare } from "./arms.js";
import { percentField, tickField, wordsField } from "./fields.js";
import { getAt, pathText } from "./paths.js";

const LEAST = 1000;

/** The form of a question of arms: the share of each. */
export function armForm(app, path) {
  const { texts } = app;
  const { key: own, options = [] } = getAt(app.document, path);
  return [
    el("p", {}, texts.arm_about),
    ...options.map(({ key, share }, place) =>
      percentField(app, {
        field: `${pathText(path)}.options[${place}].share`,
        label: fill(texts.arm, { key }),
        hint: texts.arm_share_hint,
        share,
        least: LEAST,
        most: 10000 - LEAST,
        onShare: (given, tag) => app.edit(withShare(app.document, path, place, given), { tag }),
      }),
    ),
    invitedField(app, own),
    el("p", { class: "hint" }, texts.arm_file_hint),
  ];
}

/** Whether the invitation decides this, and not the device. @param {string} key of a question of arms, or "group" */
export const invitedField = (app, key) =>
  tickField({
    field: "invited",
    label: app.texts.arm_invited,
    hint: app.texts.arm_invited_hint,
    checked: app.document.invited === key,
    onTick: (isTicked) => app.edit(withInvited(app.document, key, isTicked)),
  });

/** The form of the explanations, one for each arm. */
export function explanationsForm(app) {
  const { texts, document: survey } = app;
  const { explanations } = survey;
  return [
    el("p", {}, texts.arm_explanation_hint),
    ...Object.keys(explanations?.texts ?? {}).map((option) =>
      wordsField(app, { path: ["explanations", "texts", option], label: fill(texts.arm, { key: option }), lines: 6 }),
    ),
  ];
}
