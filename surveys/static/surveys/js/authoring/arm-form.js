/** The forms of an experiment: the shares of its arms, and the explanation for each arm. */

import { el, fill } from "../dom.js";
import { withInvited, withShare } from "./arms.js";
import { hint, percentField, tickField } from "./fields.js";
import { getAt } from "./paths.js";
import { headed, phone, surveyName } from "./phone.js";

const LEAST = 1000;

/** The form of a question that assigns arms: the share of each arm, beside what each arm reads. */
export function armForm(app, path) {
  const { texts } = app;
  const { key: own, options = [] } = getAt(app.document, path);
  const share = ({ key }, place) =>
    percentField(app, [...path, "options", place, "share"], { said: fill(texts.arm, { key }), says: texts.arm_share_hint }, {
      least: LEAST,
      most: 10000 - LEAST,
      onShare: (given, tag) => app.edit(withShare(app.document, path, place, given), { tag }),
    });
  return {
    phone: explanationsOnPhone(app),
    fields: [el("p", {}, texts.arm_about), ...options.map(share), invitedField(app, own)],
    settings: [hint(texts.arm_file_hint)],
  };
}

/** Whether the invitation, not the device, decides this. @param {string} key of a question that assigns arms, or "group" */
export const invitedField = (app, key) =>
  tickField(app, "invited", "arm_invited", app.document.invited === key, (isTicked) =>
    app.edit(withInvited(app.document, key, isTicked)),
  );

/** One explanation per arm, on the phone. */
export const explanationsForm = (app) => ({ phone: explanationsOnPhone(app), fields: [hint(app.texts.arm_explanation_hint)], settings: [] });

function explanationsOnPhone(app) {
  const { texts, document: survey } = app;
  const arms = Object.keys(survey.explanations?.texts ?? {});
  const explained = (key) => headed(app, ["explanations", "texts", key], fill(texts.arm, { key }));
  return phone(app, surveyName(app), ...arms.map(explained));
}
