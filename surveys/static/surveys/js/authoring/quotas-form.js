/** The form of an open question's quotas, folded under its options. */

import { fill } from "../dom.js";
import { folded, four, hint, numberField, remark } from "./fields.js";
import { getAt } from "./paths.js";
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
  const here = [...path, "quotas"];
  const known = answerKeys(question);
  const nameOf = (key) => {
    const place = (question.options ?? []).findIndex((option) => option.key === key);
    const text = question.kind === "yes_no" ? texts[`quota_${key}`] : textIn(question.options?.[place]?.text, app.speaking);
    return text || (place < 0 ? key : fill(texts.option_number, { number: place + 1 }));
  };
  // An option that is gone keeps its field until somebody empties it.
  const keys = [...known, ...stated.filter((key) => !known.includes(key))];
  const write = (key, value, tag) => app.edit(setQuota(app.document, path, key, value), { tag });
  const field = (key) =>
    numberField(app, [...here, key], { said: fill(texts.quota_of, { answer: nameOf(key) }) }, (value, tag) => write(key, value, tag));
  const form = folded(
    texts.quotas,
    hint(texts.quotas_hint),
    hint(texts.quotas_late),
    four(...keys.map(field)),
    remark(here),
    hint(texts.quotas_read),
  );
  form.toggleAttribute("data-open", stated.length > 0);
  return form;
}
