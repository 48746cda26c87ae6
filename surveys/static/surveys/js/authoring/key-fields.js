/** The names of a question and its options in data files, folded below its form. */

import { fill } from "../dom.js";
import { setOptionKey, setQuestionKey } from "./edits.js";
import { folded, lineField } from "./fields.js";
import { isMadeUp } from "./keys.js";
import { kindOf } from "./kinds.js";
import { textIn } from "./wording.js";

/** @param {import("./app.js").App} app @param {import("./paths.js").Path} path */
export function namesInData(app, path, question) {
  const { texts } = app;
  const { key, options = [] } = question;
  const keyField = (place, label, write) =>
    lineField(app, place, label, { attributes: { maxlength: 64 }, onWrite: (text, tag) => app.edit(write(text), { tag }) });
  const optionField = ({ text: words }, place) =>
    keyField(
      [...path, "options", place, "key"],
      { said: fill(texts.option_key, { name: textIn(words, app.speaking) || place + 1 }) },
      (text) => setOptionKey(app.document, path, place, text),
    );
  const own = keyField([...path, "key"], "key", (text) => setQuestionKey(app.document, path, text));
  const form = folded(texts.names_in_data, own, ...(kindOf(question).hasOptions ? options.map(optionField) : []));
  form.toggleAttribute("data-open", isMadeUp(key));
  return form;
}
