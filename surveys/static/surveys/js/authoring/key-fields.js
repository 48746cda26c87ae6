/** The names by which files of answers know a question and its options, folded under its form. */

import { el, fill } from "../dom.js";
import { setOptionKey, setQuestionKey } from "./edits.js";
import { lineField } from "./fields.js";
import { isMadeUp } from "./keys.js";
import { pathText } from "./paths.js";
import { textIn } from "./wording.js";

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path */
export function namesInData(app, path, question) {
  const { texts } = app;
  const here = pathText(path);
  const keyField = (field, label, value, write, hint) =>
    lineField({
      field,
      label,
      hint,
      value: value ?? "",
      attributes: { maxlength: 64 },
      onWrite: (text, tag) => app.edit(write(text), { tag }),
    });
  const options = question.kind === "yes_no" ? [] : (question.options ?? []);
  const fields = [
    keyField(`${here}.key`, texts.key, question.key, (text) => setQuestionKey(app.document, path, text), texts.key_hint),
    ...options.map((option, place) =>
      keyField(
        `${here}.options[${place}].key`,
        fill(texts.option_key, { name: textIn(option.text, app.speaking) || place + 1 }),
        option.key,
        (text) => setOptionKey(app.document, path, place, text),
      ),
    ),
  ];
  return el(
    "details",
    { "data-open": isMadeUp(question.key) },
    el("summary", {}, texts.names_in_data),
    el("div", { class: "details-body stack" }, ...fields),
  );
}
