/** The mechanism of a number or a place, and its epsilon, for experts. */

import { el } from "../dom.js";
import { numberField, selectField } from "./fields.js";
import { MECHANISMS, setMechanism } from "./scale.js";

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path */
export function mechanismPart(app, path, question) {
  const { texts } = app;
  const here = [...path, question.kind];
  const names = MECHANISMS[question.kind];
  const { mechanism } = question[question.kind];
  const known = names.includes(mechanism) ? names : [...names, mechanism];
  const options = known.map((name) => [name, texts[`mechanism_name_${name}`] ?? name]);
  return el(
    "div",
    { class: "stack for-experts" },
    selectField(app, [...here, "mechanism"], { said: texts.mechanism, says: texts[`mechanism_${mechanism}`] }, options, {
      onChoose: (name) => app.edit(setMechanism(app.document, path, name), { redraw: true }),
    }),
    numberField(app, [...here, "epsilon"], "scale_epsilon"),
  );
}
