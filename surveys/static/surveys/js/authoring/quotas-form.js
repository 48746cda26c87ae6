/** The form of an open question's quotas, folded under its options. */

import { el, fill } from "../dom.js";
import { four, numberField } from "./fields.js";
import { getAt, pathText } from "./paths.js";
import { answerKeys, canHaveQuotas, setQuota } from "./quotas.js";
import { textIn } from "./wording.js";

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path */
export function quotasForm(app, path) {
  const { texts } = app;
  const question = getAt(app.document, path);
  const stated = Object.keys(question.quotas ?? {});
  if (!canHaveQuotas(app.document.blocks[path[1]], question) && !stated.length) {
    return null;
  }
  const here = `${pathText(path)}.quotas`;
  const known = answerKeys(question);
  const nameOf = (key) => {
    const place = (question.options ?? []).findIndex((option) => option.key === key);
    const text = question.kind === "yes_no" ? texts[`quota_${key}`] : textIn(question.options?.[place]?.text, app.speaking);
    return text || (place < 0 ? key : fill(texts.option_number, { number: place + 1 }));
  };
  // An option that is gone keeps its field until somebody empties it.
  const keys = [...known, ...stated.filter((key) => !known.includes(key))];
  const fields = keys.map((key) =>
    numberField(app, [...path, "quotas", key], fill(texts.quota_of, { answer: nameOf(key) }), {
      onWrite: (value, tag) => app.edit(setQuota(app.document, path, key, value), { tag }),
    }),
  );
  return el(
    "details",
    { "data-open": stated.length > 0 },
    el("summary", {}, texts.quotas),
    el(
      "div",
      { class: "details-body stack" },
      el("p", { class: "hint" }, texts.quotas_hint),
      el("p", { class: "hint" }, texts.quotas_late),
      four(...fields),
      el("p", { class: "remark", hidden: true, "data-remark": here }),
      el("p", { class: "hint" }, texts.quotas_read),
    ),
  );
}
